//! What patrols, their check, mixtures and the search do, each claim in a module.

mod diverse;
mod evaluate;
mod execution;
mod hostile;
mod maps;
mod mixed_strategy;
mod optimal;
mod searched;
mod side_constraints;
mod sight;
mod solve;
mod verify;
mod walks;
mod warm;
