// A channel variable that receives a number.
chan q = [1] of { chan }; chan r = [1] of { byte };
active proctype P() { if :: q!r :: q!0 fi }
active proctype Q() { chan c; q?c; c!1 }
