// Three philosophers who can deadlock.
// atoms: fork[0]; fork[1]; eating == 0; phil[0]@eat; phil[1]@hungry; phil[2]@eat
bit fork[3];
byte eating;
active [3] proctype phil() {
hungry:
  atomic { !fork[_pid] -> fork[_pid] = 1 }
  atomic { !fork[(_pid + 1) % 3] -> fork[(_pid + 1) % 3] = 1 }
  eating++;
eat: eating--;
  d_step { fork[_pid] = 0; fork[(_pid + 1) % 3] = 0 }
  goto hungry
}
ltl eats { <> (eating > 0) }
// finite: alone
ltl alone { [] (eating <= 1) }
// finite: three
never three {
  do
  :: fork[0] && fork[1] && fork[2] && eating == 2 -> break
  :: true
  od
}
