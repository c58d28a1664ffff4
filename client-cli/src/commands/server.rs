//! `server info`, `server check`, `server limits`.

mod check;

use crate::args::{ConnectionArgs, OutputFormat, ServerCommand};
use crate::call::quick;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::output::{self, Display, server as tables};
use stratagem_proto::v1::{GetServerInfoRequest, GetServerInfoResponse, MethodInfo};

/// Asks a server about itself.
pub(super) async fn run(
    command: ServerCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let connection = Connection::open(server).await?;
    match command {
        ServerCommand::Info => {
            let info = ask(&connection).await?;
            if !output::message(display.format(), &info)? {
                output::print(&tables::info(display, &connection.address, &info))?;
            }
            Ok(Exit::OK)
        }
        ServerCommand::Limits => {
            let limits = only_limits(ask(&connection).await?);
            match display.format() {
                OutputFormat::Table => output::print(&tables::limits(display, &limits))?,
                OutputFormat::Ndjson => lines(limits)?,
                format => output::message(format, &limits).map(|_| ())?,
            }
            Ok(Exit::OK)
        }
        ServerCommand::Check(args) => check::run(&args, &connection, display).await,
    }
}

async fn ask(connection: &Connection) -> Result<GetServerInfoResponse, Failure> {
    quick(connection, &GetServerInfoRequest {}).await
}

/// The same without what is no limit.
fn only_limits(info: GetServerInfoResponse) -> GetServerInfoResponse {
    let methods = info.methods.into_iter().map(|method| MethodInfo {
        strategies: Vec::new(),
        ..method
    });
    GetServerInfoResponse {
        methods: methods.collect(),
        limits: info.limits,
        ..GetServerInfoResponse::default()
    }
}

/// A line for each method; that of the general limits is called `*`.
fn lines(info: GetServerInfoResponse) -> Result<(), Failure> {
    let general = MethodInfo {
        name: "*".into(),
        limits: info.limits,
        ..MethodInfo::default()
    };
    for method in [general].into_iter().chain(info.methods) {
        output::message(OutputFormat::Ndjson, &method)?;
    }
    Ok(())
}
