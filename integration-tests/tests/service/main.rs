//! The service from outside: the real programs, real sockets, clients that behave and clients that
//! do not.

#![cfg(test)]

mod asking;
mod auth;
mod bench;
mod command_line;
mod configuration;
mod connections;
mod contexts;
mod coupled;
mod crew;
mod deadlines;
mod drain;
mod exit_codes;
mod foreign;
mod fuzzed;
mod heist;
mod hostile;
mod inserting;
mod jobs;
mod largest;
mod load;
mod memory;
mod narrative;
mod observed;
mod playground;
mod proofs;
mod puzzle;
mod replay;
mod schedule;
mod storms;
mod story;
mod temporal;
mod terminal;
mod tls;
mod traces;
mod vanishing;
mod web;
