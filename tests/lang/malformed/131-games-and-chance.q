control: A<> n == 1
E<> control: A<> n == 1
Pr[<=10](<> n == 1)
simulate [<=10] { n }
E[<=10; 100](max: n)
minE(n) [<=10] : <> n == 1
strategy s = control: A<> n == 1
saveStrategy("f", s)
