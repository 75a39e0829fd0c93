// An escape that begins with a jump back to a statement that is itself guarded: Spin has added the escapes of that one already.
byte x, a;
active proctype A() {
  x = 0;
  { skip; L0: if :: x = 0 :: x = 3 fi; a++; a < 3 } unless { a == 2; x = 9 };
  { x < 4; x = 4; x = 6 } unless { goto L0 }
}
active proctype C() { x = 1; x = 4 }
