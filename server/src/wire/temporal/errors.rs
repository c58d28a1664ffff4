//! Which field of the request a network's error is about, in the caller's words.

use super::links::Links;
use super::names::Names;
use crate::wire::links::{UNBOUNDED, loops, reversed};
use crate::wire::mistakes::{Code, Mistake, RelativeMistake, relative};
use crate::wire::path::Path;
use crate::wire::values::{Time, shown};
use temporal::NetworkError as E;
use temporal::errors::LinkIndex;
use temporal::problem::{Node, ORIGIN};

/// The mistake that this error is.
pub(super) fn mistake(error: &E, at: &Path<'_>, names: &Names, read: &Links) -> Mistake {
    Reader { names, read }.relative(error).at(at)
}

struct Reader<'r> {
    names: &'r Names,
    read: &'r Links,
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
            E::HorizonOutOfRange { given_us } => {
                let why = format!("is {}, outside of 0 to ten years", Time(given_us));
                relative("horizon_offset".into(), Code::OutOfRange, why)
            }
            E::TeammatesAndNature { teammate, nature } => {
                let (teammate, nature) = (self.event(teammate), self.event(nature));
                let why = format!(
                    "make {nature} an event of Nature, but {teammate} is a teammate's: a network \
                     has one kind of uncertainty"
                );
                relative("contingent_links".into(), Code::Contradiction, why)
            }
            E::NoWindow { node, missing } => {
                let origin = shown(self.names.node(ORIGIN));
                let why = format!(
                    "has no {missing} time: link {} to {origin}, or to an event that has one, or \
                     give a horizon_offset",
                    self.event(node)
                );
                relative(event_at(node), Code::Unbounded, why)
            }
            ref other => self.about_link(other),
        }
    }

    fn about_link(&self, error: &E) -> RelativeMistake {
        match *error {
            E::UnknownNode { which, .. } => relative(self.path(which), Code::Unknown, error),
            E::SelfLoop { which, node } => {
                let why = loops(self.names.node(node));
                relative(self.field(which, "to_event_id"), Code::SelfLoop, why)
            }
            E::Unbounded { link } => {
                relative(self.path(LinkIndex::Link(link)), Code::Required, UNBOUNDED)
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
                relative(self.path(which), Code::OutOfRange, why)
            }
            ref other => self.about_contingent(other),
        }
    }

    fn about_contingent(&self, error: &E) -> RelativeMistake {
        let to = |link| self.field(LinkIndex::Contingent(link), "to_event_id");
        match *error {
            E::NegativeDuration {
                contingent,
                lower_us,
            } => {
                let why = format!("is {}, less than nothing", Time(lower_us));
                let field = self.field(LinkIndex::Contingent(contingent), "lower");
                relative(field, Code::OutOfRange, why)
            }
            E::NotNatures { contingent, node } => {
                let why = format!("is {}, which is not Nature's", self.event(node));
                relative(to(contingent), Code::Contradiction, why)
            }
            E::TwoContingent {
                first,
                second,
                node,
            } => {
                let link = shown(&self.names.contingent[first]);
                let why = format!(
                    "is {}, where contingent link {link} ends already",
                    self.event(node)
                );
                relative(to(second), Code::Duplicate, why)
            }
            E::DurationsTooLong { contingent, sum_us } => {
                let sum = Time(sum_us);
                let why = format!("is too long: until here the longest durations add up to {sum}");
                let field = self.field(LinkIndex::Contingent(contingent), "upper");
                relative(field, Code::Overflow, why)
            }
            E::NoContingent { node } => relative(event_at(node), Code::Contradiction, error),
            E::ContingentCycle { contingent } => {
                let why = "is part of a cycle of contingent links";
                relative(
                    self.path(LinkIndex::Contingent(contingent)),
                    Code::Circular,
                    why,
                )
            }
            // The planner may learn of more than we know a field for; its text says what it is.
            ref other => relative(String::new(), Code::Contradiction, other),
        }
    }

    fn event(&self, node: Node) -> String {
        shown(self.names.node(node))
    }

    /// Path of a link.
    fn path(&self, which: LinkIndex) -> String {
        match which {
            LinkIndex::Link(link) => format!("links[{}]", self.read.links_at[link]),
            LinkIndex::Contingent(link) => {
                format!("contingent_links[{}]", self.read.contingent_at[link])
            }
        }
    }

    fn field(&self, which: LinkIndex, field: &str) -> String {
        format!("{}.{field}", self.path(which))
    }
}

/// Path of an event.
fn event_at(node: Node) -> String {
    node.checked_sub(1)
        .map_or_else(String::new, |event| format!("events[{event}]"))
}
