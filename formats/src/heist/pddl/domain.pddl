;; A heist: what burglars and guards can do in a museum. 10 predicates, 8 actions, one unit of time each.
;; An agent is always near exactly one thing. Doors stand in both rooms that they connect; into a room that he does not enter there is no
;; `connects`. Keys and artifacts lie in containers.
(define (domain heist)
  (:requirements :strips :typing :negative-preconditions)
  (:types agent room thing item - object
          leaf machine - thing
          door container - leaf
          key artifact - item)
  (:predicates
    (in ?a - agent ?r - room)
    (near ?a - agent ?t - thing)
    (located ?x - object ?y - object)
    (connects ?d - door ?from ?to - room)
    (opened ?t - leaf)
    (locked ?t - leaf)
    (fits ?k - key ?t - leaf)
    (has ?a - agent ?i - item)
    (visited ?a - agent ?r - room)
    (operated ?a - agent ?m - machine))
  (:action approach
    :parameters (?a - agent ?r - room ?from ?to - thing)
    :precondition (and (in ?a ?r) (near ?a ?from) (located ?to ?r))
    :effect (and (not (near ?a ?from)) (near ?a ?to)))
  (:action open
    :parameters (?a - agent ?t - leaf)
    :precondition (and (near ?a ?t) (not (opened ?t)) (not (locked ?t)))
    :effect (opened ?t))
  (:action close
    :parameters (?a - agent ?t - leaf)
    :precondition (and (near ?a ?t) (opened ?t))
    :effect (not (opened ?t)))
  (:action unlock
    :parameters (?a - agent ?t - leaf ?k - key)
    :precondition (and (near ?a ?t) (locked ?t) (has ?a ?k) (fits ?k ?t))
    :effect (not (locked ?t)))
  (:action lock
    :parameters (?a - agent ?t - leaf ?k - key)
    :precondition (and (near ?a ?t) (not (opened ?t)) (not (locked ?t)) (has ?a ?k) (fits ?k ?t))
    :effect (locked ?t))
  (:action enter
    :parameters (?a - agent ?d - door ?from ?to - room)
    :precondition (and (in ?a ?from) (near ?a ?d) (connects ?d ?from ?to) (opened ?d))
    :effect (and (not (in ?a ?from)) (in ?a ?to) (visited ?a ?to)))
  (:action pick-up
    :parameters (?a - agent ?i - item ?c - container)
    :precondition (and (near ?a ?c) (located ?i ?c) (opened ?c))
    :effect (and (has ?a ?i) (not (located ?i ?c))))
  (:action operate
    :parameters (?a - agent ?m - machine)
    :precondition (near ?a ?m)
    :effect (operated ?a ?m)))
