// select with numbers is one step, with expressions a loop; for over ranges and arrays.
byte a[3] = 2; byte n; short k;
#define LOW 2
active proctype P() {
  byte i;
  select (i : 1 .. 3);
  select (k : LOW .. i + 1);
  for (i : 1 .. n + 2) { n++; if :: n > 2 -> break :: else fi }
  for (i in a) { a[i] = a[i] + i; }
  assert(a[2] == 4)
}
