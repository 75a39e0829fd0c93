// Dekker's algorithm.
// atoms: want[0]; want[1]; turn == 0; A@cs; B@cs; B@busy
bool want[2];
bit turn;
byte inside;
active proctype A() {
start: want[0] = 1;
  do
  :: want[1] ->
    if
    :: turn == 1 -> want[0] = 0; turn == 0; want[0] = 1
    :: else
    fi
  :: else -> break
  od;
  inside++;
cs: inside--;
progress: turn = 1;
  want[0] = 0;
  goto start
}
active proctype B() {
start: want[1] = 1;
busy:
  do
  :: want[0] ->
    if
    :: turn == 0 -> want[1] = 0; turn == 1; want[1] = 1
    :: else
    fi
  :: else -> break
  od;
  inside++;
cs: inside--;
  turn = 0;
  want[1] = 0;
  goto start
}
// finite: mutex
ltl mutex { [] !(A@cs && B@cs) }
ltl alive { [] (want[0] -> <> A@cs) }
