// A random receive takes the oldest message that matches.
mtype = { one, two, three };
chan q = [4] of { mtype, byte };
byte x; mtype m;
active proctype A() { q!one,1; q!two,2; q!three,3; q!two,4 }
active proctype B() { do :: q??two,x -> x = x * 2 :: q??eval(m),x :: q?<m,x> -> x = 0; q??<three,x> :: atomic { q??[m,3] -> q?m,_; m = one } :: q?m,2 :: timeout -> break od }
