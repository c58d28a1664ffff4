//! What stands where in a file of VRPLIB.

use super::super::Mistake;
use super::super::words::{Word, lines};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Headers that are read.
const HEADERS: [&str; 12] = [
    "NAME",
    "COMMENT",
    "TYPE",
    "DIMENSION",
    "CAPACITY",
    "VEHICLES",
    "DISTANCE",
    "SERVICE_TIME",
    "EDGE_WEIGHT_TYPE",
    "EDGE_WEIGHT_FORMAT",
    "NODE_COORD_TYPE",
    "DISPLAY_DATA_TYPE",
];
/// Sections that are read, the last of which is for pictures only.
const SECTIONS: [&str; 7] = [
    "NODE_COORD_SECTION",
    "DEMAND_SECTION",
    "DEPOT_SECTION",
    "TIME_WINDOW_SECTION",
    "SERVICE_TIME_SECTION",
    "EDGE_WEIGHT_SECTION",
    "DISPLAY_DATA_SECTION",
];

/// All of a file.
#[derive(Default)]
pub(super) struct File<'t> {
    headers: BTreeMap<&'t str, Word<'t>>,
    /// The lines of each section.
    sections: BTreeMap<&'t str, Vec<Word<'t>>>,
}

impl<'t> File<'t> {
    pub(super) fn read(text: &'t str) -> Result<Self, Mistake> {
        let mut file = Self::default();
        let mut section = None;
        for line in lines(text).take_while(|line| line.text != "EOF") {
            if line
                .text
                .starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first))
            {
                let rows = section.and_then(|name| file.sections.get_mut(name));
                let early = || line.wrong("numbers before any section");
                rows.ok_or_else(early)?.push(line);
                continue;
            }
            let (name, value) = line.text.split_once(':').unwrap_or((line.text, ""));
            let (name, value) = (name.trim(), line.part(value.trim()));
            section = SECTIONS.contains(&name).then_some(name);
            let is_new = match section {
                Some(name) => file.sections.insert(name, Vec::new()).is_none(),
                None if HEADERS.contains(&name) => file.headers.insert(name, value).is_none(),
                None => {
                    let name = line.part(name).shown();
                    return Err(line.wrong(format!("`{name}` is not supported")));
                }
            };
            if !is_new {
                return Err(line.wrong(format!("{name} is there twice")));
            }
        }
        Ok(file)
    }

    /// The value of a header.
    pub(super) fn header(&self, name: &str) -> Option<Word<'t>> {
        self.headers.get(name).copied()
    }

    pub(super) fn required(&self, name: &str) -> Result<Word<'t>, Mistake> {
        self.header(name).ok_or_else(|| missing(name))
    }

    /// A header that is a whole number.
    pub(super) fn whole(&self, name: &str, range: RangeInclusive<i64>) -> Result<i64, Mistake> {
        self.required(name)?.whole(name, range)
    }

    /// Refuses files of other types than these.
    pub(super) fn require_type(&self, types: &[&str]) -> Result<(), Mistake> {
        match self.header("TYPE") {
            Some(given) if !types.contains(&given.text) => {
                let (shown, known) = (given.shown(), types.join(", "));
                let message = format!("problems of type {shown} are not supported, {known} are");
                Err(given.wrong(message))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn has_section(&self, section: &str) -> bool {
        self.sections.contains_key(section)
    }

    /// The lines of a section.
    pub(super) fn section(&self, name: &str) -> Result<&[Word<'t>], Mistake> {
        let found = self.sections.get(name).map(Vec::as_slice);
        found.ok_or_else(|| missing(name))
    }

    /// The lines of a section that has one line for each node, the node first.
    pub(super) fn of_nodes<const N: usize>(
        &self,
        name: &str,
        numbers: &[i64],
        columns: [&str; N],
    ) -> Result<Vec<[Word<'t>; N]>, Mistake> {
        let mut by_number = BTreeMap::new();
        for row in self.section(name)? {
            let words = row.columns(columns)?;
            let number = words[0].whole("node", i64::MIN..=i64::MAX)?;
            if by_number.insert(number, words).is_some() {
                return Err(row.wrong(format!("node {number} is there twice")));
            }
        }
        let rows = numbers.iter().map(|number| {
            let lacks = || Mistake::new(format!("{name} lacks node {number}"));
            by_number.remove(number).ok_or_else(lacks)
        });
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        match by_number.first_key_value() {
            Some((number, row)) => Err(row[0].wrong(format!("there is no node {number}"))),
            None => Ok(rows),
        }
    }
}

fn missing(name: &str) -> Mistake {
    Mistake::new(format!("there is no {name}"))
}
