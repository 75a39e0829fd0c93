// reachable 2
E<> P0.L1
