"""Modules of the playground without a browser: `pages.py [TEST ...]`.

Node runs them as they are. What they read of files of others `stratagem convert` reads, too, and is to agree: in
what a file says, and in that it makes no sense.
"""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PAGES = Path(__file__).parents[2] / "server/service/playground"
PROGRAM = Path(os.environ["STRATAGEM_BIN_DIR"]) / "stratagem"
INVALID = 5
# Reads a list of names and texts, and tells the problem in each, or what is wrong with it.
READER = """
import { parsed } from "./formats/open.js";
let given = "";
for await (const part of process.stdin) given += part;
const read = ([name, text]) => {
  try {
    return parsed(text, "allocation", name);
  } catch (error) {
    return { error: error.message };
  }
};
console.log(JSON.stringify(JSON.parse(given).map(read)));
"""
ROUTES = (
    "C0\n\nVEHICLE\nNUMBER CAPACITY\n 2 10\n\nCUSTOMER\nCUST NO. XCOORD. YCOORD. DEMAND READY DUE SERVICE\n\n"
    " 0 0 0 0 0 100 0\n 1 3 4 5 0 50 2\n 2 6 8 5 0 90 2\n"
)
CUSTOMERS = (
    "NAME : tiny\nTYPE : CVRP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nCAPACITY : 10\nVEHICLES : 2\n"
    "NODE_COORD_SECTION\n1 0 0\n2 3 4\n3 6 8\nDEMAND_SECTION\n1 0\n2 7\n3 3\nDEPOT_SECTION\n1\n-1\nEOF\n"
)
TIMED = CUSTOMERS.replace("DEPOT_SECTION", "TIME_WINDOW_SECTION\n1 0 0\n2 0 8\n3 0 8\nDEPOT_SECTION")
PROJECT = (
    "file with basedata            : two.bas\n************\nPRECEDENCE RELATIONS:\njobnr.    #modes  #successors   successors\n"
    "   1        1          1           2\n   2        1          1           3\n   3        1          0\n************\n"
    "REQUESTS/DURATIONS:\njobnr. mode duration  R 1\n------------\n  1      1     0       0\n  2      1     8       4\n"
    "  3      1     0       0\n************\nRESOURCEAVAILABILITIES:\n  R 1\n   12\n************\n"
)
# Job 2 has a second mode.
MODES = PROJECT.replace("2        1", "2        2").replace("8       4\n", "8       4\n         2     5       6\n")
DEMANDLESS = "/DURATIONS:\n  1      1     0\n  2      1     8\n  3      1     0\n************\nRESOURCEAVAILABILITIES:\n"
MAP = "time: 4\nwindow: exclusive\nintruder: lazy\n\n######\n#G..3#\n######\n"
GRID = json.dumps(
    {
        "name": "grid",
        "vertices": 3,
        "edges": [[0, 1], [1, 2, 4]],
        "robots": 1,
        "start": 0,
        "intruder": {"model": "dynamic", "t_p": 9, "walk": "border_stay"},
    }
)
GOOD = {
    "a.txt": ROUTES,
    "a.vrp": CUSTOMERS,
    "timed.vrp": TIMED,
    "a.sm": PROJECT,
    "a.mm": MODES,
    "a.map": MAP,
    "a.json": GRID,
}
# What is wrong, in which file, and by what it is put there in place of what is right.
WRONG = {
    "more vehicles than a problem may have": ("a.txt", " 2 10\n", " 201 10\n"),
    "a depot that is served": ("a.txt", " 0 0 0 0 0 100 0", " 0 0 0 0 0 100 7"),
    "a header that is there twice": ("a.vrp", "TYPE : CVRP", "TYPE : CVRP\nCAPACITY : 9"),
    "a header without a value": ("a.vrp", "CAPACITY : 10", "CAPACITY :"),
    "a node that is there twice": ("a.vrp", "3 6 8", "3 6 8\n3 7 7"),
    "a node that there is not": ("a.vrp", "3 6 8", "3 6 8\n4 7 7"),
    "a depot that wants something": ("a.vrp", "SECTION\n1 0\n", "SECTION\n1 4\n"),
    "a limit that is no number": ("a.vrp", "TYPE : CVRP", "TYPE : CVRP\nDISTANCE : far"),
    "fewer successors than are told": ("a.sm", "1          1           2", "1          2           2"),
    "a job without its line": ("a.sm", "  2      1     8       4\n", ""),
    "a job of no mode that there is not": ("a.sm", "   3        1          0", "   4        0          0"),
    "a negative demand": ("a.sm", "8       4", "8      -4"),
    "a negative zero": ("a.sm", "2      1     8", "2      1    -0"),
    "a negative job": ("a.sm", "   2        1 ", "  -2        1 "),
    "a number with an exponent": ("a.sm", "8       4", "1e1     4"),
    "a number in hexadecimal": ("a.sm", "8       4", "8     0x4"),
    "a number above a million": ("a.sm", "8       4", "1000001 4"),
    "no line of what is available": ("a.sm", PROJECT.partition("REQUESTS")[2], DEMANDLESS),
    "nonrenewable resources": ("a.sm", "  R 1\n   12", "  N 1\n   12"),
    "a third mode without a second": ("a.mm", "         2     5", "         3     5"),
    "another number of modes": ("a.mm", "2        2", "2        3"),
    "no time that an intruder needs": ("a.map", "time: 4\n", ""),
    "a window of no kind": ("a.map", "exclusive", "sometimes"),
    "an intruder of no kind": ("a.map", "lazy", "hasty"),
    "a walk of no kind": ("a.json", "border_stay", "hasty"),
}


def beside(module, text, options=(), given=""):
    """Runs a module that stands beside those of the pages."""
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
        run = beside("pages.test.js", tests, ["--test"])
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


class Read(unittest.TestCase):
    def pages(self, files):
        """What the pages' modules tell of files."""
        told = beside("reader.js", READER, given=json.dumps(files))
        self.assertEqual(told.returncode, 0, told.stderr)
        return json.loads(told.stdout)

    def program(self, name, text):
        """How the program ends that reads a file, and what it writes."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / name
            file.write_text(text)
            convert = [PROGRAM, "convert", file, "-", "--to", "json"]
            run = subprocess.run(convert, capture_output=True, text=True, check=False)
        return run.returncode, run.stdout

    def test_what_makes_sense_is_read_by_both(self):
        for (name, text), told in zip(GOOD.items(), self.pages(list(GOOD.items()))):
            with self.subTest(name):
                self.assertNotIn("error", told)
                self.assertEqual(self.program(name, text)[0], 0)

    def test_what_makes_no_sense_is_refused_by_both(self):
        files = [(name, GOOD[name].replace(right, wrong)) for name, right, wrong in WRONG.values()]
        for what, (name, text), told in zip(WRONG, files, self.pages(files)):
            with self.subTest(what):
                self.assertNotEqual(text, GOOD[name])
                self.assertIn("error", told)
                self.assertEqual(self.program(name, text)[0], INVALID)

    def test_projects_are_the_same_to_both(self):
        for name in ("a.sm", "a.mm"):
            with self.subTest(name):
                [told] = self.pages([(name, GOOD[name])])
                self.assertEqual(told["problem"], json.loads(self.program(name, GOOD[name])[1]))

    def test_shifts_end_when_the_depot_closes_or_the_way_is_too_long(self):
        limit = "EDGE_WEIGHT_TYPE", "DISTANCE : 0.1\nEDGE_WEIGHT_TYPE"
        later = TIMED.replace("\n1 0 0\n2 0 8", "\n1 0.2 8\n2 0 8").replace(*limit)
        files = {"closed.vrp": TIMED, "limited.vrp": later, "still.vrp": CUSTOMERS.replace(*limit)}
        for (name, text), told, end in zip(files.items(), self.pages(list(files.items())), (0, 0.3, 0.1)):
            with self.subTest(name):
                code, written = self.program(name, text)
                self.assertEqual(code, 0)
                for problem in (told["problem"], json.loads(written)):
                    self.assertEqual(float(problem["agents"][0]["shift_end_offset"].removesuffix("s")), end)

    def test_a_blank_line_within_a_map_is_a_row_of_it(self):
        [told] = self.pages([("a.map", "time: 4\n\n####\n#G.#\n####\n\n####\n#..#\n####\n\n")])
        rows = {vertex["point"]["y"] for vertex in told["problem"]["vertices"]}
        self.assertEqual(rows, {1, 5})


if __name__ == "__main__":
    unittest.main()
