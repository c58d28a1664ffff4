//! Streams as lines of JSON.

use super::answer::json;
use super::writer::Writer;
use super::{error, frame};
use crate::status::{Refusal, bad_end};
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

/// A line that is being written.
type Writing = Pin<Box<dyn Future<Output = Result<Bytes, Status>> + Send>>;

/// A line for each message of a stream, as soon as it has come; large ones are written elsewhere.
/// Dropping it drops the call.
pub(super) struct Lines {
    writer: Writer,
    /// `None` at the end.
    inner: Option<Body>,
    kind: MessageDescriptor,
    received: BytesMut,
    writing: Option<Writing>,
    /// Whether the end has come.
    is_whole: bool,
}

impl Lines {
    pub(super) fn new(writer: Writer, inner: Body, kind: MessageDescriptor) -> Self {
        Self {
            writer,
            inner: Some(inner),
            kind,
            received: BytesMut::new(),
            writing: None,
            is_whole: false,
        }
    }

    /// Writes the line of a message.
    fn write(&self, message: Bytes) -> Writing {
        let (writer, kind) = (self.writer.clone(), self.kind.clone());
        let size = message.len();
        Box::pin(async move { writer.run(size, || line(kind, message)).await? })
    }

    /// The last line.
    fn end(&mut self, status: &Status) -> Bytes {
        self.inner = None;
        self.received.clear();
        let line = json!({"error": error::document(status)}).to_string() + "\n";
        line.into()
    }
}

/// The line of a message.
fn line(kind: MessageDescriptor, message: Bytes) -> Result<Bytes, Status> {
    let mut line = b"{\"result\":".to_vec();
    line.extend(json(kind, message)?);
    line.extend(b"}\n");
    Ok(line.into())
}

impl HttpBody for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let line = loop {
            if let Some(writing) = &mut self.writing {
                let line = ready!(writing.as_mut().poll(context));
                self.writing = None;
                break line.unwrap_or_else(|status| self.end(&status));
            }
            match frame::next(&mut self.received) {
                Ok(Some(message)) => {
                    self.writing = Some(self.write(message));
                    continue;
                }
                Ok(None) => {}
                Err(status) => break self.end(&status),
            }
            let Some(inner) = &mut self.inner else {
                return Poll::Ready(None);
            };
            match ready!(Pin::new(inner).poll_frame(context)) {
                None if self.is_whole && self.received.is_empty() => self.inner = None,
                None => {
                    let why = Refusal::Unwritable("its stream was cut off".into());
                    break self.end(&why.into());
                }
                Some(Err(status)) => break self.end(&status),
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.received.extend_from_slice(&data),
                    Err(frame) => {
                        if let Some(status) = frame.trailers_ref().and_then(bad_end) {
                            break self.end(&status);
                        }
                        self.is_whole |= frame.is_trailers();
                    }
                },
            }
        };
        Poll::Ready(Some(Ok(Frame::data(line))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::frame::{Whole, framed};
    use formats::messages::descriptor;
    use prost::Message as _;
    use std::future::poll_fn;
    use stratagem_proto::v1::Explanation;

    /// A stream of explanations, each of this number of letters.
    fn lines(lengths: &[usize]) -> Lines {
        let frames = lengths.iter().flat_map(|length| {
            let summary = "a".repeat(*length);
            let explanation = Explanation {
                summary,
                ..Explanation::default()
            };
            framed(&explanation.encode_to_vec())
        });
        let body = Body::new(Whole(Some(frames.collect())));
        let writer = Writer::new(
            &runtime::work::Desk::new(1),
            &crate::tenant::Tenant::alone(),
        );
        Lines::new(writer, body, descriptor::<Explanation>())
    }

    #[tokio::test]
    async fn large_messages_are_written_elsewhere_and_stay_in_their_order() {
        let mut lines = lines(&[3, 1 << 20, 2]);
        for length in [3, 1 << 20, 2] {
            let frame = poll_fn(|context| Pin::new(&mut lines).poll_frame(context)).await;
            let line = frame.unwrap().unwrap().into_data().unwrap();
            let text = "a".repeat(length);
            let wanted = format!("{{\"result\":{{\"summary\":\"{text}\"}}}}\n");
            assert!(line == wanted, "{length}");
        }
        // There were no trailers: nobody said that this was all.
        let cut = poll_fn(|context| Pin::new(&mut lines).poll_frame(context)).await;
        let cut = cut.unwrap().unwrap().into_data().unwrap();
        assert!(cut.starts_with(b"{\"error\""), "{cut:?}");
        let end = poll_fn(|context| Pin::new(&mut lines).poll_frame(context)).await;
        assert!(end.is_none());
    }
}
