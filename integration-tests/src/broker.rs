//! A real NATS as a process of its own.

use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where it is looked for; Debian has it on no path of people who are not root.
const PROGRAMS: [&str; 3] = [
    "nats-server",
    "/usr/sbin/nats-server",
    "/usr/local/bin/nats-server",
];

/// A NATS with JetStream on a free port, which asks for a user and a password; gone at the end.
pub struct Broker {
    folder: PathBuf,
    port: u16,
    child: Child,
}

impl Broker {
    /// Who it lets in: name and password.
    pub const USER: (&str, &str) = ("ann", "s3cret!");

    /// Starts a broker. Where there is no such program, prints that and returns `None`.
    /// `STRATAGEM_NATS_SERVER` may name the program.
    ///
    /// # Panics
    /// When the program is there and does not start.
    #[must_use]
    pub fn start() -> Option<Self> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let own = std::env::var("STRATAGEM_NATS_SERVER").ok();
        let programs = own.into_iter().chain(PROGRAMS.map(String::from));
        let is_there = |program: &String| {
            let mut version = Command::new(program);
            version
                .arg("--version")
                .stdout(Stdio::null())
                .status()
                .is_ok()
        };
        let Some(program) = programs.into_iter().find(is_there) else {
            eprintln!("skipped: there is no nats-server");
            return None;
        };
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("stratagem-service-nats-{}-{next}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = free.local_addr().expect("it is bound").port();
        drop(free);
        let (user, password) = Self::USER;
        let child = Command::new(program)
            .args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"])
            .arg(&folder)
            .args(["--user", user, "--pass", password])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the broker starts");
        Some(Self {
            folder,
            port,
            child,
        })
    }

    /// Its address, with this password, percent-encoded.
    #[must_use]
    pub fn url(&self, password: &str) -> String {
        let (user, port) = (Self::USER.0, self.port);
        format!("nats://{user}:{password}@127.0.0.1:{port}")
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        // All may fail when it has ended already; the folder is in that for what may be lost.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
