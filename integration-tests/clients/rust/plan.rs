//! Plans with `tonic`, as docs/clients.md advises.
//!
//! Usage: plan ADDRESS [FILE OF AUTHORITIES, TOKEN]

use std::error::Error;
use std::time::Duration;
use stratagem_proto::v1::allocation_place::At;
use stratagem_proto::v1::allocation_service_client::AllocationServiceClient;
use stratagem_proto::v1::{
    AllocateTasksRequest, AllocateTasksResponse, AllocationAgent, AllocationPlace, AllocationPoint,
    AllocationProblem, AllocationTask,
};
use tokio::time::{Instant, sleep};
use tonic::metadata::AsciiMetadataValue;
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint};
use tonic::{Code, Request, Status};

type Client = AllocationServiceClient<InterceptedService<Channel, Bearer>>;

const ATTEMPTS_MAX: u32 = 5;

/// The token of each call, where the server needs one.
#[derive(Clone)]
struct Bearer(Option<AsciiMetadataValue>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            request
                .metadata_mut()
                .insert("authorization", value.clone());
        }
        Ok(request)
    }
}

/// One for the whole process; clones share it.
fn connect(address: String, ca: Option<&str>, bearer: Bearer) -> Result<Client, Box<dyn Error>> {
    let mut endpoint = Endpoint::from_shared(address)?
        .connect_timeout(Duration::from_secs(1))
        .http2_keep_alive_interval(Duration::from_secs(30))
        .keep_alive_timeout(Duration::from_secs(10))
        .keep_alive_while_idle(true);
    if let Some(file) = ca {
        let authorities = Certificate::from_pem(std::fs::read(file)?);
        endpoint = endpoint.tls_config(ClientTlsConfig::new().ca_certificate(authorities))?;
    }
    let client = AllocationServiceClient::with_interceptor(endpoint.connect_lazy(), bearer);
    Ok(client.max_decoding_message_size(64 << 20))
}

/// The best plan that is found within a time, and what is known about it.
async fn plan(
    client: &mut Client,
    problem: AllocationProblem,
    time: Duration,
) -> Result<AllocateTasksResponse, Status> {
    let end = Instant::now() + time;
    let message = AllocateTasksRequest {
        problem: Some(problem),
        options: None,
    };
    let mut attempts = 0;
    loop {
        attempts += 1;
        let mut request = Request::new(message.clone());
        request.set_timeout(end.saturating_duration_since(Instant::now()));
        let status = match client.allocate_tasks(request).await {
            Ok(answer) => return Ok(answer.into_inner()),
            Err(status) => status,
        };
        let pause = pause(&status, attempts);
        match status.code() {
            Code::Unavailable if attempts < ATTEMPTS_MAX && Instant::now() + pause < end => {
                sleep(pause).await;
            }
            // Our own timer.
            Code::Cancelled if Instant::now() >= end => {
                return Err(Status::deadline_exceeded("no answer in time"));
            }
            _ => return Err(status),
        }
    }
}

/// What the server advises, else 50 ms and twice as long each time.
fn pause(status: &Status, attempts: u32) -> Duration {
    let advice = status.metadata().get("grpc-retry-pushback-ms");
    let advice = advice.and_then(|value| value.to_str().ok()?.parse().ok());
    Duration::from_millis(advice.unwrap_or(25 << attempts))
}

fn place(x: f64, y: f64) -> Option<AllocationPlace> {
    let at = Some(At::Point(AllocationPoint { x, y }));
    Some(AllocationPlace { at })
}

/// A scout that opens a gate.
fn problem() -> AllocationProblem {
    let scout = AllocationAgent {
        id: "scout".into(),
        start: place(0.0, 0.0),
        ..AllocationAgent::default()
    };
    let gate = AllocationTask {
        id: "gate".into(),
        place: place(3.0, 4.0),
        ..AllocationTask::default()
    };
    AllocationProblem {
        agents: vec![scout],
        tasks: vec![gate],
        ..AllocationProblem::default()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let address = words.first().ok_or("usage: plan ADDRESS [CA, TOKEN]")?;
    let bearer = words.get(2).map(|token| format!("Bearer {token}").parse());
    let ca = words.get(1).map(String::as_str);
    let mut client = connect(address.clone(), ca, Bearer(bearer.transpose()?))?;
    let answer = plan(&mut client, problem(), Duration::from_millis(250)).await?;
    println!("{:?}", answer.report.map(|report| report.status()));
    Ok(())
}
