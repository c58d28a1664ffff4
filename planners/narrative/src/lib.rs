//! Narrative: schedules live interactive stories that stay on time whatever the players do.
//!
//! # Problem
//! Events happen at moments; the origin is where time starts, at 0, and no event is before it.
//! Links bound the time from one event to another. *Contingent* links take a time that players
//! pick, seen when it is over; all other events are ours. *Activities* hold actors, rooms and props
//! from one event to another; what they use up never comes back. *Choices* fork the story, in a
//! given order; some are ours, some are the players'. A *storyline* is one option for each choice.
//! It has all events but those of the options that were not picked, and the links and activities
//! that have both ends. An option that is *withheld* is possible but not offered: no storyline has
//! it, unless it was picked already.
//!
//! *Moments.* Some choices are made, and c is the next. The moment of c is when certain events have
//! happened: those that are present for sure, and that the closure of every storyline from here
//! puts at or before every event of c's option in that storyline. Then its owner picks. Contingent
//! links whose end is among these events are *seen* by c, if all later choices see them too,
//! however the story goes on. Only links that a choice of ours has seen may have their outcomes
//! divided among policies. (So if two groups play side by side, each with choices of its own, the
//! choices of the first use only outcomes that those of the second see, too. What depends on the
//! choices of the second waits for the first. A link that makes the second wait for the first
//! helps. Where this is why no plan is found, infeasibility is not claimed.)
//!
//! A *policy* executes one storyline for some outcomes of the links that are seen. Its times depend
//! on what was seen so far; its order of activities is fixed (an order that depends on what was
//! seen would be stronger, and is not searched for). A *plan* is a set of policies that together
//! cover everything. Choices alternate in story order: for all outcomes of the links that the next
//! choice is the first to see, there is an option of ours, or all options of a player are covered.
//! At the end of each branch some policy has the picks and all the outcomes.
//!
//! *Distinguished policies.* Two policies with different picks are distinguished at the moment of
//! the first choice where they differ, or when a link has ended for which they have no outcome in
//! common. Two with the same picks are distinguished when all links have ended whose outcomes
//! differ. Until then it is unknown which one it will be, so both have to make the same decisions.
//! The *joint network* of a plan has one node for an event in all policies that share it, and
//! another for each group that does not; groups are the connected components of sharing. Two
//! policies have a node of their own each if each of them puts the event at or after what
//! distinguishes them (by the closures of their storylines), or if it ends a contingent link whose
//! outcomes differ or whose start they do not share. There are two exceptions. If a player picks
//! and the event is one of ours of that very moment, it is shared: the player picks only when it
//! has happened. It is also shared if an earlier choice with more than one option needs the event.
//! Players need every event of the moment; the system needs those that all storylines from here put
//! at or before the end of a contingent link of the moment. All links, orders, retained bounds and
//! turns of all policies are put between these nodes.
//!
//! *Turns.* Choices are made in story order, so what depends on a choice comes after its moment and
//! those of all earlier ones. Let two policies part at c. Take an event that only one of them has,
//! or one of ours for which they have a node each, unless they have no outcome in common of a link
//! that both put at or before it. It is at or after all events of the moments of c and of the
//! earlier choices with more than one option. Where we choose, it need not be after those of ours
//! for which each policy that parts there has another node.
//!
//! The joint network must be *dynamically controllable*. (If it is, its strategy can be followed in
//! truth: as long as a link lasts, take each of its copies to end when the link does or at the end
//! of the copy's own outcomes, whichever is first; copies whose outcomes end later play no role any
//! more.)
//!
//! *Strands.* Where only resources connect groups ([`Narrative::groups`]), a plan may be one *by
//! strands*: a strand is a storyline of one group, and what happens to each group depends only on
//! what is picked and seen there. Policies then have picks of one group, or of two, and apply
//! whatever others pick. Those of one group are a plan for its story alone. All of them side by
//! side, with the bounds of those of two groups, are the joint network. Each storyline of all
//! groups has some of its nodes, so if the whole is controllable, so is each storyline. Choices
//! wait for those before in their group. No resource may be overloaded by any combination of
//! strands, given what these strands and each two of them guarantee. Such a plan is searched for
//! where there are more storylines than [`problem::STORYLINES_MAX`], or no other plan was found. No
//! plan by strands is no proof of infeasibility.
//!
//! No resource may be overloaded in any policy. Take activities of which none is sure to end before
//! another starts, by the order or by the policy's own network: their total demand fits the
//! capacity. What is used up counts as held until the end.
//!
//! # Guarantees
//! * Same narrative, parameters and seed: same answer, under an iteration limit.
//! * Every plan passes [`verify`]. Infeasibility is claimed with one of three proofs only. First:
//!   no set of policies of which each *alone* is controllable covers everything, even if choices
//!   use all that has ended by then. Second: options are all there is to choose, and none of their
//!   combinations is controllable. Third: for a few outcomes of the links that are seen, no
//!   storylines agree on what is sure to happen before these outcomes can be distinguished. Where
//!   there are groups, the last two hold for plans by strands, too: policies then need not share an
//!   event of a group after what distinguishes them in the story of this group alone.
//!
//! # Units
//! Times: whole microseconds from the origin. Nodes: 0 is the origin, the event with index e is
//! node e + 1.
//!
//! # Limits
//! Constants of [`problem`]. Joint networks above [`stn::uncertain::EVENTS_MAX`] nodes are not
//! looked for, nor plans by strands with more than [`verify::PAIRS_MAX`] pairs of policies of two
//! groups.
//!
//! # Source
//! Azad, Xu, Yu and Li, "Scheduling live interactive narratives with mixed-integer linear
//! programming" (2017). Differences: whole microseconds; coverage is quantified over all links that
//! are seen, where the paper covers each by itself, which accepts plans that fail; decisions that
//! policies share are made once.

pub mod errors;
pub mod generate;
pub mod plan;
mod planner;
pub mod problem;
pub mod solve;
pub mod verify;

pub use errors::NarrativeError;
pub use plan::{Answer, Conflict, Cost, Plan, Policy};
pub use planner::Schedule;
pub use problem::Narrative;
pub use solve::{Params, Strategy};
pub use verify::Violation;
