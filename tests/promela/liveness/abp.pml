// The alternating bit protocol over a line that loses messages.
// atoms: sent == 1; got == 0; len(data) == 0; len(acks) > 0; sender@resend
mtype = { msg, ack };
chan data = [1] of { mtype, bit, byte };
chan acks = [1] of { mtype, bit };
byte sent, got;
active proctype sender() {
  bit s, r;
  do
  :: sent = 1 - sent;
resend:
    if
    :: data!msg(s, sent)
    :: nfull(data) -> skip
    fi;
    do
    :: acks?ack(r) ->
      if
      :: r == s -> s = 1 - s; break
      :: else -> goto resend
      fi
    :: timeout -> goto resend
    od
  od
}
active proctype receiver() {
  bit expected, b;
  byte v;
  do
  :: data?msg(b, v) ->
    if
    :: b == expected ->
progress_got: got = v; expected = 1 - expected
    :: else
    fi;
    acks!ack(b)
  od
}
ltl delivered { [] (sent == 1 -> <> (got == 1)) }
// finite: order
ltl order { [] (got <= 1) }
