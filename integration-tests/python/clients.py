"""The programs of docs/clients.md and README.md, taken out of them: `clients.py [FOLDER OF node_modules]`."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from stage import PATIENCE_S, ROOT, Replica

NODE_MODULES = None


def block(language, page="docs/clients.md"):
    """The only block of a page in a language."""
    document = (ROOT / page).read_text()
    (text,) = re.findall(rf"^```{language}\n(.*?)^```", document, re.S | re.M)
    return text


def python_program(folder):
    """Makes the program in Python and its stubs, by the document's command; returns the module."""
    command = block("sh").replace("python -m", f"{sys.executable} -m")
    assert "grpc_tools.protoc" in command, command
    (folder / "scripts").symlink_to(ROOT / "scripts")
    subprocess.run(["sh", "-c", command], cwd=folder, check=True, timeout=PATIENCE_S)
    program = folder / "plan.py"
    program.write_text(block("python"))
    sys.path.insert(0, str(folder))
    spec = importlib.util.spec_from_file_location("plan", program)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Documented(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Replica("server")
        cls._folder = tempfile.TemporaryDirectory(prefix="stratagem-clients-")
        cls.folder = Path(cls._folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.server.process.kill()
        cls._folder.cleanup()

    def run_program(self, command, **options):
        run = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=PATIENCE_S, **options
        )
        self.assertEqual(run.returncode, 0, f"{run.stdout}\n{run.stderr}")
        first, *routes = run.stdout.splitlines()
        self.assertRegex(first, r"^status SOLVE_STATUS_(OPTIMAL|FEASIBLE)$")
        last = "\n".join(routes[-2:])
        for word in ("gate", "wall"):
            self.assertIn(f"'{word}'", last)

    def test_the_program_in_python_plans(self):
        python_program(self.folder)
        self.run_program([sys.executable, "plan.py", self.server.address], cwd=self.folder)

    def test_the_program_of_the_readme_plans(self):
        program = block("python", "README.md")
        self.assertIn("127.0.0.1:50051", program)
        program = program.replace("127.0.0.1:50051", self.server.address)
        run = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("('scout', ['open the gate']), ('ogre', ['smash the wall'])", run.stdout)

    def test_the_program_in_javascript_plans(self):
        if NODE_MODULES is None:
            self.skipTest("there is no Node")
        program = self.folder / "plan.js"
        program.write_text(block("javascript"))
        env = os.environ | {"NODE_PATH": NODE_MODULES}
        self.run_program(["node", program, self.server.address, ROOT / "proto"], env=env)

    def test_the_service_config_is_the_one_that_is_deployed(self):
        deployed = json.loads((ROOT / "deploy/service-config.json").read_text())
        self.assertEqual(json.loads(block("json")), deployed)
        in_python = block("python").split('"""')[3]
        self.assertEqual(json.loads(in_python), deployed)
        pattern = r"const serviceConfig = (\{.*?^\});"
        (policy,) = re.findall(pattern, block("javascript"), re.S | re.M)
        strict = re.sub(r",(\s*[}\]])", r"\1", re.sub(r"(\w+):", r'"\1":', policy))
        self.assertEqual(json.loads(strict), deployed)


if __name__ == "__main__":
    NODE_MODULES = sys.argv[1] if len(sys.argv) > 1 else None
    unittest.main(argv=sys.argv[:1], verbosity=2)
