//! What was found about a server.

use super::table::printable;
use super::{Display, Style};
use serde::Serialize;
use std::fmt::Write as _;

/// All that was found.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    /// Health of what was asked for, as gRPC calls it.
    pub status: &'a str,
    /// The server's.
    pub address: &'a str,
    /// How long it took to say so.
    pub took: String,
    /// By subject.
    pub sections: Vec<Section>,
}

/// One subject.
#[derive(Debug, Serialize)]
pub struct Section {
    /// Its name.
    pub name: &'static str,
    /// The worst that was found.
    pub state: State,
    /// How it is.
    pub text: String,
    /// What could be better.
    pub findings: Vec<Finding>,
}

/// How it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// As it should be.
    Good,
    /// It works, but.
    Warning,
    /// It does not work.
    Failure,
}

/// Something that could be better.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// What it is.
    pub what: String,
    /// What to do.
    pub fix: String,
}

impl Section {
    /// A subject about which nothing was found so far.
    #[must_use]
    pub fn new(name: &'static str, text: String) -> Self {
        Self {
            name,
            state: State::Good,
            text,
            findings: Vec::new(),
        }
    }

    /// Takes something that could be better.
    pub fn warn(&mut self, what: impl Into<String>, fix: &str) {
        self.find(State::Warning, what.into(), fix);
    }

    /// Takes something that does not work.
    pub fn fail(&mut self, what: impl Into<String>, fix: &str) {
        self.find(State::Failure, what.into(), fix);
    }

    fn find(&mut self, state: State, what: String, fix: &str) {
        self.state = self.state.max(state);
        let fix = fix.to_owned();
        self.findings.push(Finding { what, fix });
    }
}

/// For people.
#[must_use]
pub fn table(display: &Display, report: &Report<'_>) -> String {
    let serving = report.status == "SERVING";
    let style = if serving { Style::Good } else { Style::Bad };
    let status = display.styled(style, report.status);
    let mut text = format!("{status}: {} answered in {}\n", report.address, report.took);
    for section in &report.sections {
        let (style, mark) = match section.state {
            State::Good => (Style::Good, "ok"),
            State::Warning => (Style::Doubtful, "but"),
            State::Failure => (Style::Bad, "BAD"),
        };
        let mark = display.styled(style, &format!("{mark:<3}"));
        let _ = writeln!(
            text,
            "{mark} {:<9} {}",
            section.name,
            printable(&section.text)
        );
        for finding in &section.findings {
            let _ = writeln!(text, "    {}", printable(&finding.what));
            let _ = writeln!(text, "      -> {}", printable(&finding.fix));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_counts_and_each_finding_has_its_fix() {
        let mut section = Section::new("room", "2 of 2 slots busy".into());
        section.fail("it fails", "do\u{7}");
        section.warn("it is slow", "do\u{7}");
        assert_eq!(section.state, State::Failure);
        let report = Report {
            status: "SERVING",
            address: "http://h",
            took: "1ms".into(),
            sections: vec![Section::new("way", "short".into()), section],
        };
        let wanted = "SERVING: http://h answered in 1ms\n\
                      ok  way       short\n\
                      BAD room      2 of 2 slots busy\n    it fails\n      -> do?\n    it is slow\n      -> do?\n";
        assert_eq!(table(&Display::PLAIN, &report), wanted);
    }
}
