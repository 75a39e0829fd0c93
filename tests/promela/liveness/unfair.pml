// Cycles that exist only if a process is treated unfairly.
// atoms: stop; x; n == 2; loop@again
bool stop, x;
byte n;
active proctype loop() {
again:
  do
  :: !stop -> x = !x
  :: stop -> break
  od
}
active proctype stopper() {
  stop = 1
}
active proctype counter() {
  do
  :: n < 2 -> n++
  :: n == 2 -> n = 0
  od
}
ltl stops { <> stop }
ltl counts { []<> (n == 2) }
