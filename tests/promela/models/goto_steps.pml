// A jump is a step only where it is the first of an option or a block.
byte x;
active proctype P() {
  goto start;
back: x++;
start:
  do
  :: x < 2 -> goto back
  :: x == 2 -> { goto on }
  :: goto again
  :: x == 3 -> break
  od;
  goto done;
again: if :: x > 5 -> skip :: else -> x++ fi; goto start;
on: x = 3; goto start;
done: skip
}
