// All events are those of the trace, and it can be where the system ends.
mtype = { a, b };
chan q = [2] of { mtype, byte };
chan r = [1] of { byte };
active proctype A() { byte k; do :: q!a,k; r!1 :: k < 2 -> k++ :: k == 2 -> q!b,k; break od; r!2 }
active proctype B() { mtype m; byte k; end: do :: q?m,k; r?_ od }
trace { do :: q!a,_ :: q!b,2 -> break od; end: q!a,3 }
