//! Outcomes that no box covers yet, and the links that choices have seen.

use super::outcome_boxes::{Gap, OutcomeBoxes, Ranges};
use crate::plan::Uncovered;
use crate::problem::{Chooser, Micros};
use crate::solve::story::{Fork, Tree};

/// Most boxes of one choice.
const CELLS_MAX: usize = 256;
/// Most outcomes that are looked at to find one that is open.
const CORNERS_MAX: usize = 100_000;

/// The least outcomes that are in no box, link by link; `None`: all are.
pub(super) fn uncovered(
    seen: &[usize],
    ranges: &[(Micros, Micros)],
    boxes: &[Vec<(Micros, Micros)>],
) -> Result<Option<Vec<Micros>>, Gap> {
    // Between these outcomes and the next nothing changes.
    let steps = seen.iter().enumerate().map(|(at, link)| {
        let (least, most) = ranges[*link];
        let after = boxes.iter().map(|sides| sides[at].1 + 1);
        let mut steps: Vec<Micros> = after.chain([least]).filter(|time| *time <= most).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    });
    let steps: Vec<Vec<Micros>> = steps.collect();
    let corners: usize = steps.iter().map(Vec::len).product();
    if corners > CORNERS_MAX || boxes.len() >= CELLS_MAX {
        return Err(Gap::Open);
    }
    let corners = (0..corners).map(|mut index| {
        let mut corner = vec![0; steps.len()];
        for (time, steps) in corner.iter_mut().zip(&steps).rev() {
            *time = steps[index % steps.len()];
            index /= steps.len();
        }
        corner
    });
    let covers = |sides: &Vec<(Micros, Micros)>, corner: &[Micros]| {
        let mut pairs = sides.iter().zip(corner);
        pairs.all(|((least, most), time)| least <= time && time <= most)
    };
    let mut open = corners.filter(|corner| !boxes.iter().any(|sides| covers(sides, corner)));
    Ok(open.next())
}

impl OutcomeBoxes<'_, '_, '_> {
    /// Outcomes a quarter of a step after the ends of other boxes: options rarely begin there.
    pub(super) fn between(&self, part: &Ranges, seen: &[usize], ranges: &Ranges) -> Ranges {
        let mut point = part.clone();
        for link in seen {
            let (least, most) = part[*link];
            let after = least > ranges[*link].0;
            let quarter = if after { self.scale.unit / 4 } else { 0 };
            let time = (least - 1 + quarter).clamp(least, most);
            point[*link] = (time, time);
        }
        point
    }

    /// Links that a choice has seen and that still vary.
    pub(super) fn seen(&self, fork: &Fork, ranges: &Ranges) -> Vec<usize> {
        let open = self.story.open.iter().enumerate();
        let seen = open.filter(|(at, open)| {
            ranges[*at].0 < ranges[*at].1 && fork.seen.contains(&open.contingent)
        });
        seen.map(|(at, _)| at).collect()
    }

    /// Whether choices of ours see more than these links.
    pub(super) fn sees_more(&self, tree: &Tree, seen: &[usize], ranges: &Ranges) -> bool {
        let Tree::Fork(fork) = tree else {
            return false;
        };
        let ours = fork.chooser == Chooser::System;
        let new = || self.seen(fork, ranges).iter().any(|at| !seen.contains(at));
        let mut options = fork.options.iter();
        ours && new() || options.any(|option| self.sees_more(option, seen, ranges))
    }

    pub(super) fn gap(&self, fork: &Fork, part: &Ranges) -> Gap {
        let open = self.story.open.iter().zip(part);
        let seen = open.filter(|(open, _)| fork.seen.contains(&open.contingent));
        let picks = &self.story.narrative.storylines()[fork.lines.start];
        Gap::Uncovered(Uncovered {
            durations_us: seen
                .map(|(open, range)| (open.contingent, range.0))
                .collect(),
            picks: picks[..fork.choice].to_vec(),
        })
    }
}
