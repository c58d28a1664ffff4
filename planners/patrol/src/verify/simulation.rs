//! A plan, carried out tick by tick.

use super::stop_check::StopCheck;
use super::violation::Violation;
use crate::plan::{PERIOD_MAX, Plan, Route, WORK_MAX, step_work, work};
use crate::problem::{Entry, Problem, Tick};

/// What it counts for to compare where two guards are.
const MEETING: usize = 4;

/// Where a guard is at a tick, and where it is going.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    /// The vertex where it stands or which it left last.
    vertex: usize,
    /// Where it is going and since when.
    going: Option<(usize, u32)>,
}

/// All spots of a guard, of its prefix and of its cycle.
struct Track {
    prefix: Vec<Position>,
    cycle: Vec<Position>,
}

impl Track {
    fn at(&self, tick: Tick) -> Position {
        let tick = usize::try_from(tick).expect("ticks are limited");
        match tick.checked_sub(self.prefix.len()) {
            None => self.prefix[tick],
            Some(round) => self.cycle[round % self.cycle.len()],
        }
    }
}

/// A sound plan on stage.
pub(super) struct Simulation<'p> {
    pub problem: &'p Problem,
    pub stop_check: StopCheck<'p>,
    tracks: Vec<Track>,
    /// When the last prefix is over.
    pub prefix: Tick,
    /// After how many ticks everything comes again from then on.
    pub period: Tick,
    /// What a step of a walking intruder counts for.
    step_work: usize,
}

impl<'p> Simulation<'p> {
    /// The stage; the plan's routes can be walked. `None`: told to stop.
    ///
    /// # Errors
    /// It is too long to be judged.
    pub(super) fn new(
        problem: &'p Problem,
        plan: &Plan,
        stop_check: StopCheck<'p>,
    ) -> Option<Result<Self, Violation>> {
        let mut tracks = Vec::new();
        for (guard, route) in plan.routes.iter().enumerate() {
            match track(problem, (guard, route), &stop_check)? {
                Ok(track) => tracks.push(track),
                Err(violation) => return Some(Err(violation)),
            }
        }
        Some(Self::of(problem, tracks, stop_check))
    }

    fn of(
        problem: &'p Problem,
        tracks: Vec<Track>,
        stop_check: StopCheck<'p>,
    ) -> Result<Self, Violation> {
        let longest = tracks.iter().map(|track| track.prefix.len()).max();
        let mut period: Tick = 1;
        for track in &tracks {
            let length = track.cycle.len() as Tick;
            // Neither is above the limit: no overflow.
            period = period / common(period, length) * length;
            within("joint period", period)?;
        }
        let prefix = longest.unwrap_or(0) as Tick;
        match work(problem, prefix, period) {
            work if work > WORK_MAX => Err(Violation::TooMuchWork { work }),
            _ => Ok(Self {
                problem,
                stop_check,
                tracks,
                prefix,
                period,
                step_work: step_work(problem) as usize,
            }),
        }
    }

    /// Ticks at which an intruder may enter: from the first up to the second.
    pub(super) fn entries(&self) -> (Tick, Tick) {
        match self.problem.intruder().entry {
            Entry::Start => (0, 1),
            Entry::Mission(last) => (0, Tick::from(last) + 1),
            Entry::Steady => (self.prefix, self.prefix + self.period),
        }
    }

    /// First tick of a guard's cycle, and the tick after its last.
    pub(super) fn round(&self, guard: usize) -> [Tick; 2] {
        let begin = self.tracks[guard].prefix.len() as Tick;
        [begin, begin + self.tracks[guard].cycle.len() as Tick]
    }

    /// Where a guard is, or which vertex it left last, and where it goes; twice the same: it
    /// stands.
    pub(super) fn step(&self, guard: usize, tick: Tick) -> (usize, usize) {
        let position = self.tracks[guard].at(tick);
        (
            position.vertex,
            position.going.map_or(position.vertex, |(to, _)| to),
        )
    }

    /// Distinct ticks of entry, each with the number of others that are equivalent: those that are
    /// whole periods later, once all prefixes are over.
    pub(super) fn different(&self) -> impl Iterator<Item = (Tick, Tick)> + use<> {
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
    pub(super) fn look(&self, tick: Tick, mut see: impl FnMut(usize)) -> Option<()> {
        for (guard, track) in self.tracks.iter().enumerate() {
            match self.inner(guard, track.at(tick)) {
                Some(place) => {
                    self.stop_check.spend(1)?;
                    see(place);
                }
                None => {
                    let from = track.at(tick).vertex;
                    let seen = self.problem.sight(guard, from);
                    self.stop_check.spend(seen.len())?;
                    seen.iter().for_each(|place| see(*place as usize));
                }
            }
        }
        Some(())
    }

    /// A step of a walking intruder is about to be made; `None`: told to stop.
    pub(super) fn walk(&self) -> Option<()> {
        self.stop_check.spend(self.step_work)
    }

    /// The place inside an edge where a guard is.
    fn inner(&self, guard: usize, position: Position) -> Option<usize> {
        let (to, since) = position.going?;
        let edge = self
            .problem
            .out_edge(position.vertex, to)
            .expect("it is walked");
        let ticks = self.problem.ticks(guard, edge);
        self.problem
            .place_on_edge(position.vertex, edge, since, ticks)
    }

    /// Broken rules about all guards together; `None`: told to stop.
    pub(super) fn violations(&self) -> Option<Vec<Violation>> {
        let mut broken = Vec::new();
        if !self.problem.spec().may_swap {
            self.swaps(&mut broken)?;
        }
        self.gaps(&mut broken)?;
        Some(broken)
    }

    /// Guards that are on the same edge in opposite directions at the same time; each pair once.
    fn swaps(&self, broken: &mut Vec<Violation>) -> Option<()> {
        let guards = self.tracks.len();
        for one in 0..guards {
            for other in one + 1..guards {
                for tick in 0..self.prefix + self.period {
                    self.stop_check.spend(MEETING)?;
                    if let Some([from, to]) = self.meeting([one, other], tick) {
                        broken.push(Violation::Swap {
                            one,
                            other,
                            from,
                            to,
                            tick,
                        });
                        break;
                    }
                }
            }
        }
        Some(())
    }

    /// The ends of the edge on which two guards go towards or past each other between this tick and
    /// the next.
    fn meeting(&self, guards: [usize; 2], tick: Tick) -> Option<[usize; 2]> {
        // Who leaves a vertex is on the edge from that tick on; who arrives is not any more.
        let step = |guard: usize| {
            let position = self.tracks[guard].at(tick);
            Some([position.vertex, position.going?.0])
        };
        let [one, other] = [step(guards[0])?, step(guards[1])?];
        (one == [other[1], other[0]]).then_some(one)
    }

    fn gaps(&self, broken: &mut Vec<Violation>) -> Option<()> {
        let gaps = &self.problem.spec().gaps;
        if gaps.is_empty() {
            return Some(());
        }
        let vertices = self.problem.vertices();
        let (mut longest, mut since) = (vec![0; vertices], vec![None; vertices]);
        // Twice round, so that a gap over the seam is seen whole.
        for tick in self.prefix..self.prefix + 2 * self.period {
            self.look(tick, |place| {
                if place < vertices {
                    let last = since[place].replace(tick);
                    let gap = last.map_or(0, |last: Tick| (tick - last).saturating_sub(1));
                    longest[place] = gap.max(longest[place]);
                }
            })?;
        }
        for gap in gaps {
            let longest = match since[gap.vertex] {
                Some(_) => longest[gap.vertex],
                None => continue,
            };
            if longest < Tick::from(gap.ticks) {
                broken.push(Violation::GapMissing {
                    vertex: gap.vertex,
                    longest,
                    wanted: gap.ticks,
                });
            }
        }
        Some(())
    }
}

/// Where a guard is tick by tick; `None`: told to stop.
fn track(
    problem: &Problem,
    (guard, route): (usize, &Route),
    stop_check: &StopCheck<'_>,
) -> Option<Result<Track, Violation>> {
    let mut positions = Vec::new();
    let mut prefix = 0;
    let stops: Vec<_> = route.prefix.iter().chain(&route.cycle).collect();
    for (index, stop) in stops.iter().enumerate() {
        if index == route.prefix.len() {
            prefix = positions.len();
        }
        let here = Position {
            vertex: stop.vertex,
            going: None,
        };
        let next = stops.get(index + 1).copied();
        let next = next.or_else(|| route.cycle.first().filter(|_| route.cycle.len() > 1));
        let edge = next.and_then(|next| problem.out_edge(stop.vertex, next.vertex));
        let ticks = edge.map_or(0, |edge| problem.ticks(guard, edge));
        let long = positions.len() as Tick + Tick::from(stop.stay) + Tick::from(ticks);
        if let Err(violation) = within("route", long) {
            return Some(Err(violation));
        }
        stop_check.spend((stop.stay + ticks) as usize)?;
        positions.extend((0..stop.stay).map(|_| here));
        positions.extend((0..ticks).map(|since| Position {
            going: edge.map(|edge| (edge.to, since)),
            ..here
        }));
    }
    let cycle = positions.split_off(prefix);
    Some(Ok(Track {
        prefix: positions,
        cycle,
    }))
}

fn within(part: &'static str, ticks: Tick) -> Result<(), Violation> {
    if ticks > PERIOD_MAX {
        Err(Violation::TooLong { part, ticks })
    } else {
        Ok(())
    }
}

/// Greatest common divisor.
fn common(a: Tick, b: Tick) -> Tick {
    if b == 0 { a } else { common(b, a % b) }
}
