// Declarations in the middle are steps, those at the start are not.
typedef T { byte a; byte b };
byte g = 1;
active proctype P() {
  byte a = g; byte v[2] = 4; int w[3] = { 1, 2, 3 };
  g++;
  byte b = a + 1; byte c; byte u[2] = 9; T t;
  if :: byte d = 2; g = d + u[0] + u[1] + w[2] :: g = b; byte e; e = 4; g = e fi;
  { byte h; h = 3; a = h }
  t.b = g
}
active proctype Q() { g = 7 }
