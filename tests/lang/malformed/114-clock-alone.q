E<> x
