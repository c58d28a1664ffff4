use super::*;
use crate::generate::{Shape, spec};
use proptest::prelude::*;

/// Levels of one term each, after the tasks left out.
fn scale(seed: u64, terms: &[Term]) -> Scale {
    let mut spec = spec(seed, &Shape::coupled(8, 2));
    let levels = [Term::Unserved].iter().chain(terms);
    let level = |term: &Term| Level {
        terms: vec![(*term, 1)],
    };
    spec.objective = levels.map(level).collect();
    Scale::new(&Problem::new(spec).expect("the problem is valid"))
}

/// The continuous weights, in the order of `warm`.
fn weights(scale: &Scale) -> [f64; 5] {
    let Scale {
        travel,
        makespan,
        lateness,
        preferences,
        balance,
        ..
    } = *scale;
    [travel, makespan, lateness, preferences, balance]
}

/// The continuous terms, in the order of `warm`.
const TERMS: [Term; 5] = [
    Term::TravelCost,
    Term::Makespan,
    Term::Lateness,
    Term::Preferences,
    Term::Balance,
];

#[test]
fn a_level_outweighs_the_next_one_by_a_factor_of_two_for_each_doubling() {
    let full = scale(1, &[Term::Makespan, Term::Balance]);
    let price = |doublings| {
        let scale = full.softened(doublings);
        scale.makespan / scale.balance
    };
    // Both terms have the same range.
    assert_eq!([0.0, 1.0, 3.0].map(price), [1.0, 2.0, 8.0]);
    assert_eq!(price(1_000.0), full.makespan / full.balance);
}

proptest! {
    #[test]
    fn softened_weights_rise_to_the_full_ones(
        seed: u64,
        levels in Just(TERMS.to_vec()).prop_shuffle(),
        count in 1_usize..=5,
        doublings in prop::array::uniform2(0.0..40.0),
    ) {
        let levels = &levels[..count];
        let full = scale(seed, levels);
        let [few, many] = [0, 1].map(|one| full.softened(doublings[one]));
        let (few, many) = if doublings[0] < doublings[1] {
(few, many)
} else {
(many, few)
};
        for (index, term) in TERMS.iter().enumerate() {
            let [few, many, full] = [&few, &many, &full].map(|scale| weights(scale)[index]);
            prop_assert!(few <= many && many <= full, "{few} {many} {full}");
            prop_assert_eq!(few > 0.0, levels.contains(term));
            if levels.last() == Some(term) {
                prop_assert_eq!(few, full);
            }
        }
        for scale in [few, many] {
            prop_assert_eq!((scale.unserved, scale.drop), (full.unserved, full.drop));
            prop_assert_eq!((scale.agents, scale.moved), (full.agents, full.moved));
        }
        prop_assert_eq!(weights(&full.softened(1_000.0)), weights(&full));
    }
}
