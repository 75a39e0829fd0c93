// Escapes that send or receive by rendezvous, and a main part that receives.
chan c = [0] of { byte };
chan d = [0] of { byte };
byte x, y;
active proctype A() { { do :: x = 1 - x :: c?x -> x = 0 od } unless { d?y -> y++ } }
active proctype B() { c!1; y == 0; { do :: y < 3 -> y++ :: y == 3 -> y = 0 od } unless { d!4 } }
active proctype C() { { c?x; x = 0 } unless { x == 1 -> x = 0 } }
