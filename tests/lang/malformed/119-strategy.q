strategy S = control: A<> Q.S
