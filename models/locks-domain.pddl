; Processes that each need two locks and take one after the other. The goal is a deadlock: every process waits for a
; lock that another one holds.
(define (domain locks)
  (:requirements :strips :typing :negative-preconditions :derived-predicates)
  (:types process lock)
  (:predicates
    (first ?process - process ?lock - lock)
    (second ?process - process ?lock - lock)
    (holds ?process - process ?lock - lock)
    (taken ?lock - lock)
    (waits ?process - process ?lock - lock)
    (stuck ?process - process))

  (:derived (taken ?lock - lock) (exists (?process - process) (holds ?process ?lock)))
  (:derived (waits ?process - process ?lock - lock)
    (and (second ?process ?lock) (not (holds ?process ?lock))
         (exists (?other - lock) (and (first ?process ?other) (holds ?process ?other)))))
  (:derived (stuck ?process - process) (exists (?lock - lock) (and (waits ?process ?lock) (taken ?lock))))

  (:action take-first
    :parameters (?process - process ?lock - lock)
    :precondition (and (first ?process ?lock) (not (taken ?lock)))
    :effect (holds ?process ?lock))
  (:action take-second
    :parameters (?process - process ?lock - lock)
    :precondition (and (waits ?process ?lock) (not (taken ?lock)))
    :effect (holds ?process ?lock))
  (:action release
    :parameters (?process - process ?one ?other - lock)
    :precondition (and (first ?process ?one) (second ?process ?other) (holds ?process ?one) (holds ?process ?other))
    :effect (and (not (holds ?process ?one)) (not (holds ?process ?other)))))
