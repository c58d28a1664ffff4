//! Asking which of two levels is harder: which pairs next, and what was said.

use stratagem_proto::v1::PuzzleComparison;

/// What a player says about two levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// The first one is harder.
    First,
    /// The second one is.
    Second,
    /// Neither.
    Same,
    /// No idea.
    Skip,
    /// The last answer was wrong.
    TakeBack,
    /// The first one is to be played before anything is said.
    PlayFirst,
    /// The second one is.
    PlaySecond,
    /// No more questions.
    Enough,
}

impl Said {
    /// What a letter means.
    #[must_use]
    pub fn of_letter(letter: char) -> Option<Self> {
        match letter {
            'a' | 'A' => Some(Self::First),
            'b' | 'B' => Some(Self::Second),
            '=' => Some(Self::Same),
            's' | 'S' => Some(Self::Skip),
            'u' | 'U' => Some(Self::TakeBack),
            '1' => Some(Self::PlayFirst),
            '2' => Some(Self::PlaySecond),
            'q' | 'Q' => Some(Self::Enough),
            _ => None,
        }
    }
}

/// Questions and answers.
#[derive(Debug, Clone)]
pub struct Survey {
    ids: Vec<String>,
    /// Answers about levels that are not here: they are kept, but not rated.
    others: Vec<PuzzleComparison>,
    /// First and second level, and what was said of them.
    answers: Vec<(usize, usize, Said)>,
    seed: u64,
}

impl Survey {
    /// About levels with these ids, with what was said before.
    #[must_use]
    pub fn new(ids: Vec<String>, before: &[PuzzleComparison], seed: i64) -> Self {
        let mut survey = Self {
            ids,
            others: Vec::new(),
            answers: Vec::new(),
            seed: seed.cast_unsigned(),
        };
        for comparison in before {
            let find = |id: &str| survey.ids.iter().position(|other| other == id);
            match (find(&comparison.harder_id), find(&comparison.easier_id)) {
                (Some(harder), Some(easier)) if harder != easier => {
                    let said = if comparison.draw {
                        Said::Same
                    } else {
                        Said::First
                    };
                    survey.answers.push((harder, easier, said));
                }
                _ => survey.others.push(comparison.clone()),
            }
        }
        survey
    }

    /// The next two levels to compare: the pair compared least, then whose levels were compared
    /// least, then by the seed; none for fewer than two levels.
    #[must_use]
    pub fn next(&self) -> Option<(usize, usize)> {
        let count = self.ids.len();
        let mut pairs = vec![0_u32; count * count];
        let mut each = vec![0_u32; count];
        for &(first, second, _) in &self.answers {
            pairs[first * count + second] += 1;
            pairs[second * count + first] += 1;
            each[first] += 1;
            each[second] += 1;
        }
        let all = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
        let pair = all.min_by_key(|&(one, other)| {
            let asked = pairs[one * count + other];
            (asked, each[one] + each[other], self.random(one, other))
        })?;
        // Neither side is always the easier one of a set that rises.
        Some(match self.random(pair.1, pair.0) % 2 {
            0 => pair,
            _ => (pair.1, pair.0),
        })
    }

    /// Takes an answer.
    pub fn say(&mut self, first: usize, second: usize, said: Said) {
        self.answers.push((first, second, said));
    }

    /// Forgets the last answer.
    pub fn take_back(&mut self) {
        self.answers.pop();
    }

    /// What was said about levels that are here, for the server.
    #[must_use]
    pub fn comparisons(&self) -> Vec<PuzzleComparison> {
        let comparison = |&(first, second, said): &(usize, usize, Said)| {
            let (harder, easier) = match said {
                Said::First | Said::Same => (first, second),
                Said::Second => (second, first),
                _ => return None,
            };
            Some(PuzzleComparison {
                harder_id: self.ids[harder].clone(),
                easier_id: self.ids[easier].clone(),
                draw: said == Said::Same,
            })
        };
        self.answers.iter().filter_map(comparison).collect()
    }

    /// The same, with answers about levels that are not here: for the file.
    #[must_use]
    pub fn all_comparisons(&self) -> Vec<PuzzleComparison> {
        let mut all = self.others.clone();
        all.extend(self.comparisons());
        all
    }

    /// A number that looks like chance: splitmix64 of the seed and both levels.
    fn random(&self, one: usize, other: usize) -> u64 {
        let mixed = ((one as u64) << 32) ^ other as u64;
        let mut z = (self.seed ^ mixed).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
