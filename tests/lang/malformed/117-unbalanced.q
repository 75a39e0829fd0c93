E<> (n == 3
E<> Q.S )
