"""The playground in a real browser: `playground.py [TEST ...]`, `--shots FOLDER`, `--figures`, `--soak SECONDS`.

Chromium is the system's, driven by Playwright. Every page has to end without a complaint on its console and
without a request to anybody but its server.
"""

import base64
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright
from stage import PATIENCE_S, ROOT, Replica, eventually, fetch

PATIENCE_MS = PATIENCE_S * 1000
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# Of pictures for documents: letters are sharp, and all of them together small.
QUALITY = 70
# Fresh pages for each figure.
ROUNDS = 5
READY, DONE = "body[data-state=ready]", "body[data-state=done]"
# Of each planner an example, what is asked about it, by which strategy, and how several pictures come. "better": the search goes on and on, and is stopped
# once it is seen getting better. "weaker": a weaker question is answered first. "sides": one answer has several sides to step through.
EXAMPLES = {
    "allocation/raid": ("", "auto", "better"),
    "crew/ship": ("", "auto", "sides"),
    "heist/maze": ("design", "auto", "better"),
    "narrative/evening": ("", "auto", "better"),
    "patrol/museum": ("", "auto", "better"),
    "puzzle/temple": ("", "auto", "better"),
    "story/weekend": ("", "mcts", "better"),
    "temporal/heist": ("", "auto", "weaker"),
}
# The pictures of docs/playground.md.
SHOWN = ["allocation/raid", "heist/opal", "patrol/museum", "puzzle/temple", "temporal/ambush"]
# A file of each format of others that pages read; the command line is asked what is in it.
FOREIGN = {
    "c0.txt": "C0\n\nVEHICLE\nNUMBER CAPACITY\n 2 10\n\nCUSTOMER\nCUST NO. XCOORD. YCOORD. DEMAND READY DUE SERVICE\n\n"
    " 0 0 0 0 0 100 0\n 1 3 4 5 0 50 2\n 2 6 8 5 0 90 2\n",
    "tiny.vrp": "NAME : tiny\nTYPE : CVRP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\nCAPACITY : 10\nVEHICLES : 2\n"
    "NODE_COORD_SECTION\n1 0 0\n2 3 4\n3 6 8\nDEMAND_SECTION\n1 0\n2 7\n3 3\nDEPOT_SECTION\n1\n-1\nEOF\n",
    "timed.vrp": "NAME: timed\nTYPE: VRPTW\nDIMENSION: 3\nDISTANCE: 60\nSERVICE_TIME: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\n"
    "EDGE_WEIGHT_FORMAT: LOWER_ROW\nCAPACITY: 10\nEDGE_WEIGHT_SECTION\n4\n7 5.5\nDEMAND_SECTION\n1 0\n2 7\n3 3\n"
    "TIME_WINDOW_SECTION\n1 0 90\n2 10 40\n3 0 80\nDEPOT_SECTION\n1\n-1\nEOF\n",
    "two.mm": "file with basedata            : two.bas\n************\nPRECEDENCE RELATIONS:\njobnr.    #modes  #successors   successors\n"
    "   1        1          1           2\n   2        2          1           3\n   3        1          0\n************\n"
    "REQUESTS/DURATIONS:\njobnr. mode duration  R 1\n------------\n  1      1     0       0\n  2      1     8       4\n"
    "         2     5       6\n"
    "  3      1     0       0\n************\nRESOURCEAVAILABILITIES:\n  R 1\n   12\n************\n",
    "a.map": "time: 4\n\n######\n#G..3#\n######\n",
    "far.map": "title: far\nsight: 2\ntime: 4\n\n######\n#G..3#\n######\n",
    "lags.sch": "1 1 0 0\n0 1 1 1 [0]\n1 1 1 2 [2]\n2 1 0\n0 1 0 0\n1 1 2 1\n2 1 0 0\n1\n",
    "plain.yaml": "title: plain\nactivities: [{id: a, modes: [{work_duration: 2s}]}]\n",
    "museum.json": json.dumps(
        {
            "name": "hall",
            "rooms": ["hall", "vault"],
            "doors": [{"id": "d", "a": "hall", "b": "vault", "open": True}],
            "containers": [{"id": "case", "room": "vault", "open": True, "items": ["ring"]}],
            "artifact": "ring",
            "burglar": {"room": "hall"},
        }
    ),
    "team.json": json.dumps(
        {
            "name": "team",
            "zero": "z",
            "timepoints": [{"id": "a", "agent": "C"}, {"id": "b", "agent": "U"}],
            "constraints": [
                {"from": "z", "to": "a", "lb": 0, "ub": 2.5},
                {"from": "a", "to": "b", "lb": 1, "ub": 9},
                {"from": "z", "to": "b", "lb": None, "ub": None},
            ],
        }
    ),
    "unsure.json": json.dumps(
        {
            "name": "unsure",
            "vertices": ["origin", "a"],
            "links": [
                {"from": "origin", "to": "a", "lb": 1, "ub": 3, "kind": "ctg"},
                {"from": "origin", "to": "a", "lb": -1, "ub": None, "kind": "req"},
            ],
        }
    ),
    "story.json": json.dumps(
        {
            "name": "story",
            "origin": "o",
            "vertices": ["o", "a", "b"],
            "edges": [
                {"id": "e", "from": "o", "to": "a", "lb": 0, "ub": 60, "kind": "req"},
                {"id": "f", "from": "a", "to": "b", "lb": 5, "ub": 9, "kind": "ctg"},
            ],
            "activities": [{"id": "act", "start": "a", "end": "b", "demand": {"room": 1, "prop": 0}}],
            "resources": {"room": 1, "prop": 2},
            "choices": [{"id": "c", "owner": "player", "options": [{"id": "p", "vertices": ["a", "b"]}, {"id": "q", "vertices": []}]}],
        }
    ),
    "grid.json": json.dumps(
        {
            "name": "grid",
            "source": "a paper",
            "tick": 2,
            "vertices": 3,
            "edges": [[0, 1], [1, 2, 4]],
            "robots": 1,
            "start": 0,
            "weights": [1, 2, 0.5],
            "intruder": {"model": "stationary", "t_p": 9, "window": "exclusive"},
        }
    ),
}
# A book, and what is known of its words.
BOOKS = ROOT / "docs/stories"
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>\u202e\u0007&amp;\"'"


def chromium():
    """The browser of the system."""
    found = [path for path in map(shutil.which, BROWSERS) if path]
    assert found, "there is no Chromium"
    return found[0]


def bare(value):
    """A message without what is its default, and with times as numbers."""
    if isinstance(value, dict):
        inner = {name: bare(one) for name, one in value.items()}
        return {name: one for name, one in inner.items() if one not in (None, "", 0, False, [])}
    if isinstance(value, list):
        return [bare(one) for one in value]
    if isinstance(value, str) and re.fullmatch(r"-?[0-9.]+s", value):
        return ("seconds", float(value[:-1]))
    # What has 64 bits may be a text.
    return int(value) if isinstance(value, str) and re.fullmatch(r"-?[0-9]+", value) else value


SLC = """<?xml version="1.0" encoding="UTF-8"?>
<SokobanLevels><Title>Small</Title><LevelCollection Copyright="Ada">
<Level Id="1" Width="5" Height="3"><L>#####</L><L>#@$.#</L><L>#####</L></Level>
<Level Id="2" Width="6" Height="3"><L>######</L><L>#@ $.#</L><L>######</L></Level>
</LevelCollection></SokobanLevels>
"""

class Browser:
    """A server with the playground, and a browser that knows nothing yet; both end with the block that they are made for."""

    def __init__(self, flags=()):
        self.server = Replica("server", ["--playground", "on", *flags])
        self.address = f"http://{self.server.address}/playground/"
        self._driver = sync_playwright().start()
        # Who tests may be root, whom Chromium trusts with its sandbox as little as anybody.
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        self._browser = self._driver.chromium.launch(
            executable_path=chromium(), args=arguments
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._browser.close()
        self._driver.stop()
        self.server.process.kill()

    def context(self, **options):
        options = {"viewport": {"width": 1440, "height": 900}} | options
        return self._browser.new_context(**options)


class Page:
    """A page of the playground, and everything that it did which it should not."""

    def __init__(self, browser, fragment="", ready=READY, **options):
        self.browser = browser
        self.wrong = []
        self.requests = []
        self._context = browser.context(**options)
        self._context.set_default_timeout(PATIENCE_MS)
        self.page = self._context.new_page()
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("console", self._told)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", self._dialog)
        self.page.goto(browser.address + fragment)
        self.page.wait_for_selector(ready)

    def _told(self, message):
        # A browser says of every answer above 399 that it is one; mistakes are such answers, and wanted.
        answers = ("status of 400", "status of 401", "status of 403")
        is_answer = any(answer in message.text for answer in answers)
        if message.type in ("error", "warning") and not is_answer:
            self.wrong.append(f"console: {message.text}")

    def _dialog(self, dialog):
        self.wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def close(self):
        self._context.close()

    def hosts(self):
        """Everybody who was asked for something; pictures made by the page itself are nobody."""
        urls = [url for url in self.requests if not url.startswith(("blob:", "data:"))]
        return {urlsplit(url).netloc for url in urls}

    def example(self, name):
        self.page.select_option("#planner", name.split("/")[0])
        # The planner's first example comes by itself, and must have come before another is asked for.
        eventually("an example", lambda: self.page.input_value("#example") or None)
        self.page.wait_for_selector(READY)
        if self.page.input_value("#example") != name:
            self.page.select_option("#example", name)
        title = json.loads((ROOT / f"proto/examples/{name}.json").read_text())
        title = title.get("world", title)["title"]
        self.tab("json")

        def is_open():
            # The editor is empty until the first example has come.
            return self.page.input_value("#json") and self.problem_title() == title

        eventually(f"{name} is open", is_open)

    def upload(self, name, text):
        """Opens a file, which brings a problem that was not there before."""
        self.edit(lambda problem: problem.update(title="before"))
        file = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
        self.page.set_input_files("#file", file)
        eventually(f"{name} is open", lambda: self.problem_title() != "before")

    def problem(self):
        self.tab("json")
        return json.loads(self.page.input_value("#json"))

    def problem_title(self):
        problem = self.problem()
        return problem.get("world", problem).get("title")

    def tab(self, name):
        self.page.click(f"#tabs [data-tab={name}]")

    def edit(self, change):
        """Changes the problem, as somebody does who types into the JSON."""
        problem = self.problem()
        change(problem)
        self.page.fill("#json", json.dumps(problem))

    def begin(self, iterations="", budget="60s"):
        self.page.fill("#iterations", str(iterations))
        self.page.fill("#budget", budget)
        self.page.click("#run")

    def run(self, iterations="", budget="60s"):
        self.begin(iterations, budget)
        self.ended()

    def ended(self):
        self.page.wait_for_selector(f"{DONE}, body[data-state=failed]")
        state = self.page.get_attribute("body", "data-state")
        assert state == "done", self.page.inner_text("#say") + self.page.inner_text("#status")

    def claim(self):
        badge = self.page.query_selector("#badge [data-claim]")
        return badge and badge.get_attribute("data-claim")

    def plans(self):
        return 1 + int(self.page.get_attribute("#stage input[type=range]", "max"))

    def drawn(self):
        """The number of the plan whose picture is seen; None while there is none."""
        image = self.page.query_selector("#stage .picture:not([hidden])")
        loaded = image and image.evaluate("it => it.shadowRoot.querySelector('svg') !== null")
        return int(image.get_attribute("data-plan")) if loaded else None

    def settled(self):
        """The number of the plan that is seen and stays; None while a picture is made."""
        calm = self.page.query_selector('#stage .picture[aria-busy="false"]')
        return self.drawn() if calm else None

    def pictures(self):
        """How many different plans of this search have been drawn."""
        image = self.page.query_selector("#stage .picture:not([hidden])")
        return int((image and image.get_attribute("data-drawn")) or 0)

    def chosen(self):
        return 1 + int(self.page.input_value("#stage input[type=range]"))

    def ask(self, name="", strategy="auto"):
        if name:
            self.page.select_option("#method", name)
        # They come from the server, when they come.
        self.page.select_option("#strategy", strategy)

    def settings(self, fields):
        """Fills what can be chosen beside problem and options."""
        if not self.page.query_selector("#more[open]"):
            self.page.click("#more > summary")
        for name, value in fields.items():
            self.page.fill(f'#settings [data-path="{name}"] input', value)
            self.page.press(f'#settings [data-path="{name}"] input', "Tab")

    def status(self):
        return self.page.inner_text("#status")


class Judged(unittest.TestCase):
    """Pages that have to end without a complaint, and without a request to anybody but their server."""

    @classmethod
    def setUpClass(cls):
        folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.browser = cls.enterClassContext(Browser(cls.flags(folder)))

    @classmethod
    def flags(cls, folder):
        return ["--jobs", str(folder / "jobs.redb")]

    def open(self, fragment="", **options):
        page = Page(self.browser, fragment, **options)
        self.addCleanup(self.judge, page)
        return page

    def judge(self, page):
        hosts = page.hosts()
        page.close()
        self.assertEqual(page.wrong, [])
        self.assertEqual(hosts, {self.browser.server.address})


class Guarded(Judged):
    """A server that asks who calls."""

    TOKEN = "a-token-that-is-long-enough"

    @classmethod
    def flags(cls, folder):
        file = folder / "tokens.toml"
        file.write_text(f'[[token]]\ntenant = "arena"\ntoken = "{cls.TOKEN}"\n')
        return ["--tokens", str(file)]

    def test_a_token_is_asked_for_and_carried_by_every_call(self):
        # Nothing is ready yet: only who has a token is told anything.
        page = self.open(ready="body[data-loaded]")
        self.assertIn("requires a token", page.page.inner_text("#say"))
        field = page.page.wait_for_selector("#token:focus")
        field.fill("a-token-that-nobody-was-given")
        field.press("Tab")
        eventually("it is refused", lambda: "not accepted" in page.page.inner_text("#say"))
        self.assertEqual(page.page.get_attribute("#say", "class"), "bad")
        page.page.fill("#token", self.TOKEN)
        page.page.press("#token", "Tab")
        page.page.wait_for_selector(READY)
        calls = []
        page.page.on("request", lambda call: call.method == "POST" and calls.append(call))
        page.run(iterations=50)
        self.assertEqual(page.claim(), "verified")
        carried = {call.headers.get("authorization") for call in calls}
        self.assertEqual(carried, {f"Bearer {self.TOKEN}"})
        self.assertNotIn(self.TOKEN, page.page.content())


class Played(Judged):

    def test_every_planner_plans_and_its_plans_are_drawn_and_verified(self):
        page = self.open()
        for name, (ask, strategy, way) in EXAMPLES.items():
            with self.subTest(name):
                page.example(name)
                page.ask(ask, strategy)
                page.begin()
                if way == "better":
                    # However slow the machine is: then it is told to stop.
                    eventually("a second plan is drawn", lambda: page.pictures() >= 2)
                    page.page.click("#stop")
                page.ended()
                self.assertEqual(page.claim(), "verified")
                before = eventually("the last plan is drawn", page.settled)
                self.assertEqual(before, page.chosen())
                step, by = ("next plan", 1) if way == "sides" else ("plan before", -1)
                page.page.click(f"#stage button[aria-label$='{step}']")
                eventually("the next one is drawn", lambda: page.drawn() == before + by)
                self.assertGreaterEqual(page.pictures(), 2)

    def test_what_else_can_be_asked_is_answered_drawn_and_verified(self):
        page = self.open()
        for name, ask, iterations, settings in (
            ("patrol/museum", "mix", 2000, {"max_plans": "2", "max_plan_iterations": "300"}),
            ("patrol/museum", "vary", 60_000, {"plan_count": "2", "min_distance": "0.2"}),
            ("story/inheritance", "vary", 2000, {"story_count": "2"}),
            ("heist/lighthouse", "design", 2000, {"trap_count": "2"}),
        ):
            with self.subTest(f"{name} {ask}"):
                page.example(name)
                page.ask(ask)
                page.settings(settings)
                page.run(iterations=iterations)
                self.assertEqual(page.claim(), "verified")
                eventually("it is drawn", lambda: (page.drawn() or 0) >= 1)
                if ask == "vary":
                    self.assertGreaterEqual(page.plans(), 2)
        self.assertEqual(len(page.page.query_selector_all("#panel .traps li")), 2)

    def test_what_can_go_wrong_in_a_heist_is_told(self):
        page = self.open()
        page.example("heist/opal")
        page.ask("analyze")
        page.run()
        told = page.page.wait_for_selector("#panel .analysis").inner_text()
        self.assertIn("Without help", told)
        self.assertIn("Help", told)

    def test_a_mistake_beside_the_problem_is_shown(self):
        page = self.open()
        page.example("patrol/museum")
        page.ask("mix")
        page.settings({"max_plans": "-1"})
        page.page.wait_for_selector("#settings .mistake")
        page.settings({"max_plans": "2"})
        eventually("it is mended", lambda: page.page.inner_text("#valid") == "")

    def test_a_link_holds_what_is_asked(self):
        page = self.open()
        page.example("patrol/museum")
        page.ask("vary")
        page.settings({"plan_count": "4"})
        page.page.click("#share")
        fragment = eventually("the address holds it", lambda: page.page.evaluate("location.hash") or None)
        other = self.open(fragment)
        self.assertEqual(other.page.input_value("#method"), "vary")
        self.assertEqual(other.page.input_value('#settings [data-path="plan_count"] input'), "4")

    def test_a_domain_is_learned_from_a_book_and_a_story_is_told_in_it(self):
        page = self.open()
        page.page.click("#books > summary")
        for part, name in enumerate(("manor.txt", "words.tsv")):
            page.page.set_input_files(f"#books input >> nth={part}", BOOKS / name)
            eventually(f"{name} is read", lambda part=part: page.page.input_value(f"#books textarea >> nth={part}"))
        page.page.click("#books button")
        eventually("it is open", lambda: page.page.input_value("#planner") == "story")
        page.page.click("#books > summary")
        self.assertTrue(page.problem()["actions"])
        page.run(iterations=2000)
        self.assertEqual(page.claim(), "verified")

    def test_a_job_is_started_listed_shown_and_forgotten(self):
        page = self.open()
        page.example("allocation/tavern")
        page.page.fill("#iterations", "100")
        page.page.click("#jobs > summary")
        page.page.click("#jobs button >> text=Start this problem")
        page.page.wait_for_selector("#jobs tr[data-state=JOB_STATE_SUCCEEDED]")
        page.page.click("#jobs td >> text=Show")
        page.ended()
        self.assertEqual(page.claim(), "verified")
        eventually("its plan is drawn", lambda: page.drawn() == page.plans())
        # Whoever opens the page anew finds it, and lets go of it.
        other = self.open()
        other.page.click("#jobs > summary")
        other.page.wait_for_selector("#jobs tr[data-state=JOB_STATE_SUCCEEDED]")
        other.page.click("#jobs td >> text=Delete")
        eventually("it is forgotten", lambda: not other.page.query_selector("#jobs tr[data-job]"))

    def test_a_job_that_goes_on_is_watched_and_ended(self):
        page = self.open()
        page.example("allocation/raid")
        page.page.fill("#budget", "600s")
        page.page.click("#jobs > summary")
        page.page.click("#jobs button >> text=Start this problem")
        page.page.wait_for_selector("#jobs tr[data-state=JOB_STATE_RUNNING]")
        page.page.click("#jobs td >> text=Cancel")
        page.page.wait_for_selector("#jobs tr[data-state=JOB_STATE_CANCELLED]")
        page.page.click("#jobs td >> text=Delete")
        eventually("it is forgotten", lambda: not page.page.query_selector("#jobs tr[data-job]"))

    def test_older_jobs_are_listed_page_by_page(self):
        def call(method, message):
            url = f"http://{self.browser.server.address}/stratagem.v1.JobService/{method}"
            return json.loads(fetch(url, json.dumps(message).encode()))

        problem = {"events": [{"id": "a"}, {"id": "b"}]}
        request = {"problem": problem, "options": {"time_budget": "1s"}}
        create = {"request": {"check_strong_controllability": request}}
        ids = [call("CreateJob", create)["job"]["job_id"] for _ in range(60)]
        page = self.open()
        rows = "#jobs tr[data-job]"
        page.page.click("#jobs > summary")
        page.page.wait_for_selector(rows)
        self.assertEqual(len(page.page.query_selector_all(rows)), 50)
        page.page.click("#jobs >> text=More jobs")

        def listed():
            return [row.get_attribute("data-job") for row in page.page.query_selector_all(rows)]

        eventually("all are listed", lambda: len(listed()) >= 60)
        self.assertEqual(sorted(listed()), sorted(ids))
        eventually("there are no more", lambda: page.page.is_hidden("#jobs >> text=More jobs"))

        def state(job):
            return call("GetJob", {"job_id": job})["job"]["state"]

        for job in ids:
            eventually("it has ended", lambda job=job: state(job) == "JOB_STATE_SUCCEEDED")
            call("DeleteJob", {"job_id": job})

    def test_a_book_that_is_too_large_is_not_read(self):
        page = self.open()
        page.page.click("#books > summary")
        book = {"name": "all.txt", "mimeType": "text/plain", "buffer": b"a" * ((4 << 20) + 1)}
        for part, hint in enumerate(["folder of books", "stratagem story learn"]):
            page.page.set_input_files(f"#books input >> nth={part}", book)
            wanted = f"all.txt is larger than 4 MiB: .*{hint}"
            eventually("it is said", lambda wanted=wanted: re.search(wanted, page.page.inner_text("#say")))
            self.assertEqual(page.page.input_value(f"#books textarea >> nth={part}"), "")

    def test_a_mistake_is_shown_at_its_field(self):
        page = self.open()
        page.example("allocation/tavern")

        def spoil(problem):
            problem["agents"][1]["speed"] = -1
            problem["tasks"][0]["id"] = ""

        page.edit(spoil)
        page.page.wait_for_selector("#mistakes li")
        page.tab("form")
        for field in ("agents[1].speed", "tasks[0].id"):
            found = page.page.wait_for_selector(f'[data-path="{field}"] .mistake')
            self.assertTrue(found.inner_text())
            self.assertTrue(found.is_visible())
            wrong = page.page.query_selector(f'[data-path="{field}"] [aria-invalid=true]')
            self.assertIsNotNone(wrong)
        page.page.fill('[data-path="agents[1].speed"] input', "2")
        page.page.press('[data-path="agents[1].speed"] input', "Tab")
        eventually("one is left", lambda: page.page.inner_text("#valid") == "1 mistake")
        page.page.fill('[data-path="tasks[0].id"] input', "mended")
        page.page.press('[data-path="tasks[0].id"] input', "Tab")
        eventually("none is left", lambda: page.page.inner_text("#valid") == "")

    def test_the_reference_is_searched_and_shows_what_an_address_names(self):
        page = self.open("reference.html#AllocationAgent").page
        self.assertTrue(page.locator("#AllocationAgent").is_visible())
        self.assertIn("0.001 to 1,000", page.inner_text("#AllocationAgent"))
        page.fill("#search", "Sokoban push")
        page.wait_for_selector("#AllocationAgent", state="hidden")
        self.assertTrue(page.locator("#PuzzleService").is_visible())
        page.evaluate("location.hash = 'AllocationService.AllocateTasks'")
        page.wait_for_selector("#AllocationService")

    def test_raiders_of_the_raid_follow_a_plan_that_heals(self):
        page = self.open()
        page.page.click("#preferences summary")
        page.page.click("text=A raid in real time")
        page = page.page
        page.wait_for_selector(READY + " #map")
        # What moves is drawn again in each frame: all of it is read in one step.
        raiders = """() => Object.fromEntries([...document.querySelectorAll("[data-raider]")].map(
            (one) => [one.dataset.raider, [Number(one.getAttribute("cx")), Number(one.getAttribute("cy"))]]))"""
        busy = """() => [...document.querySelectorAll("#map .route")].filter((one) => one.points.length > 1).length"""
        before = page.evaluate(raiders)
        self.assertEqual(len(before), 12)
        moved = lambda: sum(before[name] != at for name, at in page.evaluate(raiders).items() if name in before)
        eventually("most raiders have moved", lambda: moved() > 6)
        click = """() => {
            const [one] = document.querySelectorAll("[data-raider]");
            const { x, y, width, height } = one.getBoundingClientRect();
            const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true };
            one.dispatchEvent(new MouseEvent("click", at));
            return one.dataset.raider;
        }"""
        gone = page.evaluate(click)
        eventually("it is gone", lambda: gone not in page.evaluate(raiders))
        self.assertEqual(page.inner_text("#say"), f"{gone} is gone")
        before = page.evaluate(raiders)
        eventually("others go on", lambda: moved() > 6 and page.evaluate(busy) > 2)
        page.click("#toggle")
        eventually("the gate is blocked", lambda: page.inner_text("#toggle") == "Open" or page.click("#toggle"))
        self.assertIsNotNone(page.query_selector("#map .blocked"))
        latency = page.inner_text("#latency")
        eventually("plans come", lambda: page.inner_text("#latency") != latency)
        self.assertNotIn("bad", page.get_attribute("#say", "class") or "")

    def test_a_text_that_is_no_json_is_said_to_be_none_and_nothing_is_lost(self):
        page = self.open()
        page.tab("json")
        page.page.fill("#json", '{"tasks": [')
        page.page.wait_for_selector("#mistakes li")
        self.assertEqual(page.page.input_value("#json"), '{"tasks": [')

    def test_what_no_form_can_show_is_said_and_other_names_are_known(self):
        page = self.open()
        page.example("allocation/tavern")
        page.edit(lambda problem: problem.update(tasks=5, travel=[], agents=[None]))
        page.page.wait_for_selector("#mistakes li")
        page.tab("form")
        self.assertEqual(len(page.page.query_selector_all("#form .absent .bad")), 3)
        text = json.dumps({"agents": [], "tasks": [], "previousPlan": {"maxChanges": 3}})
        file = {"name": "a.json", "mimeType": "application/json", "buffer": text.encode()}
        page.page.set_input_files("#file", file)
        eventually("it is open", lambda: "previous_plan" in page.problem())
        self.assertEqual(page.problem()["previous_plan"], {"max_changes": 3})

    def test_a_relaxation_is_applied_and_helps(self):
        page = self.open()
        page.example("temporal/ambush")
        page.run()
        self.assertIn("infeasible", page.status())
        # What clashes leads to its field.
        page.tab("form")
        page.page.click("#why button[data-field]")
        page.page.wait_for_selector("#form .shown")
        # The first change, as in `ready: at most 18s instead of 10s`.
        line = page.page.inner_text("#help .relaxations ul li >> nth=0")
        changed = re.fullmatch(r"(.+): (at least|at most) (\S+s) instead of (\S+s)", line)
        self.assertIsNotNone(changed, line)
        link, side, new, old = changed.groups()
        side = {"at least": "lower", "at most": "upper"}[side]

        def bound():
            problem = page.problem()
            links = problem["links"] + problem.get("contingent_links", [])
            (named,) = [one for one in links if one["id"] == link]
            return named[side]

        self.assertEqual(bound(), old)
        page.page.click("#help .apply >> nth=0")
        page.page.wait_for_selector("#badge [data-claim=verified]")
        page.ended()
        self.assertEqual(bound(), new)

    def test_sokoban_is_played_to_the_end(self):
        page = self.open()
        page.example("puzzle/thesis")
        page.run(iterations=300)
        solution = self.saved_plan(page)["levels"][0]["solution"]
        board = page.page.wait_for_selector(".board")
        keys = {"l": "ArrowLeft", "r": "ArrowRight", "u": "ArrowUp", "d": "ArrowDown"}
        board.focus()
        for step in solution[:3]:
            page.page.keyboard.press(keys[step.lower()])
        self.assertEqual(len(board.get_attribute("data-played")), 3)
        for _ in range(3):
            page.page.keyboard.press("u")
        self.assertEqual(board.get_attribute("data-played"), "")
        page.page.keyboard.press("h")
        page.page.wait_for_selector(".board path[stroke='#cc79a7']", state="attached")
        for step in solution:
            page.page.keyboard.press(keys[step.lower()])
        self.assertEqual(board.get_attribute("data-played"), solution)
        self.assertEqual(board.get_attribute("data-solved"), "true")
        # Who searches again wants to see what is found now.
        page.page.fill("#seed", "2")
        page.run(iterations=300)
        other = self.saved_plan(page)["levels"][0]["solution"]
        self.assertNotEqual(other, solution)
        eventually("it is untouched", lambda: page.page.get_attribute(".board", "data-played") == "")
        page.page.focus(".board")
        for step in other:
            page.page.keyboard.press(keys[step.lower()])
        self.assertEqual(page.page.get_attribute(".board", "data-solved"), "true")

    def saved_plan(self, page):
        with page.page.expect_download() as download:
            page.page.click("#save > summary")
            page.page.click("text=Plan (JSON)")
        page.page.click("#save > summary")
        return json.loads(Path(download.value.path()).read_text())

    def test_a_link_opens_the_same_problem(self):
        page = self.open()
        page.example("crew/ship")
        page.edit(lambda problem: problem.update(title="Ours alone"))
        page.page.fill("#seed", "42")
        page.page.select_option("#strategy", "milp")
        page.page.click("#share")
        fragment = eventually(
            "the address holds it", lambda: page.page.evaluate("location.hash") or None
        )
        packed = base64.urlsafe_b64decode(fragment.removeprefix("#p=") + "===")
        self.assertEqual(json.loads(zlib.decompress(packed, -15))["seed"], "42")
        other = self.open(fragment)
        self.assertEqual(other.problem(), page.problem())
        self.assertEqual(other.page.input_value("#seed"), "42")
        eventually(
            "the strategy is chosen", lambda: other.page.input_value("#strategy") == "milp"
        )

    def test_damaged_links_do_no_harm(self):
        for fragment in ("#p=AAAA", "#p=%%%", "#p=" + "A" * 4000):
            page = self.open(fragment)
            self.assertIn("damaged", page.page.inner_text("#say"))
            self.assertEqual(page.problem_title(), "Raid at moonrise")

    def test_hostile_texts_stay_texts(self):
        page = self.open()
        page.example("allocation/tavern")

        def spoil(problem):
            problem["title"] = HOSTILE
            problem["description"] = HOSTILE + "x" * 3000
            # Ids with such characters are refused.
            problem["tasks"][0]["id"] = HOSTILE.replace("\u202e", "").replace("\u0007", "")

        page.edit(spoil)
        page.tab("form")
        page.page.click('[data-path="tasks"] > summary')
        page.run(iterations=50)
        eventually("it is drawn", lambda: page.drawn() == page.plans())
        self.assertEqual(page.page.query_selector_all("img[src=x]"), [])
        # The two of its own.
        self.assertEqual(len(page.page.query_selector_all("script")), 2)
        # A megabyte of markup is refused, and what is refused is shown as what it is.
        page.edit(lambda problem: problem.update(title="<b>" * 350_000))
        page.page.wait_for_selector("#mistakes li")
        page.tab("form")
        page.page.wait_for_selector('[data-path="title"] .mistake')
        self.assertEqual(page.page.query_selector_all("#left b"), [])

    def test_a_slider_of_a_story_searches_again(self):
        page = self.open()
        page.example("story/inheritance")
        page.run(iterations=2000)
        before = page.page.inner_text(".tale")
        page.page.evaluate(
            """it => { const slider = document.querySelector('[data-action=Steal]'); slider.value = 0;
            slider.dispatchEvent(new Event('input')); }"""
        )
        eventually("another story", lambda: page.page.inner_text(".tale") not in ("", before))
        page.ended()
        self.assertEqual(page.problem()["sliders"], [{"action": "Steal", "factor": 0}])

    def test_a_door_that_is_locked_changes_the_game(self):
        page = self.open()
        page.example("heist/opal")
        page.run()
        page.page.click(".play")
        eventually("the game ends", lambda: page.page.get_attribute(".museum", "data-ending"))
        deeds = "document.querySelector('#panel').innerText.includes('1 action')"
        self.assertFalse(page.page.evaluate(deeds))
        page.page.focus('.museum [data-door="front_door"]')
        page.page.keyboard.press("Enter")
        eventually("the game is played again", lambda: page.page.evaluate(deeds))
        held = "document.activeElement.dataset.door"
        self.assertEqual(page.page.evaluate(held), "front_door")

    def test_a_painted_map_is_patrolled(self):
        page = self.open()
        page.example("patrol/fence")
        page.tab("paint")
        page.page.focus("#paint canvas")
        # Somebody without a mouse: to the right, a wall.
        for key in ("ArrowRight", "ArrowRight", "#", " "):
            page.page.keyboard.press(key)
        eventually("the map is read", lambda: page.problem()["title"] == "A painted map")
        page.run(iterations=200)
        self.assertEqual(page.claim(), "verified")

    def test_foreign_files_are_opened_as_the_command_line_reads_them(self):
        page = self.open()
        program = Path(os.environ["STRATAGEM_BIN_DIR"]) / "stratagem"
        with tempfile.TemporaryDirectory() as folder:
            for name, text in FOREIGN.items():
                with self.subTest(name):
                    page.upload(name, text)
                    problem = page.problem()
                    self.assertEqual(page.page.inner_text("#say"), f"{name} is open")
                    eventually("it makes sense", lambda: page.page.inner_text("#valid") == "")
                    (Path(folder) / name).write_text(text)
                    convert = [program, "convert", Path(folder) / name, Path(folder) / "out.json"]
                    subprocess.run(convert, check=True, capture_output=True)
                    page.upload("out.json", (Path(folder) / "out.json").read_text())
                    self.assertEqual(bare(problem), bare(page.problem()))

    def test_foreign_levels_are_opened_and_played(self):
        page = self.open()
        rows = ["#####", "#@$.#", "#####"]
        for name, text in (
            ("a.xsb", "\n".join(rows)),
            ("a.sok", f":: notes\nTitle: First\n\n{chr(10).join(rows)}\nAuthor: Ada\nSolution\nR\n"),
            ("a.rle", "5#|#@$.#|5#\n"),
            ("a.slc", SLC),
            # A box beyond the walls is decoration.
            ("b.xsb", "\n".join(["#####", "#@$.#  #$#", "#####"])),
        ):
            with self.subTest(name):
                page.upload(name, text)
                found = [row.rstrip(" #") for row in page.problem()["template_rows"]]
                self.assertEqual(found, [row.rstrip("#") for row in rows])
                page.page.wait_for_selector(".board, #say")

    def test_what_is_no_file_of_ours_is_said_to_be_none(self):
        page = self.open()
        for name, text in (
            ("x.txt", "nothing of the kind"),
            ("x.json", '{"vertices": ["a"], "links": [{"from": "a", "to": "b", "lb": 1, "kind": "ctg"}]}'),
            ("x.vrp", FOREIGN["tiny.vrp"].replace("EUC_2D", "GEO")),
            ("x.vrp", FOREIGN["tiny.vrp"].replace("3 6 8", "9 6 8")),
            ("x.slc", SLC.replace("$", "x")),
            ("x.slc", SLC.replace("</L>", "", 1)),
            ("x.slc", SLC.replace("?>", '?><!DOCTYPE SokobanLevels [<!ENTITY a "b">]>')),
        ):
            with self.subTest(name):
                before = page.problem()
                file = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
                page.page.set_input_files("#file", file)
                page.page.wait_for_selector("#say.bad")
                self.assertEqual(page.problem(), before)

    def test_a_point_of_the_front_is_chosen(self):
        page = self.open()
        page.example("crew/ship")
        page.run()
        eventually("the first is drawn", lambda: page.drawn() == 1)
        image = page.page.query_selector("#stage .picture")
        before = image.get_attribute("data-plan")
        page.page.focus("#panel [aria-checked=true]")
        page.page.keyboard.press("ArrowRight")
        eventually("another picture", lambda: image.get_attribute("data-plan") != before)
        self.assertEqual(len(page.page.query_selector_all("#panel [aria-checked=true]")), 1)

    def test_a_task_is_dragged_to_another_place(self):
        page = self.open()
        page.example("allocation/tavern")
        page.run(iterations=50)
        before = page.problem()
        dot = page.page.wait_for_selector("#stage .picture [data-task]")
        dot.scroll_into_view_if_needed()
        box = dot.bounding_box()
        mouse = page.page.mouse
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        mouse.down()
        mouse.move(box["x"] + 60, box["y"] + 30, steps=4)
        mouse.up()
        eventually("the task has moved", lambda: page.problem() != before)
        page.ended()
        self.assertEqual(page.claim(), "verified")

    def test_a_picture_is_zoomed_moved_and_shown_at_any_moment(self):
        page = self.open()
        page.example("allocation/tavern")
        page.run(iterations=50)
        seen = """() => document.querySelector('#stage .picture').shadowRoot
            .querySelector('svg').getAttribute('viewBox').split(' ').map(Number)"""
        places = """() => [...document.querySelector('#stage .picture').shadowRoot
            .querySelectorAll('[data-track]')].map((it) => it.getAttribute('transform'))"""
        whole = page.page.evaluate(seen)
        box = page.page.query_selector("#stage .picture").bounding_box()
        page.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
        page.page.mouse.wheel(0, -400)
        eventually("it is larger", lambda: page.page.evaluate(seen)[2] < whole[2])
        large = page.page.evaluate(seen)
        page.page.mouse.down()
        page.page.mouse.move(box["x"] + box["width"] / 2 - 40, box["y"] + 60, steps=4)
        page.page.mouse.up()
        moved = page.page.evaluate(seen)
        self.assertTrue(moved[0] > large[0] and moved[1] < large[1], (large, moved))
        page.page.click("#stage button[aria-label$='all of it']")
        self.assertEqual(page.page.evaluate(seen), whole)
        before = page.page.evaluate(places)
        asked = len(page.requests)
        page.page.fill("#stage .clock input", "0.5")
        self.assertNotEqual(page.page.evaluate(places), before)
        self.assertEqual(len(page.requests), asked, "the server is not asked")

    def test_two_runs_stand_side_by_side(self):
        page = self.open()
        page.example("allocation/raid")
        page.run(iterations=1)
        page.page.click("#keep")
        page.page.wait_for_selector("#other .picture:not([hidden])")
        page.page.fill("#seed", "7")
        page.run(iterations=200)
        self.assertEqual(len(page.page.query_selector_all("#chart .cost")), 2)
        self.assertEqual(len(page.page.query_selector_all("#terms thead th")), 3)

    def test_a_search_can_be_stopped_by_keys(self):
        page = self.open()
        page.example("allocation/raid")
        page.page.fill("#budget", "60s")
        page.page.keyboard.press("Control+Enter")
        eventually("there is a plan", lambda: (page.drawn() or 0) >= 1)
        page.page.keyboard.press("Escape")
        page.ended()
        self.assertEqual(page.claim(), "verified")

    def test_pictures_and_pages_can_be_saved(self):
        page = self.open()
        page.example("crew/ship")
        page.run()
        page.page.click("#save > summary")
        for label, begin in (("Picture (SVG)", "<svg"), ("Standalone page", "<!doctype html")):
            with page.page.expect_download() as download:
                page.page.click(f"text={label}")
            text = Path(download.value.path()).read_text()
            self.assertTrue(text.lstrip().lower().startswith(begin), text[:60])

    def test_a_saved_run_can_be_replayed_and_opened(self):
        page = self.open()
        page.example("allocation/tavern")
        page.run(iterations=50)
        page.page.click("#save > summary")
        with page.page.expect_download() as download:
            page.page.click("text=Bundle for")
        program = Path(os.environ["STRATAGEM_BIN_DIR"]) / "stratagem"
        address = f"http://{self.browser.server.address}"
        replay = [program, "replay", download.value.path(), "--address", address]
        played = subprocess.run(replay, capture_output=True, text=True, check=False)
        self.assertEqual(played.returncode, 0, played.stdout + played.stderr)
        before = page.problem()
        page.example("crew/ship")
        page.page.set_input_files("#file", download.value.path())
        eventually("it is open", lambda: page.problem() == before)

    def test_controls_have_names(self):
        page = self.open()
        for name in EXAMPLES:
            page.example(name)
            page.tab("form")
            unnamed = page.page.evaluate(
                """() => [...document.querySelectorAll('button, select, input, textarea, canvas, [tabindex]')]
                .filter((it) => it.checkVisibility() && !(it.labels?.length || it.ariaLabel || it.textContent.trim()))
                .map((it) => it.outerHTML.slice(0, 120))"""
            )
            self.assertEqual(unnamed, [], name)


def shots(browser, folder):
    """The pictures of documents."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in SHOWN:
        page = Page(browser, viewport={"width": 1280, "height": 860}, color_scheme="light")
        page.example(name)
        page.run(budget="3s")
        eventually("it is drawn", lambda: page.settled() is not None)
        page.tab("form")
        page.page.wait_for_load_state("networkidle")
        file = folder / f"{name.replace('/', '-')}.jpg"
        page.page.screenshot(path=file, type="jpeg", quality=QUALITY)
        page.close()
        print(f"{file}: {file.stat().st_size} bytes")


def soak(browser, seconds):
    """Memory of a page whose search goes on and on, after garbage was collected."""
    page = Page(browser)
    inspector = page.page.context.new_cdp_session(page.page)

    def told(moment):
        inspector.send("HeapProfiler.collectGarbage")
        heap = inspector.send("Runtime.getHeapUsage")["usedSize"] / 2**20
        nodes = inspector.send("Memory.getDOMCounters")["nodes"]
        print(f"{moment}: {heap:.1f} MiB, {nodes} nodes, {page.plans()} plans", flush=True)

    page.example("patrol/chase")
    page.begin(budget=f"{seconds}s")
    eventually("there is a plan", lambda: page.drawn())
    told("at first")
    for part in range(1, 11):
        page.page.wait_for_timeout(seconds * 100)
        told(f"after {seconds * part / 10:.0f} s")
    page.ended()
    print("complaints:", page.wrong or "none")


def figures(browser):
    """How long it takes until the page can be used, and until a first plan is seen; from fresh pages."""
    marks = {"interactive": [], **{name: [] for name in EXAMPLES}}
    for _ in range(ROUNDS):
        for name, (ask, strategy, _) in EXAMPLES.items():
            page = Page(browser)
            start = "it => performance.getEntriesByName('interactive')[0].startTime"
            marks["interactive"].append(page.page.evaluate(start))
            page.example(name)
            page.ask(ask, strategy)
            # Nobody presses Run before the problem is seen.
            eventually("the problem is drawn", page.settled)
            page.run(budget="2s")
            eventually("a plan is drawn", lambda page=page: (page.drawn() or 0) >= 1)
            first = """it => performance.getEntriesByName('picture')[0].startTime
                - performance.getEntriesByName('run').at(-1).startTime"""
            marks[name].append(page.page.evaluate(first))
            page.close()
    for name, values in marks.items():
        print(f"{name}: median {statistics.median(values):.0f} ms, worst {max(values):.0f} ms of {len(values)}")


if __name__ == "__main__":
    asked, *rest = [*sys.argv[1:], ""]
    if asked in ("--shots", "--figures", "--soak"):
        with Browser() as used:
            if asked == "--shots":
                shots(used, rest[0])
            elif asked == "--figures":
                figures(used)
            else:
                soak(used, int(rest[0]))
    else:
        unittest.main(verbosity=2)
