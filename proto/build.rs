//! Compiles the protos without a protoc, and lists the examples.

use prost::Message as _;
use prost_types::FileDescriptorSet;
use std::{env, error::Error, fmt::Write as _, fs, path::Path, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo:rerun-if-changed=buf");
    println!("cargo:rerun-if-changed=stratagem");
    println!("cargo:rerun-if-changed=examples");
    // Imports for reflection, comments for the documentation of the generated types.
    let bytes = descriptors(&root, true)?;
    let documented = out.join("documented.bin");
    fs::write(&documented, &bytes)?;
    // The server makes its stubs from it: DEP_STRATAGEM_PROTO_DESCRIPTORS.
    println!("cargo::metadata=descriptors={}", documented.display());
    fs::write(out.join("descriptor.bin"), descriptors(&root, false)?)?;
    let mut all = FileDescriptorSet::decode(bytes.as_slice())?;
    // Rules of fields are for the server and for those who read the descriptors.
    all.file.retain(|file| file.package() != "buf.validate");
    let mut config = prost_build::Config::new();
    config.enable_type_names();
    tonic_prost_build::configure()
        .build_server(false)
        .compile_fds_with_config(all, config)?;
    fs::write(out.join("examples.rs"), examples(&root.join("examples"))?)?;
    Ok(())
}

/// The encoded descriptors of all protos and their imports, options included, which
/// [`FileDescriptorSet`] does not keep.
fn descriptors(root: &Path, with_comments: bool) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut compiler = protox::Compiler::new([root])?;
    compiler
        .include_imports(true)
        .include_source_info(with_comments);
    compiler.open_files(sorted(&root.join("stratagem/v1"))?)?;
    Ok(compiler.encode_file_descriptor_set())
}

/// The entries of a folder in a fixed order.
fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = fs::read_dir(folder)?
        .map(|e| Ok(e?.path()))
        .collect::<Result<Vec<_>, std::io::Error>>()?;
    paths.sort();
    Ok(paths)
}

/// A Rust slice of all `examples/<planner>/<name>.json`.
fn examples(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut list = String::from("&[\n");
    for planner in sorted(root)? {
        for file in sorted(&planner)? {
            let stem = |p: &Path| p.file_stem().map(|s| s.to_string_lossy().into_owned());
            let (Some(planner), Some(name)) = (stem(&planner), stem(&file)) else {
                continue;
            };
            writeln!(
                list,
                "Example {{ planner: {planner:?}, name: \"{planner}/{name}\", json: include_str!({file:?}) }},"
            )?;
        }
    }
    list.push(']');
    Ok(list)
}
