//! What a connection is made of: bytes over TCP, encrypted or not, and counted.

use crate::linger::Lingering;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

/// Bytes that have gone through a connection; clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Traffic(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    read: AtomicU64,
}

impl Traffic {
    /// Bytes that have come.
    pub(crate) fn read(&self) -> u64 {
        self.0.read.load(Ordering::Relaxed)
    }
}

/// A connection.
pub(crate) struct Link {
    bytes: Bytes,
    traffic: Traffic,
}

enum Bytes {
    Plain(Lingering<TcpStream>),
    Secret(Box<TlsStream<Lingering<TcpStream>>>),
}

impl Link {
    /// Without encryption.
    pub(crate) fn plain(stream: TcpStream) -> Self {
        Self {
            bytes: Bytes::Plain(Lingering::new(stream)),
            traffic: Traffic::default(),
        }
    }

    /// After a handshake.
    pub(crate) fn secret(stream: TlsStream<Lingering<TcpStream>>) -> Self {
        Self {
            bytes: Bytes::Secret(Box::new(stream)),
            traffic: Traffic::default(),
        }
    }

    /// What goes through it.
    pub(crate) fn traffic(&self) -> Traffic {
        self.traffic.clone()
    }
}

/// Calls a method of whichever kind of connection it is.
macro_rules! within {
    ($link:expr, $inner:ident => $call:expr) => {
        match &mut $link.bytes {
            Bytes::Plain(stream) => {
                let $inner = Pin::new(stream);
                $call
            }
            Bytes::Secret(stream) => {
                let $inner = Pin::new(&mut **stream);
                $call
            }
        }
    };
}

impl AsyncRead for Link {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(within!(self, inner => inner.poll_read(context, buffer)))?;
        let bytes = (buffer.filled().len() - before) as u64;
        self.traffic.0.read.fetch_add(bytes, Ordering::Relaxed);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Link {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        within!(self, inner => inner.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        within!(self, inner => inner.poll_write_vectored(context, bytes))
    }

    fn is_write_vectored(&self) -> bool {
        match &self.bytes {
            Bytes::Plain(stream) => stream.is_write_vectored(),
            Bytes::Secret(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        within!(self, inner => inner.poll_flush(context))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        within!(self, inner => inner.poll_shutdown(context))
    }
}
