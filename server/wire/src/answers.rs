//! What the responses of methods that search have in common.

use prost::Message;
use stratagem_proto::v1 as pb;

/// The response of a method that searches.
pub trait Answer: Message + Default + Clone + PartialEq + 'static {
    /// Its field `report`.
    fn report_field(&mut self) -> &mut Option<pb::SolveReport>;

    /// Its report; every answer of ours has one.
    fn report_mut(&mut self) -> &mut pb::SolveReport {
        self.report_field().get_or_insert_default()
    }
}

/// A response that a stream has, too.
pub trait Stepped: Answer {
    /// Its field `event`.
    fn event_field(&mut self) -> &mut Option<pb::SolveEvent>;
}

// Messages share no trait but those of their encoding: by the build script, from the fields of
// responses.
include!(concat!(env!("OUT_DIR"), "/answers.rs"));
