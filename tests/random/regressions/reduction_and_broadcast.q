// reachable 1
E<> Sender.B
// reachable 2
E<> Sender.B and v == 1
// reachable 1
E<> Sender.B and v == 0
// reachable 2
E<> deadlock
