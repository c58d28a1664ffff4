//! Small random stories for many groups.

use super::MINUTE_US;
use crate::evenings::answer;
use narrative::generate::{choices, tiny_story};
use narrative::problem::{Chooser, Spec, Start};
use narrative::verify::strategy;
use narrative::{Answer, Narrative};

/// A story for groups that begin some time apart, with enough of each resource for some of them.
fn copies(spec: &Spec, groups: i64, apart_us: i64, times: u32) -> Option<Narrative> {
    let starts: Vec<Start> = (0..groups)
        .map(|group| Start {
            offset_us: group * apart_us,
        })
        .collect();
    let mut spec = spec.copies(&starts);
    for resource in &mut spec.resources {
        resource.capacity *= times;
    }
    spec.horizon_us = None;
    Narrative::new(spec).ok()
}

#[test]
fn answers_for_many_groups_are_verified() {
    let (mut planned, mut refused, mut open) = (0, 0, 0);
    for seed in 0..36_u64 {
        let story = match seed % 3 {
            0 => choices(seed, Chooser::Player, 3),
            1 => choices(seed, Chooser::System, 3),
            _ => tiny_story(seed),
        };
        let groups = if seed % 3 == 2 { 11 } else { 7 };
        let apart_us = [0, 1, 7, 40][(seed / 3) as usize % 4] * MINUTE_US / 4;
        let times = 1 + (seed / 12) as u32 % 3;
        let Some(narrative) = copies(story.spec(), groups, apart_us, times) else {
            continue;
        };
        if !narrative.storylines().is_empty() {
            continue;
        }
        match answer(&narrative, 500).0 {
            Some(Answer::Plan(plan)) => {
                assert!(strategy(&narrative, &plan).is_ok(), "{seed}");
                planned += 1;
            }
            Some(Answer::Infeasible { .. }) => refused += 1,
            _ => open += 1,
        }
    }
    assert!(planned > 4 && refused > 5, "{planned} {refused} {open}");
}
