// Priorities that processes change, their own and that of others.
byte x;
active proctype A() priority 3 { x = 1; set_priority(_pid, 1); x = 2; x = x + get_priority(1) }
active proctype B() { byte k; k = x; _priority = 5; k = x; x = 3; set_priority(0, 7); x = x + 1; k = _priority }
active proctype C() priority 2 {
  do
  :: x > 2 -> break
  :: x == 2 -> x = 5; set_priority(1, get_priority(1) + 1)
  od;
  assert(x != 6)
}
