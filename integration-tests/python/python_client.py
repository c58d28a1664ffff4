"""The package of clients/python against servers that are killed, drained and secured; blocking and asynchronous."""

import asyncio
import random
import tempfile
import time
import unittest
from pathlib import Path

import grpc
from stratagem import AsyncClient, AsyncSession, CallError, Client, Session, Tls, methods, v1

from foreign_client import problem
from stage import PATIENCE_S, Replica, eventually, run

FLAGS = ["--lame-duck", "0ms"]
TOKEN = "0123456789abcdef"


# One for all tests: gRPC has one for the process.
LOOP = asyncio.new_event_loop()


class Awaited:
    """An asynchronous object as a blocking one."""

    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        value = getattr(self._inner, name)
        if name == "jobs":
            return Awaited(value)
        if not callable(value):
            return value

        def call(*arguments, **options):
            result = value(*arguments, **options)
            if hasattr(result, "__anext__"):
                return self._iterate(result)
            return LOOP.run_until_complete(result)

        return call

    def _iterate(self, steps):
        try:
            while True:
                yield LOOP.run_until_complete(anext(steps))
        except StopAsyncIteration:
            return
        finally:
            LOOP.run_until_complete(steps.aclose())


def hard(seed=0, **options):
    """A search that finds better and better plans, by default until its caller ends it."""
    numbers = random.Random(1)
    draw = lambda: {"point": {"x": numbers.randrange(1000), "y": numbers.randrange(1000)}}
    tasks = [{"id": f"t{i}", "place": draw(), "service_duration": "1s"} for i in range(150)]
    agents = [{"id": f"a{i}", "start": draw(), "speed": 9} for i in range(5)]
    options = {"seed": seed, "time_budget": "300s"} | options
    return {"problem": {"agents": agents, "tasks": tasks}, "options": options}


# It takes a second or so, in which its server can be lost.
LIMITED = hard(max_iterations=200)


def levels(step):
    return list((step.report if step.HasField("report") else step.event).objective.levels)


class Blocking(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="stratagem-python-client-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def replica(self, *flags):
        made = Replica("server", [*FLAGS, *flags])
        self.addCleanup(lambda: made.process.kill())
        return made

    def client(self, address, **options):
        made = Client(address, **options)
        self.addCleanup(made.close)
        return made

    def pair(self, **options):
        """Two servers, and a client of both."""
        pair = [self.replica(), self.replica()]
        address = "ipv4:" + ",".join(one.address for one in pair)
        return pair, self.client(address, **options)

    def busy(self, pair):
        """The server that searches, then the other one."""
        searches = lambda: [one for one in pair if one.total("stratagem_busy_slots") == 1]
        (busy,) = eventually("one searches", searches)
        return busy, next(one for one in pair if one is not busy)

    def fails(self, call):
        with self.assertRaises(CallError) as failed:
            call()
        return failed.exception

    def improves(self, steps):
        """Each plan is strictly better than the one before, and only the last step has a report."""
        found = [levels(step) for step in steps[:-1]]
        self.assertEqual(found, sorted(found, reverse=True))
        self.assertEqual(len(found), len({tuple(one) for one in found}))
        self.assertTrue(found and all(found), found)
        reports = [step.HasField("report") for step in steps]
        self.assertEqual(reports, [False] * len(found) + [True])
        self.assertLessEqual(levels(steps[-1]), found[-1])
        self.assertTrue(steps[-1].plan.routes, steps[-1])

    def test_a_call_returns_the_best_plan_before_its_deadline(self):
        client = self.client(self.replica().address)
        client.wait_until_ready()
        begin = time.monotonic()
        answer = client.call(methods.AllocateTasks, hard(), timeout=4)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertTrue(answer.plan.routes)
        self.assertEqual(answer.report.stop_reason, v1.STOP_REASON_DEADLINE)

    def test_a_connection_is_waited_for(self):
        client = self.client("127.0.0.1:1")
        with self.assertRaises(TimeoutError):
            client.wait_until_ready(0.1)

    def test_an_error_lists_all_mistakes(self):
        client = self.client(self.replica().address)
        wrong = problem(3)
        wrong["tasks"][1]["id"] = "t0"
        wrong["tasks"][2]["place"]["point"]["x"] = "NaN"
        call = lambda: client.call(methods.AllocateTasks, {"problem": wrong})
        error = self.fails(call)
        self.assertEqual(error.code, grpc.StatusCode.INVALID_ARGUMENT)
        self.assertEqual(error.reason, "INVALID_REQUEST")
        found = [(one.field, one.reason) for one in error.mistakes]
        place = ("problem.tasks[2].place.point.x", "NOT_FINITE")
        self.assertEqual(found, [place, ("problem.tasks[1].id", "DUPLICATE")])
        self.assertIn(place[0], str(error))
        self.assertTrue(error.request_id)

    def test_a_full_server_names_the_delay(self):
        server = self.replica("--slots", "1", "--queue-max", "1")
        client = self.client(server.address, options={"grpc.service_config": "{}"})
        stream = client.stream(methods.StreamAllocateTasks, hard(priority="PRIORITY_HIGH"))
        next(stream)
        request = {"problem": problem(5), "options": {"time_budget": "0.020s"}}
        error = self.fails(lambda: client.call(methods.AllocateTasks, request))
        self.assertEqual(error.reason, "NO_SLOT_IN_TIME")
        self.assertGreater(error.retry_delay, 0)
        stream.close()
        eventually("the search has ended", lambda: server.total("stratagem_busy_slots") == 0)

    def test_a_stream_that_is_followed_survives_its_server(self):
        pair, client = self.pair()
        steps = client.follow(methods.StreamAllocateTasks, LIMITED, timeout=PATIENCE_S)
        first = next(steps)
        lost, other = self.busy(pair)
        lost.process.kill()
        rest = list(steps)
        self.improves([first, *rest])
        self.assertEqual(rest[-1].report.stop_reason, v1.STOP_REASON_ITERATION_LIMIT)
        searches = other.total("stratagem_rpc_total", "StreamAllocateTasks", 'code="OK"')
        self.assertEqual(searches, 1)

    def test_a_stream_that_is_followed_leaves_a_server_that_drains(self):
        pair, client = self.pair()
        steps = client.follow(methods.StreamAllocateTasks, LIMITED, timeout=PATIENCE_S)
        first = next(steps)
        drains, _ = self.busy(pair)
        drains.terminate()
        rest = list(steps)
        self.improves([first, *rest])
        self.assertEqual(rest[-1].report.stop_reason, v1.STOP_REASON_ITERATION_LIMIT)
        drains.stopped()

    def test_the_report_of_a_server_that_drains_is_the_last_where_no_other_is_left(self):
        server = self.replica()
        client = self.client(server.address)
        steps = client.follow(methods.StreamAllocateTasks, hard(), timeout=4)
        first = next(steps)
        server.terminate()
        rest = list(steps)
        self.improves([first, *rest])
        self.assertEqual(rest[-1].report.stop_reason, v1.STOP_REASON_DRAINING)

    def test_without_a_server_following_fails_at_its_deadline(self):
        client = self.client("127.0.0.1:1")
        steps = client.follow(methods.StreamAllocateTasks, hard(), timeout=1)
        lost = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
        self.assertIn(self.fails(lambda: list(steps)).code, lost)

    def test_a_mistake_ends_following(self):
        client = self.client(self.replica().address)
        steps = client.follow(methods.StreamAllocateTasks, {}, timeout=PATIENCE_S)
        self.assertEqual(self.fails(lambda: list(steps)).reason, "INVALID_REQUEST")

    def test_a_job_is_watched_over_the_loss_of_its_server(self):
        server = self.replica("--jobs", self.folder / "jobs.redb")
        client = self.client(server.address, options={"grpc.max_reconnect_backoff_ms": 300})
        request = {"problem": problem(60), "options": {"time_budget": "3s"}}
        terms = {"request_id": "friday", "labels": {"level": "7"}, "deadline": 600, "keep": 600}
        job = client.jobs.create(methods.AllocateTasks, request, **terms)
        again = client.jobs.create(methods.AllocateTasks, request, **terms)
        self.assertEqual(job.job_id, again.job_id)
        events = client.jobs.watch(job.job_id, timeout=PATIENCE_S)
        seen = [next(events)]
        while seen[-1].state != v1.JOB_STATE_RUNNING:
            seen.append(next(events))
        server.process.kill()
        server.start()
        seen += events
        numbers = [event.sequence for event in seen]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertEqual(seen[-1].state, v1.JOB_STATE_SUCCEEDED)
        self.assertEqual(seen[-1].attempt, 2)
        found = client.jobs.get(job.job_id)
        self.assertEqual(found.response, seen[-1].response)
        self.assertTrue(found.response.allocate_tasks.plan.routes)

    def test_jobs_are_listed_cancelled_and_deleted(self):
        server = self.replica("--jobs", self.folder / "jobs.redb", "--job-slots", "1")
        client = self.client(server.address)
        create = client.jobs.create
        ids = [create(methods.AllocateTasks, hard(seed)).job_id for seed in range(3)]
        labelled = create(methods.AllocateTasks, hard(), labels={"level": "7"}).job_id
        listed = [job.job_id for job in client.jobs.list(page_size=2)]
        self.assertEqual(listed, [labelled, *reversed(ids)])
        found = client.jobs.list(labels=[{"key": "level", "value": "7"}])
        self.assertEqual([job.job_id for job in found], [labelled])
        for job_id in listed:
            client.jobs.cancel(job_id)
            (*_, last) = client.jobs.watch(job_id)
            self.assertEqual(last.state, v1.JOB_STATE_CANCELLED)
            client.jobs.delete(job_id)
        error = self.fails(lambda: client.jobs.get(labelled))
        self.assertEqual((error.code, error.reason), (grpc.StatusCode.NOT_FOUND, "JOB_UNKNOWN"))
        with self.assertRaises(ValueError):
            create(methods.GetServerInfo, {})

    def session(self, client, request):
        return Session.create(client, request)

    def test_a_session_goes_on_when_its_server_is_killed(self):
        server = self.replica()
        client = self.client(server.address, options={"grpc.max_reconnect_backoff_ms": 300})
        request = {"session_id": "raid", "allocation": {"problem": problem(6)}}
        session = self.session(client, request | {"options": {"max_iterations": 1}})
        first = {"events": [{"kind": "ALLOCATION_TASK_EVENT_KIND_DONE", "task_id": "t0", "agent_id": "ann"}]}
        session.update({"allocation": first}, 0.0)
        seen = set()
        for number in range(1, 251):
            if number % 90 == 0:
                server.process.kill()
                server.start()
            added = {"id": f"new {number}", "place": {"point": {"x": number % 10, "y": number % 7}}}
            gone = [f"new {number - 3}"] if number > 3 else []
            # Agents with positions: no task is assumed to be done.
            at = [{"agent_id": name, "place": {"point": {"x": number % 5}}} for name in ("ann", "bob")]
            changes = {"put_tasks": [added], "removed_task_ids": gone, "positions": at}
            view = session.update({"allocation": changes}, number / 10, timeout=PATIENCE_S)
            self.assertFalse(view.refused)
            self.assertEqual(view.applied_sequence, number + 1)
            stops = [stop.task_id for route in view.allocation.routes for stop in route.stops]
            wanted = {f"t{i}" for i in range(1, 6)}
            wanted |= {f"new {i}" for i in range(max(1, number - 2), number + 1)}
            self.assertEqual(sorted([*stops, *view.allocation.unserved_task_ids]), sorted(wanted))
            seen.add(view.epoch)
        self.assertEqual(len(seen), 3)
        self.assertEqual(max(seen), view.epoch)
        view = session.update({}, 26.0, patience=5)
        self.assertTrue(view.complete)
        self.assertFalse(view.allocation.unserved_task_ids)
        session.close()
        error = self.fails(lambda: client.call(methods.GetSession, {"session_id": "raid"}))
        self.assertEqual(error.reason, "SESSION_UNKNOWN")

    def test_a_session_is_watched_over_the_loss_of_its_server(self):
        server = self.replica()
        client = self.client(server.address, options={"grpc.max_reconnect_backoff_ms": 300})
        session = self.session(client, {"session_id": "raid", "allocation": {"problem": problem(6)}})
        session.update({"allocation": {"removed_task_ids": ["t1"]}}, 1.0)
        views = session.watch(timeout=PATIENCE_S)
        before = next(views)
        server.process.kill()
        server.start()
        after = next(view for view in views if view.epoch != before.epoch)
        self.assertGreater(after.epoch, before.epoch)
        self.assertEqual(session.view.applied_sequence, 1)
        session.close()
        self.assertTrue(all(view.epoch == after.epoch for view in views))

    def test_certificates_and_tokens(self):
        certify(self.folder)
        at = lambda name: str(self.folder / name)
        (self.folder / "tokens").write_text(f'[[token]]\ntenant = "arena"\ntoken = "{TOKEN}"\n')
        flags = ["--tls-cert", at("server.pem"), "--tls-key", at("server.key")]
        flags += ["--tls-client-ca", at("ca.pem"), "--tokens", at("tokens")]
        address = self.replica(*flags).address
        tls = Tls(at("ca.pem"), (self.folder / "client.pem").read_bytes(), at("client.key"))
        tokens = iter([TOKEN, "wrong", TOKEN])
        client = self.client(address, tls=tls, token=lambda: next(tokens))
        info = lambda: client.call(methods.GetServerInfo, {})
        self.assertTrue(info().version)
        error = self.fails(info)
        found = (error.code, error.reason)
        self.assertEqual(found, (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"))
        self.assertTrue(info().version)
        options = {"grpc.service_config": "{}"}
        for other in (False, True, Tls(at("ca.pem"))):
            client = self.client(address, tls=other, token=TOKEN, options=options)
            self.assertEqual(self.fails(info).code, grpc.StatusCode.UNAVAILABLE)


class Asynchronous(Blocking):
    """The same calls by asyncio."""

    def client(self, address, **options):
        async def make():
            return AsyncClient(address, **options)

        made = Awaited(LOOP.run_until_complete(make()))
        self.addCleanup(made.close)
        return made

    def session(self, client, request):
        return Awaited(LOOP.run_until_complete(AsyncSession.create(client._inner, request)))

    def test_a_token_is_awaited(self):
        async def token():
            return TOKEN

        tokens = self.folder / "tokens"
        tokens.write_text(f'[[token]]\ntenant = "arena"\ntoken = "{TOKEN}"\n')
        client = self.client(self.replica("--tokens", tokens).address, token=token)
        self.assertTrue(client.call(methods.GetServerInfo, {}).version)


def certify(folder):
    """An authority, and certificates of a server on this machine and of a client."""

    def openssl(name, *arguments):
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        files = ["-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem"]
        run(["openssl", "req", "-x509", *key, *files, "-subj", f"/CN={name}", *arguments])

    openssl("ca", "-addext", "keyUsage=keyCertSign")
    signed = ["-CA", folder / "ca.pem", "-CAkey", folder / "ca.key"]
    leaf = ["-addext", "basicConstraints=critical,CA:FALSE"]
    openssl("server", *signed, *leaf, "-addext", "subjectAltName=IP:127.0.0.1")
    openssl("client", *signed, *leaf, "-addext", "extendedKeyUsage=clientAuth")


if __name__ == "__main__":
    unittest.main(verbosity=2)
