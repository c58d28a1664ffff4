//! What a story may come to: goals that hold at its end, and facts that make them hold.

use super::literal::{Conj, Sketcher, every};
use crate::machine::Machine;
use crate::machine::code::SLOTS;

/// Goals of which all sets are looked at; with more the sets of the first are.
const GOALS_MAX: usize = 8;
/// Most targets.
const TARGETS_MAX: usize = 20_000;

/// One way in which some goals hold.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// What has to hold.
    pub(crate) conj: Conj,
    /// The same as propositions.
    pub(crate) needs: Vec<u32>,
    /// -ln of the share of the weight that these goals have, and all that are not looked at.
    pub(crate) cost: i64,
}

/// All targets: whatever a story comes to, if it is worth anything, it meets one that costs at most -ln G. None: too many.
pub(super) fn targets(
    machine: &Machine,
    domains: &[Vec<i16>],
    propositions: &mut dyn FnMut(&Conj) -> Vec<u32>,
) -> Option<Vec<Target>> {
    let sketcher = Sketcher { domains };
    let slots = [0; SLOTS];
    let choices = |wish: &crate::machine::Wish| {
        let choices = sketcher.choices(&wish.truth, &slots, true);
        choices.unwrap_or_else(|| vec![Vec::new()])
    };
    let wishes: Vec<Vec<Conj>> = machine.wishes.iter().take(GOALS_MAX).map(choices).collect();
    let total: f64 = machine.wishes.iter().map(|wish| wish.weight).sum();
    let beyond: f64 = machine
        .wishes
        .iter()
        .skip(GOALS_MAX)
        .map(|wish| wish.weight)
        .sum();
    let first = machine.facts.len();
    let marks = first..machine.init.facts.len();
    let marks = marks.map(|fact| sketcher.literal(fact, 1, true));
    let marks = every(marks)?;
    let mut targets = Vec::new();
    for chosen in 0..1_usize << wishes.len() {
        let member = |i: &usize| chosen >> i & 1 == 1;
        let members: Vec<usize> = (0..wishes.len()).filter(member).collect();
        let weight: f64 = members.iter().map(|i| machine.wishes[*i].weight).sum();
        let share = (weight + beyond) / total;
        // A story that meets no goal is worth nothing, but better than none where something has to happen.
        if share <= 0.0 && marks == [Vec::new()] {
            continue;
        }
        let parts = members.iter().map(|i| Some(wishes[*i].clone()));
        let conjs = every(parts.chain([Some(marks.clone())]))?;
        targets.extend(conjs.iter().map(|conj| Target {
            conj: conj.clone(),
            needs: propositions(conj),
            cost: super::cost(share.min(1.0)),
        }));
        if targets.len() > TARGETS_MAX {
            return None;
        }
    }
    Some(targets)
}
