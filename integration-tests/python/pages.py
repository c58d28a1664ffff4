"""Modules of the playground without a browser: `pages.py [TEST ...]`.

Node runs them as they are.
"""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PAGES = Path(__file__).parents[2] / "server/service/playground"


def run_module(module, text, options=(), given=""):
    """Runs a module next to those of the pages."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "pages"
        shutil.copytree(PAGES, copy)
        # Browsers know modules by how they are asked for, and older Nodes by this.
        (copy / "package.json").write_text('{"type": "module"}')
        (copy / module).write_text(text)
        command = ["node", *options, copy / module]
        return subprocess.run(command, input=given, capture_output=True, text=True, check=False)


class Races(unittest.TestCase):
    def test_what_was_begun_before_does_no_harm(self):
        tests = Path(__file__).with_name("pages.test.js").read_text()
        run = run_module("pages.test.js", tests, ["--test"])
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
