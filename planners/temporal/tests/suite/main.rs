//! What networks, their answers, the check and the search do, each claim in a module.

mod agreement;
mod answers;
mod checker;
mod claims;
mod execution;
mod game;
mod hostile;
mod opinions;
mod paper;
mod problem;
mod searched;
mod simulate;
mod solve;
mod stop;
mod verify;
