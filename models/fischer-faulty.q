// Never two processes in the critical section. (It is violated.)
A[] forall (i : pid_t) forall (j : pid_t) P(i).cs && P(j).cs imply i == j
