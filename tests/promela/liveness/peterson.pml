// Peterson's algorithm.
// atoms: flag[0]; flag[1]; turn; ncrit == 0; user[0]@cs; user[1]@again
bool turn, flag[2];
byte ncrit;
active [2] proctype user() {
again:
  flag[_pid] = 1;
  turn = _pid;
  (flag[1 - _pid] == 0 || turn == 1 - _pid);
  ncrit++;
cs:
  ncrit--;
progress:
  flag[_pid] = 0;
  goto again
}
// finite: mutex
ltl mutex { [] (ncrit < 2) }
ltl enters { [] (flag[0] -> <> user[0]@cs) }
// finite: watch
never watch {
  do
  :: ncrit > 1 -> break
  :: else
  od
}
// finite: starves
never starves {
T0:
  do
  :: flag[1] && !user[1]@cs -> goto accept
  :: true
  od;
accept:
  do
  :: !(user[0]@cs || user[1]@cs)
  od
}
