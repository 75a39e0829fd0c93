// Where a loop stands first in a block there are two control points, the block's and the loop's.
byte x;
active proctype A() { { do :: x = 1 :: x = 0 :: x = 2; break od } }
active proctype B() { byte k; atomic { do :: k < 3 -> k++ :: k == 3 -> break od }; if :: do :: k > 0 -> k-- :: else -> break od fi }
