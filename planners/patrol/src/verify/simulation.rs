//! Simulation of a plan, tick by tick.

use crate::plan::{PERIOD_MAX, Plan, Route, WORK_MAX, greatest_common_divisor, step_work, work};
use crate::problem::{Entry, Problem, Tick};
use anytime::{Fault, Path, Ticker, element, fault, time};

/// Work to compare the positions of two guards at a tick.
const PAIR: u64 = 4;

/// Position of a guard at a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    /// Vertex where the guard stands, or which it left last.
    vertex: usize,
    /// Edge on which the guard is.
    edge: Option<OnEdge>,
}

/// Position on an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OnEdge {
    to: usize,
    /// Ticks since the guard left the vertex.
    since: u32,
}

/// Positions of a guard at each tick of its prefix and of its cycle.
struct Track {
    prefix: Vec<Position>,
    cycle: Vec<Position>,
}

impl Track {
    fn position_at(&self, tick: Tick) -> Position {
        let tick = usize::try_from(tick).expect("ticks are limited");
        match tick.checked_sub(self.prefix.len()) {
            None => self.prefix[tick],
            Some(tick) => self.cycle[tick % self.cycle.len()],
        }
    }
}

/// Simulation of a plan.
pub(super) struct Simulation<'p> {
    pub problem: &'p Problem,
    pub ticker: Ticker,
    tracks: Vec<Track>,
    /// Tick at which the last prefix ends.
    pub prefix: Tick,
    /// Joint period.
    pub period: Tick,
    /// Work of one step of a dynamic intruder.
    step_work: u64,
}

impl<'p> Simulation<'p> {
    /// Simulation of a plan without faults in its routes. `None`: stopped.
    ///
    /// # Errors
    /// It takes too long, or too much work.
    pub(super) fn new(
        problem: &'p Problem,
        plan: &Plan,
        ticker: Ticker,
    ) -> Option<Result<Self, Fault>> {
        let mut tracks = Vec::new();
        for (guard, route) in plan.routes.iter().enumerate() {
            match track(problem, guard, route, &ticker)? {
                Ok(track) => tracks.push(track),
                Err(fault) => return Some(Err(fault)),
            }
        }
        Some(Self::from_tracks(problem, tracks, ticker))
    }

    fn from_tracks(
        problem: &'p Problem,
        tracks: Vec<Track>,
        ticker: Ticker,
    ) -> Result<Self, Fault> {
        let longest = tracks.iter().map(|track| track.prefix.len()).max();
        let mut period: Tick = 1;
        for track in &tracks {
            let length = track.cycle.len() as Tick;
            // Neither is above the limit: no overflow.
            period = period / greatest_common_divisor(period, length) * length;
            check_length("joint period", period)?;
        }
        let prefix = longest.unwrap_or(0) as Tick;
        let work = work(problem, prefix, period);
        if work > WORK_MAX {
            return Err(fault!(
                "TOO_MUCH_WORK",
                Path::WHOLE,
                "takes {} steps to evaluate, at most {} are allowed",
                work,
                WORK_MAX
            ));
        }
        Ok(Self {
            problem,
            ticker,
            tracks,
            prefix,
            period,
            step_work: step_work(problem),
        })
    }

    /// First tick of entry, and the tick after the last.
    pub(super) fn entries(&self) -> (Tick, Tick) {
        match self.problem.intruder().entry {
            Entry::Start => (0, 1),
            Entry::Mission(last) => (0, Tick::from(last) + 1),
            Entry::Steady => (self.prefix, self.prefix + self.period),
        }
    }

    /// First tick of the cycle of a guard, and the tick after its last.
    pub(super) fn cycle(&self, guard: usize) -> [Tick; 2] {
        let begin = self.tracks[guard].prefix.len() as Tick;
        [begin, begin + self.tracks[guard].cycle.len() as Tick]
    }

    /// Arc of a guard at a tick; from a vertex to itself while it stands.
    pub(super) fn arc(&self, guard: usize, tick: Tick) -> [usize; 2] {
        let Position { vertex, edge } = self.tracks[guard].position_at(tick);
        [vertex, edge.map_or(vertex, |edge| edge.to)]
    }

    /// Distinct ticks of entry, each with the number of equivalent ones: itself, and those that are
    /// whole periods later in the cyclic part.
    pub(super) fn distinct_entries(&self) -> impl Iterator<Item = (Tick, Tick)> + use<> {
        let (first, end) = self.entries();
        let (prefix, period) = (self.prefix, self.period);
        (first..end.min(prefix + period)).map(move |tick| {
            if tick < prefix {
                (tick, 1)
            } else {
                (tick, (end - 1 - tick) / period + 1)
            }
        })
    }

    /// Calls `see` with each place that a guard sees at a tick, possibly repeatedly. `None`:
    /// stopped.
    pub(super) fn for_each_seen(&self, tick: Tick, mut see: impl FnMut(usize)) -> Option<()> {
        for (guard, track) in self.tracks.iter().enumerate() {
            match self.place_on_edge(guard, track.position_at(tick)) {
                Some(place) => {
                    self.ticker.step(1).ok()?;
                    see(place);
                }
                None => {
                    let from = track.position_at(tick).vertex;
                    let seen = self.problem.sight(guard, from);
                    self.ticker.step(seen.len() as u64).ok()?;
                    seen.iter().for_each(|place| see(*place as usize));
                }
            }
        }
        Some(())
    }

    /// Counts a step of a dynamic intruder that is about to be made; `None`: stopped.
    pub(super) fn spend_step(&self) -> Option<()> {
        self.ticker.step(self.step_work).ok()
    }

    /// Place inside an edge of a guard in this position.
    fn place_on_edge(&self, guard: usize, position: Position) -> Option<usize> {
        let (from, OnEdge { to, since }) = (position.vertex, position.edge?);
        let edge = self.problem.out_edge(from, to).expect("the edge exists");
        let ticks = self.problem.ticks(guard, edge);
        self.problem.place_on_edge(from, edge, since, ticks)
    }

    /// Broken rules of all routes together; `None`: stopped.
    pub(super) fn faults(&self) -> Option<Vec<Fault>> {
        let mut faults = Vec::new();
        if !self.problem.spec().may_swap {
            self.check_passing(&mut faults)?;
        }
        self.check_gaps(&mut faults)?;
        Some(faults)
    }

    /// Finds guards on the same edge in opposite directions at the same time; each pair once.
    fn check_passing(&self, faults: &mut Vec<Fault>) -> Option<()> {
        let guards = self.tracks.len();
        for one in 0..guards {
            for other in one + 1..guards {
                for tick in 0..self.prefix + self.period {
                    self.ticker.step(PAIR).ok()?;
                    // A guard is on an edge from the tick at which it leaves a vertex up to the one
                    // before its arrival.
                    let [from, to] = self.arc(one, tick);
                    if from == to || self.arc(other, tick) != [to, from] {
                        continue;
                    }
                    let [one, other] = [one, other].map(|guard| element("guard", guard));
                    let [from, to] = [from, to].map(|vertex| element("vertex", vertex));
                    faults.push(fault!(
                        "PASSING_FORBIDDEN",
                        Path::WHOLE,
                        "lets {} and {} pass each other between {} and {} around {}",
                        one,
                        other,
                        from,
                        to,
                        time(tick)
                    ));
                    break;
                }
            }
        }
        Some(())
    }

    fn check_gaps(&self, faults: &mut Vec<Fault>) -> Option<()> {
        let gaps = &self.problem.spec().gaps;
        if gaps.is_empty() {
            return Some(());
        }
        let vertices = self.problem.vertices();
        let (mut longest, mut last_seen) = (vec![0; vertices], vec![None; vertices]);
        // Two periods, so that a gap across their boundary is complete.
        for tick in self.prefix..self.prefix + 2 * self.period {
            self.for_each_seen(tick, |place| {
                if place < vertices {
                    let last = last_seen[place].replace(tick);
                    let gap = last.map_or(0, |last: Tick| (tick - last).saturating_sub(1));
                    longest[place] = gap.max(longest[place]);
                }
            })?;
        }
        for gap in gaps {
            let longest = longest[gap.vertex];
            if last_seen[gap.vertex].is_some() && longest < Tick::from(gap.ticks) {
                faults.push(fault!(
                    "GAP_MISSING",
                    Path::WHOLE,
                    "leaves {} out of sight for at most {}, at least {} is required",
                    element("vertex", gap.vertex),
                    time(longest),
                    time(gap.ticks)
                ));
            }
        }
        Some(())
    }
}

/// Track of a guard; `None`: stopped.
fn track(
    problem: &Problem,
    guard: usize,
    route: &Route,
    ticker: &Ticker,
) -> Option<Result<Track, Fault>> {
    let start = problem.guards()[guard];
    // Ticks on the first edge before the start.
    let gone = start.next.map_or(0, |_| start.elapsed);
    let mut positions = Vec::new();
    let mut prefix = 0;
    let stops: Vec<_> = route.prefix.iter().chain(&route.cycle).collect();
    for (index, stop) in stops.iter().enumerate() {
        if index == route.prefix.len() {
            prefix = positions.len();
        }
        let standing = Position {
            vertex: stop.vertex,
            edge: None,
        };
        let next = stops.get(index + 1).copied();
        let next = next.or_else(|| route.cycle.first().filter(|_| route.cycle.len() > 1));
        let edge = next.and_then(|next| problem.out_edge(stop.vertex, next.vertex));
        let ticks = edge.map_or(0, |edge| problem.ticks(guard, edge));
        let length = positions.len() as Tick + Tick::from(stop.stay) + Tick::from(ticks);
        if let Err(fault) = check_length("route", length.saturating_sub(gone.into())) {
            return Some(Err(fault));
        }
        ticker.step((stop.stay + ticks).into()).ok()?;
        positions.extend((0..stop.stay).map(|_| standing));
        positions.extend((0..ticks).map(|since| Position {
            edge: edge.map(|edge| OnEdge { to: edge.to, since }),
            ..standing
        }));
    }
    let cycle = positions.split_off(prefix);
    positions.drain(..gone as usize);
    Some(Ok(Track {
        prefix: positions,
        cycle,
    }))
}

fn check_length(part: &'static str, ticks: Tick) -> Result<(), Fault> {
    if ticks > PERIOD_MAX {
        return Err(fault!(
            "PLAN_TOO_LONG",
            Path::WHOLE,
            "has a {} of {} ticks, at most {} are allowed",
            part,
            ticks,
            PERIOD_MAX
        ));
    }
    Ok(())
}
