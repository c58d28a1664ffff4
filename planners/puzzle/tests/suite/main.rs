//! What boards, solvers, ratings and levels do, each claim in a module.

mod board;
mod brute;
mod deadlock;
mod effort;
mod exhaust;
mod explain;
mod generate;
mod judge;
mod loss;
mod problem;
mod rating;
mod searched;
mod set;
mod solver;
mod walls;
