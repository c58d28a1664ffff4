//! Calls of any method, in JSON, by the descriptors of the contract.

use prost::Message as _;
use prost_reflect::{
    DescriptorPool, DynamicMessage, ExtensionDescriptor, MessageDescriptor, MethodDescriptor,
    SerializeOptions,
};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use stratagem_proto::EXAMPLES;
use stratagem_server::config::{MetricsListen, Span};
use stratagem_server::{Config, Running, serve};
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status, Streaming};

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(stratagem_proto::DESCRIPTOR_SET).expect("descriptors of the contract")
});

/// All methods of planners, in their order in the contract.
pub(crate) fn methods() -> Vec<MethodDescriptor> {
    let services = POOL.services();
    let services = services.filter(|service| planner(service.name()).is_some());
    services
        .flat_map(|service| service.methods().collect::<Vec<_>>())
        .collect()
}

/// The methods that search: with options and a report.
pub(crate) fn searches() -> Vec<MethodDescriptor> {
    let mut all = methods();
    all.retain(|method| {
        let has_options = method.input().get_field_by_name("options").is_some();
        has_options && method.output().get_field_by_name("report").is_some()
    });
    all
}

/// The method of a name, as in `AllocateTasks`.
pub(crate) fn method(name: &str) -> MethodDescriptor {
    let mut all = POOL
        .services()
        .flat_map(|service| service.methods().collect::<Vec<_>>());
    all.find(|method| method.name() == name)
        .unwrap_or_else(|| panic!("there is no method {name}"))
}

/// The planner of a service, as in `allocation` of `AllocationService`.
pub(crate) fn planner(service: &str) -> Option<&'static str> {
    let planner = service.trim_end_matches("Service").to_lowercase();
    let mut all = EXAMPLES.iter().map(|example| example.planner);
    all.find(|name| *name == planner)
}

/// The member of a union (`AnyProblem`, `AnyPlan`, `JobRequest`) that is this message.
pub(crate) fn member(union: &str, message: &MessageDescriptor) -> Option<String> {
    let union = self::message(union);
    let mut fields = union
        .fields()
        .filter(|it| it.kind().as_message() == Some(message));
    fields.next().map(|field| field.name().to_owned())
}

/// An example by its name, as in `patrol/fence`.
pub(crate) fn example(name: &str) -> Value {
    let example = EXAMPLES.iter().find(|example| example.name == name);
    let example = example.unwrap_or_else(|| panic!("there is no example {name}"));
    let field = message("AnyProblem").get_field_by_name(example.planner);
    let kind = field.expect("a problem of each planner").kind();
    let text: Value = serde_json::from_str(example.json).expect("examples are JSON");
    // In the names of the contract, however the file has them.
    document(&read(
        kind.as_message().expect("problems are messages").clone(),
        &text,
    ))
}

fn read(message: MessageDescriptor, value: &Value) -> DynamicMessage {
    let name = message.full_name().to_owned();
    let read = DynamicMessage::deserialize(message, value);
    read.unwrap_or_else(|error| panic!("{name}: {error}: {value}"))
}

pub(crate) fn document(message: &DynamicMessage) -> Value {
    let options = SerializeOptions::new()
        .use_proto_field_name(true)
        .stringify_64_bit_integers(false);
    let value = message.serialize_with_options(serde_json::value::Serializer, &options);
    value.expect("messages are JSON")
}

/// A message of the contract.
pub(crate) fn message(name: &str) -> MessageDescriptor {
    let message = POOL.get_message_by_name(&format!("stratagem.v1.{name}"));
    message.unwrap_or_else(|| panic!("there is no message {name}"))
}

/// An extension of options, as in `buf.validate.field`.
pub(crate) fn extension(name: &str) -> ExtensionDescriptor {
    let mut all = POOL.all_extensions();
    all.find(|it| it.full_name() == name).expect("an extension")
}

/// A server, and a connection to it.
pub(crate) struct Caller {
    server: Option<Running>,
    channel: Channel,
    token: Option<String>,
}

/// Settings of a test: two slots, no answer is kept.
pub(crate) fn settings() -> Config {
    Config {
        listen: ([127, 0, 0, 1], 0).into(),
        metrics_listen: MetricsListen(None),
        slots: 2,
        lame_duck: Span::from_millis(0),
        cache_bytes_max: 0,
        ..Config::default()
    }
}

/// A file for jobs, and one for sessions, that are gone at the end.
pub(crate) struct Place(PathBuf);

impl Place {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("stratagem-contract-{}-{next}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    /// Settings of a server that keeps jobs and sessions there.
    pub(crate) fn settings(&self) -> Config {
        let place = self.0.to_str().expect("names are UTF-8");
        Config {
            jobs: place.parse().expect("a file is a place"),
            ..settings()
        }
    }

    /// A connection to a server that starts after another one with these settings has ended.
    pub(crate) async fn again(config: &Config, before: Caller) -> Caller {
        drop(before);
        let begin = Instant::now();
        loop {
            match serve(config.clone()).await {
                Ok(server) => return Caller::connected(server).await,
                // It has the files for a moment.
                Err(error) => assert!(begin.elapsed().as_secs() < 60, "{error}"),
            }
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        for end in ["", ".sessions"] {
            let mut path = self.0.as_os_str().to_owned();
            path.push(end);
            // It is in the folder for what may be lost.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Caller {
    pub(crate) async fn new(config: Config) -> Self {
        let server = serve(config).await;
        Self::connected(server.expect("free ports can be listened on")).await
    }

    /// A connection to a server.
    async fn connected(server: Running) -> Self {
        let endpoint = Endpoint::from_shared(format!("http://{}", server.address()));
        let channel = endpoint.expect("addresses are good").connect().await;
        let channel = channel.expect("the server listens");
        Self {
            server: Some(server),
            channel,
            token: None,
        }
    }

    /// The same connection with the token of a tenant.
    pub(crate) fn with_token(&self, token: &str) -> Self {
        Self {
            server: None,
            channel: self.channel.clone(),
            token: Some(token.to_owned()),
        }
    }

    /// The server, to be stopped.
    pub(crate) fn take(&mut self) -> Running {
        self.server.take().expect("it was not taken before")
    }

    /// Begins a call.
    pub(crate) async fn begin(
        &self,
        name: &str,
        request: &Value,
    ) -> Result<Streaming<DynamicMessage>, Status> {
        let method = method(name);
        let mut client =
            tonic::client::Grpc::new(self.channel.clone()).max_decoding_message_size(64 << 20);
        client.ready().await.expect("the server listens");
        let path = format!("/{}/{name}", method.parent_service().full_name());
        let mut request = Request::new(read(method.input(), request));
        if let Some(token) = &self.token {
            let bearer = format!("Bearer {token}").parse().expect("tokens are ASCII");
            request.metadata_mut().insert("authorization", bearer);
        }
        let path = path.parse().expect("names are paths");
        let codec = Messages(method.output());
        Ok(client
            .server_streaming(request, path, codec)
            .await?
            .into_inner())
    }

    /// All messages of an answer.
    pub(crate) async fn steps(&self, name: &str, request: &Value) -> Result<Vec<Value>, Status> {
        messages(self.begin(name, request).await?).await
    }

    /// The last message of an answer.
    pub(crate) async fn ask(&self, name: &str, request: &Value) -> Result<Value, Status> {
        let mut steps = self.steps(name, request).await?;
        Ok(steps.pop().expect("an answer has a message"))
    }

    /// The last message of an answer that there has to be.
    pub(crate) async fn answer(&self, name: &str, request: &Value) -> Value {
        let answer = self.ask(name, request).await;
        answer.unwrap_or_else(|status| panic!("{name}: {status:?} to {request}"))
    }

    /// Waits until a number of slots is busy.
    pub(crate) async fn busy(&self, slots: i64) {
        self.until_info("busy_slot_count", &json!(slots)).await;
    }

    /// Waits until a field of the server's information has a value; 0 is absent.
    pub(crate) async fn until_info(&self, field: &str, wanted: &Value) {
        eventually(field, async || {
            let info = self.answer("GetServerInfo", &json!({})).await;
            info.get(field).unwrap_or(&json!(0)) == wanted
        })
        .await;
    }

    /// Waits until a counter has a value.
    pub(crate) async fn until(&self, counter: &str, wanted: f64) {
        eventually(counter, async || self.counted(counter) == wanted).await;
    }

    /// The page of metrics.
    pub(crate) fn page(&self) -> String {
        self.server.as_ref().expect("it is there").metrics()
    }

    /// The sum of a counter, whatever its labels.
    pub(crate) fn counted(&self, counter: &str) -> f64 {
        self.counted_for(counter, "")
    }

    /// The sum of the series of a counter with a label, as in `tenant="one"`.
    pub(crate) fn counted_for(&self, counter: &str, label: &str) -> f64 {
        let page = self.page();
        let lines = page.lines().filter(|line| {
            let rest = line.strip_prefix(counter);
            rest.is_some_and(|rest| rest.starts_with(['{', ' ']) && rest.contains(label))
        });
        let values = lines.filter_map(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok());
        values.sum()
    }
}

/// Waits until something is true; the limit is reached only when something is broken.
async fn eventually(what: &str, probe: impl AsyncFn() -> bool) {
    let begin = Instant::now();
    while !probe().await {
        assert!(begin.elapsed().as_secs() < 120, "still not: {what}");
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
}

/// All messages of a stream.
pub(crate) async fn messages(mut stream: Streaming<DynamicMessage>) -> Result<Vec<Value>, Status> {
    let mut steps = Vec::new();
    while let Some(step) = stream.message().await? {
        steps.push(document(&step));
    }
    Ok(steps)
}

/// Field and code of each mistake of a refusal, as in `problem REQUIRED`.
pub(crate) fn mistakes(status: &Status) -> Vec<String> {
    use tonic_types::StatusExt as _;
    assert_eq!(status.code(), tonic::Code::InvalidArgument, "{status:?}");
    let details = status.get_error_details();
    let info = details.error_info().expect("errors carry an ErrorInfo");
    assert_eq!(
        (info.reason.as_str(), info.domain.as_str()),
        ("INVALID_REQUEST", "stratagem.dev")
    );
    let list = &details
        .bad_request()
        .expect("mistakes are listed")
        .field_violations;
    assert!(list.iter().all(|mistake| !mistake.description.is_empty()));
    let lines = list.iter();
    lines
        .map(|it| format!("{} {}", it.field, it.reason))
        .collect()
}

/// Messages of descriptors; it reads this one.
struct Messages(MessageDescriptor);

impl Codec for Messages {
    type Encode = DynamicMessage;
    type Decode = DynamicMessage;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self(self.0.clone())
    }

    fn decoder(&mut self) -> Self {
        Self(self.0.clone())
    }
}

impl Encoder for Messages {
    type Item = DynamicMessage;
    type Error = Status;

    fn encode(&mut self, item: DynamicMessage, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        item.encode(buffer).expect("buffers grow");
        Ok(())
    }
}

impl Decoder for Messages {
    type Item = DynamicMessage;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<DynamicMessage>, Status> {
        let message = DynamicMessage::decode(self.0.clone(), buffer);
        Ok(Some(message.expect("the server's messages decode")))
    }
}
