/* Two processes take two forks in different order. */
bool fork[2];

proctype Philosopher(byte left, right) {
  do
  :: atomic { !fork[left] -> fork[left] = true };
     atomic { !fork[right] -> fork[right] = true };
     fork[left] = false;
     fork[right] = false
  od
}

init { run Philosopher(0, 1); run Philosopher(1, 0) }
