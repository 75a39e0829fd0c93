// unreachable
E<> P.B || P.C
// unreachable
E<> P.D || P.E
// reachable 2
E<> P.F
// reachable 3
E<> R.T && Q.S
// unreachable
E<> Q.T
// reachable 3
E<> deadlock && P.A
