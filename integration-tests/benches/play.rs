//! Guarantees during play, measured from outside on loopback: whether short calls are answered in
//! time while long searches run.
//!
//! `cargo bench -p stratagem-integration-tests --bench play`. Prints a table for
//! benches/results/reliability.md. Settings:
//!
//! * `STRATAGEM_SECONDS`: length of each row. Default: 20.
//! * `STRATAGEM_PARTS`: some of `idle,open,urgent,health,bombs,refusals` (default: all).
//!
//! Each row starts a server with two slots. The caller shares the machine with it. The control of
//! each row is a thread that sleeps for 1 ms all the time: its lateness is what the machine itself
//! costs.

use prost::Message as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use stratagem_integration_tests::figures::{Sample, is_wanted, machine, ms, setting};
use stratagem_integration_tests::play::{self, Call, Caller, Ended, Random};
use stratagem_integration_tests::problems::{budget, iterations, scattered};
use stratagem_integration_tests::{Process, server::WITHOUT_CACHE};
use stratagem_proto::v1::{AllocateTasksRequest, Priority, SolveOptions};
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until};

/// Callers that measure what the server can do.
const CALLERS: usize = 4;
/// Size of the messages that a caller sends as bombs, once they are decompressed.
const BOMB_BYTES: usize = 16 << 20;

#[tokio::main]
async fn main() {
    if !is_wanted() {
        return;
    }
    println!("Measured on {}.\n", machine());
    println!(
        "| row | calls | in time | 5 to 10 ms | 10 to 25 ms | longer | refused; p50, p99 | control: p50, p99 of lateness | server's processor time |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let length = Duration::from_secs_f64(setting("STRATAGEM_SECONDS", 20.0));
    let all = String::from("idle,open,urgent,health,bombs,refusals");
    for part in setting("STRATAGEM_PARTS", all).split(',') {
        match part {
            "idle" => idle(length).await,
            "open" => open(length, 0.7).await,
            "refusals" => open(length, 2.0).await,
            "urgent" => urgent(length).await,
            "health" => health(length).await,
            "bombs" => bombs().await,
            other => panic!("there is no part {other}"),
        }
    }
}

/// Lateness of sleeps of 1 ms on a thread that does nothing else.
struct Control {
    over: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<Vec<Duration>>,
}

impl Control {
    fn start() -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&over);
        let thread = std::thread::spawn(move || {
            let mut late = vec![Duration::ZERO];
            while !ends.load(Ordering::Relaxed) {
                let begin = Instant::now();
                std::thread::sleep(Duration::from_millis(1));
                late.push(begin.elapsed().saturating_sub(Duration::from_millis(1)));
            }
            late
        });
        Self { over, thread }
    }

    fn end(self) -> String {
        self.over.store(true, Ordering::Relaxed);
        let late = Sample::new(self.thread.join().expect("it only sleeps"));
        format!(
            "{} | {}",
            ms(late.percentile(0.5)),
            ms(late.percentile(0.99))
        )
        .replace(" | ", ", ")
    }
}

/// Prints a row.
fn row(name: &str, ended: &[Ended], control: Control, server: &Process) {
    let share = |from: u64, to: u64| {
        let within = |it: &&Ended| {
            let deadline = it.deadline.as_micros() as u64;
            !it.refused && (from * 1_000..to * 1_000).contains(&deadline)
        };
        let all: Vec<&Ended> = ended.iter().filter(within).collect();
        let good = all.iter().filter(|it| it.in_time).count();
        match all.len() {
            0 => "-".into(),
            count => format!("{:.2} % of {count}", 100.0 * good as f64 / count as f64),
        }
    };
    let refused: Vec<Duration> = ended
        .iter()
        .filter(|it| it.refused)
        .map(|it| it.took)
        .collect();
    let refused = match refused.len() {
        0 => "0".into(),
        count => {
            let sample = Sample::new(refused);
            format!(
                "{count}; {}, {}",
                ms(sample.percentile(0.5)),
                ms(sample.percentile(0.99))
            )
        }
    };
    println!(
        "| {name} | {} | {} | {} | {} | {} | {refused} | {} | {:.2} s |",
        ended.len(),
        share(0, u64::MAX / 1_000),
        share(0, 10),
        share(10, 25),
        share(25, u64::MAX / 1_000),
        control.end(),
        server.processor_time().as_secs_f64(),
    );
}

/// A refusal that takes longer is late.
const REFUSAL_MAX: Duration = Duration::from_millis(10);

/// Prints the late calls, each with its deadline and its delay in ms, and the calls that got an
/// error instead; then late refusals.
fn late(ended: &[Ended]) {
    let late = ended.iter().filter(|it| !it.in_time && !it.refused);
    let mut names: Vec<_> = late.map(|it| (&it.name, it)).collect();
    names.sort_by_key(|(name, it)| (*name, it.deadline));
    let texts = names.iter().map(|(name, it)| {
        let over = it.took.saturating_sub(it.deadline);
        let error = it.error.as_ref();
        let error = error.map_or(String::new(), |it| format!(" {:?}", it.message()));
        format!("{name} {}+{}{error}", ms(it.deadline), ms(over))
    });
    let texts: Vec<_> = texts.collect();
    println!("\nLate: {}.\n", texts.join(", "));
    let late = ended
        .iter()
        .filter(|it| it.refused && it.took > REFUSAL_MAX);
    let texts = late.map(|it| format!("{} {}+{}", it.name, ms(it.deadline), ms(it.took)));
    let texts: Vec<_> = texts.collect();
    println!("Refused late: {}.\n", texts.join(", "));
}

/// The examples, one at a time, with deadlines of 5 to 250 ms.
async fn idle(length: Duration) {
    let server = Process::start(WITHOUT_CACHE).await;
    let caller = Caller::new(server.channel().await);
    let calls = play::examples(&server).await;
    let mut random = Random::new(1);
    warm_up(&caller, &calls).await;
    let control = Control::start();
    let (mut ended, begin) = (Vec::new(), Instant::now());
    while begin.elapsed() < length {
        let call = random.pick(&calls);
        ended.push(caller.send(call, random.deadline()).await);
        // Nothing is left running.
        sleep(Duration::from_millis(1)).await;
    }
    row("examples, one at a time", &ended, control, &server);
    late(&ended);
}

/// Every example once, so that neither connection nor pages of memory are new.
async fn warm_up(caller: &Caller, calls: &[Call]) {
    for call in calls {
        caller.send(call, Duration::from_millis(100)).await;
    }
}

/// The examples at random moments, at a share of what four callers get.
async fn open(length: Duration, load: f64) {
    let server = Process::start(WITHOUT_CACHE).await;
    let calls = Arc::new(play::examples(&server).await);
    let mut callers = Vec::new();
    for _ in 0..8 {
        callers.push(Caller::new(server.channel().await));
    }
    warm_up(&callers[0], &calls).await;
    let rate = capacity(&callers, &calls).await * load;
    let mut random = Random::new(2);
    let control = Control::start();
    let (mut running, mut next, begin) =
        (JoinSet::new(), tokio::time::Instant::now(), Instant::now());
    let mut count = 0;
    while begin.elapsed() < length {
        next += random.gap(rate);
        sleep_until(next).await;
        let (caller, calls) = (callers[count % callers.len()].clone(), Arc::clone(&calls));
        let (index, deadline) = (random.below(calls.len()), random.deadline());
        running.spawn(async move { caller.send(&calls[index], deadline).await });
        count += 1;
    }
    let ended = running.join_all().await;
    let name = format!("examples, {:.0} % load, {rate:.0} a second", load * 100.0);
    row(&name, &ended, control, &server);
    late(&ended);
}

/// Calls a second that four callers get, each of whom calls again once it is answered.
async fn capacity(callers: &[Caller], calls: &Arc<Vec<Call>>) -> f64 {
    let length = Duration::from_secs(4);
    let mut running = JoinSet::new();
    for (i, caller) in callers.iter().take(CALLERS).cloned().enumerate() {
        let calls = Arc::clone(calls);
        running.spawn(async move {
            let (mut random, mut answered, begin) =
                (Random::new(10 + i as u64), 0_u32, Instant::now());
            while begin.elapsed() < length {
                let ended = caller.send(random.pick(&calls), random.deadline()).await;
                answered += u32::from(!ended.refused);
            }
            answered
        });
    }
    let answered: u32 = running.join_all().await.iter().sum();
    f64::from(answered) / length.as_secs_f64()
}

fn allocate(tasks: usize, seed: u64, options: SolveOptions) -> Call {
    let request = AllocateTasksRequest {
        problem: Some(scattered(seed, 3, tasks)),
        options: Some(options),
    };
    Call::new(
        "/stratagem.v1.AllocationService/AllocateTasks",
        request.encode_to_vec(),
    )
}

/// Short calls of 15 ms with about 1 ms of search, 20 a second, next to two searches of a second.
async fn urgent(length: Duration) {
    for (name, short, long) in [
        (
            "15 ms HIGH next to two LOW of 1 s",
            Priority::High,
            Priority::Low,
        ),
        (
            "15 ms next to two of 1 s, same class",
            Priority::Normal,
            Priority::Normal,
        ),
    ] {
        let server = Process::start(WITHOUT_CACHE).await;
        let caller = Caller::new(server.channel().await);
        let class = |class: Priority, options| SolveOptions {
            priority: class.into(),
            ..options
        };
        let stop = Arc::new(AtomicBool::new(false));
        let mut long_ones = JoinSet::new();
        for i in 0..2 {
            let (caller, stop) = (Caller::new(server.channel().await), Arc::clone(&stop));
            let call = allocate(100, 7 + i, class(long, budget(1_000)));
            long_ones.spawn(async move {
                let mut ended = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    ended.push(caller.send(&call, Duration::from_millis(1_500)).await);
                }
                ended
            });
        }
        sleep(Duration::from_millis(300)).await;
        let control = Control::start();
        let (mut ended, begin, mut random) = (Vec::new(), Instant::now(), Random::new(3));
        while begin.elapsed() < length {
            let call = allocate(20, 3, class(short, iterations(100, ended.len() as i64)));
            ended.push(caller.send(&call, Duration::from_millis(15)).await);
            sleep(random.gap(20.0)).await;
        }
        row(name, &ended, control, &server);
        late(&ended);
        stop.store(true, Ordering::Relaxed);
        let long_ones: Vec<Ended> = long_ones.join_all().await.into_iter().flatten().collect();
        let good = long_ones.iter().filter(|it| it.in_time).count();
        println!(
            "\nThe long ones: {good} of {} answered in time.\n",
            long_ones.len()
        );
    }
}

/// Health checks next to eight callers of a story whose validation is dear.
async fn health(length: Duration) {
    let server = Process::start(WITHOUT_CACHE).await;
    let weekend = play::examples(&server).await.into_iter();
    let weekend = weekend
        .filter(|it| it.name == "story/weekend")
        .collect::<Vec<_>>();
    let stop = Arc::new(AtomicBool::new(false));
    let mut others = JoinSet::new();
    for _ in 0..8 {
        let (caller, stop) = (Caller::new(server.channel().await), Arc::clone(&stop));
        let call = weekend[0].clone();
        others.spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                caller.send(&call, Duration::from_millis(10)).await;
            }
        });
    }
    let probe = Call::new("/grpc.health.v1.Health/Check", Vec::new());
    let caller = Caller::new(server.channel().await);
    let control = Control::start();
    let ended = every(&caller, &probe, Duration::from_millis(5), length).await;
    stop.store(true, Ordering::Relaxed);
    others.join_all().await;
    waits("health next to 8 callers of story/weekend", &ended);
    row("the same", &ended, control, &server);
}

/// A call after each pause, with a deadline that does not matter.
async fn every(caller: &Caller, call: &Call, pause: Duration, length: Duration) -> Vec<Ended> {
    let (mut ended, begin) = (Vec::new(), Instant::now());
    while begin.elapsed() < length {
        ended.push(caller.send(call, Duration::from_secs(5)).await);
        sleep(pause).await;
    }
    ended
}

fn waits(name: &str, ended: &[Ended]) {
    let times = Sample::new(ended.iter().map(|it| it.took).collect());
    println!("\n{name}: p50, p99, worst in ms: {}\n", times.cells());
}

/// Health checks and small plans next to a caller that sends 100 small zstd messages, which are
/// large once decompressed.
async fn bombs() {
    let server = Process::start(WITHOUT_CACHE).await;
    let bomb = Call::bomb("/stratagem.v1.AllocationService/AllocateTasks", BOMB_BYTES);
    let (probing, planning) = (
        Caller::new(server.channel().await),
        Caller::new(server.channel().await),
    );
    let attacker = Caller::new(server.channel().await);
    let probe = Call::new("/grpc.health.v1.Health/Check", Vec::new());
    let small = allocate(20, 3, iterations(50, 1));
    let control = Control::start();
    let length = Duration::from_secs(4);
    let attack = async {
        sleep(Duration::from_millis(500)).await;
        let (mut sent, begin) = (JoinSet::new(), Instant::now());
        for _ in 0..100 {
            let (attacker, bomb) = (attacker.clone(), bomb.clone());
            sent.spawn(async move { attacker.send(&bomb, Duration::from_secs(5)).await });
        }
        sent.join_all().await;
        begin.elapsed()
    };
    let pause = Duration::from_millis(2);
    let (probes, plans, took) = tokio::join!(
        every(&probing, &probe, pause, length),
        every(&planning, &small, pause, length),
        attack
    );
    waits("health next to 100 bombs", &probes);
    waits("plans of 50 iterations next to 100 bombs", &plans);
    println!(
        "All {} bytes each; answered after {} ms.\n",
        bomb.len(),
        ms(took)
    );
    row("plans next to 100 bombs", &plans, control, &server);
}
