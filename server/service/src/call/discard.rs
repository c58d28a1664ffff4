//! Discards what is still sent with calls that are refused before anybody has read it.
//!
//! A caller that gets an answer while it still sends has its stream reset. Each frame in transit
//! then is an error on the connection. Too many of them close it (see `connections/http.rs`) with
//! all its other calls, which belong to other tenants if a balancer shares it. So a little is read
//! on, and discarded.

use bytes::Buf as _;
use http_body::Body as _;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;
use tokio::time::timeout;
use tonic::body::Body;

/// Bytes that are read on: nearly all requests are smaller, and a stream may have more in transit.
const BYTES_MAX: usize = 64 << 10;
/// How long it is read on: frames under way take no longer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Reads on for a while, in the background, and forgets what it reads.
pub(crate) fn discard(mut body: Body) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use http_body::Frame;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Poll};
    use tonic::Status;

    /// Frames of 1 KiB; the number that was read is counted.
    struct Frames {
        left: usize,
        read: Arc<AtomicUsize>,
    }

    impl http_body::Body for Frames {
        type Data = Bytes;
        type Error = Status;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
            if self.left == 0 {
                return Poll::Ready(None);
            }
            self.left -= 1;
            self.read.fetch_add(1, Ordering::Relaxed);
            Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&[0; 1 << 10])))))
        }
    }

    /// Frames that are read of this number.
    async fn read(left: usize) -> usize {
        let read = Arc::new(AtomicUsize::new(0));
        let frames = Frames {
            left,
            read: Arc::clone(&read),
        };
        discard(Body::new(frames));
        while Arc::strong_count(&read) > 1 {
            tokio::task::yield_now().await;
        }
        read.load(Ordering::Relaxed)
    }

    #[tokio::test]
    async fn a_little_is_read_to_its_end_and_of_much_a_little() {
        assert_eq!(read(3).await, 3);
        assert_eq!(read(usize::MAX).await, BYTES_MAX / (1 << 10) + 1);
    }
}
