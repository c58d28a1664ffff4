"""The fenced blocks of docs/, README.md, CONTRIBUTING.md and the clients' READMEs, run in order: `snippets.py`.

A block is saved as a file whose name follows the language, or is the comment with which it begins.
Where that is a path, the block is a part of that file of the repository. Others run: `sh`, `python`,
`js` and `csharp` have to succeed, and of `console` each command has to print what stands below it, `...`
for anything. `json` has to be JSON, `toml` settings of the server, `yaml` values of the chart.

Blocks of a page share a folder, a server and, in Python, their names. A server that a block starts
with `&` runs until the page ends it. One without `&` ends when it listens, as by Ctrl-C.

Any other text after the language is one of REASONS why a block cannot run, as in
`sh needs a cluster`: it is SKIPPED. `text` has formulas and grammars: a command in it is an error.
"""

import contextlib
import io
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import unittest
from pathlib import Path

import brokers
from stage import ROOT, eventually, free_ports, run

BLOCK = re.compile(r"^( *)```(\w*) ?(.*?)\n(.*?)^\1```$", re.S | re.M)
NAME = re.compile(r"[\w-]+\.\w+")
FILE = re.compile(r"(?:#|//) ([\w-]+\.\w+)\n")
PART = re.compile(r"# (clients/\S+)\n")
# Lines of `text` that have to be in a block that runs.
COMMAND = re.compile(r"^(\$ |stratagem|curl |cargo |pip |npm )", re.M)
# Blocks that need a server, and those that start one.
CALLS = re.compile(r"\b(stratagem|curl|python) |kill %1")
STARTS = re.compile(r"^stratagem-server (?!jobs )", re.M)
REASONS = {
    "compiles for minutes",
    "installs packages",
    "needs Docker",
    "needs Fast Downward",
    "needs a cluster",
    "needs files of CVRPLIB",
    "needs root",
    "opens a browser",
    "takes minutes",
}
# Ports of the pages: of a server, its metrics, a broker and its monitoring.
PORTS = ("50051", "9464", "4222", "8222")
GENERATED = "docs/reference/cli.md"
# What js_client.py runs.
ELSEWHERE = ("docs/tutorials/first-plan.md", "typescript")
# The .pid file is there while the program runs. A page ends only stratagem-server: %1, or $!.
SHELL = """behind() {
  if [ -e "$1.pid" ]; then
    echo "$1 still runs: the page does not end it"
    exit 1
  fi
  : >"$1.log"
  {
    command "$@" &
    echo $! >"$1.pid"
    builtin wait $! || true
    rm "$1.pid"
  } >"$1.log" 2>&1 &
  until [ -s "$1.pid" ] && grep -qE '"listening"|Server is ready' "$1.log"; do
    builtin kill -0 $! || { cat "$1.log"; exit 1; }
    sleep 0.05
  done
}
kill() { builtin kill "${@:1:$#-1}" "$(cat stratagem-server.pid)"; }
wait() { while [ -e stratagem-server.pid ]; do sleep 0.05; done; }
stratagem-server() {
  case "$*" in
    "jobs "* | *-config) command stratagem-server "$@" ;;
    *) behind stratagem-server "$@"; kill %1; wait %1 ;;
  esac
}
"""


class Page:
    """A page with its folder, in which it finds the repository's files."""

    def __init__(self, path, folder):
        self.name, self.folder = str(path.relative_to(ROOT)), folder
        self.names = {"__name__": "snippet"}
        ports = dict(zip(PORTS, map(str, free_ports(len(PORTS))), strict=True))
        text = re.sub(rf"\b({'|'.join(PORTS)})\b", lambda port: ports[port[0]], path.read_text())
        self.blocks = BLOCK.findall(text)
        (folder / "shell.sh").write_text(SHELL)
        for name in ("clients", "deploy", "docs", "proto"):
            (folder / name).symlink_to(ROOT / name)
        (folder / "node_modules").mkdir()
        (folder / "node_modules/stratagem").symlink_to(ROOT / "clients/js")
        nats = Path(brokers.nats_server() or "").parent
        programs = [os.environ["STRATAGEM_BIN_DIR"], str(Path(sys.executable).parent), str(nats)]
        others = {name: value for name, value in os.environ.items() if not name.startswith("STRATAGEM_")}
        address = f"127.0.0.1:{ports['50051']}"
        self.env = others | {
            "PATH": os.pathsep.join([*programs, os.environ["PATH"]]),
            "STRATAGEM_ADDRESS": f"http://{address}",
            "STRATAGEM_LISTEN": address,
            "STRATAGEM_METRICS_LISTEN": f"127.0.0.1:{ports['9464']}",
            "XDG_CONFIG_HOME": str(folder),
        }

    def run(self):
        """Runs all blocks, and returns those that cannot run."""
        skipped = []
        for indent, language, reason, code in self.blocks:
            code = re.sub(f"^{indent}", "", code, flags=re.M)
            if NAME.fullmatch(reason):
                (self.folder / reason).write_text(code)
                continue
            if language == "text":
                # Usages that are generated from the program.
                assert self.name == GENERATED or not COMMAND.search(code), f"{self.name} has a command in text:\n{code}"
                continue
            if (self.name, language) == ELSEWHERE:
                continue
            assert not reason or reason in REASONS, f"{self.name}: {language} {reason}"
            reason = reason or self.run_block(language, code)
            if reason:
                skipped.append(f"{self.name}: {language} {reason}: {code.splitlines()[0]}")
        return skipped

    def run_block(self, language, code):
        """Runs a block; returns what it needs and lacks, if anything."""
        if file := FILE.match(code):
            (self.folder / file[1]).write_text(code)
            return None
        if part := PART.match(code):
            assert code[part.end() :] in (ROOT / part[1]).read_text(), f"{part[1]} differs"
            return None
        if "nats-server" in code and not (brokers.nats_server() and brokers.version() >= brokers.SYNCS):
            return "needs nats-server 2.10"
        needs_server = language in ("python", "js") or (language in ("sh", "console") and CALLS.search(code))
        begins_it = STARTS.search(code) and "kill %1" not in code
        if needs_server and not begins_it and not (self.folder / "stratagem-server.pid").exists():
            self.run_sh("stratagem-server --jobs jobs.redb &")
        return getattr(self, f"run_{language}")(code)

    def end(self):
        for file in self.folder.glob("*.pid"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                os.kill(int(file.read_text()), signal.SIGKILL)
            eventually(f"{file.stem} ends", lambda file=file: not file.exists())

    def command(self, *words, check=True):
        return run(words, check, cwd=self.folder, env=self.env)

    def shell(self, code, check=True):
        code = re.sub(r"^(.*) &( *#.*)?$", r"behind \1", code, flags=re.M)
        return self.command("bash", "-euo", "pipefail", "-c", f"exec 2>&1; . ./shell.sh\n{code}", check=check)

    def run_sh(self, code):
        self.shell(code)

    def run_console(self, code):
        for part in re.split(r"^\$ ", code, flags=re.M)[1:]:
            command, _, expected = part.partition("\n")
            done = self.shell(command, check=expected.strip() in ("", "..."))
            pattern = re.escape(expected.strip()).replace("\\\n\\.\\.\\.", "(\n.*)?").replace(r"\.\.\.", ".*")
            lines = [line.rstrip() for line in done.stdout.splitlines()]
            found = re.fullmatch(pattern, "\n".join(lines).strip(), re.S)
            assert found, f"$ {command}\n{done.stdout}"

    def run_python(self, code):
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(io.StringIO()):
            exec(compile(code, "snippet", "exec"), self.names)  # noqa: S102

    def run_js(self, code):
        (self.folder / "snippet.mjs").write_text(code)
        self.command("node", "snippet.mjs")

    def run_csharp(self, code):
        if not shutil.which("mcs"):
            return "needs mono-mcs"
        (self.folder / "snippet.cs").write_text(code)
        self.command("mcs", "-r:System.Net.Http", "snippet.cs")
        self.command("mono", "snippet.exe")
        return None

    def run_json(self, code):
        json.loads(code)

    def run_toml(self, code):
        (self.folder / "settings.toml").write_text(code)
        self.shell("stratagem-server --config settings.toml --check-config")

    def run_yaml(self, code):
        import chart  # It needs Helm's engine.
        import yaml

        assert chart.render(yaml.safe_load(code))


class Snippets(unittest.TestCase):
    skipped = []

    @classmethod
    def tearDownClass(cls):
        for one in cls.skipped:
            print(f"SKIPPED: {one}")

    def test_blocks_run(self):
        pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
        pages += sorted((ROOT / "clients").glob("*/README.md"))
        self.assertGreater(len(pages), 10)
        blocks = 0
        for path in pages:
            with self.subTest(path.relative_to(ROOT)), tempfile.TemporaryDirectory() as folder:
                page = Page(path, Path(folder))
                blocks += len(page.blocks)
                try:
                    self.skipped += page.run()
                finally:
                    page.end()
        self.assertGreater(blocks, 100)


if __name__ == "__main__":
    unittest.main(verbosity=2)
