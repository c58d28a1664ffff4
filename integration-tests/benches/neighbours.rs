//! Effect on one tenant of another tenant that calls a hundred times as often as it may.
//!
//! ```sh
//! cargo build --release --bins && cargo bench -p stratagem-integration-tests --bench neighbours
//! ```
//! The server has two slots. The quiet tenant requests searches of 25 ms at regular times. The loud
//! tenant may have one slot and ten calls a second: it sends what its quota allows, or a hundred
//! times as many calls. The two loads take turns, so that a busy machine affects both.
//! `STRATAGEM_SECONDS`: length of a turn. Default: 10.

use std::sync::Arc;
use std::time::Duration;
use stratagem_integration_tests::figures::{is_wanted, machine, setting};
use stratagem_integration_tests::pki::Folder;
use stratagem_integration_tests::problems::{allocate, budget, scattered};
use stratagem_integration_tests::{Process, Server};
use stratagem_proto::v1::AllocateTasksRequest;
use stratagem_proto::v1::allocation_service_client::AllocationServiceClient;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tonic::transport::Channel;
use tonic::{Code, Request};

const QUOTAS: &str = "[tenants.loud]\ncalls_per_second = 10\nslots_max = 1\nqueue_share = 0.25\n";
const QUIET_PER_SECOND: f64 = 20.0;
const LOUD_PER_SECOND: f64 = 10.0;
const TURNS: usize = 4;

/// How long each call took, and how many were refused.
#[derive(Default)]
struct Seen {
    millis: Vec<f64>,
    refused: usize,
}

impl Seen {
    fn add(&mut self, other: Self) {
        self.millis.extend(other.millis);
        self.refused += other.refused;
    }

    fn quantile(&mut self, share: f64) -> f64 {
        self.millis.sort_by(f64::total_cmp);
        let last = self.millis.len().saturating_sub(1);
        // Rounded up: never better than it was.
        let at = (last as f64 * share).ceil() as usize;
        self.millis.get(at).copied().unwrap_or(f64::NAN)
    }
}

fn request(tenant: &str) -> Request<AllocateTasksRequest> {
    let mut request = Request::new(allocate(scattered(1, 3, 30), budget(25)));
    let bearer = format!("Bearer token-of-{tenant}-0123456789");
    let metadata = request.metadata_mut();
    metadata.insert("authorization", bearer.parse().expect("it is plain"));
    request
}

/// Asks at regular times, whether the answers before have come or not.
async fn ask(
    client: AllocationServiceClient<Channel>,
    tenant: &'static str,
    per_second: f64,
    length: Duration,
) -> Seen {
    let mut ticks = interval(Duration::from_secs_f64(1.0 / per_second));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let begin = Instant::now();
    let mut calls = Vec::new();
    while begin.elapsed() < length {
        ticks.tick().await;
        let mut client = client.clone();
        calls.push(tokio::spawn(async move {
            let asked = Instant::now();
            let answer = client.allocate_tasks(request(tenant)).await;
            (
                asked.elapsed(),
                answer.map_err(|status| status.code()).err(),
            )
        }));
    }
    let mut seen = Seen::default();
    for call in calls {
        match call.await.expect("calls do not panic") {
            (took, None) => seen.millis.push(took.as_secs_f64() * 1e3),
            (_, Some(Code::ResourceExhausted | Code::Unavailable)) => seen.refused += 1,
            (_, Some(code)) => panic!("{code:?}"),
        }
    }
    seen
}

async fn turn(server: &Server, times: f64, length: Duration) -> (Seen, Seen) {
    let quiet = ask(server.allocation().await, "quiet", QUIET_PER_SECOND, length);
    let loud = LOUD_PER_SECOND * times;
    let loud = ask(server.allocation().await, "loud", loud, length);
    tokio::join!(quiet, loud)
}

#[tokio::main]
async fn main() {
    if !is_wanted() {
        return;
    }
    let seconds = setting("STRATAGEM_SECONDS", 10_u64);
    println!("Measured on {}.\n", machine());
    let folder = Folder::new();
    let token = |name: &str| {
        format!("[[token]]\ntenant = \"{name}\"\ntoken = \"token-of-{name}-0123456789\"\n")
    };
    let tokens = folder.write("tokens.toml", &(token("quiet") + &token("loud")));
    let tenants = folder.write("tenants.toml", QUOTAS);
    let flags = [
        "--tokens",
        &tokens,
        "--tenants",
        &tenants,
        "--cache-bytes-max",
        "0",
    ];
    let server = Arc::new(Process::start(&flags).await);
    let mut seen: [(Seen, Seen); 2] = Default::default();
    for _ in 0..TURNS {
        for (times, seen) in [1.0, 100.0].into_iter().zip(&mut seen) {
            let (quiet, loud) = turn(&server, times, Duration::from_secs(seconds)).await;
            seen.0.add(quiet);
            seen.1.add(loud);
        }
    }
    for (times, (quiet, loud)) in [1, 100].into_iter().zip(&mut seen) {
        println!(
            "loud at {times:>3}x: quiet p50 {:.1} ms, p99 {:.1} ms of {} ({} refused); loud: {} answered, {} refused",
            quiet.quantile(0.5),
            quiet.quantile(0.99),
            quiet.millis.len(),
            quiet.refused,
            loud.millis.len(),
            loud.refused,
        );
    }
    let [(mut usual, _), (mut crowded, _)] = seen;
    println!(
        "ratio of p99: {:.3}",
        crowded.quantile(0.99) / usual.quantile(0.99)
    );
}
