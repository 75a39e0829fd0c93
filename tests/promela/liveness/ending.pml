// Processes that are started and end, and a system that stands still at the end.
// all processes end
// atoms: x == 0; x == 2; done; ended == 2; x > 3
byte x, ended;
bool done;
proctype worker(byte n) {
  x = x + n;
  x = x - n;
  ended++
}
init {
  atomic { run worker(1); run worker(2) }
  (ended == 2);
end: done = 1
}
ltl ends { <> done }
ltl stays { <> [] (x == 0) }
// finite: bounded
ltl bounded { [] (x < 4) }
// finite: seen
never seen {
  x == 0;
  do
  :: x == 3 -> assert(!done); break
  :: else
  od;
  do
  :: x == 4 -> break
  :: x != 4
  od
}
