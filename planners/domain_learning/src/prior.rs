//! Prior probabilities of the classes of a word (section 5.8.2).

use crate::Word;
use anytime::math;
use lexicon::Counts;

/// Probabilities of the classes, in the order of [`Class::ALL`](crate::Class::ALL).
pub(crate) type Probabilities = [f64; 4];

/// c of Algorithm 6, for relations: Jeffreys' prior.
const RELATIONS_C: f64 = 0.5;
/// The same for WordNet, which is made by hand: less.
const WORDNET_C: f64 = 0.15;
/// What is mostly written as a name is somebody or somewhere.
const NAME: Probabilities = [0.4, 0.1, 0.4, 0.1];

/// How likely a name is what the word means: somebody called Bill is no bill, but the Rabbit is a
/// rabbit.
const MEANT: f64 = 0.3;

/// The prior of a word: the product of what is known. A word that nothing knows is anything.
pub(crate) fn prior(
    at: usize,
    word: &Word,
    relations: Option<&Counts>,
    wordnet: Option<&Counts>,
) -> Probabilities {
    let mut prior = [0.25; 4];
    for (counts, c) in [(relations, RELATIONS_C), (wordnet, WORDNET_C)] {
        if let Some(counts) = counts {
            let counts = counts[at].map(|count| count + c);
            prior = std::array::from_fn(|class| prior[class] * counts[class]);
        }
    }
    if word.is_name() {
        prior = normalized(prior).map(|known| MEANT * known + (1.0 - MEANT) / 4.0);
        prior = std::array::from_fn(|class| prior[class] * NAME[class]);
    }
    normalized(prior)
}

/// How often words of the classes are subjects, objects, after a preposition of place, and other.
/// Estimates, not counts.
const ROLES: [[f64; 4]; 4] = [
    [0.45, 0.15, 0.08, 0.32],
    [0.07, 0.40, 0.20, 0.33],
    [0.06, 0.12, 0.60, 0.22],
    [0.12, 0.24, 0.30, 0.34],
];
/// Most mentions of a word that count: they are not independent.
const MENTIONS_MAX: f64 = 4.0;

/// The same after a look at what the word does in its clauses.
pub(crate) fn with_roles(prior: Probabilities, word: &Word) -> Probabilities {
    let count: u32 = word.roles.iter().sum();
    let weight = (MENTIONS_MAX / f64::from(count.max(1))).min(1.0);
    normalized(std::array::from_fn(|class| {
        let each = ROLES[class].iter().zip(word.roles);
        let product = each.map(|(share, count)| math::pow(*share, weight * f64::from(count)));
        prior[class] * product.product::<f64>()
    }))
}

/// The same, with the sum 1.
pub(crate) fn normalized(numbers: Probabilities) -> Probabilities {
    let sum: f64 = numbers.iter().sum();
    if sum > 0.0 && sum.is_finite() {
        numbers.map(|number| number / sum)
    } else {
        [0.25; 4]
    }
}
