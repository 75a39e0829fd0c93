/* Processes that end and give their number to others. */
typedef Pair { byte a; short b[2] };
byte started, ended; Pair p;

proctype Worker(byte n) {
  short twice = n * 2;
  p.b[n % 2] = twice;
  ended++
}

init {
  do
  :: started < 3 -> run Worker(started); started++; (_nr_pr == 1)
  :: else -> break
  od;
  run Worker(9); timeout -> skip;
  assert(p.b[1] != 18)
}
