//! What is sent with calls that are refused before anybody has read it.
//!
//! Whoever is answered while he still sends has his stream reset. Each frame that is under way then is an error on the connection, and
//! after so many of them the connection is closed (see `connections/http.rs`): with all other calls on it, which are those of other tenants
//! where a balancer stands between. So a little is read on, and forgotten.

use bytes::Buf as _;
use http_body::Body as _;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;
use tokio::time::timeout;
use tonic::body::Body;

/// Bytes that are read on: nearly all requests are smaller, and it is less than a stream may have under way.
const BYTES_MAX: usize = 64 << 10;
/// How long it is read on: frames under way take no longer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Reads on for a while, in the background, and forgets what it reads.
pub(super) fn discard(mut body: Body) {
    if body.is_end_stream() {
        return;
    }
    let reading = async move {
        let mut left = BYTES_MAX;
        while let Some(Ok(frame)) = poll_fn(|it| Pin::new(&mut body).poll_frame(it)).await {
            let bytes = frame.data_ref().map_or(0, |data| data.remaining());
            match left.checked_sub(bytes) {
                Some(rest) => left = rest,
                None => return,
            }
        }
    };
    tokio::spawn(timeout(PATIENCE, reading));
}
