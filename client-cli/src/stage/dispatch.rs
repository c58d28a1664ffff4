//! Dispatch of a network: time windows of our events, given what has happened so far.
//!
//! The distance matrix is closed before execution: a wait of one event also delays those that must
//! follow it, and only all bounds together give their order.

use std::collections::BTreeMap;
use stratagem_proto::v1::TemporalDispatchableNetwork;
use stratagem_render::time::micros;

/// No bound. Far from the ends of the type, so that a few of them can be added.
pub(super) const NONE: i64 = i64::MAX / 8;
/// Steps that are taken to close networks: about a second.
pub(super) const STEPS_MAX: usize = 1_000_000_000;

/// `time(to) - time(from) <= bound`, in microseconds.
pub(super) type Bound = (usize, usize, i64);

/// After `from`, `event` waits for `until`, but no longer than `duration_us`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wait {
    event: usize,
    from: usize,
    until: usize,
    duration_us: i64,
}

/// Who makes events happen.
#[derive(Debug, Clone, Default)]
pub(super) struct Actors {
    /// By node: whether we do.
    pub(super) ours: Vec<bool>,
    /// Durations that others pick: start, end and the longest.
    pub(super) lasting: Vec<(usize, usize, i64)>,
}

/// What to keep and what to wait for, and all that follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dispatch {
    bounds: Vec<Bound>,
    waits: Vec<Wait>,
    /// For each node those that happen first.
    before: Vec<Vec<usize>>,
}

/// Bounds and waits of a network; those of events that are not there are skipped.
pub(super) fn read(
    network: &TemporalDispatchableNetwork,
    find: impl Fn(&str) -> Option<usize>,
) -> (Vec<Bound>, Vec<Wait>) {
    let bounds = network.bounds.iter().filter_map(|bound| {
        let us = micros(bound.bound.as_ref()).clamp(-NONE, NONE);
        Some((find(&bound.from_event_id)?, find(&bound.to_event_id)?, us))
    });
    let waits = network.waits.iter().filter_map(|wait| {
        Some(Wait {
            event: find(&wait.event_id)?,
            from: find(&wait.from_event_id)?,
            until: find(&wait.until_event_id)?,
            duration_us: micros(wait.duration.as_ref()).clamp(0, NONE),
        })
    });
    (bounds.collect(), waits.collect())
}

impl Dispatch {
    /// What follows from bounds and waits; where that takes more than `most` steps only the bounds
    /// themselves count.
    pub(super) fn new(
        mut bounds: Vec<Bound>,
        waits: &[Wait],
        actors: &Actors,
        most: usize,
    ) -> Self {
        bounds.retain(|(from, to, us)| *us < NONE && from != to);
        bounds.sort_unstable();
        bounds.dedup();
        let nodes = actors.ours.len();
        let closure = Closure::new(nodes, &bounds, most);
        let ours = instant(actors);
        let first = |node: usize| {
            // Those of ours that can only happen together do not wait for each other.
            let first = |other: &usize| {
                let ours = ours[node] && ours[*other];
                let together = || ours && closure.precedes(node, *other);
                *other != node && closure.precedes(*other, node) && !together()
            };
            (0..nodes).filter(first).collect()
        };
        Self {
            before: (0..nodes).map(first).collect(),
            waits: regressed(waits, actors, &closure),
            bounds,
        }
    }

    /// Earliest times by bounds and waits, given what has happened: Bellman-Ford.
    pub(super) fn earliest(&self, times: &[Option<i64>], now_us: i64) -> Vec<i64> {
        let mut earliest: Vec<i64> = times.iter().map(|t| t.unwrap_or(now_us)).collect();
        for wait in &self.waits {
            if let (Some(begun), None, None) =
                (times[wait.from], times[wait.until], times[wait.event])
            {
                let over = begun + wait.duration_us;
                earliest[wait.event] = earliest[wait.event].max(over);
            }
        }
        // A round more than there are nodes would be a contradiction: left as it is.
        for _ in 0..=times.len() {
            let mut changed = false;
            for (from, to, bound) in &self.bounds {
                let time = earliest[*to].saturating_sub(*bound).min(NONE);
                if times[*from].is_none() && time > earliest[*from] {
                    earliest[*from] = time;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        earliest
    }

    /// Whether an event of ours waits for another: an event of others, or the begin of a wait.
    pub(super) fn blocked(&self, times: &[Option<i64>], event: usize) -> bool {
        let asleep = |w: &Wait| times[w.from].is_none() && times[w.until].is_none();
        let sleeps = self.waits.iter().any(|w| w.event == event && asleep(w));
        let mut before = self.before[event].iter();
        sleeps || before.any(|node| times[*node].is_none())
    }
}

/// Nodes of ours, and those that end what takes no time after such.
fn instant(actors: &Actors) -> Vec<bool> {
    let mut ours = actors.ours.clone();
    let instant = || {
        actors
            .lasting
            .iter()
            .filter(|(_, _, longest)| *longest == 0)
    };
    while let Some((_, to, _)) = instant().find(|(from, to, _)| ours[*from] && !ours[*to]) {
        ours[*to] = true;
    }
    ours
}

/// What has to be no more than some time before an event that waits, waits too.
fn regressed(waits: &[Wait], actors: &Actors, closure: &Closure) -> Vec<Wait> {
    let mut all: BTreeMap<(usize, usize, usize), i64> = BTreeMap::new();
    for wait in waits {
        // By then it has ended; with slack a wait may be longer, as durations may.
        let mut lasting = actors.lasting.iter();
        let link = lasting.find(|(from, to, _)| (*from, *to) == (wait.from, wait.until));
        let longest = link.map_or(NONE, |link| link.2);
        let least = wait.duration_us.min(longest);
        for event in 0..closure.nodes {
            let after = closure.longest(event, wait.event);
            if (0..NONE).contains(&after) && (after == 0 || least > after) {
                let known = all.entry((event, wait.from, wait.until)).or_insert(0);
                *known = (least - after).max(*known);
            }
        }
    }
    let all = all.into_iter();
    let wait = |((event, from, until), duration_us)| Wait {
        event,
        from,
        until,
        duration_us,
    };
    all.map(wait).collect()
}

/// All that follows from bounds.
struct Closure {
    nodes: usize,
    /// Largest `time(column) - time(row)`, row by row.
    most: Vec<i64>,
}

impl Closure {
    /// Floyd and Warshall; of more than `most` steps only the bounds themselves.
    fn new(nodes: usize, bounds: &[(usize, usize, i64)], most: usize) -> Self {
        let mut closure = Self {
            nodes,
            most: vec![NONE; nodes * nodes],
        };
        for node in 0..nodes {
            closure.most[node * nodes + node] = 0;
        }
        for (from, to, bound) in bounds {
            let known = &mut closure.most[from * nodes + to];
            *known = (*bound).min(*known);
        }
        let bound = |node: &usize| bounds.iter().any(|b| b.0 == *node);
        let between: Vec<usize> = (0..nodes).filter(bound).collect();
        if between.len() * nodes * nodes > most {
            return closure;
        }
        let mut row = vec![0; nodes];
        for via in between {
            row.copy_from_slice(&closure.most[via * nodes..(via + 1) * nodes]);
            for from in 0..nodes {
                let first = closure.most[from * nodes + via];
                if first >= NONE {
                    continue;
                }
                let line = &mut closure.most[from * nodes..(from + 1) * nodes];
                for (known, second) in line.iter_mut().zip(&row) {
                    if *second < NONE {
                        // Far from the ends of the type, also where bounds contradict.
                        *known = (*known).min((first + second).clamp(-NONE, NONE));
                    }
                }
            }
        }
        closure
    }

    fn longest(&self, from: usize, to: usize) -> i64 {
        self.most[from * self.nodes + to]
    }

    /// Whether one node is sure to be at or before another.
    fn precedes(&self, one: usize, other: usize) -> bool {
        self.longest(other, one) <= 0
    }
}
