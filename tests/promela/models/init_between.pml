// init gets its number by its place in the text; initial values may use variables.
byte g = 3;
active proctype A() { byte mine = _pid + g; g = mine; assert(_pid == 0) }
init { assert(_pid == 1); run C(_pid); g++ }
proctype C(byte who) { assert(who == 1 && _pid > 2); g-- }
active [1] proctype D() { int k = g * 2 + _pid; assert(k == 8); g = 1 }
