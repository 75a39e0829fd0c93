E<> Q.T
