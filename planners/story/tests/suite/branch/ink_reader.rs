//! A small reader of Ink, written from its manual, independently of the writer: knots, text,
//! choices that are used once, diverts, escapes and comments. Whatever else it meets is a mistake.

use std::collections::BTreeMap;

/// A script.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// Where it begins.
    pub(crate) start: String,
    pub(crate) knots: BTreeMap<String, Knot>,
}

/// A knot.
#[derive(Debug, Default)]
pub(crate) struct Knot {
    pub(crate) lines: Vec<String>,
    /// The text shown, the text that follows, and where it leads.
    pub(crate) choices: Vec<(String, String, String)>,
    pub(crate) divert: Option<String>,
}

/// A letter, and whether it was escaped.
type Letter = (char, bool);

fn letters(line: &str) -> Result<Vec<Letter>, String> {
    let mut letters = Vec::new();
    let mut rest = line.chars();
    while let Some(letter) = rest.next() {
        if letter == '\\' {
            letters.push((rest.next().ok_or("nothing is escaped")?, true));
        } else {
            letters.push((letter, false));
        }
    }
    Ok(letters)
}

fn find(letters: &[Letter], wanted: &str) -> Option<usize> {
    let wanted: Vec<Letter> = wanted.chars().map(|c| (c, false)).collect();
    letters.windows(wanted.len()).position(|w| w == wanted)
}

/// Text without anything that means more than itself.
fn plain(letters: &[Letter]) -> Result<String, String> {
    for wanted in ["{", "}", "[", "]", "|", "#", "->", "<-", "<>", "//", "/*"] {
        if find(letters, wanted).is_some() {
            return Err(format!("{wanted} in {letters:?}"));
        }
    }
    let text: String = letters.iter().map(|(letter, _)| letter).collect();
    Ok(text.trim().to_owned())
}

impl Script {
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut script = Self::default();
        let mut at: Option<String> = None;
        for line in text.split('\n') {
            // Comments go first, whatever is escaped.
            let line = line.split("//").next().unwrap_or_default();
            if line.contains("/*") {
                return Err(format!("a comment begins: {line}"));
            }
            let letters = letters(line)?;
            let first = letters.iter().position(|l| !l.0.is_whitespace() || l.1);
            let Some(first) = first else { continue };
            let letters = &letters[first..];
            if find(letters, "==") == Some(0) {
                let name = line.trim_matches(|c| c == '=' || c == ' ').to_owned();
                if script.knots.insert(name.clone(), Knot::default()).is_some() {
                    return Err(format!("two knots {name}"));
                }
                at = Some(name);
            } else if let Some(name) = &at {
                let knot = script.knots.get_mut(name).ok_or("a knot")?;
                knot.line(letters)?;
            } else {
                let divert = find(letters, "->").filter(|at| *at == 0);
                divert.ok_or_else(|| format!("before the first knot: {line}"))?;
                script.start = plain(&letters[2..])?;
            }
        }
        Ok(script)
    }

    /// The number of paths from a knot to an end; an error where one leads nowhere or into a cycle.
    pub(crate) fn endings(&self, knot: &str, depth: usize) -> Result<usize, String> {
        if knot == "END" {
            return Ok(1);
        }
        if depth > self.knots.len() {
            return Err("a cycle".to_owned());
        }
        let found = self.knots.get(knot).ok_or_else(|| format!("no {knot}"))?;
        let mut sum = 0;
        for to in found
            .choices
            .iter()
            .map(|choice| &choice.2)
            .chain(&found.divert)
        {
            sum += self.endings(to, depth + 1)?;
        }
        if sum == 0 {
            return Err(format!("{knot} does not end"));
        }
        Ok(sum)
    }
}

impl Knot {
    fn line(&mut self, letters: &[Letter]) -> Result<(), String> {
        if self.divert.is_some() {
            return Err(format!("after a divert: {letters:?}"));
        }
        if letters[0] == ('*', false) {
            let (from, to) = (find(letters, "["), find(letters, "]"));
            let (from, to) = (from.ok_or("no ["), to.ok_or("no ]"));
            let (from, to) = (from?, to?);
            if !plain(&letters[1..from])?.is_empty() {
                return Err("text before the bracket".to_owned());
            }
            let divert = find(letters, "->").ok_or("a choice that leads nowhere")?;
            self.choices.push((
                plain(&letters[from + 1..to])?,
                plain(&letters[to + 1..divert])?,
                plain(&letters[divert + 2..])?,
            ));
            return Ok(());
        }
        if find(letters, "->") == Some(0) {
            self.divert = Some(plain(&letters[2..])?);
            return Ok(());
        }
        if !self.choices.is_empty() {
            return Err(format!("text after choices: {letters:?}"));
        }
        if matches!(letters[0], ('+' | '-' | '~' | '=' | '*', false)) {
            return Err(format!("a statement: {letters:?}"));
        }
        for word in ["INCLUDE", "VAR", "CONST", "LIST", "EXTERNAL", "TODO"] {
            if find(letters, word) == Some(0) {
                return Err(format!("a statement: {letters:?}"));
            }
        }
        self.lines.push(plain(letters)?);
        Ok(())
    }
}
