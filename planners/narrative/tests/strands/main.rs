//! Plans by strands: groups with more storylines together than are planned one by one.

mod expand;
mod play;
mod violations;

use anytime::{Conclusion, Control, Limits};
use narrative::generate::Evening;
use narrative::plan::Plan;
use narrative::problem::{Chooser, Micros};
use narrative::solve::{Params, solve};
use narrative::{Answer, Cost, Narrative, verify};

const MINUTE_US: Micros = 60_000_000;

/// Seven groups, which have 2,187 storylines.
fn evening(seed: u64) -> Narrative {
    let minutes = |choices: [i64; 4], at: u64| choices[(seed >> at) as usize % 4] * MINUTE_US;
    let shortest = minutes([4, 5, 6, 8], 0);
    let mut actors = [1; 4];
    if seed % 3 == 0 {
        actors[(seed / 3) as usize % 4] = 2;
    }
    Evening {
        groups: 7,
        offset_us: minutes([30, 40, 50, 60], 2),
        search_us: (shortest, shortest + minutes([5, 8, 12, 20], 1)),
        curtain_us: (40 * MINUTE_US, minutes([70, 75, 80, 90], 3)),
        candles: 7,
        actors,
        chooser: match seed % 2 {
            0 => Chooser::Player,
            _ => Chooser::System,
        },
    }
    .narrative()
}

/// The last answer, each of them verified at its cost.
fn answer(narrative: &Narrative, iterations: u64) -> (Option<Answer>, Conclusion) {
    let mut last = None;
    let mut sink = |answer: &Answer, cost: Cost| {
        assert_eq!(verify::answer(narrative, answer), Ok(cost));
        last = Some(answer.clone());
    };
    let mut control = Control::new(Limits::iterations(iterations), 1, &mut sink);
    let conclusion = solve(narrative, &Params::default(), &mut control);
    (last, conclusion.expect("it is built in"))
}

/// The plans of some evenings that have one.
fn plans(seeds: std::ops::Range<u64>) -> Vec<(u64, Narrative, Plan)> {
    let planned = seeds.filter_map(|seed| {
        let narrative = evening(seed);
        assert!(narrative.storylines().is_empty());
        match answer(&narrative, 3_000) {
            (Some(Answer::Plan(plan)), _) => Some((seed, narrative, plan)),
            (other, conclusion) => {
                eprintln!("{seed}: {conclusion:?} {}", match other { Some(Answer::Open(o)) => format!("{o:?}"), Some(_)=> "infeasible".into(), None => "none".into() });
                None
            }
        }
    });
    planned.collect()
}
