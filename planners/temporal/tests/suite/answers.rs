//! Whole answers, with all their details, against the independent check.

use crate::claims;
use crate::searched::{self, ALL, levels};
use anytime::Limits;
use temporal::generate::{Shape, Uncertain, teammates, tiny, tiny_uncertain, uncertain};
use temporal::plan::{Conflict, Level, MemberKind, Relaxation};
use temporal::problem::{Link, Source, Spec};
use temporal::{Detail, Network, Strategy, StrongFinding, StrongParams, Verdict};

fn asked(network: &Network, detail: Detail) -> StrongFinding {
    let params = StrongParams {
        strategy: Strategy::Auto,
        detail,
    };
    let found = searched::strong(network, &params, Limits::iterations(1_000_000));
    found.plan().expect("a finding is offered")
}

#[test]
fn two_hundred_failures_are_explained_by_true_and_minimal_conflicts() {
    let detail = Detail {
        relaxations_max: 0,
        robustness: false,
        ..Detail::default()
    };
    let mut explained = 0;
    for seed in 0_u64..5_000 {
        let tasks = 3 + usize::try_from(seed % 13).unwrap();
        let finding = asked(&teammates(seed, &Shape::paper(tasks)), detail);
        let Some(conflict) = finding.conflict else {
            assert_eq!(finding.verdict, Verdict::Holds);
            continue;
        };
        assert!(conflict.minimal && conflict.candidate.is_some());
        let obligation = |kind| matches!(kind, MemberKind::LateEnough | MemberKind::EarlyEnough);
        assert!(
            conflict
                .members
                .iter()
                .any(|member| obligation(member.kind))
        );
        explained += 1;
        if explained == 200 {
            return;
        }
    }
    panic!("only {explained} of 5,000 fail");
}

#[test]
fn answers_about_tiny_networks_are_true_in_every_detail() {
    let detail = Detail {
        simulation_runs: 3,
        ..Detail::default()
    };
    let mut seen = [0; 4];
    for seed in 0..600 {
        for network in [tiny(seed), tiny_uncertain(seed)] {
            let finding = asked(&network, detail);
            seen[0] += usize::from(finding.robustness.is_some());
            seen[1] += usize::from(finding.conflict.is_some_and(|conflict| conflict.minimal));
            seen[2] += finding.relaxations.len();
            if finding.verdict == Verdict::Holds {
                assert_eq!(finding.simulations.len(), 2);
                assert!(
                    finding
                        .simulations
                        .iter()
                        .all(|one| one.successes == one.runs)
                );
                seen[3] += 1;
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
}

#[test]
fn answers_about_all_levels_are_true_in_every_detail() {
    let mut dispatched = 0;
    for seed in 0..300 {
        for found in levels(&tiny_uncertain(seed), &ALL) {
            dispatched += usize::from(found.dispatch.is_some());
        }
    }
    for seed in 0..40 {
        let shape = Uncertain {
            ours: 8,
            contingent: 4,
            links: 20,
            chained_percent: 25,
            slack_s: 10,
        };
        for found in levels(&uncertain(seed, &shape), &ALL) {
            dispatched += usize::from(found.dispatch.is_some());
        }
        levels(&tiny(seed), &[Level::Consistent, Level::Strong]);
    }
    assert!(dispatched > 50, "{dispatched}");
}

/// The network with all durations, but of the requirements only those bounds that a conflict names.
fn narrowed(network: &Network, conflict: &Conflict) -> Spec {
    let given = network.spec();
    let link = |source: &Source| {
        let (at, upper) = match *source {
            Source::LinkUpper(at) => (at, true),
            Source::LinkLower(at) => (at, false),
            _ => return None,
        };
        let mut link: Link = given.links[at];
        if upper {
            link.lower_us = None;
        } else {
            link.upper_us = None;
        }
        Some(link)
    };
    let sources = conflict.members.iter().flat_map(|member| &member.sources);
    Spec {
        links: sources.filter_map(link).collect(),
        horizon_us: None,
        ..given.clone()
    }
}

fn holds(spec: Spec) -> bool {
    let network = Network::new(spec).expect("a part of a network makes sense");
    asked(&network, Detail::NONE).verdict == Verdict::Holds
}

fn with_durations(seed: u64) -> Network {
    if seed.is_multiple_of(2) {
        tiny_uncertain(seed)
    } else {
        claims::with_durations(seed)
    }
}

/// A conflict about uncertain durations is called minimal only where no requirement in it can be
/// spared, and no duration that Nature picks.
#[test]
fn conflicts_about_fixed_times_and_durations_are_minimal_where_they_say_so() {
    let (mut minimal, mut left_out) = (0, [0, 0]);
    for seed in 0..600 {
        let network = with_durations(seed);
        let detail = Detail {
            relaxations_max: 0,
            robustness: false,
            ..Detail::default()
        };
        let Some(conflict) = asked(&network, detail).conflict else {
            continue;
        };
        let by_horizon = |source: &Source| matches!(source, Source::Horizon(_) | Source::Start(_));
        let horizon = conflict
            .members
            .iter()
            .flat_map(|member| &member.sources)
            .any(by_horizon);
        if !conflict.minimal || horizon {
            continue;
        }
        minimal += 1;
        let spec = narrowed(&network, &conflict);
        assert!(!holds(spec.clone()), "seed {seed}: {conflict:?}");
        for at in 0..spec.links.len() {
            let mut less = spec.clone();
            less.links.remove(at);
            assert!(
                holds(less),
                "seed {seed}: link {at} of {spec:?} is needless"
            );
            left_out[0] += 1;
        }
        for source in conflict.members.iter().flat_map(|member| &member.sources) {
            let mut less = spec.clone();
            match *source {
                Source::ContingentUpper(at) => {
                    less.contingent[at].upper_us = less.contingent[at].lower_us;
                }
                Source::ContingentLower(at) => {
                    less.contingent[at].lower_us = less.contingent[at].upper_us;
                }
                _ => continue,
            }
            assert!(
                holds(less),
                "seed {seed}: {source:?} of {conflict:?} is needless"
            );
            left_out[1] += 1;
        }
    }
    assert!(
        minimal > 100 && left_out.iter().all(|count| *count > 100),
        "{minimal} {left_out:?}"
    );
}

/// The network after all changes of a relaxation.
pub(crate) fn relaxed(network: &Network, relaxation: &Relaxation) -> Spec {
    let mut spec = network.spec().clone();
    for change in &relaxation.changes {
        match change.source {
            Source::LinkUpper(at) => spec.links[at].upper_us = Some(change.new_us),
            Source::LinkLower(at) => spec.links[at].lower_us = Some(change.new_us),
            Source::ContingentUpper(at) => spec.contingent[at].upper_us = change.new_us,
            Source::ContingentLower(at) => spec.contingent[at].lower_us = change.new_us,
            Source::Horizon(_) | Source::Start(_) => panic!("these may not change"),
        }
    }
    spec
}

/// Failures of 6 to 30 events: every relaxation holds when it is solved again, those of several
/// bounds too, whose first change alone does not help.
#[test]
fn relaxations_hold_whether_they_change_one_bound_or_several() {
    let (mut single, mut several) = (0, 0);
    for seed in 0_u64..400 {
        let tasks = 3 + usize::try_from(seed % 13).unwrap();
        let network = teammates(seed, &Shape::paper(tasks));
        let finding = asked(&network, Detail::default());
        for relaxation in &finding.relaxations {
            assert!(
                holds(relaxed(&network, relaxation)),
                "seed {seed}: {relaxation:?}"
            );
            if let [_] = relaxation.changes[..] {
                single += 1;
                continue;
            }
            several += 1;
            let one = Relaxation {
                changes: relaxation.changes[..1].to_vec(),
            };
            assert!(
                !holds(relaxed(&network, &one)),
                "seed {seed}: {relaxation:?}"
            );
        }
    }
    assert!(single > 20 && several > 5, "{single} {several}");
}
