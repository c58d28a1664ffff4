"""The package of clients/python: its examples, its types, and how it is packed."""

import json
import re
import sys
import tarfile
import tempfile
import unittest
import zipfile
from importlib import metadata
from pathlib import Path

from stage import PATIENCE_S, ROOT, Replica, run

PACKAGE = ROOT / "clients/python"
# The address in all of them.
ADDRESS = "127.0.0.1:50051"
# Wrong types, each refused by mypy.
WRONG = """
from stratagem import Client, methods
client = Client("127.0.0.1:50051")
client.call(methods.StreamAllocateTasks, {})
client.follow(methods.WatchJob, {})
client.call(methods.AllocateTasks, {}).plan.route
"""


def block(language, page="docs/tutorials/first-plan.md", having=""):
    """The only block of a page in a language with this text."""
    document = (ROOT / page).read_text()
    blocks = re.findall(rf"^```{language}\n(.*?)^```", document, re.S | re.M)
    (text,) = [one for one in blocks if having in one]
    return text


class Programs(unittest.TestCase):
    """They run against a server, each in a folder of its own."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="stratagem-clients-")
        cls.addClassCleanup(folder.cleanup)
        cls.server = Replica("server", ["--jobs", Path(folder.name, "jobs.redb")])
        cls.addClassCleanup(lambda: cls.server.process.kill())

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="stratagem-clients-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def output(self, *command, **options):
        return run(command, cwd=self.folder, timeout=PATIENCE_S, **options).stdout

    def python(self, program):
        """The output of a program, at the address of the server."""
        self.assertIn(ADDRESS, program)
        return self.output(sys.executable, "-c", program.replace(ADDRESS, self.server.address))

    def test_the_job_of_the_example_makes_a_level(self):
        program = PACKAGE / "examples/job.py"
        output = self.output(sys.executable, program, self.server.address)
        self.assertIn("JOB_STATE_SUCCEEDED", output)
        self.assertRegex(output, r"(?m)^#+$")

    def test_the_notebook_runs(self):
        cells = json.loads((PACKAGE / "examples/raid.ipynb").read_text())["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        missing = [cell for cell in code if re.search(r"^(import|from) (matplotlib|IPython)", cell, re.M)]
        self.assertEqual(len(missing), 2)
        output = self.python("\n".join(cell for cell in code if cell not in missing))
        self.assertRegex(output, r"\d+ plans, the last by ")
        self.assertRegex(output, r"image/svg\+xml \d{4,} characters")
        try:
            import IPython, matplotlib  # noqa: F401
        except ImportError as error:
            self.skipTest(f"two cells of the notebook: {error}")
        self.python("import matplotlib\nmatplotlib.use('agg')\n" + "\n".join(code))


class Package(unittest.TestCase):
    """The package of clients/python, as the wheel that is installed."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="stratagem-package-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def mypy(self, *what, **options):
        return run([sys.executable, "-m", "mypy", "--strict", *what], cwd=self.folder, **options)

    def test_all_of_it_and_its_examples_are_typed(self):
        self.mypy("-p", "stratagem")
        pages = {"plan.py": block("python"), "readme.py": block("python", "README.md")}
        for name, text in pages.items():
            self.folder.joinpath(name).write_text(text)
        examples = sorted(PACKAGE.glob("examples/*.py"))
        self.assertEqual(len(examples), 3)
        self.mypy(*pages, *examples, PACKAGE / "hatch_build.py")

    def test_its_version_is_that_of_the_server(self):
        (version,) = re.findall(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)
        self.assertEqual(metadata.version("stratagem"), version)

    def test_wrong_types_are_refused(self):
        self.folder.joinpath("wrong.py").write_text(WRONG)
        found = self.mypy("wrong.py", check=False).stdout
        lines = [line.split(":")[1] for line in found.splitlines() if ": error: " in line]
        self.assertEqual(sorted(set(lines)), ["4", "5", "6"], found)

    def test_its_source_distribution_makes_the_same_wheel(self):
        run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", self.folder], cwd=PACKAGE)
        (source,) = self.folder.glob("*.tar.gz")
        with tarfile.open(source) as archive:
            archive.extractall(self.folder, filter="data")
        inside = self.folder / source.name.removesuffix(".tar.gz")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel"]
        run([*pip, "--no-deps", "--no-build-isolation", "-w", self.folder, inside])
        (wheel,) = self.folder.glob("*.whl")
        names = set(zipfile.ZipFile(wheel).namelist())
        installed = {str(path) for path in metadata.files("stratagem")}
        added = {name.rpartition("/")[2] for name in installed - names if "__pycache__" not in name}
        self.assertEqual(added, {"INSTALLER", "REQUESTED", "direct_url.json"})
        self.assertEqual(names - installed, set())
        licences = {name.rpartition("/")[2] for name in names if "/licenses/" in name}
        self.assertEqual(licences, {"LICENSE-MIT", "LICENSE-APACHE"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
