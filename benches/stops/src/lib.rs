//! How soon searches stop after they were asked to.
//!
//! A search looks at the stop signal now and then. [`Probe`] observes these looks: it measures the
//! processor time of the thread between them, and asks the search to stop at a certain one.
//! [`Family`] is a kind of search with its seeded problems of many sizes, variants of planners,
//! checks and explanations included. The bench prints a table; the test counts looks.

mod draw;
pub mod families;
mod probe;
mod run;

pub use draw::Draw;
pub use families::{Family, Search, families};
pub use probe::{Probe, Report, Wish};
pub use run::run;
