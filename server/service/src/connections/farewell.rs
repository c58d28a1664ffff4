//! The final message to a peer whose connection is refused.
//!
//! hyper cannot send a GOAWAY with our reason. So its bytes are written here, only to plain
//! connections: a TLS handshake costs more than a refusal should. HTTP/1.1 gets 503.

use crate::linger::Lingering;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Refused peers that are answered at the same time; others are closed without a word.
const ANSWERED_MAX: usize = 64;
/// How long a peer has to begin, and so to show what it speaks.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often a peer that sends its first bytes one by one is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// How a connection begins in HTTP/2.
const HTTP2: [u8; 3] = *b"PRI";
/// A frame of settings, all as usual: the first of a server.
const SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];
/// Error code of GOAWAY. gRPC makes UNAVAILABLE of it, which clients may repeat elsewhere.
const REFUSED_STREAM: u32 = 7;
/// For HTTP/1.1.
const UNAVAILABLE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n\
    connection: close\r\ncontent-length: 0\r\n\r\n";

/// Answers refused peers; clones share the limit.
#[derive(Debug, Clone)]
pub(super) struct Farewell(Arc<Semaphore>);

impl Farewell {
    /// With all places free.
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(ANSWERED_MAX)))
    }

    /// Closes a connection; where there is room, with GOAWAY and the reason as its debug data.
    pub(super) fn close(&self, stream: TcpStream, reason: &'static str) {
        let Ok(turn) = Arc::clone(&self.0).try_acquire_owned() else {
            return;
        };
        tokio::spawn(async move {
            // A peer that does not begin, or is gone, hears nothing.
            let _ = timeout(PATIENCE, answer(stream, reason)).await;
            drop(turn);
        });
    }
}

async fn answer(stream: TcpStream, reason: &str) -> io::Result<()> {
    let mut begun = [0; HTTP2.len()];
    loop {
        match stream.peek(&mut begun).await? {
            0 => return Ok(()),
            3.. => break,
            _ => sleep(LOOK).await,
        }
    }
    let mut stream = Lingering::new(stream);
    if begun == HTTP2 {
        stream.write_all(&goaway(reason)).await?;
    } else {
        stream.write_all(UNAVAILABLE).await?;
    }
    stream.shutdown().await
}

/// The beginning and the end of a connection in HTTP/2: no call was begun.
fn goaway(reason: &str) -> Vec<u8> {
    let mut bytes = SETTINGS.to_vec();
    // Last stream, error code, and the reason.
    let length = u32::try_from(8 + reason.len()).unwrap_or(u32::MAX);
    bytes.extend_from_slice(&length.to_be_bytes()[1..]);
    bytes.extend_from_slice(&[7, 0, 0, 0, 0, 0]);
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&REFUSED_STREAM.to_be_bytes());
    bytes.extend_from_slice(reason.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::goaway;

    #[test]
    fn goaway_is_a_frame_with_the_reason() {
        let bytes = goaway("why");
        let frame = [0, 0, 11, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7];
        assert_eq!(bytes[9..26], frame);
        assert_eq!(&bytes[26..], b"why");
    }
}
