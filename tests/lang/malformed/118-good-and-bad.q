E<> Q.S
E<> nobody
A[] n < 100 // fine
E<> a[0] == 
