//! Relaxations: changes of the problem with which a task that is left out can be done.
//!
//! 1. All rules are relaxed simultaneously, and the task is inserted at every place of the plan.
//! 2. The violations of the original rules are what has to change, each by its excess.
//! 3. Each such set of changes is applied to the original problem. The changed problem is checked,
//!    the task is inserted again, and the plan is verified. Only then the changes are returned.

use super::left_out;
use crate::bound::earliest_arrival::latest_close;
use crate::insert::{INSERTIONS_MAX, Insertion, insert, insertions};
use crate::plan::{Cost, Plan, Stop};
use crate::problem::{
    DENSE_TASKS_MAX, MICRO, Micros, Problem, QUANTITY_MAX, SHIFT_OPEN_US, Spec, TIME_MAX_US,
};
use crate::verify::{changes, overloads, timeline, verify};
use anytime::{Fault, Pulse, Step};

/// Most relaxations that are returned.
pub const RELAXATIONS_MAX: usize = 100;
/// Most relaxations of one task.
const EACH_MAX: usize = 4;
/// Most changes in one relaxation.
const CHANGES_MAX: usize = 3;
/// Limit on the work: problems that are examined, each counted by the pairs of its locations and
/// tasks, and by [`PROBLEM_WORK`].
const WORK_MAX: usize = 26_000_000;
/// Work of examining a problem of any size.
const PROBLEM_WORK: usize = 200_000;
/// Additional work of each pair of tasks in a coupled problem: every place is timed again.
const COUPLED_WORK: usize = 125;

/// A change of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Change {
    /// The last window of a task closes later.
    Window {
        /// Index of the task.
        task: usize,
        /// By how much.
        by_us: Micros,
    },
    /// The shift of an agent ends later.
    Shift {
        /// Index of the agent.
        agent: usize,
        /// By how much.
        by_us: Micros,
    },
    /// An agent can carry more.
    Capacity {
        /// Index of the agent.
        agent: usize,
        /// Which capacity.
        dimension: usize,
        /// How much more.
        by: i64,
    },
    /// An agent has more skills.
    Skills {
        /// Index of the agent.
        agent: usize,
        /// Bits of the additional skills.
        learned: u64,
    },
    /// More tasks may go to another agent than in the previous plan.
    Changes {
        /// How many more.
        by: usize,
    },
    /// One more agent, after all others.
    Agent {
        /// Index of the agent that it copies, without tasks under way and breaks.
        like: usize,
    },
}

/// Changes with which a task can be done, and the plan that does it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relaxation {
    /// Index of the task.
    pub task: usize,
    /// The changes, all of them required.
    pub changes: Vec<Change>,
    /// A valid plan of the changed problem: the given one with the task.
    pub plan: Plan,
    /// Its cost in the changed problem.
    pub cost: Cost,
}

/// The problem with these changes; `None`: it would be invalid, as a change names something that
/// does not exist, or exceeds a limit.
#[must_use]
pub fn relaxed(problem: &Problem, changes: &[Change]) -> Option<Problem> {
    let mut spec = problem.spec().clone();
    for change in changes {
        apply(&mut spec, *change)?;
    }
    Problem::new(spec).ok()
}

fn apply(spec: &mut Spec, change: Change) -> Option<()> {
    match change {
        Change::Window { task, by_us } => {
            let last = spec.tasks.get_mut(task)?.windows.last_mut()?;
            last.close_us = last.close_us.checked_add(by_us)?;
        }
        Change::Shift { agent, by_us } => {
            let end_us = &mut spec.agents.get_mut(agent)?.shift_end_us;
            *end_us = end_us.checked_add(by_us)?;
        }
        Change::Capacity {
            agent,
            dimension,
            by,
        } => {
            let capacities = &mut spec.agents.get_mut(agent)?.capacities;
            if capacities.len() <= dimension {
                capacities.resize(dimension + 1, 0);
            }
            capacities[dimension] = capacities[dimension].checked_add(by)?;
        }
        Change::Skills { agent, learned } => spec.agents.get_mut(agent)?.skills |= learned,
        Change::Changes { by } => {
            let changes_max = spec.previous.as_mut()?.changes_max.as_mut()?;
            *changes_max += by;
        }
        Change::Agent { like } => {
            let one = spec.agents.get(like)?.clone();
            spec.agents.push(one);
        }
    }
    Some(())
}

/// Relaxations with which tasks that a valid plan leaves out can be done, mandatory tasks first:
/// for each task at most four, those with fewer changes first, then those that change less. At most
/// [`RELAXATIONS_MAX`], within a limit on the work and until `wanted` ends. Planned tasks keep
/// their agents and their order.
///
/// There are none for tasks that fit without changes, and for coupled tasks that require others
/// that are left out. An empty list proves nothing.
///
/// # Panics
/// When an agent or a task of the plan does not exist.
#[must_use]
pub fn relaxations(problem: &Problem, plan: &Plan, wanted: &Pulse) -> Vec<Relaxation> {
    let mut found = Vec::new();
    if verify(problem, plan).is_err() {
        return found;
    }
    let mut search = Search {
        problem,
        plan,
        work_left: WORK_MAX,
        wanted,
    };
    let mut tasks = left_out(problem, plan);
    tasks.sort_by_key(|task| problem.tasks()[*task].drop_penalty_micro.is_some());
    for task in tasks {
        match search.relaxations(task) {
            Some(more) => found.extend(more),
            None => break,
        }
        if found.len() >= RELAXATIONS_MAX {
            break;
        }
    }
    found.truncate(RELAXATIONS_MAX);
    found
}

struct Search<'p> {
    problem: &'p Problem,
    plan: &'p Plan,
    work_left: usize,
    wanted: &'p Pulse,
}

impl Search<'_> {
    /// The relaxations of one task; `None`: no work or time is left.
    fn relaxations(&mut self, task: usize) -> Option<Vec<Relaxation>> {
        let problem = self.problem;
        self.work()?;
        // The task fits without changes, or requires others.
        let own = insertions(problem, self.plan, task, 1);
        if !own.is_ok_and(|places| places.is_empty()) {
            return Some(Vec::new());
        }
        let mut sets = self.violated(task)?;
        sets.extend(self.additional_agents(task));
        sets.sort_by_key(|set| (set.len(), amount(set)));
        let mut kinds: Vec<Vec<u8>> = Vec::new();
        let mut found = Vec::new();
        for set in sets {
            let kind: Vec<u8> = set.iter().map(kind).collect();
            if kinds.contains(&kind) || found.len() == EACH_MAX {
                continue;
            }
            if let Some(one) = self.confirmed(task, set)? {
                kinds.push(kind);
                found.push(one);
            }
        }
        Some(found)
    }

    /// Counts one problem that is examined; `None`: no work or time is left.
    fn work(&mut self) -> Option<()> {
        self.wanted.beats().then_some(())?;
        let tasks = self.problem.tasks().len();
        let travel = self.problem.travel();
        let places = if travel.has_matrix() {
            travel.locations
        } else {
            0
        };
        let size = places + tasks.min(DENSE_TASKS_MAX);
        let coupled = usize::from(self.problem.is_coupled()) * COUPLED_WORK * tasks * tasks;
        self.work_left = self
            .work_left
            .checked_sub(size * size + PROBLEM_WORK + coupled)?;
        Some(())
    }

    /// For each place the changes that the violations of the plan with the task require.
    fn violated(&mut self, task: usize) -> Option<Vec<Vec<Change>>> {
        self.work()?;
        let relaxed = self.problem.changed(relax_all);
        let places = insertions(&relaxed, self.plan, task, INSERTIONS_MAX);
        let changes = |place: &Insertion| {
            let plan = insert(&relaxed, self.plan, task, place);
            let faults = verify(self.problem, &plan).err()?;
            let required = |fault: &Fault| required_changes(self.problem, &plan, fault);
            let changes = faults.iter().map(required).collect::<Option<Vec<_>>>()?;
            let mut changes = changes.concat();
            changes.sort_unstable();
            changes.dedup();
            (changes.len() <= CHANGES_MAX).then_some(changes)
        };
        let mut sets: Vec<Vec<Change>> = places.iter().flatten().filter_map(changes).collect();
        sets.sort_unstable();
        sets.dedup();
        Some(sets)
    }

    /// Additional agents: a copy of each agent with the skills, of identical agents of the first.
    fn additional_agents(&self, task: usize) -> Vec<Vec<Change>> {
        let agents = self.problem.agents();
        if agents.len() >= self.problem.agents_max() {
            return Vec::new();
        }
        let skills = self.problem.tasks()[task].skills;
        let able = (0..agents.len()).filter(|a| skills & !agents[*a].skills == 0);
        let first = able.filter(|a| !agents[..*a].contains(&agents[*a]));
        first.map(|like| vec![Change::Agent { like }]).collect()
    }

    /// The plan with the task under these changes, if it is valid; the outer `None`: no work or
    /// time is left.
    fn confirmed(&mut self, task: usize, changes: Vec<Change>) -> Option<Option<Relaxation>> {
        self.work()?;
        let Some(problem) = relaxed(self.problem, &changes) else {
            return Some(None);
        };
        let places = insertions(&problem, self.plan, task, INSERTIONS_MAX);
        let is_new = |place: &&Insertion| match changes[..] {
            [Change::Agent { .. }] => place.agent + 1 == problem.agents().len(),
            _ => true,
        };
        let places = places.unwrap_or_default();
        let Some(place) = places.iter().find(is_new) else {
            return Some(None);
        };
        let plan = insert(&problem, self.plan, task, place);
        let cost = verify(&problem, &plan).ok();
        Some(cost.map(|cost| Relaxation {
            task,
            changes,
            plan,
            cost,
        }))
    }
}

/// Relaxes skills, shifts, capacities, last windows and changes.
fn relax_all(spec: &mut Spec) {
    let dimensions = spec.tasks.iter().map(|task| task.demands.len()).max();
    let all = spec.tasks.iter().fold(0, |all, task| all | task.skills);
    for agent in &mut spec.agents {
        agent.skills |= all;
        agent.shift_end_us = SHIFT_OPEN_US;
        agent.capacities = vec![QUANTITY_MAX; dimensions.unwrap_or(0)];
    }
    for last in spec.tasks.iter_mut().filter_map(|t| t.windows.last_mut()) {
        last.close_us = TIME_MAX_US;
    }
    if let Some(previous) = &mut spec.previous {
        previous.changes_max = None;
    }
}

/// The changes that resolve a fault of a plan; `None`: there are none.
fn required_changes(problem: &Problem, plan: &Plan, fault: &Fault) -> Option<Vec<Change>> {
    if fault.code == "TOO_MANY_CHANGES" {
        let changes_max = problem.previous()?.changes_max?;
        let by = changes(problem, plan) - changes_max;
        return Some(vec![Change::Changes { by }]);
    }
    let [Step::Field("routes"), Step::Index(index), stop @ ..] = &fault.at[..] else {
        return None;
    };
    let route = &plan.routes[*index];
    let (agent, stop) = (route.agent, stop.last());
    let task = || match stop {
        Some(Step::Index(stop)) => Some(route.stops[*stop]),
        _ => None,
    };
    Some(match fault.code {
        "START_TOO_LATE" => {
            let Stop { task, start_us } = task()?;
            let by_us = start_us - latest_close(&problem.tasks()[task]);
            vec![Change::Window { task, by_us }]
        }
        "SHIFT_EXCEEDED" => {
            let end_us = timeline(problem, plan)[*index].end_us;
            let by_us = end_us - problem.agents()[agent].shift_end_us;
            vec![Change::Shift { agent, by_us }]
        }
        "CAPACITY_EXCEEDED" => overloads(problem, route)
            .map(|load| Change::Capacity {
                agent,
                dimension: load.dimension,
                by: load.largest - load.capacity,
            })
            .collect(),
        "SKILLS_MISSING" => {
            let required = problem.tasks()[task()?.task].skills;
            let learned = required & !problem.agents()[agent].skills;
            vec![Change::Skills { agent, learned }]
        }
        _ => return None,
    })
}

/// A number for each kind of change.
fn kind(change: &Change) -> u8 {
    match change {
        Change::Window { .. } => 0,
        Change::Shift { .. } => 1,
        Change::Capacity { .. } => 2,
        Change::Skills { .. } => 3,
        Change::Changes { .. } => 4,
        Change::Agent { .. } => 5,
    }
}

/// Size of a set of changes: times in seconds, all else in ones. An additional agent is the
/// largest.
fn amount(changes: &[Change]) -> i64 {
    let amount = |change: &Change| match *change {
        Change::Window { by_us, .. } | Change::Shift { by_us, .. } => by_us / MICRO,
        Change::Capacity { by, .. } => by,
        Change::Skills { learned, .. } => i64::from(learned.count_ones()),
        Change::Changes { by } => by as i64,
        Change::Agent { .. } => i64::MAX / 4,
    };
    changes.iter().map(amount).sum()
}
