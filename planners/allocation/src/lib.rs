//! Allocation: which agent does which task, and in what order. In the terms of the field: a rich
//! vehicle routing problem with time windows, skills, capacities, pickup and delivery, synchronised
//! tasks and breaks.
//!
//! # Problem
//! Agents do tasks, one after the other. A plan has at most one route for each agent, in the order
//! of the agents: its tasks in order, at least one, each with its start. Tasks in no route are not
//! done. No task is done twice.
//!
//! * **Time.** An agent leaves its start at the start of its shift, travels to its first task,
//!   waits, works, travels on. Work starts at the arrival or later, takes the service time without
//!   interruption, and then the agent is free. From the last task it travels to its end place, if
//!   it has one. The route ends by the end of the shift, inclusive. An agent without tasks stays at
//!   its start and costs nothing, even if its end place is elsewhere.
//! * **Windows.** Work starts inside one of the task's windows, ends included, or after the last,
//!   by at most the lateness allowed. Work may end after the window. A task without windows starts
//!   at any time. A start before the last window closes is never late.
//! * **Skills and capacities.** An agent has all skills that its tasks require. The sum of the
//!   demands of a route is within the agent's capacities, in each dimension; missing values are 0.
//!   Nothing is unloaded during the route, except by pairs (below).
//! * **Arcs.** Travel over an arc takes `ceil(duration * 10^6 / speed)`, in microseconds, with the
//!   agent's speed in millionths. Its cost does not depend on the agent. Where there is no arc no
//!   agent travels. Staying at a location is an arc like any other, on the diagonal. Arcs may be
//!   asymmetric and need not satisfy the triangle inequality: nothing here relies on either.
//! * **Committed prefix.** Tasks that the previous plan has under way, also those that agents have
//!   only left for, come first on the route of their agent, in their order, also if they are
//!   optional and also if the agent does nothing else. Their times are planned like all others,
//!   from the agent's start.
//! * **Changes.** A task that moves from its agent in the previous plan is a change. There may be a
//!   largest number of changes. New tasks and tasks not done are none.
//! * **Now** is a moment, 0 unless given. Only tasks under way happen before it. An agent without
//!   such tasks leaves its start now or later; one with such tasks leaves the last of them for
//!   another task now or later. Tasks under way keep their times, in the past or not; so does the
//!   arc to the end place after them, on routes without other tasks.
//!
//! Tasks and agents may be coupled ([`problem::Couplings`]):
//!
//! * **Order**: one task starts some time, at least and at most, after another has ended, with the
//!   same agent or any. The second is not done without the first.
//! * **Pair** (pickup and delivery): a task picks up what another one delivers, later on the same
//!   route. The demand is carried in between only. Both are done or none.
//! * **Group** (synchronised tasks): tasks start simultaneously, each with another agent. All are
//!   done or none.
//! * **Break**: an agent with tasks rests for some time, starting within a window, not during work.
//!   An arc that a break interrupts takes that much longer. A route that ends before the latest
//!   start of a break need not take it. A break before a task that is not under way starts now or
//!   later. A break that had to start before now is past, unless its agent was busy then with tasks
//!   under way: it rested in between.
//! * **Preference**: starts before or after some time cost something.
//!
//! The cost is a vector of levels, compared lexicographically. A level is the weighted sum of its
//! terms ([`problem::Term`]):
//!
//! | term | amount |
//! |---|---|
//! | `Unserved` | mandatory tasks not done |
//! | `DropPenalty` | penalties of optional tasks not done |
//! | `TravelCost` | travel cost of all arcs |
//! | `Makespan` | end of the last route; 0 without routes |
//! | `Lateness` | sum of the lateness of all starts |
//! | `AgentsUsed` | agents with tasks |
//! | `Preferences` | cost of starts outside of preferred times |
//! | `TasksMoved` | tasks moved from their previous agent |
//! | `Balance` | difference of travel and work between the busiest and the least busy agent |
//!
//! Without an objective the first level is the tasks not done, the second penalties plus travel
//! cost, and preferences if there are any. If no level counts the tasks not done, they are put in
//! front. If they are alone at the front the problem is strict: a plan that leaves out mandatory
//! tasks is valid but partial ([`is_partial`]).
//!
//! [`verify`](fn@verify) checks all that, and shares no code with [`solve`](fn@solve).
//!
//! # Method
//! See [`Strategy`] for the choice.
//!
//! * `auto` constructs a plan by regret insertion, improves a complete one by ruin and recreate,
//!   then searches on islands that exchange their best plans: iterated local search, whose
//!   solutions may violate rules at penalties that adapt and whose steps change some neighbouring
//!   routes only, and ruin and recreate, with ejection until all mandatory tasks are served. From
//!   time to time set partitioning recombines the routes of all islands. With more than 300 tasks
//!   ruin and recreate ends when all mandatory tasks are served. Where the makespan counts or
//!   changes are limited, and with up to 24 tasks that are not under way, where proofs are
//!   possible, it is ruin and recreate with tree search instead; above 1,000 tasks without the
//!   tree. Several windows and lateness that counts make iterated local search slower: times are
//!   computed task by task.
//! * `mcts` is Monte Carlo tree search: agents are planned one after the other, an action is the
//!   next task or the end of the route; subtrees whose bound is not below the incumbent are cut;
//!   trees with different exploration constants run in parallel.
//! * Before the search a valid previous plan is offered as a warm start. Presolve takes out tasks
//!   that no plan does and, above 24 tasks, couplings that are always satisfied and levels that
//!   only break ties.
//! * Coupled problems ([`Problem::is_coupled`]) are searched in large neighbourhoods: units of
//!   coupled tasks are removed and inserted again, and each insertion is evaluated by the earliest
//!   times of the whole plan. Starts that are too early are delayed as far as that pays, one task
//!   at a time: this part is a heuristic. Higher levels outweigh lower ones only gradually, and
//!   where balance counts, exchanges with the busiest and the least busy agent follow. Up to eight
//!   coupled tasks are searched exhaustively. `mcts` and `mcts-uniform` refuse coupled problems.
//!
//! # Questions
//! * [`lower_bound`] is the sum over the tasks of the cheapest arc in or the cost of leaving out.
//! * With the feature `milp`, `bound::columns` proves better bounds by column generation, on a
//!   thread of long searches. [`verify::dual_bound`] checks them from their dual values.
//! * [`certificates`] prove that no plan does a task, or all of some tasks: for want of skills,
//!   capacity or time, or by a clique of tasks of which no two fit on one route.
//! * [`explain`](explain::explain) returns reasons why tasks are left out, proved where possible
//!   and otherwise found by trying every place in the plan.
//! * [`relaxations`](explain::relaxations) are changes of the problem with which a task can be
//!   done, each of them tried.
//! * [`insertions`](insert::insertions) rank the places at which a fixed plan can take one more
//!   task.
//! * [`release`] shortens committed prefixes that no plan can do, so that all other agents can be
//!   planned.
//!
//! # Guarantees
//! * Same problem, parameters and seed: same plan, under an iteration limit, on any number of
//!   threads.
//! * `Optimal`, `Infeasible` and `Partial` are concluded with proof only. `Infeasible`: no valid
//!   plan does all mandatory tasks of a strict problem, and the last plan offered is optimal among
//!   the partial ones; or an agent cannot do the tasks that it has under way. `Partial`: the same,
//!   but the search for an optimal partial plan was stopped.
//! * Every plan offered passes [`verify`](fn@verify) at the cost claimed, and each costs less than
//!   the one before.
//! * [`lower_bound`] is at most the cost of every valid plan.
//! * A proved statement holds in every valid plan; a statement that is not proved may hold as well.
//!   Every certificate passes [`verify::certificate`](fn@verify::certificate), which shares no code
//!   with its search.
//!
//! # Units
//! Times: microseconds from the start of the plan. Costs, penalties, speeds and terms: millionths
//! of their unit. Capacities and demands: whole numbers of the caller's unit. Locations, agents and
//! tasks: indices from 0.
//!
//! # Limits
//! At most [`TASKS_MAX`](problem::TASKS_MAX) tasks and [`AGENTS_MAX`](problem::AGENTS_MAX) agents,
//! fewer where all pairs matter: [`DENSE_TASKS_MAX`](problem::DENSE_TASKS_MAX). Of more tasks
//! than that only neighbours are compared, and the bound adds the distances to the nearest tasks;
//! all other limits are constants of [`problem`] and [`travel`]. A coupled problem is proved
//! optimal only if the bound meets the plan, and infeasible only by tasks that are impossible, each
//! checked with those that it needs. Where arcs are missing, units that fit only as a whole may be
//! missed. A previous plan has no times and breaks: where starts can be too early, or breaks need a
//! careful place, the warm start may cost more than that plan did. Distances are computed in
//! doubles: rounding is exact between points with whole coordinates; elsewhere a distance within
//! 10^-9 of a step may be rounded either way.
//!
//! # Example
//! ```
//! use allocation::problem::{Agent, Couplings, MICRO, SHIFT_OPEN_US, Spec, Task, Window};
//! use allocation::travel::{Rounding, Travel};
//! use allocation::{Params, Problem, solve, verify};
//! use anytime::{Conclusion, Control, Limits};
//!
//! // One agent at the origin, and two tasks at distances 3 and 5, the second with a window.
//! let travel = Travel::euclidean(&[(0.0, 0.0), (3.0, 0.0), (0.0, 5.0)], Rounding::Exact);
//! let agent = Agent {
//!     start: 0,
//!     end: None,
//!     shift_start_us: 0,
//!     shift_end_us: SHIFT_OPEN_US,
//!     capacities: vec![],
//!     skills: 0,
//!     speed_micro: MICRO,
//! };
//! let task = |location, windows| Task {
//!     location,
//!     service_us: MICRO,
//!     windows,
//!     demands: vec![],
//!     skills: 0,
//!     drop_penalty_micro: None,
//!     lateness_max_us: None,
//! };
//! let window = Window { open_us: 0, close_us: 6 * MICRO };
//! let spec = Spec {
//!     agents: vec![agent],
//!     tasks: vec![task(1, vec![]), task(2, vec![window])],
//!     travel,
//!     objective: vec![],
//!     previous: None,
//!     couplings: Couplings::default(),
//!     now_us: 0,
//! };
//! let problem = Problem::new(spec).unwrap();
//! let mut best = None;
//! let mut sink = |plan: &allocation::Plan, cost| best = Some((plan.clone(), cost));
//! let mut control = Control::new(Limits::iterations(1_000), 1, &mut sink);
//! let conclusion = solve(&problem, &Params::default(), &mut control).unwrap();
//! let (plan, cost) = best.unwrap();
//! assert_eq!(conclusion, Conclusion::Optimal);
//! assert_eq!(verify(&problem, &plan), Ok(cost));
//! let tasks: Vec<usize> = plan.routes[0].stops.iter().map(|stop| stop.task).collect();
//! assert_eq!(tasks, [1, 0]);
//! ```
//!
//! # Source
//! Kartal, "Stochastic tree search for planning in games", dissertation, University of Minnesota,
//! 2016, chapter 4; Kartal, Nunes, Godoy, Gini, "Monte Carlo tree search for multi-robot task
//! allocation", AAAI 2016, doi:10.1609/aaai.v30i1.9945. Theirs is the case of identical agents at
//! one depot with one window and one capacity. Differences: windows bound the start of work, as in
//! the instances used there, where the text says its end; partial plans are results
//! too; cuts count no agent that may not be needed. Local search and its penalties: Vidal, Crainic,
//! Gendreau, Prins, "A hybrid genetic algorithm with adaptive diversity management for a large
//! class of vehicle routing problems with time-windows", Computers & Operations Research 40 (2013);
//! Nagata, Bräysy, Dullaert, "A penalty-based edge assembly memetic algorithm for the vehicle
//! routing problem with time windows", Computers & Operations Research 37 (2010). Instances:
//! Solomon, "Algorithms for the vehicle routing and scheduling problems with time window
//! constraints", Operations Research 35 (1987).

pub mod bound;
pub mod certificate;
pub mod explain;
pub mod generate;
pub mod insert;
mod obstacle;
pub mod plan;
pub mod problem;
mod release;
mod runner;
pub mod solve;
pub mod travel;
pub mod verify;

pub use bound::{certificates, impossible, infeasible_commitments, is_infeasible, lower_bound};
pub use certificate::{Certificate, DualBound, Proof};
pub use plan::{Cost, Plan, Rest, Route, Stop, Terms};
pub use problem::Problem;
pub use release::{Release, release};
pub use runner::{Allocation, Unserved};
pub use solve::{Params, Strategy, solve};
pub use verify::{RouteTimes, is_partial, schedule, timeline, verify};
