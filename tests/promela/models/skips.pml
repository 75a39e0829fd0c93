// Idle statements inside options are left out, elsewhere they are not.
byte x;
active proctype P() {
  skip; skip; x = 1;
  if :: skip; skip; skip; x = 2; printf("a"); skip; skip; x = 3; skip; skip :: x = 4; true; 1; here: skip; x = 5 fi;
  do :: x > 3 -> skip; x--; printf("b"); skip; printf("c"); x-- :: x <= 3 -> skip; skip; break od
}
active proctype Q() { x = 9 }
