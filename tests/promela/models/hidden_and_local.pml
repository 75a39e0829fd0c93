// Visibility: show and local change nothing.
show byte x; local short s;
active proctype P() { x = 3; s = -x; x = 0 }
active proctype Q() { byte k; k = x; k++ }
