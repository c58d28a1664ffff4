//! The settings above a map.

use super::super::super::{Mistake, note};
use super::super::pace::{TICK_US, parse_tick};
use super::super::ticks;
use std::collections::BTreeSet;
use std::str::FromStr;
use stratagem_proto::v1::{PatrolEntry, PatrolIntruder, PatrolMotion, PatrolProblem};

/// Longest time, in ticks: that of the contract.
const TICKS_MAX: i64 = 10_000;
/// Longest mission, in ticks: that of the contract.
const MISSION_MAX: i64 = 100_000;
/// Most guards: those of the contract.
const GUARDS_MAX: usize = 16;
/// Farthest sight, in tiles.
const SIGHT_MAX: u32 = 1_000;

/// What stands above a map, a line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// For people.
    pub title: String,
    /// For people.
    pub description: String,
    /// How long a tick is, in microseconds: `tick: 250ms`, 1 ms to 1 h. Default: a second.
    pub tick_us: i64,
    /// `stationary`, `lazy`, `moving` or `border-stay`. Default: stationary.
    pub intruder: PatrolMotion,
    /// Ticks that the intruder needs, 0 to 10,000. Required.
    pub time: i64,
    /// `window: exclusive`: the intruder is gone at the last tick. Default: `inclusive`.
    pub exclusive: bool,
    /// `entry: start`, `steady` or `mission N`, with the last tick. Default: the contract's.
    pub entry: (PatrolEntry, Option<i64>),
    /// How many, 1 to 16: they start at the marks in turn. Default: one at each mark.
    pub guards: Option<usize>,
    /// How many tiles far they see, 0 to 1,000. Default: 0.
    pub sight: u32,
    /// Ticks that a step into a door or out of it takes, 1 to 10,000. Default: 2.
    pub door: i64,
    /// Ticks that guards stay at a `P`, 0 to 10,000. Default: 1.
    pub pause: i64,
    /// Ticks that a `V` is out of sight, 0 to 10,000. Default: 3.
    pub gap: i64,
    /// `staying: no`: guards never stand still. Default: yes, they may.
    pub staying: bool,
    /// `passing: no`: guards never pass each other. Default: yes, they may.
    pub passing: bool,
}

impl Settings {
    fn new() -> Self {
        Self {
            title: String::new(),
            description: String::new(),
            tick_us: TICK_US,
            intruder: PatrolMotion::Stationary,
            time: -1,
            exclusive: false,
            entry: (PatrolEntry::Unspecified, None),
            guards: None,
            sight: 0,
            door: 2,
            pause: 1,
            gap: 3,
            staying: true,
            passing: true,
        }
    }

    /// Takes a setting, or returns what is wanted.
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "title" => self.title = value.to_owned(),
            "description" => self.description = value.to_owned(),
            "intruder" => {
                self.intruder = match value {
                    "stationary" => PatrolMotion::Stationary,
                    "lazy" => PatrolMotion::Lazy,
                    "moving" => PatrolMotion::Moving,
                    "border-stay" => PatrolMotion::BorderStay,
                    _ => return Err("stationary, lazy, moving or border-stay is wanted".into()),
                }
            }
            "tick" => self.tick_us = parse_tick(value)?,
            "time" => self.time = number(value, [0, TICKS_MAX])?,
            "window" => self.exclusive = one_of(value, ["inclusive", "exclusive"])?,
            "entry" => self.entry = entry(value)?,
            "guards" => self.guards = Some(number(value, [1, GUARDS_MAX])?),
            "sight" => self.sight = number(value, [0, SIGHT_MAX])?,
            "door" => self.door = number(value, [1, TICKS_MAX])?,
            "pause" => self.pause = number(value, [0, TICKS_MAX])?,
            "gap" => self.gap = number(value, [0, TICKS_MAX])?,
            "staying" => self.staying = one_of(value, ["no", "yes"])?,
            "passing" => self.passing = one_of(value, ["no", "yes"])?,
            _ => {
                return Err(format!(
                    "no setting is called `{name}`: title, description, tick, intruder, time, \
                     window, entry, guards, sight, door, pause, gap, staying and passing are"
                ));
            }
        }
        Ok(())
    }

    /// A problem without a place.
    pub(super) fn problem(&self) -> PatrolProblem {
        let (entry, mission) = self.entry;
        PatrolProblem {
            title: self.title.clone(),
            description: self.description.clone(),
            intruder: Some(PatrolIntruder {
                motion: self.intruder.into(),
                penetration_duration: Some(ticks(self.time)),
                exclusive: self.exclusive,
                entry: entry.into(),
                mission_duration: mission.map(ticks),
            }),
            allow_staying: (!self.staying).then_some(false),
            allow_passing: (!self.passing).then_some(false),
            ..PatrolProblem::default()
        }
    }
}

/// Reads the settings; with the number of lines before the map.
pub(super) fn read(text: &str, mistakes: &mut Vec<Mistake>) -> (Settings, usize) {
    let mut settings = Settings::new();
    let mut given = BTreeSet::new();
    let mut first = 0;
    for (row, line) in text.lines().enumerate() {
        first = row;
        if line.trim().is_empty() {
            continue;
        }
        let Some((name, value)) = line.split_once(':') else {
            break;
        };
        let (name, value) = (name.trim(), value.trim());
        if !given.insert(name) {
            let message = format!("`{name}` is there twice");
            note(mistakes, Mistake::new(message).placed(row + 1, 1));
        } else if let Err(message) = settings.set(name, value) {
            let column = line.len() - line.trim_start().len() + 1;
            note(mistakes, Mistake::new(message).placed(row + 1, column));
        }
        first = row + 1;
    }
    if !given.contains("time") {
        let message = "above the map a line such as `time: 8` is wanted: \
                       the ticks that the intruder needs";
        mistakes.push(Mistake::new(message).placed(1, 1));
    }
    (settings, first)
}

fn number<N: FromStr + PartialOrd + std::fmt::Display>(
    value: &str,
    [low, high]: [N; 2],
) -> Result<N, String> {
    let number = value.parse::<N>().ok();
    number
        .filter(|n| (&low..=&high).contains(&n))
        .ok_or_else(|| format!("a whole number from {low} to {high} is wanted"))
}

/// Whether it is the second of two words.
fn one_of(value: &str, [first, second]: [&str; 2]) -> Result<bool, String> {
    match value {
        v if v == first => Ok(false),
        v if v == second => Ok(true),
        _ => Err(format!("{first} or {second} is wanted")),
    }
}

fn entry(value: &str) -> Result<(PatrolEntry, Option<i64>), String> {
    match value.split_once(' ') {
        None if value == "start" => Ok((PatrolEntry::Start, None)),
        None if value == "steady" => Ok((PatrolEntry::Steady, None)),
        Some(("mission", last)) => {
            let last = number(last.trim(), [0, MISSION_MAX])?;
            Ok((PatrolEntry::Mission, Some(last)))
        }
        _ => Err("start, steady or mission and a number of ticks is wanted".into()),
    }
}
