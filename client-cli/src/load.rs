//! Load on a server, as players make it: calls at random moments, many connections, a deadline for
//! each.
//!
//! * [`pace`]: when to call, what to send, and until when.
//! * [`call`]: one call of any planner's unary method, as bytes.
//! * [`run`]: calls until the time is over.
//! * [`figures`]: counts and times of calls.

pub mod call;
pub mod figures;
pub mod pace;
pub mod run;
