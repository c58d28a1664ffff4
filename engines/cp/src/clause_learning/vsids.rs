//! Variable state independent decaying sum (VSIDS): the next decision is the literal of the most
//! recent conflicts.
//!
//! Moskewicz, Madigan, Zhao, Zhang, Malik, "Chaff: engineering an efficient SAT solver", DAC 2001;
//! here for bounds: an *atom* is a cut `x <= most` of a variable, retained once a conflict was
//! about it.

use super::literal::{Lit, Side, Var};
use super::trail::{Event, Trail};

/// Not in the heap.
const OUT: u32 = u32::MAX;
/// Above this all activities are made smaller.
const ACTIVITY_MAX: f64 = 1e100;
/// What one conflict later is worth more.
const GROWTH: f64 = 1.0 / 0.95;

#[derive(Debug, Clone, Copy)]
struct Atom {
    lit: Lit,
    activity: f64,
    /// Whether it held when it was last known.
    phase: bool,
    /// Whether it has to be decided even if no conflict is about it.
    stays: bool,
    place: u32,
}

/// Atoms by activity.
#[derive(Debug)]
pub(super) struct Vsids {
    atoms: Vec<Atom>,
    /// For each variable its cuts, sorted.
    cuts: Vec<Vec<(i64, u32)>>,
    heap: Vec<u32>,
    worth: f64,
}

impl Default for Vsids {
    fn default() -> Self {
        Self {
            atoms: Vec::new(),
            cuts: Vec::new(),
            heap: Vec::new(),
            worth: 1.0,
        }
    }
}

/// A literal as an atom, and whether it is the atom itself rather than its negation.
fn cut(lit: Lit) -> (Var, i64, bool) {
    let yes = !lit.side.is_minus();
    (
        lit.side.var(),
        if yes { lit.most } else { (!lit).most },
        yes,
    )
}

impl Vsids {
    /// The atom of a literal, made when there was none.
    fn intern(&mut self, lit: Lit) -> usize {
        let (var, most, _) = cut(lit);
        if self.cuts.len() <= var.index() {
            self.cuts.resize_with(var.index() + 1, Vec::new);
        }
        let cuts = &mut self.cuts[var.index()];
        let place = cuts.partition_point(|(value, _)| *value < most);
        if let Some((value, atom)) = cuts.get(place)
            && *value == most
        {
            return *atom as usize;
        }
        let atom = u32::try_from(self.atoms.len()).expect("fewer than 2^32 atoms");
        cuts.insert(place, (most, atom));
        self.atoms.push(Atom {
            lit: var.at_most(most),
            activity: 0.0,
            phase: true,
            stays: false,
            place: OUT,
        });
        self.enter(atom);
        atom as usize
    }

    /// Makes sure that a literal is among those to decide.
    pub(super) fn register(&mut self, lit: Lit) {
        let atom = self.intern(lit);
        self.atoms[atom].stays = true;
    }

    /// Forgets the less active half when there are more than `atoms_max`, with nothing decided;
    /// atoms that have to be decided stay.
    pub(super) fn trim(&mut self, atoms_max: usize) {
        if self.atoms.len() <= atoms_max {
            return;
        }
        let mut ranked: Vec<f64> = self.atoms.iter().map(|atom| atom.activity).collect();
        ranked.sort_unstable_by(|a, b| b.total_cmp(a));
        let least = ranked[atoms_max / 2];
        self.heap.clear();
        for cuts in &mut self.cuts {
            cuts.clear();
        }
        for atom in std::mem::take(&mut self.atoms) {
            if atom.stays || atom.activity > least {
                let index = u32::try_from(self.atoms.len()).expect("fewer than there were");
                let (var, most, _) = cut(atom.lit);
                self.cuts[var.index()].push((most, index));
                self.atoms.push(Atom { place: OUT, ..atom });
                self.enter(index);
            }
        }
        for cuts in &mut self.cuts {
            cuts.sort_unstable();
        }
    }

    /// Sets the preferred value of all cuts of a variable that are known.
    pub(super) fn prefer_value(&mut self, var: Var, value: i64) {
        for (most, atom) in self.cuts.get(var.index()).into_iter().flatten() {
            self.atoms[*atom as usize].phase = value <= *most;
        }
    }

    /// A conflict was about this literal.
    pub(super) fn bump(&mut self, lit: Lit) {
        let index = self.intern(lit);
        let atom = &mut self.atoms[index];
        atom.activity += self.worth;
        if atom.activity > ACTIVITY_MAX {
            self.rescale();
        }
        let place = self.atoms[index].place;
        if place != OUT {
            self.rise(place as usize);
        }
    }

    /// The conflict is over: later ones are worth more.
    pub(super) fn age(&mut self) {
        self.worth *= GROWTH;
    }

    fn rescale(&mut self) {
        for atom in &mut self.atoms {
            atom.activity /= ACTIVITY_MAX;
        }
        self.worth /= ACTIVITY_MAX;
    }

    /// An event was taken back: cuts that it decided are open again, and remember what they were.
    pub(super) fn reopen(&mut self, event: &Event) {
        let Event { side, old, new, .. } = *event;
        let Some(cuts) = self.cuts.get(side.var().index()) else {
            return;
        };
        let (first, end) = span(side, old, new);
        let from = cuts.partition_point(|(value, _)| *value < first);
        for at in from..cuts.len() {
            let (value, atom) = self.cuts[side.var().index()][at];
            if value >= end {
                break;
            }
            self.atoms[atom as usize].phase = !side.is_minus();
            if self.atoms[atom as usize].place == OUT {
                self.enter(atom);
            }
        }
    }

    /// The literal to decide: the most active cut that is open, in its last phase.
    pub(super) fn pick(&mut self, trail: &Trail) -> Option<Lit> {
        while let Some(top) = self.heap.first().copied() {
            self.leave_top();
            let Atom { lit, phase, .. } = self.atoms[top as usize];
            if !trail.holds(lit) && !trail.fails(lit) {
                return Some(if phase { lit } else { !lit });
            }
        }
        None
    }

    fn before(&self, a: u32, b: u32) -> bool {
        let (x, y) = (&self.atoms[a as usize], &self.atoms[b as usize]);
        x.activity > y.activity || (x.activity == y.activity && a < b)
    }

    fn enter(&mut self, atom: u32) {
        self.heap.push(atom);
        self.rise(self.heap.len() - 1);
    }

    fn leave_top(&mut self) {
        let top = self.heap.swap_remove(0);
        self.atoms[top as usize].place = OUT;
        if !self.heap.is_empty() {
            self.sink();
        }
    }

    fn put(&mut self, place: usize, atom: u32) {
        self.heap[place] = atom;
        self.atoms[atom as usize].place = u32::try_from(place).expect("fewer than 2^32 atoms");
    }

    fn rise(&mut self, mut place: usize) {
        let atom = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if !self.before(atom, self.heap[parent]) {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, atom);
    }

    fn sink(&mut self) {
        let atom = self.heap[0];
        let mut place = 0;
        loop {
            let mut child = 2 * place + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.before(self.heap[child], atom) {
                break;
            }
            self.put(place, self.heap[child]);
            place = child;
        }
        self.put(place, atom);
    }
}

/// The cuts `x <= value`, `first <= value < end`, that a tighter bound of a side decides.
fn span(side: Side, old: i64, new: i64) -> (i64, i64) {
    if side.is_minus() {
        // x >= -new fails x <= value for values below -new.
        (-old, -new)
    } else {
        (new, old)
    }
}
