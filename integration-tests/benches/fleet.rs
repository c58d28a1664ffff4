//! A million players in ten thousand games on a thousand servers, simulated: how evenly sessions
//! are spread, and what losses, releases and growth cost.
//!
//! `cargo bench -p stratagem-integration-tests --bench fleet`. Prints tables for
//! benches/results/fleet.md. Time is virtual: the same seed gives the same tables. Settings:
//!
//! * `STRATAGEM_SEEDS`: worlds for each row of the second table. Default: 5.
//! * `STRATAGEM_GAMES`: running games. Default: 10000.
//! * `STRATAGEM_SERVERS`: servers, in three zones. Default: 1000.
//! * `STRATAGEM_CORES`: cores of a server. Default: 8.

use stratagem_integration_tests::figures::{is_wanted, setting};
use stratagem_integration_tests::fleet::{
    Churn, Fleet, Game, Loss, RESPONSE_BYTES, SEARCH_SHARE, SESSION_BYTES, SNAPSHOT_BYTES, Spread,
    Storm, UPDATE_BYTES, grow, lose, release,
};
use stratagem_integration_tests::play::Random;

/// Servers that are restarted at the same time.
const TOGETHER: usize = 10;
/// The largest number of servers that is tried.
const SERVERS_MAX: usize = 20_000;
/// Updates between two snapshots that the client packages take.
const SNAPSHOT_UPDATES: f64 = 100.0;
/// Records between two snapshots of the log, which is a design.
const SNAPSHOT_RECORDS: f64 = 256.0;
/// Share of agents whose routes change with an update. Assumed.
const CHANGED: f64 = 0.1;
/// Copies of the log.
const REPLICAS: f64 = 3.0;
/// Share of servers whose load is judged.
const SHARE: f64 = 0.999;

fn main() {
    if !is_wanted() {
        return;
    }
    let size = Size {
        games: setting("STRATAGEM_GAMES", 10_000),
        servers: setting("STRATAGEM_SERVERS", 1_000),
        cores: setting("STRATAGEM_CORES", 8),
    };
    let seeds = setting("STRATAGEM_SEEDS", 5);
    load(size);
    spread(size, seeds);
    sizes(size, seeds);
    for (event, happens) in EVENTS {
        println!("### {event}\n");
        println!(
            "| spread | sessions created again | most in a second | seconds until all have a plan | updates late | load after, p99.9 |"
        );
        println!("|---|---|---|---|---|---|");
        for (name, spread) in ways() {
            let (mut fleet, mut churn) = world(spread, size, 1);
            let storm = happens(&mut fleet, &mut churn);
            println!(
                "| {name} | {} | {} | {:.2} | {} | {:.0} % |",
                storm.moved,
                storm.creations,
                storm.seconds,
                storm.late,
                judged(fleet.utilisations()) * 100.0
            );
        }
        println!();
    }
}

/// A world without its games.
#[derive(Clone, Copy)]
struct Size {
    games: usize,
    servers: usize,
    cores: u64,
}

/// A way to spread sessions, by the number of servers.
type Way = fn(usize) -> Spread;

fn ways() -> [(&'static str, Way); 5] {
    [
        (
            "ring of Envoy as configured, at least 1,024 points",
            |servers| Spread::envoy(1_024, servers),
        ),
        ("ring of HAProxy as configured, 16 points a server", |_| {
            Spread::Ring(16)
        }),
        ("ring, 256 points a server", |_| Spread::Ring(256)),
        ("the same, bounded by 125 % of the mean load", |_| {
            Spread::Bounded(256, 125)
        }),
        ("owner, least loaded", |_| Spread::Owner),
    ]
}

type Event = fn(&mut Fleet, &mut Churn) -> Storm;

const EVENTS: [(&str, Event); 5] = [
    ("A process is killed", |fleet, _| {
        lose(fleet, &[0], Loss::Killed, 1)
    }),
    ("A machine is lost", |fleet, _| {
        lose(fleet, &[0], Loss::Silent, 1)
    }),
    ("A zone is lost", |fleet, _| {
        let zone = zone(fleet);
        lose(fleet, &zone, Loss::Silent, 1)
    }),
    (
        "A release restarts all servers, 10 at a time",
        |fleet, churn| release(fleet, churn, TOGETHER, 1),
    ),
    ("A tenth more servers come", |fleet, _| {
        let count = fleet.utilisations().len() / 10;
        grow(fleet, count, 1)
    }),
];

fn zone(fleet: &Fleet) -> Vec<usize> {
    (0..fleet.utilisations().len()).step_by(3).collect()
}

/// Servers with running games, as many of which have ended.
fn world(way: Way, size: Size, seed: u64) -> (Fleet, Churn) {
    let mut fleet = Fleet::new(way(size.servers), size.servers, size.cores, seed);
    let mut churn = Churn::new(&mut fleet, size.games, seed);
    churn.turn_over(&mut fleet, size.games);
    (fleet, churn)
}

/// What servers up to the share have, at most.
fn judged(mut loads: Vec<f64>) -> f64 {
    loads.sort_by(f64::total_cmp);
    loads[((loads.len() as f64 * SHARE).ceil() as usize).clamp(1, loads.len()) - 1]
}

fn load(size: Size) {
    let mut random = Random::new(1);
    let ids = 0..size.games as u64;
    let all: Vec<Game> = ids.map(|id| Game::new(id, &mut random)).collect();
    let sum = |part: fn(&Game) -> f64| all.iter().map(part).sum::<f64>();
    let agents = sum(|game| game.agents);
    let updates = sum(|game| game.rate as f64);
    let cores = sum(|game| game.load as f64 / 1e6);
    let moves = sum(|game| game.rate as f64 * game.agents) / 1e9;
    println!("### The load\n\n| of all games | |\n|---|---|");
    println!("| games | {} |", size.games);
    println!("| agents | {agents:.0} |");
    println!("| updates a second | {updates:.0} |");
    println!(
        "| cores for updates | {:.0} |",
        cores / (1.0 + SEARCH_SHARE)
    );
    println!("| cores with searches | {cores:.0} |");
    println!("| updates, GB/s | {:.2} |", moves * UPDATE_BYTES);
    println!(
        "| responses, each with a plan, GB/s | {:.2} |",
        moves * RESPONSE_BYTES
    );
    println!(
        "| snapshots that clients take, GB/s | {:.2} |",
        moves * SNAPSHOT_BYTES / SNAPSHOT_UPDATES
    );
    println!(
        "| memory of sessions, GB | {:.1} |",
        agents * SESSION_BYTES / 1e9
    );
    println!(
        "| one snapshot of each session, GB | {:.2} |\n",
        agents * SNAPSHOT_BYTES / 1e9
    );
    let record = UPDATE_BYTES + CHANGED * RESPONSE_BYTES;
    let snapshots = SNAPSHOT_BYTES / SNAPSHOT_RECORDS;
    println!("### What a log would write\n\n| | |\n|---|---|");
    println!("| appends a second, one for each update | {updates:.0} |");
    println!(
        "| one for each session in 100 ms | {:.0} |",
        sum(|game| game.rate.min(10) as f64)
    );
    println!("| one for each server in 20 ms | {} |", size.servers * 50);
    println!("| records, GB/s | {:.2} |", moves * record);
    println!("| snapshots a second | {:.0} |", updates / SNAPSHOT_RECORDS);
    println!("| snapshots, GB/s | {:.2} |", moves * snapshots);
    println!(
        "| both on {REPLICAS} replicas, GB/s | {:.2} |",
        moves * (record + snapshots) * REPLICAS
    );
    println!(
        "| kept, before copies: a snapshot and the records after it, GB | {:.1} |\n",
        agents * (SNAPSHOT_BYTES + record * SNAPSHOT_RECORDS) / 1e9
    );
}

fn spread(size: Size, seeds: u64) {
    println!("### The spread\n");
    println!(
        "{} servers of {} cores; {seeds} worlds for each row. Load with searches.\n",
        size.servers, size.cores
    );
    println!(
        "| spread | max load / mean | load, p99.9 | updates a second beyond all cores | servers for 70 % at p99.9 | servers for 100 % at p99.9 without a zone |"
    );
    println!("|---|---|---|---|---|---|");
    for (name, way) in ways() {
        let worlds: Vec<Fleet> = (1..=seeds).map(|seed| world(way, size, seed).0).collect();
        let loads: Vec<f64> = worlds.iter().flat_map(Fleet::utilisations).collect();
        let mean = loads.iter().sum::<f64>() / loads.len() as f64;
        let max = loads.iter().copied().fold(0.0, f64::max);
        let excess = worlds.iter().map(Fleet::excess).sum::<f64>() / seeds as f64;
        let reserve = needed(seeds, |servers, seed| {
            let (mut fleet, _) = world(way, Size { servers, ..size }, seed);
            let zone = zone(&fleet);
            lose(&mut fleet, &zone, Loss::Silent, seed);
            judged(fleet.utilisations())
        });
        println!(
            "| {name} | {:.2} | {:.0} % | {excess:.0} | {} | {} |",
            max / mean,
            judged(loads) * 100.0,
            count(whole(way, size, seeds)),
            count(reserve),
        );
    }
    println!();
}

fn sizes(size: Size, seeds: u64) {
    println!("### Larger servers\n\nCores of all servers for a load of 70 % at p99.9.\n");
    println!("| spread | 8 cores | 16 cores | 32 cores | 64 cores |\n|---|---|---|---|---|");
    for (name, way) in ways() {
        let all = [8, 16, 32, 64].map(|cores| {
            let servers = whole(way, Size { cores, ..size }, seeds);
            count(servers.map(|servers| servers * cores as usize))
        });
        println!("| {name} | {} |", all.join(" | "));
    }
    println!();
}

/// Servers for a load of 70 %.
fn whole(way: Way, size: Size, seeds: u64) -> Option<usize> {
    needed(seeds, |servers, seed| {
        let (fleet, _) = world(way, Size { servers, ..size }, seed);
        judged(fleet.utilisations()) / 0.7
    })
}

fn count(servers: Option<usize>) -> String {
    servers.map_or_else(|| String::from("none is enough"), |it| it.to_string())
}

/// The smallest number of servers, to 1 %, with which the mean of this is at most 1.
fn needed(seeds: u64, used: impl Fn(usize, u64) -> f64) -> Option<usize> {
    let is_enough = |count: usize| {
        let sum: f64 = (1..=seeds).map(|seed| used(count, seed)).sum();
        sum / seeds as f64 <= 1.0
    };
    let (mut few, mut enough) = (1, 32);
    while !is_enough(enough) {
        if enough > SERVERS_MAX {
            return None;
        }
        (few, enough) = (enough, enough * 2);
    }
    while enough - few > (enough / 100).max(1) {
        let middle = few.midpoint(enough);
        if is_enough(middle) {
            enough = middle;
        } else {
            few = middle;
        }
    }
    Some(enough)
}
