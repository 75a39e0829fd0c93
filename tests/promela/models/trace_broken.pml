// An event that the trace does not have, on some paths.
mtype = { a, b };
chan q = [1] of { mtype };
byte x;
active proctype A() { if :: q!a :: q!b fi; x = 1; q!a }
active proctype B() { q?a; if :: q?a :: x == 1 -> x = 2; q?_ fi }
trace { q!a; q?a; q!a; q?a }
