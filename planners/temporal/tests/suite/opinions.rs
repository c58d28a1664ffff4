//! What every strategy, the check and the game say about networks, and where they contradict.

use super::game::Game;
use anytime::{Control, Limits};
use std::collections::BTreeMap;
use temporal::problem::{Micros, Owner};
use temporal::solve::check_strong;
use temporal::verify::strong;
use temporal::{
    Detail, Network, Schedule, Strategy, StrongFinding, StrongParams, Undecided, Verdict,
};

/// Enough for all networks here.
const ITERATIONS_MAX: u64 = 100_000;

/// All strategies of this build, and what each may say besides the truth.
const STRATEGIES: &[(Strategy, May)] = &[
    (Strategy::Auto, May::Nothing),
    (Strategy::Search, May::Nothing),
    #[cfg(feature = "milp")]
    (Strategy::Milp, May::Nothing),
    (Strategy::Tropical, May::BeUnsure),
    #[cfg(feature = "milp")]
    (Strategy::Lp, May::OnlyHold),
    #[cfg(feature = "milp")]
    (Strategy::LpNormalised, May::OnlyHold),
    (Strategy::Early, May::OnlyHold),
    (Strategy::Random, May::OnlyHold),
];

/// What a strategy may say besides the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum May {
    /// It decides.
    Nothing,
    /// It proves, but not always.
    BeUnsure,
    /// It has a candidate, and proves nothing but that this one works.
    OnlyHold,
}

/// What one judge said so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) holds: u32,
    pub(crate) fails: u32,
    pub(crate) unknown: u32,
    /// Schedules that the check accepted.
    pub(crate) witnesses: u32,
}

/// What all judges said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    /// By name of the judge.
    pub(crate) said: BTreeMap<String, Said>,
    /// Networks that were played out, which are the consistent ones.
    pub(crate) played: u64,
    /// Schedules about which both the game and the check were asked.
    pub(crate) schedules: u64,
    /// All contradictions, in words.
    pub(crate) contradictions: Vec<String>,
}

impl Tally {
    fn note(&mut self, judge: &str, verdict: Verdict) {
        let said = self.said.entry(judge.into()).or_default();
        match verdict {
            Verdict::Holds => said.holds += 1,
            Verdict::Fails => said.fails += 1,
            Verdict::Unknown => said.unknown += 1,
        }
    }

    /// The truth about a small network: the game played out with every schedule on whole
    /// microseconds there is. Asks the check about each, too.
    pub(crate) fn play_out(&mut self, name: &str, network: &Network) -> Verdict {
        let Some(game) = Game::new(network) else {
            self.note("game", Verdict::Fails);
            return Verdict::Fails;
        };
        self.played += 1;
        let mut verdict = Verdict::Fails;
        let window = |node| game.window(node);
        some_times(network, window, &mut |times_us| {
            let won = game.is_won(times_us);
            let schedule = Schedule {
                times_us: times_us.to_vec(),
            };
            if won != strong(network, &schedule).is_ok() {
                let said = format!("{name}: the game says {won} about {times_us:?}");
                self.contradictions.push(said);
            }
            if won {
                verdict = Verdict::Holds;
            }
            self.schedules += 1;
            false
        });
        self.note("game", verdict);
        verdict
    }

    /// Asks all strategies about a network whose verdict is known.
    pub(crate) fn ask(&mut self, name: &str, network: &Network, known: Verdict) {
        for &(strategy, may) in STRATEGIES {
            let finding = bare_finding(network, strategy);
            self.note(&format!("{strategy:?}"), finding.verdict);
            let right = match (finding.verdict, may) {
                (Verdict::Unknown, may) => may != May::Nothing,
                // An inconsistent network fails before any strategy is asked.
                (Verdict::Fails, May::OnlyHold) => Game::new(network).is_none(),
                (verdict, _) => verdict == known,
            };
            if !right {
                let said = finding.verdict;
                let said = format!("{name}: {strategy:?} says {said:?}, it is {known:?}");
                self.contradictions.push(said);
            }
            if finding.verdict == Verdict::Holds {
                self.check(name, network, (strategy, &finding));
            }
        }
    }

    /// The schedule of a finding that holds must pass, with the ranges it reports.
    fn check(&mut self, name: &str, network: &Network, said: (Strategy, &StrongFinding)) {
        let (strategy, finding) = said;
        let judged = finding.schedule.as_ref().map(|one| strong(network, one));
        if judged.as_ref() == Some(&Ok(finding.ranges.clone())) {
            let said = self.said.entry(format!("{strategy:?}")).or_default();
            said.witnesses += 1;
        } else {
            let said = format!("{name}: the schedule of {strategy:?} is refused: {judged:?}");
            self.contradictions.push(said);
        }
    }
}

/// The finding of a strategy without details.
fn bare_finding(network: &Network, strategy: Strategy) -> StrongFinding {
    let mut reported = StrongFinding::default();
    let mut sink = |finding: &StrongFinding, _: Undecided| reported = finding.clone();
    let mut control = Control::new(Limits::iterations(ITERATIONS_MAX), 1, &mut sink);
    let params = StrongParams {
        strategy,
        detail: Detail::NONE,
    };
    check_strong(network, &params, &mut control).expect("the strategy fits");
    reported
}

/// Whether `accepts` some times of our events within `window`, tried in all ways.
pub(crate) fn some_times(
    network: &Network,
    window: impl Fn(usize) -> (Micros, Micros),
    accepts: &mut dyn FnMut(&[Option<Micros>]) -> bool,
) -> bool {
    let ours: Vec<usize> = (1..network.nodes())
        .filter(|node| network.owner(*node) == Some(Owner::Controllable))
        .collect();
    let mut times = vec![None; network.nodes()];
    times[0] = Some(0);
    for &node in &ours {
        times[node] = Some(window(node).0);
    }
    loop {
        if accepts(&times) {
            return true;
        }
        // The next tuple, as an odometer counts.
        let Some(&step) = ours
            .iter()
            .find(|node| times[**node] < Some(window(**node).1))
        else {
            return false;
        };
        for &node in ours.iter().take_while(|node| **node != step) {
            times[node] = Some(window(node).0);
        }
        times[step] = times[step].map(|time| time + 1);
    }
}
