//! Clauses with two watched literals, and their reduction by literal block distance (LBD).

use super::literal::Lit;
use super::trail::{Reason, Trail};

/// A clause: a part of the arena.
#[derive(Debug, Clone, Copy)]
struct Clause {
    start: u32,
    len: u32,
    /// Different levels among its literals when it was learnt, the least since; 0: it is not
    /// learnt, and stays.
    lbd: u32,
    /// It was part of a conflict since the last reduction.
    used: bool,
}

/// Clauses to look at when a side comes to be at most `most`: then a literal of each fails.
#[derive(Debug)]
struct Cut {
    most: i64,
    watches: Vec<Watch>,
}

/// A clause to look at.
#[derive(Debug, Clone, Copy)]
struct Watch {
    clause: u32,
    /// Another literal of the clause: while it holds, there is nothing to do.
    blocker: Lit,
}

/// What became of a clause one of whose watched literals fails.
enum Visit {
    /// It is watched as it was.
    Kept,
    /// Another literal is watched instead.
    Moved,
    /// All of its literals fail.
    Conflict,
}

/// All clauses of two literals or more. In none are two literals about the same side.
#[derive(Debug, Default)]
pub(super) struct ClauseSet {
    lits: Vec<Lit>,
    clauses: Vec<Clause>,
    /// For each side, sorted by `most`.
    cuts: Vec<Vec<Cut>>,
    learnt: usize,
}

impl ClauseSet {
    pub(super) fn learnt(&self) -> usize {
        self.learnt
    }

    pub(super) fn lits(&self, clause: u32) -> &[Lit] {
        let Clause { start, len, .. } = self.clauses[clause as usize];
        &self.lits[start as usize..(start + len) as usize]
    }

    /// Notes that a clause was part of a conflict; `lbd` as measured now.
    pub(super) fn mark_used(&mut self, clause: u32, lbd: impl FnOnce(&[Lit]) -> u32) {
        let Clause { lbd: old, used, .. } = self.clauses[clause as usize];
        if old > 2 && !used {
            let new = lbd(self.lits(clause)).clamp(1, old);
            self.clauses[clause as usize].lbd = new;
        }
        self.clauses[clause as usize].used = true;
    }

    /// Adds a clause, whose first two literals are watched. `lbd` is 0 for one that has to stay.
    pub(super) fn add(&mut self, lits: &[Lit], lbd: u32) -> u32 {
        let id = u32::try_from(self.clauses.len()).expect("fewer than 2^32 clauses");
        self.learnt += usize::from(lbd > 0);
        self.clauses.push(Clause {
            start: u32::try_from(self.lits.len()).expect("fewer than 2^32 literals"),
            len: u32::try_from(lits.len()).expect("fewer than 2^32 literals"),
            lbd,
            used: false,
        });
        self.lits.extend_from_slice(lits);
        self.watch(lits[0], id, lits[1]);
        self.watch(lits[1], id, lits[0]);
        id
    }

    fn watch(&mut self, lit: Lit, clause: u32, blocker: Lit) {
        let fails = !lit;
        let side = fails.side.index();
        if self.cuts.len() <= side {
            self.cuts.resize_with(side + 1, Vec::new);
        }
        let cuts = &mut self.cuts[side];
        let at = cuts.partition_point(|cut| cut.most < fails.most);
        if cuts.get(at).is_none_or(|cut| cut.most != fails.most) {
            let most = fails.most;
            let watches = Vec::new();
            cuts.insert(at, Cut { most, watches });
        }
        cuts[at].watches.push(Watch { clause, blocker });
    }

    /// Sets all consequences of one event. Returns a clause all of whose literals fail, if any.
    pub(super) fn propagate(&mut self, trail: &mut Trail, event: usize) -> Option<u32> {
        let event = trail.events[event];
        let side = event.side.index();
        let cuts = self.cuts.get(side)?;
        let first = cuts.partition_point(|cut| cut.most < event.new);
        let end = cuts.len();
        for at in first..end {
            let most = self.cuts[side][at].most;
            if most >= event.old {
                break;
            }
            // Replacements are watched on other sides: no two literals of a clause are about the
            // same.
            let mut watches = std::mem::take(&mut self.cuts[side][at].watches);
            let conflict = self.fail(trail, !event.side.at_most(most), &mut watches);
            self.cuts[side][at].watches = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// A literal fails: looks at all clauses that watch it.
    fn fail(&mut self, trail: &mut Trail, failed: Lit, watches: &mut Vec<Watch>) -> Option<u32> {
        let mut kept = 0;
        let mut conflict = None;
        for at in 0..watches.len() {
            let watch = watches[at];
            if conflict.is_none() && !trail.holds(watch.blocker) {
                match self.visit(trail, failed, watch.clause) {
                    Visit::Kept => {}
                    Visit::Moved => continue,
                    Visit::Conflict => conflict = Some(watch.clause),
                }
            }
            watches[kept] = watch;
            kept += 1;
        }
        watches.truncate(kept);
        conflict
    }

    /// A watched literal fails: watches another one instead, or sets the last.
    fn visit(&mut self, trail: &mut Trail, failed: Lit, clause: u32) -> Visit {
        let Clause { start, len, .. } = self.clauses[clause as usize];
        let (start, end) = (start as usize, (start + len) as usize);
        if self.lits[start] == failed {
            self.lits.swap(start, start + 1);
        }
        let first = self.lits[start];
        if trail.holds(first) {
            return Visit::Kept;
        }
        for at in start + 2..end {
            let lit = self.lits[at];
            if !trail.fails(lit) {
                self.lits.swap(start + 1, at);
                self.watch(lit, clause, first);
                return Visit::Moved;
            }
        }
        if trail.fails(first) {
            return Visit::Conflict;
        }
        trail.push(first, Reason::Clause(clause));
        Visit::Kept
    }

    /// Forgets half of the learnt clauses, satisfied clauses, and literals that fail. At level 0,
    /// with nothing left to propagate; earlier clause numbers become invalid.
    pub(super) fn reduce(&mut self, trail: &Trail) {
        let mut ranked: Vec<(bool, u32, u32)> = Vec::with_capacity(self.learnt);
        for (id, clause) in (0_u32..).zip(&self.clauses) {
            if clause.lbd > 2 {
                ranked.push((!clause.used, clause.lbd, u32::MAX - id));
            }
        }
        ranked.sort_unstable();
        let mut keep = vec![true; self.clauses.len()];
        for (_, _, id) in &ranked[ranked.len() / 2..] {
            keep[(u32::MAX - id) as usize] = false;
        }
        let clauses = std::mem::take(&mut self.clauses);
        let lits = std::mem::take(&mut self.lits);
        self.learnt = 0;
        for cut in self.cuts.iter_mut().flatten() {
            cut.watches.clear();
        }
        let mut left = Vec::new();
        for (clause, keep) in clauses.into_iter().zip(keep) {
            let (start, len) = (clause.start as usize, clause.len as usize);
            let lits = &lits[start..start + len];
            if keep && !lits.iter().any(|lit| trail.holds(*lit)) {
                left.clear();
                left.extend(lits.iter().filter(|lit| !trail.fails(**lit)));
                self.add(&left, clause.lbd);
            }
        }
    }
}
