// _last is the number of the process that made the last step.
byte x;
active proctype P() { x = 1; x = 2 }
active proctype Q() { byte k; k = _last; x++ }
active proctype R() { assert(_last != 1 || x < 3) }
