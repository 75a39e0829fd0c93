/* Buffered messages, sorted and random ones, and a message that stays. */
mtype = { one, two, three };
chan q = [3] of { mtype, byte };
chan sorted = [3] of { byte };
byte sum;

active proctype Producer() {
  byte k = 3;
  q!one(k); q!two, 4; q!three(k + 2);
  sorted!!7; sorted!!5; sorted!!6
}

active proctype Consumer() {
  mtype m; byte x;
  q??three(x);
  sum = sum + x;
  q?m(x) -> sum = sum + x;
  q?<two(x)>;
  sorted?x;
  do
  :: x < 10 -> x++
  :: else -> break
  od;
  assert(sum != 8 || len(q) != 1)
}
