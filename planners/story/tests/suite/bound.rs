//! Certificates of bounds, and their check.

use crate::oracle::{best_of_all, far};
use crate::quarrel;
use crate::searched;
use anytime::Limits;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;
use std::sync::atomic::{AtomicUsize, Ordering};
use story::certificate::{Case, Landmark};
use story::{Caps, Certificate, Cost, Params, Problem, Strategy as Way, certify, verify_bound};

const LEAVES_MAX: usize = 2_000_000;

fn certified(problem: &Problem, caps: Caps, below: Option<Cost>) -> Certificate {
    certify(problem, caps, below, &mut || true).expect("small")
}

/// What the search proves, and what it finds.
fn searched(problem: &Problem, iterations: u64) -> (Option<Cost>, Option<Cost>) {
    let params = Params {
        strategy: Way::Optimal,
        ..Params::default()
    };
    let found = searched::searched(problem, &params, Limits::iterations(iterations), 1);
    (found.bound(), found.cost())
}

/// Spoils a certificate somewhere.
fn spoil(certificate: &mut Certificate, rng: &mut Rng) {
    let at = rng.random_range(0..certificate.cases.len());
    match rng.random_range(0..8) {
        0 => drop(certificate.cases.remove(at)),
        1 => certificate.cases[at].goals.fill(None),
        2 => {
            let asked = &mut certificate.cases[at].goals;
            let goal = rng.random_range(0..asked.len());
            asked[goal] = Some(rng.random_range(0..2) == 0);
        }
        3 => certificate.cases[at].landmarks.push(Landmark::default()),
        4 => certificate.limit = 1 << rng.random_range(0..63),
        _ => {
            let case = &mut certificate.cases[at];
            let (landmarks, occasions) = (case.landmarks.len(), case.occasions.len());
            if landmarks == 0 || occasions == 0 {
                return;
            }
            let landmark = rng.random_range(0..landmarks);
            match rng.random_range(0..4) {
                0 => case.landmarks[landmark].cost += 1 << rng.random_range(0..58),
                1 => drop(case.landmarks[landmark].occasions.pop()),
                2 => drop(
                    case.occasions[rng.random_range(0..occasions)]
                        .conditions
                        .pop(),
                ),
                _ => {
                    let again = case.landmarks[landmark].clone();
                    case.landmarks.push(again);
                }
            }
        }
    }
}

static PROVED: AtomicUsize = AtomicUsize::new(0);
static REFUSED: AtomicUsize = AtomicUsize::new(0);
/// Optima claimed after a search, and those of which the certificate of the start proves as much.
static CLAIMED: AtomicUsize = AtomicUsize::new(0);
static CERTIFIED: AtomicUsize = AtomicUsize::new(0);

proptest! {
    fn check(
        seed: u64,
        actions_max in 2..6_usize,
        tiny in 1..8_usize,
        is_tiny: bool,
        is_below: bool,
    ) {
        let Some(spec) = far(seed, actions_max) else {
            return Ok(());
        };
        let problem = Problem::new(&spec).expect("good");
        let caps = if is_tiny {
Caps { values: tiny, choices: tiny, leaves: tiny, contexts: tiny, ..Caps::default() }
} else {
Caps::default()
};
        let (first, found) = searched(&problem, 2);
        let mut certificate = certified(&problem, caps, if is_below { found } else { None });
        let bound = verify_bound(&problem, &certificate, LEAVES_MAX);
        prop_assert!(matches!(bound, Ok(Some(_))), "{:?}", bound);
        let bound = bound.expect("asserted").expect("asserted");
        if !is_tiny && is_below {
            prop_assert!(
                first.is_none_or(|first| first <= bound),
                "{first:?} is claimed, and {bound:?} proved"
            );
            let last = searched(&problem, 20_000);
            let claimed = last.0.is_some_and(|claimed| Some(claimed) == last.1);
            let whole = certified(&problem, caps, last.1);
            let whole = verify_bound(&problem, &whole, LEAVES_MAX).expect("as before");
            CLAIMED.fetch_add(usize::from(claimed), Ordering::Relaxed);
            CERTIFIED.fetch_add(usize::from(claimed && whole == last.0), Ordering::Relaxed);
        }
        let Some(best) = best_of_all(&problem).map(Cost::of_score) else {
            return Ok(());
        };
        prop_assert!(bound <= best, "{bound:?} {best:?}");
        PROVED.fetch_add(usize::from(bound.loss_pico > 0), Ordering::Relaxed);
        let mut rng = Rng::seed_from_u64(seed);
        for _ in 0..4 {
            spoil(&mut certificate, &mut rng);
            match verify_bound(&problem, &certificate, LEAVES_MAX) {
                Ok(Some(bound)) => {
                    prop_assert!(bound <= best, "a spoilt certificate: {bound:?} {best:?}");
                }
                Ok(None) | Err(_) => drop(REFUSED.fetch_add(1, Ordering::Relaxed)),
            }
            if certificate.cases.is_empty() {
                break;
            }
        }
    }
}

/// Every certificate passes the check, proves at least what the search claims at its start, and no
/// more than the best story leaves; and each certificate that passes, spoilt ones too, proves no
/// more than that.
#[test]
fn certificates_pass_their_check_and_no_false_one_does() {
    check();
    let (proved, refused) = (
        PROVED.load(Ordering::Relaxed),
        REFUSED.load(Ordering::Relaxed),
    );
    assert!(proved > 50 && refused > 100, "{proved} {refused}");
    let (claimed, certified) = (
        CLAIMED.load(Ordering::Relaxed),
        CERTIFIED.load(Ordering::Relaxed),
    );
    println!("{certified} of {claimed} optima are certified");
    assert!(
        2 * certified > claimed && claimed > 20,
        "{certified} of {claimed}"
    );
}

#[test]
fn each_kind_of_mistake_is_found() {
    let spec = quarrel();
    let problem = Problem::new(&spec).expect("good");
    let good = certified(&problem, Caps::default(), None);
    let check = |certificate: &Certificate| {
        let bound = verify_bound(&problem, certificate, LEAVES_MAX);
        bound.map(|bound| bound.expect("few combinations"))
    };
    assert!(check(&good).expect("sound").loss_pico > 0);
    let spoilt = |how: &dyn Fn(&mut Case)| {
        let mut certificate = good.clone();
        let mut cases = certificate.cases.iter_mut();
        how(cases
            .find(|case| case.landmarks.len() > 1)
            .expect("a case with landmarks"));
        check(&certificate).unwrap_err().to_string()
    };
    let wrong = spoilt(&|case| case.landmarks[0].cost += 1_000_000_000_000_000);
    assert!(wrong.ends_with("pay more than it costs"), "{wrong}");
    let wrong = spoilt(&|case| case.landmarks[0].occasions.truncate(1));
    assert!(
        wrong.ends_with("is none: a story of the case may do without it"),
        "{wrong}"
    );
    let wrong = spoilt(&|case| case.landmarks.push(Landmark::default()));
    assert!(
        wrong.ends_with("is none: a story of the case may do without it"),
        "{wrong}"
    );
    let wrong = spoilt(&|case| case.landmarks[0].occasions.push(usize::MAX));
    assert!(
        wrong.ends_with("has indices out of range, or costs below 0"),
        "{wrong}"
    );
    let mut fewer = good.clone();
    fewer.cases.pop();
    let wrong = check(&fewer).unwrap_err().to_string();
    assert_eq!(wrong, "cases lack some end of a story");
    // A limit is a bound only where it is proved up to there, and never more than the limit.
    let limited = Certificate {
        limit: 1_000,
        ..good.clone()
    };
    assert_eq!(check(&limited).expect("sound").loss_pico, 1);
    let small = verify_bound(&problem, &good, 10);
    assert_eq!(small, Ok(None));
}
