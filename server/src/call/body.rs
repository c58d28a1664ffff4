//! The response body: ends at the deadline, and says how the call ended.

use super::Record;
use crate::status::Refusal;
use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::time::Sleep;
use tonic::Status;
use tonic::body::Body;

/// A body with a deadline.
pub(super) struct CallBody {
    /// `None` after the deadline: dropping it cancels the work.
    inner: Option<Body>,
    sleep: Option<Pin<Box<Sleep>>>,
    record: Record,
}

impl CallBody {
    pub(super) fn new(inner: Body, sleep: Option<Pin<Box<Sleep>>>, record: Record) -> Self {
        Self {
            inner: Some(inner),
            sleep,
            record,
        }
    }
}

impl HttpBody for CallBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        let Some(inner) = &mut this.inner else {
            return Poll::Ready(None);
        };
        // The deadline first: a stream that always has a message ready must end too.
        let sleep = this
            .sleep
            .as_mut()
            .map(|sleep| sleep.as_mut().poll(context));
        if sleep.is_some_and(|sleep| sleep.is_ready()) {
            this.inner = None;
            let mut trailers = HeaderMap::new();
            let _ = Status::from(Refusal::Expired).add_header(&mut trailers);
            this.record.note(&trailers);
            return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
        }
        let frame = Pin::new(inner).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(trailers) = frame.trailers_ref()
        {
            this.record.note(trailers);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        match &self.inner {
            Some(inner) => inner.size_hint(),
            None => SizeHint::with_exact(0),
        }
    }
}
