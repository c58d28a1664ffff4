//! What the storylines are like: which nodes they have, what comes before what, and where they
//! fork.

mod fork;
mod strands;

pub(crate) use fork::{Fork, Tree};
use strands::Strands;

use crate::problem::{Micros, Narrative, Node, ORIGIN, Picks, Source};
use stn::{Closure, Edge, Refusal};

/// Most storylines of which all distances are kept.
const CLOSURES_MAX: usize = 64;

/// `time(to) - time(from) <= most`, for the times of two nodes that are both present.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Bound {
    pub(crate) from: Node,
    pub(crate) to: Node,
    pub(crate) most: Micros,
    pub(crate) source: Source,
}

/// A contingent link that can still vary, with the durations that are left to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenLink {
    pub(crate) contingent: usize,
    pub(crate) lower: Micros,
    pub(crate) upper: Micros,
}

/// One storyline.
#[derive(Debug)]
pub(crate) struct Line {
    /// What is picked.
    pub(crate) picks: Picks,
    /// By node.
    pub(crate) present: Vec<bool>,
    /// Whether the closure puts `a` at or before `b`: bit `b` of row `a`. `None`: the closure
    /// contradicts itself, and puts everything before everything.
    before: Option<Vec<u64>>,
    /// The same; `None` also where nobody asks how far apart nodes can be.
    closure: Option<Closure>,
}

/// A narrative, read.
#[derive(Debug)]
pub(crate) struct Story<'n> {
    pub(crate) narrative: &'n Narrative,
    /// All requirements, of all storylines.
    pub(crate) bounds: Vec<Bound>,
    /// Contingent links that have not ended.
    pub(crate) open: Vec<OpenLink>,
    /// In the order of [`Narrative::storylines`].
    pub(crate) lines: Vec<Line>,
    /// Where the story forks.
    pub(crate) tree: Tree,
    /// Where the strands of each group fork; none where plans by strands do not count.
    pub(crate) strands: Vec<Strands>,
    /// For each resource named, activities that must not all overlap, and no other rule about
    /// resources; `None`: the capacities as given.
    pub(crate) short: Option<Vec<(usize, Vec<usize>)>>,
}

impl<'n> Story<'n> {
    /// Reads a narrative; `None`: stopped.
    pub(crate) fn new(
        narrative: &'n Narrative,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Story<'n>> {
        let bounds = bounds(narrative);
        let open = open(narrative);
        let mut lines = Vec::new();
        for picks in narrative.storylines() {
            let present: Vec<bool> = (0..narrative.nodes())
                .map(|node| narrative.present(picks, node))
                .collect();
            let edges = edges(narrative, &bounds, &open, &present);
            let closure = match Closure::new_within(narrative.nodes(), &edges, go_on) {
                Ok(closure) => Some(closure?),
                Err(Refusal::Conflict(_)) => None,
                Err(Refusal::Input(_)) => unreachable!("a narrative is within the limits"),
            };
            lines.push(Line {
                picks: picks.clone(),
                before: closure.as_ref().map(before),
                closure: closure.filter(|_| narrative.storylines().len() <= CLOSURES_MAX),
                present,
            });
        }
        let tree = fork::tree(narrative, &lines, go_on)?;
        Some(Story {
            narrative,
            bounds,
            open,
            lines,
            tree,
            strands: Vec::new(),
            short: None,
        })
    }

    /// The same for proofs: where there are groups, only nodes are shared that plans by strands
    /// share, in which the choices of a group do not wait for those of others. Policies for it need
    /// not be a plan. `None`: stopped.
    pub(crate) fn with_strands(mut self, go_on: &mut dyn FnMut() -> bool) -> Option<Self> {
        let groups = self.narrative.groups().iter();
        let strands = groups.map(|group| Strands::new(self.narrative, *group, go_on));
        self.strands = strands.collect::<Option<_>>()?;
        Some(self)
    }

    /// Some strands of groups, side by side: nobody asks where they fork.
    pub(crate) fn of_strands(narrative: &'n Narrative, lines: Vec<Line>) -> Story<'n> {
        Story {
            bounds: bounds(narrative),
            open: open(narrative),
            tree: Tree::Line(0),
            strands: Vec::new(),
            short: None,
            lines,
            narrative,
        }
    }

    /// Whether the closure of a storyline puts node `a` at or before node `b`.
    pub(crate) fn at_or_before(&self, line: usize, a: Node, b: Node) -> bool {
        self.lines[line].at_or_before(a, b)
    }

    /// The most by which one node of a storyline can be after another; `None`: nobody knows.
    pub(crate) fn distance(&self, line: usize, from: Node, to: Node) -> Option<Micros> {
        let closure = self.lines[line].closure.as_ref()?;
        Some(closure.row(from)[to])
    }

    /// Indices of the activities of a storyline.
    pub(crate) fn activities(&self, line: usize) -> impl Iterator<Item = usize> + '_ {
        let present = &self.lines[line].present;
        let activities = self.narrative.spec().activities.iter().enumerate();
        let here = activities.filter(|(_, given)| present[given.start] && present[given.end]);
        here.map(|(index, _)| index)
    }
}

impl Line {
    pub(crate) fn at_or_before(&self, a: Node, b: Node) -> bool {
        let words = self.present.len().div_ceil(64);
        let row = self.before.as_ref();
        row.is_none_or(|bits| bits[a * words + b / 64] >> (b % 64) & 1 == 1)
    }
}

/// All requirements of a narrative.
fn bounds(narrative: &Narrative) -> Vec<Bound> {
    let spec = narrative.spec();
    let mut all = Vec::new();
    let mut add = |from, to, most, source| {
        all.push(Bound {
            from,
            to,
            most,
            source,
        });
    };
    for (index, link) in spec.links.iter().enumerate() {
        if let Some(upper) = link.upper_us {
            add(link.from, link.to, upper, Source::LinkUpper(index));
        }
        if let Some(lower) = link.lower_us {
            add(link.to, link.from, -lower, Source::LinkLower(index));
        }
    }
    for node in 1..narrative.nodes() {
        if let Some(horizon) = spec.horizon_us {
            add(ORIGIN, node, horizon, Source::Horizon(node));
        }
        match narrative.happened(node) {
            Some(time) => {
                add(ORIGIN, node, time, Source::Happened(node));
                add(node, ORIGIN, -time, Source::Happened(node));
            }
            None => add(node, ORIGIN, -spec.progress.now_us, Source::Start(node)),
        }
    }
    all.retain(|bound| narrative.contains(bound.from) && narrative.contains(bound.to));
    all
}

/// Contingent links that have not ended. One that has begun has lasted for some time.
fn open(narrative: &Narrative) -> Vec<OpenLink> {
    let spec = narrative.spec();
    let mut open = Vec::new();
    for (contingent, link) in spec.contingent.iter().enumerate() {
        if !narrative.contains(link.to) || narrative.happened(link.to).is_some() {
            continue;
        }
        let begun = match link.from {
            ORIGIN => Some(0),
            from => narrative.happened(from),
        };
        let lasted = begun.map_or(0, |begun| spec.progress.now_us - begun);
        open.push(OpenLink {
            contingent,
            lower: link.lower_us.max(lasted),
            upper: link.upper_us,
        });
    }
    open
}

fn edges(
    narrative: &Narrative,
    bounds: &[Bound],
    open: &[OpenLink],
    present: &[bool],
) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut add = |from: Node, to: Node, most| {
        if present[from] && present[to] {
            edges.push(Edge::new(from as u32, to as u32, most, 0));
        }
    };
    for bound in bounds {
        add(bound.from, bound.to, bound.most);
    }
    for open in open {
        let link = narrative.spec().contingent[open.contingent];
        add(link.from, link.to, open.upper);
        add(link.to, link.from, -open.lower);
    }
    edges
}

fn before(closure: &Closure) -> Vec<u64> {
    let nodes = closure.nodes();
    let words = nodes.div_ceil(64);
    let mut bits = vec![0_u64; nodes * words];
    for b in 0..nodes {
        // time(a) - time(b) <= 0.
        for (a, most) in closure.row(b).iter().enumerate() {
            if *most <= 0 {
                bits[a * words + b / 64] |= 1 << (b % 64);
            }
        }
    }
    bits
}
