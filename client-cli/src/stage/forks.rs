//! When a choice is made, and what we pick.

use super::policies::Policy;
use super::script::{Made, NONE, Script};
use std::collections::BTreeSet;
use std::ops::Range;

/// Cells of outcomes that are looked at for one pick.
const CELLS_MAX: usize = 4_096;

/// What must have happened when a choice is made: all that is present for sure and that every
/// storyline still possible puts at or before every event of its option.
pub(super) fn moment(
    script: &Script,
    picks: &[Made],
    choice: usize,
    possible: &[&Policy],
) -> Vec<usize> {
    let sure = |node: &usize| script.present(picks, *node) == Some(true);
    let mut moment: Vec<usize> = (0..script.events.len()).filter(sure).collect();
    let stories: BTreeSet<_> = possible.iter().map(|p| &p.picks).collect();
    for story in stories {
        let Some(option) = story[choice].flatten() else {
            continue;
        };
        for event in &script.forks[choice].options[option].1 {
            if script.present(story, *event) == Some(true) {
                let before = before(script, story, *event);
                moment.retain(|node| before[*node]);
            }
        }
    }
    moment
}

/// Which nodes the links of a storyline put at or before an event.
fn before(script: &Script, story: &[Made], event: usize) -> Vec<bool> {
    // Largest time(node) - time(event).
    let mut most = vec![NONE; script.nodes()];
    most[event] = 0;
    let here = |node: usize| script.present(story, node) == Some(true);
    let links = script.links.iter().chain(&script.contingent);
    let links: Vec<_> = links.filter(|l| here(l.from) && here(l.to)).collect();
    for _ in 0..script.nodes() {
        let mut changed = false;
        for link in &links {
            let forth = most[link.from].saturating_add(link.upper_us);
            let back = most[link.to].saturating_sub(link.lower_us);
            for (node, bound) in [(link.to, forth), (link.from, back)] {
                if bound < most[node] && bound < NONE / 2 {
                    most[node] = bound;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    most.iter().map(|us| *us <= 0).collect()
}

/// The option that we pick: that of the first policy whose option works for all that may follow.
pub(super) fn ours(
    script: &Script,
    picks: &[Made],
    choices: Range<usize>,
    possible: &[&Policy],
) -> Option<usize> {
    let choice = choices.start;
    let mut left = CELLS_MAX;
    let mut options: Vec<usize> = Vec::new();
    for policy in possible {
        let option = policy.picks[choice].flatten()?;
        if !options.contains(&option) {
            options.push(option);
        }
    }
    for option in &options {
        let after = made(picks, choice, Some(*option));
        let later = choice + 1..choices.end;
        let with = possible
            .iter()
            .filter(|p| p.picks[choice] == Some(Some(*option)));
        let with: Vec<_> = with.copied().collect();
        if covered(script, &after, later, &with, &mut left) {
            return Some(*option);
        }
    }
    options.first().copied()
}

/// The picks with one more.
fn made(picks: &[Made], choice: usize, option: Option<usize>) -> Vec<Made> {
    let mut picks = picks.to_vec();
    picks[choice] = Some(option);
    picks
}

/// Whether these policies bear all that may still follow, as far as cells are left to look at.
fn covered(
    script: &Script,
    picks: &[Made],
    choices: Range<usize>,
    possible: &[&Policy],
    left: &mut usize,
) -> bool {
    let choice = choices.start;
    let later = choice + 1..choices.end;
    if possible.is_empty() {
        return false;
    }
    if choices.is_empty() || *left == 0 {
        return true;
    }
    if possible.iter().all(|p| p.picks[choice] == Some(None)) {
        let picks = made(picks, choice, None);
        return covered(script, &picks, later, possible, left);
    }
    // Links whose outcomes differ in what follows and that are seen by then.
    let moment = moment(script, picks, choice, possible);
    let split = possible.iter().flat_map(|p| &p.outcomes).map(|o| o.0);
    let links: BTreeSet<usize> = split
        .filter(|link| moment.contains(&script.contingent[*link].to))
        .collect();
    let links: Vec<usize> = links.into_iter().collect();
    cells(possible, &links, left, &mut |cell, left| {
        let fork = &script.forks[choice];
        let mut options = fork.offered.iter().copied().map(|option| {
            let with = cell
                .iter()
                .filter(|p| p.picks[choice] == Some(Some(option)));
            let with: Vec<_> = with.copied().collect();
            let picks = made(picks, choice, Some(option));
            covered(script, &picks, later.clone(), &with, left)
        });
        if fork.players {
            options.all(|works| works)
        } else {
            options.any(|works| works)
        }
    })
}

/// A test of the policies that are left in a cell.
type Test<'a> = dyn FnMut(&[&Policy], &mut usize) -> bool + 'a;

/// Whether every cell of the outcomes of these links passes a test.
fn cells(possible: &[&Policy], links: &[usize], left: &mut usize, test: &mut Test<'_>) -> bool {
    let Some((link, rest)) = links.split_first() else {
        *left = left.saturating_sub(1);
        return test(possible, left);
    };
    let of_link = |p: &&Policy| p.outcomes.iter().find(|o| o.0 == *link).copied();
    let boxes: Vec<_> = possible.iter().map(of_link).collect();
    let named = || boxes.iter().flatten();
    let first = named().map(|o| o.1).min();
    let last = named().map(|o| o.2).max();
    let starts: BTreeSet<i64> = named().flat_map(|o| [o.1, o.2 + 1]).collect();
    let inside = |at: &&i64| Some(**at) >= first && Some(**at) <= last;
    starts.iter().filter(inside).all(|at| {
        let here = |o: &Option<(usize, i64, i64)>| o.is_none_or(|o| o.1 <= *at && *at <= o.2);
        let pairs = possible.iter().zip(&boxes).filter(|(_, o)| here(o));
        let cell: Vec<_> = pairs.map(|(p, _)| *p).collect();
        cells(&cell, rest, left, test)
    })
}
