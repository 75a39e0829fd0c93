// What an escape begins with counts at the statements that it guards, but not the escapes of that.
byte g, x;
chan q = [2] of { byte };
active proctype A() { { x = 1; x = 2 } unless { { g == 1 -> x = 5 } unless { q!1; x = 6 }; x = 3 } }
active proctype B() { g = 1; q!1; q?_ }
active proctype C() { byte k; { k = 1; if :: k == 5 -> k = 2 :: g == 0 fi } unless { { g == 1 } unless { q!k }; k = 3 } }
