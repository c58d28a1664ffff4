//! Where things are: points or names become indices of locations.

use crate::mistakes::{Code, Mistakes};
use crate::values::{Ids, read_each};
use allocation::travel::{Rounding, Travel};
use anytime::Path;
use std::collections::HashMap;
use stratagem_proto::v1 as pb;

/// The locations of a problem while it is read.
pub(super) enum Places {
    /// Points, each once, in the order in which they were first seen.
    Points {
        rounding: Rounding,
        points: Vec<(f64, f64)>,
        index: HashMap<(u64, u64), usize>,
    },
    /// Names, given with the tables.
    Named { travel: Travel, ids: Ids },
}

impl Default for Places {
    fn default() -> Self {
        Self::straight(Rounding::Exact)
    }
}

impl Places {
    pub(super) fn new(
        given: Option<pb::AllocationTravel>,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> Self {
        use pb::allocation_travel::Kind;
        let pb::AllocationTravel { kind } = given.unwrap_or_default();
        match kind {
            None => Self::default(),
            Some(Kind::Euclidean(straight)) => Self::straight(rule(straight.rounding())),
            Some(Kind::Matrix(tables)) => Self::named(tables, &at.field("matrix"), wrong),
        }
    }

    fn straight(rounding: Rounding) -> Self {
        Self::Points {
            rounding,
            points: Vec::new(),
            index: HashMap::new(),
        }
    }

    fn named(given: pb::AllocationMatrixTravel, at: &Path<'_>, wrong: &mut Mistakes) -> Self {
        let pb::AllocationMatrixTravel {
            location_ids,
            durations_us,
            costs_micro,
        } = given;
        let locations = location_ids.len();
        let mut ids = Ids::default();
        read_each(location_ids, &at.field("location_ids"), |id, at| {
            ids.take(at, id, wrong);
        });
        let travel = Travel {
            locations,
            durations_us,
            costs_micro: (!costs_micro.is_empty()).then_some(costs_micro),
            lines: None,
        };
        Self::Named { travel, ids }
    }

    /// Index of a place; 0 when it could not be read.
    pub(super) fn place(
        &mut self,
        given: pb::AllocationPlace,
        at: &Path<'_>,
        wrong: &mut Mistakes,
    ) -> usize {
        use pb::allocation_place::At;
        let pb::AllocationPlace { at: place } = given;
        match (self, place) {
            (_, None) => 0,
            (Self::Points { points, index, .. }, Some(At::Point(given))) => {
                // Adding 0 makes 0 of -0: the same place.
                let point = (given.x + 0.0, given.y + 0.0);
                let key = (point.0.to_bits(), point.1.to_bits());
                *index.entry(key).or_insert_with(|| {
                    points.push(point);
                    points.len() - 1
                })
            }
            (Self::Named { ids, .. }, Some(At::LocationId(id))) => {
                ids.find(&at.field("location_id"), &id, wrong).unwrap_or(0)
            }
            (Self::Points { .. }, Some(At::LocationId(_))) => {
                let why = "names a location, but travel is Euclidean: give a point";
                wrong.add(at, Code::PlaceKind, why);
                0
            }
            (Self::Named { .. }, Some(At::Point(_))) => {
                let why = "is a point, but travel is a matrix: give a location_id";
                wrong.add(at, Code::PlaceKind, why);
                0
            }
        }
    }

    pub(super) fn into_travel(self) -> (Travel, Vec<String>) {
        match self {
            Self::Points {
                rounding, points, ..
            } => (Travel::euclidean(&points, rounding), Vec::new()),
            Self::Named { travel, ids } => (travel, ids.into_list()),
        }
    }
}

fn rule(given: pb::AllocationDistanceRounding) -> Rounding {
    use pb::AllocationDistanceRounding as Rule;
    match given {
        Rule::Unspecified | Rule::Exact => Rounding::Exact,
        Rule::OneDecimalDown => Rounding::OneDecimalDown,
        Rule::IntegerDown => Rounding::IntegerDown,
        Rule::IntegerNearest => Rounding::IntegerNearest,
    }
}
