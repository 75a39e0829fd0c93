E<> P(0).busy and v == 3
/* a comment */
A[] not (P(0).busy && P(1).x >= 2) or \
  deadlock
A<> flags[1] imply pair.b[0]
E[] forall (i : id_t) P(i).n <= 3
P(0).busy --> P(0).idle
sup{P(0).busy}: P(0).x, v
inf: t
E<> exists (i : id_t) sum (j : id_t) P(j).n > twice(v) and t - P(0).x < 3
