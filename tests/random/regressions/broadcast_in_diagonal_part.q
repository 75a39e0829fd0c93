// reachable 3
E<> deadlock
