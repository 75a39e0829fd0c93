E<> Q and true
