// A poll that leaves out the last fields.
chan q = [2] of { byte, byte };
byte k;
active proctype P() { q!1,2; q!3,4; q?_,_ }
active proctype Q() {
  if
  :: q?[3] -> k = 1
  :: q??[3] -> k = 2
  fi;
  assert(k != 2 || len(q) > 0)
}
