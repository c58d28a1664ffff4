//! Clients that go away: their slots are free again at once, and the server says how soon.

use crate::asking::unbounded;
use prost::Message as _;
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::problems::{allocate, budget};
use stratagem_integration_tests::raw::{self, frame};
use stratagem_integration_tests::{Server, metrics::Metrics};

const BUSY: &str = "stratagem_busy_slots";
const CANCEL: &str = "stratagem_cancel_to_free_seconds";

/// Waits until a number of slots is busy.
async fn busy(server: &Server, slots: f64) -> Metrics {
    eventually(&format!("{slots} slots are busy"), async || {
        let metrics = server.metrics().await;
        (metrics.sum(BUSY) == slots).then_some(metrics)
    })
    .await
}

/// Waits until this number of searches was cancelled and checks that their slots were free within
/// 20 ms. Some may take longer on a busy machine; the bench `service` measures an idle one.
async fn freed_in_time(server: &Server, cancelled: f64) {
    let metrics = all_freed(server, cancelled).await;
    let in_time = metrics.at_most(CANCEL, "0.02");
    assert!(
        in_time >= cancelled / 4.0,
        "{in_time} of {cancelled}: {metrics:?}"
    );
}

/// Waits until this number of searches was cancelled and checks that none took long.
async fn all_freed(server: &Server, cancelled: f64) -> Metrics {
    busy(server, 0.0).await;
    let metrics = eventually("cancellations are counted", async || {
        let metrics = server.metrics().await;
        (metrics.count(CANCEL) >= cancelled).then_some(metrics)
    })
    .await;
    assert_eq!(metrics.count(CANCEL), cancelled, "each is counted once");
    assert_eq!(metrics.at_most(CANCEL, "1"), cancelled, "{metrics:?}");
    metrics
}

#[tokio::test]
async fn a_stream_that_is_dropped_frees_its_slot() {
    let server = Server::start(&[]).await;
    let mut client = server.allocation().await;
    for _ in 0..12 {
        let call = client.stream_allocate_tasks(allocate(unbounded(), budget(60_000)));
        let mut steps = call.await.unwrap().into_inner();
        wait_for("a first plan", steps.message())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(server.metrics().await.sum(BUSY), 1.0);
        drop(steps);
        busy(&server, 0.0).await;
    }
    freed_in_time(&server, 12.0).await;
}

#[tokio::test]
async fn a_unary_call_that_is_dropped_frees_its_slot() {
    let server = Server::start(&[]).await;
    for round in 0..8 {
        let mut client = server.allocation().await;
        let request = allocate(unbounded(), budget(60_000 + round));
        let call = tokio::spawn(async move { client.allocate_tasks(request).await });
        busy(&server, 1.0).await;
        call.abort();
        busy(&server, 0.0).await;
    }
    freed_in_time(&server, 8.0).await;
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
        busy(&server, 2.0).await;
        // Each has a connection of its own, which goes down with it.
        calls.iter().for_each(tokio::task::JoinHandle::abort);
        busy(&server, 0.0).await;
    }
    freed_in_time(&server, 16.0).await;
}

#[tokio::test]
async fn a_client_that_freezes_is_noticed() {
    let flags = [
        "--keepalive-interval",
        "100ms",
        "--keepalive-timeout",
        "100ms",
    ];
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
    busy(&server, 1.0).await;
    call.abort();
    all_freed(&server, 1.0).await;
    drop(frozen);
}

#[tokio::test]
async fn a_client_that_leaves_the_queue_never_gets_a_slot() {
    let server = Server::start(&["--slots", "1"]).await;
    let mut client = server.allocation().await;
    let call = client.stream_allocate_tasks(allocate(unbounded(), budget(60_000)));
    let mut first = call.await.unwrap().into_inner();
    wait_for("a first plan", first.message())
        .await
        .unwrap()
        .unwrap();
    let mut other = server.allocation().await;
    let request = allocate(unbounded(), budget(120_000));
    let waiting = tokio::spawn(async move { other.allocate_tasks(request).await });
    let queued = async |count: f64| {
        eventually("the queue", async || {
            let metrics = server.metrics().await;
            (metrics.sum("stratagem_queued_requests") == count).then_some(())
        })
        .await;
    };
    queued(1.0).await;
    waiting.abort();
    queued(0.0).await;
    drop(first);
    busy(&server, 0.0).await;
    // Had the second got the slot, it would have been cancelled too.
    all_freed(&server, 1.0).await;
}
