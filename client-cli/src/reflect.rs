//! Methods and jobs of the contract through their descriptors.

use formats::messages::{
    Described, POOL, described, descriptor, full_name, member, of_problem, set_field, typed,
};
use prost_reflect::{
    DynamicMessage, FieldDescriptor, MessageDescriptor, MethodDescriptor, ReflectMessage as _,
    ServiceDescriptor, Value,
};
use stratagem_proto::v1::{AnyProblem, JobRequest, SolveOptions, any_problem};
use tonic::codegen::http::uri::PathAndQuery;

/// A method by its full name, as in `stratagem.v1.AllocationService/AllocateTasks`.
pub(crate) fn method(name: &str) -> Option<MethodDescriptor> {
    let (service, method) = name.split_once('/')?;
    let service = POOL.get_service_by_name(service)?;
    service.methods().find(|known| known.name() == method)
}

/// The method that takes such requests, and that answers with a stream or not. Each request belongs
/// to one method, or to a unary one and its stream.
///
/// # Panics
/// Where the contract has no such method: see [`has_stream`].
pub(crate) fn method_for<Q: Described>(streams: bool) -> MethodDescriptor {
    methods::<Q>()
        .find(|method| method.is_server_streaming() == streams)
        .expect("the contract has it")
}

/// Whether a method that takes such requests answers with a stream.
pub(crate) fn has_stream<Q: Described>() -> bool {
    methods::<Q>().any(|method| method.is_server_streaming())
}

fn methods<Q: Described>() -> impl Iterator<Item = MethodDescriptor> {
    let kind = descriptor::<Q>();
    let services = POOL.services();
    let all = services.flat_map(|service| service.methods().collect::<Vec<_>>());
    all.filter(move |method| method.input() == kind)
}

/// The message in a field, if that is set.
pub(crate) fn part<M: Described>(message: &DynamicMessage, field: &str) -> Option<M> {
    if !message.has_field_by_name(field) {
        return None;
    }
    Some(typed(message.get_field_by_name(field)?.as_message()?))
}

/// Whether an answer has a plan, or several.
pub(crate) fn has_plan(answer: &DynamicMessage) -> bool {
    answer.has_field_by_name("plan") || answer.has_field_by_name("plans")
}

/// Whether a request has options of its own.
pub fn has_options(request: &JobRequest) -> bool {
    member(request).is_some_and(|inner| inner.has_field_by_name("options"))
}

/// A request with these options.
pub fn with_options(request: &JobRequest, options: &SolveOptions) -> JobRequest {
    let Some((field, mut inner)) = set_field(request) else {
        return request.clone();
    };
    inner.set_field_by_name("options", Value::Message(described(options)));
    let mut whole = DynamicMessage::new(descriptor::<JobRequest>());
    whole.set_field(&field, Value::Message(inner));
    whole.transcode_to().expect(FITS)
}

/// Full names of the planners' services.
pub(crate) fn planner_services() -> Vec<String> {
    let problems = descriptor::<AnyProblem>();
    let files = problems
        .fields()
        .filter_map(|field| Some(field.kind().as_message()?.parent_file()));
    let services = files.flat_map(|file| file.services().collect::<Vec<_>>());
    services
        .map(|service| service.full_name().to_owned())
        .collect()
}

/// The first method of a problem's planner that can be a job: the one that a job about the problem
/// is a request to.
pub(crate) fn first_method(problem: &MessageDescriptor) -> MethodDescriptor {
    let services: Vec<_> = problem.parent_file().services().collect();
    let mut methods = services.iter().flat_map(ServiceDescriptor::methods);
    let takes = |method: &MethodDescriptor| {
        let field = method.input().get_field_by_name("problem");
        field.is_some_and(|field| field.kind().as_message() == Some(problem))
    };
    methods
        .find(|method| takes(method) && job_field(method).is_some())
        .expect("each planner has one")
}

/// The field of a `JobRequest` that has requests to a method.
fn job_field(method: &MethodDescriptor) -> Option<FieldDescriptor> {
    let fields: Vec<_> = descriptor::<JobRequest>().fields().collect();
    let is_it = |field: &FieldDescriptor| field.kind().as_message() == Some(&method.input());
    fields.into_iter().find(is_it)
}

const FITS: &str = "both are of the very same protos";

/// Where a method is called.
pub(crate) fn path(method: &MethodDescriptor) -> PathAndQuery {
    let path = PathAndQuery::try_from(format!("/{}", full_name(method)));
    path.expect("names are letters and dots")
}

/// A request to a method about a problem, with defaults for all else.
pub(crate) fn request(method: &MethodDescriptor, problem: DynamicMessage) -> DynamicMessage {
    let mut request = DynamicMessage::new(method.input());
    request.set_field_by_name("problem", Value::Message(problem));
    request
}

/// A job about a problem: a request to the first method of its planner.
pub(crate) fn job_about(problem: &any_problem::Kind) -> JobRequest {
    let problem = of_problem(problem);
    let method = first_method(&problem.descriptor());
    let field = job_field(&method).expect("such a method was looked for");
    let mut whole = DynamicMessage::new(descriptor::<JobRequest>());
    whole.set_field(&field, Value::Message(request(&method, problem)));
    whole.transcode_to().expect(FITS)
}

/// Names of the methods that a job can be a request to: the fields of a `JobRequest`, as protos and
/// as JSON have them.
pub fn job_methods() -> impl Iterator<Item = String> {
    let fields: Vec<_> = descriptor::<JobRequest>().fields().collect();
    let names = |field: FieldDescriptor| [field.name().to_owned(), field.json_name().to_owned()];
    fields.into_iter().flat_map(names)
}

#[cfg(test)]
mod tests {
    use super::{first_method, path};
    use stratagem_proto::v1::AnyProblem;

    #[test]
    fn a_problem_is_a_matter_of_the_first_method_of_its_planner() {
        let union = super::descriptor::<AnyProblem>();
        let kinds = union
            .fields()
            .filter_map(|field| field.kind().as_message().cloned());
        let paths: Vec<_> = kinds
            .map(|kind| path(&first_method(&kind)).to_string())
            .collect();
        let wanted = [
            "TemporalService/CheckStrongControllability",
            "NarrativeService/ScheduleNarrative",
            "AllocationService/AllocateTasks",
            "CrewService/AssignCrew",
            "PatrolService/GeneratePatrol",
            "PuzzleService/GeneratePuzzle",
            "HeistService/PlanBurglar",
            "StoryService/GenerateStory",
            "ScheduleService/ScheduleProject",
        ];
        assert_eq!(paths, wanted.map(|it| format!("/stratagem.v1.{it}")));
    }
}
