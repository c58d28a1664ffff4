//! Timetable propagation: the compulsory parts of activities leave no room for more.
//!
//! Schutt, Feydy, Stuckey, Wallace, "Explaining the cumulative propagator", Constraints 16 (2011),
//! section 4, with explanations at one moment (their "pointwise" ones).

use super::model::View;
use super::propagators::USES;
use crate::clause_learning::{Cause, Conflict, Consequence, Lit, Trail, Var};

/// A use of a resource: `amount` of it from `start` to `end`, when the condition holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use {
    pub(super) start: Var,
    pub(super) end: View,
    pub(super) amount: i64,
    pub(super) resource: u32,
    /// `None`: it always holds.
    pub(super) when: Option<Lit>,
}

impl Use {
    /// What makes sure that it holds something at a moment, if its condition holds.
    fn covers(&self, moment: i64) -> [Lit; 2] {
        let end = self.end.var.at_least(moment + 1 - self.end.plus);
        [self.start.at_most(moment), end]
    }

    fn is_certain(&self, trail: &Trail) -> bool {
        self.when.is_none_or(|when| trail.holds(when))
    }

    fn is_possible(&self, trail: &Trail) -> bool {
        self.when.is_none_or(|when| !trail.fails(when))
    }

    fn compulsory_part(&self, trail: &Trail) -> CompulsoryPart {
        CompulsoryPart {
            from: trail.max(self.start),
            to: self.end.min(trail),
        }
    }
}

#[derive(Debug, Clone, Default)]
struct Resource {
    capacity: i64,
    uses: Vec<u32>,
    dirty: bool,
}

/// From the latest start to the earliest end of a use: it surely holds something then. Empty when
/// `from` is not before `to`.
#[derive(Debug, Clone, Copy)]
struct CompulsoryPart {
    from: i64,
    to: i64,
}

/// From when on how much is surely held, until the next.
#[derive(Debug, Clone, Copy)]
struct Step {
    from: i64,
    held: i64,
}

/// More than `room` is held of a resource at a moment, by others than use `but`, as was known
/// before an event.
#[derive(Debug, Clone, Copy)]
struct Full {
    resource: u32,
    but: u32,
    moment: i64,
    room: i64,
    before: usize,
}

/// All resources.
#[derive(Debug, Default)]
pub(super) struct Timetable {
    uses: Vec<Use>,
    resources: Vec<Resource>,
    /// For each variable, resources that it matters to.
    matters: Vec<Vec<u32>>,
    /// Resources to look at.
    queue: Vec<u32>,
    /// Room: changes of what is surely held, and the sum of them.
    changes: Vec<(i64, i64)>,
    steps: Vec<Step>,
    /// Room for explanations: amounts and uses with the last event they need.
    candidates: Vec<(i64, usize, u32)>,
}

impl Timetable {
    pub(super) fn add_resource(&mut self, capacity: i64) {
        self.resources.push(Resource {
            capacity,
            ..Resource::default()
        });
    }

    pub(super) fn add_use(&mut self, added: Use) {
        let index = u32::try_from(self.uses.len()).expect("fewer than 2^31 uses");
        let of = added.resource;
        self.uses.push(added);
        self.resources[of as usize].uses.push(index);
        let condition = added.when.map(|when| when.side.var());
        for var in [added.start, added.end.var].into_iter().chain(condition) {
            if self.matters.len() <= var.index() {
                self.matters.resize(var.index() + 1, Vec::new());
            }
            if !self.matters[var.index()].contains(&of) {
                self.matters[var.index()].push(of);
            }
        }
    }

    /// A bound of a variable moved.
    pub(super) fn touch(&mut self, var: Var) {
        for index in self.matters.get(var.index()).into_iter().flatten() {
            let resource = &mut self.resources[*index as usize];
            if !resource.dirty {
                resource.dirty = true;
                self.queue.push(*index);
            }
        }
    }

    pub(super) fn touch_all(&mut self) {
        self.queue.clear();
        for (index, resource) in (0_u32..).zip(&mut self.resources) {
            resource.dirty = true;
            self.queue.push(index);
        }
    }

    /// Looks at all resources that were touched.
    pub(super) fn propagate(&mut self, trail: &mut Trail) -> Result<(), Conflict> {
        while let Some(index) = self.queue.last().copied() {
            let before = trail.len();
            self.profile(trail, index)?;
            let uses = std::mem::take(&mut self.resources[index as usize].uses);
            let done = self.filter(trail, index, &uses);
            self.resources[index as usize].uses = uses;
            done?;
            self.queue.pop();
            self.resources[index as usize].dirty = false;
            if trail.len() > before {
                // Lags may say more before the next resource is looked at.
                break;
            }
        }
        Ok(())
    }

    /// Sums up what is surely held of a resource.
    fn profile(&mut self, trail: &mut Trail, index: u32) -> Result<(), Conflict> {
        let resource = &self.resources[index as usize];
        self.changes.clear();
        for at in &resource.uses {
            let one = self.uses[*at as usize];
            let CompulsoryPart { from, to } = one.compulsory_part(trail);
            if from < to && one.is_certain(trail) {
                self.changes.push((from, one.amount));
                self.changes.push((to, -one.amount));
            }
        }
        self.changes.sort_unstable();
        self.steps.clear();
        let mut held = 0;
        for (moment, change) in &self.changes {
            held += change;
            match self.steps.last_mut() {
                Some(step) if step.from == *moment => step.held = held,
                _ => self.steps.push(Step {
                    from: *moment,
                    held,
                }),
            }
        }
        let capacity = resource.capacity;
        let over = self.steps.iter().position(|step| step.held > capacity);
        let Some(over) = over else {
            return Ok(());
        };
        let (from, to) = (self.steps[over].from, self.steps[over + 1].from);
        let moment = from + (to - from) / 2;
        let mut out = Vec::new();
        let full = Full {
            resource: index,
            but: u32::MAX,
            moment,
            room: capacity,
            before: trail.len(),
        };
        self.explain_held(trail, full, &mut out);
        Err(trail.refute(out))
    }

    /// Moves every use of a resource to where there is room for it.
    fn filter(&self, trail: &mut Trail, index: u32, uses: &[u32]) -> Result<(), Conflict> {
        let capacity = self.resources[index as usize].capacity;
        let highest = self.steps.iter().map(|step| step.held).max().unwrap_or(0);
        for at in uses {
            let one = self.uses[*at as usize];
            if highest + one.amount <= capacity {
                continue;
            }
            let own = one.compulsory_part(trail);
            if one.is_certain(trail) {
                self.later(trail, *at, own)?;
                self.earlier(trail, *at, own)?;
            } else if one.is_possible(trail) {
                self.exclude(trail, *at, own)?;
            }
        }
        Ok(())
    }

    /// Whether a step leaves no room for a use, apart from what the use itself surely holds.
    fn full(&self, step: usize, at: u32, own: CompulsoryPart) -> bool {
        let Use {
            amount, resource, ..
        } = self.uses[at as usize];
        let Step { from, held } = self.steps[step];
        let others = if own.from <= from && from < own.to {
            held - amount
        } else {
            held
        };
        others + amount > self.resources[resource as usize].capacity
    }

    /// Refutes the condition of a use for whose compulsory part there is no room.
    fn exclude(&self, trail: &mut Trail, at: u32, own: CompulsoryPart) -> Result<(), Conflict> {
        let Use {
            amount,
            resource,
            when,
            ..
        } = self.uses[at as usize];
        let room = self.resources[resource as usize].capacity - amount;
        let until = |step: usize| self.steps.get(step + 1).map_or(i64::MAX, |next| next.from);
        let overlaps = |step: usize| self.steps[step].from < own.to && until(step) > own.from;
        let mut steps = 0..self.steps.len();
        let full = steps.find(|step| overlaps(*step) && self.steps[*step].held > room);
        if let (Some(step), Some(when), true) = (full, when, own.from < own.to) {
            let moment = self.steps[step].from.max(own.from);
            trail.set(!when, Self::cause(at, moment))?;
        }
        Ok(())
    }

    fn cause(at: u32, moment: i64) -> Cause {
        Cause {
            tag: USES | at,
            at: moment,
        }
    }

    /// Starts a use later, until there is room.
    fn later(&self, trail: &mut Trail, at: u32, own: CompulsoryPart) -> Result<(), Conflict> {
        let Use { start, end, .. } = self.uses[at as usize];
        let first = trail.min(start);
        let mut step = self.steps.partition_point(|step| step.from <= first).max(1) - 1;
        while step + 1 < self.steps.len() && self.steps[step].from < end.min(trail) {
            if end.min(trail) <= trail.min(start) {
                // It may take no time at all.
                break;
            }
            let to = self.steps[step + 1].from;
            if to <= trail.min(start) || !self.full(step, at, own) {
                step += 1;
                continue;
            }
            let moment = to.min(end.min(trail)) - 1;
            trail.set(start.at_least(moment + 1), Self::cause(at, moment))?;
        }
        Ok(())
    }

    /// Ends a use earlier, until there is room.
    fn earlier(&self, trail: &mut Trail, at: u32, own: CompulsoryPart) -> Result<(), Conflict> {
        let Use { start, end, .. } = self.uses[at as usize];
        let last = end.max(trail);
        let mut step = self.steps.partition_point(|step| step.from < last);
        while step > 0 {
            // The last step is the end of everything: nothing is held from there on.
            let to = self.steps.get(step).map_or(i64::MAX, |next| next.from);
            if to <= trail.max(start) || end.max(trail) <= trail.max(start) {
                break;
            }
            let from = self.steps[step - 1].from;
            if from >= end.max(trail) || !self.full(step - 1, at, own) {
                step -= 1;
                continue;
            }
            let moment = from.max(trail.max(start));
            let lit = end.var.at_most(moment - end.plus);
            trail.set(lit, Self::cause(at, moment))?;
        }
        Ok(())
    }

    /// Why a use starts after, or ends by, a moment at which there is no room for it, or why its
    /// condition fails.
    pub(super) fn explain(&mut self, trail: &Trail, wanted: Consequence, out: &mut Vec<Lit>) {
        let at = wanted.cause.tag & !USES;
        let moment = wanted.cause.at;
        let one = self.uses[at as usize];
        let [start, end] = one.covers(moment);
        match one.when {
            Some(when) if when.side.var() == wanted.lit.side.var() => out.extend([start, end]),
            when => {
                let is_start = wanted.lit.side.is_minus();
                out.push(if is_start { end } else { start });
                out.extend(when);
            }
        }
        let full = Full {
            resource: one.resource,
            but: at,
            moment,
            room: self.resources[one.resource as usize].capacity - one.amount,
            before: wanted.before,
        };
        self.explain_held(trail, full, out);
    }

    /// Adds literals by which too much is held.
    fn explain_held(&mut self, trail: &Trail, full: Full, out: &mut Vec<Lit>) {
        let Full {
            resource,
            but,
            moment,
            room,
            before,
        } = full;
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let mut held = 0;
        for at in &self.resources[resource as usize].uses {
            let one = &self.uses[*at as usize];
            let before =
                |lit: &Lit| trail.holds(*lit) && trail.upper_before(lit.side, before) <= lit.most;
            let held_by = one.covers(moment).into_iter().chain(one.when);
            if *at != but && held_by.clone().all(|lit| before(&lit)) {
                let since = held_by.map(|lit| trail.since(lit)).max();
                candidates.push((one.amount, since.unwrap_or(0), *at));
                held += one.amount;
            }
        }
        debug_assert!(held > room, "there is no room");
        // What is large is left out first, of equals what happened last.
        candidates.sort_unstable();
        for (_, _, at) in candidates.iter().rev() {
            let one = &self.uses[*at as usize];
            if held - one.amount > room {
                held -= one.amount;
            } else {
                out.extend(one.covers(moment).into_iter().chain(one.when));
            }
        }
        self.candidates = candidates;
    }
}
