// A process that is run has the priority that is given there, or 1, whatever its proctype says.
byte x;
proctype P(byte n) priority 5 { x = x + n; x = x * 2 }
proctype Q(byte n) { x = x + n; x > 0 -> x = x - 1 }
active proctype R() priority 4 { x++; x > 8; x = 0 }
init {
  run P(1);
  run P(2) priority 3;
  run Q(3);
  atomic { run Q(4) priority 6; x = x + 1 };
  assert(x != 14)
}
