//! A network that a session executes: time from a report to what is due then.

use super::{Client, NOTHING, UPDATE, round_trips};
use std::collections::HashMap;
use std::time::{Duration, Instant};
use stratagem_integration_tests::{Process, server::WITHOUT_CACHE};
use stratagem_proto::v1::{
    self as pb, create_session_request::State, session_update::Change, session_view::Plan,
};
use temporal::generate::{Uncertain, uncertain};
use temporal::problem::{Micros, Network, Node, Owner};

/// Runs of the network.
const RUNS: usize = 5;
/// Networks of which the first one that is controllable is executed.
const SEEDS: u64 = 64;

fn name(node: Node) -> String {
    match node {
        0 => "origin".into(),
        event => format!("e{event}"),
    }
}

fn offset(us: Micros) -> Option<prost_types::Duration> {
    Some(prost_types::Duration {
        seconds: us / 1_000_000,
        nanos: (us % 1_000_000 * 1_000) as i32,
    })
}

fn micros(given: &prost_types::Duration) -> Micros {
    given.seconds * 1_000_000 + Micros::from(given.nanos) / 1_000
}

/// A network as the contract has it.
fn message(network: &Network) -> pb::TemporalNetwork {
    let event = |node| pb::TemporalEvent {
        id: name(node),
        ..pb::TemporalEvent::default()
    };
    let links = network.links().iter();
    let links = links.map(|link| pb::TemporalRequirementLink {
        id: String::new(),
        from_event_id: name(link.from),
        to_event_id: name(link.to),
        lower: link.lower_us.and_then(offset),
        upper: link.upper_us.and_then(offset),
    });
    let contingent = network.contingent().iter();
    let contingent = contingent.map(|link| pb::TemporalContingentLink {
        id: String::new(),
        from_event_id: name(link.from),
        to_event_id: name(link.to),
        lower: offset(link.lower_us),
        upper: offset(link.upper_us),
    });
    pb::TemporalNetwork {
        events: (1..network.nodes()).map(event).collect(),
        links: links.collect(),
        contingent_links: contingent.collect(),
        ..pb::TemporalNetwork::default()
    }
}

/// A game that executes a network.
struct Game {
    client: Client,
    id: String,
    network: Network,
    /// Times of events that have happened.
    times: HashMap<String, Micros>,
    now_us: Micros,
    sequence: i64,
}

impl Game {
    /// A game, and what is to happen when that is decided.
    async fn new(client: Client, network: &Network, id: String) -> (Self, pb::SessionView) {
        let mut game = Self {
            client,
            id,
            network: network.clone(),
            times: HashMap::from([("origin".to_owned(), 0)]),
            now_us: 0,
            sequence: 0,
        };
        let request = pb::CreateSessionRequest {
            session_id: game.id.clone(),
            state: Some(State::Temporal(pb::TemporalSessionState {
                network: Some(message(network)),
                ..pb::TemporalSessionState::default()
            })),
            ..pb::CreateSessionRequest::default()
        };
        game.client
            .create_session(request)
            .await
            .expect("a session");
        let view = game.update(Vec::new(), offset(10_000_000)).await.1;
        (game, view)
    }

    /// Reports events, and returns how long the answer took.
    async fn update(
        &mut self,
        events: Vec<(String, Micros)>,
        patience_duration: Option<prost_types::Duration>,
    ) -> (Duration, pb::SessionView) {
        self.sequence += 1;
        let happened = events.iter().map(|(id, at_us)| pb::TemporalHappenedEvent {
            event_id: id.clone(),
            at_offset: offset(*at_us),
        });
        let changes = pb::TemporalChanges {
            happened: happened.collect(),
            ..pb::TemporalChanges::default()
        };
        self.times.extend(events);
        let update = pb::SessionUpdate {
            sequence: self.sequence,
            now_offset: offset(self.now_us),
            change: Some(Change::Temporal(changes)),
        };
        let request = pb::UpdateSessionRequest {
            session_id: self.id.clone(),
            updates: vec![update],
            patience_duration,
            ..pb::UpdateSessionRequest::default()
        };
        let begin = Instant::now();
        let answer = self.client.update_session(request).await;
        let took = begin.elapsed();
        let view = answer.expect("an answer").into_inner().view;
        (took, view.expect("updates return a view"))
    }

    /// When running links end, with durations in the middle of their ranges.
    fn ends(&self) -> Vec<(String, Micros)> {
        let links = self.network.contingent().iter();
        let open = links.filter(|link| !self.times.contains_key(&name(link.to)));
        let ends = open.filter_map(|link| {
            let begun = self.times.get(&name(link.from))?;
            let middle = Micros::midpoint(link.lower_us, link.upper_us);
            Some((name(link.to), begun + middle))
        });
        ends.collect()
    }

    /// Reports what is due, or what happens next; how long the answer took.
    async fn step(&mut self, view: &pb::SessionView) -> (Duration, pb::SessionView) {
        let Some(Plan::Temporal(decisions)) = &view.plan else {
            panic!("a session has decisions");
        };
        let ends = self.ends();
        let due = decisions.due.iter();
        let mut events: Vec<(String, Micros)> =
            due.map(|it| (it.event_id.clone(), self.now_us)).collect();
        if events.is_empty() {
            let wake = decisions.next_wake_offset.as_ref().map(micros);
            let next = ends.iter().map(|end| end.1).chain(wake).min();
            self.now_us = next.expect("something happens").max(self.now_us);
            let now_us = self.now_us;
            events.extend(ends.into_iter().filter(|end| end.1 <= now_us));
        }
        self.update(events, None).await
    }
}

/// A network of `count` events that is dynamically controllable, and how long it took to create its
/// session and to decide.
async fn controllable(server: &Process, count: usize) -> (Network, Duration) {
    let shape = Uncertain {
        ours: count / 2,
        contingent: count / 2,
        links: count,
        chained_percent: 20,
        slack_s: 40,
    };
    for seed in 0..SEEDS {
        let network = uncertain(seed, &shape);
        let client = Client::new(server.channel().await);
        let begin = Instant::now();
        let (_, view) = Game::new(client, &network, format!("try-{seed}")).await;
        if view.complete {
            return (network, begin.elapsed());
        }
    }
    panic!("one of {SEEDS} networks is controllable");
}

/// Executes a network of `count` events some times.
pub(crate) async fn run(count: usize) {
    let server = Process::start(WITHOUT_CACHE).await;
    let mut about = server.about().await;
    let (network, first) = controllable(&server, count).await;
    let (mut took, mut nothing) = (Vec::new(), Vec::new());
    let (mut broken, mut refused, mut bytes) = (0, 0, 0);
    for number in 0..RUNS {
        let client = Client::new(server.channel().await);
        let (mut game, mut view) = Game::new(client, &network, format!("run-{number}")).await;
        while game.times.len() < network.nodes() {
            let (time, next) = game.step(&view).await;
            took.push(time);
            broken += usize::from(!next.complete);
            refused += next.refused.len();
            view = next;
            let begin = Instant::now();
            let answer = about.get_server_info(pb::GetServerInfoRequest {}).await;
            nothing.push(begin.elapsed());
            answer.expect("an answer");
        }
        let request = pb::GetSessionRequest {
            session_id: game.id.clone(),
        };
        let session = game.client.get_session(request).await;
        bytes = session
            .expect("the session is there")
            .into_inner()
            .memory_bytes;
    }
    let owners = network.owners().iter();
    let nature = owners.filter(|owner| **owner == Owner::Nature).count();
    println!(
        "### A network of {count} events, {nature} of them Nature's: {} updates\n",
        took.len()
    );
    round_trips([(UPDATE, took), (NOTHING, nothing)]);
    println!(
        "Created and decided in {:.0} ms. Updates without a decision or with a broken link: {broken}. \
         Refused: {refused}. Memory of the session: {} KiB.\n",
        first.as_secs_f64() * 1e3,
        bytes / 1_024
    );
}
