"""A dispatcher in plain Python, written from the comment of TemporalDispatchableNetwork alone, on the cases of
proto/vectors/dispatch.

Case: events by name; bounds `[from, to, us]`; waits `[event, from, until, us]`; links `[from, to, lower, upper]`; steps with
observations `[event, us]`, the events that happen then, and the next wake-up; how the run ends.
"""

import json
import unittest

from stage import ROOT

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
                return f
            f = [v for v in f if v not in held]

    def step(self, t, observed):
        for event, at in sorted(observed, key=lambda seen: seen[1]):
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


class DispatchVectors(unittest.TestCase):
    def test_all_cases(self):
        files = sorted((ROOT / "proto/vectors/dispatch").glob("*.json"))
        cases = [case for path in files for case in json.loads(path.read_text())]
        self.assertGreater(len(cases), 40)
        for case in cases:
            with self.subTest(case["name"]):
                self.assertEqual(self.play(case), case["end"])

    def play(self, case):
        run = Dispatcher(case["network"])
        for step in case["steps"]:
            try:
                fired, wake = run.step(step["at"], step.get("observe", []))
            except Deviation as deviation:
                self.assertNotIn("fire", step)
                return str(deviation)
            self.assertEqual((sorted(fired), wake), (sorted(step["fire"]), step["wake"]))
        return "done" if len(run.time) == run.count else "running"


if __name__ == "__main__":
    unittest.main(verbosity=2)
