// A sorted send puts a message before the first greater one.
chan q = [4] of { byte, byte };
byte a, b;
active proctype A() { q!!3,1; q!!1,5; q!!3,0; q!!258,1 }
active proctype B() { do :: q?a,b -> b++ :: timeout -> break od }
