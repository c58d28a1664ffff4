//! Calls of methods that are known by their descriptors alone.

use crate::connect::{Connection, MESSAGE_BYTES_MAX};
use crate::exit::{Exit, Failure};
use crate::formats::reflect::path;
use bytes::{Buf as _, BufMut as _, Bytes};
use prost::Message as _;
use prost_reflect::{DynamicMessage, MethodDescriptor};
use tonic::client::Grpc;
use tonic::codec::{BufferSettings, Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::{Request, Status};

/// Calls a unary method that takes no time.
///
/// # Errors
/// Those of the call; an answer that is no message of the method.
pub(super) async fn quick(
    connection: &Connection,
    method: &MethodDescriptor,
    request: &DynamicMessage,
) -> Result<DynamicMessage, Failure> {
    let mut client = Grpc::new(connection.channel()).max_decoding_message_size(MESSAGE_BYTES_MAX);
    let call = async {
        let ready = client.ready().await;
        ready.map_err(|e| Status::unavailable(e.to_string()))?;
        let request = Request::new(request.encode_to_vec().into());
        client.unary(request, path(method), Raw).await
    };
    let answer = connection.quick(call).await?;
    let answer = DynamicMessage::decode(method.output(), answer);
    answer.map_err(|e| Failure::new(Exit::IO, format!("the server's answer: {e}")))
}

/// Messages as their bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw;

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
