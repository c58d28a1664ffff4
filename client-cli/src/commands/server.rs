//! `server info`, `server check`, `server limits`.

use crate::args::{ConnectionArgs, OutputFormat, ServerCommand};
use crate::connect::{Connection, MESSAGE_BYTES_MAX};
use crate::exit::{Exit, Failure};
use crate::output::{self, Display, Style, server as tables};
use std::time::Instant;
use stratagem_proto::v1::{
    GetServerInfoRequest, GetServerInfoResponse, MethodInfo,
    server_service_client::ServerServiceClient,
};
use stratagem_render::time::span_text;
use tonic::Code;
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

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
        ServerCommand::Check { service } => check(&connection, service, display).await,
    }
}

async fn ask(connection: &Connection) -> Result<GetServerInfoResponse, Failure> {
    let mut client =
        ServerServiceClient::new(connection.channel()).max_decoding_message_size(MESSAGE_BYTES_MAX);
    connection
        .quick(client.get_server_info(GetServerInfoRequest {}))
        .await
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

async fn check(
    connection: &Connection,
    service: String,
    display: &Display,
) -> Result<Exit, Failure> {
    let mut client = HealthClient::new(connection.channel());
    let began = Instant::now();
    let answer = connection
        .quick(client.check(HealthCheckRequest { service }))
        .await?;
    let took = span_text(began.elapsed().as_micros() as i64);
    let status = answer.status();
    let serving = status == ServingStatus::Serving;
    let (name, address) = (status.as_str_name(), &connection.address);
    let text = match display.format() {
        OutputFormat::Table => {
            let style = if serving { Style::Good } else { Style::Bad };
            format!(
                "{}: {address} answered in {took}\n",
                display.styled(style, name)
            )
        }
        OutputFormat::Yaml => format!("status: {name}\n"),
        _ => format!("{{\"status\":\"{name}\"}}\n"),
    };
    output::print(&text)?;
    Ok(if serving {
        Exit::OK
    } else {
        Exit::of_code(Code::Unavailable)
    })
}
