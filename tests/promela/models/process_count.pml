// _nr_pr counts the processes that live; waiting for it.
byte n;
proctype P() { n = _nr_pr; _nr_pr == 2 }
active proctype Q() { run P(); run P(); _nr_pr < 3; n = 0 }
