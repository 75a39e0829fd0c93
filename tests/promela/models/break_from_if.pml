// A break inside a selection leaves the loop around it.
byte x, y;
active proctype P() {
  do
  :: x < 3 -> x++; do :: y < x -> y++; if :: y == 2 -> break :: y == 1 -> if :: true -> break :: y = 3 fi :: else fi :: else -> break od; y = 0
  :: x == 3 -> if :: y == 0 -> break :: else -> y = 0 fi
  od;
  x = 7
}
active proctype Q() { x < 3; y = 1 }
