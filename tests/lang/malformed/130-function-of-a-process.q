E<> P(1).gett()
E<> P(1).get
E<> P(1).v()
E<> P(1).inc() == 1
E<> P(9).get() == 1
E<> P(1).get(3) == 1
E<> P.get() == 1
E<> n.get()
