//! Narrative: schedules live interactive stories that stay on time whatever the players do.
//!
//! # Problem
//! Events happen at moments; the origin is where time starts, at 0, and no event is before it.
//! Links say how long after one event another may happen. *Contingent* links take a time that
//! players pick, seen when it is over; all other events are ours. *Activities* hold actors, rooms
//! and props from one event to another; what they use up never comes back. *Choices* fork the
//! story, in a given order; some are ours, some are the players'. A *storyline* is one option for
//! each choice; its events are all but those of the options that were not picked, its links and
//! activities those with both ends. An option that is *withheld* is possible but not offered: no
//! storyline has it, unless it was picked already.
//!
//! *Moments.* Let some choices be made, and c be the next. The moment of c is when all events have
//! happened that are present for sure, and that the closure of every storyline that continues like
//! this puts at or before every event of c's option in that storyline. Then its owner picks.
//! Contingent links whose end is among these events are *seen* by c, if they are seen by all later
//! choices too, however the story goes on. Only links that a choice of ours has seen may have their
//! outcomes divided among policies. (So of two groups that play side by side, each with choices of
//! its own, the choices of the first use only what those of the second see, too, and what comes of
//! those of the second waits for the first. A link that makes the second wait for the first helps.
//! Where this is why there is no plan, that is not called a proof.)
//!
//! A *policy* tells one storyline for some outcomes of the links that are seen, by times that
//! depend on what was seen so far, and with a fixed order of activities; an order that depends on
//! what was seen would be stronger, and is not looked for. A *plan* is a set of policies that
//! together cover everything: in story order, for all outcomes of the links that are seen by the
//! next choice and were not before, there is an option of ours, or for all options of a player, and
//! so on, until some policy has the picks and all the outcomes.
//!
//! *Told apart.* Two policies with different picks are told apart at the moment of the first choice
//! where they differ, or when a link has ended of which they have no outcome in common; two with
//! the same picks when all links have ended whose outcomes differ. Until then nobody knows which
//! one it will be, so that the decisions of both have to be the same ones. The *joint network* of a
//! plan has one node for an event in all policies that share it, and another for each group that
//! does not: two policies have a node of their own each if each of them puts the event at or after
//! what tells them apart (by the closures of their storylines), or if it ends a contingent link
//! whose outcomes differ or whose start they do not share; but not if a player picks and the event
//! is one of ours of that very moment: then the player picks only when it has happened; nor if an
//! earlier choice at which there is something to choose cannot do without the event: players cannot
//! do without any event of the moment, we not without those that all storylines which continue put
//! at or before the end of a contingent link of the moment; groups are what remains connected. All
//! links, all orders and all kept bounds of all policies are put between these nodes, and turns.
//!
//! *Turns.* Choices are made in story order. So what depends on a choice comes after its moment and
//! those of all earlier ones: let two policies part at c, and an event be part of only one, or one
//! of ours of which they have a node each, unless they have no outcome in common of a link that
//! both put at or before it. Then it is at or after all events of the moments of c and of the
//! choices before at which there is something to choose; but where we choose, not after those of
//! ours of which each policy that parts there has another node.
//!
//! The joint network must be *dynamically controllable*. (If it is, its strategy can be followed in
//! truth: as long as a link lasts, take each of its copies to end when the link does or at the end
//! of the copy's own outcomes, whichever is first; copies whose outcomes end later play no role any
//! more.)
//!
//! *Strands.* Where only resources connect groups ([`Narrative::groups`]), a plan may be one *by
//! strands*: a strand is a storyline of one group, and what happens to each group depends only on
//! what is picked and seen there. Policies then have picks of one group, or of two, and apply
//! whatever others pick. Those of one group are a plan for its story alone; all of them side by
//! side, with what those of two groups keep, are the joint network. Each storyline of all groups
//! has some of its nodes, so that what is controllable as a whole is for each. Choices wait for
//! those before in their group. No resource may be overloaded whichever strands meet, by what these
//! strands and each two of them keep. Such a plan is looked for where there are more storylines
//! than [`problem::STORYLINES_MAX`], or no other plan was found; that there is none by strands is
//! no proof that there is none.
//!
//! In each policy no resource may be overloaded: among activities of which none is sure to end
//! before another starts, by the order or by the policy's own network, what is needed fits the
//! capacity. What is used up counts as held for ever.
//!
//! # Promises
//! * Same narrative, parameters and seed: same answer, under an iteration limit.
//! * Every plan passes [`verify`]; "no plan" is claimed with proof only: no set of policies of
//!   which each *alone* is controllable covers everything, even if choices use all that has ended
//!   by then; or options are all there is to choose, and none of their combinations is
//!   controllable; or, for a few outcomes of the links that are seen, whatever is told for each,
//!   what is sure to happen before they can be distinguished cannot be right for all. Where there
//!   are groups, the last two hold for plans by strands, too: policies then need not share an event
//!   of a group after what distinguishes them in the story of this group alone.
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
