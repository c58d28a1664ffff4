//! Programs on a terminal.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::binaries::cli;
use stratagem_integration_tests::command_line::without_settings;
use stratagem_integration_tests::patience::eventually;

/// A terminal with a program on it: keys in, what is painted out.
pub(crate) struct Terminal {
    keys: File,
    painted: Arc<Mutex<String>>,
    program: Child,
}

impl Terminal {
    pub(crate) fn new(server: &Server, line: &[&str]) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let size = Winsize {
            ws_row: 60,
            ws_col: 120,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&ours, size).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap();
        let mut open = OpenOptions::new();
        let theirs = open.read(true).write(true).open(name.to_str().unwrap());
        let theirs = theirs.unwrap();
        let end = || Stdio::from(theirs.try_clone().unwrap());
        let program = without_settings(Command::new(cli()))
            .args(line)
            .env("STRATAGEM_ADDRESS", format!("http://{}", server.address))
            .env("TERM", "xterm-256color")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        let keys = File::from(ours);
        let painted = Arc::new(Mutex::new(String::new()));
        let (mut screen, seen) = (keys.try_clone().unwrap(), Arc::clone(&painted));
        std::thread::spawn(move || {
            let mut bytes = [0; 4_096];
            // Ends with an error when the program has closed its end.
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..count]);
                seen.lock().unwrap().push_str(&text);
            }
        });
        Self {
            keys,
            painted,
            program,
        }
    }

    /// Presses a key; what was painted before is forgotten.
    pub(crate) fn press(&mut self, key: &str) {
        self.painted.lock().unwrap().clear();
        self.keys.write_all(key.as_bytes()).unwrap();
    }

    /// Waits until all of these have been painted.
    pub(crate) async fn shows(&self, parts: &[&str]) {
        eventually(&format!("the terminal shows {parts:?}"), async || {
            let painted = self.painted.lock().unwrap();
            parts
                .iter()
                .all(|part| painted.contains(part))
                .then_some(())
        })
        .await;
    }

    /// Waits until the program has ended; its exit code.
    pub(crate) async fn ended(&mut self) -> Option<i32> {
        let ended = eventually("the program has ended", async || {
            self.program.try_wait().unwrap()
        });
        ended.await.code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
