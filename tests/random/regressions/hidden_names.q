// reachable 1
E<> P.Outer
// unreachable
E<> P.Inner
// reachable 2
E<> P.C and P.c == 3
// reachable 1
E<> P.B and P.c > 6
// unreachable
E<> P.A and P.c > 4
// unreachable
E<> Q.T
// reachable 1
E<> P.B and P.later() and P.f() == 111
