//! gRPC's frames: a byte for whether the message is compressed, four for its length, and the
//! message.

use crate::status::Refusal;
use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use tonic::Status;

/// Bytes before a message.
const HEAD: usize = 5;

/// A message in its frame.
pub(super) fn framed(message: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(HEAD + message.len());
    frame.put_u8(0);
    // Fits: bodies are limited.
    frame.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
    frame.put_slice(message);
    frame.freeze()
}

/// The first message of what was received so far; `None` when it is not whole yet.
///
/// # Errors
/// When it is compressed, which was not asked for.
pub(super) fn next(received: &mut BytesMut) -> Result<Option<Bytes>, Status> {
    let Some((head, rest)) = received.split_first_chunk::<HEAD>() else {
        return Ok(None);
    };
    let [compressed, length @ ..] = *head;
    if compressed != 0 {
        return Err(Refusal::Unwritable("it is compressed".into()).into());
    }
    let length = u32::from_be_bytes(length) as usize;
    if rest.len() < length {
        return Ok(None);
    }
    received.advance(HEAD);
    Ok(Some(received.split_to(length).freeze()))
}

/// A body of one piece.
pub(super) struct Whole(pub(super) Option<Bytes>);

impl HttpBody for Whole {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let left = self.0.as_ref().map_or(0, Bytes::len);
        SizeHint::with_exact(left as u64)
    }
}
