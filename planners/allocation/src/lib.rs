//! Allocation: which agent does which task, and in what order.
//!
//! # Problem
//! Agents do tasks, one after the other. A plan has at most one route for each agent, in the order
//! of the agents: its tasks in order, at least one, each with the moment its work starts. Tasks in
//! no route are not done. No task is done twice.
//!
//! * An agent leaves its start at the start of its shift, travels to its first task, waits, works,
//!   travels on. Work starts when the agent is there or later, takes its service time without
//!   interruption, and then the agent is free. From the last task it travels to its end place, if
//!   it has one. All that is done by the end of its shift, inclusive. An agent without tasks stays
//!   at its start and costs nothing, even if its end place is elsewhere.
//! * Work starts inside one of the task's windows, ends included, or after the last, by at most the
//!   lateness allowed. Work may end after the window. A task without windows can start at any time.
//!   Starting before the last window closes is never late.
//! * An agent has all skills that its tasks require. The demands of all tasks of a route together
//!   are within the agent's capacities, in each dimension; what is not given is 0. Nothing is
//!   unloaded on the way.
//! * A way takes its duration times 10^6 divided by the agent's speed in millionths, rounded up to
//!   whole microseconds. Its cost does not depend on who travels. Where there is no way nobody
//!   travels. Staying at a location is a way like any other: its duration and cost are on the
//!   diagonal. Ways may be asymmetric and need not keep the triangle inequality: nothing here
//!   relies on either.
//! * Tasks that the previous plan has under way, also those that agents have only set out for, come
//!   first on the route of their agent, in their order, also optional ones, and also when the agent
//!   does nothing else. Their times are planned like all others, from the agent's start. A task
//!   that the previous plan gave to another agent than this plan does is a change, of which there
//!   may be a largest number. New tasks and tasks not done are none.
//! * Now is a moment, 0 unless given. What is not under way does not happen before: an agent
//!   without tasks under way leaves its start now or later, and one with such tasks leaves the last
//!   of them for a task that is not under way now or later. What is under way keeps its times, in
//!   the past or not; so does the arc to the end place after it, on routes without other tasks.
//!
//! Tasks and agents may be coupled ([`problem::Couplings`]):
//!
//! * An order: one task starts some time, at least and at most, after another has ended, by the
//!   same agent or any. Without the first the second is not done.
//! * A pair: what one task picks up another delivers, later on the same route. It is carried in
//!   between only. Both are done or none.
//! * A group: tasks start at the same moment, each by another agent. All are done or none.
//! * A break: an agent with tasks rests for some time, within some time, not during work. A leg
//!   that a break interrupts takes that much longer. An agent that is done when a break has to
//!   start need not take it. A break before a task that is not under way starts now or later. One
//!   that had to start before now is past, unless its agent was busy then with what is under way:
//!   it rested in between.
//! * A preference: starts before or after some time cost something.
//!
//! The cost is a vector of levels, compared lexicographically. A level is the weighted sum of its
//! terms: mandatory tasks not done (each 1), penalties of optional tasks not done, travel cost of
//! all arcs, the makespan (0 without routes), lateness of all starts, agents with tasks (each 1),
//! cost of starts outside of preferred times, tasks moved from their previous agent (each 1), and
//! balance: how much longer the busiest agent travels and works than the least busy. Without an
//! objective the first level is the tasks not done, the second penalties plus travel cost, and
//! preferences if there are any. Where no level counts the tasks not done, these are put in front.
//! When they are alone at the front, mandatory means mandatory: a plan that leaves one out is valid
//! but partial ([`is_partial`]).
//!
//! [`verify`](fn@verify) decides, and shares no code with [`solve`](fn@solve).
//!
//! # Method
//! See [`Strategy`] for the choice. `auto` inserts with regret, improves by local search, then
//! searches on islands that exchange their best plans: hybrid genetic search, whose plans may break
//! rules at prices that adapt, and ruin and recreate. Now and then set partitioning recombines the
//! routes of all islands. Where the makespan counts, tasks are under way or changes are limited,
//! and with up to 24 tasks, where proofs are possible, it is ruin and recreate with tree search
//! instead. Several windows and lateness that counts make the genetic search slower: times are
//! computed task by task. `mcts` is Monte Carlo tree search: agents are planned one after the
//! other, an action is the next task or the end of the route; subtrees that cannot beat the best
//! plan are cut; trees with different exploration constants run in parallel.
//!
//! Before that a valid previous plan is offered, tasks that no plan does are taken out, and so are,
//! above 24 tasks, couplings that hold anyway and levels that only break ties. Coupled problems of
//! up to eight tasks are searched exhaustively.
//!
//! Coupled problems ([`Problem::is_coupled`]) are searched in large neighbourhoods: units of tasks
//! that are done together or not at all are taken off and put back, and each place is judged by the
//! earliest times of the whole plan. Starts that are too early wait as far as that pays, one task
//! at a time: that is the one part in which times are good, not best. Higher levels outweigh lower
//! ones only little by little, and where balance counts, exchanges with the busiest and the least
//! busy agent follow. `mcts` and `mcts-uniform` refuse such problems.
//!
//! [`insertions`](insert::insertions) ranks the places at which an otherwise fixed plan can take
//! one more task.
//!
//! [`lower_bound`] adds up, for each task, the cheapest arc to it or the cost of leaving it out.
//! [`explain`](explain::explain) proves why a task cannot be done where it can, and otherwise tries
//! every place in the plan. [`certificates`] proves, with numbers, that no plan does a task, or all
//! of some tasks: for want of skills, capacity, time, or agents for tasks of which no two fit on
//! one route. [`release`] shortens what agents have under way where no plan can do all of it, so
//! that all other agents can be planned. [`relaxations`](explain::relaxations) returns changes of
//! the problem that let a task be done, each of them tried.
//!
//! # Guarantees
//! * Same problem, parameters and seed: same plan, under an iteration limit, on any number of
//!   threads.
//! * `Optimal`, `Infeasible` and `Partial` are concluded with proof only. `Infeasible`: no valid
//!   plan does all mandatory tasks where mandatory means mandatory, and the last plan offered is
//!   the best of those that do not; or an agent cannot do what it has under way. `Partial`: the
//!   same, where the search for the best such plan was stopped.
//! * Every plan offered passes [`verify`](fn@verify) at the cost claimed, and each costs less than
//!   the one before.
//! * [`lower_bound`] is at most the cost of every valid plan, the best one included.
//! * What is called proved or impossible holds in every valid plan; that something is not says
//!   nothing. Every certificate passes [`verify::certificate`](fn@verify::certificate), which
//!   shares no code with what finds it.
//!
//! # Units
//! Times: microseconds from the start of the plan. Costs, penalties, speeds and terms: millionths
//! of their unit. Capacities and demands: whole numbers of the caller's unit. Locations, agents and
//! tasks: indices from 0.
//!
//! # Limits
//! At most [`TASKS_MAX`](problem::TASKS_MAX) tasks and [`AGENTS_MAX`](problem::AGENTS_MAX) agents;
//! all others are constants of [`problem`] and [`travel`]. A coupled problem is proved optimal only
//! where the bound meets the plan, and infeasible by tasks that are impossible, each checked with
//! those that it waits for. Where arcs are missing, units that fit only as a whole may be missed. A
//! previous plan has no times and breaks: where starts can be too early, or breaks need a careful
//! place, the plan made from it may cost more than it did. Distances are computed in doubles:
//! rounding is exact between points with whole coordinates, elsewhere a distance within 10^-9 of a
//! step may fall on either side.
//!
//! # Source
//! Kartal, "Stochastic tree search for planning in games", dissertation, University of Minnesota,
//! 2016, chapter 4; Kartal, Nunes, Godoy, Gini, "Monte Carlo tree search for multi-robot task
//! allocation", AAAI 2016, doi:10.1609/aaai.v30i1.9945. Theirs is the case of identical agents at
//! one depot with one window and one capacity. Differences: windows bound the start of work, as in
//! the instances used there, where the text says its end; plans that leave tasks out are answers
//! too; cuts count no agent that may not be needed. Genetic search: Vidal, Crainic, Gendreau,
//! Prins, "A hybrid genetic algorithm with adaptive diversity management for a large class of
//! vehicle routing problems with time-windows", Computers & Operations Research 40 (2013); Nagata,
//! Bräysy, Dullaert, "A penalty-based edge assembly memetic algorithm for the vehicle routing
//! problem with time windows", Computers & Operations Research 37 (2010). Instances: Solomon,
//! "Algorithms for the vehicle routing and scheduling problems with time window constraints",
//! Operations Research 35 (1987).

pub mod bound;
pub mod certificate;
pub mod errors;
pub mod explain;
pub mod generate;
pub mod insert;
mod obstacle;
pub mod plan;
pub mod problem;
mod release;
pub mod solve;
pub mod travel;
pub mod verify;

pub use bound::{certificates, impossible, infeasible_commitments, is_infeasible, lower_bound};
pub use certificate::{Certificate, Proof};
pub use errors::ProblemError;
pub use plan::{Cost, Plan, Rest, Route, Stop, Terms};
pub use problem::Problem;
pub use release::{Release, release};
pub use solve::{Params, Strategy, solve};
pub use verify::{RouteTimes, Violation, is_partial, schedule, timeline, verify};

/// The planner, as its runner sees it.
#[derive(Debug, Clone, Copy)]
pub struct Allocation;

impl anytime::Planner for Allocation {
    type Problem = Problem;
    type Params = Params;
    type Plan = Plan;
    type Cost = Cost;
    type Violation = Violation;

    fn solve(
        problem: &Problem,
        params: &Params,
        control: &mut anytime::Control<'_, Plan, Cost>,
    ) -> Result<anytime::Conclusion, anytime::SolveError> {
        solve(problem, params, control)
    }

    fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Violation>> {
        verify(problem, plan)
    }
}
