//! The response body: ends at the deadline, or when the server drains, and says how the call ended.

use super::Record;
use crate::status::Refusal;
use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body as HttpBody, Frame, SizeHint};
use runtime::timer::Alarm;
use std::pin::Pin;
use std::task::{Context, Poll};
use tonic::Status;
use tonic::body::Body;

/// What ends a body before its time.
pub(super) struct Ending {
    /// The call's deadline.
    pub alarm: Option<Alarm>,
    /// The server's drain, for streams that would never end by themselves.
    pub drain: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Ending {
    fn poll(&mut self, context: &mut Context<'_>) -> Option<Refusal> {
        let alarm = self.alarm.as_mut();
        if alarm.is_some_and(|alarm| Pin::new(alarm).poll(context).is_ready()) {
            return Some(runtime::Refusal::Expired.into());
        }
        let drain = self.drain.as_mut().map(|d| d.as_mut().poll(context));
        let draining = drain.is_some_and(|drain| drain.is_ready());
        draining.then_some(runtime::Refusal::Draining.into())
    }
}

/// A body that ends in time.
pub(super) struct CallBody {
    /// `None` after the end: dropping it cancels the work.
    inner: Option<Body>,
    ending: Ending,
    record: Record,
}

impl CallBody {
    pub(super) fn new(inner: Body, ending: Ending, record: Record) -> Self {
        Self {
            inner: Some(inner),
            ending,
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
        if let Some(refusal) = this.ending.poll(context) {
            this.inner = None;
            let mut trailers = HeaderMap::new();
            // Fails only for metadata that is no header; ours is.
            let _ = Status::from(refusal).add_header(&mut trailers);
            this.record.note(&trailers);
            return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
        }
        let frame = {
            let _entered = this.record.span.enter();
            Pin::new(inner).poll_frame(context)
        };
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
