// Channels in messages, parameters, arrays and structures.
typedef Box { chan in; byte k };
chan request = [1] of { chan, byte };
chan reply[2] = [1] of { byte };
Box b;
proctype Client(chan mine; byte n) { chan other = mine; request!mine,n; other?n; if :: n == 4 -> b.in = mine :: else fi }
active proctype Server() { chan to; byte k; do :: request?to,k -> to!k + 1 od }
init { chan extra = [2] of { byte }; atomic { run Client(reply[0], 1); run Client(reply[1], 2); run Client(extra, 3) } b.in != 0; b.in!7; len(b.in) == 0 }
