//! Checks of findings, claim by claim.

use super::conflict::{Question, check_candidate, check_members};
use super::dispatch;
use super::durations::{some_choices, with_durations};
use super::relaxation::check_relaxation;
use super::{bound_broken, is_consistent, shape, strong_until, times};
use crate::plan::{
    Conflict, Level, LevelFinding, Range, Relaxation, Robustness, Schedule, Simulation,
    StrongFinding, Undecided, Verdict,
};
use crate::problem::Network;
use anytime::{Fault, Path, Pulse, Stop, element, fault, time};

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
pub fn finding(network: &Network, finding: &StrongFinding) -> Result<Undecided, Vec<Fault>> {
    finding_until(network, finding, &Pulse::unbounded()).expect("nothing stops it")
}

/// The same.
///
/// # Errors
/// When stopped.
pub(crate) fn finding_until(
    network: &Network,
    finding: &StrongFinding,
    pulse: &Pulse,
) -> Result<Result<Undecided, Vec<Fault>>, Stop> {
    let mut broken = Vec::new();
    Claim {
        level: Level::Strong,
        verdict: finding.verdict,
        schedule: finding.schedule.as_ref(),
        ranges: &finding.ranges,
        conflict: finding.conflict.as_ref(),
        relaxations: &finding.relaxations,
    }
    .check(network, &mut broken, pulse)?;
    check_robustness(finding.verdict, finding.robustness, &mut broken);
    check_simulations(finding, &mut broken);
    Ok(super::unless_broken(broken, || finding.undecided()))
}

/// Questions that answers leave open: see [`finding`]. Dispatch is played against a few choices of
/// durations, early and late.
///
/// # Errors
/// All claims that are false.
pub fn levels(network: &Network, findings: &[LevelFinding]) -> Result<Undecided, Vec<Fault>> {
    levels_until(network, findings, &Pulse::unbounded()).expect("nothing stops it")
}

/// The same.
///
/// # Errors
/// When stopped.
pub(crate) fn levels_until(
    network: &Network,
    findings: &[LevelFinding],
    pulse: &Pulse,
) -> Result<Result<Undecided, Vec<Fault>>, Stop> {
    let mut broken = Vec::new();
    for (index, one) in findings.iter().enumerate() {
        let level = one.level;
        if findings[..index].iter().any(|other| other.level == level) {
            let all = Path::root("findings");
            let level = format!("{level:?}");
            let fault = fault!("LEVEL_TWICE", all.index(index), "is about {} again", level);
            broken.push(fault);
        }
        Claim {
            level,
            verdict: one.verdict,
            schedule: one.schedule.as_ref(),
            ranges: &one.ranges,
            conflict: one.conflict.as_ref(),
            relaxations: &one.relaxations,
        }
        .check(network, &mut broken, pulse)?;
        let held = one.verdict == Verdict::Holds && level == Level::Dynamic;
        match &one.dispatch {
            Some(dispatch) if held => broken.extend(dispatch::broken(network, dispatch)),
            Some(_) => broken.push(not_expected("dispatch")),
            None if held => broken.push(missing("dispatch")),
            None => {}
        }
    }
    check_implications(findings, &mut broken);
    let open = || findings.iter().map(LevelFinding::undecided).sum();
    Ok(super::unless_broken(broken, open))
}

/// What holds at one level holds at each weaker one.
fn check_implications(findings: &[LevelFinding], broken: &mut Vec<Fault>) {
    for strong in findings.iter().filter(|one| one.verdict == Verdict::Holds) {
        for weak in findings.iter().filter(|one| one.verdict == Verdict::Fails) {
            if weak.level < strong.level {
                let [stronger, weaker] = [strong, weak].map(|one| format!("{:?}", one.level));
                broken.push(fault!(
                    "LEVELS_CONTRADICT",
                    Path::root("findings"),
                    "contradict each other: {} holds, but {} fails",
                    stronger,
                    weaker
                ));
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
    fn check(&self, network: &Network, broken: &mut Vec<Fault>, pulse: &Pulse) -> Result<(), Stop> {
        if network.has_teammates() && matches!(self.level, Level::Weak | Level::Dynamic) {
            broken.push(not_expected("level"));
            return Ok(());
        }
        if self.verdict != Verdict::Holds && !self.ranges.is_empty() {
            broken.push(not_expected("ranges"));
        }
        if self.verdict != Verdict::Fails {
            if self.conflict.is_some() {
                broken.push(not_expected("conflict"));
            }
            if !self.relaxations.is_empty() {
                broken.push(not_expected("relaxations"));
            }
        }
        match self.verdict {
            Verdict::Holds => self.check_witness(network, broken, pulse)?,
            Verdict::Fails | Verdict::Unknown => {
                let is_wrong = match self.schedule {
                    Some(_) if self.level != Level::Strong => true,
                    Some(schedule) => strong_until(network, schedule, pulse)?.is_ok(),
                    None => false,
                };
                if is_wrong {
                    broken.push(not_expected("plan"));
                }
            }
        }
        if let Some(conflict) = self.conflict.filter(|_| self.verdict == Verdict::Fails) {
            broken.extend(check_conflict(network, self.level, conflict, pulse)?);
        }
        for (index, one) in self.relaxations.iter().enumerate() {
            pulse.check()?;
            check_relaxation(network, index, one, broken);
        }
        Ok(())
    }

    fn check_witness(
        &self,
        network: &Network,
        broken: &mut Vec<Fault>,
        pulse: &Pulse,
    ) -> Result<(), Stop> {
        match (self.level, self.schedule) {
            (Level::Consistent | Level::Strong, None) => {
                broken.push(missing("plan"));
            }
            (Level::Consistent, Some(schedule)) => check_times(network, schedule, broken),
            (Level::Strong, Some(schedule)) => match strong_until(network, schedule, pulse)? {
                Ok(ranges) => self.check_ranges(&ranges, broken),
                Err(more) => broken.extend(more),
            },
            (Level::Weak | Level::Dynamic, Some(_)) => {
                broken.push(not_expected("plan"));
            }
            (Level::Weak | Level::Dynamic, None) => {
                for fixed in some_choices(network) {
                    if !is_consistent(&fixed, pulse)? {
                        broken.push(fault!(
                            "DURATIONS_FAIL",
                            Path::root("verdict"),
                            "is wrong: there are durations for which nothing works"
                        ));
                        break;
                    }
                }
            }
        }
        if self.level != Level::Strong && !self.ranges.is_empty() {
            broken.push(not_expected("ranges"));
        }
        Ok(())
    }

    fn check_ranges(&self, found: &[Range], broken: &mut Vec<Fault>) {
        let (given, expected) = (self.ranges.len(), found.len());
        if given != expected {
            broken.push(shape(&Path::root("ranges"), given, expected));
        }
        for (node, (claimed, found)) in self.ranges.iter().zip(found).enumerate() {
            if claimed != found {
                let [earliest, latest] = [claimed.earliest_us, claimed.latest_us].map(time);
                broken.push(fault!(
                    "RANGE_WRONG",
                    Path::root("ranges").index(node),
                    "claims {} to {} for {}, which does not follow from the schedule",
                    earliest,
                    latest,
                    element("node", node)
                ));
            }
        }
    }
}

/// Checks times of all nodes against all bounds.
fn check_times(network: &Network, schedule: &Schedule, broken: &mut Vec<Fault>) {
    if let Err(more) = times(network, schedule, |_| true) {
        broken.extend(more);
        return;
    }
    let at = |node: usize| schedule.times_us[node].expect("every node has a time");
    for bound in network.bounds() {
        let worst_us = at(bound.to) - at(bound.from);
        if worst_us > bound.weight_us {
            broken.push(bound_broken(
                bound.from,
                bound.to,
                worst_us,
                bound.weight_us,
            ));
        }
    }
}

/// Checks that a conflict proves the failure of its level.
fn check_conflict(
    network: &Network,
    level: Level,
    conflict: &Conflict,
    pulse: &Pulse,
) -> Result<Vec<Fault>, Stop> {
    let mut broken = Vec::new();
    let question = match level {
        Level::Consistent | Level::Weak => Question::Consistency,
        Level::Strong if network.has_teammates() => Question::StrongTeammates,
        Level::Strong => Question::StrongNature,
        Level::Dynamic => Question::Dynamic,
    };
    if level != Level::Weak {
        if !conflict.durations_us.is_empty() {
            broken.push(not_expected("durations"));
        }
        broken.extend(check_members(network, question, conflict, pulse)?);
        broken.extend(check_candidate(network, conflict));
        return Ok(broken);
    }
    match with_durations(network, &conflict.durations_us) {
        Err(violation) => broken.push(violation),
        Ok(fixed) if is_consistent(&fixed, pulse)? => broken.push(fault!(
            "DURATIONS_WORK",
            Path::root("conflict").field("durations"),
            "leave the network consistent"
        )),
        Ok(fixed) if !conflict.members.is_empty() => {
            broken.extend(check_members(&fixed, question, conflict, pulse)?);
        }
        Ok(_) => {}
    }
    Ok(broken)
}

fn check_robustness(verdict: Verdict, given: Option<Robustness>, broken: &mut Vec<Fault>) {
    let Some(Robustness {
        slack_us,
        factor_64ths,
    }) = given
    else {
        return;
    };
    if verdict != Verdict::Holds {
        broken.push(not_expected("robustness"));
    }
    // A factor of 1 to 16.
    if slack_us < 0 || factor_64ths.is_some_and(|factor| !(64..=16 * 64).contains(&factor)) {
        let at = Path::root("robustness");
        let fault = fault!("ROBUSTNESS_WRONG", at, "has a number that cannot be");
        broken.push(fault);
    }
}

/// A schedule that works always succeeds.
fn check_simulations(finding: &StrongFinding, broken: &mut Vec<Fault>) {
    for (index, one) in finding.simulations.iter().enumerate() {
        let Simulation {
            model,
            runs,
            successes,
        } = *one;
        let before = &finding.simulations[..index];
        let again = before.iter().any(|other| other.model == model);
        if finding.schedule.is_none() || again {
            broken.push(not_expected("simulations"));
        }
        let all = finding.verdict == Verdict::Holds;
        if successes > runs || all && successes < runs {
            broken.push(fault!(
                "SIMULATION_WRONG",
                Path::root("simulations").index(index),
                "has {} successes in {} runs, which cannot be",
                successes,
                runs
            ));
        }
    }
}

/// A part that belongs to the verdict and is not there.
fn missing(part: &'static str) -> Fault {
    fault!(
        "MISSING",
        Path::root(part),
        "belongs to the verdict, but is missing"
    )
}

/// A part that does not belong to the verdict.
fn not_expected(part: &'static str) -> Fault {
    fault!(
        "NOT_EXPECTED",
        Path::root(part),
        "does not belong to the verdict"
    )
}
