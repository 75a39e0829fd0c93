// Loops with and without progress and accept labels.
// atoms: x == 0; x == 1; y; A@accept_even; B@progress
byte x;
bool y;
active proctype A() {
  do
  :: x < 3 -> x++
  :: x > 0 ->
accept_even: x--
  od
}
active proctype B() {
  do
  :: y = !y;
progress: skip
  :: x == 2 -> break
  od
}
ltl changes { []<> y || <> (x == 2) }
