//! The propagators of a schedule: lags, some of them under a condition, and resources.

use super::model::View;
use super::positive_cycle::positive_cycle;
use super::timetable::Timetable;
use crate::clause_learning::{Cause, Conflict, Consequence, Lit, Theory, Trail, Var, Verdict};

/// Tags of causes below this are edges, from it on uses of resources.
pub(super) const USES: u32 = 1 << 31;

/// `to >= from + least`, when its condition holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: Var,
    pub(super) to: Var,
    pub(super) least: i64,
    pub(super) when: Option<Lit>,
}

/// Lags and resources.
#[derive(Debug)]
pub(super) struct Propagators {
    edges: Vec<Edge>,
    /// For each variable, edges that its lower bound moves.
    out: Vec<Vec<u32>>,
    /// For each variable, edges that its upper bound moves.
    into: Vec<Vec<u32>>,
    /// For each variable, edges that wait for it.
    waiting: Vec<Vec<u32>>,
    pub(super) table: Timetable,
    /// What is decided when nothing else is open, in this order when equal.
    vars: Vec<Var>,
    seen: usize,
    /// Whether all rules were looked at once.
    started: bool,
}

fn entry<T: Default + Clone>(lists: &mut Vec<T>, var: Var) -> &mut T {
    if lists.len() <= var.index() {
        lists.resize(var.index() + 1, T::default());
    }
    &mut lists[var.index()]
}

impl Propagators {
    pub(super) fn new() -> Self {
        Self {
            edges: Vec::new(),
            out: Vec::new(),
            into: Vec::new(),
            waiting: Vec::new(),
            table: Timetable::default(),
            vars: Vec::new(),
            seen: 0,
            started: false,
        }
    }

    pub(super) fn add_var(&mut self, var: Var) {
        self.vars.push(var);
    }

    /// Posts `to >= from + least`, if `when` holds.
    pub(super) fn add_edge(&mut self, from: View, to: View, least: i64, when: Option<Lit>) {
        let index = u32::try_from(self.edges.len()).expect("fewer than 2^31 edges");
        let edge = Edge {
            from: from.var,
            to: to.var,
            least: least + from.plus - to.plus,
            when,
        };
        self.edges.push(edge);
        entry(&mut self.out, edge.from).push(index);
        entry(&mut self.into, edge.to).push(index);
        if let Some(when) = when {
            entry(&mut self.waiting, when.side.var()).push(index);
        }
    }

    /// Sets what all edges say, whatever was seen before.
    fn start(&mut self, trail: &mut Trail) -> Result<(), Conflict> {
        self.started = true;
        self.table.touch_all();
        for index in 0..self.edges.len() {
            self.follow(trail, u32::try_from(index).expect("fewer than 2^31 edges"))?;
        }
        Ok(())
    }

    /// Sets what an edge says.
    fn follow(&self, trail: &mut Trail, index: u32) -> Result<(), Conflict> {
        let Edge {
            from,
            to,
            least,
            when,
        } = self.edges[index as usize];
        let cause = Cause { tag: index, at: 0 };
        if let Some(when) = when
            && !trail.holds(when)
        {
            if trail.min(from) + least > trail.max(to) {
                trail.set(!when, cause)?;
            }
            return Ok(());
        }
        trail.set(to.at_least(trail.min(from) + least), cause)?;
        trail.set(from.at_most(trail.max(to) - least), cause)?;
        Ok(())
    }

    fn explain_edge(&self, trail: &Trail, wanted: Consequence, out: &mut Vec<Lit>) {
        let Edge {
            from,
            to,
            least,
            when,
        } = self.edges[wanted.cause.tag as usize];
        let Consequence { lit, before, .. } = wanted;
        if lit.side == to.minus() {
            out.push(from.minus().at_most(lit.most + least));
            out.extend(when);
        } else if lit.side == from.plus() {
            out.push(to.plus().at_most(lit.most + least));
            out.extend(when);
        } else {
            let most = trail.upper_before(to.plus(), before);
            out.push(to.at_most(most));
            out.push(from.at_least(most - least + 1));
        }
    }
}

impl Theory for Propagators {
    fn propagate(&mut self, trail: &mut Trail) -> Result<(), Conflict> {
        if !self.started {
            self.start(trail)?;
        }
        // Many events in one go are a reason to look for a positive cycle.
        let mut patience = 2 * self.edges.len() + 64;
        let mut many = trail.len() + patience;
        while self.seen < trail.len() {
            if trail.len() > many {
                if let Some(conditions) = positive_cycle(&self.edges, trail) {
                    return Err(trail.refute(conditions));
                }
                patience *= 2;
                many = trail.len() + patience;
            }
            let side = trail.event(self.seen).side;
            self.seen += 1;
            let var = side.var();
            self.table.touch(var);
            let moved = if side.is_minus() {
                &self.out
            } else {
                &self.into
            };
            for list in [moved, &self.waiting] {
                for index in list.get(var.index()).into_iter().flatten() {
                    self.follow(trail, *index)?;
                }
            }
        }
        self.table.propagate(trail)
    }

    fn explain(&mut self, trail: &Trail, wanted: Consequence, out: &mut Vec<Lit>) {
        if wanted.cause.tag < USES {
            self.explain_edge(trail, wanted, out);
        } else {
            self.table.explain(trail, wanted, out);
        }
    }

    fn backtrack(&mut self, trail: &Trail) {
        self.seen = self.seen.min(trail.len());
    }

    fn first(&mut self, trail: &Trail, restarts: u64) -> Option<Lit> {
        // Until the first restart the earliest activity first: so VSIDS learns where to begin.
        if restarts == 0 {
            earliest(&self.vars, trail)
        } else {
            None
        }
    }

    fn last(&mut self, trail: &mut Trail) -> Result<Verdict, Conflict> {
        Ok(earliest(&self.vars, trail).map_or(Verdict::Solution, Verdict::Decide))
    }
}

/// The open variable of the smallest value, at that value; of those, the one with the least room.
fn earliest(vars: &[Var], trail: &Trail) -> Option<Lit> {
    let open = vars
        .iter()
        .filter(|var| trail.min(**var) < trail.max(**var));
    let best = open.min_by_key(|var| (trail.min(**var), trail.max(**var)))?;
    Some(best.at_most(trail.min(*best)))
}
