//! Why a network cannot be controlled, in the bounds that the caller gave.

use super::network::Stnu;
use crate::Time;

/// An answer with its witness or its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict<Witness, Proof = Conflict> {
    /// Yes, and how.
    Holds(Witness),
    /// No, and why not.
    Fails(Proof),
    /// Unknown: the caller's `go_on` returned false, or a limit of the search was reached.
    Stopped,
}

impl<Witness, Proof> Verdict<Witness, Proof> {
    /// Whether the answer is yes.
    pub fn holds(&self) -> bool {
        matches!(self, Verdict::Holds(_))
    }

    /// Whether the answer is no.
    pub fn fails(&self) -> bool {
        matches!(self, Verdict::Fails(_))
    }

    /// The answer, if there is one.
    pub fn decided(&self) -> Option<bool> {
        match self {
            Verdict::Holds(_) => Some(true),
            Verdict::Fails(_) => Some(false),
            Verdict::Stopped => None,
        }
    }

    /// Why not, when the answer is no.
    pub fn proof(self) -> Option<Proof> {
        match self {
            Verdict::Fails(proof) => Some(proof),
            Verdict::Holds(_) | Verdict::Stopped => None,
        }
    }

    /// How, when the answer is yes.
    pub fn witness(self) -> Option<Witness> {
        match self {
            Verdict::Holds(witness) => Some(witness),
            Verdict::Fails(_) | Verdict::Stopped => None,
        }
    }
}

/// One of the numbers that a caller gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// The weight of the requirement with this index.
    Requirement(usize),
    /// The shortest duration of the contingent link with this index.
    Lower(usize),
    /// The longest duration of the contingent link with this index.
    Upper(usize),
}

/// A bound and how often it counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    /// The bound.
    pub bound: Bound,
    /// The caller's name of the link.
    pub id: u32,
    /// How often the bound counts, never 0. Positive for requirements. For contingent links the
    /// sign is the direction in which the link was used: where Nature decides against us a lower
    /// bound is positive and an upper bound negative; where Nature would help, in [`consistent`],
    /// it is the opposite. Saturates, see [`Conflict::sum`].
    ///
    /// [`consistent`]: super::consistent
    pub coefficient: i64,
}

/// A reason why a network is not controllable: bounds whose sum is negative, but would have to be
/// 0 or more.
///
/// The terms come from a cycle, a semi-reducible one where it matters, so that relaxing them until
/// the sum is 0 breaks this reason; others may remain. The links of a conflict alone already make
/// a network that is not controllable. Source of the idea: Bhargava, Vaquero and Williams, "Faster
/// conflict generation for dynamic controllability", IJCAI 2017.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The bounds that clash, each once, in the order of [`Bound`].
    pub terms: Vec<Term>,
    /// What they add up to, in microseconds, below 0: by so much they clash.
    pub value: Time,
}

impl Conflict {
    /// The sum of the terms with the bounds of `network`, in microseconds.
    ///
    /// Equal to [`Conflict::value`] for the network that the conflict is about, unless a
    /// coefficient saturated: cycles that go through a link more than 2^63 times exist in theory,
    /// in networks with more than 60 contingent links nested for the purpose.
    ///
    /// # Panics
    /// When `network` lacks a link that the conflict names.
    pub fn sum(&self, network: &Stnu) -> i128 {
        let of = |term: &Term| i128::from(term.coefficient) * i128::from(bound(network, term));
        self.terms.iter().map(of).sum()
    }

    /// From how often each bound of `network` counts; no bound is named twice.
    pub(super) fn new(network: &Stnu, mut counts: Vec<(Bound, i64)>, value: Time) -> Conflict {
        counts.sort_unstable();
        debug_assert!(
            counts.is_sorted_by(|(one, _), (next, _)| one < next),
            "{counts:?}"
        );
        let term = |(bound, coefficient)| Term {
            bound,
            id: id(network, bound),
            coefficient,
        };
        let terms = counts.into_iter().map(term).collect();
        Conflict { terms, value }
    }
}

fn id(network: &Stnu, bound: Bound) -> u32 {
    match bound {
        Bound::Requirement(index) => network.requirements()[index].id,
        Bound::Lower(index) | Bound::Upper(index) => network.contingents()[index].id,
    }
}

fn bound(network: &Stnu, term: &Term) -> Time {
    match term.bound {
        Bound::Requirement(index) => network.requirements()[index].weight,
        Bound::Lower(index) => network.contingents()[index].lower,
        Bound::Upper(index) => network.contingents()[index].upper,
    }
}
