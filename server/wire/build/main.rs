//! Makes what follows from the contract: checks of fields, the methods, and what their responses
//! have in common.

mod methods;
mod rules;

use prost_reflect::DescriptorPool;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    // Set by the build script of `stratagem-proto`, which compiles the protos.
    let path = env::var("DEP_STRATAGEM_PROTO_DESCRIPTORS")?;
    println!("cargo::rerun-if-changed={path}");
    let pool = DescriptorPool::decode(fs::read(path)?.as_slice())?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("checks.rs"), rules::checks(&pool)?)?;
    fs::write(out.join("answers.rs"), answers(&pool)?)?;
    let code = methods::methods(&pool)?;
    fs::write(out.join("methods.rs"), code.contract)?;
    let services = out.join("services.rs");
    fs::write(&services, code.services)?;
    // The build script of the service finds it as DEP_STRATAGEM_WIRE_SERVICES.
    println!("cargo::metadata=services={}", services.display());
    Ok(())
}

/// Rust code: the traits of the responses that have a report, and of those that have an event, too.
fn answers(pool: &DescriptorPool) -> Result<String, std::fmt::Error> {
    let mut code = String::new();
    for message in pool.all_messages() {
        let name = message.name();
        if !name.ends_with("Response") || message.get_field_by_name("report").is_none() {
            continue;
        }
        let mut answer = |of: &str, field: &str, kind: &str| {
            writeln!(
                code,
                "impl {of} for pb::{name} {{\n\
                 fn {field}_field(&mut self) -> &mut Option<pb::{kind}> {{\n\
                 &mut self.{field}\n}}\n}}"
            )
        };
        answer("Answer", "report", "SolveReport")?;
        if message.get_field_by_name("event").is_some() {
            answer("Stepped", "event", "SolveEvent")?;
        }
    }
    Ok(code)
}
