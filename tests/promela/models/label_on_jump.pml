// A label that is referred to from outside is a state even on a jump; one that is not is none. Special ones always are.
byte x, seen;
active proctype P() {
again: x == 0;
  x = 1;
L: goto again
}
active proctype Q() {
  byte k;
  do
  :: k < 2 -> k++;
     if :: k == 1 -> skip; M: goto behind :: else -> skip; unseen: goto behind fi;
behind: skip
  :: else -> skip; N: break
  od;
  atomic { k = 0; O: goto out };
out: k = 1;
  if :: x == 1 -> skip; end1: first: goto over :: else fi;
over: skip;
  { k = 2; second: end2: goto last } ;
last: skip
}
active proctype Watch() {
  if :: P@L -> seen = 1; x = 0 :: Q@M -> seen = 2 :: Q@N -> seen = 3 fi;
  if :: Q@O -> seen = 4 :: Q[1]@second -> seen = 5 fi;
  assert(seen != 4 && seen != 1)
}
