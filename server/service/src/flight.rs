//! Bytes in flight: requests count from their first byte to the end of their call, answers until
//! they are sent.
//!
//! All connections share one limit. Beyond it, requests are refused while they are read. Answers
//! are counted and not refused; a caller that does not read them loses its connection: see
//! [`Outbox`].

use crate::connections::{Activity, RunningCall};
use crate::status::Refusal;
use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Instant;
use tonic::Status;
use tonic::body::Body;
use tower::Service;

/// How many bytes there are, and may be; clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Flight(Arc<Budget>);

#[derive(Debug)]
struct Budget {
    used: AtomicUsize,
    max: usize,
}

impl Flight {
    /// None yet.
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self(Arc::new(Budget {
            used: AtomicUsize::new(0),
            max: bytes_max,
        }))
    }

    /// Bytes in flight now.
    pub(crate) fn used(&self) -> usize {
        self.0.used.load(Ordering::Relaxed)
    }

    fn hold(&self, bytes: usize) -> Held {
        self.0.used.fetch_add(bytes, Ordering::Relaxed);
        Held {
            flight: self.clone(),
            bytes,
        }
    }
}

/// Bytes that count until it is dropped.
#[derive(Debug)]
struct Held {
    flight: Flight,
    bytes: usize,
}

impl Held {
    /// Takes more, if there is room.
    fn grow(&mut self, bytes: usize) -> Result<(), Refusal> {
        let budget = &self.flight.0;
        let before = budget.used.fetch_add(bytes, Ordering::Relaxed);
        self.bytes += bytes;
        if before.saturating_add(bytes) > budget.max {
            Err(Refusal::MemoryFull)
        } else {
            Ok(())
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.flight.0.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// The bytes of a request, in its extensions: they count until the last clone is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Received(Arc<Mutex<Held>>);

/// Answers of a connection that are not sent yet; clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outbox(Arc<Mutex<Unsent>>);

#[derive(Debug, Default)]
struct Unsent {
    next: u64,
    since: BTreeMap<u64, Instant>,
}

impl Outbox {
    /// Since when the oldest of them waits.
    pub(crate) fn oldest(&self) -> Option<Instant> {
        let unsent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        unsent.since.first_key_value().map(|(_, since)| *since)
    }

    fn put(&self, bytes: Bytes, held: Held) -> Bytes {
        let mut unsent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = unsent.next;
        unsent.next += 1;
        unsent.since.insert(number, Instant::now());
        drop(unsent);
        Bytes::from_owner(Parcel {
            bytes,
            number,
            outbox: self.clone(),
            _held: held,
        })
    }
}

/// Bytes that report when they are dropped.
struct Parcel {
    bytes: Bytes,
    number: u64,
    outbox: Outbox,
    _held: Held,
}

impl AsRef<[u8]> for Parcel {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Parcel {
    fn drop(&mut self) {
        let unsent = self.outbox.0.lock();
        let mut unsent = unsent.unwrap_or_else(PoisonError::into_inner);
        unsent.since.remove(&self.number);
    }
}

/// Counts what goes through a service on one connection.
#[derive(Debug, Clone)]
pub(crate) struct Counted<S> {
    inner: S,
    flight: Flight,
    outbox: Outbox,
    activity: Activity,
}

impl<S> Counted<S> {
    /// With what is counted where: of all connections, and of this one.
    pub(crate) fn new(inner: S, flight: Flight, outbox: Outbox, activity: Activity) -> Self {
        Self {
            inner,
            flight,
            outbox,
            activity,
        }
    }
}

impl<S> Service<Request<Body>> for Counted<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Future: Send + 'static,
    S::Error: 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let received = Received(Arc::new(Mutex::new(self.flight.hold(0))));
        let (mut head, body) = request.into_parts();
        head.extensions.insert(received.clone());
        let body = Body::new(Incoming {
            inner: body,
            received,
        });
        let running = self.activity.begin();
        let answered = self.inner.call(Request::from_parts(head, body));
        let (flight, outbox) = (self.flight.clone(), self.outbox.clone());
        Box::pin(async move {
            let outgoing = |inner| {
                Body::new(Outgoing {
                    inner,
                    flight,
                    outbox,
                    _running: running,
                })
            };
            Ok(answered.await?.map(outgoing))
        })
    }
}

/// The body of a request.
struct Incoming {
    inner: Body,
    received: Received,
}

impl HttpBody for Incoming {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        let frame = ready!(Pin::new(&mut this.inner).poll_frame(context));
        if let Some(Ok(frame)) = &frame
            && let Some(data) = frame.data_ref()
        {
            let held = this.received.0.lock();
            let mut held = held.unwrap_or_else(PoisonError::into_inner);
            if let Err(refusal) = held.grow(data.len()) {
                return Poll::Ready(Some(Err(refusal.into())));
            }
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// The body of an answer.
struct Outgoing {
    inner: Body,
    flight: Flight,
    outbox: Outbox,
    _running: RunningCall,
}

impl HttpBody for Outgoing {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        let frame = ready!(Pin::new(&mut this.inner).poll_frame(context));
        Poll::Ready(frame.map(|frame| {
            Ok(frame?.map_data(|bytes| {
                if bytes.is_empty() {
                    bytes
                } else {
                    let held = this.flight.hold(bytes.len());
                    this.outbox.put(bytes, held)
                }
            }))
        }))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_counts_until_it_is_let_go() {
        let flight = Flight::new(100);
        let mut one = flight.hold(0);
        assert_eq!(one.grow(60), Ok(()));
        let mut other = flight.hold(0);
        assert_eq!(other.grow(41), Err(Refusal::MemoryFull));
        assert_eq!(flight.used(), 101);
        drop(other);
        assert_eq!(one.grow(40), Ok(()));
        drop(one);
        assert_eq!(flight.used(), 0);
    }

    #[test]
    fn answers_wait_until_the_last_part_of_them_is_gone() {
        let (flight, outbox) = (Flight::new(100), Outbox::default());
        assert_eq!(outbox.oldest(), None);
        let mut first = outbox.put(Bytes::from_static(b"an answer"), flight.hold(9));
        let part = first.split_to(2);
        let second = outbox.put(Bytes::from_static(b"more"), flight.hold(4));
        let since = outbox.oldest().unwrap();
        drop(part);
        assert_eq!((outbox.oldest(), flight.used()), (Some(since), 13));
        drop(first);
        assert!(outbox.oldest().is_some_and(|later| later >= since));
        assert_eq!(flight.used(), 4);
        drop(second);
        assert_eq!((outbox.oldest(), flight.used()), (None, 0));
    }
}
