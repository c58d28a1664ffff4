//! Requests that are nearly right, by the thousand, over real sockets: every method, broken
//! messages, frames, heads and JSON.
//!
//! Case `n` is the same each time. A thousand of them by default; a million, with the figures of
//! benches/results/reliability.md:
//! ```sh
//! STRATAGEM_FUZZED=1000000 cargo nextest run -p stratagem-integration-tests fuzzed --no-capture
//! ```

mod cases;
mod mutate;

use anytime::SplitMix64;
use cases::{Case, Cases, Way};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::{allocate, iterations, row};
use stratagem_integration_tests::raw::{Answer, exchange, request};
use stratagem_integration_tests::{Process, Server};
use stratagem_proto::v1::Priority;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tonic::Code;
use tonic_types::StatusExt as _;

/// Cases unless it is said otherwise.
const CASES: u64 = 2_000;
/// Connections at once.
const CALLERS: u64 = 8;
/// How often a case is tried on a new connection when the old one has ended.
const TRIES_MAX: usize = 5;
/// What the server may take beyond what it has when it starts: queue, bytes in flight and trees
/// have limits of their own.
const ADDED_KIB_MAX: u64 = 512 << 10;
/// How often the honest client asks.
const HONEST_PAUSE: Duration = Duration::from_millis(10);

type Client = h2::client::SendRequest<bytes::Bytes>;

/// What came of all cases.
#[derive(Default)]
struct Tally(Mutex<BTreeMap<String, u64>>);

impl Tally {
    fn add(&self, what: String) {
        let mut counts = self.0.lock().unwrap();
        *counts.entry(what).or_default() += 1;
    }
}

/// One of those who send them.
struct Caller {
    server: std::net::SocketAddr,
    cases: Arc<Cases>,
    tally: Arc<Tally>,
    client: Option<(Client, JoinHandle<()>)>,
}

impl Caller {
    async fn client(&mut self) -> Result<Client, h2::Error> {
        if let Some((client, driver)) = &self.client
            && !driver.is_finished()
        {
            return Ok(client.clone());
        }
        let tcp = TcpStream::connect(self.server).await.expect("it listens");
        tcp.set_nodelay(true).unwrap();
        let (client, connection) = h2::client::handshake(tcp).await?;
        let driver = tokio::spawn(async move {
            // However it ends: another one is made.
            let _ = connection.await;
        });
        self.client = Some((client.clone(), driver));
        Ok(client)
    }

    async fn play(&mut self, number: u64) {
        let case = self.cases.case(number);
        let outcome = match case.way {
            Way::Bytes => self.bytes(&case).await,
            Way::Cut => self.cut(&case).await,
            Way::Call | Way::Frames | Way::Web => self.call(number, &case).await,
        };
        self.tally.add(format!("{:?} {outcome}", case.way));
    }

    /// A whole exchange. Each case that may be sent is answered.
    async fn call(&mut self, number: u64, case: &Case) -> String {
        let headers: Vec<_> = case.headers.iter().map(|(k, v)| (&**k, &**v)).collect();
        let mut error = String::new();
        for _ in 0..TRIES_MAX {
            let called = async {
                let client = self.client().await?;
                let request = request(self.server, &case.path, &headers);
                exchange(client, request, case.body.clone()).await
            };
            match wait_for("an answer", called).await {
                Ok(answer) => return judged(number, case, &answer),
                Err(broken) => error = broken.to_string(),
            }
            self.client = None;
        }
        panic!("case {number} to {}: {error}", case.path);
    }

    /// Begins a call and goes away.
    async fn cut(&mut self, case: &Case) -> String {
        let headers: Vec<_> = case.headers.iter().map(|(k, v)| (&**k, &**v)).collect();
        let Ok(client) = self.client().await else {
            return "not connected".into();
        };
        let Ok(mut client) = client.ready().await else {
            self.client = None;
            return "closed".into();
        };
        let request = request(self.server, &case.path, &headers);
        match client.send_request(request, false) {
            Ok((answer, mut stream)) => {
                // It may be refused already.
                let _ = stream.send_data(case.body.clone(), false);
                stream.send_reset(h2::Reason::CANCEL);
                drop(answer);
                "reset".into()
            }
            Err(_) => {
                self.client = None;
                "closed".into()
            }
        }
    }

    /// Sends bytes that are hardly HTTP on a separate connection, and reads until the server closes
    /// it.
    async fn bytes(&self, case: &Case) -> String {
        let mut tcp = TcpStream::connect(self.server).await.expect("it listens");
        // It may be closed before all is sent.
        let _ = tcp.write_all(&case.body).await;
        let _ = tcp.shutdown().await;
        let mut answer = Vec::new();
        let mut tcp = tcp.take(1 << 20);
        let read = tcp.read_to_end(&mut answer);
        let read = wait_for("the end of a connection", read).await;
        match read {
            Ok(0) => "closed".into(),
            Ok(_) => "answered".into(),
            Err(_) => "reset".into(),
        }
    }
}

/// The outcome of a case; one that must never be seen is a failure.
fn judged(number: u64, case: &Case, answer: &Answer) -> String {
    let http = answer.http_status;
    let about = || format!("case {number} to {}: {answer:?}", case.path);
    assert_ne!(http, 500, "{}", about());
    let Some(status) = &answer.status else {
        // gRPC-Web has it in its body.
        let kind = answer.headers.get("content-type");
        let is_web = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc-web"));
        assert!(http >= 400 || is_web || case.way == Way::Web, "{}", about());
        return format!("HTTP {http}");
    };
    // gRPC itself refuses frames that it cannot read, before there is a request. Our own errors
    // have a reason.
    let unread = status.code() == Code::Internal && !case.is_framed();
    if unread && status.get_error_details().error_info().is_none() {
        return "Internal, of its frames".into();
    }
    let ours = [Code::Unknown, Code::Internal, Code::DataLoss];
    assert!(!ours.contains(&status.code()), "{}", about());
    format!("{:?}", status.code())
}

/// Asks for what is right all the time; times of the answers in milliseconds.
async fn honest(server: &Server, ended: Arc<AtomicBool>) -> JoinHandle<Vec<f64>> {
    let mut client = server.allocation().await;
    tokio::spawn(async move {
        let (mut times, mut seed) = (Vec::new(), 0);
        while !ended.load(Ordering::Relaxed) {
            let mut options = iterations(25, seed);
            options.set_priority(Priority::High);
            let began = Instant::now();
            let answer =
                wait_for("an answer", client.allocate_tasks(allocate(row(), options))).await;
            answer.expect("who behaves is served");
            times.push(began.elapsed().as_secs_f64() * 1e3);
            seed += 1;
            tokio::time::sleep(HONEST_PAUSE).await;
        }
        times
    })
}

fn count() -> u64 {
    let count = std::env::var("STRATAGEM_FUZZED").ok();
    count.map_or(CASES, |count| count.parse().expect("a number of cases"))
}

/// Prints the outcomes.
fn print_outcomes(tally: &Tally, times: &mut [f64], server: &Process, took: Duration) {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    for (what, count) in tally.0.lock().unwrap().iter() {
        println!("{count:>9}  {what}");
    }
    let all: u64 = tally.0.lock().unwrap().values().sum();
    println!("{:.0} cases a second", all as f64 / took.as_secs_f64());
    println!(
        "honest: {} calls, p50 {:.1} ms, p99 {:.1} ms, max {:.1} ms; memory {:?} KiB at most; {:.0} s",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0),
        server.memory_peak_kib(),
        took.as_secs_f64()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_is_nearly_right_breaks_the_server_or_delays_others() {
    let folder = stratagem_integration_tests::pki::Folder::new();
    let jobs = folder.path("jobs");
    // Slots are for honest clients, too: the others have short deadlines.
    let flags = [
        "--jobs",
        &*jobs,
        "--jobs-max",
        "1000",
        "--job-budget-max",
        "50ms",
    ];
    let server = Process::start(&[&flags[..], &["--job-budget-default", "20ms"]].concat()).await;
    let before = server.memory_peak_kib();
    let (cases, tally) = (Arc::new(Cases::new()), Arc::new(Tally::default()));
    let (all, next) = (count(), Arc::new(AtomicU64::new(0)));
    let (began, ended) = (Instant::now(), Arc::new(AtomicBool::new(false)));
    let honest = honest(&server, Arc::clone(&ended)).await;
    let mut callers = Vec::new();
    for _ in 0..CALLERS {
        let mut caller = Caller {
            server: server.address,
            cases: Arc::clone(&cases),
            tally: Arc::clone(&tally),
            client: None,
        };
        let next = Arc::clone(&next);
        callers.push(tokio::spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= all {
                    return;
                }
                caller.play(number).await;
            }
        }));
    }
    for caller in callers {
        caller.await.unwrap();
    }
    ended.store(true, Ordering::Relaxed);
    let mut times = honest.await.unwrap();
    print_outcomes(&tally, &mut times, &server, began.elapsed());
    let metrics = server.metrics().await;
    // A plan that fails its check is a bug of its planner, and is not sent: it breaks nothing here.
    let unsent = metrics.sum("stratagem_verify_mismatch_total");
    println!("{unsent} plans failed their check and were not sent");
    for line in server.lines().iter().filter(|line| line.contains("ERROR")) {
        println!("{line}");
    }
    assert_eq!(
        metrics.sum("stratagem_panics_total"),
        0.0,
        "{}",
        server.log()
    );
    assert!(!server.log().contains("panicked"), "{}", server.log());
    if let (Some(before), Some(after)) = (before, server.memory_peak_kib()) {
        assert!(
            after - before <= ADDED_KIB_MAX,
            "{before} KiB, and then {after}"
        );
    }
}

#[test]
fn a_case_is_the_same_each_time() {
    let (one, other) = (Cases::new(), Cases::new());
    let mut rng = SplitMix64::new(7);
    for _ in 0..100 {
        let number = rng.number();
        assert_eq!(one.case(number), other.case(number));
    }
}
