// Without a number the first process of the type that runs is meant; where none does, nothing is true and all is 0.
byte x;
proctype P(byte k) { L: x++; M: k = k + 4 }
init {
  assert(!P@L && P:k == 0);
  run P(1); run P(2);
  if :: P@M -> assert(P:k == 1) :: P:k == 5 -> assert(P[2]@L) :: P:k == 6 fi;
  _nr_pr == 1;
  assert(P:k == 0)
}
