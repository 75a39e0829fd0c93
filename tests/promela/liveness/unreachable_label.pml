// atoms: x > 1; P@L; P@M
// A label that the process never comes to.
byte x = 1;
active proctype P() { M: x = 3 - x; goto M; L: x = 5 }
ltl p { (x > 1) U !(P@L) }
