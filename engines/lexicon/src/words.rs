//! Sentences, words, parts of speech.

use english_pos_tagger::{Tagger, Token};
use std::collections::BTreeSet;
use std::sync::LazyLock;
use unicode_segmentation::UnicodeSegmentation;

/// What ends in a full stop without ending a sentence.
const ABBREVIATIONS: [&str; 14] = [
    "Mr", "Mrs", "Ms", "Dr", "St", "Messrs", "Esq", "Prof", "Capt", "Col", "Gen", "Lt", "Rev",
    "Hon",
];
/// Tagged as nouns, but they stand for others or count them.
const PRONOUNS: [&str; 30] = [
    "anybody",
    "anyone",
    "anything",
    "both",
    "cannot",
    "couple",
    "everybody",
    "everyone",
    "everything",
    "half",
    "lot",
    "mine",
    "nobody",
    "none",
    "nothing",
    "oneself",
    "other",
    "ourselves",
    "pair",
    "somebody",
    "someone",
    "something",
    "thee",
    "thing",
    "thou",
    "thy",
    "thyself",
    "one",
    "ye",
    "yourself",
];
/// Forms of address: people are called by what follows.
const TITLES: [&str; 9] = [
    "dr", "esq", "messrs", "mr", "mrs", "ms", "prof", "rev", "st",
];
/// Bytes of a noun that is looked at.
const NOUN_BYTES_MAX: usize = 40;
/// Words and signs that are tagged together; a longer sentence is cut.
const TOKENS_MAX: usize = 400;

/// The tagger's lexicon and the common words, the same for all texts.
static SPLITTER: LazyLock<Splitter> = LazyLock::new(Splitter::new);

struct Splitter {
    tagger: Tagger,
    common: BTreeSet<&'static str>,
}

/// What a noun does in its clause, as far as the words around it show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The subject of a verb, the agent of a passive one, or the speaker of a verb of speech.
    Subject,
    /// The object of a verb.
    Object,
    /// After a preposition of place.
    Where,
    /// Anything else.
    None,
}

/// Prepositions of places and directions.
const WHERE: [&str; 29] = [
    "above", "across", "along", "among", "around", "at", "behind", "below", "beneath", "beside",
    "between", "beyond", "down", "from", "in", "inside", "into", "near", "on", "outside", "over",
    "through", "to", "toward", "towards", "under", "up", "upon", "within",
];
/// Verbs after which the speaker may come.
const SPEECH: [&str; 9] = [
    "add", "answer", "ask", "cry", "exclaim", "remark", "reply", "say", "think",
];

/// A noun of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noun {
    /// What it does.
    pub role: Role,
    /// As written, in small letters.
    pub form: String,
    /// Its lemma, if it is no name.
    pub lemma: Option<String>,
    /// Whether it is written as a name. None: any word would be, since it begins a sentence.
    pub is_name: Option<bool>,
}

/// What is looked at in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parts {
    /// In their order, repeated ones too.
    pub nouns: Vec<Noun>,
    /// Lemmas of verbs, in their order.
    pub verbs: Vec<String>,
}

impl Splitter {
    fn new() -> Self {
        let common = stop_words::lookup("en").unwrap_or_default();
        let common = common.iter().chain(&PRONOUNS).chain(&TITLES);
        Self {
            tagger: Tagger::new(),
            common: common.copied().collect(),
        }
    }

    fn piece(&self, words: &[&str]) -> Parts {
        let mut parts = Parts::default();
        let mut at_start = true;
        let tokens = self.tagger.tag_raw_tokens(words);
        for (place, token) in tokens.iter().enumerate() {
            let first = token.value.chars().next();
            if !first.is_some_and(char::is_alphabetic) {
                // Speech starts with a large letter, whatever word it starts with.
                at_start |= "\"'\u{2018}\u{2019}\u{201c}\u{201d}:-".contains(&*token.value);
                continue;
            }
            match token.pos.as_deref().and_then(|pos| pos.chars().next()) {
                Some('N') => {
                    let noun = self.noun(token, at_start, role(&tokens, place));
                    parts.nouns.extend(noun);
                }
                Some('V') => parts.verbs.extend(token.lemma.clone()),
                _ => {}
            }
            at_start = false;
        }
        parts
    }

    fn noun(&self, token: &Token, at_start: bool, role: Role) -> Option<Noun> {
        let form = token.value.to_lowercase();
        let lemma = token.lemma.clone().filter(|lemma| !lemma.is_empty());
        let is_name = token.pos.as_deref() == Some("NNP");
        let lemma = if is_name { None } else { lemma };
        let meant = lemma.as_deref().unwrap_or(&form);
        let fits = form.len() <= NOUN_BYTES_MAX
            && meant.len() <= NOUN_BYTES_MAX
            && form.chars().nth(1).is_some();
        let is_common = self.common.contains(meant) || self.common.contains(&*form);
        (fits && !is_common).then(|| Noun {
            role,
            is_name: (!is_name || !at_start).then_some(is_name),
            lemma,
            form,
        })
    }
}

/// The role of the noun at a place.
fn role(tokens: &[Token], place: usize) -> Role {
    let pos = |token: &Token| token.pos.as_deref().unwrap_or_default().to_owned();
    let is_any = |pos: &str, all: &[&str]| all.iter().any(|start| pos.starts_with(start));
    // Its own words: "the poor little".
    let own = ["DT", "JJ", "PRP$", "N", "CD", "POS"];
    let mut earlier = tokens[..place].iter().rev();
    let before = earlier.find(|token| !is_any(&pos(token), &own));
    // Part of another noun's phrase, or its owner.
    let next = tokens.get(place + 1);
    if next.is_some_and(|next| is_any(&pos(next), &["N", "POS"])) {
        return Role::None;
    }
    let prior = before.map(pos).unwrap_or_default();
    let lemma = |token: &Token| {
        token
            .lemma
            .as_deref()
            .unwrap_or(&token.value)
            .to_lowercase()
    };
    if before.is_some_and(|token| lemma(token) == "by") {
        // The agent of a passive verb, or a place.
        let verb = earlier.find(|token| !is_any(&pos(token), &["RB", "RP"]));
        let is_passive = verb.is_some_and(|token| is_any(&pos(token), &["VBN", "VBD"]));
        return if is_passive {
            Role::Subject
        } else {
            Role::Where
        };
    }
    if is_any(&prior, &["IN", "TO", "RP"]) {
        let is_where = before.is_some_and(|token| WHERE.contains(&lemma(token).as_str()));
        return if is_where { Role::Where } else { Role::None };
    }
    let mut after = tokens[place + 1..].iter();
    let after = after.find(|token| !is_any(&pos(token), &["RB", "MD"]));
    if after.is_some_and(|token| is_any(&pos(token), &["VBD", "VBZ", "VBP"])) {
        return Role::Subject;
    }
    if prior.starts_with('V') {
        let said = before.is_some_and(|token| SPEECH.contains(&lemma(token).as_str()));
        let is = before.is_some_and(|token| lemma(token) == "be");
        return match (said, is) {
            (true, _) => Role::Subject,
            (_, true) => Role::None,
            _ => Role::Object,
        };
    }
    Role::None
}

/// Nouns and verbs of a sentence; a very long one is divided into pieces.
pub(crate) fn parts(sentence: &str) -> Vec<Parts> {
    let words = words(sentence);
    let pieces = words.chunks(TOKENS_MAX);
    pieces.map(|piece| SPLITTER.piece(piece)).collect()
}

/// Sentences of a paragraph, by Unicode's rules (UAX 29), but titles and initials end none.
pub(crate) fn sentences(paragraph: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), 0);
    for (at, sentence) in paragraph.split_sentence_bound_indices() {
        let end = at + sentence.len();
        if !is_open(&paragraph[start..end]) {
            found.push(&paragraph[start..end]);
            start = end;
        }
    }
    found.push(&paragraph[start..]);
    found.retain(|sentence| sentence.chars().any(char::is_alphabetic));
    found
}

/// Whether what looks like the end of a sentence is that of an abbreviation.
fn is_open(sentence: &str) -> bool {
    let Some(before) = sentence.trim_end().strip_suffix('.') else {
        return false;
    };
    let last = before.rsplit(|c: char| !c.is_alphanumeric()).next();
    let last = last.unwrap_or_default();
    let mut letters = last.chars();
    let initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
    ABBREVIATIONS.contains(&last) || (initial && last != "I")
}

/// Words and signs of a sentence. Genitives and "n't" are cut off, as the tagger wants it.
fn words(sentence: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for word in sentence.split_word_bounds() {
        let Some(at) = word.rfind(['\'', '\u{2019}']).filter(|&at| at > 0) else {
            if !word.trim().is_empty() {
                found.push(word);
            }
            continue;
        };
        let (mut before, mut after) = word.split_at(at);
        if let Some(shorter) = before.strip_suffix('n')
            && matches!(after, "'t" | "\u{2019}t")
            && !shorter.is_empty()
        {
            (before, after) = (shorter, "n't");
        }
        found.extend([before, after]);
    }
    found
}
