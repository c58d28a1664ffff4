//! Which field of the request a narrative's error is about, in the caller's words.

use super::names::{Names, Written};
use crate::wire::links::{Links, Nodes as _, UNBOUNDED, loops, reversed};
use crate::wire::mistakes::{Code, Mistake, RelativeMistake, relative};
use crate::wire::path::Path;
use crate::wire::values::{Time, shown};
use narrative::NarrativeError as E;
use narrative::errors::Which;
use narrative::problem::{Node, STORYLINES_MAX, STRANDS_MAX};

/// The mistake that an error of the narrative as written is.
pub(super) fn mistake(error: &E, at: &Path<'_>, reader: &Reader<'_>) -> Mistake {
    reader.relative(error).at(at)
}

/// The mistake that an error of all groups together, or of what has happened, is.
pub(super) fn together(error: &E, at: &Path<'_>, names: &Names) -> Mistake {
    let mistake = match *error {
        E::TooManyEvents { .. }
        | E::TooManyLinks { .. }
        | E::TooManyContingent { .. }
        | E::TooManyActivities { .. }
        | E::TooManyChoices { .. } => {
            let why = format!("are too many: all together, {error}");
            relative("groups".into(), Code::TooMany, why)
        }
        E::TooManyStorylines { .. } => {
            let instead = format!(
                ", and more than {STRANDS_MAX} where each group's are counted by themselves: plan some groups first, then others with \
                 what those may use as activities at fixed times"
            );
            too_many_storylines("groups", &instead)
        }
        E::NowOutOfRange { given_us } => {
            let why = format!("is {}", Time(given_us));
            relative("progress.now_offset".into(), Code::OutOfRange, why)
        }
        E::HappenedOutOfRange {
            happened,
            given_us,
            now_us,
            ..
        } => {
            let (given, now) = (Time(given_us), Time(now_us));
            let why = format!("is {given}, not in the past: it is {now} now");
            let field = format!("progress.happened[{happened}].time_offset");
            relative(field, Code::OutOfRange, why)
        }
        E::HappenedTwice { happened, node } => {
            let why = format!("is {}, which is there already", shown(names.node(node)));
            relative(happened_event(happened), Code::Duplicate, why)
        }
        E::HappenedElsewhere { happened, node } => {
            let event = shown(names.node(node));
            let why = format!("is {event}, which the choices made leave out");
            relative(happened_event(happened), Code::Contradiction, why)
        }
        E::BoundOutOfRange { given_us, .. } => {
            let given = Time(given_us);
            let why = format!("put a link at {given}, beyond ten years");
            relative("groups".into(), Code::OutOfRange, why)
        }
        ref other => about_progress(other, names),
    };
    mistake.at(at)
}

fn about_progress(error: &E, names: &Names) -> RelativeMistake {
    let contingent = |link: usize| shown(&names.contingent[link].id);
    match *error {
        E::Impossible {
            contingent: link,
            taken_us,
            lower_us,
            upper_us,
        } => {
            let later_us = names.contingent[link].later_us;
            let [taken, lower, upper] =
                [taken_us, lower_us, upper_us].map(|us| Time(us - later_us));
            let why = format!(
                "lets contingent link {} take {taken}, not {lower} to {upper}",
                contingent(link),
            );
            relative("progress".into(), Code::Contradiction, why)
        }
        E::NotBegun { contingent: link } => {
            let why = format!("lets {} end but not begin", contingent(link));
            relative("progress.happened".into(), Code::Contradiction, why)
        }
        E::UnknownPick { made, .. } => {
            let field = format!("progress.made[{made}].choice_id");
            relative(field, Code::Duplicate, "was made already")
        }
        ref other => relative(String::new(), Code::Contradiction, other),
    }
}

fn happened_event(happened: usize) -> String {
    format!("progress.happened[{happened}].event_id")
}

/// `instead`: what can be done instead.
fn too_many_storylines(field: &str, instead: &str) -> RelativeMistake {
    let why = format!("make more than {STORYLINES_MAX} storylines{instead}");
    relative(field.into(), Code::TooMany, why)
}

/// What was read of a narrative as written.
pub(super) struct Reader<'r> {
    pub written: &'r Written,
    pub read: &'r Links,
    /// Where each activity is in the request.
    pub activities_at: &'r [usize],
}

impl Reader<'_> {
    fn relative(&self, error: &E) -> RelativeMistake {
        match *error {
            E::NoEvents => relative("events".into(), Code::Required, "is required"),
            E::TooManyEvents { .. } => relative("events".into(), Code::TooMany, error),
            E::TooManyLinks { .. } => relative("links".into(), Code::TooMany, error),
            E::TooManyContingent { .. } => {
                relative("contingent_links".into(), Code::TooMany, error)
            }
            E::TooManyActivities { .. } => relative("activities".into(), Code::TooMany, error),
            E::TooManyResources { .. } => relative("resources".into(), Code::TooMany, error),
            E::TooManyChoices { .. } => relative("choices".into(), Code::TooMany, error),
            E::TooManyStorylines { .. } => too_many_storylines("choices", ""),
            E::HorizonOutOfRange { given_us } => {
                let why = format!("is {}, outside of 0 to ten years", Time(given_us));
                relative("horizon_offset".into(), Code::OutOfRange, why)
            }
            E::CapacityOutOfRange { resource, .. } => {
                let field = format!("resources[{resource}].capacity");
                relative(field, Code::OutOfRange, error)
            }
            E::NotWaiting { waiting, link } => {
                let field = format!("objective.idle_link_ids[{waiting}]");
                let link = shown(&self.written.links[link]);
                let why = format!("is {link}, which may be negative: no time that anybody waits");
                relative(field, Code::OutOfRange, why)
            }
            E::OptionCount { choice, given } => {
                let field = format!("choices[{choice}].options");
                let why = format!("has {given}, a choice is between 2 to 32");
                let code = if given < 2 {
                    Code::Required
                } else {
                    Code::TooMany
                };
                relative(field, code, why)
            }
            E::NothingOffered { choice } => {
                let field = format!("choices[{choice}].options");
                let why = "are all withheld: one has to be offered";
                relative(field, Code::Required, why)
            }
            E::OptionsOverlap {
                choice,
                option,
                node,
            } => {
                let field = format!("choices[{choice}].options[{option}].event_ids");
                let event = self.event(node);
                let why =
                    format!("have {event}, which the choice has already: it would never happen");
                relative(field, Code::Overlap, why)
            }
            ref other => self.about_activity(other),
        }
    }

    fn about_activity(&self, error: &E) -> RelativeMistake {
        let at = |activity: usize| format!("activities[{}]", self.activities_at[activity]);
        let demand = |activity, demand: usize, field: &str| {
            format!("{}.demands[{demand}].{field}", at(activity))
        };
        match *error {
            E::NoDuration { activity } => {
                let why = "needs a link from its start to its end with a lower bound of 0 or more";
                relative(at(activity), Code::Required, why)
            }
            E::HalfActivity { activity } => {
                let why = "has its start and its end in different options";
                relative(at(activity), Code::Contradiction, why)
            }
            E::DemandTwice {
                activity,
                demand: which,
                resource,
            } => {
                let resource = shown(&self.written.resources.list()[resource]);
                let why = format!("is {resource}, which is there already");
                relative(demand(activity, which, "resource_id"), Code::Duplicate, why)
            }
            E::DemandOutOfRange {
                activity,
                demand: which,
                resource,
                amount,
                capacity,
            } => {
                let resource = shown(&self.written.resources.list()[resource]);
                let why = format!("is {amount} of {resource}, of which there are {capacity}");
                relative(demand(activity, which, "amount"), Code::OutOfRange, why)
            }
            ref other => self.about_link(other),
        }
    }

    fn about_link(&self, error: &E) -> RelativeMistake {
        match *error {
            E::UnknownNode { which, .. } => relative(self.at(which), Code::Unknown, error),
            E::Origin { which } => relative(self.at(which), Code::Contradiction, error),
            E::SelfLoop { which, node } => {
                let why = loops(self.written.name(node));
                let field = match which {
                    Which::Activity(_) => "end_event_id",
                    _ => "to_event_id",
                };
                relative(self.field(which, field), Code::SelfLoop, why)
            }
            E::Unbounded { link } => {
                relative(self.at(Which::Link(link)), Code::Required, UNBOUNDED)
            }
            E::Reversed {
                which,
                lower_us,
                upper_us,
            } => {
                let why = reversed(lower_us, upper_us);
                relative(self.field(which, "upper"), Code::Reversed, why)
            }
            E::BoundOutOfRange { which, given_us } => {
                let why = format!("has a bound of {}, beyond ten years", Time(given_us));
                relative(self.at(which), Code::OutOfRange, why)
            }
            ref other => self.about_contingent(other),
        }
    }

    fn about_contingent(&self, error: &E) -> RelativeMistake {
        let field = |link, field| self.field(Which::Contingent(link), field);
        match *error {
            E::NegativeDuration {
                contingent,
                lower_us,
            } => {
                let why = format!("is {}, less than nothing", Time(lower_us));
                relative(field(contingent, "lower"), Code::OutOfRange, why)
            }
            E::EndsAtOrigin { contingent } => {
                let why = "is the origin, where nothing ends";
                relative(field(contingent, "to_event_id"), Code::Contradiction, why)
            }
            E::TwoContingent {
                first,
                second,
                node,
            } => {
                let link = shown(&self.written.contingent[first]);
                let event = self.event(node);
                let why = format!("is {event}, where contingent link {link} ends already");
                relative(field(second, "to_event_id"), Code::Duplicate, why)
            }
            E::ContingentCircle { contingent } => {
                let why = "is part of a circle of contingent links";
                relative(self.at(Which::Contingent(contingent)), Code::Circular, why)
            }
            E::HalfContingent { contingent } => {
                let why = "has its start and its end in different options";
                relative(
                    self.at(Which::Contingent(contingent)),
                    Code::Contradiction,
                    why,
                )
            }
            // The planner may learn of more than we know a field for; its text says what it is.
            ref other => relative(String::new(), Code::Contradiction, other),
        }
    }

    fn event(&self, node: Node) -> String {
        shown(self.written.name(node))
    }

    /// Path of an element.
    fn at(&self, which: Which) -> String {
        match which {
            Which::Link(link) => format!("links[{}]", self.read.requirements.at[link]),
            Which::Contingent(link) => {
                format!("contingent_links[{}]", self.read.contingent.at[link])
            }
            Which::Activity(activity) => {
                format!("activities[{}]", self.activities_at[activity])
            }
            Which::Option(choice, option) => format!("choices[{choice}].options[{option}]"),
            Which::Happened(happened) => format!("progress.happened[{happened}]"),
        }
    }

    fn field(&self, which: Which, field: &str) -> String {
        format!("{}.{field}", self.at(which))
    }
}
