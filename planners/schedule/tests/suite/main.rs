//! What projects, their check and the search do, each claim in a module.

mod brute_force;
mod golden;
mod mutated;
mod oracle;
mod property;
mod searched;
mod small;
