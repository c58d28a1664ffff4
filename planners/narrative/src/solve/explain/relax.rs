//! Relaxations: changes after which there is a plan, each solved again.

mod choice_changes;
mod combined_changes;

use super::super::{feasible, plan};
use crate::plan::{Answer, Change, Conflict, Cost, Member, Plan, Relaxation};
use crate::problem::{Chooser, Micros, Narrative, Source, Spec};
use anytime::{Control, Limits};

/// Most narratives that are solved again.
const TRIES_MAX: usize = 200;
/// Most iterations for each, and for all together.
const ITERATIONS_MAX: u64 = 200;
const WORK_MAX: u64 = 3_000;
/// Most of a resource that is added.
const MORE_MAX: u32 = 4;

/// At most `most` changes that help: bounds of the conflict, the smallest change first, more of a
/// resource, and other choices; as many of each kind as of the others, as far as there are. When no
/// single one helps, a few together. `effort`: how many times as much may be done as at first.
pub(crate) fn relaxations(
    narrative: &Narrative,
    conflict: &Conflict,
    unit: Micros,
    most: usize,
    effort: u32,
    control: &mut Control<'_, Answer, Cost>,
) -> (Vec<Relaxation>, bool) {
    if most == 0 {
        return (Vec::new(), false);
    }
    let mut search = Search {
        narrative,
        unit,
        tries: super::tries_max(narrative.nodes(), TRIES_MAX) * effort as usize,
        work: WORK_MAX * u64::from(effort) / 2,
        effort,
        is_cut: false,
        control,
    };
    let rules = Rules::new(conflict);
    // Bounds are many: what there is little of does not wait for them.
    let more = rules.resources.iter();
    let more: Vec<Change> = more.filter_map(|at| search.capacity(*at)).collect();
    let picks = search.picks(&rules.choices);
    search.work += WORK_MAX * u64::from(effort) / 2;
    let mut bounds: Vec<(Micros, Change)> = Vec::new();
    for source in &rules.bounds {
        let cap = (bounds.len() >= most).then(|| bounds[bounds.len() - 1].0 - 1);
        if let Some(found) = search.bound(*source, cap) {
            let at = bounds.partition_point(|known| *known <= found);
            bounds.insert(at, found);
            bounds.truncate(most);
        }
    }
    let bounds = bounds.into_iter().map(|(_, change)| vec![change]);
    let more = more.into_iter().map(|change| vec![change]);
    let mut all = dealt([bounds.collect(), more.collect(), picks], most);
    if all.is_empty() {
        search.work += WORK_MAX * u64::from(effort) / 2;
        all.extend(search.combined(&rules));
    }
    let relaxation = |changes: Vec<Change>| Relaxation {
        plan: search.plan(&changes).map(Box::new),
        changes,
    };
    let all = all.into_iter().map(relaxation).collect();
    (all, search.is_cut)
}

/// At most `most` of several kinds, kind by kind: one of each is worth more than several of the
/// same.
fn dealt(mut kinds: [Vec<Vec<Change>>; 3], most: usize) -> Vec<Vec<Change>> {
    let mut left = most;
    let mut kept = [0; 3];
    while left > 0 && (0..3).any(|kind| kept[kind] < kinds[kind].len()) {
        for (kept, kind) in kept.iter_mut().zip(&kinds) {
            if left > 0 && *kept < kind.len() {
                *kept += 1;
                left -= 1;
            }
        }
    }
    for (kind, kept) in kinds.iter_mut().zip(kept) {
        kind.truncate(kept);
    }
    kinds.concat()
}

/// What a conflict is about and can be changed, each once.
struct Rules {
    resources: Vec<usize>,
    choices: Vec<usize>,
    /// The horizon first: it is one bound for all events.
    bounds: Vec<Source>,
}

impl Rules {
    fn new(conflict: &Conflict) -> Self {
        let mut rules = Self {
            resources: Vec::new(),
            choices: Vec::new(),
            bounds: Vec::new(),
        };
        let mut horizon = None;
        for member in &conflict.members {
            match member {
                Member::Bound(source @ Source::Horizon(_)) => {
                    horizon.get_or_insert(*source);
                }
                Member::Bound(source) => rules.bounds.push(*source),
                Member::Capacity { resource, .. } => rules.resources.push(*resource),
                Member::Choice { choice } => rules.choices.push(*choice),
            }
        }
        rules.bounds.splice(0..0, horizon);
        rules.resources.dedup();
        rules
    }
}

struct Search<'s, 'c, 'k> {
    narrative: &'s Narrative,
    unit: Micros,
    effort: u32,
    /// Whether some question was not answered.
    is_cut: bool,
    tries: usize,
    /// Iterations that are left.
    work: u64,
    control: &'c mut Control<'k, Answer, Cost>,
}

impl Search<'_, '_, '_> {
    /// The smallest amount in whole units, at most `cap`, by which to move a bound.
    fn bound(&mut self, source: Source, cap: Option<Micros>) -> Option<(Micros, Change)> {
        let spec = self.narrative.spec();
        let (old_us, sign, room) = direction(spec, source)?;
        let most = room.min(cap.unwrap_or(Micros::MAX)) / self.unit;
        let change = |units: Micros, unit: Micros| Change::Bound {
            source,
            old_us,
            new_us: old_us + sign * units * unit,
        };
        let unit = self.unit;
        let probes = [most, most / 4, most / 16];
        let mut good = probes.into_iter().filter(|units| *units > 0);
        let mut high = good.find(|units| self.helps(&[change(*units, unit)]))?;
        let mut low = 0;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.helps(&[change(middle, unit)]) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Some((high * unit, change(high, unit)))
    }

    fn capacity(&mut self, resource: usize) -> Option<Change> {
        let old = self.narrative.spec().resources[resource].capacity;
        let more = (1..=MORE_MAX).map(|more| Change::Capacity {
            resource,
            capacity: old + more,
        });
        // The most first: if that does not help, less does not.
        let all: Vec<Change> = more.collect();
        let helps = self.helps(&[*all.last()?]);
        helps.then(|| all.into_iter().find(|change| self.helps(&[*change])))?
    }

    fn helps(&mut self, changes: &[Change]) -> bool {
        if self.tries == 0 || self.work == 0 || !self.control.tick() {
            self.tries = 0;
            self.is_cut = true;
            return false;
        }
        self.tries -= 1;
        let limits = Limits {
            iterations_max: Some(ITERATIONS_MAX * u64::from(self.effort)),
            ..self.control.limits().clone()
        };
        let mut ignore = |_: &Answer, _: Cost| {};
        let mut control = Control::new(limits, self.control.seed(0), &mut ignore);
        let helps = self
            .changed(changes)
            .map(|changed| feasible(&changed, &mut control));
        self.work = self.work.saturating_sub(control.iterations());
        // Where it is not the limit, more does not say more.
        self.is_cut |= helps == Some(None) && control.stop().is_some();
        helps == Some(Some(true))
    }

    /// The plan that proves that changes help, by the search that saw it; `None`: stopped.
    fn plan(&mut self, changes: &[Change]) -> Option<Plan> {
        let changed = self.changed(changes)?;
        let limits = Limits {
            iterations_max: Some(ITERATIONS_MAX * u64::from(self.effort)),
            ..self.control.limits().clone()
        };
        let mut ignore = |_: &Answer, _: Cost| {};
        let mut control = Control::new(limits, self.control.seed(0), &mut ignore);
        plan(&changed, &mut control)
    }

    /// The narrative after changes; `None`: they are none, or leave no narrative.
    fn changed(&self, changes: &[Change]) -> Option<Narrative> {
        let mut spec = self.narrative.spec().clone();
        for change in changes {
            match *change {
                Change::Bound { source, new_us, .. } => *spec.bound_mut(source)? = new_us,
                Change::Capacity { resource, capacity } => {
                    spec.resources[resource].capacity = capacity;
                }
                Change::Chooser { choice } => spec.choices[choice].chooser = Chooser::System,
                Change::Offer { choice, option } => {
                    spec.withheld.retain(|given| *given != (choice, option));
                }
                Change::Withhold { choice, option } => {
                    spec.withheld.push((choice, option));
                    spec.withheld.sort_unstable();
                }
            }
        }
        self.narrative.with_spec(spec).ok()
    }
}

/// A bound, which way it moves to be easier to keep, and how far it can.
fn direction(spec: &Spec, source: Source) -> Option<(Micros, Micros, Micros)> {
    let links = spec.links.iter();
    let times = links
        .flat_map(|link| [link.lower_us, link.upper_us])
        .flatten();
    let times = times.chain(spec.contingent.iter().map(|link| link.upper_us));
    let far = times.map(Micros::abs).max().unwrap_or(0);
    match source {
        Source::LinkUpper(at) => Some((spec.links.get(at)?.upper_us?, 1, far)),
        Source::LinkLower(at) => Some((spec.links.get(at)?.lower_us?, -1, far)),
        Source::Horizon(_) => Some((spec.horizon_us?, 1, far)),
        Source::ContingentUpper(at) => {
            let link = spec.contingent.get(at)?;
            Some((link.upper_us, -1, link.upper_us - link.lower_us))
        }
        Source::ContingentLower(at) => {
            let link = spec.contingent.get(at)?;
            Some((link.lower_us, 1, link.upper_us - link.lower_us))
        }
        Source::Start(_) | Source::Happened(_) => None,
    }
}
