//! The methods of planners and of problems in general, from the contract: a type for each, the
//! services that have them, and lists over planners, methods and jobs.

use super::rules::{camel, snake};
use prost_reflect::{DescriptorPool, MethodDescriptor, ServiceDescriptor};
use std::error::Error;
use std::fmt::{self, Write as _};

/// Services whose methods need more than their message, and are written by hand.
const BY_HAND: [&str; 3] = ["JobService", "ServerService", "SessionService"];

/// How a method is answered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It searches: its response has a report.
    Search,
    /// It is answered immediately.
    Question,
    /// It is streamed, and searches nothing.
    Game,
}

/// A method, which may also be streamed under another name.
struct Method {
    /// The unary one, or the only one.
    one: MethodDescriptor,
    /// The streamed one, which may be the same.
    stream: Option<MethodDescriptor>,
    role: Role,
}

/// Rust code about the methods.
#[derive(Default)]
pub(super) struct Code {
    /// For `contract.rs`.
    pub contract: String,
    /// For the service: its implementations of the generated services.
    pub services: String,
}

/// Reads the methods from the contract.
pub(super) fn methods(pool: &DescriptorPool) -> Result<Code, Box<dyn Error>> {
    let mut code = Code::default();
    let mut services: Vec<_> = pool.services().collect();
    services.sort_by(|a, b| a.full_name().cmp(b.full_name()));
    let names = services.iter().map(|service| service.full_name());
    writeln!(
        code.contract,
        "/// Names of all services, whose health is reported.\n\
         pub const SERVICES: &[&str] = &{:?};",
        names.collect::<Vec<_>>()
    )?;
    let generic = services.iter().filter(|one| !BY_HAND.contains(&one.name()));
    let mut all = Vec::new();
    for service in generic.clone() {
        let methods = methods_of(service);
        for method in &methods {
            method_type(&mut code.contract, method)?;
        }
        service_impl(&mut code.services, service, &methods)?;
        all.extend(methods);
    }
    let services = &mut code.services;
    list(services, "each_service", generic, |service, code| {
        let name = service.name();
        write!(code, "{}_server::{name}Server", snake(name))
    })?;
    writeln!(services, "pub(crate) use each_service;")?;
    let contract = &mut code.contract;
    shared_list(contract, "each_method", &all, |method, code| {
        let kind = match (method.role, &method.stream) {
            (Role::Search, None) => "unary",
            (Role::Search, Some(stream)) if *stream == method.one => "streamed",
            (Role::Search, Some(_)) => "both",
            (Role::Question, _) => "question",
            (Role::Game, _) => "game",
        };
        write!(code, "{}: {kind}", method.one.name())
    })?;
    unions(contract, pool, &all)?;
    Ok(code)
}

/// The lists of jobs and of planners: the members of the unions of requests and of problems.
fn unions(code: &mut String, pool: &DescriptorPool, all: &[Method]) -> Result<(), Box<dyn Error>> {
    let fields = |message: &str| {
        let message = pool.get_message_by_name(&format!("stratagem.v1.{message}"));
        let fields = message.map(|message| message.fields().collect::<Vec<_>>());
        fields.unwrap_or_default()
    };
    let mut jobs = Vec::new();
    for field in fields("JobRequest") {
        let is_it =
            |one: &&Method| one.role == Role::Search && one.one.name() == camel(field.name());
        let method = all.iter().find(is_it);
        let method =
            method.ok_or_else(|| format!("{}: no method that searches", field.full_name()))?;
        jobs.push((field, &method.one));
    }
    shared_list(code, "each_job", &jobs, |(field, method), code| {
        let resumed = if continues(method) { ", resumed" } else { "" };
        let name = field.name();
        write!(code, "{}: {name:?}{resumed}", method.name())
    })?;
    shared_list(code, "each_plan", &fields("AnyPlan"), |field, code| {
        let kind = field.kind();
        let message = kind.as_message().ok_or(fmt::Error)?;
        write!(code, "{}: {}", camel(field.name()), message.name())
    })?;
    shared_list(
        code,
        "each_planner",
        &fields("AnyProblem"),
        |field, code| {
            let name = field.name();
            write!(code, "{name}: {}, {name:?}", camel(name))
        },
    )?;
    Ok(())
}

/// The methods of a service; a method and its stream are one.
fn methods_of(service: &ServiceDescriptor) -> Vec<Method> {
    let find = |name: &str| service.methods().find(|method| method.name() == name);
    let is_stream_of_another = |method: &MethodDescriptor| {
        let plain = method.name().strip_prefix("Stream");
        plain.is_some_and(|plain| find(plain).is_some())
    };
    let methods = service.methods().filter(|one| !is_stream_of_another(one));
    let method = |one: MethodDescriptor| {
        let searches = one.output().get_field_by_name("report").is_some();
        let (role, stream) = match (searches, one.is_server_streaming()) {
            (true, true) => (Role::Search, Some(one.clone())),
            (true, false) => (Role::Search, find(&format!("Stream{}", one.name()))),
            (false, true) => (Role::Game, Some(one.clone())),
            (false, false) => (Role::Question, None),
        };
        Method { one, stream, role }
    };
    methods.map(method).collect()
}

/// Whether a job can begin with the plan that it found before: request and response have it in the
/// same form.
fn continues(method: &MethodDescriptor) -> bool {
    let found = method.output().get_field_by_name("plan");
    let previous = method.input().get_field_by_name("previous_plan");
    found.is_some() && found.map(|it| it.kind()) == previous.map(|it| it.kind())
}

/// The type of a method.
fn method_type(code: &mut String, method: &Method) -> fmt::Result {
    let (name, one) = (method.one.name(), &method.one);
    let full = path(one);
    writeln!(
        code,
        "/// The method `{name}` of the contract{}.\npub struct {name};\n\
         impl Rpc for {name} {{\nconst NAME: &'static str = {full:?};\n\
         type Request = pb::{};\ntype Answer = pb::{};\n}}",
        match &method.stream {
            Some(stream) if stream != one => ", streamed or not",
            _ => "",
        },
        one.input().name(),
        one.output().name(),
    )?;
    match (&method.stream, method.role) {
        (Some(stream), Role::Search) => writeln!(
            code,
            "impl StreamRpc for {name} {{\nconst STREAM: &'static str = {:?};\n}}",
            path(stream)
        ),
        _ => Ok(()),
    }
}

/// The service: each method by its kind.
fn service_impl(code: &mut String, service: &ServiceDescriptor, methods: &[Method]) -> fmt::Result {
    let name = service.name();
    writeln!(
        code,
        "#[tonic::async_trait]\nimpl stubs::{}_server::{name} for Parts {{",
        snake(name)
    )?;
    for method in methods {
        let kind = method.one.name();
        let stream = match method.role {
            Role::Game => ("play", format!("Plays<{kind}>")),
            _ => ("stream", format!("Updates<{kind}>")),
        };
        let unary = match method.role {
            Role::Question => "question",
            _ => "unary",
        };
        if let Some(streamed) = &method.stream {
            let (call, messages) = stream;
            writeln!(code, "type {}Stream = {messages};", streamed.name())?;
            function(code, streamed, &messages, &format!("{call}::<{kind}>"))?;
        }
        if method.stream.as_ref() != Some(&method.one) {
            let answer = format!("Encoded<pb::{}>", method.one.output().name());
            function(code, &method.one, &answer, &format!("{unary}::<{kind}>"))?;
        }
    }
    writeln!(code, "}}")
}

fn function(code: &mut String, method: &MethodDescriptor, answer: &str, call: &str) -> fmt::Result {
    writeln!(
        code,
        "async fn {}(&self, request: Request<Encoded<pb::{}>>)\n\
         -> Result<Response<{answer}>, Status> {{\n\
         Parts::{call}(self, request).await\n}}",
        snake(method.name()),
        method.input().name(),
    )
}

/// A macro that calls another with one entry for each item.
fn list<'i, T: 'i>(
    code: &mut String,
    name: &str,
    items: impl IntoIterator<Item = &'i T>,
    entry: impl Fn(&'i T, &mut String) -> fmt::Result,
) -> fmt::Result {
    writeln!(
        code,
        "macro_rules! {name} {{\n($then:ident) => {{ $then! {{"
    )?;
    for item in items {
        entry(item, code)?;
        writeln!(code, ";")?;
    }
    writeln!(code, "}} }};\n}}")
}

/// The same for other crates, too.
fn shared_list<'i, T: 'i>(
    code: &mut String,
    name: &str,
    items: impl IntoIterator<Item = &'i T>,
    entry: impl Fn(&'i T, &mut String) -> fmt::Result,
) -> fmt::Result {
    writeln!(
        code,
        "/// Calls a macro with one entry for each item.\n#[macro_export]"
    )?;
    list(code, name, items, entry)?;
    writeln!(code, "pub use {name};")
}

/// As gRPC names it: `stratagem.v1.StoryService/VaryStories`.
fn path(method: &MethodDescriptor) -> String {
    format!("{}/{}", method.parent_service().full_name(), method.name())
}
