//! What happens to sessions whose server goes or comes: when their clients notice, when each has a
//! plan again, and which updates were not answered in time.

use super::costs::COLD_PLAN;
use super::world::{Churn, Fleet, Place};
use crate::play::Random;
use std::collections::BTreeMap;

/// Microseconds of a second.
const SECOND: u64 = 1_000_000;
/// When a balancer takes out a server that is silent: two checks of 1 s, half a second apart, the
/// first within half a second (deploy/haproxy, deploy/envoy).
const SILENT: [u64; 2] = [2_500_000, 3_000_000];
/// The same for one whose port refuses calls: two checks that fail immediately.
const REFUSED: [u64; 2] = [500_000, 1_000_000];
/// Deadline of an update's call, which a silent server uses up. For games to choose.
const DEADLINE: u64 = SECOND;
/// Pause of the client packages before a call is made again.
const PAUSE: [u64; 2] = [20_000, 200_000];
/// From the lame duck of a server to its return: 2 s, up to 10 s of drain, start, and two checks.
const RESTART: u64 = 15;
/// Seconds of a game in the mean.
const GAME: usize = 1_200;

/// How servers go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The process dies, and its port refuses calls. HAProxy may try another server before it takes
    /// this one out, which is not counted on here.
    Killed,
    /// The machine or its network dies: calls wait for their deadline.
    Silent,
    /// The lame duck: answers until all calls go elsewhere.
    Drained,
}

/// What sessions that move cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Storm {
    /// Sessions that were created again, as often as they were.
    pub moved: usize,
    /// The most creations that began within a second.
    pub creations: usize,
    /// Seconds until all sessions had a plan again; of a release: until its end.
    pub seconds: f64,
    /// Updates that were not answered before the next one was due.
    pub late: u64,
}

/// A client with its session to create: when the last plan ends, and when it calls.
struct Caller {
    place: Place,
    since: u64,
    calls: u64,
}

/// Loses servers.
pub fn lose(fleet: &mut Fleet, servers: &[usize], loss: Loss, seed: u64) -> Storm {
    let mut random = Random::new(seed);
    let bounds = match loss {
        Loss::Killed => REFUSED,
        Loss::Silent => SILENT,
        Loss::Drained => [0, 1],
    };
    let noticed = servers.iter();
    let noticed = noticed.map(|server| (*server, between(&mut random, bounds)));
    let noticed: BTreeMap<usize, u64> = noticed.collect();
    let before: BTreeMap<u64, usize> = fleet.places().map(|it| (it.game.id, it.server)).collect();
    let moved = fleet.set_down(servers);
    let callers = moved.into_iter().map(|place| {
        let noticed = noticed[&before[&place.game.id]];
        caller(place, loss, noticed, &mut random)
    });
    settle(fleet, callers.collect())
}

/// Adds servers.
pub fn grow(fleet: &mut Fleet, count: usize, seed: u64) -> Storm {
    let mut random = Random::new(seed);
    let moved = fleet.grow(count).into_iter();
    let callers = moved.map(|place| caller(place, Loss::Drained, 0, &mut random));
    settle(fleet, callers.collect())
}

/// Restarts all servers, some at a time, while games begin and end.
pub fn release(fleet: &mut Fleet, churn: &mut Churn, together: usize, seed: u64) -> Storm {
    let mut whole = Storm::default();
    let mut random = Random::new(seed);
    let all: Vec<usize> = fleet.numbers().collect();
    let turn_over = fleet.places().count() * RESTART as usize / GAME;
    for batch in all.chunks(together) {
        whole.add(&lose(fleet, batch, Loss::Drained, random.number()));
        churn.turn_over(fleet, turn_over);
        let back = fleet.set_up(batch).into_iter();
        let callers = back.map(|place| caller(place, Loss::Drained, 0, &mut random));
        whole.add(&settle(fleet, callers.collect()));
        whole.seconds += RESTART as f64;
    }
    whole
}

impl Storm {
    fn add(&mut self, other: &Self) {
        self.moved += other.moved;
        self.creations = self.creations.max(other.creations);
        self.late += other.late;
    }
}

fn between(random: &mut Random, bounds: [u64; 2]) -> u64 {
    bounds[0] + random.below((bounds[1] - bounds[0]) as usize) as u64
}

fn caller(place: Place, loss: Loss, noticed: u64, random: &mut Random) -> Caller {
    let mut calls = random.below((SECOND / place.game.rate) as usize) as u64;
    let since = if loss == Loss::Drained { calls } else { 0 };
    let deadline = if loss == Loss::Silent { DEADLINE } else { 0 };
    while calls < noticed {
        calls += deadline + between(random, PAUSE);
    }
    Caller {
        place,
        since,
        calls,
    }
}

/// Each server creates the sessions of its callers in their order, one on each free core.
fn settle(fleet: &Fleet, mut callers: Vec<Caller>) -> Storm {
    callers.sort_by_key(|it| [it.calls, it.place.game.id]);
    let mut cores: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    let mut storm = Storm::default();
    let mut begins = Vec::new();
    for caller in &callers {
        let server = caller.place.server;
        assert!(
            fleet.is_up(server),
            "sessions are created on living servers"
        );
        let free = || vec![0; fleet.free_cores(server) as usize];
        let cores = cores.entry(server).or_insert_with(free);
        let core = cores.iter_mut().min().expect("one is free");
        let begin = caller.calls.max(*core);
        *core = begin + COLD_PLAN;
        begins.push(begin);
        storm.late += (*core - caller.since) * caller.place.game.rate / SECOND;
        storm.seconds = storm.seconds.max(*core as f64 / SECOND as f64);
    }
    begins.sort_unstable();
    storm.moved = callers.len();
    let within = begins.iter().enumerate();
    let within =
        within.map(|(first, begin)| begins.partition_point(|it| *it < begin + SECOND) - first);
    storm.creations = within.max().unwrap_or(0);
    storm
}
