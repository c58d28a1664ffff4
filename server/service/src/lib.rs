//! The planning service: plans over gRPC, checked, explained, better and better until the deadline.
//!
//! The crate around `wire`, which knows messages and planners, and `runtime`, which runs searches.
//! One request goes through, in this order:
//!
//! * `connections`: who is let in, over `tls` or plain, and for how long;
//! * `flight`: bytes of requests and answers, all together bounded;
//! * `call`: a layer around every call: arrival, deadline, id, how it ended, and by `auth` whose it
//!   is;
//! * `tenant`: how much of everything each may have;
//! * `web`: calls in JSON over HTTP become calls like all others;
//! * `codec`: the message as bytes;
//! * `rpc`: decode and encode by `wire`, search by `runtime`, and no decisions;
//! * `cache`: identical reproducible requests share one search;
//! * `jobs`: work that outlives calls and servers;
//! * `telemetry`: spans of all that, and lines of log with the call that they are about;
//! * `status`: the one place where errors become gRPC codes.
//!
//! # Examples
//! A server within another program, as tests use it:
//! ```
//! # use stratagem_server::{Config, serve};
//! # use stratagem_server::StartError;
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), StartError> {
//! let config = Config {
//!     listen: ([127, 0, 0, 1], 0).into(),
//!     metrics_listen: stratagem_server::config::MetricsListen(None),
//!     lame_duck: stratagem_server::config::Span::from_millis(0),
//!     ..Config::default()
//! };
//! let server = serve(config).await?;
//! println!("http://{}", server.address());
//! server.shut_down().await;
//! # Ok(()) }
//! ```

mod auth;
mod cache;
mod call;
mod codec;
pub mod config;
mod connections;
mod flight;
mod jitter;
mod jobs;
mod linger;
mod link;
mod metrics;
#[cfg(test)]
mod reference;
mod rpc;
mod serve;
mod sessions;
mod status;
mod telemetry;
mod tenant;
mod tls;
mod watched;
mod web;

pub use config::Config;
pub use jobs::tool::{JobsReport, JobsTool};
pub use serve::{Running, StartError, serve};
pub use telemetry::Telemetry;
