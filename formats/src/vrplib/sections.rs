//! What stands where in a file of VRPLIB.

use super::Mistake;
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

/// A mistake in a line, or of the whole file.
pub(super) fn wrong(line: Option<usize>, message: String) -> Mistake {
    Mistake {
        message,
        at: line.map(|line| (line, 1)),
        path: String::new(),
    }
}

/// A line of a section.
pub(super) struct Row<'t> {
    pub(super) line: usize,
    /// At least one.
    pub(super) columns: Vec<&'t str>,
}

impl Row<'_> {
    pub(super) fn wrong(&self, message: String) -> Mistake {
        wrong(Some(self.line), message)
    }

    /// A whole number; some files write it as `10.0`.
    pub(super) fn whole(
        &self,
        at: usize,
        name: &str,
        range: RangeInclusive<i64>,
    ) -> Result<i64, Mistake> {
        let found = self.columns[at];
        whole(found)
            .filter(|number| range.contains(number))
            .ok_or_else(|| {
                let (least, most) = (range.start(), range.end());
                self.wrong(format!(
                    "the {name} has to be a whole number from {least} to {most}"
                ))
            })
    }
}

fn whole(text: &str) -> Option<i64> {
    text.strip_suffix(".0").unwrap_or(text).parse().ok()
}

/// All of a file.
#[derive(Default)]
pub(super) struct File<'t> {
    headers: BTreeMap<&'t str, (usize, &'t str)>,
    sections: BTreeMap<&'t str, Vec<Row<'t>>>,
}

impl<'t> File<'t> {
    pub(super) fn read(text: &'t str) -> Result<Self, Mistake> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut file = Self::default();
        let mut section = None;
        let lines = text
            .lines()
            .enumerate()
            .map(|(at, line)| (at + 1, line.trim()));
        for (line, text) in lines.filter(|(_, text)| !text.is_empty()) {
            if text == "EOF" {
                break;
            }
            if text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) {
                let Some(rows) = section.and_then(|name| file.sections.get_mut(name)) else {
                    return Err(wrong(Some(line), "numbers before any section".into()));
                };
                rows.push(Row {
                    line,
                    columns: text.split_whitespace().collect(),
                });
                continue;
            }
            let (name, value) = text.split_once(':').unwrap_or((text, ""));
            let (name, value) = (name.trim(), value.trim());
            section = SECTIONS.contains(&name).then_some(name);
            let is_new = match section {
                Some(name) => file.sections.insert(name, Vec::new()).is_none(),
                None if HEADERS.contains(&name) => {
                    file.headers.insert(name, (line, value)).is_none()
                }
                None => {
                    let name: String = name.chars().take(40).collect();
                    return Err(wrong(Some(line), format!("`{name}` is not supported")));
                }
            };
            if !is_new {
                return Err(wrong(Some(line), format!("{name} is there twice")));
            }
        }
        Ok(file)
    }

    /// The value of a header, and its line.
    pub(super) fn header(&self, name: &str) -> Option<(usize, &'t str)> {
        self.headers.get(name).copied()
    }

    pub(super) fn required(&self, name: &str) -> Result<(usize, &'t str), Mistake> {
        let found = self.header(name);
        found.ok_or_else(|| wrong(None, format!("there is no {name}")))
    }

    /// A header that is a whole number.
    pub(super) fn whole(&self, name: &str, range: RangeInclusive<i64>) -> Result<i64, Mistake> {
        let (line, text) = self.required(name)?;
        whole(text)
            .filter(|number| range.contains(number))
            .ok_or_else(|| {
                let (least, most) = (range.start(), range.end());
                let why = format!("{name} has to be a whole number from {least} to {most}");
                wrong(Some(line), why)
            })
    }

    /// Refuses files of other types than these.
    pub(super) fn require_type(&self, types: &[&str]) -> Result<(), Mistake> {
        match self.header("TYPE") {
            Some((line, given)) if !types.contains(&given) => {
                let given: String = given.chars().take(40).collect();
                let known = types.join(", ");
                Err(wrong(
                    Some(line),
                    format!("problems of type {given} are not supported, {known} are"),
                ))
            }
            _ => Ok(()),
        }
    }

    /// The lines of a section.
    pub(super) fn section(&self, name: &str) -> Result<&[Row<'t>], Mistake> {
        let found = self.sections.get(name).map(Vec::as_slice);
        found.ok_or_else(|| wrong(None, format!("there is no {name}")))
    }

    /// The lines of a section that has one line for each node, of this number of columns.
    pub(super) fn of_nodes(
        &self,
        name: &str,
        numbers: &[i64],
        columns: usize,
    ) -> Result<Vec<&Row<'t>>, Mistake> {
        let mut by_number = BTreeMap::new();
        for row in self.section(name)? {
            if row.columns.len() != columns {
                let given = row.columns.len();
                return Err(row.wrong(format!("{given} columns, {columns} wanted")));
            }
            let number = row.whole(0, "node", i64::MIN..=i64::MAX)?;
            if by_number.insert(number, row).is_some() {
                return Err(row.wrong(format!("node {number} is there twice")));
            }
        }
        let rows = numbers.iter().map(|number| {
            let row = by_number.remove(number);
            row.ok_or_else(|| wrong(None, format!("{name} lacks node {number}")))
        });
        let rows: Result<Vec<&Row<'t>>, Mistake> = rows.collect();
        let rows = rows?;
        match by_number.first_key_value() {
            Some((number, row)) => Err(row.wrong(format!("there is no node {number}"))),
            None => Ok(rows),
        }
    }
}
