// An else is tried last of its own alternatives, not of those around them; what comes later does not count for it.
byte a, b, c;
active proctype First() { if :: if :: else -> a = 1 :: b == 7 -> a = 2 fi :: b == 0 -> a = 3 fi }
active proctype Last() { if :: b == 0 -> b = 1 :: if :: else -> b = 2 :: b == 7 -> b = 3 fi fi }
active proctype Steps() {
  do
  :: c == 0 -> c = 4 :: c > 5 -> break
  :: atomic { if :: else -> c = 6 :: c == 1 -> c = 6 fi } :: c == 4 -> c = 1
  od;
  if :: d_step { else -> c = c + 1 } :: c == 6 -> c = 7 fi;
  d_step { if :: if :: else -> c = c + 7 :: c == 0 -> c = 8 fi :: c == 6 -> c = 9 fi }
}
