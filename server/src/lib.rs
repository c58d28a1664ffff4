//! The planning service: plans over gRPC, checked, explained, better and better until the deadline.
//!
//! The only crate that knows both the wire and the planners. One request goes through, in this
//! order:
//!
//! * `call`: a layer around every call: arrival, deadline, id, how it ended;
//! * `codec`: weighs the raw bytes before anything is allocated for them, then decodes;
//! * `rpc`: decode, run, encode, and no decisions;
//! * `wire`: messages to problems, with every mistake and its path, and plans to messages;
//! * `cache`: identical reproducible requests share one search;
//! * `run`: admission, the searching thread, the check of every offer, newest-wins streams;
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

mod cache;
mod call;
mod codec;
pub mod config;
pub mod decode;
mod drain;
mod examples;
mod metrics;
mod rpc;
mod run;
mod serve;
mod status;
mod wire;

pub use config::Config;
pub use serve::{Running, StartError, serve};
