; Trucks bring parcels from place to place. Driving costs as much as the road is long, loading and unloading 1 each; a
; truck that comes home is cleaned for nothing, whatever was in it.
(define (domain parcels)
  (:requirements :strips :typing :derived-predicates :conditional-effects :action-costs)
  (:types place truck parcel)
  (:predicates
    (road ?from ?to - place)
    (linked ?from ?to - place)          ; roads go both ways
    (home ?truck - truck ?place - place)
    (at ?truck - truck ?place - place)
    (lies ?parcel - parcel ?place - place)
    (in ?parcel - parcel ?truck - truck)
    (clean ?truck - truck)
    (empty ?truck - truck))
  (:functions (total-cost) (length ?from ?to - place))

  (:derived (linked ?from ?to - place) (or (road ?from ?to) (road ?to ?from)))
  (:derived (empty ?truck - truck) (not (exists (?parcel - parcel) (in ?parcel ?truck))))

  (:action drive
    :parameters (?truck - truck ?from ?to - place)
    :precondition (and (at ?truck ?from) (linked ?from ?to))
    :effect (and (not (at ?truck ?from)) (at ?truck ?to)
                 (when (home ?truck ?to) (clean ?truck))
                 (increase (total-cost) (length ?from ?to))))
  (:action load
    :parameters (?parcel - parcel ?truck - truck ?place - place)
    :precondition (and (at ?truck ?place) (lies ?parcel ?place) (empty ?truck))
    :effect (and (not (lies ?parcel ?place)) (in ?parcel ?truck) (not (clean ?truck)) (increase (total-cost) 1)))
  (:action unload
    :parameters (?parcel - parcel ?truck - truck ?place - place)
    :precondition (and (at ?truck ?place) (in ?parcel ?truck))
    :effect (and (not (in ?parcel ?truck)) (lies ?parcel ?place) (increase (total-cost) 1))))
