//! Findings: plain data. Each claim comes with its certificate.

use crate::problem::{Micros, Node, Source};

/// An answer to a yes-or-no question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Verdict {
    /// Proved: yes.
    Holds,
    /// Proved: no.
    Fails,
    /// Not decided.
    #[default]
    Unknown,
}

/// The cost of a finding: what it leaves undecided. Lexicographic, less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Undecided {
    /// Questions without a verdict.
    pub questions: u32,
    /// Details that verdicts lack: the conflict of a failure, robustness and simulations of a
    /// schedule.
    pub missing_details: u32,
}

impl std::iter::Sum for Undecided {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            questions: sum.questions + one.questions,
            missing_details: sum.missing_details + one.missing_details,
        })
    }
}

/// A schedule: times of our events, by node; 0 is the origin, always at 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schedule {
    /// Time of each node of ours, and of the origin; `None` for the others'.
    pub times_us: Vec<Option<Micros>>,
}

/// Earliest and latest time of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Range {
    /// Earliest, in microseconds from the origin.
    pub earliest_us: Micros,
    /// Latest.
    pub latest_us: Micros,
}

/// The finding about strong controllability: fixed times for our events, whatever the others do.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StrongFinding {
    /// The verdict.
    pub verdict: Verdict,
    /// With [`Verdict::Holds`]: times that work. Else the candidate that the check rejected.
    pub schedule: Option<Schedule>,
    /// With [`Verdict::Holds`]: the dynamic range of each node.
    pub ranges: Vec<Range>,
    /// With [`Verdict::Holds`], when asked for.
    pub robustness: Option<Robustness>,
    /// With [`Verdict::Fails`], when asked for.
    pub conflict: Option<Conflict>,
    /// With [`Verdict::Fails`]: cheapest first.
    pub relaxations: Vec<Relaxation>,
    /// One for each model, when asked for.
    pub simulations: Vec<Simulation>,
}

impl StrongFinding {
    /// Its cost.
    #[must_use]
    pub fn undecided(&self) -> Undecided {
        let missing_details = match self.verdict {
            Verdict::Holds => {
                u32::from(self.robustness.is_none()) + u32::from(self.simulations.is_empty())
            }
            Verdict::Fails => u32::from(self.conflict.is_none()),
            Verdict::Unknown => 0,
        };
        Undecided {
            questions: u32::from(self.verdict == Verdict::Unknown),
            missing_details,
        }
    }
}

/// Robustness of a schedule, and of the verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Robustness {
    /// The largest slack that a schedule has in each obligation.
    pub slack_us: Micros,
    /// Largest factor on the uncertainty of the others at which the verdict holds, in 64ths.
    pub factor_64ths: Option<u32>,
}

/// A conflict: rules that cannot all be satisfied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Conflict {
    /// The rules.
    pub members: Vec<Member>,
    /// Whether each one is needed.
    pub minimal: bool,
    /// Times of our events that come close, and behaviour of the others that breaks them: by node.
    pub candidate: Option<(Schedule, Vec<Micros>)>,
    /// For weak controllability: a duration for each contingent link for which nothing works.
    pub durations_us: Vec<Micros>,
}

/// One rule of a conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// What kind of rule.
    pub kind: MemberKind,
    /// From where.
    pub from: Node,
    /// To where.
    pub to: Node,
    /// The bound: see [`MemberKind`].
    pub bound_us: Micros,
    /// What it comes from: one bound, or a chain from `from` to `to` that adds up to `bound_us`; of
    /// [`MemberKind::LateEnough`] from `to` to `from`. What Nature may take is one bound.
    pub sources: Vec<Source>,
    /// How often it counts in the sum that is below 0.
    pub count: u32,
}

/// What kind of rule a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemberKind {
    /// `time(to) - time(from) <= bound` between our nodes.
    Bound,
    /// Obligation E2: our node `to` comes late enough after everything that the teammate's node
    /// `from`, which precedes it, may do. The bound is c(to, from) of the closure.
    LateEnough,
    /// Obligation E3: our node `to` comes early enough for all that the teammate's node
    /// `from`, which precedes it or is unordered with it, may do. The bound is c(from, to).
    EarlyEnough,
    /// Nature may take the shortest duration, which is the bound and counts as it is.
    ContingentLower,
    /// Nature may take the longest duration, which is the bound and counts below 0 in the sum.
    ContingentUpper,
}

/// Changes of bounds after which the verdict holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relaxation {
    /// The changes, together.
    pub changes: Vec<Change>,
}

impl Relaxation {
    /// Sum of how far bounds move.
    #[must_use]
    pub fn total_us(&self) -> Micros {
        let moved = |change: &Change| (change.new_us - change.old_us).abs();
        self.changes.iter().map(moved).sum()
    }
}

/// A change of one bound of a link; never a horizon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// Which bound.
    pub source: Source,
    /// What it was, as given.
    pub old_us: Micros,
    /// What it becomes.
    pub new_us: Micros,
}

/// How a simulated teammate picks times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Model {
    /// Uniformly in what is left.
    Random,
    /// As early as possible.
    Early,
}

/// The result of simulating a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Simulation {
    /// The model.
    pub model: Model,
    /// Runs made.
    pub runs: u32,
    /// Runs in which all rules were satisfied.
    pub successes: u32,
}

/// A question about a network, from weak to strong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Some times satisfy all rules.
    Consistent,
    /// For all durations there are times, known in advance.
    Weak,
    /// Times can be chosen by what was seen so far.
    Dynamic,
    /// Times can be fixed in advance.
    Strong,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelFinding {
    /// The question.
    pub level: Level,
    /// The verdict.
    pub verdict: Verdict,
    /// With [`Verdict::Holds`], for consistent (times of all nodes) and strong (of ours).
    pub schedule: Option<Schedule>,
    /// For strong: the dynamic range of each node.
    pub ranges: Vec<Range>,
    /// With [`Verdict::Holds`], for dynamic.
    pub dispatch: Option<Dispatch>,
    /// With [`Verdict::Fails`], when asked for.
    pub conflict: Option<Conflict>,
    /// With [`Verdict::Fails`]: cheapest first.
    pub relaxations: Vec<Relaxation>,
}

impl LevelFinding {
    /// Its cost.
    #[must_use]
    pub fn undecided(&self) -> Undecided {
        Undecided {
            questions: u32::from(self.verdict == Verdict::Unknown),
            missing_details: u32::from(self.verdict == Verdict::Fails && self.conflict.is_none()),
        }
    }
}

/// A dispatchable network: how to execute a dynamically controllable network.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dispatch {
    /// `time(to) - time(from) <= bound`: from, to, bound.
    pub bounds: Vec<(Node, Node, Micros)>,
    /// Waits.
    pub waits: Vec<Wait>,
}

/// After `from` happened, `node` waits until `until` was seen or `duration` has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Our node that waits.
    pub node: Node,
    /// Start of the contingent link.
    pub from: Node,
    /// End of the contingent link.
    pub until: Node,
    /// How long to wait at most, above 0.
    pub duration_us: Micros,
}
