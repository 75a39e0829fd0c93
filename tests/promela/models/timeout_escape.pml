// Of two statements that wait for the timeout, the one of the escape goes first.
byte x;

active proctype P() {
  {
    do
    :: timeout -> x = 1; assert(false)
    od
  } unless {
    timeout -> x = 2
  }
}

active proctype Q() {
  x == 2;
  {
    timeout -> x = 3; assert(false)
  } unless {
    if
    :: timeout -> x = 4
    :: x == 5 -> x = 6
    fi
  }
}
