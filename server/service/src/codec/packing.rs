//! Compressed messages, decompressed with a limit on what comes out of them.
//!
//! tonic decompresses where a message arrives: on the threads that serve the network. So
//! [`Packing::detach`] hides compression from it by removing the header and the flag that indicate
//! it.

use crate::status::Refusal;
use bytes::Bytes;
use http::header::HeaderName;
use http::{HeaderMap, Request};
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::io::Read;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use tonic::Status;
use tonic::body::Body;

/// Names the compression of messages.
const HEADER: HeaderName = HeaderName::from_static("grpc-encoding");
/// What may come out of a message for each byte of it: more than of any matrix that is worth
/// sending. Envoy's limit is the same (`max_inflate_ratio`).
const RATIO_MAX: usize = 100;
/// What may come out of any message: a matrix of equal numbers is compressed further than that.
const FREE_BYTES: usize = 1 << 20;
/// Largest accepted window of zstd, as a power of two: that of its highest level without `--ultra`.
#[cfg(feature = "zstd")]
const WINDOW_LOG_MAX: u32 = 23;

/// How messages are compressed here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Gzip,
    #[cfg(feature = "zstd")]
    Zstd,
}

impl Encoding {
    /// By its name in gRPC; `None`: not compressed.
    fn named(name: &[u8]) -> Result<Option<Self>, Refusal> {
        match name {
            b"identity" => Ok(None),
            b"gzip" => Ok(Some(Self::Gzip)),
            #[cfg(feature = "zstd")]
            b"zstd" => Ok(Some(Self::Zstd)),
            other => Err(Refusal::Encoding(
                String::from_utf8_lossy(other).into_owned(),
            )),
        }
    }
}

/// In the extensions of a call: how its message is compressed.
#[derive(Debug, Clone)]
pub(crate) struct Packing {
    encoding: Encoding,
    /// Whether the message says that it is.
    is_packed: Arc<AtomicBool>,
}

/// Names of the compressions of this build, as `grpc-accept-encoding` lists them.
pub(crate) const ACCEPTED: &str = if cfg!(feature = "zstd") {
    "identity,gzip,zstd"
} else {
    "identity,gzip"
};

impl Packing {
    /// Takes the compression out of a request, and keeps it in the extensions.
    ///
    /// # Errors
    /// A compression that is not known here.
    pub(crate) fn detach(request: Request<Body>) -> Result<Request<Body>, (Refusal, Body)> {
        let encoding = match named(request.headers()) {
            Ok(None) => return Ok(request),
            Ok(Some(encoding)) => encoding,
            Err(refusal) => return Err((refusal, request.into_body())),
        };
        let packing = Self {
            encoding,
            is_packed: Arc::default(),
        };
        let (mut head, body) = request.into_parts();
        head.headers.remove(HEADER);
        head.extensions.insert(packing.clone());
        let body = Body::new(Unflagged {
            inner: body,
            packing: Some(packing),
            rest: None,
        });
        Ok(Request::from_parts(head, body))
    }

    /// The message.
    ///
    /// # Errors
    /// It cannot be decompressed, or is larger than `bytes_max` or what its size allows.
    pub(crate) fn open(&self, bytes: Bytes, bytes_max: usize) -> Result<Bytes, Refusal> {
        if !self.is_packed.load(Ordering::Relaxed) {
            return Ok(bytes);
        }
        let by_size = FREE_BYTES.saturating_add(bytes.len().saturating_mul(RATIO_MAX));
        let limit = bytes_max.min(by_size);
        if self
            .declared(&bytes)
            .is_some_and(|size| size > limit as u64)
        {
            return Err(beyond(limit, bytes_max));
        }
        let mut message = Vec::with_capacity((bytes.len() * 4).min(limit));
        let read = self.read(&bytes, limit as u64 + 1, &mut message);
        read.map_err(|error| Refusal::Malformed(format!("decompressing: {error}")))?;
        if message.len() > limit {
            Err(beyond(limit, bytes_max))
        } else {
            Ok(message.into())
        }
    }

    /// Bytes that probably come out of these, for an estimate.
    pub(crate) fn size(&self, bytes: &[u8]) -> usize {
        let usual = bytes.len().saturating_mul(8);
        if self.is_packed.load(Ordering::Relaxed) {
            self.declared(bytes)
                .map_or(usual, |size| usize::try_from(size).unwrap_or(usize::MAX))
        } else {
            bytes.len()
        }
    }

    /// What the head of a frame says; gzip says nothing before its end.
    #[cfg_attr(
        not(feature = "zstd"),
        expect(unused_variables, reason = "only frames of zstd say it")
    )]
    fn declared(&self, bytes: &[u8]) -> Option<u64> {
        match self.encoding {
            Encoding::Gzip => None,
            #[cfg(feature = "zstd")]
            Encoding::Zstd => zstd::zstd_safe::get_frame_content_size(bytes)
                .ok()
                .flatten(),
        }
    }

    fn read(&self, bytes: &[u8], most: u64, message: &mut Vec<u8>) -> std::io::Result<usize> {
        match self.encoding {
            Encoding::Gzip => flate2::read::GzDecoder::new(bytes)
                .take(most)
                .read_to_end(message),
            #[cfg(feature = "zstd")]
            Encoding::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::with_buffer(bytes)?;
                decoder.window_log_max(WINDOW_LOG_MAX)?;
                decoder.single_frame().take(most).read_to_end(message)
            }
        }
    }
}

fn named(headers: &HeaderMap) -> Result<Option<Encoding>, Refusal> {
    headers
        .get(HEADER)
        .map_or(Ok(None), |name| Encoding::named(name.as_bytes()))
}

fn beyond(limit: usize, bytes_max: usize) -> Refusal {
    Refusal::TooLarge(if limit == bytes_max {
        format!("the message has more than {bytes_max} bytes once it is decompressed")
    } else {
        format!(
            "the message has more than {limit} bytes once it is decompressed, which are {RATIO_MAX} for each byte and {FREE_BYTES}"
        )
    })
}

/// A body whose first message never says that it is compressed.
struct Unflagged {
    inner: Body,
    /// Until the first byte has come, which is the flag.
    packing: Option<Packing>,
    /// What came with the flag.
    rest: Option<Bytes>,
}

impl HttpBody for Unflagged {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        if let Some(rest) = this.rest.take() {
            return Poll::Ready(Some(Ok(Frame::data(rest))));
        }
        let frame = ready!(Pin::new(&mut this.inner).poll_frame(context));
        let data = frame.as_ref().and_then(|it| it.as_ref().ok());
        let data = data.and_then(Frame::data_ref);
        // Any other flag is tonic's to refuse.
        if let Some(data) = data.filter(|data| !data.is_empty())
            && let Some(packing) = this.packing.take()
            && data[0] == 1
        {
            packing.is_packed.store(true, Ordering::Relaxed);
            this.rest = Some(data.slice(1..)).filter(|rest| !rest.is_empty());
            return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&[0])))));
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_none() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        // The flag is replaced by a byte; what came with it still counts.
        match &self.rest {
            Some(_) => SizeHint::default(),
            None => self.inner.size_hint(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::io::Write as _;

    fn gzip(message: &[u8]) -> Bytes {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(message).unwrap();
        encoder.finish().unwrap().into()
    }

    /// What a request says of its compression, and the bytes that tonic sees of its body.
    async fn taken(name: &str, body: &'static [u8]) -> (Option<Packing>, Vec<u8>) {
        let request = Request::builder().header("grpc-encoding", name);
        let body = String::from_utf8(body.into()).unwrap();
        let request = request.body(Body::new(body)).unwrap();
        let request = Packing::detach(request).unwrap();
        let (head, mut body) = request.into_parts();
        let mut seen = Vec::new();
        while let Some(frame) = poll_fn(|it| Pin::new(&mut body).poll_frame(it)).await {
            seen.extend(frame.unwrap().into_data().unwrap());
        }
        assert!(head.headers.get(HEADER).is_none() || name == "identity");
        (head.extensions.get().cloned(), seen)
    }

    #[tokio::test]
    async fn tonic_never_sees_that_a_message_is_compressed() {
        let (packing, seen) = taken("gzip", b"\x01\0\0\0\x02ab").await;
        assert_eq!(seen, b"\0\0\0\0\x02ab");
        assert!(packing.unwrap().is_packed.load(Ordering::Relaxed));
        let (packing, seen) = taken("gzip", b"\0\0\0\0\x02ab").await;
        assert_eq!(seen, b"\0\0\0\0\x02ab");
        assert!(!packing.unwrap().is_packed.load(Ordering::Relaxed));
        let (packing, _) = taken("identity", b"\x01\0\0\0\0").await;
        assert!(packing.is_none());
        let unknown = Request::builder().header("grpc-encoding", "snappy");
        let refused = Packing::detach(unknown.body(Body::empty()).unwrap()).unwrap_err();
        assert_eq!(refused.0, Refusal::Encoding("snappy".into()));
    }

    fn packing(encoding: Encoding) -> Packing {
        Packing {
            encoding,
            is_packed: Arc::new(AtomicBool::new(true)),
        }
    }

    #[test]
    fn what_comes_out_is_bounded_by_ratio_and_by_size() {
        let gz = packing(Encoding::Gzip);
        let open = |message: &[u8], most| gz.open(gzip(message), most);
        assert_eq!(open(b"a message", 100).unwrap(), &b"a message"[..]);
        assert!(open(&[0; FREE_BYTES], 1 << 24).is_ok());
        for (bytes, most) in [(101, 100), (FREE_BYTES + (1 << 20), 1 << 24)] {
            let refused = open(&vec![0; bytes], most);
            assert!(matches!(refused, Err(Refusal::TooLarge(_))), "{bytes}");
        }
        let broken = gz.open(Bytes::from_static(b"no gzip"), 100);
        assert!(matches!(broken, Err(Refusal::Malformed(_))));
    }

    #[cfg(feature = "zstd")]
    #[test]
    fn frames_that_say_that_they_are_too_large_are_not_decompressed() {
        let z = packing(Encoding::Zstd);
        let bomb: Bytes = zstd::bulk::compress(&vec![0; 16 << 20], 3).unwrap().into();
        assert!(bomb.len() < 2_000);
        assert_eq!(z.size(&bomb), 16 << 20);
        let refused = z.open(bomb, 32 << 20);
        assert!(matches!(refused, Err(Refusal::TooLarge(_))));
        let small: Bytes = zstd::bulk::compress(b"a message", 3).unwrap().into();
        assert_eq!(z.open(small, 100).unwrap(), &b"a message"[..]);
    }
}
