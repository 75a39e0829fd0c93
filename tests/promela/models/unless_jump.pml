// An escape that begins with a jump begins with the statement that it leads to.
byte g;
active proctype P() { byte k; { g = 1; g = 2 } unless { goto L }; k = 3; L: k = 1; k = 2 }
active proctype Q() { byte k; do :: { g = 3; g = 4 } unless { break } od; if :: g == 3 -> k = 1 :: else fi }
