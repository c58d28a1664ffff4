//! The program `stratagem`; everything is in the library.

fn main() -> std::process::ExitCode {
    stratagem_cli::main()
}
