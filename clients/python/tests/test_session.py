"""Sessions at a server that loses answers, restarts, and forgets; blocking and for asyncio."""

import asyncio
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from unittest import mock

import grpc
from stratagem import AsyncSession, CallError, Mistake, Session, methods, v1
from stratagem._error import Patience

ID = "raid-7"
CODES = grpc.StatusCode
UNKNOWN = CallError(CODES.NOT_FOUND, "", "SESSION_UNKNOWN")
LOST = CallError(CODES.UNAVAILABLE, "")
QUOTA = CallError(CODES.RESOURCE_EXHAUSTED, "", "QUOTA_EXCEEDED")
# How long a thread waits for another one. Reached only when something is broken.
PATIENCE_S = 20.0


class Fake:
    """A client of a server with the rules of the contract for sessions, in memory."""

    def __init__(self):
        # The session: its first request, the last update that it has applied, and all that are in its plan.
        self.held, self.epoch = None, 0
        self.calls, self.timeouts = [], []
        # What happens to the next calls: an error, before it is made or after.
        self.before, self.after = [], []
        self.streams = []

    def _seconds(self, timeout):
        return 30.0 if timeout is None else timeout

    def call(self, method, request, *, timeout=None, metadata=None):
        self.calls.append((method, deepcopy(request)))
        self.timeouts.append((method, timeout))
        assert metadata == {"x-session-id": ID}
        if self.before and (error := self.before.pop(0)):
            raise error
        answer = getattr(self, method.path.rpartition("/")[2])(request)
        if self.after and (error := self.after.pop(0)):
            raise error
        return answer

    def stream(self, method, request, *, timeout=None, metadata=None):
        assert metadata == {"x-session-id": ID}
        if not self.streams:
            raise UNKNOWN
        for one in self.streams.pop(0):
            if isinstance(one, CallError):
                raise one
            yield v1.WatchSessionResponse(view=one)

    def sent(self, method):
        """The numbers of the updates of each call of a method."""
        found = [request for called, request in self.calls if called is method]
        return [[one.sequence for one in getattr(request, "updates", [])] for request in found]

    def view(self):
        origin, applied, plan, revision = self.held
        plan = v1.AllocationPlan(unserved_task_ids=plan)
        view = v1.SessionView(epoch=self.epoch, plan_revision=revision, allocation=plan)
        view.applied_sequence = applied
        return view

    def CreateSession(self, request):
        existed = self.held is not None and self.held[0] == request
        if self.held and not existed:
            raise CallError(CODES.ALREADY_EXISTS, "", "SESSION_EXISTS")
        if not existed:
            self.epoch += 1
            plan = [task.id for task in request.allocation.problem.tasks]
            self.held = [deepcopy(request), request.applied_sequence, plan, 1]
        return v1.CreateSessionResponse(view=self.view(), existed=existed)

    def UpdateSession(self, request):
        if self.held is None:
            raise UNKNOWN
        if request.updates[0].sequence > self.held[1] + 1:
            raise CallError(CODES.FAILED_PRECONDITION, "", "SESSION_SEQUENCE_GAP")
        refused = []
        given = [id_ for one in request.updates for id_ in one.allocation.removed_task_ids]
        if "MESSAGE_MALFORMED" in given:
            raise CallError(CODES.INVALID_ARGUMENT, "", "MESSAGE_MALFORMED")
        if "MESSAGE_TOO_LARGE" in given:
            raise CallError(CODES.RESOURCE_EXHAUSTED, "", "MESSAGE_TOO_LARGE")
        for one in request.updates:
            if one.sequence <= self.held[1]:
                continue
            self.held[1] = one.sequence
            for id_ in one.allocation.removed_task_ids:
                if id_ == "wrong":
                    refused.append(v1.SessionRefusal(sequence=one.sequence))
                else:
                    self.held[2:] = [[*self.held[2], id_], self.held[3] + 1]
        view = self.view()
        view.refused.extend(refused)
        if request.known_plan_revision == view.plan_revision:
            view.ClearField("allocation")
        return v1.UpdateSessionResponse(view=view)

    def GetSession(self, request):
        snapshot = v1.CreateSessionRequest(session_id=ID, applied_sequence=self.held[1])
        for id_ in self.held[2]:
            snapshot.allocation.problem.tasks.add(id=id_)
        return v1.GetSessionResponse(snapshot=snapshot, view=self.view())

    def CloseSession(self, request):
        self.held = None
        return v1.CloseSessionResponse()


def removed(id_):
    return {"allocation": {"removed_task_ids": [str(id_)]}}


def served(view):
    return list(view.allocation.unserved_task_ids)


def names(first, last):
    return [str(number) for number in range(first, last + 1)]


class Blocking(unittest.TestCase):
    def setUp(self):
        self.fake = Fake()
        self.session = self.create({"session_id": ID, "allocation": {"problem": {}}})

    def create(self, request):
        return Session.create(self.fake, request)

    def update(self, *arguments, **options):
        return self.session.update(*arguments, **options)

    def watch(self):
        return list(self.session.watch())

    def close(self):
        self.session.close()

    def fails(self, act):
        with self.assertRaises(CallError) as failed:
            act()
        return failed.exception

    def test_updates_are_numbered_and_the_known_plan_is_not_sent_again(self):
        self.assertEqual(served(self.update(removed(1), 0.5)), ["1"])
        view = self.update({}, 1.5)
        self.assertEqual((view.applied_sequence, served(view)), (2, ["1"]))
        first, second = (request for _, request in self.fake.calls[1:])
        self.assertEqual(first.updates[0].now_offset.ToMilliseconds(), 500)
        self.assertEqual((first.known_plan_revision, second.known_plan_revision), (1, 2))
        with self.assertRaises(ValueError):
            self.update({"allocation": {"removed": []}})
        self.assertEqual(self.update({}).applied_sequence, 3)

    def test_updates_whose_answer_is_lost_are_sent_again_and_applied_once(self):
        self.fake.after = [LOST]
        self.fake.before = [None, LOST]
        self.assertEqual(served(self.update(removed(1))), ["1"])
        self.assertEqual(self.fake.sent(methods.UpdateSession), [[1], [1], [1]])

    def test_an_update_that_fails_is_sent_with_the_next_one(self):
        self.fake.before = [QUOTA] * 70
        for number in range(1, 71):
            error = self.fails(lambda number=number: self.update(removed(number)))
            self.assertEqual(error.reason, "QUOTA_EXCEEDED")
        self.assertEqual(served(self.update(removed(71))), names(1, 71))
        sent = self.fake.sent(methods.UpdateSession)[-2:]
        self.assertEqual(sent, [list(range(1, 65)), list(range(65, 72))])

    def test_a_server_that_restarted_gets_the_session_again(self):
        for number in range(1, 151):
            self.update(removed(number))
        self.assertEqual(len(self.fake.sent(methods.GetSession)), 1)
        self.fake.held = None
        self.assertEqual(served(self.update(removed(151))), names(1, 151))
        created = [one for method, one in self.fake.calls if method is methods.CreateSession]
        self.assertEqual([one.applied_sequence for one in created], [0, 100])
        sent = self.fake.sent(methods.UpdateSession)[-2:]
        self.assertEqual(sent, [[151], list(range(101, 152))])

    def test_a_session_from_before_is_replaced_by_the_present_one(self):
        for older in ("a gap", "a smaller epoch", "another content"):
            with self.subTest(older):
                self.setUp()
                for number in range(1, 4):
                    self.update(removed(number))
                if older == "a gap":
                    self.fake.held[1] = 1
                elif older == "a smaller epoch":
                    self.fake.epoch -= 1
                else:
                    self.fake.before, self.fake.held[0] = [UNKNOWN], None
                self.assertEqual(served(self.update(removed(4))), names(1, 4))
                self.assertEqual(len(self.fake.sent(methods.CloseSession)), 1)

    def test_an_id_that_is_in_use_is_an_error_of_creation(self):
        request = {"session_id": ID, "allocation": {"problem": {"title": "other"}}}
        self.assertEqual(self.fails(lambda: self.create(request)).reason, "SESSION_EXISTS")
        self.assertFalse(self.fake.sent(methods.CloseSession))

    def test_refusals_are_returned_once_also_when_the_session_is_created_again(self):
        view = self.update(removed("wrong"))
        self.assertEqual([one.sequence for one in view.refused], [1])
        self.fake.held = None
        self.assertFalse(self.update(removed(2)).refused)

    def test_an_update_that_breaks_rules_of_the_contract_does_not_hold_up_the_next_one(self):
        mistake = Mistake("updates[0].allocation.events", "TOO_MANY", "")
        self.fake.before = [CallError(CODES.INVALID_ARGUMENT, "", mistakes=[mistake])]
        (refusal,) = self.update(removed(1), 3).refused
        self.assertEqual((refusal.sequence, refusal.mistakes[0].field), (1, "allocation.events"))
        self.assertEqual(self.fake.calls[-1][1].updates, [v1.SessionUpdate(sequence=1)])
        # Its number has mistakes too: sending it again would not help.
        mistake = Mistake("updates[0].sequence", "OUT_OF_RANGE", "")
        self.fake.before = [CallError(CODES.INVALID_ARGUMENT, "", mistakes=[mistake])] * 2
        self.fails(lambda: self.update(removed(2), 4))
        view = self.update(removed(3), 5)
        self.assertEqual((served(view), [one.sequence for one in view.refused]), (["3"], [2]))
        first, second = self.fake.calls[-1][1].updates
        self.assertEqual(first, v1.SessionUpdate(sequence=2))
        self.assertEqual(second.sequence, 3)

    def test_an_update_that_no_server_can_read_does_not_hold_up_others(self):
        for reason in ("MESSAGE_MALFORMED", "MESSAGE_TOO_LARGE"):
            with self.subTest(reason):
                self.setUp()
                self.fake.before = [QUOTA] * 2
                self.fails(lambda: self.update(removed(1)))
                self.fails(lambda reason=reason: self.update(removed(reason)))
                view = self.update(removed(3))
                self.assertEqual(served(view), ["1", "3"])
                (refusal,) = view.refused
                self.assertEqual((refusal.sequence, refusal.mistakes[0].reason), (2, reason))
                sent = self.fake.sent(methods.UpdateSession)
                self.assertEqual(sent, [[1], [1, 2], [1, 2, 3], [1], [2], [2], [3]])
                self.update(removed(4))
                self.assertEqual(self.fake.sent(methods.UpdateSession)[-1], [4])

    def test_a_refusal_whose_caller_has_left_is_in_the_next_response(self):
        self.fake.before = [QUOTA]
        self.fails(lambda: self.update(removed("wrong")))
        self.assertEqual([one.sequence for one in self.update(removed(2)).refused], [1])

    def test_a_snapshot_takes_no_longer_than_the_update(self):
        for number in range(1, 101):
            self.update(removed(number), timeout=7.0)
        ((_, timeout),) = [one for one in self.fake.timeouts if one[0] is methods.GetSession]
        self.assertLessEqual(timeout, 7.0)
        self.session._live.acknowledged += 100
        self.assertTrue(self.session._live.wants_snapshot(Patience(None)))
        self.assertFalse(self.session._live.wants_snapshot(Patience(0.0)))

    def test_watching_ignores_older_views_and_continues_when_the_stream_is_lost(self):
        self.update(removed(1))
        view = lambda epoch, revision: v1.SessionView(epoch=epoch, plan_revision=revision)
        drained = CallError(CODES.UNAVAILABLE, "", "DRAINING")
        views = [view(1, 2), view(1, 4), view(1, 3), view(0, 9)]
        self.fake.streams = [[*views, drained], [LOST], [view(1, 4), view(2, 1)]]
        found = [(one.epoch, one.plan_revision) for one in self.watch()]
        self.assertEqual(found, [(1, 2), (1, 4), (1, 4), (2, 1)])

    def test_watching_creates_a_session_that_its_server_has_lost(self):
        self.update(removed(1))
        self.fake.held = None
        made = self.fake.UpdateSession

        def answer(request):
            # By then it is created again.
            self.fake.streams = [[v1.SessionView(epoch=2, plan_revision=5)]]
            return made(request)

        self.fake.UpdateSession = answer
        (view,) = self.watch()
        self.assertEqual(view.plan_revision, 5)
        self.assertEqual(self.fake.sent(methods.UpdateSession), [[1], [1]])

    def test_watching_tries_for_a_bounded_time_and_lets_others_call_between(self):
        self.update(removed(1))
        self.fake.held = None
        self.fake.before = [LOST] * 3
        locked = []

        def sleep(_):
            locked.append(self.session._turn.locked())
            if len(locked) == 4:
                self.fake.streams = [[v1.SessionView(epoch=2, plan_revision=5)]]

        with self.slept(sleep):
            self.assertEqual(len(self.watch()), 1)
        self.assertGreaterEqual(len(locked), 4)
        self.assertFalse(any(locked))
        creations = [one for method, one in self.fake.timeouts if method is methods.CreateSession]
        self.assertEqual(len(creations), 5)
        for timeout in creations[1:]:
            self.assertLessEqual(timeout, 30.0)

    def slept(self, sleep):
        return mock.patch("time.sleep", sleep)

    def test_watching_does_not_create_a_session_that_is_closed(self):
        self.update(removed(1))
        self.fake.held = None
        made = self.fake.CreateSession

        def lose(request):
            self.session._live.close()
            self.fake.CreateSession = made
            raise LOST

        self.fake.CreateSession = lose
        self.assertEqual(self.watch(), [])
        self.assertIsNone(self.fake.held)

    def test_a_session_that_is_closed_takes_no_updates(self):
        self.close()
        self.assertIsNone(self.fake.held)
        with self.assertRaises(ValueError):
            self.update({})


class Threads(unittest.TestCase):
    """Several threads with one session."""

    def setUp(self):
        self.fake = Fake()
        self.session = Session.create(self.fake, {"session_id": ID, "allocation": {"problem": {}}})
        self.others = ThreadPoolExecutor()
        self.addCleanup(self.others.shutdown)
        self.waits, self.goes_on = threading.Event(), threading.Event()

    def wait(self, *_):
        """Waits for the test."""
        self.waits.set()
        assert self.goes_on.wait(PATIENCE_S)

    def test_a_thread_waits_for_another_one_until_its_own_deadline(self):
        made = self.fake.CreateSession

        def create(request):
            self.wait()
            self.fake.streams = [[v1.SessionView(epoch=2, plan_revision=1)]]
            return made(request)

        self.fake.held, self.fake.CreateSession = None, create
        views = self.others.submit(lambda: list(self.session.watch()))
        self.assertTrue(self.waits.wait(PATIENCE_S))
        with self.assertRaises(CallError) as failed:
            self.session.update(removed(1), timeout=0.05)
        self.assertIs(failed.exception.code, CODES.DEADLINE_EXCEEDED)
        self.assertFalse(views.done())
        self.goes_on.set()
        self.assertEqual(len(views.result(PATIENCE_S)), 1)
        self.assertEqual(served(self.session.update(removed(2))), ["1", "2"])

    def test_each_thread_gets_its_own_refusal(self):
        self.fake.before = [LOST]
        with mock.patch("time.sleep", lambda pause: pause and self.wait()):
            other = self.others.submit(lambda: self.session.update(removed("wrong")))
            self.assertTrue(self.waits.wait(PATIENCE_S))
            view = self.session.update(removed(2))
            self.goes_on.set()
            self.assertEqual([one.sequence for one in other.result(PATIENCE_S).refused], [1])
        self.assertEqual((served(view), len(view.refused)), (["2"], 0))
        self.assertEqual(self.fake.sent(methods.UpdateSession), [[1], [1, 2]])


class AsyncFake(Fake):
    async def call(self, *arguments, **options):
        # Others get their turn, as while a server works.
        await asyncio.sleep(0)
        return super().call(*arguments, **options)

    async def stream(self, *arguments, **options):
        for one in super().stream(*arguments, **options):
            yield one


class Asynchronous(Blocking):
    """The same by asyncio."""

    def setUp(self):
        self.fake = AsyncFake()
        self.session = self.create({"session_id": ID, "allocation": {"problem": {}}})

    def create(self, request):
        return asyncio.run(AsyncSession.create(self.fake, request))

    def update(self, *arguments, **options):
        return asyncio.run(self.session.update(*arguments, **options))

    def watch(self):
        async def collect():
            return [one async for one in self.session.watch()]

        return asyncio.run(collect())

    def close(self):
        asyncio.run(self.session.close())

    def slept(self, sleep):
        real = asyncio.sleep

        async def wait(seconds):
            if seconds:
                sleep(seconds)
            await real(0)

        return mock.patch("asyncio.sleep", wait)

    def gather(self, *calls):
        async def gather():
            return await asyncio.gather(*calls, return_exceptions=True)

        return asyncio.run(gather())

    def test_updates_that_share_a_call_with_a_wrong_one_are_sent_again(self):
        mistake = Mistake("updates[1].allocation.events", "TOO_MANY", "")
        self.fake.before = [None, CallError(CODES.INVALID_ARGUMENT, "", mistakes=[mistake])]
        _, good, bad = self.gather(*(self.session.update(removed(one)) for one in (1, 2, 3)))
        self.assertEqual((served(good), len(good.refused)), (["1", "2"], 0))
        self.assertEqual([one.sequence for one in bad.refused], [3])
        self.assertEqual(self.fake.sent(methods.UpdateSession), [[1], [2, 3], [2, 3]])

    def test_closing_ends_updates_that_wait(self):
        first, second, _, third = self.gather(
            self.session.update(removed(1)),
            self.session.update(removed(2)),
            self.session.close(),
            self.session.update(removed(3)),
        )
        self.assertEqual(served(first), ["1"])
        for error in (second, third):
            self.assertEqual(str(error), "the session is closed")
        called = [method for method, _ in self.fake.calls[1:]]
        self.assertEqual(called, [methods.UpdateSession, methods.CloseSession])

    def test_a_task_waits_for_another_one_until_its_own_deadline(self):
        async def update():
            async with self.session._turn:
                await self.session.update(removed(1), timeout=0.05)

        error = self.fails(lambda: asyncio.run(update()))
        self.assertIs(error.code, CODES.DEADLINE_EXCEEDED)
        self.assertEqual(served(self.update(removed(2))), ["1", "2"])

    def test_updates_of_one_moment_share_calls(self):
        async def all_of_them():
            return await asyncio.gather(
                *(self.session.update(removed(number)) for number in range(1, 131))
            )

        views = asyncio.run(all_of_them())
        self.assertEqual(served(views[-1]), names(1, 130))
        sent = [len(one) for one in self.fake.sent(methods.UpdateSession)]
        self.assertEqual((max(sent), sum(sent)), (64, 130))


if __name__ == "__main__":
    unittest.main(verbosity=2)
