//! Networks in which Nature decides some durations (STNU), and how far they can be controlled.
//!
//! # Problem
//! An [`Stnu`] has events, requirements ([`Edge`](crate::Edge)) and [`Contingent`] links: when the
//! first event of such a link has happened, Nature lets the second follow, at any time within the
//! link's bounds. All other events are ours. Can we satisfy all requirements? [`consistent`]: if
//! Nature helps. [`weak`]: if all durations are known in advance. [`dynamic`]: if we see each
//! contingent event when it happens. [`strong`]: if we see nothing at all. Each level implies the
//! ones before it.
//!
//! # Method
//! * Dynamic: Morris, "Dynamic controllability and dispatchability relationships", CPAIOR 2014:
//!   backward propagation from negative nodes, cubic. The tests compare it with the rules RUL- of
//!   Cairo, Hunsberger and Rizzi, TIME 2018, and with each game played through.
//! * The [`Strategy`] is Morris's dispatchable network: bounds and waits.
//! * Strong: Vidal and Fargier, "Handling contingency in temporal constraint networks", JETAI 11
//!   (1999): the worst case of every requirement is a requirement among our own events.
//! * Weak: the same paper shows that only the corners matter, where each duration is shortest or
//!   longest; here branch and bound, with dynamic controllability as the bound.
//!
//! # Guarantees
//! * [`Verdict::Fails`] comes with a proof whose sum anyone can check: [`Conflict::sum`] of the
//!   original bounds is negative; or, for [`weak`], with durations that leave no schedule.
//! * Every long function calls a `go_on` at least every few thousand steps, and returns
//!   [`Verdict::Stopped`] soon after it returns false. There is no clock in here.
//! * Same network, same answer.
//!
//! # Units
//! Integer microseconds ([`Time`](crate::Time)). Integer bounds have integer answers: nothing is
//! lost if Nature moves in whole microseconds too.
//!
//! # Traps
//! * Reaction is instantaneous: an event of ours may happen at the very time of the contingent
//!   event that it waits for, after it.
//! * A contingent link whose bounds are equal leaves Nature no choice. It counts as a requirement
//!   that cannot be relaxed.
//! * Contingent links may follow one another and may start together, but two of them must not end
//!   at one event.

mod biconnected;
mod conflict;
mod consistent;
mod dynamic;
mod labelled_graph;
mod network;
mod reduce;
mod strategy;
mod strong;
mod ticker;
mod weak;

pub use conflict::{Bound, Conflict, Term, Verdict};
pub use consistent::{consistent, consistent_within};
pub use dynamic::dynamic;
pub use network::{
    BOUND_MAX, Contingent, EVENTS_MAX, LinkIndex, REQUIREMENTS_MAX, Stnu, StnuError,
};
pub use strategy::{DispatchBound, Strategy, Wait, strategy};
pub use strong::{strong, strong_within};
pub use weak::weak;
