"""The package of clients/js as the tarball that is installed, and programs with it: `js_client.py FOLDER_OF_node_modules`."""

import json
import os
import re
import shutil
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

from clients import block
from python_client import certify
from stage import PATIENCE_S, ROOT, Replica, eventually, run

PACKAGE = ROOT / "clients/js"
ADDRESS = "127.0.0.1:50051"
NODE_MODULES = None
# Wrong types, each refused by tsc.
WRONG = """\
import { Client, type JobTerms, type Request, type Response, type Searching } from "stratagem";
const client = new Client("http://127.0.0.1:50051");
const { plan } = await client.call("AllocationService/AllocateTasks", { problem: { agents: [] } });
client.call("AllocationService/StreamAllocateTasks", { problem: { agents: [] } });
client.follow("JobService/WatchJob", { job_id: "j" });
client.call("AllocationService/AllocateTasks", {});
client.call("AllocationService/AllocateTasks", { problem: { agent: [] } });
client.jobs.create("ServerService/GetServerInfo", {});
plan?.route;
const method: Searching = "JobService/GetJob";
const request: Request<"JobService/GetJob"> = { job_id: 7 };
const response: Response<"JobService/GetJob"> = { jobs: [] };
const terms: JobTerms = { keepMs: "1s" };
"""
RAID = ("gate", "wall", "tower", "store", "dragon", "treasure")


class Package(unittest.TestCase):
    """It is packed with the types of a server's contract, and installed in a project."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="stratagem-js-")))
        cls.server = Replica("server")
        cls.addClassCleanup(lambda: cls.server.process.kill())
        source, cls.project = cls.folder / "clients/js", cls.folder / "project"
        shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("node_modules", "*.tgz"))
        for licence in ROOT.glob("LICENSE-*"):
            shutil.copy(licence, cls.folder)
        (source / "node_modules").symlink_to(NODE_MODULES)
        env = os.environ | {"STRATAGEM_ADDRESS": f"http://{cls.server.address}"}
        run(["npm", "pack", "--pack-destination", cls.folder], cwd=source, env=env)
        (cls.tarball,) = cls.folder.glob("*.tgz")
        cls.project.mkdir()
        (cls.project / "package.json").write_text('{"type": "module"}')
        run(["npm", "install", "--offline", "--no-audit", "--no-fund", cls.tarball], cwd=cls.project)

    def tsc(self, *what, **options):
        tsc = [f"{NODE_MODULES}/.bin/tsc", "--strict", "--target", "es2022", "--module", "nodenext"]
        types = ["--types", "node", "--typeRoots", f"{NODE_MODULES}/@types"]
        return run([*tsc, *types, *what], cwd=self.project, **options)

    def node(self, *program, env=None):
        done = run(["node", *program], cwd=self.project, timeout=PATIENCE_S, env=os.environ | (env or {}))
        return done.stdout

    def test_its_tarball_has_modules_types_and_licences(self):
        with tarfile.open(self.tarball) as archive:
            names = {name.removeprefix("package/") for name in archive.getnames()}
        modules = {path.name.removesuffix(".js") for path in PACKAGE.glob("src/*.js")}
        self.assertGreater(len(modules), 4)
        wanted = {f"src/{name}.js" for name in modules} | {f"types/{name}.d.ts" for name in modules}
        wanted |= {"types/contract.d.ts", "types/methods.d.ts", "README.md", "package.json"}
        self.assertEqual(names, wanted | {"LICENSE-MIT", "LICENSE-APACHE"})

    def test_its_version_is_that_of_the_server(self):
        (version,) = re.findall(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)
        package = json.loads((PACKAGE / "package.json").read_text())
        self.assertEqual(package["version"], version)
        self.assertNotIn("dependencies", package)

    def test_the_program_of_the_documents_is_typed_and_plans(self):
        text = block("typescript")
        self.assertIn(ADDRESS, text)
        (self.project / "plan.ts").write_text(text.replace(ADDRESS, self.server.address))
        self.tsc("plan.ts")
        first, *routes = self.node("plan.js").splitlines()
        self.assertRegex(first, r"^status SOLVE_STATUS_(OPTIMAL|FEASIBLE)$")
        last = "\n".join(routes[-2:])
        for word in ("gate", "wall"):
            self.assertIn(f"'{word}'", last)

    def test_the_session_of_the_readme_is_typed_and_plans(self):
        text = block("js", "clients/js/README.md", having="Session.create")
        self.assertIn(ADDRESS, text)
        (self.project / "session.js").write_text(text.replace(ADDRESS, self.server.address))
        self.tsc("--noEmit", "--allowJs", "--checkJs", "session.js")
        output = self.node("session.js")
        self.assertIn("agent_id: 'bob'", output)
        self.assertNotIn("ann", output)

    def test_the_raid_of_the_example_is_typed_and_carried_out(self):
        shutil.copy(PACKAGE / "examples/raid-loop.js", self.project)
        self.tsc("--noEmit", "--allowJs", "--checkJs", "raid-loop.js")

        def planned():
            lines = self.node("raid-loop.js", f"http://{self.server.address}").splitlines()
            # Where a machine is busy a tick can be missed, or all of them; its plan is that of the tick before.
            return [line for before, line in zip(["", *lines], lines) if line.startswith("tick ") and not before.startswith("the plan of")]

        def replanned():
            found = planned()
            return found[-1:] >= ["tick 5"] and found

        for line in eventually("a tick after the last target has a plan", replanned):
            late = ["dragon"] * (line >= "tick 3") + ["treasure"] * (line >= "tick 5")
            for task in [*RAID[:4], *late]:
                self.assertIn(f'"{task}"', line)

    def test_wrong_types_are_refused(self):
        (self.project / "wrong.ts").write_text(WRONG)
        found = self.tsc("--noEmit", "wrong.ts", check=False).stdout
        lines = set(re.findall(r"^wrong\.ts\((\d+),", found, re.M))
        self.assertEqual(lines, {str(line) for line in range(4, 14)}, found)

    def test_certificates_are_checked(self):
        certify(self.folder)
        at = lambda name: self.folder / name
        server = Replica("server", ["--tls-cert", at("server.pem"), "--tls-key", at("server.key")])
        self.addCleanup(server.process.kill)
        program = self.project / "secured.js"
        program.write_text(
            'import { Client } from "stratagem";\n'
            f'const client = new Client("https://{server.address}");\n'
            'const info = client.call("ServerService/GetServerInfo", {});\n'
            "console.log(await info.then(({ version }) => version, ({ code }) => code));\n"
        )
        version = self.node(program, env={"NODE_EXTRA_CA_CERTS": str(at("ca.pem"))})
        self.assertRegex(version, r"^\d+\.")
        self.assertEqual(self.node(program), "UNAVAILABLE\n")


if __name__ == "__main__":
    NODE_MODULES = sys.argv[1]
    unittest.main(argv=sys.argv[:1], verbosity=2)
