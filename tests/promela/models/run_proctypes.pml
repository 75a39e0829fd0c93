// Different proctypes get the same process number.
byte n;
proctype P() { n++ }
proctype Q(short s; bool b) { byte k[2] = 3; n = n + s + b + k[1]; if :: b -> run P() :: else fi }
active proctype R() { run P(); if :: run Q(-3, 2) :: run Q(260, true) fi }
