//! `validate`.

use crate::args::{ConnectionArgs, OutputFormat, ValidateArgs};
use crate::call;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::input::{self, Kind};
use crate::network::has_teammates;
use crate::output::{self, Display, Style};
use crate::reflect;
use formats::messages;
use prost_reflect::{
    DynamicMessage, MessageDescriptor, MethodDescriptor, ReflectMessage as _, Value,
};
use stratagem_proto::v1::SolveOptions;

/// Reads a problem and has the server check it.
pub(super) async fn run(
    args: &ValidateArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let problem = input::problem(&args.problem.file, args.foreign, server).await?;
    let message = messages::of_problem(&problem);
    let method = method(&problem, &message.descriptor());
    let (answer, verdict) = if args.offline {
        (DynamicMessage::new(method.output()), "readable")
    } else {
        let connection = Connection::open(server).await?;
        let options = SolveOptions {
            validate_only: true,
            ..SolveOptions::default()
        };
        let mut request = reflect::request(&method, message);
        let options = Value::Message(messages::described(&options));
        request.set_field_by_name("options", options);
        (
            call::quick_dynamic(&connection, &method, &request).await?,
            "valid",
        )
    };
    if display.format() == OutputFormat::Table {
        let verdict = display.styled(Style::Good, verdict);
        let size = output::size::size(&messages::of_problem(&problem));
        output::print(&format!("{verdict}: {size}\n"))?;
    } else {
        output::dynamic(display.format(), &answer)?;
    }
    Ok(Exit::OK)
}

/// The method that checks a problem: its planner's first, but another for networks without
/// teammates.
fn method(problem: &Kind, message: &MessageDescriptor) -> MethodDescriptor {
    let more = match problem {
        Kind::Temporal(network) if !has_teammates(network) => {
            reflect::method("stratagem.v1.TemporalService/CheckControllability")
        }
        _ => None,
    };
    more.unwrap_or_else(|| reflect::first_method(message))
}
