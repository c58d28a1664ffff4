//! Presolve: smaller and simpler problems that are searched instead of the given one.
//!
//! Tasks that no plan does are removed, so that the others are planned as if these did not exist.
//! In large problems, couplings that hold in every plan, breaks that take no time, and levels that
//! only break ties are removed, so that they do not determine the search method. Every plan found
//! is verified against the given problem before it is offered.

use super::params::Strategy;
use super::{Params, bound, conclusion_without_optimum, coupled, search, simplified_search, tree};
use crate::plan::{Cost, Plan, Rest, Route, Terms};
use crate::problem::{
    Break, Couplings, MICRO, Order, Previous, PreviousRoute, Problem, Spec, Term,
};
use crate::verify::{schedule, timeline, verify};
use anytime::{Conclusion, Control, SolveError, Translate};

/// Percentage of the remaining limits that is spent before ties are broken.
const MAIN: u32 = 85;

/// A problem that is searched instead of a given one.
pub(super) struct Presolved<'p> {
    given: &'p Problem,
    problem: Problem,
    /// By task, its index in the given problem.
    tasks: Vec<usize>,
    /// Cost of the removed tasks.
    removed_cost: Cost,
    /// Whether levels that break ties are removed.
    has_ties: bool,
    /// Cost of the last plan in the given problem, if both problems agree on it.
    last: Option<Cost>,
    /// The best plan so far.
    best: Option<(Cost, Plan)>,
}

/// The problem without tasks that no plan does; `None`: there are none, or they cannot be removed.
pub(super) fn without_impossible<'p>(
    given: &'p Problem,
    control: &mut Control<'_, Plan, Cost>,
) -> Option<Presolved<'p>> {
    let impossible = bound::impossible_while(given, &mut || control.go_on())?;
    without_tasks(given, &impossible)
}

fn without_tasks<'p>(given: &'p Problem, impossible: &[usize]) -> Option<Presolved<'p>> {
    let mut is_out = vec![false; given.tasks().len()];
    impossible.iter().for_each(|task| is_out[*task] = true);
    spread_impossible(given.couplings(), &mut is_out);
    let started = (0..given.agents().len()).flat_map(|agent| given.committed(agent));
    if !is_out.contains(&true) || started.copied().any(|task| is_out[task]) {
        return None;
    }
    let tasks: Vec<usize> = (0..is_out.len()).filter(|task| !is_out[*task]).collect();
    let mut terms = Terms::default();
    for (task, _) in given.tasks().iter().zip(&is_out).filter(|(_, out)| **out) {
        match task.drop_penalty_micro {
            None => terms.unserved_micro += MICRO,
            Some(penalty_micro) => terms.drop_penalty_micro += penalty_micro,
        }
    }
    let mut index = vec![None; is_out.len()];
    for (new, old) in tasks.iter().enumerate() {
        index[*old] = Some(new);
    }
    // The default objective depends on the couplings.
    let problem = given.changed(|spec| {
        spec.objective = given.levels().to_vec();
        remove_tasks(spec, &index);
    });
    Some(Presolved {
        removed_cost: given.cost(&terms),
        ..Presolved::new(given, problem, tasks)
    })
}

/// Marks tasks that cannot be done without those that are marked.
fn spread_impossible(couplings: &Couplings, is_out: &mut [bool]) {
    loop {
        let before = is_out.iter().filter(|out| **out).count();
        for order in &couplings.orders {
            is_out[order.second] |= is_out[order.first];
        }
        for pair in &couplings.pairs {
            let out = is_out[pair.pickup] || is_out[pair.delivery];
            (is_out[pair.pickup], is_out[pair.delivery]) = (out, out);
        }
        for group in &couplings.groups {
            let out = group.tasks.iter().any(|task| is_out[*task]);
            group.tasks.iter().for_each(|task| is_out[*task] = out);
        }
        if is_out.iter().filter(|out| **out).count() == before {
            return;
        }
    }
}

/// Retains only the tasks that have a new index.
fn remove_tasks(spec: &mut Spec, index: &[Option<usize>]) {
    let mut old = index.iter();
    spec.tasks
        .retain(|_| old.next().is_some_and(Option::is_some));
    let couplings = &mut spec.couplings;
    couplings.orders = couplings
        .orders
        .iter()
        .filter_map(|order| {
            let (first, second) = index[order.first].zip(index[order.second])?;
            Some(Order {
                first,
                second,
                ..*order
            })
        })
        .collect();
    couplings.pairs.retain(|pair| index[pair.pickup].is_some());
    for pair in &mut couplings.pairs {
        let new = index[pair.pickup].zip(index[pair.delivery]);
        (pair.pickup, pair.delivery) = new.expect("both are out or none");
    }
    couplings
        .groups
        .retain(|group| index[group.tasks[0]].is_some());
    for group in &mut couplings.groups {
        group.tasks = group.tasks.iter().filter_map(|task| index[*task]).collect();
    }
    couplings
        .preferences
        .retain(|preference| index[preference.task].is_some());
    for preference in &mut couplings.preferences {
        preference.task = index[preference.task].expect("the others are gone");
    }
    let routes = spec
        .previous
        .iter_mut()
        .flat_map(|previous: &mut Previous| &mut previous.routes);
    routes.for_each(|route: &mut PreviousRoute| {
        route.tasks = route.tasks.iter().filter_map(|task| index[*task]).collect();
    });
}

/// The problem without redundant couplings and tie-breaking levels; `None`: it has none, it has
/// few tasks, or orders bind because no plan does some tasks.
pub(super) fn simplify<'p>(
    given: &'p Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Option<Presolved<'p>> {
    let is_hard = |term| {
        matches!(
            term,
            Term::Makespan | Term::Preferences | Term::TasksMoved | Term::Balance
        )
    };
    let levels = given.levels();
    let is_easy = |level: &&crate::problem::Level| !level.terms.iter().any(|term| is_hard(term.0));
    let kept: Vec<_> = levels.iter().take_while(is_easy).cloned().collect();
    let counts = |term| {
        let mut terms = kept.iter().flat_map(|level| &level.terms);
        terms.any(|one| one.0 == term)
    };
    let all = given.couplings();
    let is_void = all.pairs.is_empty()
        && all.groups.is_empty()
        && all.breaks.iter().all(|one| is_free(given, one))
        && all.orders.iter().all(|order| always_holds(given, order));
    let tasks = given.tasks().len();
    let is_large = tasks > tree::SMALL_MAX && params.strategy == Strategy::Auto;
    let changes = !all.is_empty() || kept.len() < levels.len();
    // Without a level that counts unserved tasks one is put in front: costs would have another
    // meaning.
    let is_same = counts(Term::Unserved) && counts(Term::TravelCost);
    if !is_large || !is_void || !changes || !is_same {
        return None;
    }
    // Impossible tasks are removed later: it may be small without them.
    if !all.orders.is_empty() || tasks <= 2 * tree::SMALL_MAX {
        let impossible = bound::impossible_while(given, &mut || control.go_on())?.len();
        let binds = !all.orders.is_empty() && impossible > 0;
        if binds || tasks - impossible <= tree::SMALL_MAX {
            return None;
        }
    }
    let has_ties = kept.len() < levels.len();
    let problem = given.changed(|spec| {
        spec.couplings = Couplings::default();
        spec.objective = kept;
    });
    Some(Presolved {
        has_ties,
        ..Presolved::new(given, problem, (0..tasks).collect())
    })
}

/// Whether the best plan may leave tasks undone: a level that counts them is above 0.
fn may_leave_tasks(given: &Problem, control: &Control<'_, Plan, Cost>) -> bool {
    let counts = |term| matches!(term, Term::Unserved | Term::DropPenalty);
    let best = control.best().unwrap_or_default();
    let mut levels = given.levels().iter().zip(best.0);
    levels.any(|(level, cost)| cost > 0 && level.terms.iter().any(|term| counts(term.0)))
}

/// Whether every route has room for a break: it takes no time, and no service is longer than its
/// window.
fn is_free(problem: &Problem, one: &Break) -> bool {
    let wait_us = one.latest_us - one.earliest_us;
    let mut tasks = problem.tasks().iter();
    one.length_us == 0 && tasks.all(|task| task.service_us <= wait_us)
}

/// Whether an order holds in every plan that serves all mandatory tasks.
fn always_holds(problem: &Problem, order: &Order) -> bool {
    let [first, second] = [order.first, order.second].map(|task| &problem.tasks()[task]);
    let starts_us = |task: &crate::problem::Task| {
        let (open, close) = task.windows.first().zip(task.windows.last())?;
        Some((
            open.open_us,
            close.close_us + task.lateness_max_us.unwrap_or(0),
        ))
    };
    let Some((first_us, second_us)) = starts_us(first).zip(starts_us(second)) else {
        return false;
    };
    let gap_us = |start_us: i64, other_us: i64| other_us - start_us - first.service_us;
    !order.same_agent
        && problem.is_strict()
        && first.drop_penalty_micro.is_none()
        && gap_us(first_us.1, second_us.0) >= order.gap_min_us
        && order
            .gap_max_us
            .is_none_or(|most_us| gap_us(first_us.0, second_us.1) <= most_us)
}

impl<'p> Presolved<'p> {
    fn new(given: &'p Problem, problem: Problem, tasks: Vec<usize>) -> Self {
        Self {
            given,
            problem,
            tasks,
            removed_cost: Cost::default(),
            has_ties: false,
            last: None,
            best: None,
        }
    }

    /// Searches it instead of the given problem.
    ///
    /// # Errors
    /// As [`solve`](super::solve).
    pub(super) fn solve(
        mut self,
        params: &Params,
        control: &mut Control<'_, Plan, Cost>,
    ) -> Result<Conclusion, SolveError> {
        if self.has_ties {
            // The search ignores ties, and may end with a plan that is as good but for them.
            let insertion = Params {
                strategy: Strategy::Insertion,
                ..params.clone()
            };
            let conclusion = search(self.given, &insertion, control)?;
            if matches!(conclusion, Conclusion::Optimal | Conclusion::Infeasible)
                || !control.go_on()
            {
                return Ok(conclusion);
            }
            // Before ties go: they are broken without impossible tasks, too.
            if may_leave_tasks(self.given, control)
                && let Some(presolved) = without_impossible(self.given, control)
            {
                return presolved.solve(params, control);
            }
        }
        let problem = self.problem.clone();
        let percent = if self.has_ties { MAIN } else { 100 };
        let conclusion = control.through(&mut self, percent, |inner| {
            simplified_search(&problem, params, inner)
        })?;
        if self.has_ties && control.go_on() {
            let best = self.best.as_ref().map(|(_, plan)| plan);
            return Ok(coupled::improve(self.given, best, params, control));
        }
        let is_best = self.last.is_some() && self.last == control.best();
        let is_proof = matches!(conclusion, Conclusion::Optimal | Conclusion::Infeasible);
        // In a strict problem the cost of removed mandatory tasks is proved.
        let infeasible = self.given.is_strict() && self.removed_cost.0[0] > 0;
        Ok(match conclusion {
            Conclusion::Infeasible if self.best.is_none() => conclusion,
            _ if is_proof && (self.has_ties || !is_best) => {
                conclusion_without_optimum(control, infeasible)
            }
            Conclusion::Optimal if infeasible => Conclusion::Infeasible,
            Conclusion::Stopped(stop) if infeasible => Conclusion::Partial(stop),
            other => other,
        })
    }
}

impl Translate<Plan, Cost> for Presolved<'_> {
    fn plan(&mut self, plan: &Plan, cost: Cost) -> Option<(Plan, Cost)> {
        let alike = self.bound(cost);
        let mut plan = plan.clone();
        for stop in plan.routes.iter_mut().flat_map(|route| &mut route.stops) {
            stop.task = self.tasks[stop.task];
        }
        if self.problem.couplings().is_empty() && !self.given.couplings().is_empty() {
            plan = without_orphans(self.given, plan);
            add_free_breaks(self.given, &mut plan);
        }
        let found = verify(self.given, &plan).ok();
        self.last = found.filter(|cost| self.has_ties || *cost == alike);
        let cost = found?;
        if self.best.as_ref().is_none_or(|(best, _)| cost < *best) {
            self.best = Some((cost, plan.clone()));
        }
        Some((plan, cost))
    }

    fn bound(&mut self, bound: Cost) -> Cost {
        let mut sum = bound;
        for (level, removed_cost) in sum.0.iter_mut().zip(self.removed_cost.0) {
            *level += removed_cost;
        }
        sum
    }
}

/// The plan without tasks whose predecessor in an order is not done.
fn without_orphans(problem: &Problem, plan: Plan) -> Plan {
    let mut is_assigned = vec![false; problem.tasks().len()];
    for stop in plan.routes.iter().flat_map(|route| &route.stops) {
        is_assigned[stop.task] = true;
    }
    let mut count = usize::MAX;
    loop {
        let done = is_assigned.iter().filter(|done| **done).count();
        if done == count {
            break;
        }
        count = done;
        for order in &problem.couplings().orders {
            is_assigned[order.second] &= is_assigned[order.first];
        }
    }
    let left = |route: &Route| {
        route
            .stops
            .iter()
            .filter(|stop| !is_assigned[stop.task])
            .count()
    };
    if plan.routes.iter().all(|route| left(route) == 0) {
        return plan;
    }
    let routes = plan.routes.into_iter().map(|route| {
        let tasks = route.stops.into_iter().map(|stop| stop.task);
        (
            route.agent,
            tasks.filter(|task| is_assigned[*task]).collect(),
        )
    });
    let orders: Vec<(usize, Vec<usize>)> =
        routes.filter(|(_, tasks)| !Vec::is_empty(tasks)).collect();
    schedule(problem, &orders)
}

/// Adds the breaks that take no time, each as early as possible.
fn add_free_breaks(problem: &Problem, plan: &mut Plan) {
    let times = timeline(problem, plan);
    for (route, times) in plan.routes.iter_mut().zip(times) {
        for (index, one) in problem.couplings().breaks.iter().enumerate() {
            if one.agent != route.agent || one.length_us > 0 || times.end_us <= one.latest_us {
                continue;
            }
            let mut free_us = problem.agents()[route.agent].shift_start_us;
            for stop in 0..=route.stops.len() {
                let next = route.stops.get(stop);
                if next.is_some() && stop == problem.committed(route.agent).len() {
                    free_us = free_us.max(problem.now_us());
                }
                let start_us = free_us.max(one.earliest_us);
                let until_us = next.map_or(times.end_us, |next| next.start_us);
                if start_us <= until_us.min(one.latest_us) {
                    route.rests.push(Rest {
                        index,
                        stop,
                        start_us,
                    });
                    break;
                }
                if let Some(next) = next {
                    free_us = next.start_us + problem.tasks()[next.task].service_us;
                }
            }
        }
        route.rests.sort_by_key(|rest| (rest.start_us, rest.stop));
    }
}
