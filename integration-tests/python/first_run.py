"""./demo on machines that lack something: each time one error that says what to do, and no trace of a build.

Everything outside of the scripts is a stub, found first or alone on the PATH.
"""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from stage import PATIENCE_S, ROOT

# What the scripts may use of any Debian.
BASE = (
    "awk basename bash cat cut date df dirname du env grep head id mkdir mktemp paste rm sed sleep sort "
    "tail tr uname wc"
).split()
RUSTC = """case $1 in
  --version) echo "rustc 1.95.0 (abc 2026-04-14)" ;;
  *) echo "host: x86_64-unknown-linux-gnu" ;;
esac"""
CARGO = """case $1 in
  metadata) echo '{"target_directory":"'"$PWD"'/target"}' ;;
  fetch) %s ;;
  build) %s ;;
esac"""


class FirstRun(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="stratagem-first-run-")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.programs = self.folder / "bin"
        self.programs.mkdir()
        for name in BASE:
            (self.programs / name).symlink_to(shutil.which(name))
        # A copy, so that no build of this tree plays a part.
        self.tree = self.folder / "tree"
        shutil.copytree(ROOT / "scripts", self.tree / "scripts")
        shutil.copy(ROOT / "demo", self.tree)
        self.stub("rustc", RUSTC)
        self.stub("cargo", CARGO % (":", "exit 1"))
        self.stub("cc", "echo cc 12")

    def stub(self, name, script):
        path = self.programs / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)

    def fails(self, *words):
        """./demo ends with one error, which has these words."""
        env = {"PATH": str(self.programs), "HOME": str(self.folder)}
        run = subprocess.run(
            ["bash", "./demo"], cwd=self.tree, env=env, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        output = run.stdout + run.stderr
        self.assertEqual(run.returncode, 1, output)
        errors = [line for line in output.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(errors), 1, output)
        for word in words:
            self.assertIn(word, errors[0])

    def test_without_cargo(self):
        (self.programs / "cargo").unlink()
        self.fails("no cargo", "https://rustup.rs")

    def test_with_an_old_toolchain(self):
        self.stub("rustc", "echo rustc 1.80.1")
        self.fails("rustc 1.80.1 is too old", "rustup update stable")

    def test_with_rustup_and_no_toolchain(self):
        self.stub("rustc", "echo no toolchain is chosen >&2; exit 1")
        self.fails("no toolchain is chosen", "rustup default stable")

    def test_without_apt(self):
        (self.programs / "cc").unlink()
        self.fails("there is no apt-get", "install gcc libc6-dev and start again")

    def test_without_root(self):
        (self.programs / "cc").unlink()
        self.stub("apt-get", ":")
        self.stub("id", "echo 1000")
        self.fails("neither root nor sudo", "install gcc libc6-dev and start again")

    def test_apt_without_a_network(self):
        (self.programs / "cc").unlink()
        self.stub("apt-get", 'echo "E: Could not resolve deb.example" >&2; exit 100')
        self.stub("id", "echo 0")
        self.fails("Could not resolve deb.example", "try again when the network is back")

    def test_cargo_without_a_network(self):
        self.stub("cargo", CARGO % ('printf "error: no\\n\\nCaused by:\\n  no route to host\\n" >&2; exit 101', ":"))
        self.fails("no route to host", "start again when the network is back")

    def test_with_little_room(self):
        self.stub("df", "echo x; echo dev 100 0 204800 0% /")
        self.fails("200 MB of disk are free", "make room")

    def test_with_a_disk_that_fills_up(self):
        self.stub("cargo", CARGO % (":", 'echo "error: No space left on device" >&2; exit 101'))
        self.fails("the disk is full", "make room and start again")


if __name__ == "__main__":
    unittest.main(verbosity=2)
