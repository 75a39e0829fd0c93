E<> P(7).busy
A[] (((
Pr[<=10](<> P(0).busy)
E<> go
inf
// end
