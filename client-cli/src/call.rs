//! Calls of methods, which the contract finds by their requests.

use crate::connect::{Channel, Connection, MESSAGE_BYTES_MAX};
use crate::exit::{Exit, Failure};
use crate::reflect;
use bytes::{Buf as _, BufMut as _, Bytes};
use formats::{Described, messages};
use prost::Message;
use prost_reflect::{DynamicMessage, MethodDescriptor};
use std::time::Duration;
use tonic::client::Grpc;
use tonic::codec::{BufferSettings, Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::{Request, Response, Status, Streaming};

/// Calls the method that takes such requests, and that takes no time.
///
/// # Errors
/// Those of the call; an answer that is no message of the method.
pub(crate) async fn quick<Q: Described, A: Described>(
    connection: &Connection,
    request: &Q,
) -> Result<A, Failure> {
    let method = reflect::method_for::<Q>(false);
    let answer = quick_dynamic(connection, &method, &messages::described(request)).await?;
    Ok(messages::typed(&answer))
}

/// The same of a method and a request of any type.
pub(crate) async fn quick_dynamic(
    connection: &Connection,
    method: &MethodDescriptor,
    request: &DynamicMessage,
) -> Result<DynamicMessage, Failure> {
    let request = Request::new(request.encode_to_vec().into());
    let answer = connection.quick(unary(connection, method, request)).await?;
    DynamicMessage::decode(method.output(), answer).map_err(|e| unreadable(&e))
}

/// The failure of a server whose answer is no message of the method.
pub(crate) fn unreadable(error: &prost::DecodeError) -> Failure {
    Failure::new(Exit::IO, format!("the server's answer: {error}"))
}

/// A request with the call's deadline.
pub(crate) fn timed(message: &impl Message, deadline: Duration) -> Request<Bytes> {
    let mut request = Request::new(message.encode_to_vec().into());
    request.set_timeout(deadline);
    request
}

/// Calls a unary method.
pub(crate) async fn unary(
    connection: &Connection,
    method: &MethodDescriptor,
    request: Request<Bytes>,
) -> Result<Response<Bytes>, Status> {
    unary_on(connection.channel(), method, request).await
}

/// The same on an open channel.
pub(crate) async fn unary_on(
    channel: Channel,
    method: &MethodDescriptor,
    request: Request<Bytes>,
) -> Result<Response<Bytes>, Status> {
    let mut client = ready(channel).await?;
    client.unary(request, reflect::path(method), Raw).await
}

/// Calls a method that answers with a stream.
pub(crate) async fn stream(
    connection: &Connection,
    method: &MethodDescriptor,
    request: Request<Bytes>,
) -> Result<Response<Streaming<Bytes>>, Status> {
    let mut client = ready(connection.channel()).await?;
    let path = reflect::path(method);
    client.server_streaming(request, path, Raw).await
}

/// The next message of a stream; `None`: it has ended.
pub(crate) async fn next<A: Message + Default>(
    stream: &mut Streaming<Bytes>,
) -> Result<Option<A>, Status> {
    let message = stream.message().await?.map(A::decode).transpose();
    message.map_err(|e| Status::internal(format!("the server's answer: {e}")))
}

async fn ready(channel: Channel) -> Result<Grpc<Channel>, Status> {
    let mut client = Grpc::new(channel).max_decoding_message_size(MESSAGE_BYTES_MAX);
    let ready = client.ready().await;
    ready.map_err(|e| Status::unavailable(e.to_string()))?;
    Ok(client)
}

/// Messages as their bytes.
#[derive(Debug, Clone, Copy)]
struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        to.put(message);
        Ok(())
    }

    fn buffer_settings(&self) -> BufferSettings {
        BufferSettings::default()
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(from.copy_to_bytes(from.remaining())))
    }

    fn buffer_settings(&self) -> BufferSettings {
        BufferSettings::default()
    }
}
