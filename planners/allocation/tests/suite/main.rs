//! What problems, their check, bounds, explanations and searches do, each claim in a module.

mod balance;
mod bound;
mod certificates;
#[cfg(feature = "milp")]
mod columns;
mod coupled;
mod explain;
mod explain_truth;
mod golden;
mod insert;
mod large;
mod line;
mod mutated;
mod now;
mod oracle;
mod presolve;
mod problem;
mod property;
mod relax;
mod release;
mod searched;
mod solve_mutated;
mod strategies;
mod travel;
mod verify;
mod world;
