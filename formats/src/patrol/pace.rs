//! How long a tick is, in formats that count in ticks.

use crate::durations::parse_span;
use prost_types::Duration;
use stratagem_proto::v1::PatrolProblem;
use stratagem_render::time::{from_micros, micros};

/// The tick of files that do not say how long it is, in microseconds.
pub(super) const TICK_US: i64 = 1_000_000;
/// Shortest and longest tick, in microseconds: those of the contract.
const TICKS_US: [i64; 2] = [1_000, 3_600_000_000];

/// Microseconds of a tick written as a span: 1 ms to 1 h.
///
/// # Errors
/// A sentence for the user.
pub fn parse_tick(text: &str) -> Result<i64, String> {
    let tick_us = parse_span(text)?;
    let [least, most] = TICKS_US;
    if !(least..=most).contains(&tick_us) {
        return Err("a tick of 1ms to 1h is wanted".into());
    }
    Ok(tick_us)
}

/// Makes the ticks of a problem, which are a second long, as long as this.
pub(super) fn pace(problem: &mut PatrolProblem, tick_us: i64) {
    if tick_us == TICK_US {
        return;
    }
    problem.tick_duration = Some(from_micros(tick_us));
    change_durations(problem, |seconds| {
        // Ticks of the contract are far from what could overflow.
        from_micros(micros(Some(&seconds)) / TICK_US * tick_us)
    });
}

/// Makes the ticks of a problem a second long; returns how long they were. `None` when a time is no
/// whole number of ticks.
pub(super) fn unpace(problem: &mut PatrolProblem) -> Option<i64> {
    let tick_us = match problem.tick_duration.take() {
        None => TICK_US,
        Some(tick) => micros(Some(&tick)).max(1),
    };
    let mut whole = true;
    change_durations(problem, |time| {
        let us = micros(Some(&time));
        whole &= us % tick_us == 0;
        from_micros((us / tick_us).saturating_mul(TICK_US))
    });
    whole.then_some(tick_us)
}

/// Changes all times of a problem but that of the tick itself.
fn change_durations(problem: &mut PatrolProblem, mut change: impl FnMut(Duration) -> Duration) {
    let mut times: Vec<&mut Option<Duration>> = Vec::new();
    for vertex in &mut problem.vertices {
        times.extend([&mut vertex.pause_duration, &mut vertex.gap_duration]);
    }
    let edges = problem.edges.iter_mut();
    times.extend(edges.map(|edge| &mut edge.travel_duration));
    let guards = problem.guards.iter_mut();
    times.extend(guards.map(|guard| &mut guard.elapsed_duration));
    if let Some(intruder) = &mut problem.intruder {
        times.extend([
            &mut intruder.penetration_duration,
            &mut intruder.mission_duration,
        ]);
    }
    for time in times {
        *time = time.take().map(&mut change);
    }
}
