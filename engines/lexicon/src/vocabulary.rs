//! The words that are looked for.

use crate::Text;
use anytime::Fault;
use std::collections::BTreeSet;

/// Words in small letters, by alphabet, each once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vocabulary(Vec<String>);

impl Vocabulary {
    /// All nouns of a text: as they are written, and their lemmas.
    ///
    /// # Errors
    /// As [`Text::push`].
    pub fn of_text(text: &[u8]) -> Result<Self, Fault> {
        let mut words = BTreeSet::new();
        let mut look = |sentence: Vec<crate::Parts>| {
            for noun in sentence.into_iter().flat_map(|parts| parts.nouns) {
                words.extend(noun.lemma);
                words.insert(noun.form);
            }
            Ok(())
        };
        let mut reader = Text::default();
        reader.push(text, &mut look)?;
        reader.finish(&mut look)?;
        Ok(words.into_iter().collect())
    }

    /// The place of a word, if it is one of these.
    #[must_use]
    pub fn find(&self, word: &str) -> Option<usize> {
        let found = self.0.binary_search_by(|known| known.as_str().cmp(word));
        found.ok()
    }

    /// The words.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl FromIterator<String> for Vocabulary {
    fn from_iter<I: IntoIterator<Item = String>>(words: I) -> Self {
        let words: BTreeSet<String> = words.into_iter().collect();
        Self(words.into_iter().collect())
    }
}
