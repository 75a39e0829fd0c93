E<> forall (i : int[0,12]) (x < i or y < i)
