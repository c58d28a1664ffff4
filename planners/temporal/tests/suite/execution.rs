//! Executions against games in which Nature picks durations, and reports come late, early or not
//! at all.

use crate::answers;
use crate::searched::levels;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use temporal::Verdict;
use temporal::execution::{Deviation, Execution, Forecast, ReportError};
use temporal::generate::{Uncertain, tiny_uncertain, uncertain};
use temporal::plan::{Level, LevelFinding, Relaxation};
use temporal::problem::Owner::{Controllable, Nature};
use temporal::problem::{Contingent, Link, Micros, Network, Node, Progress, Source, Spec};

/// The finding about the rest of a network, checked.
fn decide(network: &Network) -> LevelFinding {
    levels(network, &[Level::Dynamic]).remove(0)
}

/// Decides about the rest, and follows what is found.
fn plan(execution: &mut Execution) -> LevelFinding {
    let rest = execution.rest().expect("durations are short");
    let finding = decide(&rest);
    if let Some(dispatch) = &finding.dispatch {
        execution.follow(&rest, dispatch);
        assert!(
            execution.is_running(),
            "a plan for the present fits it: {rest:?}"
        );
    }
    finding
}

fn begun(network: &Network) -> Execution {
    let times_us = vec![None; network.owners().len()];
    Execution::new(
        network.clone(),
        Progress {
            now_us: 0,
            times_us,
        },
    )
    .expect("nothing has happened")
}

/// Events with their times.
type Events = Vec<(Node, Micros)>;

/// A game that executes a network.
struct Game {
    network: Network,
    /// Durations that Nature picks.
    durations: Vec<Micros>,
    execution: Execution,
}

impl Game {
    fn new(network: &Network, durations: Vec<Micros>) -> Self {
        Self {
            network: network.clone(),
            durations,
            execution: begun(network),
        }
    }

    fn time(&self, node: Node) -> Option<Micros> {
        match node {
            0 => Some(0),
            event => self.execution.times_us()[event - 1],
        }
    }

    /// Nature's events that have not happened and whose links run.
    fn ends(&self) -> Events {
        let links = self.network.contingent().iter().zip(&self.durations);
        let open = links.filter(|(link, _)| self.time(link.to).is_none());
        let ends =
            open.filter_map(|(link, duration)| Some((link.to, self.time(link.from)? + duration)));
        ends.collect()
    }

    /// What happens next: all that is due, now or, if it is late, as late as possible.
    fn step(&self, forecast: &Forecast, late: bool) -> (Micros, Events) {
        let now_us = self.execution.now_us();
        let ends = self.ends();
        let due = &forecast.due;
        let latest = due.iter().filter_map(|window| window.latest).min();
        let act_us = (!due.is_empty()).then_some(if late { latest } else { Some(now_us) });
        let act_us = act_us.flatten();
        let first = ends.iter().map(|end| end.1).min();
        let times = [act_us, first, forecast.wake].into_iter().flatten();
        // Without limits what is due comes at last.
        let at_us = times.min().unwrap_or(now_us).max(now_us);
        let mut events: Events = ends.into_iter().filter(|end| end.1 <= at_us).collect();
        if act_us == Some(at_us) || (events.is_empty() && forecast.wake.is_none()) {
            events.extend(due.iter().map(|window| (window.event as Node, at_us)));
        }
        (at_us, events)
    }

    /// The same from its events and their times alone.
    fn created_again(&self) -> Execution {
        let progress = Progress {
            now_us: self.execution.now_us(),
            times_us: self.execution.times_us().to_vec(),
        };
        Execution::new(self.network.clone(), progress).expect("its own progress")
    }
}

/// Durations that Nature picks.
fn draw(network: &Network, random: &mut Random) -> Vec<Micros> {
    let links = network.contingent().iter();
    let draw = links.map(|link| random.random_range(link.lower_us..=link.upper_us));
    draw.collect()
}

/// Networks to execute.
fn networks(seeds: std::ops::Range<u64>) -> impl Iterator<Item = Network> {
    let shape = Uncertain {
        ours: 6,
        contingent: 4,
        links: 10,
        chained_percent: 30,
        slack_s: 12,
    };
    seeds.flat_map(move |seed| [tiny_uncertain(seed), uncertain(seed, &shape)])
}

#[test]
fn all_bounds_are_satisfied_whatever_nature_does_and_however_late_events_are() {
    let random = &mut Random::seed_from_u64(1);
    let (mut games, mut reports, mut again) = (0, 0, 0);
    for network in networks(0..1_000) {
        let mut game = Game::new(&network, draw(&network, random));
        if plan(&mut game.execution).verdict != Verdict::Holds {
            continue;
        }
        games += 1;
        let broken = game.execution.broken().to_vec();
        while !game.execution.is_over() {
            let forecast = game.execution.forecast().expect("nothing deviates");
            let (now_us, events) = game.step(&forecast, random.random_bool(0.40));
            game.execution.report(now_us, &events).unwrap();
            reports += 1;
            let times = game.execution.times_us();
            assert_eq!(game.execution.deviation(), None, "{network:?} {times:?}");
            assert_eq!(game.execution.broken(), broken, "{network:?} {times:?}");
            if random.random_bool(0.20) && !game.execution.is_over() {
                game.execution = game.created_again();
                let verdict = plan(&mut game.execution).verdict;
                assert_eq!(verdict, Verdict::Holds, "{network:?}");
                again += 1;
            }
        }
    }
    assert!(
        games > 400 && reports > 2_000 && again > 400,
        "{games} {reports} {again}"
    );
}

/// A report that is likely to deviate: something early, or late, or nothing for a long time.
fn disturbed(game: &Game, forecast: &Forecast, random: &mut Random) -> (Micros, Events) {
    let now_us = game.execution.now_us();
    let unit = 1 + now_us / 4;
    let later_us = now_us + random.random_range(0..=3 * unit);
    let open = (1..game.network.nodes()).filter(|node| game.time(*node).is_none());
    let can_happen = |node: &Node| {
        let mut links = game.network.contingent().iter();
        let link = links.find(|link| link.to == *node);
        link.is_none_or(|link| game.time(link.from).is_some())
    };
    let open: Vec<Node> = open.filter(can_happen).collect();
    match random.random_range(0..=3) {
        0 => (later_us, Vec::new()),
        1 | 2 if !open.is_empty() => {
            let at = random.random_range(0..=open.len() as Micros - 1) as usize;
            (later_us, vec![(open[at], later_us)])
        }
        _ => game.step(forecast, false),
    }
}

/// A network with other bounds.
fn relaxed(network: &Network, relaxation: &Relaxation) -> Network {
    let spec = answers::relaxed(network, relaxation);
    Network::new(spec).expect("relaxations keep a network valid")
}

#[test]
fn after_a_deviation_the_rest_goes_on_or_says_what_has_to_change() {
    let random = &mut Random::seed_from_u64(2);
    let (mut deviations, mut went_on, mut failed, mut relaxations) = (0, 0, 0, 0);
    for network in networks(1_000..2_600) {
        let mut game = Game::new(&network, draw(&network, random));
        if plan(&mut game.execution).verdict != Verdict::Holds {
            continue;
        }
        let mut broken = game.execution.broken().to_vec();
        while !game.execution.is_over() {
            let forecast = game.execution.forecast().expect("a plan is executed");
            let (now_us, events) = if random.random_bool(0.25) {
                disturbed(&game, &forecast, random)
            } else {
                game.step(&forecast, false)
            };
            game.execution.report(now_us, &events).unwrap();
            if game.execution.is_running() {
                assert_eq!(game.execution.broken(), broken, "{network:?}");
                continue;
            }
            deviations += 1;
            assert!(game.execution.deviation().is_some());
            broken = game.execution.broken().to_vec();
            if game.execution.is_over() {
                break;
            }
            let finding = plan(&mut game.execution);
            if finding.verdict == Verdict::Holds {
                went_on += 1;
                continue;
            }
            assert_eq!(finding.verdict, Verdict::Fails);
            assert!(
                finding
                    .conflict
                    .is_some_and(|conflict| !conflict.members.is_empty())
            );
            failed += 1;
            let rest = game.execution.rest().unwrap();
            for relaxation in &finding.relaxations {
                let changed = decide(&relaxed(&rest, relaxation));
                assert_eq!(
                    changed.verdict,
                    Verdict::Holds,
                    "{network:?} {relaxation:?}"
                );
                relaxations += 1;
            }
            break;
        }
    }
    let counts = (deviations, went_on, failed, relaxations);
    assert!(
        deviations > 300 && went_on > 100 && failed > 100,
        "{counts:?}"
    );
    assert!(relaxations > 50, "{counts:?}");
}

fn ride(lower_us: Micros, upper_us: Micros) -> Contingent {
    Contingent::new(1, 2, lower_us, upper_us)
}

/// A courier, event 1 (ours) to 2 (Nature's), rides 10 to 20 us; the gate, event 3, opens at most
/// 5 us before and 2 us after the arrival, and by 30.
fn courier() -> Network {
    Network::new(Spec {
        owners: vec![Controllable, Nature, Controllable],
        links: vec![
            Link::new(2, 3, -5, 2),
            Link::new(0, 3, None, 30),
            Link::new(0, 1, 1, None),
        ],
        contingent: vec![ride(10, 20)],
        ..Spec::default()
    })
    .expect("it is valid")
}

#[test]
fn a_courier_who_is_too_late_may_ride_as_long_again() {
    let mut execution = begun(&courier());
    assert_eq!(plan(&mut execution).verdict, Verdict::Holds);
    assert_eq!(execution.forecast().unwrap().wake, Some(1));
    execution.report(1, &[]).unwrap();
    let due = execution.forecast().unwrap().due;
    assert_eq!(
        due.iter().map(|window| window.event).collect::<Vec<_>>(),
        [1]
    );
    execution.report(2, &[(1, 2)]).unwrap();
    let forecast = execution.forecast().unwrap();
    let [gate] = &forecast.upcoming[..] else {
        panic!("{forecast:?}");
    };
    assert_eq!(
        (gate.event, gate.earliest, &gate.until[..]),
        (3, 17, &[2][..])
    );
    let [arrival] = &forecast.expected[..] else {
        panic!("{forecast:?}");
    };
    assert_eq!(
        (arrival.event, arrival.earliest, arrival.latest),
        (2, 12, Some(22))
    );
    execution.report(17, &[(3, 17)]).unwrap();
    execution.report(23, &[]).unwrap();
    let deviated = execution.deviation().unwrap();
    assert_eq!(deviated.what, Deviation::Outside { event: 2 });
    assert!(!execution.is_running());
    // The gate was opened too early for an arrival after 22.
    assert_eq!(execution.broken(), [Source::LinkLower(0)]);
    assert_eq!(plan(&mut execution).verdict, Verdict::Holds);
    let expected = execution.forecast().unwrap().expected;
    assert_eq!(
        (expected[0].earliest, expected[0].latest),
        (23, Some(1_000_023))
    );
    execution.report(40, &[(2, 40)]).unwrap();
    assert!(execution.is_over());
}

#[test]
fn reports_with_mistakes_change_nothing() {
    let mut execution = begun(&courier());
    plan(&mut execution);
    for (now_us, events, index, error) in [
        (3, vec![(1, 2), (2, 12)], 1, ReportError::OutOfRange),
        (3, vec![(1, 2), (1, 2)], 1, ReportError::Repeated),
        (3, vec![(1, -1)], 0, ReportError::OutOfRange),
        (3, vec![(2, 3)], 0, ReportError::BeforeStart),
        (3, vec![(2, 2), (1, 3)], 0, ReportError::BeforeStart),
    ] {
        let refused = execution.report(now_us, &events);
        assert_eq!(refused, Err((index, error)), "{events:?}");
        assert_eq!(execution.times_us(), [None; 3]);
        assert_eq!((execution.now_us(), execution.deviation()), (0, None));
    }
}

#[test]
fn an_observation_that_breaks_a_derived_bound_is_a_deviation() {
    // C, event 2, is at most 20 after go, event 1. X, event 3, is at least C - 5 and, by Y, event
    // 4, at most C + 2.
    let network = Network::new(Spec {
        owners: vec![Controllable, Nature, Controllable, Controllable],
        links: vec![
            Link::new(2, 3, -5, None),
            Link::new(2, 4, None, 6),
            Link::new(3, 4, 4, None),
        ],
        contingent: vec![ride(0, 20)],
        ..Spec::default()
    });
    let mut execution = begun(&network.unwrap());
    assert_eq!(plan(&mut execution).verdict, Verdict::Holds);
    execution.report(0, &[(1, 0)]).unwrap();
    execution.report(15, &[(3, 15)]).unwrap();
    assert_eq!(execution.deviation(), None);
    execution.report(16, &[(2, 12)]).unwrap();
    let deviation = execution.deviation().unwrap();
    assert_eq!(deviation.what, Deviation::Outside { event: 2 });
    assert_eq!(plan(&mut execution).verdict, Verdict::Fails);
}
