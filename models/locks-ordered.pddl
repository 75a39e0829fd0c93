; The last process takes its locks in the order of their numbers, like all others: there is no deadlock.
(define (problem locks-ordered)
  (:domain locks)
  (:objects p0 p1 p2 - process  l0 l1 l2 - lock)
  (:init (first p0 l0) (second p0 l1) (first p1 l1) (second p1 l2) (first p2 l0) (second p2 l2))
  (:goal (forall (?process - process) (stuck ?process))))
