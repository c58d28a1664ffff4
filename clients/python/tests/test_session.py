"""Sessions at a server that loses answers, restarts, and forgets; blocking and for asyncio."""

import asyncio
import unittest
from copy import deepcopy

import grpc
from stratagem import AsyncSession, CallError, Mistake, Session, methods, v1

ID = "raid-7"
CODES = grpc.StatusCode
UNKNOWN = CallError(CODES.NOT_FOUND, "", "SESSION_UNKNOWN")
LOST = CallError(CODES.UNAVAILABLE, "")


class Fake:
    """A client of a server with the rules of the contract for sessions, in memory."""

    def __init__(self):
        # The session: its first request, the last update that it has applied, and all that are in its plan.
        self.held, self.epoch = None, 0
        self.calls = []
        # What happens to the next calls: an error, before it is made or after.
        self.before, self.after = [], []
        self.streams = []

    def _seconds(self, timeout):
        return 30.0 if timeout is None else timeout

    def call(self, method, request, *, timeout=None, metadata=None):
        self.calls.append((method, deepcopy(request)))
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

    def update(self, *arguments):
        return self.session.update(*arguments)

    def watch(self):
        return self.session.watch()

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
        self.fake.before = [CallError(CODES.RESOURCE_EXHAUSTED, "", "QUOTA_EXCEEDED")] * 70
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
        self.fails(lambda: self.update(removed(1), 3))
        self.assertEqual(served(self.update(removed(2), 4)), ["2"])
        first, second = self.fake.calls[-1][1].updates
        self.assertEqual(first, v1.SessionUpdate(sequence=1))
        self.assertEqual(second.sequence, 2)

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

    def test_a_session_that_is_closed_takes_no_updates(self):
        self.close()
        self.assertIsNone(self.fake.held)
        with self.assertRaises(ValueError):
            self.update({})


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

    def update(self, *arguments):
        return asyncio.run(self.session.update(*arguments))

    def watch(self):
        async def collect():
            return [one async for one in self.session.watch()]

        return asyncio.run(collect())

    def close(self):
        asyncio.run(self.session.close())

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
