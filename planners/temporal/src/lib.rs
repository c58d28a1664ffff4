//! Temporal: consistency and controllability of plans with teammates or uncertain durations.
//!
//! # Problem
//! Events happen at moments chosen by us, by teammates or by Nature. Links bound the time from one
//! event to another; the origin is where time starts, at 0. With a horizon every event happens
//! between the origin and it.
//!
//! *With teammates* (STN-IT). The closure, which follows from all links together, bounds the time
//! between two events: from -c(j, i) to c(i, j). Event i precedes j when it cannot be after it.
//! Events that are always at the same moment stand in a row: ours before theirs, then as given.
//! Otherwise two events are unordered. Teammates get no messages, but see what happens, know the
//! network, and satisfy every bound of the closure to seen events that can still be satisfied. An
//! event of theirs happens when all that precedes it has, within its remaining window. At a tie a
//! teammate decides before it sees an event of ours that its own precedes. Agents of one kind act
//! as one. Fixed times for our events are *strong* when every run ends with all links satisfied and
//! teammates never get stuck. Then each event of theirs has a range: from the maximum of time(i) -
//! c(j, i) over what precedes it, i at its earliest, to the minimum of time(i) + c(i, j) over what
//! precedes it or is unordered with it, i at its latest.
//!
//! *With Nature* (STNU). An event of Nature ends one contingent link, whose duration Nature picks.
//! A network is *consistent* when some times satisfy everything, *weakly* controllable when for all
//! durations some times do, *dynamically* when times can be chosen by what was seen so far,
//! immediately if need be, *strongly* when fixed times work for all durations. Contingent links may
//! start where another ends.
//!
//! [`verify`] decides about every claim of an answer, and shares no code with [`solve`].
//!
//! # Method
//! Teammates: reduced to a disjunctive problem over our events alone, decided by two max-plus fixed
//! points or, where these leave it open, by search; see [`Strategy`] for others, among them the
//! paper's programs. Nature: [`stn::uncertain`].
//!
//! # Guarantees
//! * Same network, parameters and seed: same answer, under an iteration limit.
//! * [`Verdict::Holds`] comes with a schedule that passes [`verify::strong`], where the question is
//!   about fixed times; [`Verdict::Fails`] is claimed with proof only; what is open is
//!   [`Verdict::Unknown`].
//! * Members of a conflict are rules of the network, and cannot all be satisfied. Where it is
//!   called minimal, each is needed.
//! * A relaxation was solved again before it is offered.
//!
//! # Units
//! Times: whole microseconds from the origin. Nodes: 0 is the origin, the event with index e is
//! node e + 1.
//!
//! # Limits
//! Constants of [`problem`]. Teammates and Nature not in one network. With teammates every event
//! needs an earliest and a latest time. What [`verify`] searches for, times despite a conflict and
//! needless members, it gives up after a fixed amount of work, see [`verify::finding`].
//!
//! # Source
//! "Simple Temporal Networks for Improvisational Teamwork": equations 1 to 8, the generator and the
//! simulations. Differences: the origin is among the events over which equations 5 and 6 range;
//! equation 8 ranges over unordered events too; the tie rule and the row of simultaneous events are
//! ours, as the paper leaves them open; whole microseconds instead of reals. Vidal and Fargier,
//! "Handling contingency in temporal constraint networks: from consistency to controllabilities",
//! JETAI 11 (1999); Morris, "Dynamic controllability and dispatchability relationships", CPAIOR
//! 2014. Execution, [`execution`]: the dispatcher of [`stn::dispatch`].
//!
//! # Examples
//! ```
//! use anytime::{Control, Limits};
//! use temporal::problem::{Link, ORIGIN, Owner, Spec};
//! use temporal::solve::check_strong;
//! use temporal::{Network, StrongFinding, StrongParams, Undecided, Verdict};
//! // A teammate opens the gate 2 s to 5 s after the start; we ride through within 4 s.
//! let link = |from, to, lower: i64, upper: i64| {
//!     Link::new(from, to, lower * 1_000_000, upper * 1_000_000)
//! };
//! let network = Network::new(Spec {
//!     owners: vec![Owner::Uncontrollable, Owner::Controllable],
//!     links: vec![link(ORIGIN, 1, 2, 5), link(1, 2, 0, 4), link(ORIGIN, 2, 0, 60)],
//!     ..Spec::default()
//! });
//! let mut verdict = Verdict::Unknown;
//! let mut sink = |finding: &StrongFinding, _: Undecided| verdict = finding.verdict;
//! let mut control = Control::new(Limits::iterations(1_000), 1, &mut sink);
//! check_strong(&network.unwrap(), &StrongParams::default(), &mut control).unwrap();
//! // The ride at 5 s suits each opening.
//! assert_eq!(verdict, Verdict::Holds);
//! ```

pub mod execution;
pub mod generate;
pub mod plan;
mod planner;
pub mod problem;
pub mod simulate;
pub mod solve;
pub mod verify;

pub use plan::{LevelFinding, Schedule, StrongFinding, Undecided, Verdict};
pub use planner::{Levels, Strong};
pub use problem::Network;
pub use solve::{Detail, LevelsParams, Strategy, StrongParams};
