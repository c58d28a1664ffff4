//! Jobs at a real broker, shared by servers.

mod sessions;
mod turns;

use super::history::{Stage, acts, holds};
use super::{answer, create, happens, of_allocation, plan, reason, step, take, wanted, whole};
use crate::config::Config;
use crate::jobs::Jobs;
use crate::jobs::life::{Deed, Step, after};
use crate::jobs::nats::{Nats, Settings};
use crate::jobs::store::{Changed, Kept, Store, Weights};
use proptest::prelude::*;
use runtime::Drain;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use stratagem_proto::v1::{self as pb, JobState as State};
use tokio::time::{sleep, timeout};

/// How long anything may take that should be there at once. Reached only when something is broken.
const PATIENCE: Duration = Duration::from_secs(60);
/// Where Debian has it, which is on no path of people who are not root.
const PROGRAMS: [&str; 3] = [
    "nats-server",
    "/usr/sbin/nats-server",
    "/usr/local/bin/nats-server",
];

fn is_there(program: &String) -> bool {
    let mut version = Command::new(program);
    version
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok()
}

/// A broker of its own, on a free port; gone at the end.
struct Broker {
    program: String,
    folder: PathBuf,
    port: u16,
    child: Option<Child>,
}

impl Broker {
    /// `None` where there is no such program, which is said.
    fn new() -> Option<Self> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let own = std::env::var("STRATAGEM_NATS_SERVER").ok();
        let programs = own.into_iter().chain(PROGRAMS.map(String::from));
        let Some(program) = programs.into_iter().find(is_there) else {
            eprintln!("skipped: there is no nats-server");
            return None;
        };
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("stratagem-nats-{}-{next}", std::process::id());
        let free = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let mut broker = Self {
            program,
            folder: std::env::temp_dir().join(name),
            port: free.local_addr().unwrap().port(),
            child: None,
        };
        drop(free);
        broker.start();
        Some(broker)
    }

    fn start(&mut self) {
        let mut command = Command::new(&self.program);
        let flags = format!("-a 127.0.0.1 -p {} -js -sd", self.port);
        command.args(flags.split(' '));
        let command = command
            .arg(&self.folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        self.child = Some(command.spawn().unwrap());
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Streams of this name, and a short lease.
    fn settings(&self, name: &str) -> Settings {
        let url = format!("nats://127.0.0.1:{}", self.port).parse().unwrap();
        Settings {
            lease: Duration::from_millis(500),
            jobs_max: 100,
            name: name.into(),
            ..Settings::new(&Config::default(), &url)
        }
    }

    async fn server(&self) -> (Jobs, Arc<Nats>) {
        let store = Arc::new(opened(self.settings("test")).await);
        (Jobs::new(Arc::clone(&store) as _, Drain::default()), store)
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.kill();
        // It is in the folder for what may be lost.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// One tenant is worth three others.
fn weights() -> Weights {
    Arc::new(|tenant| if tenant == "heavy" { 3.0 } else { 1.0 })
}

/// A store that knows all its jobs.
async fn opened(settings: Settings) -> Nats {
    let store = Nats::open(settings, weights()).await.unwrap();
    eventually(async || store.before(None, 1).await.ok()).await;
    store
}

/// Asks again until there is an answer.
async fn eventually<T>(probe: impl AsyncFn() -> Option<T>) -> T {
    let asking = async {
        loop {
            if let Some(answer) = probe().await {
                return answer;
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, asking)
        .await
        .expect("it comes in the end")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn nothing_is_lost_or_doubled_at_a_broker(acts in acts()) {
        let Some(broker) = Broker::new() else { return Ok(()) };
        let stage = Stage {
            servers: 2,
            patience: Duration::from_millis(100),
            open: async || Arc::new(opened(broker.settings("test")).await) as Arc<dyn Store>,
        };
        holds(acts, stage)?;
    }
}

#[tokio::test]
async fn a_request_that_is_repeated_anywhere_at_once_makes_one_job() {
    let Some(broker) = Broker::new() else { return };
    let servers = [broker.server().await, broker.server().await];
    let mut calls = Vec::new();
    for number in 0..16 {
        let jobs = servers[number % 2].0.clone();
        let same = wanted("a b.*>", pb::Priority::Low);
        calls.push(tokio::spawn(async move {
            jobs.create(same, None).await.unwrap()
        }));
    }
    let mut made = Vec::new();
    for call in calls {
        made.push(call.await.unwrap());
    }
    assert!(made.iter().all(|(job, _)| job.job_id == made[0].0.job_id));
    assert_eq!(made.iter().filter(|(_, existed)| !existed).count(), 1);
    let other = wanted("a b.*>", pb::Priority::High);
    assert_eq!(reason(servers[1].0.create(other, None).await), "JOB_EXISTS");
}

#[tokio::test]
async fn a_job_that_one_server_takes_is_watched_and_cancelled_at_another() {
    let Some(broker) = Broker::new() else { return };
    let ((one, first), (two, _second)) = (broker.server().await, broker.server().await);
    let id = create(&two, "").await;
    let turn = first.next().await.unwrap();
    assert_eq!(turn.id(), id);
    let watcher = tokio::spawn({
        let (two, id) = (two.clone(), id.clone());
        async move { two.events(&id, 1).await.unwrap() }
    });
    assert!(happens(&one, &id, take).await);
    assert_eq!(watcher.await.unwrap()[0].state(), State::Running);
    assert!(happens(&one, &id, || step(4)).await);
    assert_eq!(two.get(&id).await.unwrap().response, Some(plan(4)));
    let cancelled = tokio::spawn(async move { first.changed(turn.id(), 3).await });
    two.cancel(&id).await.unwrap();
    cancelled.await.unwrap();
    assert!(one.get(&id).await.unwrap().cancel_requested);
    assert!(happens(&one, &id, answer).await);
    let events = two.events(&id, 0).await.unwrap();
    let numbers: Vec<_> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    assert_eq!(events[4].state(), State::Cancelled);
    assert_eq!(events[4].response, Some(whole()));
    assert_eq!(events[2].response, Some(plan(4)));
}

#[tokio::test]
async fn whoever_is_silent_loses_its_job_and_cannot_change_it_any_more() {
    let Some(broker) = Broker::new() else { return };
    let ((one, first), (two, second)) = (broker.server().await, broker.server().await);
    let id = create(&one, "").await;
    let turn = first.next().await.unwrap();
    assert!(happens(&one, &id, take).await);
    assert!(happens(&one, &id, || step(7)).await);
    let old = first.get(&id).await.unwrap().unwrap();
    // As when it is killed.
    drop((one, first));
    drop(turn);
    let turn = timeout(PATIENCE, second.next()).await.unwrap().unwrap();
    assert_eq!(turn.id(), id);
    let job = two.get(&id).await.unwrap();
    let kept = second.get(&id).await.unwrap().unwrap();
    assert_eq!((job.state(), kept.job.lost_count), (State::Queued, 1));
    assert_eq!(job.response, Some(plan(7)));
    let (job, event) = after(old.job, answer()).unwrap();
    let late = Kept {
        job,
        revision: old.revision,
    };
    assert_eq!(second.put(late, event).await, Ok(Changed::Overtaken));
}

#[tokio::test]
async fn a_held_job_stays_and_the_most_urgent_comes_first() {
    let Some(broker) = Broker::new() else { return };
    let (jobs, store) = broker.server().await;
    let mut ids = Vec::new();
    for priority in [pb::Priority::Low, pb::Priority::High, pb::Priority::Normal] {
        let (job, _) = jobs.create(wanted("", priority), None).await.unwrap();
        ids.push(job.job_id);
    }
    let turn = store.next().await.unwrap();
    assert_eq!(turn.id(), ids[1]);
    assert_eq!(
        store.next().await.unwrap().id(),
        ids[2],
        "given back at once"
    );
    let again = timeout(PATIENCE, store.next()).await.unwrap().unwrap();
    assert_eq!(again.id(), ids[2]);
    let last = store.next().await.unwrap();
    assert_eq!(last.id(), ids[0]);
    let nobody = timeout(Duration::from_millis(1_500), store.next()).await;
    assert!(nobody.is_err());
    turn.back().await;
    let again = timeout(PATIENCE, store.next()).await.unwrap().unwrap();
    assert_eq!(again.id(), ids[1]);
}

#[tokio::test]
async fn what_is_larger_than_the_broker_takes_at_once_is_kept_in_parts() {
    let Some(broker) = Broker::new() else { return };
    let (jobs, store) = broker.server().await;
    let mut large = wanted("large", pb::Priority::Low);
    let request = pb::AllocateTasksRequest {
        problem: Some(pb::AllocationProblem {
            tasks: (0..60_000).map(task).collect(),
            ..Default::default()
        }),
        ..Default::default()
    };
    large.request.request = Some(pb::JobRequest {
        method: Some(pb::job_request::Method::AllocateTasks(request)),
    });
    let (job, _) = jobs.create(large.clone(), None).await.unwrap();
    let id = job.job_id;
    assert_eq!(store.request(&id).await.unwrap(), Some(large.request));
    assert!(happens(&jobs, &id, take).await);
    for number in 0..10 {
        let deed = || {
            Deed::Step(Box::new(Step {
                progress: pb::SolveEvent::default(),
                response: Some(large_plan(number)),
                searched: Duration::from_secs(1),
                has_lasted: false,
            }))
        };
        assert!(happens(&jobs, &id, deed).await);
    }
    assert_eq!(jobs.get(&id).await.unwrap().response, Some(large_plan(9)));
    let events = jobs.events(&id, 0).await.unwrap();
    assert_eq!(events.last().unwrap().response, Some(large_plan(9)));
    let numbers: Vec<_> = events.iter().map(|event| event.sequence).collect();
    // The first large plans were overtaken.
    assert_eq!(numbers, [1, 2, 5, 6, 7, 8, 9, 10, 11, 12]);
    assert!(happens(&jobs, &id, answer).await);
    jobs.delete(&id).await.unwrap();
    assert_eq!(reason(jobs.get(&id).await), "JOB_UNKNOWN");
    let (_, existed) = jobs
        .create(wanted("large", pb::Priority::Low), None)
        .await
        .unwrap();
    assert!(!existed, "its name is free again");
}

fn task(number: usize) -> pb::AllocationTask {
    pb::AllocationTask {
        id: format!("a task that has a long name, and the number {number}"),
        ..Default::default()
    }
}

fn large_plan(number: usize) -> pb::JobResponse {
    let ids = (0..40_000).map(|task| format!("{number} a task that nobody does {task}"));
    let plan = pb::AllocationPlan {
        unserved_task_ids: ids.collect(),
        ..Default::default()
    };
    of_allocation(plan)
}

#[tokio::test]
async fn lists_know_what_other_servers_make_and_delete() {
    let Some(broker) = Broker::new() else { return };
    let ((one, first), (two, second)) = (broker.server().await, broker.server().await);
    let ids = [create(&one, "").await, create(&two, "").await];
    let listed = async |store: &Nats| -> Vec<String> {
        let jobs = store.before(None, 9).await.unwrap();
        jobs.into_iter().map(|kept| kept.job.job_id).collect()
    };
    assert!(listed(&first).await.contains(&ids[0]), "its own at once");
    for pattern in ["*", ">", "", "a.b"] {
        assert_eq!(reason(one.cancel(pattern).await), "JOB_UNKNOWN");
    }
    for store in [&first, &second] {
        eventually(async || (listed(store).await == [&*ids[1], &*ids[0]]).then_some(())).await;
    }
    one.cancel(&ids[1]).await.unwrap();
    one.delete(&ids[1]).await.unwrap();
    assert_eq!(listed(&first).await, [&*ids[0]]);
    eventually(async || (listed(&second).await == [&*ids[0]]).then_some(())).await;
    // One that starts now knows no more.
    let (_, third) = broker.server().await;
    assert_eq!(listed(&third).await, [&*ids[0]]);
}

#[tokio::test]
async fn without_a_broker_calls_fail_at_once_and_with_it_all_goes_on() {
    let Some(mut broker) = Broker::new() else {
        return;
    };
    let (jobs, store) = broker.server().await;
    let id = create(&jobs, "").await;
    let turn = store.next().await.unwrap();
    assert!(happens(&jobs, &id, take).await);
    broker.kill();
    let refused = async || {
        let answer = jobs.get(&id).await;
        answer.is_err().then(|| reason(answer))
    };
    assert_eq!(eventually(refused).await, "JOBS_UNAVAILABLE");
    let late = Jobs::new(
        Arc::new(
            Nats::open(broker.settings("test"), weights())
                .await
                .unwrap(),
        ),
        Drain::default(),
    );
    assert_eq!(reason(late.get(&id).await), "JOBS_UNAVAILABLE");
    broker.start();
    let back = async || late.get(&id).await.ok();
    assert_eq!(eventually(back).await.state(), State::Running);
    eventually(async || jobs.get(&id).await.ok()).await;
    assert!(happens(&jobs, &id, answer).await);
    turn.done().await;
    assert_eq!(late.get(&id).await.unwrap().state(), State::Succeeded);
    // Those who wait hear of it, too.
    let other = create(&late, "").await;
    let turn = timeout(PATIENCE, store.next()).await.unwrap().unwrap();
    assert_eq!(turn.id(), other);
}
