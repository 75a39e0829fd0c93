// The system ends properly, but not the trace.
chan q = [1] of { byte };
byte x;
active proctype A() { if :: q!1; x = 1 :: x = 2 fi; end: q?2 }
active proctype B() { if :: q?1 :: x == 2 fi }
trace { q!1; q?1; q!2 }
