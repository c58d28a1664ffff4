//! Changes of the problem with which a task that is left out can be done.
//!
//! All rules are loosened simultaneously, and the task is tried at every place of the plan. What
//! the plan with the task then violates of the original rules is what has to change, by the amount
//! of the violation. Each such set of changes is made in the original problem, the problem is
//! checked, the task is inserted again, and the plan is verified: only then the changes are
//! offered.

use super::left_out;
use crate::insert::{INSERTIONS_MAX, Insertion, insertions, with};
use crate::plan::{Cost, Plan};
use crate::problem::{
    AGENTS_MAX, MICRO, Micros, Problem, QUANTITY_MAX, SHIFT_OPEN_US, Spec, TIME_MAX_US,
};
use crate::verify::{Violation, verify};
use anytime::Pulse;

/// Most relaxations that are offered.
pub const RELAXATIONS_MAX: usize = 100;
/// Most of one task.
const EACH_MAX: usize = 4;
/// Most changes in one.
const CHANGES_MAX: usize = 3;
/// Most work: problems that are looked at, each counted by the pairs of its locations and tasks,
/// and by [`LOOK`].
const WORK_MAX: usize = 26_000_000;
/// What looking at a problem takes at least, however small it is.
const LOOK: usize = 200_000;
/// How much more each pair of tasks takes where these are coupled: every place is timed anew.
const COUPLED: usize = 125;

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
        /// Bits of the skills that it learns.
        learned: u64,
    },
    /// More tasks may go to another agent than in the previous plan.
    Changes {
        /// How many more.
        by: usize,
    },
    /// There is one agent more, after all others.
    Agent {
        /// Index of the agent that it is like; it has nothing under way and no breaks.
        like: usize,
    },
}

/// Changes with which a task can be done, and the plan that does it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relaxation {
    /// Index of the task.
    pub task: usize,
    /// The changes, all of them needed together.
    pub changes: Vec<Change>,
    /// A valid plan of the changed problem: the one that was given, with the task.
    pub plan: Plan,
    /// What it costs there.
    pub cost: Cost,
}

/// The problem with these changes; `None` when it is none: a change names what does not exist, or
/// is beyond a limit.
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
            let most = spec.previous.as_mut()?.changes_max.as_mut()?;
            *most += by;
        }
        Change::Agent { like } => {
            let one = spec.agents.get(like)?.clone();
            spec.agents.push(one);
        }
    }
    Some(())
}

/// Changes with which tasks that a valid plan leaves out can be done, mandatory ones first: of each
/// task at most four sets, those with fewer changes first, then those that change less. At most
/// [`RELAXATIONS_MAX`], and no more than a limit on the work and `wanted` allow. All else in the
/// plan stays with its agent, in its order.
///
/// Nothing is offered for tasks that fit as it is, and for coupled tasks that are not done without
/// others that are left out. None proves nothing.
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
        match search.of(task) {
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
    /// `None`: no work or time is left.
    fn of(&mut self, task: usize) -> Option<Vec<Relaxation>> {
        let problem = self.problem;
        self.work()?;
        // Where it fits as it is, or not without others, there is nothing to be said.
        let own = insertions(problem, self.plan, (task, 1));
        if !own.is_ok_and(|places| places.is_empty()) {
            return Some(Vec::new());
        }
        let mut sets = self.wishes(task)?;
        sets.extend(self.helpers(task));
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

    /// Counts one problem that is looked at; `None`: no work or time is left.
    fn work(&mut self) -> Option<()> {
        self.wanted.beats().then_some(())?;
        let tasks = self.problem.tasks().len();
        let size = self.problem.travel().locations + tasks;
        let coupled = usize::from(self.problem.is_coupled()) * COUPLED * tasks * tasks;
        self.work_left = self.work_left.checked_sub(size * size + LOOK + coupled)?;
        Some(())
    }

    /// What the plan with the task breaks, at each place.
    fn wishes(&mut self, task: usize) -> Option<Vec<Vec<Change>>> {
        self.work()?;
        let loose = self.problem.changed(loosen);
        let places = insertions(&loose, self.plan, (task, INSERTIONS_MAX));
        let wish = |place: &Insertion| {
            let plan = with(&loose, self.plan, (task, place));
            let broken = verify(self.problem, &plan).err()?;
            let change = |violation: &Violation| changed(violation, &plan);
            let mut changes = broken.iter().map(change).collect::<Option<Vec<Change>>>()?;
            changes.sort_unstable();
            (changes.len() <= CHANGES_MAX).then_some(changes)
        };
        let mut wishes: Vec<Vec<Change>> = places.iter().flatten().filter_map(wish).collect();
        wishes.sort_unstable();
        wishes.dedup();
        Some(wishes)
    }

    /// Agents that might be there twice: of those that are alike the first.
    fn helpers(&self, task: usize) -> Vec<Vec<Change>> {
        let agents = self.problem.agents();
        if agents.len() == AGENTS_MAX {
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
        let places = insertions(&problem, self.plan, (task, INSERTIONS_MAX));
        let is_new = |place: &&Insertion| match changes[..] {
            [Change::Agent { .. }] => place.agent + 1 == problem.agents().len(),
            _ => true,
        };
        let places = places.unwrap_or_default();
        let Some(place) = places.iter().find(is_new) else {
            return Some(None);
        };
        let plan = with(&problem, self.plan, (task, place));
        let cost = verify(&problem, &plan).ok();
        Some(cost.map(|cost| Relaxation {
            task,
            changes,
            plan,
            cost,
        }))
    }
}

/// As if there were hardly any rules.
fn loosen(spec: &mut Spec) {
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

/// The change after which a rule is not broken; `None`: there is none.
fn changed(violation: &Violation, plan: &Plan) -> Option<Change> {
    let agent = |route: usize| plan.routes[route].agent;
    Some(match *violation {
        Violation::StartTooLate {
            task,
            start_us,
            latest_us,
            ..
        } => Change::Window {
            task,
            by_us: start_us - latest_us,
        },
        Violation::ShiftExceeded {
            route,
            end_us,
            shift_end_us,
        } => Change::Shift {
            agent: agent(route),
            by_us: end_us - shift_end_us,
        },
        Violation::CapacityExceeded {
            route,
            dimension,
            load,
            capacity,
        } => Change::Capacity {
            agent: agent(route),
            dimension,
            by: load - capacity,
        },
        Violation::SkillsMissing { route, missing, .. } => Change::Skills {
            agent: agent(route),
            learned: missing,
        },
        Violation::TooManyChanges {
            changes,
            changes_max,
        } => Change::Changes {
            by: changes - changes_max,
        },
        _ => return None,
    })
}

/// Which kind of change it is.
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

/// How much is changed: time in seconds, all else in ones. An agent more is the largest change.
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
