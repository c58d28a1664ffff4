//! How HTTP is spoken on a connection.

use super::Builder;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::time::Duration;

/// Resets in flight, and resets of our own, before a connection is closed: rapid resets cost us
/// more than the caller.
const PENDING_RESETS_MAX: usize = 20;
const OWN_RESETS_MAX: usize = 1_024;

/// Limits of HTTP/2, and whether HTTP/1.1 is spoken.
#[derive(Debug, Clone)]
pub(crate) struct Wire {
    /// gRPC itself is HTTP/2 only.
    pub http1: bool,
    /// Streams at once.
    pub streams_max: u32,
    /// Bytes of all headers of a call together.
    pub header_list_bytes_max: u32,
    /// How often a silent connection is asked for a sign of life.
    pub keepalive_interval: Duration,
    /// How long it has to give it.
    pub keepalive_timeout: Duration,
    /// How long the headers of a request in HTTP/1.1 may take.
    pub header_timeout: Duration,
}

impl Wire {
    /// For hyper.
    pub(super) fn builder(&self) -> Builder {
        let mut builder = Builder::new(TokioExecutor::new());
        builder
            .http1()
            .timer(TokioTimer::new())
            .header_read_timeout(self.header_timeout);
        builder
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(self.streams_max)
            .max_header_list_size(self.header_list_bytes_max)
            .keep_alive_interval(self.keepalive_interval)
            .keep_alive_timeout(self.keepalive_timeout)
            .max_pending_accept_reset_streams(PENDING_RESETS_MAX)
            .max_local_error_reset_streams(OWN_RESETS_MAX);
        if self.http1 {
            builder
        } else {
            builder.http2_only()
        }
    }
}
