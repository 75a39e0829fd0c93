// unreachable
E<> P.Idle
// unreachable
E<> P.Busy
// reachable 1
E<> P.Fine
