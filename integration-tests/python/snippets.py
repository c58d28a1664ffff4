"""The fenced blocks of docs/, run in order against a server: `snippets.py [FOLDER OF node_modules]`.

A block that begins with a comment that is the name of a file is saved under it. Others run: `sh`,
`python`, `typescript` and `csharp` have to succeed, `json` has to be JSON, and of `console` each
command has to print what stands below it, `...` for anything. Blocks of a page share a server, a
folder and, in Python, their names. Only `text` is not looked at.
"""

import contextlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from stage import ROOT, Replica, run

NODE_MODULES = None
DEFAULT_ADDRESS = "127.0.0.1:50051"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.S | re.M)
FILE = re.compile(r"(?:#|//) ([\w-]+\.\w+)\n")
# Pages for operators, whose blocks need machines, and pages that have tests of their own.
ELSEWHERE = """
    benchmarks.md clients.md deployment.md explanation/reliability.md explanation/security.md
    how-to/jobs-in-production.md how-to/observe.md how-to/run-jobs.md how-to/run-on-kubernetes.md
    how-to/tenants-and-quotas.md how-to/tls-and-tokens.md http.md playground.md
    reference/settings.md
""".split()


class Page:
    """A page with its folder, in which it finds the contract and the files of docs/."""

    def __init__(self, path, folder, server):
        self.text = path.read_text().replace(DEFAULT_ADDRESS, server.address)
        self.folder, self.names = folder, {"__name__": "snippet"}
        for name in ("docs", "proto"):
            (folder / name).symlink_to(ROOT / name)
        programs = [os.environ["STRATAGEM_BIN_DIR"], str(Path(sys.executable).parent)]
        self.env = {
            "PATH": os.pathsep.join([*programs, os.environ["PATH"]]),
            "STRATAGEM_ADDRESS": f"http://{server.address}",
        }

    def run(self):
        for language, code in BLOCK.findall(self.text):
            if file := FILE.match(code):
                (self.folder / file[1]).write_text(code)
            elif language != "text":
                getattr(self, f"run_{language}")(code)

    def command(self, *words, check=True):
        env = os.environ | self.env
        return run(words, check, cwd=self.folder, env=env)

    def run_sh(self, code):
        self.command("bash", "-euo", "pipefail", "-c", code)

    def run_console(self, code):
        for part in re.split(r"^\$ ", code, flags=re.M)[1:]:
            command, _, expected = part.partition("\n")
            done = self.command("bash", "-c", f"{{ {command}\n}} 2>&1", check=False)
            pattern = re.escape(expected.strip()).replace(r"\.\.\.", ".*")
            lines = [line.rstrip() for line in done.stdout.splitlines()]
            found = re.fullmatch(pattern, "\n".join(lines).strip(), re.S)
            assert found, f"$ {command}\n{done.stdout}"

    def run_python(self, code):
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, "snippet", "exec"), self.names)  # noqa: S102

    def run_typescript(self, code):
        if NODE_MODULES is None:
            print("SKIPPED: snippets in TypeScript: there is no Node 20, or no packages")
            return
        (self.folder / "snippet.mts").write_text(code)
        (self.folder / "node_modules").symlink_to(NODE_MODULES)
        options = "--strict --target es2022 --module nodenext --types node".split()
        self.command(f"{NODE_MODULES}/.bin/tsc", *options, "snippet.mts")
        self.command("node", "snippet.mjs")

    def run_csharp(self, code):
        if not shutil.which("mcs"):
            print("SKIPPED: snippets in C#: there is no mono-mcs")
            return
        (self.folder / "snippet.cs").write_text(code)
        self.command("mcs", "-r:System.Net.Http", "snippet.cs")
        self.command("mono", "snippet.exe")

    def run_json(self, code):
        json.loads(code)


class Snippets(unittest.TestCase):
    def test_blocks_run(self):
        pages = sorted((ROOT / "docs").rglob("*.md"))
        elsewhere = [ROOT / "docs" / name for name in ELSEWHERE]
        self.assertEqual([page for page in elsewhere if page not in pages], [])
        pages = [page for page in pages if page not in elsewhere]
        self.assertGreater(len(pages), 10)
        for path in pages:
            name = path.relative_to(ROOT)
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                server = Replica(str(name))
                try:
                    Page(path, Path(folder), server).run()
                finally:
                    server.process.kill()


if __name__ == "__main__":
    NODE_MODULES = sys.argv[1] if len(sys.argv) > 1 else None
    unittest.main(argv=sys.argv[:1], verbosity=2)
