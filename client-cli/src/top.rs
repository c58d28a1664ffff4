//! Servers as they are now, for `server top`.
//!
//! * [`page`]: the page of metrics of a server;
//! * [`view`]: what is shown of a server, from two such pages.

pub mod page;
pub mod view;
