// Many guards and choices inside one d_step, with expressions that need room.
bool a = 1, b = 1, c = 1, d = 1;
int x = 1, y = 1, z = 1, w = 1;
active proctype P() { d_step { a; b; c; d; a = 0 } }
active proctype Q() {
  d_step {
    x = 1;
    if :: y == 1 -> y = 2 :: z == 2 -> z = 3 fi;
    if :: y == 2 -> y = 3 :: z == 4 -> z = 3 fi;
    if :: y == 3 -> y = x + y + z + w + (x * (y + (z * (w + (x * (y + z)))))) :: z == 4 -> z = 3 fi;
    if :: w == 1 -> w = 2 :: w == 3 -> w = 4 fi
  };
  assert(x == 2)
}
