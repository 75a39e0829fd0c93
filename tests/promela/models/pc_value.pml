// Processes compare the places where they stand.
byte x;
active proctype A() {
  x++;
  if
  :: x == 1 -> x = 2
  :: else
  fi;
  do
  :: x > 3 -> break
  :: x <= 3 -> x++
  od
}
active proctype B() {
  byte k;
  k = pc_value(0);
  pc_value(0) > pc_value(2);
  k = pc_value(0) + pc_value(7);
  assert(k != 11)
}
active proctype C() { byte k; k = 1; k = pc_value(1) }
