//! Temporal networks: tiny ones that are played out, and findings of all levels.

#[path = "../../../../planners/temporal/tests/suite/game.rs"]
mod game;
#[path = "../../../../planners/temporal/tests/suite/opinions.rs"]
#[expect(
    unexpected_cfgs,
    reason = "the solver is in builds of the planner only"
)]
mod opinions;

use super::judge::{Judge, Truth};
use super::search::{How, Run, run as search};
use super::{Rng, Tally, chance, one_of};
use rand::RngExt;
use stops::families::temporal as family;
use temporal::generate::{Shape, Uncertain, teammates, tiny, tiny_uncertain, uncertain};
use temporal::{Detail, Levels, Network, Strategy, Strong, StrongParams, Undecided, Verdict};

pub(super) fn run(seed: u64, rng: &mut Rng, tally: &mut Tally) {
    if chance(rng, 3) {
        return played(seed, tally);
    }
    let network = network(seed, rng);
    if network.has_teammates() {
        let strategies = [
            Strategy::Auto,
            Strategy::Auto,
            Strategy::Search,
            Strategy::Tropical,
            Strategy::Early,
            Strategy::Random,
        ];
        let runs = (0..3).filter_map(|_| {
            let params = StrongParams {
                strategy: one_of(rng, &strategies),
                detail: Detail::default(),
            };
            let name = format!("{:?}", params.strategy);
            search::<Strong>(&network, &params, How::random(rng, 10_000), &name)
        });
        let runs: Vec<Run<Strong>> = runs.collect();
        judged(&network, &runs, tally);
        let found = runs.iter().filter_map(|run| run.offers.last());
        let verdicts: Vec<_> = found.map(|(finding, _)| finding.verdict).collect();
        agree(&verdicts, tally);
        return;
    }
    let params = family::all_levels();
    let runs = (0..3)
        .filter_map(|_| search::<Levels>(&network, &params, How::random(rng, 10_000), "levels"));
    let runs: Vec<Run<Levels>> = runs.collect();
    judged(&network, &runs, tally);
    let found: Vec<_> = runs.iter().filter_map(|run| run.offers.last()).collect();
    for level in 0..params.levels.len() {
        let verdicts = found.iter().map(|(found, _)| found[level].verdict);
        agree(&verdicts.collect::<Vec<_>>(), tally);
    }
    for (found, _) in found {
        // What is strongly controllable is dynamically so, and so on.
        let verdicts: Vec<_> = found.iter().map(|one| one.verdict).collect();
        let broken = verdicts
            .windows(2)
            .any(|pair| pair == [Verdict::Fails, Verdict::Holds]);
        tally.expect(!broken, || format!("levels {verdicts:?}"));
    }
}

fn network(seed: u64, rng: &mut Rng) -> Network {
    match rng.random_range(0..40) {
        0 => family::network(seed),
        1..10 => tiny(seed),
        10..20 => tiny_uncertain(seed),
        20..30 => teammates(seed, &Shape::paper(rng.random_range(2..12))),
        _ => uncertain(
            seed,
            &Uncertain {
                ours: rng.random_range(2..8),
                contingent: rng.random_range(1..5),
                links: rng.random_range(2..14),
                chained_percent: 30,
                slack_s: rng.random_range(0..40),
            },
        ),
    }
}

fn judged<P>(network: &Network, runs: &[Run<P>], tally: &mut Tally)
where
    P: anytime::Planner<Problem = Network, Cost = Undecided>,
{
    let judge = Judge::<P> {
        problem: network,
        truth: Truth::Unknown,
        is_whole: &|_| false,
        // Verdicts are what is proved. How well they are explained is not.
        slack: |open| Undecided {
            missing_details: u32::MAX,
            ..open
        },
    };
    judge.judge(runs, tally);
}

/// No verdict contradicts another.
fn agree(verdicts: &[Verdict], tally: &mut Tally) {
    let is = |verdict| verdicts.contains(&verdict);
    let decided = verdicts.iter().filter(|one| **one != Verdict::Unknown);
    tally.proofs += decided.count() as u64;
    let contradict = is(Verdict::Holds) && is(Verdict::Fails);
    tally.expect(!contradict, || format!("{verdicts:?}"));
}

/// The game itself, played in all ways, against each strategy.
fn played(seed: u64, tally: &mut Tally) {
    let network = tiny(seed);
    let mut said = opinions::Tally::default();
    let known = said.play_out("tiny", &network);
    said.ask("tiny", &network, known);
    tally.known += 1;
    for one in said.said.values() {
        tally.proofs += u64::from(one.holds + one.fails);
        tally.undecided += u64::from(one.unknown);
    }
    tally.wrong.extend(said.contradictions);
}
