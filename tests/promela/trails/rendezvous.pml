/* Rendezvous, also out of an atomic sequence, with local channels that are sent around. */
mtype = { ask, answer };
chan server = [0] of { mtype, chan };

proctype Client(byte me) {
  chan back = [0] of { byte };
  byte got;
  atomic { server!ask(back); got = me };
  back?got;
  assert(got != me + 1)
}

active proctype Server() {
  chan to; byte n = 1;
end:
  do
  :: server?ask(to) -> to!n; n++
  od
}

init { atomic { run Client(1); run Client(2) } }
