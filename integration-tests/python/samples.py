"""The samples of integration-tests/clients, compiled against the contract and run.

Usage: samples.py [FOLDER OF node_modules]
"""

import json
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from generated import PLAIN, PROTO, PROTOC, contract
from stage import PATIENCE_S, ROOT, Replica, run

SAMPLES = ROOT / "integration-tests/clients"
PROBLEM = PROTO / "examples/allocation/raid.json"
NODE_MODULES = None
# The C++ sample needs these files of the contract, and compiling costs seconds for each.
CPP_FILES = ("allocation.pb", "allocation.grpc.pb", "solve.pb")
CPP_PLUGIN = "/usr/bin/grpc_cpp_plugin"


class Samples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Replica("server")

    @classmethod
    def tearDownClass(cls):
        cls.server.process.kill()

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="stratagem-samples-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.plain = self.folder / "plain"
        run([PLAIN, self.plain])

    def generate(
        self,
        *arguments,
        protoc=(sys.executable, "-m", "grpc_tools.protoc"),
        source=None,
        files=None,
    ):
        """Generates code into the folder."""
        command = [*protoc, "-I", source or self.plain, *arguments, *(files or contract())]
        run(command, cwd=self.folder)

    def plans(self, *command, banner=0):
        """A sample plans two tasks optimally, and follows a search to its end."""
        done = run([*command, self.server.address, PROBLEM], cwd=self.folder)
        output = done.stdout + done.stderr
        lines = output.splitlines()[banner:]
        self.assertRegex(lines[0], r"^status (SOLVE_STATUS_)?OPTIMAL$")
        self.assertEqual(lines[1], "scout: [gate] [wall]")
        # A slow reader misses steps, never the last one.
        steps = [re.fullmatch(r"step (\d+): (\d+) routes", line) for line in lines[2:-1]]
        self.assertTrue(steps and all(steps), output)
        numbers = [int(step[1]) for step in steps]
        self.assertEqual(numbers, sorted(set(numbers)), output)
        self.assertGreater(int(steps[-1][2]), 0, output)
        self.assertRegex(lines[-1], r"^end (STOP_REASON_)?(ITERATION_LIMIT|DEADLINE)$")

    def wrong_problem(self):
        """A file with two mistakes."""
        problem = json.loads(PROBLEM.read_text())
        problem["agents"][0]["speed"] = 0
        problem["tasks"][1]["id"] = ""
        wrong = self.folder / "wrong.json"
        wrong.write_text(json.dumps(problem))
        return wrong

    def test_a_client_checks_rules_of_fields_before_it_sends(self):
        rules = "buf/validate/validate.proto"
        self.generate("--python_out=.", source=PROTO, files=[*contract(), rules])
        # It comes before the package of clients/python, whose messages have no rules.
        (self.folder / "stratagem/__init__.py").touch()
        shutil.copy(SAMPLES / "python/check.py", self.folder)
        check = [sys.executable, "check.py"]
        self.assertEqual(run([*check, PROBLEM], cwd=self.folder).stdout, "")
        found = run([*check, self.wrong_problem()], cwd=self.folder).stdout.splitlines()
        self.assertEqual(
            found, ["problem.agents[0].speed double.gte_lte", "problem.tasks[1].id required"]
        )

    def test_the_sample_in_typescript_is_fully_typed_and_plans(self):
        if NODE_MODULES is None:
            self.skipTest("there is no Node 20, or its packages cannot be had")
        for name in ("plan.ts", "package.json", "tsconfig.json"):
            shutil.copy(SAMPLES / "typescript" / name, self.folder)
        (self.folder / "node_modules").symlink_to(NODE_MODULES)
        (self.folder / "gen").mkdir()
        plugin = f"--plugin={NODE_MODULES}/.bin/protoc-gen-es"
        self.generate(plugin, "--es_out=gen", "--es_opt=target=ts,import_extension=js")
        tsc = [f"{NODE_MODULES}/.bin/tsc", "--strict"]
        # All of the contract, since it is in the folder.
        run([*tsc, "--outDir", "build"], cwd=self.folder)
        wrong = self.folder / "wrong.ts"
        wrong.write_text(
            'import { type AllocationPoint } from "./gen/stratagem/v1/allocation_pb.js";\n'
            'export const x: AllocationPoint["x"] = "far";\n'
        )
        self.refuses([*tsc, "--noEmit"], "is not assignable to type")
        self.plans("node", "build/plan.js")

    def test_the_sample_in_cpp_plans(self):
        for program in (PROTOC, CPP_PLUGIN, "g++", "pkg-config"):
            if not shutil.which(program):
                self.skipTest(f"there is no {program}")
        libraries = ["grpc++", "protobuf"]
        found = run(["pkg-config", *libraries], check=False)
        if found.returncode != 0:
            self.skipTest("there is no libgrpc++-dev")
        self.generate(
            "--cpp_out=.",
            "--grpc_out=.",
            f"--plugin=protoc-gen-grpc={CPP_PLUGIN}",
            protoc=[PROTOC],
            files=["stratagem/v1/allocation.proto", "stratagem/v1/solve.proto"],
        )
        flags = run(["pkg-config", "--cflags", "--libs", *libraries]).stdout.split()
        sources = [SAMPLES / "cpp/plan.cc", *(f"stratagem/v1/{name}.cc" for name in CPP_FILES)]
        strict = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror"]
        run(["g++", *strict, "-I.", "-o", "plan", *sources, *flags], cwd=self.folder)
        self.plans("./plan")

    def test_the_sample_in_gdscript_plans_and_prints_mistakes(self):
        if not shutil.which("godot3-server"):
            self.skipTest("there is no godot3-server")
        env = [f"HOME={self.folder}", "LANG=en_US"]
        sample = SAMPLES / "gdscript/plan.gd"
        # A script that fails is not ended by Godot.
        godot = ["timeout", PATIENCE_S, "env", *env, "godot3-server", "-s", sample]
        self.plans(*godot, banner=2)
        wrong = [self.server.address, self.wrong_problem()]
        done = run([*godot, *wrong], check=False, cwd=self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        error, *mistakes = done.stdout.splitlines()[4:]
        self.assertRegex(error, "^INVALID_ARGUMENT INVALID_REQUEST: 2 mistakes")
        fields = ["problem.agents[0].speed OUT_OF_RANGE", "problem.tasks[1].id REQUIRED"]
        self.assertEqual(mistakes, fields)
        gone = run([*godot, "127.0.0.1:1", PROBLEM], check=False, cwd=self.folder)
        self.assertEqual(gone.returncode, 1, gone.stderr)
        self.assertIn("UNAVAILABLE", gone.stdout)

    def refuses(self, command, reason):
        """A compiler refuses a wrong type: what it accepts is typed, not just anything."""
        with self.assertRaises(AssertionError) as error:
            run(command, cwd=self.folder)
        self.assertIn(reason, str(error.exception))


if __name__ == "__main__":
    NODE_MODULES = sys.argv[1] if len(sys.argv) > 1 else None
    unittest.main(argv=sys.argv[:1], verbosity=2)
