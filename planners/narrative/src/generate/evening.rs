//! Evenings of interactive theatre: several groups live through one story at once, some time apart.

use super::{Random, SECOND_US, valid};
use crate::problem::{
    Activity, Choice, Chooser, Contingent, Demand, Link, Micros, Narrative, Node, ORIGIN, Resource,
    Spec, Start,
};

const MINUTE_US: Micros = 60 * SECOND_US;

/// An evening for groups that are shown in one after the other.
///
/// Each is welcomed, searches for a letter, and then comes a twist: a duel takes long, a seance
/// less, and needs a candle that burns down, a chase is short. All meet for the finale. Four actors
/// play in six rooms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evening {
    /// How many groups there are.
    pub groups: usize,
    /// How much later than the one before each group is shown in, in microseconds.
    pub offset_us: Micros,
    /// How long a search takes: shortest and longest, in microseconds.
    pub search_us: (Micros, Micros),
    /// When the curtain falls for a group after it was shown in: earliest and latest, in
    /// microseconds.
    pub curtain_us: (Micros, Micros),
    /// How many candles there are.
    pub candles: u32,
    /// How many of each of the four actors there are.
    pub actors: [u32; 4],
    /// Who picks the twist.
    pub chooser: Chooser,
}

impl Default for Evening {
    /// Two groups, 40 minutes apart; a search takes 5 to 25 minutes, and the curtain falls after 50
    /// to 75.
    fn default() -> Self {
        Self {
            groups: 2,
            offset_us: 40 * MINUTE_US,
            search_us: (5 * MINUTE_US, 25 * MINUTE_US),
            curtain_us: (50 * MINUTE_US, 75 * MINUTE_US),
            candles: 2,
            actors: [1; 4],
            chooser: Chooser::System,
        }
    }
}

/// The evening number `seed`: two groups, or three in one of ten cases, 15 to 60 minutes apart;
/// searches of 3 to 8 minutes, or up to 20 more; a curtain after 45 to 55 minutes, or up to 8 to 25
/// more. In one of four cases there are two of an actor; in one of ten players pick the twist.
///
/// # Examples
/// ```
/// assert!(narrative::generate::evening(3).storylines().len() >= 9);
/// ```
#[must_use]
pub fn evening(seed: u64) -> Narrative {
    let mut random = Random::new(seed);
    let shortest = random.pick(3, 8) * MINUTE_US;
    let longest = shortest + random.pick(5, 20) * MINUTE_US;
    let earliest = random.pick(45, 55) * MINUTE_US;
    let latest = earliest + random.pick(8, 25) * MINUTE_US;
    let mut actors = [1; 4];
    if random.chance(25) {
        actors[random.index(4)] = 2;
    }
    let groups = if random.chance(10) { 3 } else { 2 };
    Evening {
        groups,
        offset_us: random.pick(3, 12) * 5 * MINUTE_US,
        search_us: (shortest, longest),
        curtain_us: (earliest, latest),
        candles: if random.chance(50) { 2 } else { 1 },
        actors,
        chooser: if random.chance(10) {
            Chooser::Player
        } else {
            Chooser::System
        },
    }
    .narrative()
}

/// Welcome, search, the finale and its end; the twists are between.
const WELCOME: Node = 1;
const SEARCH: Node = 3;
const LETTER: Node = 4;
const FINALE: Node = 11;
const CURTAIN: Node = 12;
/// Indices of resources; actors come first, Ada, Boris, Clara and Dmitri.
const ROOMS: usize = 4;
const CANDLES: usize = 10;

impl Evening {
    /// The narrative of all groups.
    ///
    /// # Panics
    /// When the times or the number of groups are beyond the limits of a narrative.
    #[must_use]
    pub fn narrative(&self) -> Narrative {
        let starts: Vec<Start> = (0..self.groups)
            .scan(0, |offset, _| {
                let offset_us = *offset;
                *offset += self.offset_us;
                Some(Start { offset_us })
            })
            .collect();
        valid(self.group_story().copies(&starts))
    }

    /// The story of one group.
    fn group_story(&self) -> Spec {
        let (earliest, latest) = self.curtain_us;
        let seconds = |from, to, lower: i64, upper: i64| Link {
            from,
            to,
            lower_us: Some(lower * SECOND_US),
            upper_us: Some(upper * SECOND_US),
        };
        let links = vec![
            seconds(ORIGIN, WELCOME, 0, 180),
            seconds(WELCOME, 2, 300, 480),
            seconds(2, SEARCH, 60, 120),
            seconds(LETTER, 5, 60, 240),
            seconds(6, FINALE, 60, 360),
            seconds(LETTER, 7, 120, 300),
            seconds(8, FINALE, 120, 480),
            seconds(LETTER, 9, 60, 360),
            seconds(10, FINALE, 60, 360),
            seconds(FINALE, CURTAIN, 360, 540),
            Link::new(ORIGIN, CURTAIN, earliest, latest),
        ];
        let lasts = |from: Node, (lower_us, upper_us)| Contingent {
            from,
            to: from + 1,
            lower_us,
            upper_us,
        };
        let minutes = |lower, upper| (lower * MINUTE_US, upper * MINUTE_US);
        Spec {
            events: CURTAIN,
            links,
            contingent: vec![
                lasts(SEARCH, self.search_us),
                lasts(5, minutes(18, 22)),
                lasts(7, minutes(12, 18)),
                lasts(9, minutes(5, 8)),
            ],
            activities: vec![
                act(WELCOME, 2, &[0, ROOMS]),
                act(SEARCH, LETTER, &[2, ROOMS + 1]),
                act(5, 6, &[1, 3, ROOMS + 2]),
                act(7, 8, &[2, ROOMS + 3, CANDLES]),
                act(9, 10, &[3, ROOMS + 4]),
                act(FINALE, CURTAIN, &[0, 1, ROOMS + 5]),
            ],
            resources: self.resources(),
            choices: vec![Choice::new(
                self.chooser,
                vec![vec![5, 6], vec![7, 8], vec![9, 10]],
            )],
            ..Spec::default()
        }
    }

    fn resources(&self) -> Vec<Resource> {
        let rooms = [1; CANDLES - ROOMS];
        let all = self.actors.into_iter().chain(rooms).chain([self.candles]);
        all.map(|capacity| Resource { capacity }).collect()
    }
}

fn act(start: Node, end: Node, needed: &[usize]) -> Activity {
    let demand = |resource: &usize| Demand {
        resource: *resource,
        amount: 1,
        consumed: *resource == CANDLES,
    };
    Activity::new(start, end, needed.iter().map(demand).collect())
}
