//! The contract of Stratagem: messages and clients of `stratagem.v1`, its descriptors, its
//! examples.
//!
//! No logic lives here. The comments of the `.proto` files are the documentation.

/// Messages and clients of package `stratagem.v1`.
pub mod v1 {
    #![expect(
        clippy::all,
        clippy::allow_attributes_without_reason,
        reason = "generated"
    )]
    tonic::include_proto!("stratagem.v1");
}

/// Encoded `google.protobuf.FileDescriptorSet` of all protos and their imports, without comments.
pub const DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptor.bin"));

/// Like [`DESCRIPTOR_SET`], with comments (source info).
pub const DOCUMENTED_DESCRIPTOR_SET: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/documented.bin"));

/// A problem that comes with Stratagem: a file of `proto/examples`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// Planner it is for, as in `allocation`: which message of the union `Problem` the JSON is of.
    pub planner: &'static str,
    /// Unique name, as in `allocation/raid`.
    pub name: &'static str,
    /// The planner's problem message (for `allocation` an `AllocationProblem`), as proto3 JSON.
    pub json: &'static str,
}

/// All examples, in the order of their names.
pub const EXAMPLES: &[Example] = include!(concat!(env!("OUT_DIR"), "/examples.rs"));

/// Name of a gRPC code as in the specification of gRPC, the contract and docs/reference/errors.md.
#[must_use]
pub fn code_name(code: tonic::Code) -> &'static str {
    use tonic::Code;
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}
