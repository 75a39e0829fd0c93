// A process whose condition is false does nothing: it does not receive, end or go on in an atomic sequence.
bool go = true;
chan c = [0] of { byte };
byte x;
active proctype A() provided (go) { byte k; c?k; atomic { x = 1; go = false; x = 2 } x = 3 }
active proctype B() { if :: go = false :: skip fi; if :: c!1 :: x = 9 fi; go = true; x++ }
