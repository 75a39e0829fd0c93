// What is started is waited for: by its number, by what it says, by a variable, and where it cannot be waited for.
chan ready = [0] of { byte };
byte g, last;
proctype Worker(byte n; chan to) { g = n; to!n; last = n }
proctype Boss(chan to) { byte k; k = run Worker(3, to); (_nr_pr == k); to!4 }
init {
  chan me = [1] of { byte };
  byte x;
  run Worker(1, me); me?x; g == 1;
  atomic { run Worker(2, ready); g == 2; ready?x };
  run Boss(ready);
  do :: ready?x -> assert(x != 4 || last == 3) :: timeout -> break od;
  assert(_nr_pr == 1);
  run Worker(9, me); run Worker(8, me); _nr_pr == 2
}
