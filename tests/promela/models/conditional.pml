// Conditional expressions are lazy, and so are && and ||.
byte x, y = 4, a[3];
active proctype P() { x = (x < 3 -> a[x] : 7); do :: y > 0 -> y--; (y < 3 && a[y] == 0) || y >= 3; a[(y > 2 -> 0 : y)] = (y % 2 == 0 -> y * 2 : -1) :: else -> break od; assert(a[2] == 4 || a[0] == 0) }
