//! Networks without uncertainty against the definitions.

mod closing;
mod instances;
mod judge;
mod trailing;
