//! Believabilities of actions, and probabilities of places at the start (section 5.8.6).

use crate::{Class, Learned};

/// Numbers by word and action, or by word and place.
#[derive(Debug, Clone, PartialEq)]
pub struct Believabilities {
    /// Indices of words, one for each row.
    pub words: Vec<usize>,
    /// Rows of believabilities in [0, 1], with a column for each kind of actions, or of
    /// probabilities, with a column for each place.
    pub rows: Vec<Vec<f64>>,
    /// What is believed of any other word, one for each column.
    pub others: Vec<f64>,
}

impl Learned {
    /// The words of a class for which there is most evidence, in that order.
    #[must_use]
    pub fn chosen(&self, class: Class, count_max: usize) -> Vec<usize> {
        let is = |at: &usize| self.words[*at].class == class && self.words[*at].decided.is_some();
        let all = (0..self.words.len()).filter(is);
        all.take(count_max).collect()
    }

    /// How believable the actions are with these words: B(i, j) = (I(i, j) + c / 2) / (max
    /// I(:, j) + c), where I counts the sentences of action j that have word i.
    ///
    /// Equation 5.10 divides by the maximum, so that every action has an actor with believability
    /// 1, even if it was seen once. The pseudo-count c keeps what was seen little near 1/2.
    #[must_use]
    pub fn believabilities(&self, words: &[usize], pseudo_count: f64) -> Believabilities {
        let mut counts = vec![vec![0.0; self.kinds.len()]; words.len()];
        for sentence in &self.found {
            for (row, &word) in counts.iter_mut().zip(words) {
                if sentence.words.contains(&(word as u32)) {
                    row[sentence.kind] += 1.0;
                }
            }
        }
        let highest = |kind: usize| counts.iter().map(|row| row[kind]).fold(0.0, f64::max);
        let highest: Vec<f64> = (0..self.kinds.len()).map(highest).collect();
        let believe = |count: f64, highest: f64| {
            let weight = highest + pseudo_count;
            if weight > 0.0 {
                ((count + pseudo_count / 2.0) / weight).min(1.0)
            } else {
                0.5
            }
        };
        for row in &mut counts {
            for (number, &highest) in row.iter_mut().zip(&highest) {
                *number = believe(*number, highest);
            }
        }
        Believabilities {
            words: words.to_vec(),
            rows: counts,
            others: highest.iter().map(|&h| believe(0.0, h)).collect(),
        }
    }

    /// How likely these words are at these places at the start: how often they share a sentence,
    /// plus `pseudo_count` for each place.
    #[must_use]
    pub fn places(&self, words: &[usize], places: &[usize], pseudo_count: f64) -> Believabilities {
        let mut rows = vec![vec![pseudo_count; places.len()]; words.len()];
        for sentence in &self.found {
            let has = |word: usize| sentence.words.contains(&(word as u32));
            for (column, &place) in places.iter().enumerate().filter(|(_, p)| has(**p)) {
                for (row, &word) in rows.iter_mut().zip(words) {
                    row[column] += f64::from(u8::from(word != place && has(word)));
                }
            }
        }
        let even = 1.0 / places.len().max(1) as f64;
        for row in &mut rows {
            let sum: f64 = row.iter().sum();
            for number in row {
                *number = if sum > 0.0 { *number / sum } else { even };
            }
        }
        Believabilities {
            words: words.to_vec(),
            rows,
            others: vec![even; places.len()],
        }
    }
}
