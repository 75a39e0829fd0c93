// Constants, eval, variables and _ as arguments of a receive.
mtype = { ack, nak };
chan q = [2] of { mtype, bool, int };
chan r = [0] of { mtype, byte };
byte x = 3; int i;
active proctype A() { q!ack(2, -4); q!nak,1,x; r!ack(3); r!nak(x) }
active proctype B() { if :: q?ack,1,i :: q?ack(0, i) fi; q?nak,_,eval(x + 0); do :: r?ack,eval(x) -> x = 5 :: r?nak,x -> break :: r?_,4 -> assert(false) od }
