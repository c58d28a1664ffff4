//! Narrative: schedules interactive stories that stay on time whatever the players do.
//!
//! ```text
//!                    choice 1 (ours)
//!        [10, 60]   ┌─ sword ── 2 ──[60]── 3 ─┐
//!   0 ═══════════ 1 ┤                         ├── ends within [80, 100]
//!      look around  └─ chase ── 4 ──[20]── 5 ─┘
//! ```
//!
//! Players look around for 10 to 60 (a contingent link, `═`). Then the system picks a scene: the
//! fight fits if looking around took at most 40, the chase if it took at least 40. The plan is two
//! *policies*: sword for the durations [10, 40], chase for the others.
//!
//! # Problem
//! A *narrative* has events 1 to n and the origin 0, where time starts; t(i) is the time of i.
//!
//! | symbol | meaning |
//! |---|---|
//! | requirement link i → j, \[l, u\] | l ≤ t(j) − t(i) ≤ u |
//! | contingent link i ⇒ j, \[l, u\] | t(j) = t(i) + x: players pick x in \[l, u\], seen at t(j) |
//! | activity a | holds q(a, r) of resource r from its start to its end, or uses it up |
//! | c(r) | capacity of resource r |
//! | choice k = 1..K | a fork in the story, in story order; its owner, system or player, picks |
//! | storyline σ | one option of each choice: the events, links and activities of these |
//! | d(σ; i, j) | the largest t(j) − t(i) in σ: shortest paths over all links |
//! | i ≼ j in σ | i is sure to be at or before j: d(σ; j, i) ≤ 0 |
//!
//! An event that is in no option is in every storyline. An option that is *withheld* is not
//! offered: no storyline has it, unless it was picked already.
//!
//! **Moments.** Let p be the picks of choices 1 to k − 1. The *moment* M(p) of choice k is the set
//! of events that every storyline σ from p on puts before the choice: i ≼ j in σ for each event j
//! of σ's option of k. When all of M(p) has happened, the owner picks. The links *seen* are
//!
//! > S(p) = { contingent links that end in M(p) } ∩ S(p') of each later choice, after picks p'.
//!
//! Only outcomes of links that a choice of the system has seen may be divided among policies.
//!
//! **Policies.** A policy is a storyline σ and a box of outcomes: for each seen link an interval of
//! durations. It has an order of activities, bounds between events, and waits, as a dispatchable
//! network has. A *plan* is a set of policies.
//!
//! **Coverage.** A plan covers p and the outcomes x seen so far if
//!
//! * the system picks next: for all outcomes of newly seen links, *some* option is covered;
//! * a player picks next: for all of these outcomes, *all* options are covered;
//! * no choice is left: some policy has these picks, and x in its box.
//!
//! **Distinguished policies.** A dispatcher follows every policy that is still possible, so two
//! policies make the same decisions until they are *distinguished*: at the moment of the first
//! choice where they differ, or when a link ends of which they have no outcome in common. Policies
//! with the same picks are distinguished when all links have ended whose outcomes differ.
//!
//! The *joint network* has one node for an event in all policies that share it. Two policies have a
//! node each if both put the event at or after what distinguishes them, or if it ends a contingent
//! link whose outcomes differ, or one that starts at nodes of their own. Two rules take precedence:
//! events of ours in the moment of a player's choice are shared, since the player waits for them;
//! so is what an earlier choice with several options needs. Sharing is transitive.
//!
//! **Non-anticipativity.** Nothing depends on a pick before it is made, and choices are made in
//! story order. Let two policies part at choice k. An event that only one of them has, or an event
//! of ours for which each has its own node, is at or after all events of the moments of k and of
//! the earlier choices with several options. It is exempt after a link that rules one of them out.
//! Where the system picks, it need not follow those events of ours that each parting policy has for
//! itself.
//!
//! **Control.** The joint network, with all links, orders, bounds and non-anticipativity
//! constraints of all policies, is *dynamically controllable*: its times can be picked, each by
//! what has ended so far, so that all bounds hold for all durations.
//!
//! **Resources.** For each policy, each resource r and each antichain A of its activities (none
//! is sure to end before another of A starts): the sum of q(a, r) over A is at most c(r). What is
//! used up counts as held until the end.
//!
//! **Objective.** Minimised: weighted makespan − weighted slack + weighted idle time; see
//! [`problem::Objective`].
//!
//! **Strands.** Where only resources connect groups ([`Narrative::groups`]), a plan may be *by
//! strands*. A strand is a storyline of one group; what happens to a group depends only on what is
//! picked and seen there. Policies are then of one group, or of two. Those of one group are a plan
//! for its story alone. Side by side, with the bounds of those of two groups, they are the joint
//! network: every storyline of all groups has some of its nodes. No combination of strands may
//! overload a resource. Such a plan is searched for where there are more storylines than
//! [`problem::STORYLINES_MAX`], or where no other plan was found.
//!
//! # Method
//! Coverage by sweeps over outcomes; precedences of activities by conflict-driven clause learning,
//! with minimal critical sets from heaviest antichains; dynamic controllability after Morris 2014
//! as the judge; conflict-directed backjumping over policies. A heuristic schedule (resource
//! levelling and chaining) comes first. [`Strategy::Milp`] is the program of the paper, corrected.
//! [`verify`] checks every claim of an answer and shares no code with [`solve`].
//!
//! # Guarantees
//! * Same narrative, parameters and seed: same answer, under an iteration limit.
//! * Every plan passes [`verify`].
//! * Infeasibility is claimed with a proof only: that no policies, each controllable alone, cover
//!   everything, even if choices use all that has ended by then; or that no combination of options
//!   is controllable, where options are all there is to choose; or that for a few *scenarios*
//!   (outcomes of all seen links) no storylines agree on what happens before these can be
//!   distinguished. That no plan by strands was found proves nothing.
//!
//! # Units
//! Times: whole microseconds from the origin. Nodes: 0 is the origin, the event with index e is
//! node e + 1.
//!
//! # Limits
//! Constants of [`problem`]. Orders of activities within a policy do not depend on what is seen.
//! Joint networks above [`stn::uncertain::EVENTS_MAX`] nodes are not searched, nor plans by strands
//! with more than [`verify::PAIRS_MAX`] pairs of policies of two groups.
//!
//! # Source
//! Azad, Xu, Yu and Li, "Scheduling live interactive narratives with mixed-integer linear
//! programming" (2017). Differences: whole microseconds; coverage is quantified over all seen
//! links, where the paper covers each by itself, which accepts plans that fail; decisions that
//! policies share are made once.
//!
//! # Examples
//! The story of the picture:
//! ```
//! use anytime::{Control, Limits};
//! use narrative::problem::{Choice, Chooser, Contingent, Link, Spec};
//! use narrative::solve::{Params, solve};
//! use narrative::{Answer, Cost, Narrative, verify};
//!
//! let sword = [Link::new(1, 2, 0, 10), Link::new(2, 3, 60, 60), Link::new(0, 3, 80, 100)];
//! let chase = [Link::new(1, 4, 0, 20), Link::new(4, 5, 20, 20), Link::new(0, 5, 80, 100)];
//! let narrative = Narrative::new(Spec {
//!     events: 5,
//!     contingent: vec![Contingent::new(0, 1, 10, 60)],
//!     links: [sword, chase].concat(),
//!     choices: vec![Choice::new(Chooser::System, vec![vec![2, 3], vec![4, 5]])],
//!     ..Spec::default()
//! })
//! .unwrap();
//! let mut answers = Vec::new();
//! let mut sink = |answer: &Answer, _: Cost| answers.push(answer.clone());
//! let mut control = Control::new(Limits::iterations(1_000), 1, &mut sink);
//! solve(&narrative, &Params::default(), &mut control).unwrap();
//! let Some(Answer::Plan(plan)) = answers.last() else {
//!     panic!("there is a plan");
//! };
//! assert_eq!(plan.policies.len(), 2);
//! assert!(verify::answer(&narrative, &answers[0]).is_ok());
//! ```

pub mod execution;
pub mod generate;
pub mod plan;
mod planner;
pub mod problem;
pub mod solve;
pub mod verify;

pub use plan::{Answer, Conflict, Cost, Plan, Policy};
pub use planner::Schedule;
pub use problem::Narrative;
pub use solve::{Params, Strategy};
