//! What narratives, their check, the search and the program do, each claim in a module.

mod dispatch_vectors;
mod evenings;
mod execution;
mod generate;
#[cfg(feature = "milp")]
mod milp;
mod mutated;
mod problem;
mod problem_stories;
mod searched;
mod solve;
mod solve_bounds;
mod solve_certain;
mod solve_choices;
mod solve_joint;
mod solve_mutated;
mod solve_offer;
mod solve_parallel;
mod solve_random;
mod solve_relax;
mod solve_seeds;
mod solve_shrink;
mod solve_stretches;
mod verify;
mod verify_claims;
mod verify_conflict;
mod verify_forked;
mod verify_game;
mod verify_hostile;
mod verify_mutated;
mod verify_non_anticipativity;
mod verify_places;
mod verify_search;
mod verify_simulate;
mod verify_stories;
mod verify_violations;
