//! Makes the server's stubs, whose messages are those of `stratagem-proto`.

use prost::Message as _;
use prost_types::FileDescriptorSet;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    // Set by the build script of `stratagem-proto`, which compiles the protos.
    let path = env::var("DEP_STRATAGEM_PROTO_DESCRIPTORS")?;
    println!("cargo::rerun-if-changed={path}");
    let bytes = fs::read(path)?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    // Set by that of `stratagem-wire`.
    let services = env::var("DEP_STRATAGEM_WIRE_SERVICES")?;
    println!("cargo::rerun-if-changed={services}");
    fs::copy(services, out.join("services.rs"))?;
    let mut all = FileDescriptorSet::decode(bytes.as_slice())?;
    all.file.retain(|file| file.package() != "buf.validate");
    let mut stubs = tonic_prost_build::configure()
        .build_client(false)
        .codec_path("crate::codec::Raw");
    for name in messages(&all) {
        let message = format!("::stratagem_proto::v1::{name}");
        let encoded = format!("crate::codec::Encoded<{message}>");
        stubs = stubs.extern_path(format!(".stratagem.v1.{name}"), encoded);
    }
    stubs
        .extern_path(".stratagem.v1", "::stratagem_proto::v1")
        .compile_fds(all)?;
    // Embedding a folder does not notice new files.
    println!("cargo::rerun-if-changed=playground");
    Ok(())
}

/// Names of the messages that methods take and give: the stubs carry them as bytes.
fn messages(all: &FileDescriptorSet) -> BTreeSet<String> {
    let services = all.file.iter().flat_map(|file| &file.service);
    let methods = services.flat_map(|service| &service.method);
    let types = methods.flat_map(|method| [method.input_type(), method.output_type()]);
    let names = types.filter_map(|name| name.strip_prefix(".stratagem.v1."));
    names.map(str::to_owned).collect()
}
