//! Makes the server's stubs; messages are those of `stratagem-proto`.

use prost::Message as _;
use prost_types::FileDescriptorSet;
use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    // Set by the build script of `stratagem-proto`, which compiles the protos.
    let path = env::var("DEP_STRATAGEM_PROTO_DESCRIPTORS")?;
    println!("cargo::rerun-if-changed={path}");
    let all = FileDescriptorSet::decode(fs::read(path)?.as_slice())?;
    tonic_prost_build::configure()
        .build_client(false)
        .extern_path(".stratagem.v1", "::stratagem_proto::v1")
        .codec_path("crate::codec::Weighed")
        .compile_fds(all)?;
    Ok(())
}
