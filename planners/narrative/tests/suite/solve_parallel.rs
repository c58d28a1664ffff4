//! Groups that play side by side, each with a choice of its own that the other does not see.

use crate::searched;
use crate::verify_stories::{lasts, ours};
use anytime::{Conclusion, Stop};
use narrative::plan::{Undecided, UndecidedReason};
use narrative::problem::{Link, Spec};
use narrative::solve::Params;
use narrative::{Answer, Narrative};

/// A search of 1 to 10 s, then the short path (2 s, over `soon` s or later after the beginning) or
/// the long one (8 s, over `late` s or earlier): the short one suits searches of `soon` - 2 s and
/// longer, the long one those up to `late` - 8 s.
fn group(first: usize, soon: i64, late: i64, spec: &mut Spec) {
    let [begin, found, short, long] = [first, first + 1, first + 2, first + 3];
    let mut link = |from, to, lower_us: Option<i64>, upper_us: Option<i64>| {
        spec.links.push(Link::new(from, to, lower_us, upper_us));
    };
    link(0, begin, Some(0), Some(0));
    link(found, short, Some(2), Some(2));
    link(begin, short, Some(soon), None);
    link(found, long, Some(8), Some(8));
    link(begin, long, None, Some(late));
    spec.contingent.push(lasts(begin, found, 1, 10));
    spec.choices.push(ours(&[&[short], &[long]]));
    spec.events += 4;
}

fn concluded(spec: Spec) -> (Option<Answer>, Conclusion) {
    let narrative = Narrative::new(spec).expect("the story is valid");
    searched::concluded(&narrative, &Params::default(), 10_000)
}

fn story(groups: usize, times: (i64, i64)) -> Spec {
    let mut spec = Spec::default();
    for at in 0..groups {
        group(1 + 4 * at, times.0, times.1, &mut spec);
    }
    spec
}

#[test]
fn a_group_alone_takes_the_way_that_suits_its_search() {
    let (answer, conclusion) = concluded(story(1, (8, 14)));
    assert_eq!(conclusion, Conclusion::Optimal);
    assert!(matches!(answer, Some(Answer::Plan(_))));
}

#[test]
fn that_no_plan_of_our_kind_is_found_for_two_groups_is_no_proof() {
    let (answer, conclusion) = concluded(story(2, (8, 14)));
    assert_eq!(conclusion, Conclusion::Stopped(Stop::Exhausted));
    let open = Undecided {
        reason: UndecidedReason::Narrow,
        combinations_tried: 4,
        combinations: 4,
    };
    assert_eq!(answer, Some(Answer::Undecided(open)));
}

#[test]
fn that_a_search_suits_no_way_is_a_proof_for_two_groups_too() {
    // Neither way suits a search of 7 s.
    for groups in [1, 2] {
        let (answer, conclusion) = concluded(story(groups, (10, 14)));
        assert_eq!(conclusion, Conclusion::Infeasible, "{groups}");
        assert!(matches!(answer, Some(Answer::Infeasible { .. })));
    }
}

#[test]
fn a_group_that_waits_for_the_other_knows_what_it_has_seen() {
    // The second begins when the first has found what it looked for.
    let mut spec = story(2, (8, 14));
    spec.links.retain(|link| (link.from, link.to) != (0, 5));
    spec.links.push(Link::new(2, 5, 0, None));
    let (answer, conclusion) = concluded(spec);
    assert_eq!(conclusion, Conclusion::Optimal);
    assert!(matches!(answer, Some(Answer::Plan(plan)) if plan.policies.len() >= 4));
}
