//! Validation errors of a domain.

use crate::problem::{
    ACTIONS_MAX, DEPTH_MAX, GROUND_MAX, INT_MAX, SIZE_MAX, SLIDER_MAX, WEIGHT_MAX, WORK_MAX,
};

/// A mistake and where it is.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct ProblemError {
    /// Where, in fields of [`Spec`](crate::spec::Spec): `actions[2].preconditions[0].operands[1]`.
    pub path: String,
    /// What is wrong there.
    pub reason: Reason,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum Reason {
    /// A list that is too long; it is not looked at.
    #[error("{given} {what} given, at most {max} are supported")]
    TooMany {
        what: &'static str,
        given: usize,
        max: usize,
    },
    /// A list that may not be empty.
    #[error("there are no {what}")]
    None { what: &'static str },
    /// A name that is empty or too long.
    #[error("a name has 1 to {max} bytes, this one {given}")]
    NameLength { given: usize, max: usize },
    /// A name that is given twice.
    #[error("the {what} '{name}' is given twice")]
    Duplicate { what: &'static str, name: String },
    /// A name that nothing has.
    #[error("there is no {what} '{name}'")]
    Unknown { what: &'static str, name: String },
    /// An attribute that entities of this type do not have.
    #[error("{} has no attribute '{name}'", with_article(owner))]
    NoAttribute { owner: String, name: String },
    /// A value of a wrong type.
    #[error("this is {found}, expected is {expected}")]
    Type { expected: String, found: String },
    /// Two values that cannot be compared.
    #[error("{left} cannot be compared with {right}")]
    Incomparable { left: String, right: String },
    /// A word that the attribute never is.
    #[error("'{word}' is none of the words of '{attribute}'")]
    NeverThatWord { word: String, attribute: String },
    /// A static attribute in an effect.
    #[error("the attribute '{name}' is static: no action may change it")]
    Static { name: String },
    /// An attribute with any number that is not static.
    #[error("an attribute of any number has to be static; give it limits to make it whole")]
    NumberNotStatic,
    /// Invalid limits of a whole number.
    #[error("limits {min} to {max} of a whole number are reversed or beyond {INT_MAX}")]
    IntLimits { min: i32, max: i32 },
    /// A number out of its range.
    #[error("{given} is out of range, {min} to {max}")]
    OutOfRange { given: f64, min: f64, max: f64 },
    /// A believability that is none.
    #[error("a believability lies in [0, 1], this is {given}")]
    Believability { given: f64 },
    /// A slider that is none.
    #[error("a slider lies in [0, {SLIDER_MAX}], this is {given}")]
    SliderRange { given: f64 },
    /// A weight that is none.
    #[error("a weight is above 0 and at most {WEIGHT_MAX}, this is {given}")]
    Weight { given: f64 },
    /// An expression that is nested too deeply.
    #[error("nested more than {DEPTH_MAX} deep")]
    TooDeep,
    /// An expression with too many parts.
    #[error("more than {SIZE_MAX} parts")]
    TooLarge,
    /// An expression whose quantifiers multiply.
    #[error("quantifiers within quantifiers make more than {WORK_MAX} steps")]
    TooMuchWork,
    /// Too many choices of parameters.
    #[error("{given} choices of parameters over all actions, at most {GROUND_MAX} are supported")]
    TooManyGround { given: u64 },
    /// A length of stories that is out of range.
    #[error("a story has 1 to {ACTIONS_MAX} actions, {given} are asked for")]
    StoryLength { given: usize },
    /// Too many parameters in an event.
    #[error("{given} parameters, but '{action}' has {expected}")]
    EventArgs {
        given: usize,
        expected: usize,
        action: String,
    },
    /// A placeholder that no parameter fills.
    #[error("the text names '{{{name}}}', which is no parameter")]
    Placeholder { name: String },
    /// An open brace.
    #[error("a brace in the text is not closed")]
    Brace,
    /// A goal that cannot be reached.
    #[error("the goal '{name}' can never hold: {why}")]
    NeverHolds { name: String, why: String },
    /// An event that has to happen and cannot.
    #[error("'{name}' has to happen and never can")]
    NeverHappens { name: String },
}

/// Mistakes so far, and where the checker is.
#[derive(Debug, Default)]
pub(crate) struct Mistakes {
    path: String,
    found: Vec<ProblemError>,
}

impl Mistakes {
    /// Looks at a part.
    pub(crate) fn inside<T>(&mut self, part: &str, look: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        self.enter(part);
        let result = look(self);
        self.path.truncate(length);
        result
    }

    /// Goes into a part, until [`Mistakes::leave`].
    pub(crate) fn enter(&mut self, part: &str) -> usize {
        let length = self.path.len();
        if length > 0 && !part.starts_with('[') {
            self.path.push('.');
        }
        self.path.push_str(part);
        length
    }

    /// Goes back to where [`Mistakes::enter`] said it was.
    pub(crate) fn leave(&mut self, length: usize) {
        self.path.truncate(length);
    }

    /// Notes a mistake, here.
    pub(crate) fn note(&mut self, reason: Reason) {
        self.found.push(ProblemError {
            path: self.path.clone(),
            reason,
        });
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All of them.
    pub(crate) fn into_vec(self) -> Vec<ProblemError> {
        self.found
    }

    /// Whether a list is short enough to be looked at; notes if not.
    pub(crate) fn fits(&mut self, what: &'static str, given: usize, max: usize) -> bool {
        if given > max {
            self.note(Reason::TooMany { what, given, max });
        }
        given <= max
    }
}

/// A name with its article: `an actor`, `a place`, `a unicorn`. By letters alone, so that some are
/// wrong.
pub(crate) fn with_article(name: &str) -> String {
    let small = name.to_lowercase();
    let like_a_consonant = ["uni", "use", "eu", "one"];
    let is_vowel = small.starts_with(['a', 'e', 'i', 'o', 'u'])
        && !like_a_consonant
            .iter()
            .any(|start| small.starts_with(start));
    format!("{} {name}", if is_vowel { "an" } else { "a" })
}

#[cfg(test)]
mod tests {
    use super::with_article;

    #[test]
    fn articles_go_with_what_follows() {
        let names = ["actor", "Item", "place", "uncle", "unicorn", "", "1st"];
        let shown = names.map(with_article);
        let wanted = [
            "an actor",
            "an Item",
            "a place",
            "an uncle",
            "a unicorn",
            "a ",
            "a 1st",
        ];
        assert_eq!(shown, wanted);
    }
}
