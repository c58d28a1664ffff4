//! Clients that go away: their slots are free again, and the server counts each.

use crate::asking::{occupied, unbounded};
use prost::Message as _;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::eventually;
use stratagem_integration_tests::problems::{allocate, budget};
use stratagem_integration_tests::raw::{self, frame};

const BUSY: &str = "stratagem_busy_slots";
const QUEUED: &str = "stratagem_queued_requests";
const CANCEL: &str = "stratagem_cancel_to_free_seconds";

/// Waits until no slot is busy, and this number of searches was cancelled. The bench `service`
/// measures how soon.
async fn freed(server: &Server, cancelled: f64) {
    server.counts(BUSY, 0.0).await;
    eventually("cancellations are counted", async || {
        (server.metrics().await.count(CANCEL) >= cancelled).then_some(())
    })
    .await;
    let counted = server.metrics().await.count(CANCEL);
    assert_eq!(counted, cancelled, "each is counted once");
}

#[tokio::test]
async fn a_stream_that_is_dropped_frees_its_slot() {
    let server = Server::start(&[]).await;
    for _ in 0..12 {
        let steps = occupied(&server).await;
        assert_eq!(server.metrics().await.sum(BUSY), 1.0);
        drop(steps);
        server.counts(BUSY, 0.0).await;
    }
    freed(&server, 12.0).await;
}

#[tokio::test]
async fn a_unary_call_that_is_dropped_frees_its_slot() {
    let server = Server::start(&[]).await;
    for round in 0..8 {
        let mut client = server.allocation().await;
        let request = allocate(unbounded(), budget(60_000 + round));
        let call = tokio::spawn(async move { client.allocate_tasks(request).await });
        server.counts(BUSY, 1.0).await;
        call.abort();
        server.counts(BUSY, 0.0).await;
    }
    freed(&server, 8.0).await;
}

#[tokio::test]
async fn a_connection_that_breaks_frees_the_slots_of_its_calls() {
    let server = Server::start(&[]).await;
    let address = server.address;
    for _ in 0..8 {
        let calls = [raw::ALLOCATE, raw::STREAM_ALLOCATE].map(|path| {
            let body = frame(&allocate(unbounded(), budget(60_000)).encode_to_vec());
            tokio::spawn(async move { raw::call(address, path, &[], body).await.map(|_| ()) })
        });
        server.counts(BUSY, 2.0).await;
        // Each has a connection of its own, which goes down with it.
        calls.iter().for_each(tokio::task::JoinHandle::abort);
        server.counts(BUSY, 0.0).await;
    }
    freed(&server, 16.0).await;
}

#[tokio::test]
async fn a_client_that_freezes_is_noticed() {
    let flags = ["--keepalive-interval", "1s", "--keepalive-timeout", "1s"];
    let server = Server::start(&flags).await;
    let tcp = std::net::TcpStream::connect(server.address).unwrap();
    // Keeps the connection open when nobody reads from it or answers its pings any more.
    let frozen = tcp.try_clone().unwrap();
    tcp.set_nonblocking(true).unwrap();
    let tcp = tokio::net::TcpStream::from_std(tcp).unwrap();
    let body = frame(&allocate(unbounded(), budget(60_000)).encode_to_vec());
    let call = tokio::spawn(async move {
        let call = raw::call_on(tcp, raw::STREAM_ALLOCATE, &[], body);
        call.await.map(|_| ())
    });
    server.counts(BUSY, 1.0).await;
    call.abort();
    freed(&server, 1.0).await;
    drop(frozen);
}

#[tokio::test]
async fn a_client_that_leaves_the_queue_never_gets_a_slot() {
    let server = Server::start(&["--slots", "1"]).await;
    let first = occupied(&server).await;
    let mut other = server.allocation().await;
    let request = allocate(unbounded(), budget(120_000));
    let waiting = tokio::spawn(async move { other.allocate_tasks(request).await });
    server.counts(QUEUED, 1.0).await;
    waiting.abort();
    server.counts(QUEUED, 0.0).await;
    drop(first);
    // Had the second got the slot, it would have been cancelled too.
    freed(&server, 1.0).await;
}
