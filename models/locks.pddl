; Four processes in a ring, with a lock between any two. All take the lock at their left first.
(define (problem locks-4)
  (:domain locks)
  (:objects p0 p1 p2 p3 - process  l0 l1 l2 l3 - lock)
  (:init (first p0 l0) (second p0 l1) (first p1 l1) (second p1 l2)
         (first p2 l2) (second p2 l3) (first p3 l3) (second p3 l0))
  (:goal (forall (?process - process) (stuck ?process))))
