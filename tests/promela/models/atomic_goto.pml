// Jumps out of, into and inside atomic sequences.
byte x, y, n;
active proctype A() {
L:  atomic { n < 2 -> n++; x = 1; if :: y == 1 -> goto M :: else -> goto L fi; x = 7 }
M:  x = 2;
    atomic { y = 2; N: y = 3; x = y } 
    if :: n < 3 -> n++; goto N :: else fi
}
active proctype B() { atomic { y = 1; x = 4; goto end_there; y = 9 } ; end_there: x = 5 }
