;; A heist with a list of rooms to visit in order: the domain `heist`, and where somebody is on his list.
;; Who enters the room that is due goes on to the next place of the list; in the end he is at its last place, where nothing is due.
;; An agent is always near exactly one thing. Doors stand in both rooms that they connect; into a room that he does not enter there is no
;; `connects`. Keys and artifacts lie in containers.
(define (domain heist-in-order)
  (:requirements :strips :typing :negative-preconditions)
  (:types agent room thing item place-on-list - object
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
    (operated ?a - agent ?m - machine)
    (due ?p - place-on-list ?r - room)
    (followed-by ?p ?q - place-on-list)
    (reached ?a - agent ?p - place-on-list))
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
    :parameters (?a - agent ?d - door ?from ?to - room ?p - place-on-list)
    :precondition (and (in ?a ?from) (near ?a ?d) (connects ?d ?from ?to) (opened ?d) (reached ?a ?p) (not (due ?p ?to)))
    :effect (and (not (in ?a ?from)) (in ?a ?to) (visited ?a ?to)))
  (:action enter-as-due
    :parameters (?a - agent ?d - door ?from ?to - room ?p ?q - place-on-list)
    :precondition (and (in ?a ?from) (near ?a ?d) (connects ?d ?from ?to) (opened ?d) (reached ?a ?p) (due ?p ?to) (followed-by ?p ?q))
    :effect (and (not (in ?a ?from)) (in ?a ?to) (visited ?a ?to) (not (reached ?a ?p)) (reached ?a ?q)))
  (:action pick-up
    :parameters (?a - agent ?i - item ?c - container)
    :precondition (and (near ?a ?c) (located ?i ?c) (opened ?c))
    :effect (and (has ?a ?i) (not (located ?i ?c))))
  (:action operate
    :parameters (?a - agent ?m - machine)
    :precondition (near ?a ?m)
    :effect (operated ?a ?m)))
