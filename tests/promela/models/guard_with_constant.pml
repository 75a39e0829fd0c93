// A condition of which one part is never true: a label that no process comes to, and a constant.
byte x = 1;
active proctype P() { do :: x == 1 -> x = 2 :: x == 2 -> break od; goto out; L: x = 9; out: skip }
active proctype Q() {
  if :: x < 3 && P@L -> assert(false) :: x > 0 && 0 -> assert(false) :: x == 2 && 1 -> skip fi
}
