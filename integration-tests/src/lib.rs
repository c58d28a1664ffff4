//! What the tests and measurements of the service share: servers within the test and as processes,
//! problems to send, and clients that are allowed to misbehave.
//!
//! Everything here panics instead of returning errors: a broken stage is a failed test.

pub mod binaries;
pub mod broker;
pub mod collector;
pub mod command_line;
pub mod figures;
pub mod fleet;
pub mod metrics;
pub mod networks;
pub mod patience;
pub mod pki;
pub mod plain;
pub mod play;
pub mod problems;
pub mod process;
pub mod raw;
pub mod server;
pub mod tokens;

pub use process::Process;
pub use server::Server;
