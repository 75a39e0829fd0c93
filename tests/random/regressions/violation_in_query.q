// fails
E<> f() > 1
// fails
A[] f() <= 1
// fails
A[] x <= 5 || f() == 1
// fails
E<> x > 9 && x < f()
// fails
E<> deadlock && a[v] == 1
// unreachable
A[] v < 2 imply f() == v
// unreachable
A[] (x > 5 || v >= 2 || f() <= 1) && v <= 3
// reachable 1
E<> v == 1 && x >= f()
