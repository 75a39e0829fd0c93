// What a process cannot do now is no choice: behind an escape, while another has control, or before its turn.
byte x, y;
active D_proctype A() { { if :: x == 0 -> x = 1 :: y == 0 -> x = 2 fi } unless { x < 3 -> x = 3 } }
active D_proctype B() provided (y > 1) { if :: y == 1 -> y = 5 :: y > 0 -> y = 6 fi }
active proctype C() { atomic { y = 1; y = 2; y = 3 } }
