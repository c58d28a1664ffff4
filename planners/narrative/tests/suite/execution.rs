//! Executions against games in which players pick and durations vary, and reports come late, early
//! or not at all. The simulated dispatch of the check says what has to come out.

mod scenes;

use crate::searched;
use narrative::execution::{Execution, Facts, Forecast};
use narrative::generate::{Evening, choices, evening, tiny, tiny_story};
use narrative::problem::{Chooser, Micros, Node};
use narrative::solve::Params;
use narrative::{Narrative, Plan, verify};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus as Random;

const MINUTE_US: Micros = 60_000_000;

/// Events with their times.
type Events = Vec<(Node, Micros)>;

/// A plan for a story, if one is found.
fn planned(narrative: &Narrative) -> Option<Plan> {
    searched::planned(narrative, &Params::default(), 3_000)
}

/// Plans the rest, and follows that.
fn plan(execution: &mut Execution) -> bool {
    let Some(rest) = execution.rest() else {
        return false;
    };
    let Some(plan) = planned(&rest) else {
        return false;
    };
    assert!(execution.follow(&rest, &plan), "{rest:?} {plan:?}");
    true
}

/// A game that plays a story: what players do is drawn before.
struct Game {
    narrative: Narrative,
    durations: Vec<Micros>,
    picks: Vec<Option<usize>>,
    execution: Execution,
}

impl Game {
    fn new(narrative: &Narrative, random: &mut Random) -> Self {
        let spec = narrative.spec();
        let links = spec.contingent.iter();
        let durations = links.map(|link| match random.random_range(0..4) {
            0 => link.lower_us,
            1 => link.upper_us,
            _ => random.random_range(link.lower_us..=link.upper_us),
        });
        let durations = durations.collect();
        let picks = spec.choices.iter();
        let picks = picks.map(|choice| Some(random.random_range(0..choice.options.len())));
        Self {
            narrative: narrative.clone(),
            durations,
            picks: picks.collect(),
            execution: Execution::new(narrative.clone()),
        }
    }

    fn time(&self, node: Node) -> Option<Micros> {
        self.execution.facts().progress.time(node)
    }

    /// Ends of links that run, or that something begins which is due.
    fn ends(&self, due: &Events) -> Events {
        let links = self.narrative.spec().contingent.iter().zip(&self.durations);
        let begun = |node: Node| {
            let mut due = due.iter();
            let time = || due.find(|event| event.0 == node).map(|event| event.1);
            self.time(node).or_else(time)
        };
        let ends = links.filter(|(link, _)| self.time(link.to).is_none());
        let ends = ends.filter_map(|(link, lasts)| Some((link.to, begun(link.from)? + lasts)));
        ends.collect()
    }

    /// What players pick now.
    fn made(&self, forecast: &Forecast) -> Vec<(usize, usize)> {
        let open = forecast.open.iter().map(|open| {
            let pick = self.picks[open.choice].filter(|pick| open.options.contains(pick));
            (open.choice, pick.unwrap_or(open.options[0]))
        });
        open.collect()
    }

    fn forecast(&self) -> Forecast {
        let forecast = self.execution.forecast();
        forecast.cloned().expect("a plan is followed")
    }

    /// What is due or open happens as late as it may, unless something happens before. The time may
    /// be reported before what happens then. False: nothing happens.
    fn step_late(&mut self, random: &mut Random) -> bool {
        let forecast = self.forecast();
        let now_us = self.execution.facts().progress.now_us;
        let due = forecast.due.iter();
        let latest = due.clone().filter_map(|it| it.latest);
        let picks = forecast.open.iter().filter_map(|open| open.latest_us);
        let ends = self.ends(&Vec::new());
        let first = ends.iter().map(|end| end.1);
        let Some(at_us) = latest
            .chain(picks)
            .chain(first)
            .chain(forecast.wake_us)
            .min()
        else {
            return self.step();
        };
        let at_us = at_us.max(now_us);
        let ends: Events = ends.into_iter().filter(|end| end.1 <= at_us).collect();
        if random.random_bool(0.30) {
            self.execution.report(at_us, &[], &[]).expect("time passes");
        }
        let mut events = ends;
        let is_last = due.clone().any(|it| it.latest == Some(at_us));
        if is_last || forecast.wake_us.is_none() && events.is_empty() {
            events.extend(due.map(|it| (it.event as Node, at_us)));
        }
        let is_late = forecast
            .open
            .iter()
            .any(|open| open.latest_us == Some(at_us));
        let made = if is_late || events.is_empty() {
            self.made(&forecast)
        } else {
            Vec::new()
        };
        let done = self.execution.report(at_us, &events, &made);
        done.expect("what is due can happen");
        true
    }

    /// Reports what is due and picked now, or else the next thing that happens. False: nothing
    /// does.
    fn step(&mut self) -> bool {
        let forecast = self.forecast();
        let now_us = self.execution.facts().progress.now_us;
        let due: Events = forecast
            .due
            .iter()
            .map(|it| (it.event as Node, now_us))
            .collect();
        let made = self.made(&forecast);
        let mut ends = self.ends(&due);
        if due.is_empty() && made.is_empty() {
            let first = ends.iter().map(|end| end.1).chain(forecast.wake_us).min();
            let Some(first_us) = first.map(|first| first.max(now_us)) else {
                return false;
            };
            ends.retain(|end| end.1 <= first_us);
            let done = self.execution.report(first_us, &ends, &[]);
            done.expect("links end after their start");
        } else {
            ends.retain(|end| end.1 <= now_us);
            let events = [due, ends].concat();
            let done = self.execution.report(now_us, &events, &made);
            done.expect("what is due can happen");
        }
        true
    }

    /// The same from its story, plan and facts alone.
    fn created_again(&self) -> Execution {
        let mut again = Execution::new(self.narrative.clone());
        let (before, plan) = self.execution.planned().expect("a plan is followed");
        report_all(&mut again, &Facts::from_progress(before));
        let rest = again.rest().expect("it was planned");
        assert!(again.follow(&rest, plan));
        report_all(&mut again, self.execution.facts());
        again
    }
}

/// Reports all that an execution does not know.
fn report_all(execution: &mut Execution, facts: &Facts) {
    let known = execution.facts().progress.clone();
    let events = facts.progress.happened();
    let events: Events = events
        .filter(|event| known.time(event.0).is_none())
        .collect();
    let picks = facts.picks.iter().enumerate();
    let picks: Vec<_> = picks
        .filter_map(|(at, pick)| Some((at, (*pick)?)))
        .collect();
    let done = execution.report(facts.progress.now_us, &events, &picks);
    done.expect("it has happened");
}

/// Stories to play.
fn stories() -> impl Iterator<Item = Narrative> {
    let small = (0..150).flat_map(|seed| [tiny(seed), tiny_story(seed)]);
    let forks = (0..60).flat_map(|seed| {
        let options = 2 + seed as usize % 3;
        [Chooser::System, Chooser::Player].map(|chooser| choices(seed, chooser, options))
    });
    small.chain(forks).chain((0..10).map(evening))
}

#[test]
fn what_happens_is_what_the_simulation_of_the_plan_says() {
    let random = &mut Random::seed_from_u64(1);
    let (mut games, mut reports, mut again, mut players) = (0, 0, 0, 0);
    for narrative in stories() {
        let Some(plan) = planned(&narrative) else {
            continue;
        };
        for _ in 0..3 {
            let mut game = Game::new(&narrative, random);
            let run = verify::simulate(&narrative, &plan, &game.durations, &game.picks);
            let run = run.expect("the plan has the right form");
            let rest = game.execution.rest().unwrap();
            assert!(game.execution.follow(&rest, &plan));
            while game.step() {
                reports += 1;
                assert_eq!(game.execution.deviation(), None, "{narrative:?} {plan:?}");
                if random.random_bool(0.10) {
                    let forecast = game.execution.forecast().cloned();
                    game.execution = game.created_again();
                    assert_eq!(
                        game.execution.forecast().cloned(),
                        forecast,
                        "{:?} {:?} {:?}",
                        game.execution.deviation(),
                        game.execution.facts(),
                        narrative
                    );
                    again += 1;
                }
            }
            assert!(
                game.execution.is_over(),
                "{narrative:?} {:?}",
                game.execution
            );
            let times = (0..narrative.nodes()).map(|node| game.time(node));
            assert_eq!(
                times.collect::<Vec<_>>(),
                run.times_us,
                "{narrative:?} {plan:?}"
            );
            assert_eq!(game.execution.broken(), []);
            games += 1;
            players += usize::from(!game.execution.forecast().unwrap().picks.is_empty());
        }
    }
    assert!(
        games > 400 && reports > 2_000 && again > 300 && players > 150,
        "{games} {reports} {again} {players}"
    );
}

#[test]
fn nothing_deviates_while_events_are_within_their_windows() {
    let random = &mut Random::seed_from_u64(4);
    let (mut games, mut reports) = (0, 0);
    for narrative in stories() {
        let mut game = Game::new(&narrative, random);
        if !plan(&mut game.execution) {
            continue;
        }
        let broken = game.execution.broken().to_vec();
        while game.step_late(random) {
            reports += 1;
            let facts = game.execution.facts();
            assert_eq!(game.execution.deviation(), None, "{narrative:?} {facts:?}");
            assert_eq!(game.execution.broken(), broken);
        }
        assert!(game.execution.is_over(), "{narrative:?}");
        games += 1;
    }
    assert!(games > 130 && reports > 1_000, "{games} {reports}");
}

/// A report that is likely to deviate: something early, or late, or nothing for a long time.
fn disturb(game: &mut Game, random: &mut Random) {
    let now_us = game.execution.facts().progress.now_us;
    let later_us = now_us + random.random_range(0..=20_000_000);
    let open = (1..game.narrative.nodes()).filter(|node| game.time(*node).is_none());
    let open: Vec<Node> = open.collect();
    let events = match random.random_range(0..3) {
        0 => Vec::new(),
        _ => vec![(open[random.random_range(0..open.len())], later_us)],
    };
    // What cannot have happened is refused, and changes nothing.
    let before = game.execution.facts().clone();
    if game.execution.report(later_us, &events, &[]).is_err() {
        assert_eq!(game.execution.facts(), &before);
    }
}

#[test]
fn after_a_deviation_a_plan_for_the_rest_goes_on() {
    let random = &mut Random::seed_from_u64(2);
    let (mut deviations, mut went_on, mut over) = (0, 0, 0);
    for narrative in stories().chain((200..900).map(tiny_story)) {
        let mut game = Game::new(&narrative, random);
        if !plan(&mut game.execution) {
            continue;
        }
        let mut broken = game.execution.broken().to_vec();
        while !game.execution.is_over() {
            if random.random_bool(0.25) {
                disturb(&mut game, random);
            } else if !game.step() {
                break;
            }
            if game.execution.is_running() {
                assert_eq!(game.execution.broken(), broken, "{narrative:?}");
                continue;
            }
            deviations += 1;
            assert!(game.execution.deviation().is_some());
            broken = game.execution.broken().to_vec();
            if game.execution.is_over() || !plan(&mut game.execution) {
                break;
            }
            went_on += 1;
        }
        over += usize::from(game.execution.is_over());
    }
    assert!(
        deviations > 300 && went_on > 100 && over > 100,
        "{deviations} {went_on} {over}"
    );
}

#[test]
fn groups_are_executed_by_their_strands() {
    let random = &mut Random::seed_from_u64(3);
    let evening = Evening {
        groups: 7,
        offset_us: 60 * MINUTE_US,
        search_us: (4 * MINUTE_US, 16 * MINUTE_US),
        curtain_us: (40 * MINUTE_US, 90 * MINUTE_US),
        candles: 7,
        actors: [1; 4],
        chooser: Chooser::System,
    };
    let narrative = evening.narrative();
    assert!(narrative.storylines().is_empty());
    let plan = planned(&narrative).expect("evenings an hour apart have a plan");
    for _ in 0..5 {
        let mut game = Game::new(&narrative, random);
        let run = verify::simulate(&narrative, &plan, &game.durations, &game.picks).unwrap();
        let rest = game.execution.rest().unwrap();
        assert!(game.execution.follow(&rest, &plan));
        while game.step() {}
        let times = (0..narrative.nodes()).map(|node| game.time(node));
        assert_eq!(times.collect::<Vec<_>>(), run.times_us);
        assert!(game.execution.is_over() && game.execution.deviation().is_none());
    }
}
