//! The service from outside: the real programs, real sockets, clients that behave and clients that
//! do not.

#![cfg(test)]

mod answers;
mod asking;
mod cache;
mod command_line;
mod configuration;
mod crew;
mod deadlines;
mod drain;
mod examples;
mod exit_codes;
mod foreign;
mod heist;
mod hostile;
mod inserting;
mod load;
mod mistakes;
mod narrative;
mod observed;
mod patrol;
mod puzzle;
mod streams;
mod temporal;
mod vanishing;
