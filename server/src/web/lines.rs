//! Streams as lines of JSON.

use super::answer::json;
use super::{error, frame};
use crate::status::bad_end;
use bytes::{Bytes, BytesMut};
use http_body::{Body as HttpBody, Frame};
use prost_reflect::MessageDescriptor;
use serde_json::json;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tonic::Status;
use tonic::body::Body;

/// Content type of one document a line.
pub(super) const TYPE: &str = "application/x-ndjson";

/// A line for each message of a stream, as soon as it has come. Dropping it drops the call.
pub(super) struct Lines {
    /// `None` at the end.
    inner: Option<Body>,
    kind: MessageDescriptor,
    received: BytesMut,
}

impl Lines {
    pub(super) fn new(inner: Body, kind: MessageDescriptor) -> Self {
        Self {
            inner: Some(inner),
            kind,
            received: BytesMut::new(),
        }
    }

    /// The line of the next message that is whole.
    fn line(&mut self) -> Result<Option<Bytes>, Status> {
        let Some(message) = frame::next(&mut self.received)? else {
            return Ok(None);
        };
        let mut line = b"{\"result\":".to_vec();
        line.extend(json(self.kind.clone(), message)?);
        line.extend(b"}\n");
        Ok(Some(line.into()))
    }

    /// The last line.
    fn end(&mut self, status: &Status) -> Bytes {
        self.inner = None;
        self.received.clear();
        let line = json!({"error": error::document(status)}).to_string() + "\n";
        line.into()
    }
}

impl HttpBody for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let line = loop {
            match self.line() {
                Ok(Some(line)) => break line,
                Ok(None) => {}
                Err(status) => break self.end(&status),
            }
            let Some(inner) = &mut self.inner else {
                return Poll::Ready(None);
            };
            match ready!(Pin::new(inner).poll_frame(context)) {
                None => self.inner = None,
                Some(Err(status)) => break self.end(&status),
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.received.extend_from_slice(&data),
                    Err(frame) => {
                        if let Some(status) = frame.trailers_ref().and_then(bad_end) {
                            break self.end(&status);
                        }
                    }
                },
            }
        };
        Poll::Ready(Some(Ok(Frame::data(line))))
    }
}
