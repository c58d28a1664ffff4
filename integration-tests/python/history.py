"""What callers saw of jobs, and whether it can have been: nothing lost, nothing doubled, in order."""

import threading
import unittest
from collections import Counter, namedtuple

# An event as a watcher saw it; `answer` stands for the answer in it, or is None.
Event = namedtuple("Event", "sequence state attempt answer")
# A job as it is in the end.
End = namedtuple("End", "state sequence answer")

FINAL = {"SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"}


class History:
    """Facts, noted by callers as they come to know them."""

    def __init__(self):
        self._lock = threading.Lock()
        self.accepted = []  # (request_id, job_id), once for each answer
        self.cancelled = {}  # job_id: state in the answer to the call
        self.watched = []  # (job_id, [Event])
        self.ends = []  # (server, job_id, End or None)
        self.listed = {}  # server: [job_id]
        self.surprises = []  # texts

    def note(self, kind, *fact):
        with self._lock:
            place = getattr(self, kind)
            if isinstance(place, dict):
                place[fact[0]] = fact[1]
            else:
                place.append(fact if len(fact) > 1 else fact[0])

    def violations(self):
        """What cannot have been, a sentence each."""
        wrong = list(self.surprises)
        jobs = {job for _, job in self.accepted}
        wrong += self._names()
        wrong += self._events()
        ends = {}
        for server, job, end in self.ends:
            if end is None:
                wrong.append(f"{job} was accepted and is lost at {server}")
            elif end.state not in FINAL:
                wrong.append(f"{job} has not ended at {server}: {end.state}")
            elif ends.setdefault(job, end) != end:
                wrong.append(f"{job} ended twice: as {ends[job]} and as {end} at {server}")
        wrong += [f"nobody knows how {job} ended" for job in sorted(jobs - ends.keys())]
        wrong += self._outcomes(ends)
        for server, listed in self.listed.items():
            for job, count in (Counter(listed) - Counter(jobs)).items():
                wrong.append(f"{server} lists {job} {count} times too often")
            wrong += [f"{server} does not list {job}" for job in sorted(jobs - set(listed))]
        return wrong

    def _names(self):
        """One request, one job."""
        by_request, by_job = {}, {}
        for request, job in self.accepted:
            if by_request.setdefault(request, job) != job:
                yield f"{request} is {by_request[request]} and {job}"
            if by_job.setdefault(job, request) != request:
                yield f"{job} is that of {by_job[job]} and of {request}"

    def _events(self):
        """Numbers rise, the end is the end, and all saw the same."""
        known = {}
        for job, events in self.watched:
            for before, after in zip(events, events[1:]):
                if after.sequence <= before.sequence or after.attempt < before.attempt:
                    yield f"{job}: {after} came after {before}"
                if before.state in FINAL:
                    yield f"{job}: {after} came after its end"
            for event in events:
                if known.setdefault((job, event.sequence), event) != event:
                    yield f"{job}: {event} was {known[job, event.sequence]} to others"

    def _outcomes(self, ends):
        """The last event is the end, and who cancelled was heard."""
        for job, events in self.watched:
            end = ends.get(job)
            if not events or events[-1].state not in FINAL:
                yield f"{job}: a watcher never saw its end"
            elif end and (events[-1].state, events[-1].sequence, events[-1].answer) != end:
                yield f"{job}: {events[-1]} was told, and it ended as {end}"
        for job, end in ends.items():
            answered = self.cancelled.get(job)
            allowed = {"SUCCEEDED"}
            if answered in FINAL:
                allowed = {answered}
            elif answered is not None:
                allowed = {"CANCELLED"}
            if end.state not in allowed:
                yield f"{job} ended as {end.state}; its cancellation was answered {answered}"
            if end.state == "SUCCEEDED" and end.answer is None:
                yield f"{job} succeeded without an answer"


class Checker(unittest.TestCase):
    """The checker finds what is wrong."""

    def violations(self, **facts):
        history = History()
        done = End("SUCCEEDED", 2, "a")
        seen = [Event(1, "RUNNING", 1, None), Event(2, "SUCCEEDED", 1, "a")]
        good = {
            "accepted": [("r", "j")],
            "watched": [("j", seen)],
            "ends": [("s", "j", done), ("t", "j", done)],
            "listed": {"s": ["j"]},
            "cancelled": {},
        }
        for name, fact in (good | facts).items():
            setattr(history, name, fact)
        return history.violations()

    def test_a_good_history_is_good(self):
        self.assertEqual(self.violations(), [])

    def test_each_wrong_is_found(self):
        done, other = End("SUCCEEDED", 2, "a"), End("SUCCEEDED", 2, "b")
        seen = [Event(1, "RUNNING", 1, None), Event(2, "SUCCEEDED", 1, "a")]
        for text, facts in (
            ("lost", {"ends": [("s", "j", done), ("t", "j", None)]}),
            ("twice", {"ends": [("s", "j", done), ("t", "j", other)]}),
            ("has not ended", {"ends": [("s", "j", End("RUNNING", 2, None))]}),
            ("is j and k", {"accepted": [("r", "j"), ("r", "k")]}),
            ("came after", {"watched": [("j", [seen[0], seen[0], seen[1]])]}),
            ("came after its end", {"watched": [("j", [*seen, Event(3, "QUEUED", 1, None)])]}),
            ("to others", {"watched": [("j", seen), ("j", [seen[1]._replace(answer="c")])]}),
            ("never saw its end", {"watched": [("j", seen[:1])]}),
            ("cancellation", {"cancelled": {"j": "RUNNING"}}),
            ("too often", {"listed": {"s": ["j", "k"]}}),
            ("does not list", {"listed": {"s": []}}),
        ):
            with self.subTest(text):
                self.assertTrue(any(text in one for one in self.violations(**facts)))
