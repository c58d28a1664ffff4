"""A dispatcher in plain Python, written from the comment of TemporalDispatchableNetwork alone, on the cases of
proto/vectors/dispatch. `due` of clients/python/examples/dispatch.py runs them, too.

Case: events by name; bounds `[from, to, us]`; waits `[event, from, until, us]`; links `[from, to, lower, upper]`; steps with
observations `[event, us]`, the events that happen then in any order, and the next wake-up; how the run ends.
"""

import functools
import importlib.util
import json
import unittest

from stage import ROOT
from stratagem.v1 import TemporalContingentLink, TemporalDispatchableNetwork

FILES = ["bounds.json", "deviations.json", "frames.json", "links.json", "waits.json", "zero.json"]

INFINITE = float("inf")


class Deviation(Exception):
    """The run has left the network."""


class Dispatcher:
    """A run of a dispatchable network."""

    def __init__(self, network):
        self.bounds, self.waits, self.links = network["bounds"], network["waits"], network["links"]
        self.link_to = {link[1]: link for link in self.links}
        self.ours = [name for name, _ in network["events"] if name not in self.link_to]
        self.instant = {to: start for start, to, _, upper in self.links if upper == 0}
        self.count = len(network["events"]) + 1
        self.time = {"origin": 0}

    def is_enabled(self, v):
        negative = all(to in self.time for start, to, us in self.bounds if start == v and us < 0)
        return negative and all(a in self.time or c in self.time for e, a, c, _ in self.waits if e == v)

    def lower(self, v):
        times = [self.time[to] - us for start, to, us in self.bounds if start == v and to in self.time]
        waits = [wait for wait in self.waits if wait[0] == v and wait[1] in self.time and wait[2] not in self.time]
        return max([0, *times, *(self.time[a] + us for _, a, _, us in waits)])

    def upper(self, v):
        times = [self.time[a] + us for a, to, us in self.bounds if to == v and a in self.time]
        return min(times, default=INFINITE)

    def links_before(self, event):
        count = 0
        while event in self.link_to:
            event, count = self.link_to[event][0], count + 1
        return count

    def note(self, event, at):
        start, _, lower, upper = self.link_to[event]
        if start not in self.time or not lower <= at - self.time[start] <= upper:
            raise Deviation(f"outside:{event}")
        self.time[event] = at

    def pending(self):
        return [v for v in self.ours if v not in self.time]

    def check(self, t):
        for v in self.pending():
            if t > self.upper(v):
                raise Deviation(f"late:{v}")
        for start, to, _, upper in self.links:
            if start in self.time and to not in self.time and t > self.time[start] + upper:
                raise Deviation(f"outside:{to}")

    def due(self, t):
        f = [v for v in self.pending() if self.is_enabled(v) and self.lower(v) <= t]

        def holds_back(w):
            while w in self.instant and w not in self.time and w not in f:
                w = self.instant[w]
                if w in self.time:
                    return True
            return w not in self.time and w not in f

        while True:
            held = [v for v in f if any(a == v and us == 0 and holds_back(w) for a, w, us in self.bounds)]
            if not held:
                return self.in_order(f)
            f = [v for v in f if v not in held]

    def in_order(self, f):
        """Each event after those to which a bound of 0 leads, unless these lead back to it."""
        entered, ordered = set(), []

        def enter(v):
            if v not in entered:
                entered.add(v)
                for w in [w for a, w, us in self.bounds if a == v and us == 0]:
                    while w in self.instant:
                        w = self.instant[w]
                    if w in f:
                        enter(w)
                ordered.append(v)

        for v in f:
            enter(v)
        return ordered

    def step(self, t, observed):
        for event, at in sorted(observed, key=lambda seen: (seen[1], self.links_before(seen[0]))):
            self.note(event, at)
        self.check(t)
        fired = []
        while f := self.due(t):
            self.time.update((v, t) for v in f)
            fired += f
        enabled = [self.lower(v) for v in self.pending() if self.is_enabled(v)]
        wake = min((lower for lower in enabled if lower > t), default=None)
        runs = any(start in self.time and to not in self.time for start, to, *_ in self.links)
        if wake is None and not runs and len(self.time) < self.count:
            raise Deviation("stuck")
        return fired, wake


@functools.cache
def example():
    """The module clients/python/examples/dispatch.py."""
    spec = importlib.util.spec_from_file_location("dispatch", ROOT / "clients/python/examples/dispatch.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class DispatchVectors(unittest.TestCase):
    def test_all_cases(self):
        for case in self.cases():
            with self.subTest(case["name"]):
                self.assertEqual(self.play(case), case["end"])

    def test_the_documented_function_runs_all_cases(self):
        for case in self.cases():
            with self.subTest(case["name"]):
                self.play_documented(case)

    def cases(self):
        paths = sorted((ROOT / "proto/vectors/dispatch").glob("*.json"))
        self.assertEqual([path.name for path in paths], FILES)
        files = [json.loads(path.read_text()) for path in paths]
        self.assertTrue(all(files))
        return [case for file in files for case in file]

    def play(self, case):
        run = Dispatcher(case["network"])
        for step in case["steps"]:
            try:
                fired, wake = run.step(step["at"], step.get("observe", []))
            except Deviation as deviation:
                self.assertNotIn("fire", step)
                return str(deviation)
            self.assertEqual((sorted(fired), wake), (sorted(step["fire"]), step["wake"]))
            self.check_order(case["network"], fired)
        return "done" if len(run.time) == run.count else "running"

    def play_documented(self, case):
        """The events of each step before the run deviates: the function looks for no deviations."""
        given, network = case["network"], TemporalDispatchableNetwork()
        for start, to, us in given["bounds"]:
            bound = network.bounds.add(from_event_id=start, to_event_id=to)
            bound.bound.FromMicroseconds(us)
        for event, start, until, us in given["waits"]:
            wait = network.waits.add(event_id=event, from_event_id=start, until_event_id=until)
            wait.duration.FromMicroseconds(us)
        links = []
        for start, to, _, upper in given["links"]:
            links.append(TemporalContingentLink(from_event_id=start, to_event_id=to))
            links[-1].upper.FromMicroseconds(upper)
        ours = {name for name, kind in given["events"] if kind == "ours"}
        happened = {"origin": 0}
        for step in case["steps"]:
            if "fire" not in step:
                break
            happened.update(step.get("observe", []))
            fired = example().due(step["at"], ours, network, links, happened)
            self.assertEqual(sorted(fired), sorted(step["fire"]))
            self.check_order(given, fired)
            happened.update((event, step["at"]) for event in fired)

    def check_order(self, network, fired):
        """The event that a bound of 0 leads to comes first, unless it leads back."""
        orders = [(v, w) for v, w, us in network["bounds"] if us == 0]
        for v, w in orders:
            if v in fired and w in fired:
                found = [w]
                for one in found:
                    found += [other for start, other in orders if start == one and other not in found]
                self.assertTrue(v in found or fired.index(w) < fired.index(v), fired)


if __name__ == "__main__":
    unittest.main(verbosity=2)
