//! Checks of findings, claim by claim.

use super::conflict::{Question, check_candidate, check_members};
use super::differences::is_consistent;
use super::dispatch;
use super::durations::{some_choices, with_durations};
use super::relaxation::check_relaxation;
use super::violation::Violation;
use super::{Stopped, strong_until, times};
use crate::plan::{
    Conflict, Level, LevelFinding, Range, Relaxation, Robustness, Schedule, Simulation,
    StrongFinding, Undecided, Verdict,
};
use crate::problem::Network;

/// Questions that an answer about strong controllability leaves open.
///
/// With [`Verdict::Holds`] the schedule is checked by [`strong`](super::strong) and the ranges are
/// compared. With [`Verdict::Fails`] the conflict, if there is one, is checked: its members must be
/// rules of this network that cannot all be satisfied. The latter is shown by a search of its own,
/// which gives up after a fixed amount of work; undecided claims are taken to be true. So are the
/// effects of changes of bounds, and robustness within its allowed range.
///
/// # Errors
/// All claims that are false.
pub fn finding(network: &Network, finding: &StrongFinding) -> Result<Undecided, Vec<Violation>> {
    finding_until(network, finding, &mut || true).expect("nothing stops it")
}

/// The same.
///
/// # Errors
/// `go_on` returned false.
pub(crate) fn finding_until(
    network: &Network,
    finding: &StrongFinding,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Result<Undecided, Vec<Violation>>, Stopped> {
    let mut broken = Vec::new();
    Claim {
        level: Level::Strong,
        verdict: finding.verdict,
        schedule: finding.schedule.as_ref(),
        ranges: &finding.ranges,
        conflict: finding.conflict.as_ref(),
        relaxations: &finding.relaxations,
    }
    .check(network, &mut broken, go_on)?;
    check_robustness(finding.verdict, finding.robustness, &mut broken);
    check_simulations(finding, &mut broken);
    Ok(super::unless_broken(broken, || finding.undecided()))
}

/// Questions that answers leave open: see [`finding`]. Dispatch is played against a few choices of
/// durations, early and late.
///
/// # Errors
/// All claims that are false.
pub fn levels(network: &Network, findings: &[LevelFinding]) -> Result<Undecided, Vec<Violation>> {
    levels_until(network, findings, &mut || true).expect("nothing stops it")
}

/// The same.
///
/// # Errors
/// `go_on` returned false.
pub(crate) fn levels_until(
    network: &Network,
    findings: &[LevelFinding],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Result<Undecided, Vec<Violation>>, Stopped> {
    let mut broken = Vec::new();
    for (index, one) in findings.iter().enumerate() {
        let level = one.level;
        if findings[..index].iter().any(|other| other.level == level) {
            broken.push(Violation::LevelTwice { level });
        }
        Claim {
            level,
            verdict: one.verdict,
            schedule: one.schedule.as_ref(),
            ranges: &one.ranges,
            conflict: one.conflict.as_ref(),
            relaxations: &one.relaxations,
        }
        .check(network, &mut broken, go_on)?;
        let held = one.verdict == Verdict::Holds && level == Level::Dynamic;
        match &one.dispatch {
            Some(dispatch) if held => broken.extend(dispatch::broken(network, dispatch)),
            Some(_) => broken.push(Violation::NotExpected { what: "dispatch" }),
            None if held => broken.push(Violation::Missing { what: "dispatch" }),
            None => {}
        }
    }
    check_implications(findings, &mut broken);
    let open = || findings.iter().map(LevelFinding::undecided).sum();
    Ok(super::unless_broken(broken, open))
}

/// What holds at one level holds at each weaker one.
fn check_implications(findings: &[LevelFinding], broken: &mut Vec<Violation>) {
    for strong in findings.iter().filter(|one| one.verdict == Verdict::Holds) {
        for weak in findings.iter().filter(|one| one.verdict == Verdict::Fails) {
            if weak.level < strong.level {
                broken.push(Violation::LevelsContradict {
                    stronger: strong.level,
                    weaker: weak.level,
                });
            }
        }
    }
}

/// What both kinds of answers have in common.
struct Claim<'a> {
    level: Level,
    verdict: Verdict,
    schedule: Option<&'a Schedule>,
    ranges: &'a [Range],
    conflict: Option<&'a Conflict>,
    relaxations: &'a [Relaxation],
}

impl Claim<'_> {
    fn check(
        &self,
        network: &Network,
        broken: &mut Vec<Violation>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Stopped> {
        if network.has_teammates() && matches!(self.level, Level::Weak | Level::Dynamic) {
            broken.push(Violation::NotExpected { what: "level" });
            return Ok(());
        }
        if self.verdict != Verdict::Holds && !self.ranges.is_empty() {
            broken.push(Violation::NotExpected { what: "ranges" });
        }
        if self.verdict != Verdict::Fails {
            if self.conflict.is_some() {
                broken.push(Violation::NotExpected { what: "conflict" });
            }
            if !self.relaxations.is_empty() {
                let what = "relaxations";
                broken.push(Violation::NotExpected { what });
            }
        }
        match self.verdict {
            Verdict::Holds => self.check_witness(network, broken, go_on)?,
            Verdict::Fails | Verdict::Unknown => {
                let is_wrong = match self.schedule {
                    Some(_) if self.level != Level::Strong => true,
                    Some(schedule) => strong_until(network, schedule, go_on)?.is_ok(),
                    None => false,
                };
                if is_wrong {
                    broken.push(Violation::NotExpected { what: "schedule" });
                }
            }
        }
        if let Some(conflict) = self.conflict.filter(|_| self.verdict == Verdict::Fails) {
            broken.extend(check_conflict(network, self.level, conflict, go_on)?);
        }
        for (index, one) in self.relaxations.iter().enumerate() {
            Stopped::unless(go_on())?;
            check_relaxation(network, index, one, broken);
        }
        Ok(())
    }

    fn check_witness(
        &self,
        network: &Network,
        broken: &mut Vec<Violation>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Stopped> {
        match (self.level, self.schedule) {
            (Level::Consistent | Level::Strong, None) => {
                broken.push(Violation::Missing { what: "schedule" });
            }
            (Level::Consistent, Some(schedule)) => check_times(network, schedule, broken),
            (Level::Strong, Some(schedule)) => match strong_until(network, schedule, go_on)? {
                Ok(ranges) => self.check_ranges(&ranges, broken),
                Err(more) => broken.extend(more),
            },
            (Level::Weak | Level::Dynamic, Some(_)) => {
                broken.push(Violation::NotExpected { what: "schedule" });
            }
            (Level::Weak | Level::Dynamic, None) => {
                if !some_choices(network).all(|fixed| is_consistent(&fixed)) {
                    broken.push(Violation::DurationsFail);
                }
            }
        }
        if self.level != Level::Strong && !self.ranges.is_empty() {
            broken.push(Violation::NotExpected { what: "ranges" });
        }
        Ok(())
    }

    fn check_ranges(&self, found: &[Range], broken: &mut Vec<Violation>) {
        let (given, expected) = (self.ranges.len(), found.len());
        if given != expected {
            let what = "the list of ranges";
            broken.push(Violation::Shape {
                what,
                given,
                expected,
            });
        }
        for (node, (claimed, found)) in self.ranges.iter().zip(found).enumerate() {
            if claimed != found {
                broken.push(Violation::RangeWrong {
                    node,
                    earliest_us: claimed.earliest_us,
                    latest_us: claimed.latest_us,
                });
            }
        }
    }
}

/// Times of all nodes that keep every bound.
fn check_times(network: &Network, schedule: &Schedule, broken: &mut Vec<Violation>) {
    if let Err(more) = times(network, schedule, |_| true) {
        broken.extend(more);
        return;
    }
    let at = |node: usize| schedule.times_us[node].expect("every node has a time");
    for bound in network.bounds() {
        let worst_us = at(bound.to) - at(bound.from);
        if worst_us > bound.weight_us {
            broken.push(Violation::BoundBroken {
                from: bound.from,
                to: bound.to,
                worst_us,
                bound_us: bound.weight_us,
            });
        }
    }
}

/// What a conflict does not show of what it should.
fn check_conflict(
    network: &Network,
    level: Level,
    conflict: &Conflict,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<Violation>, Stopped> {
    let mut broken = Vec::new();
    let question = match level {
        Level::Consistent | Level::Weak => Question::Consistency,
        Level::Strong if network.has_teammates() => Question::StrongTeammates,
        Level::Strong => Question::StrongNature,
        Level::Dynamic => Question::Dynamic,
    };
    if level != Level::Weak {
        if !conflict.durations_us.is_empty() {
            broken.push(Violation::NotExpected { what: "durations" });
        }
        broken.extend(check_members(network, question, conflict, go_on)?);
        broken.extend(check_candidate(network, conflict));
        return Ok(broken);
    }
    match with_durations(network, &conflict.durations_us) {
        Err(violation) => broken.push(violation),
        Ok(fixed) if is_consistent(&fixed) => broken.push(Violation::DurationsWork),
        Ok(fixed) if !conflict.members.is_empty() => {
            broken.extend(check_members(&fixed, question, conflict, go_on)?);
        }
        Ok(_) => {}
    }
    Ok(broken)
}

fn check_robustness(verdict: Verdict, given: Option<Robustness>, broken: &mut Vec<Violation>) {
    let Some(Robustness {
        slack_us,
        factor_64ths,
    }) = given
    else {
        return;
    };
    if verdict != Verdict::Holds {
        broken.push(Violation::NotExpected { what: "robustness" });
    }
    // A factor of 1 to 16.
    if slack_us < 0 || factor_64ths.is_some_and(|factor| !(64..=16 * 64).contains(&factor)) {
        broken.push(Violation::RobustnessWrong);
    }
}

/// A schedule that works always succeeds.
fn check_simulations(finding: &StrongFinding, broken: &mut Vec<Violation>) {
    for (index, one) in finding.simulations.iter().enumerate() {
        let Simulation {
            model,
            runs,
            successes,
        } = *one;
        let before = &finding.simulations[..index];
        let again = before.iter().any(|other| other.model == model);
        if finding.schedule.is_none() || again {
            broken.push(Violation::NotExpected { what: "simulation" });
        }
        let all = finding.verdict == Verdict::Holds;
        if successes > runs || all && successes < runs {
            broken.push(Violation::SimulationWrong { runs, successes });
        }
    }
}
