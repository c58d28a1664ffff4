//! Anything may happen in any order.

use super::{Place, answer, create, happens, step, take, whole};
use crate::jobs::Jobs;
use crate::jobs::life::Deed;
use crate::jobs::store::{Store, Turn};
use proptest::prelude::*;
use runtime::Drain;
use std::sync::Arc;
use std::time::Duration;
use stratagem_proto::v1::{self as pb, JobState as State};
use tokio::time::timeout;

/// What somebody does.
#[derive(Debug, Clone)]
pub(super) enum Act {
    Create(u8),
    Take,
    Drop,
    Step,
    Answer,
    Cancel(usize),
    Restart,
}

pub(super) fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        (0_u8..3).prop_map(Act::Create),
        Just(Act::Take),
        Just(Act::Drop),
        Just(Act::Step),
        Just(Act::Answer),
        (0_usize..4).prop_map(Act::Cancel),
        Just(Act::Restart),
    ];
    prop::collection::vec(act, 1..25)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_is_lost_or_doubled_in_a_file(acts in acts()) {
        let place = Place::new();
        let stage = Stage {
            servers: 1,
            patience: Duration::from_millis(50),
            open: async || place.open(100) as Arc<dyn Store>,
        };
        holds(acts, stage)?;
    }
}

/// Whatever happens in whatever order: no accepted job is lost, none ends twice, sequences rise by
/// one, and cancellations take effect.
pub(super) fn holds(
    acts: Vec<Act>,
    stage: Stage<impl AsyncFn() -> Arc<dyn Store>>,
) -> Result<(), TestCaseError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut play = Play::new(stage).await;
        for (number, act) in acts.into_iter().enumerate() {
            play.act(number, act).await;
        }
        for id in &play.accepted {
            check(play.jobs(0), id, play.cancelled.contains(id)).await?;
        }
        play.finish().await;
        for id in &play.accepted {
            check(play.jobs(0), id, play.cancelled.contains(id)).await?;
        }
        Ok(())
    })
}

/// Where it all happens.
pub(super) struct Stage<Open> {
    /// Servers that share the jobs.
    pub(super) servers: usize,
    /// How long it takes at most until somebody who asks for a turn gets one that is there.
    pub(super) patience: Duration,
    /// Starts a server.
    pub(super) open: Open,
}

/// A server: its jobs, its store, and the turns that it has.
struct Server {
    jobs: Jobs,
    store: Arc<dyn Store>,
    turns: Vec<Box<dyn Turn>>,
}

/// What has happened so far.
struct Play<Open> {
    stage: Stage<Open>,
    servers: Vec<Server>,
    accepted: Vec<String>,
    /// Those that were cancelled before they had ended.
    cancelled: Vec<String>,
}

impl<Open: AsyncFn() -> Arc<dyn Store>> Play<Open> {
    async fn new(stage: Stage<Open>) -> Self {
        let mut servers = Vec::new();
        for _ in 0..stage.servers {
            servers.push(Server::new((stage.open)().await));
        }
        Self {
            stage,
            servers,
            accepted: Vec::new(),
            cancelled: Vec::new(),
        }
    }

    fn jobs(&self, number: usize) -> &Jobs {
        &self.servers[number].jobs
    }

    /// Each thing happens at the next server.
    async fn act(&mut self, number: usize, act: Act) {
        let number = number % self.servers.len();
        let server = &mut self.servers[number];
        let jobs = server.jobs.clone();
        match act {
            Act::Create(name) => {
                let id = create(&jobs, &format!("r{name}")).await;
                if !self.accepted.contains(&id) {
                    self.accepted.push(id);
                }
            }
            Act::Take => {
                let turn = timeout(self.stage.patience, server.store.next()).await;
                if let Ok(turn) = turn {
                    let turn = turn.unwrap();
                    happens(&jobs, turn.id(), take).await;
                    server.turns.push(turn);
                }
            }
            // As when a server shuts down.
            Act::Drop => {
                if let Some(turn) = server.turns.pop() {
                    happens(&jobs, turn.id(), || Deed::GiveBack).await;
                    turn.back().await;
                }
            }
            Act::Step => {
                if let Some(turn) = server.turns.last() {
                    happens(&jobs, turn.id(), || step(1)).await;
                }
            }
            Act::Answer => {
                if let Some(turn) = server.turns.pop() {
                    happens(&jobs, turn.id(), answer).await;
                    turn.done().await;
                }
            }
            Act::Cancel(which) => {
                if let Some(id) = self.accepted.get(which) {
                    let before = jobs.get(id).await.unwrap();
                    jobs.cancel(id).await.unwrap();
                    if before.end_time.is_none() {
                        self.cancelled.push(id.clone());
                    }
                }
            }
            // As when it is killed: its turns go after the store, and notify nobody.
            Act::Restart => {
                drop(jobs);
                let Server { jobs, store, turns } = self.servers.remove(number);
                drop((jobs, store));
                drop(turns);
                let store = (self.stage.open)().await;
                self.servers.insert(number, Server::new(store));
            }
        }
    }

    /// Every job that was accepted can be taken, and ends.
    async fn finish(&mut self) {
        for server in &mut self.servers {
            for turn in server.turns.drain(..) {
                turn.back().await;
            }
        }
        let Server { jobs, store, .. } = &self.servers[0];
        let finishing = async {
            for id in &self.accepted {
                while jobs.get(id).await.unwrap().end_time.is_none() {
                    // It may end without another turn: cancelled, and lost by its server.
                    let turn = timeout(Duration::from_secs(1), store.next()).await;
                    if let Ok(turn) = turn {
                        let turn = turn.unwrap();
                        happens(jobs, turn.id(), take).await;
                        happens(jobs, turn.id(), answer).await;
                        turn.done().await;
                    }
                }
            }
        };
        let finished = timeout(Duration::from_secs(120), finishing).await;
        finished.expect("what was accepted has its turn");
    }
}

impl Server {
    fn new(store: Arc<dyn Store>) -> Self {
        Self {
            jobs: Jobs::new(Arc::clone(&store), Drain::default()),
            store,
            turns: Vec::new(),
        }
    }
}

/// The events of a job are a possible life.
async fn check(jobs: &Jobs, id: &str, was_cancelled: bool) -> Result<(), TestCaseError> {
    let job = jobs.get(id).await.expect("what was accepted is there");
    let events = jobs.events(id, 0).await.unwrap();
    let numbers: Vec<_> = events.iter().map(|event| event.sequence).collect();
    prop_assert_eq!(numbers, (1..=job.sequence).collect::<Vec<_>>());
    let is_final = |event: &&pb::JobEvent| !matches!(event.state(), State::Queued | State::Running);
    let ends = events.iter().filter(is_final).count();
    prop_assert_eq!(ends, usize::from(job.end_time.is_some()));
    prop_assert!(events.iter().rev().skip(1).all(|event| !is_final(&event)));
    prop_assert_eq!(
        events
            .iter()
            .filter(|event| is_final(event) && event.response.is_some())
            .count(),
        usize::from(
            matches!(job.state(), State::Succeeded | State::Cancelled)
                && job.response == Some(whole())
        )
    );
    if was_cancelled {
        prop_assert!(job.cancel_requested);
        prop_assert_ne!(job.state(), State::Succeeded);
    }
    Ok(())
}
