// A line that starts with a parenthesis is a statement of its own.
byte x;
active proctype P() {
  byte y
  x = 2; y = 1
  (y == 1)
  x = (x
       + 1)
  (x == 3) -> x = 1
  assert(x == 1)
}
active proctype Q() {
  if
  :: x == 2
     (x == 3)
  :: else
  fi
}
