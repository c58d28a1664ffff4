//! Connections: admission, encryption, age limits, and ends without harm.
//!
//! tonic's own server has neither certificates that change, nor a limit of connections, nor ages
//! that differ, and it cuts connections without notice some time after their age. So hyper is used
//! directly. A connection beyond the limit is closed immediately instead of waiting: the caller
//! sees UNAVAILABLE and tries another server.

mod activity;
mod farewell;
mod http;
mod peers;

use crate::flight::{Counted, Flight, Outbox};
use crate::jitter::random_share;
use crate::linger::Lingering;
use crate::link::{Link, Traffic};
use crate::metrics::Metrics;
use crate::tls::{HANDSHAKE, PLAIN_ANSWER, Tls};
use ::http::{Request, Response};
pub(crate) use activity::{Activity, RunningCall};
use farewell::Farewell;
pub(crate) use http::Wire;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use peers::Peers;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tonic::body::Body;
use tower::{Service, ServiceExt as _};

/// After an error of accepting, which is most often that there are no more file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long a connection may be silent before the system probes it.
const TCP_KEEPALIVE: Duration = Duration::from_secs(60);
/// How long a slow reader has to take its GOAWAY.
const FAREWELL: Duration = Duration::from_secs(1);
/// Bytes of the preface of HTTP/2. A client that sends fewer has requested nothing.
const PREFACE_BYTES: u64 = 24;
/// Ages differ by so much in both directions, so that callers do not all come back at once.
const AGE_JITTER: f64 = 0.1;

/// What holds for all connections of a port.
#[derive(Clone)]
pub(crate) struct Rules {
    /// How many there may be.
    pub connections_max: usize,
    /// How many of one peer.
    pub peer_max: usize,
    /// How HTTP is spoken.
    pub wire: Wire,
    /// Encryption; without, everything is plain.
    pub tls: Option<Tls>,
    /// How long a handshake may take.
    pub handshake_timeout: Duration,
    /// How long one may say nothing after it.
    pub header_timeout: Duration,
    /// When one is asked to connect again; never if `None`.
    pub age: Option<Duration>,
    /// How long one may have no calls before it is asked to go; no limit if `None`.
    pub idle: Option<Duration>,
    /// How long one that was asked to go has to end its calls.
    pub age_grace: Duration,
    /// How long an answer may wait to be read.
    pub send_timeout: Duration,
    /// What is counted of requests and answers.
    pub flight: Flight,
    /// Where connections are counted; those of some ports are not.
    pub metrics: Option<Metrics>,
}

/// A service for hyper, whatever layers it has.
pub(crate) trait Calls:
    Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send + 'static>
    + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> Calls for S where
    S: Service<
            Request<Body>,
            Response = Response<Body>,
            Error = Infallible,
            Future: Send + 'static,
        > + Clone
        + Send
        + Sync
        + 'static
{
}

/// Serves until `closing` says so, or is gone, and all connections have ended.
pub(crate) async fn serve<S: Calls>(
    rules: Rules,
    listener: TcpListener,
    service: S,
    mut closing: watch::Receiver<bool>,
) {
    let door = Door::new(rules);
    let (open, mut all_closed) = mpsc::channel::<()>(1);
    loop {
        let accepted = tokio::select! {
            biased;
            // Without a sender the server was dropped.
            _ = closing.wait_for(|closing| *closing) => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::debug!("accepting: {error}");
                sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Some((stream, place)) = door.enter(stream, peer) else {
            continue;
        };
        let one = One {
            rules: Arc::clone(&door.rules),
            closing: closing.clone(),
        };
        let (service, open) = (service.clone(), open.clone());
        one.rules.opened(1.0);
        tokio::spawn(async move {
            let how = one.serve(stream, service).await;
            one.rules.count(how);
            one.rules.opened(-1.0);
            drop((place, open));
        });
    }
    // Nobody hears any more who comes now: the system says so.
    drop(listener);
    drop(open);
    let _ = all_closed.recv().await;
}

/// Lets connections in.
struct Door {
    rules: Arc<Rules>,
    room: Arc<Semaphore>,
    peers: Peers,
    farewell: Farewell,
}

impl Door {
    fn new(rules: Rules) -> Self {
        Self {
            room: Arc::new(Semaphore::new(rules.connections_max)),
            peers: Peers::new(rules.peer_max),
            farewell: Farewell::new(),
            rules: Arc::new(rules),
        }
    }

    /// A connection and its place, if there is one: what is refused is closed.
    fn enter(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
    ) -> Option<(TcpStream, (peers::Place, OwnedSemaphorePermit))> {
        let (outcome, reason) = match self.peers.enter(peer.ip()) {
            None => ("refused_peer", "too_many_connections_of_peer"),
            Some(place) => match Arc::clone(&self.room).try_acquire_owned() {
                Ok(room) => return Some((stream, (place, room))),
                Err(_) => ("refused", "too_many_connections"),
            },
        };
        self.rules.count(outcome);
        if self.rules.tls.is_none() {
            self.farewell.close(stream, reason);
        }
        None
    }
}

impl Rules {
    fn count(&self, outcome: &'static str) {
        if let Some(metrics) = &self.metrics {
            metrics.connection(outcome);
        }
    }

    fn opened(&self, by: f64) {
        if let Some(metrics) = &self.metrics {
            metrics.connections(by);
        }
    }

    /// This connection's age.
    fn age(&self) -> Option<Duration> {
        self.age.map(|age| age.mul_f64(jittered(random_share())))
    }
}

/// A factor around 1, by a random share.
fn jittered(share: f64) -> f64 {
    1.0 + AGE_JITTER * (2.0 * share - 1.0)
}

/// One connection.
struct One {
    rules: Arc<Rules>,
    closing: watch::Receiver<bool>,
}

impl One {
    /// From its beginning to its end, and how it ended.
    async fn serve<S: Calls>(&self, stream: TcpStream, service: S) -> &'static str {
        // Both fail when it is gone already.
        let _ = stream.set_nodelay(true);
        let _ = keep_alive(&stream);
        let mut closing = self.closing.clone();
        let begun = tokio::select! {
            biased;
            _ = closing.wait_for(|closing| *closing) => return "closed",
            begun = timeout(self.rules.handshake_timeout, self.begin(stream)) => begun,
        };
        match begun {
            Ok(Ok(link)) => self.calls(link, service).await,
            Ok(Err(error)) => {
                tracing::debug!("a handshake failed: {error}");
                "handshake_failed"
            }
            Err(_) => "handshake_slow",
        }
    }

    /// The handshake, where there is one.
    async fn begin(&self, mut stream: TcpStream) -> io::Result<Link> {
        let Some(tls) = &self.rules.tls else {
            return Ok(Link::plain(stream));
        };
        let mut first = [0];
        if stream.peek(&mut first).await? == 1 && first[0] != HANDSHAKE {
            stream.write_all(PLAIN_ANSWER).await?;
            let mut stream = Lingering::new(stream);
            stream.shutdown().await?;
            return Err(io::Error::other("it does not speak TLS"));
        }
        let acceptor = TlsAcceptor::from(Arc::clone(&*tls.now()));
        let stream = acceptor.accept(Lingering::new(stream)).await?;
        Ok(Link::secret(stream))
    }

    /// Its calls.
    async fn calls<S: Calls>(&self, link: Link, service: S) -> &'static str {
        let rules = &*self.rules;
        let seen = Seen {
            traffic: link.traffic(),
            outbox: Outbox::default(),
            activity: Activity::new(),
        };
        let (outbox, activity) = (seen.outbox.clone(), seen.activity.clone());
        let service = Counted::new(service, rules.flight.clone(), outbox, activity);
        let service =
            service.map_request(|request: Request<hyper::body::Incoming>| request.map(Body::new));
        let builder = rules.wire.builder();
        let service = TowerToHyperService::new(service);
        let mut connection = pin!(builder.serve_connection(TokioIo::new(link), service));
        let leave = tokio::select! {
            ended = connection.as_mut() => return end(ended, "closed"),
            leave = self.leave(&seen) => leave,
        };
        let (outcome, grace) = match leave {
            // It has not begun: nothing can be said to it.
            Leave::Silent => return "silent",
            Leave::SlowReader => ("slow_reader", Some(FAREWELL)),
            Leave::Aged => ("aged", Some(rules.age_grace)),
            Leave::Idle => ("idle", Some(rules.age_grace)),
            Leave::Closing => ("closed", None),
        };
        // GOAWAY: no new calls; those that run go on.
        connection.as_mut().graceful_shutdown();
        tokio::select! {
            ended = connection.as_mut() => end(ended, outcome),
            () = after(grace) => if outcome == "slow_reader" { outcome } else { "cut" },
            () = slow_reader(&seen.outbox, rules.send_timeout), if outcome != "slow_reader" => {
                "slow_reader"
            }
        }
    }

    /// Waits until it has to go.
    async fn leave(&self, seen: &Seen) -> Leave {
        let rules = &*self.rules;
        let mut closing = self.closing.clone();
        tokio::select! {
            () = silent(&seen.traffic, rules.header_timeout) => Leave::Silent,
            () = slow_reader(&seen.outbox, rules.send_timeout) => Leave::SlowReader,
            () = after(rules.age()) => Leave::Aged,
            () = seen.activity.idle(rules.idle) => Leave::Idle,
            _ = closing.wait_for(|closing| *closing) => Leave::Closing,
        }
    }
}

/// What is known of a connection.
struct Seen {
    traffic: Traffic,
    outbox: Outbox,
    activity: Activity,
}

/// Why a connection has to go.
#[derive(Debug, Clone, Copy)]
enum Leave {
    /// It has not begun in time.
    Silent,
    /// An answer was not read in time.
    SlowReader,
    /// It is old.
    Aged,
    /// It has had no calls for long.
    Idle,
    /// The server stops.
    Closing,
}

/// How a connection has ended.
fn end<E: std::fmt::Display>(ended: Result<(), E>, outcome: &'static str) -> &'static str {
    if let Err(error) = ended {
        tracing::debug!("a connection failed: {error}");
    }
    outcome
}

/// Returns when less than the beginning of HTTP/2 has come in this time, else never.
async fn silent(traffic: &Traffic, time: Duration) {
    sleep(time).await;
    if traffic.read() >= PREFACE_BYTES {
        std::future::pending::<()>().await;
    }
}

/// Returns when an answer has waited for this time to be read.
async fn slow_reader(outbox: &Outbox, time: Duration) {
    loop {
        let waits = outbox.oldest().map(|since| since.elapsed());
        let waits = waits.unwrap_or_default();
        if waits >= time {
            return;
        }
        sleep(time - waits).await;
    }
}

/// What connections are served with, on tokio.
pub(crate) type Builder = auto::Builder<TokioExecutor>;

/// Waits; without a time, unlimited.
async fn after(time: Option<Duration>) {
    match time {
        Some(time) => sleep(time).await,
        None => std::future::pending().await,
    }
}

/// Lets the system find out when the other side is gone.
fn keep_alive(stream: &TcpStream) -> io::Result<()> {
    use rustix::net::sockopt;
    sockopt::set_socket_keepalive(stream, true)?;
    sockopt::set_tcp_keepidle(stream, TCP_KEEPALIVE)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::jittered;

    #[test]
    fn ages_lie_around_what_was_asked_for() {
        assert!((jittered(0.0) - 0.9).abs() < 1e-9);
        assert!((jittered(0.5) - 1.0).abs() < 1e-9);
        assert!((jittered(1.0) - 1.1).abs() < 1e-9);
    }
}
