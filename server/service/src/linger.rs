//! Connections that end without losing what was sent last.
//!
//! When a connection is closed while the other side has unread bytes here or sends more, the system
//! answers with a reset, which may reach the other side before it has read everything. An HTTP/2
//! peer always has something in transit: window updates, answers to pings. HAProxy then loses the
//! trailers of the last answer, and its caller sees UNKNOWN instead of a plan. So this side
//! announces the shutdown, and then listens until the other side has closed too.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};
use tonic::transport::server::Connected;

/// How long the other side has to close. Balancers take a round trip.
const LINGER_MAX: Duration = Duration::from_secs(1);
/// Bytes that are thrown away at once.
const DISCARDED: usize = 4 << 10;

/// A connection whose shutdown ends when the other side has closed too, or after a second.
pub(crate) struct Lingering<T> {
    connection: T,
    /// Set once our side is closed.
    patience: Option<Pin<Box<Sleep>>>,
}

impl<T> Lingering<T> {
    pub(crate) fn new(connection: T) -> Self {
        Self {
            connection,
            patience: None,
        }
    }
}

impl<T: Connected> Connected for Lingering<T> {
    type ConnectInfo = T::ConnectInfo;

    fn connect_info(&self) -> Self::ConnectInfo {
        self.connection.connect_info()
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Lingering<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_read(context, buffer)
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Lingering<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.connection).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.connection).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.connection.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.patience.is_none() {
            ready!(Pin::new(&mut this.connection).poll_shutdown(context))?;
        }
        let patience = this
            .patience
            .get_or_insert_with(|| Box::pin(sleep(LINGER_MAX)));
        // Asked first, so that a client that never stops sending is not read without end.
        while patience.as_mut().poll(context).is_pending() {
            let mut bytes = [0; DISCARDED];
            let mut discarded = ReadBuf::new(&mut bytes);
            let read = Pin::new(&mut this.connection).poll_read(context, &mut discarded);
            // A connection that is broken is closed as well.
            if ready!(read).is_err() || discarded.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};

    async fn pair() -> (Lingering<TcpStream>, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (client, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        (Lingering::new(accepted.unwrap().0), client.unwrap())
    }

    #[tokio::test]
    async fn who_still_sends_gets_the_last_answer_and_a_clean_end() {
        let (mut server, mut client) = pair().await;
        server.write_all(b"the last answer").await.unwrap();
        let closed = tokio::spawn(async move { server.shutdown().await });
        // What the server will never read, before and after its end.
        let mut answer = Vec::new();
        client.write_all(b"a window update").await.unwrap();
        client.read_to_end(&mut answer).await.unwrap();
        client.write_all(b"another one").await.unwrap();
        assert_eq!(client.read(&mut [0; 8]).await.unwrap(), 0, "no reset");
        assert_eq!(answer, b"the last answer");
        assert!(!closed.is_finished(), "it still listens");
        drop(client);
        closed.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn who_never_closes_is_not_waited_for_long() {
        let (server, client) = tokio::io::duplex(64);
        Lingering::new(server).shutdown().await.unwrap();
        drop(client);
    }
}
