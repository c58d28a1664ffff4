//! What worlds, plans, games and designs of levels do, each claim in a module.

mod agent_tasks;
mod analysis;
mod definitions;
mod design;
mod explain;
mod game;
mod help;
mod live;
mod mistakes;
mod planner;
mod replay;
