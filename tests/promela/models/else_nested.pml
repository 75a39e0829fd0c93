// An else belongs to all options that are open at the control point.
byte x;
active proctype A() { do :: x < 3 -> x++ :: if :: x == 77 -> skip :: x == 2 -> x = 0 fi :: x == 3 -> break od; if :: x == 9 -> x = 1 :: atomic { else -> x = 4; x = 6 } fi }
active proctype B() { if :: if :: x == 2 -> x = 3 :: else -> x = x ^ 1 fi :: x == 1 -> x = 2 fi }
