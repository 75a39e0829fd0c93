// A bit that is the only field of a channel is a byte to Spin; beside other fields it is a bit.
chan q = [2] of { bit };
chan r = [0] of { bool };
chan s = [1] of { bit, bit };
byte x, y;
active proctype P() { q!3; q!-1; r!2; s!2,3 }
active proctype Q() { q?x; assert(x == 3); q?x; r?x; s?x,y; assert(x == 2) }
