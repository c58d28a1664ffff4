//! Narratives that are nearly those of the generators, and ways to look for their plans.

mod change;

use super::verify_stories::{castle, duet, relay, two_links};
use anytime::{Limits, Record, record};
use narrative::generate::{choices, evening, suite1, tiny, tiny_story};
use narrative::problem::{Chooser, Micros, Objective, Progress, Spec, Start};
use narrative::solve::{Detail, Params, solve};
use narrative::verify::simulate;
use narrative::{Answer, Narrative};

/// The random numbers of a test.
pub(crate) use anytime::SplitMix64 as Random;

/// The generator of a test with this seed.
pub(crate) fn random(seed: u64) -> Random {
    Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
}

/// A story with up to seven changes after which it still is valid, and an objective.
pub(crate) fn narrative(random: &mut Random) -> Narrative {
    let by = *random.one_of(&[1, 1, 1_000_000, 60_000_000]);
    let mut narrative = scaled(whole(random), by);
    if random.chance(8) {
        let offsets = [0, 1, 5, 60_000_000, 3_600_000_000];
        let second = Start {
            offset_us: *random.one_of(&offsets),
        };
        let both = narrative.spec().copies(&[Start::default(), second]);
        narrative = Narrative::new(both).unwrap_or(narrative);
    }
    if random.chance(3) {
        narrative = underway(random, narrative);
    }
    let weights = [0, 0, 1, 1, 2, 1_000_000];
    let mut spec = narrative.spec().clone();
    spec.objective = Objective {
        makespan: *random.one_of(&weights),
        slack: *random.one_of(&weights),
        idle: *random.one_of(&weights),
    };
    for _ in 0..1 + random.below(7) {
        // What is invalid is not kept.
        let mut other: Spec = spec.clone();
        change::once(random, &mut other);
        if let Ok(changed) = Narrative::new(other.clone()) {
            (narrative, spec) = (changed, other);
        }
    }
    narrative
}

fn whole(random: &mut Random) -> Narrative {
    let seed = random.number();
    let chooser = *random.one_of(&[Chooser::System, Chooser::Player]);
    match random.below(24) {
        0 | 1 => tiny(seed),
        2..9 => tiny_story(seed),
        9 => choices(seed, chooser, 2 + random.below(2)),
        10 => evening(seed),
        11 => suite1(seed % 100, random.below(8)),
        12 | 13 => relay(),
        14..16 => duet(),
        16..18 => two_links(),
        _ => castle(chooser),
    }
}

/// The same in other units.
fn scaled(narrative: Narrative, by: Micros) -> Narrative {
    let mut spec = narrative.spec().clone();
    for link in &mut spec.links {
        link.lower_us = link.lower_us.map(|time| time * by);
        link.upper_us = link.upper_us.map(|time| time * by);
    }
    for link in &mut spec.contingent {
        link.lower_us *= by;
        link.upper_us *= by;
    }
    spec.horizon_us = spec.horizon_us.map(|time| time * by);
    Narrative::new(spec).unwrap_or(narrative)
}

/// The same story some time after it has begun.
fn underway(random: &mut Random, whole: Narrative) -> Narrative {
    let found = record(Limits::iterations(300), 1, |control| {
        solve(&whole, &Params::default(), control)
    });
    let Some(Answer::Plan(plan)) = found.ok().and_then(Record::plan) else {
        return whole;
    };
    let contingent = whole.spec().contingent.iter();
    let durations: Vec<Micros> = contingent
        .map(|link| {
            let width = (link.upper_us - link.lower_us + 1) as usize;
            link.lower_us + random.below(width) as Micros
        })
        .collect();
    let wishes: Vec<Option<usize>> = whole
        .spec()
        .choices
        .iter()
        .map(|_| Some(random.below(2)))
        .collect();
    let Ok(run) = simulate(&whole, &plan, &durations, &wishes) else {
        return whole;
    };
    let times: Vec<Micros> = run.times_us.iter().flatten().copied().collect();
    let now_us = *random.one_of(&times) + *random.one_of(&[0, 0, 1]);
    let mut spec = whole.spec().clone();
    let happened = run.times_us.iter().enumerate().skip(1);
    let happened = happened.filter_map(|(node, time)| Some((node, (*time)?)));
    spec.progress = Progress {
        now_us,
        happened: happened.filter(|(_, time)| *time <= now_us).collect(),
        made: vec![],
    };
    for (choice, pick) in run.picks.iter().enumerate() {
        if let Some(pick) = pick
            && random.chance(2)
        {
            spec.progress.made.push((choice, *pick));
        }
    }
    Narrative::new(spec).unwrap_or(whole)
}

/// A way to look for a plan, and for how many iterations.
pub(crate) fn how(random: &mut Random) -> (Params, u64) {
    let detail = Detail {
        shrink: !random.chance(3),
        relaxations_max: *random.one_of(&[0, 1, 3]),
        flexibilities: random.chance(3),
    };
    let params = Params {
        detail,
        ..Params::default()
    };
    (params, *random.one_of(&[1, 10, 100, 1_000]))
}
