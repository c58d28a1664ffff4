//! The corpus: what learning retains of a text.

use crate::{ActionKind, FORMS_MAX};
use lexicon::{Noun, Vocabulary};
use std::collections::BTreeMap;

/// Nouns as they are written, until all of the text is known.
#[derive(Default)]
pub(crate) struct Forms {
    by_text: BTreeMap<String, u32>,
    forms: Vec<Form>,
}

#[derive(Default)]
struct Form {
    /// The form that its lemma is.
    lemma: Option<u32>,
    count: u32,
    names: u32,
    plain: u32,
    roles: [u32; 4],
}

impl Forms {
    /// Counts a noun; its index. None: there are too many different ones.
    pub(crate) fn count(&mut self, noun: &Noun) -> Option<u32> {
        let form = self.index(&noun.form)?;
        if let Some(lemma) = &noun.lemma {
            let lemma = self.index(lemma)?;
            // The first counts, whatever the tagger says later.
            self.forms[form as usize].lemma.get_or_insert(lemma);
        }
        let found = &mut self.forms[form as usize];
        found.count = found.count.saturating_add(1);
        let role = &mut found.roles[noun.role as usize];
        *role = role.saturating_add(1);
        match noun.is_name {
            Some(true) => found.names = found.names.saturating_add(1),
            Some(false) => found.plain = found.plain.saturating_add(1),
            None => {}
        }
        Some(form)
    }

    fn index(&mut self, text: &str) -> Option<u32> {
        if let Some(&index) = self.by_text.get(text) {
            return Some(index);
        }
        if self.forms.len() >= FORMS_MAX {
            return None;
        }
        let index = self.forms.len() as u32;
        self.by_text.insert(text.to_owned(), index);
        self.forms.push(Form::default());
        Some(index)
    }
}

/// A sentence about an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// Index of the kind of action.
    pub(crate) kind: usize,
    /// Indices of its nouns, each once.
    pub(crate) words: Vec<u32>,
}

/// A word of the vocabulary V.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Its lemma, in small letters.
    pub text: String,
    /// How often it is in the text.
    pub count: u32,
    /// How often it is written as a name within a sentence.
    pub names: u32,
    /// How often it is not. Words that begin a sentence are not counted.
    pub plain: u32,
    /// In how many sentences about actions it is.
    pub with_actions: u32,
    /// How often it is the subject of a verb, the object of one, after a preposition of place, and
    /// other.
    pub roles: [u32; 4],
}

impl Word {
    fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            count: 0,
            names: 0,
            plain: 0,
            with_actions: 0,
            roles: [0; 4],
        }
    }

    /// Counts it more often.
    pub(crate) fn add(&mut self, count: u32, roles: [u32; 4], names: u32, plain: u32) {
        self.count = self.count.saturating_add(count);
        for (mine, more) in self.roles.iter_mut().zip(roles) {
            *mine = mine.saturating_add(more);
        }
        self.names = self.names.saturating_add(names);
        self.plain = self.plain.saturating_add(plain);
    }

    /// Whether it is mostly written as a name; or begins sentences only, as the subject of a verb.
    #[must_use]
    pub fn is_name(&self) -> bool {
        self.names > self.plain || (self.names + self.plain == 0 && self.roles[0] > 0)
    }

    /// F of equation 5.8: how much of it is in sentences about actions, in [0, 1].
    #[must_use]
    pub(crate) fn ratio(&self) -> f64 {
        f64::from(self.with_actions.min(self.count)) / f64::from(self.count.max(1))
    }
}

/// A corpus: the vocabulary of a text, and the words of its sentences about actions.
#[derive(Debug, Clone, PartialEq)]
pub struct Corpus {
    pub(crate) words: Vec<Word>,
    pub(crate) found: Vec<Sentence>,
    pub(crate) kinds: Vec<ActionKind>,
    sentences: usize,
}

impl Corpus {
    pub(crate) fn new(
        forms: Forms,
        found: Vec<Sentence>,
        sentences: usize,
        kinds: Vec<ActionKind>,
    ) -> Self {
        let Forms { by_text, forms } = forms;
        let mut corpus = Self {
            words: Vec::new(),
            found,
            kinds,
            sentences,
        };
        let mut texts: Vec<&str> = vec![""; forms.len()];
        for (text, &at) in &by_text {
            texts[at as usize] = text;
        }
        // One step is enough: a lemma is its own.
        let lemma = |form: usize| forms[form].lemma.map_or(form, |at| at as usize);
        let mut words: Vec<Word> = texts.iter().map(|text| Word::new(text)).collect();
        for (i, form) in forms.iter().enumerate() {
            words[lemma(i)].add(form.count, form.roles, form.names, form.plain);
        }
        for sentence in &mut corpus.found {
            let mut nouns: Vec<u32> = Vec::with_capacity(sentence.words.len());
            for &form in &sentence.words {
                let word = lemma(form as usize) as u32;
                if !nouns.contains(&word) {
                    nouns.push(word);
                    words[word as usize].with_actions += 1;
                }
            }
            sentence.words = nouns;
        }
        // Words of no such sentence take no part any more.
        let is_used = |at: &usize| words[*at].with_actions > 0;
        let mut order: Vec<usize> = (0..forms.len()).filter(is_used).collect();
        order.sort_by_key(|&at| texts[at]);
        let mut index = vec![u32::MAX; forms.len()];
        for (new, &old) in order.iter().enumerate() {
            index[old] = new as u32;
        }
        corpus.words = order.iter().map(|&at| words[at].clone()).collect();
        for sentence in &mut corpus.found {
            for word in &mut sentence.words {
                *word = index[*word as usize];
            }
        }
        corpus
    }

    /// Sentences of the text.
    #[must_use]
    pub fn sentences(&self) -> usize {
        self.sentences
    }

    /// Sentences about actions: S of equation 5.6.
    #[must_use]
    pub fn action_sentences(&self) -> usize {
        self.found.len()
    }

    /// The vocabulary: lemmas of nouns of the sentences about actions, by alphabet.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &Word> {
        self.words.iter()
    }

    /// The same as a vocabulary, in the same order.
    #[must_use]
    pub fn vocabulary(&self) -> Vocabulary {
        self.words.iter().map(|word| word.text.clone()).collect()
    }

    /// The index of a word, if it is in the vocabulary.
    #[must_use]
    pub fn find(&self, word: &str) -> Option<usize> {
        let found = self.words.binary_search_by(|w| w.text.as_str().cmp(word));
        found.ok()
    }
}
