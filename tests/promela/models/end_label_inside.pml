// An end label covers its statement only.
byte x;
active proctype P() { end1: x = 1; x == 2 }
