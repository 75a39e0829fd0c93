// A channel variable that holds channels of several kinds: only the fitting one is used.
chan a = [1] of { byte };
chan b = [0] of { byte };
chan c = [2] of { byte };
byte x;
proctype P(chan out) { out!1; if :: full(out) -> x = x | 1 :: nfull(out) -> x = x | 2 fi }
active proctype Q() { chan in; run P(a); run P(b); run P(c); if :: in = a :: in = b :: in = c fi; in?x; x = x + 4 }
