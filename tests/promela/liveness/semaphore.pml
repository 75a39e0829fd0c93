// Mutual exclusion in which a process can starve.
// atoms: free; P[0]@in; P[1]@in; P[2]@wait; count == 1
bit free = 1;
byte count;
active [3] proctype P() {
wait:
  atomic { free -> free = 0; count++ }
in:
  atomic { count--; free = 1 }
  goto wait
}
// finite: mutex
ltl mutex { [] (count <= 1) }
ltl served { []<> P[0]@in }
ltl someone { []<> (count == 1) }
// finite: twice
never twice {
  do
  :: count == 1 -> count == 0 -> break
  :: count == 2 -> break
  :: else
  od
}
