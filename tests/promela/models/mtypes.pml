// Message types count backwards, subtypes for themselves.
mtype = { a, b, c }; mtype = { d, e };
mtype:color = { red, green };
mtype x = d; mtype:color k = red;
active proctype P() { assert(a == 3 && c == 1 && d == 5 && e == 4 && red == 2); do :: x > 1 -> x = x - 1 :: x == b -> k = green :: x == c -> break od; assert(k == red) }
