// reachable 1
E<> P.B
// unreachable
E<> P.C
