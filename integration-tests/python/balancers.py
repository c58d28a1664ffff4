"""Three servers behind a load balancer, as deployed.

Usage: balancers.py HaProxy|Envoy|Nobody [PART OF A TEST'S NAME]...

Calls are made by the package of clients/python.
"""

import json
import sys
import threading
import unittest

import grpc
from stratagem import CallError, Client, Session, methods, v1

from foreign_client import problem
from stage import PATIENCE_S, Envoy, HaProxy, Nobody, Replica, eventually, fetch

# Calls at a time. A server has a slot for each: a balancer that draws servers by chance may send all to one.
CALLERS = 6
# Two checks of a balancer fit well into the lame duck.
FLAGS = ["--slots", str(CALLERS), "--lame-duck", "2s", "--cache-bytes-max", "0"]
# How long a stream is followed that never ends by itself.
FOLLOWED_S = 15
# Each caller goes on at least so often before the next thing happens.
CALLS_BETWEEN = 10


def client(test, address, round_robin=False, **options):
    """A client on connections of its own."""
    own = {"grpc.use_local_subchannel_pool": 1} | options
    made = Client(address, timeout=PATIENCE_S, round_robin=round_robin, options=own)
    test.addCleanup(made.close)
    return made


def interactive(seed):
    """What a game asks for during play: an answer takes milliseconds."""
    return {"problem": problem(8), "options": {"max_iterations": 100, "seed": seed}}


def endless(seed):
    """A search that ends only when it is ended."""
    return {"problem": problem(60), "options": {"time_budget": "300s", "seed": seed}}


class Stage(unittest.TestCase):
    """Three servers and a balancer, which each test finds in service."""

    balancer_kind = None

    @classmethod
    def setUpClass(cls):
        if cls.balancer_kind is None:
            raise unittest.SkipTest("stands for no balancer")
        cls.replicas = [Replica(name, FLAGS) for name in "abc"]
        cls.balancer = cls.balancer_kind(cls.replicas)

    @classmethod
    def tearDownClass(cls):
        cls.balancer.close()
        for replica in cls.replicas:
            replica.process.kill()

    def setUp(self):
        for replica in self.replicas:
            if not replica.process.running():
                replica.process.kill()
                replica.start()
        self.wait_for({0, 1, 2})

    def wait_for(self, numbers):
        """Waits until the balancer sends calls to these servers and no others."""
        eventually(f"only {numbers} are up", lambda: self.balancer.up() == numbers)

    def allocation(self, **options):
        """A client on a connection of its own."""
        return client(self, self.balancer.address, self.balancer.is_chosen_by_clients, **options)

    def connected(self):
        """A client whose calls go to every server: one that chooses itself begins with those it has reached."""
        client = self.allocation()
        before = [self.served(one) for one in self.replicas]

        def everywhere():
            client.call(methods.AllocateTasks, interactive(0))
            return all(self.served(one) > then for one, then in zip(self.replicas, before))

        eventually("calls go everywhere", everywhere)
        return client

    def busy(self):
        """How many searches run at each server that runs."""
        running = [replica for replica in self.replicas if replica.process.running()]
        return {one.name: one.total("stratagem_busy_slots") for one in running}

    def stop_at_once(self, replicas):
        """Asks several to stop, and waits until all have."""
        for replica in replicas:
            replica.terminate()
        for replica in replicas:
            replica.stopped()

    def served(self, replica):
        """Calls that a server has answered since it was started."""
        return replica.total("stratagem_rpc_total", "AllocateTasks", 'code="OK"')

    def in_background(self, calls):
        """Starts functions in threads; returns a function that waits for all their results."""
        results = [None] * len(calls)

        def run(number, call):
            try:
                results[number] = call()
            except CallError as error:
                results[number] = error

        threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
        for thread in threads:
            thread.start()

        def wait():
            for thread in threads:
                thread.join(PATIENCE_S)
                assert not thread.is_alive(), "a call does not end"
            return results

        return wait


class Load:
    """Callers who ask one thing after the other, each on a connection of its own."""

    def __init__(self, test):
        self._clients = [test.allocation() for _ in range(CALLERS)]
        self._done = [0] * CALLERS
        self._stop = threading.Event()
        self.failures = []
        self._threads = [
            threading.Thread(target=self._call, args=(number,)) for number in range(CALLERS)
        ]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        self.goes_on()
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _call(self, number):
        while not self._stop.is_set():
            request = interactive(self._done[number])
            try:
                self._clients[number].call(methods.AllocateTasks, request, timeout=PATIENCE_S)
            except CallError as error:
                self.failures.append(f"{error.code}: {error.text}")
            self._done[number] += 1

    def done(self):
        return sum(self._done)

    def goes_on(self, least=CALLERS):
        """Waits until this many callers have made some more calls."""
        begin = list(self._done)

        def callers():
            pairs = zip(begin, self._done)
            return sum(now - then >= CALLS_BETWEEN for then, now in pairs) >= least

        eventually("calls go on", callers)


class Behind(Stage):
    """What holds behind any balancer."""

    def test_calls_on_one_connection_go_to_every_server(self):
        client = self.connected()
        before = [self.served(one) for one in self.replicas]
        for seed in range(30):
            client.call(methods.AllocateTasks, interactive(seed))
        served = [self.served(one) - then for one, then in zip(self.replicas, before)]
        self.assertEqual(sum(served), 30)
        self.assertGreater(min(served), 0, served)

    def test_a_rolling_restart_fails_no_call(self):
        with Load(self) as load:
            for number, replica in enumerate(self.replicas):
                replica.stop()
                self.wait_for({0, 1, 2} - {number})
                load.goes_on()
                replica.start()
                self.wait_for({0, 1, 2})
                eventually("it is back and serves", lambda one=replica: self.served(one) > 0)
                load.goes_on()
        self.assertEqual(load.failures, [])
        print(f"{load.done()} calls, none failed ... ", end="", flush=True)

    def test_a_drained_server_ends_streams_with_their_best(self):
        client = self.connected()
        streams = [client.stream(methods.StreamAllocateTasks, endless(seed), timeout=300) for seed in range(CALLERS)]
        for stream in streams:
            self.assertTrue(next(stream).HasField("plan"))
        busy = self.busy()
        self.assertEqual(sum(busy.values()), len(streams))
        # Envoy draws two servers and takes the one with less to do: now and then one is left out.
        self.assertGreater(sum(searches > 0 for searches in busy.values()), 1, busy)
        ends = self.in_background([lambda one=one: list(one)[-1] for one in streams])
        self.stop_at_once(self.replicas)
        for last in ends():
            self.assertNotIsInstance(last, CallError)
            self.assertEqual(last.report.stop_reason, v1.STOP_REASON_DRAINING)
            self.assertTrue(last.HasField("plan"))

    def test_unary_calls_survive_the_death_of_their_server(self):
        client = self.connected()
        calls = [
            lambda seed=seed: client.call(methods.AllocateTasks, endless(seed), timeout=300)
            for seed in range(CALLERS)
        ]
        answers = self.in_background(calls)
        eventually("all search", lambda: sum(self.busy().values()) == CALLERS)
        busy = self.busy()
        dead, *alive = sorted(self.replicas, key=lambda one: busy[one.name], reverse=True)
        dead.process.kill()
        eventually("all search elsewhere", lambda: sum(self.busy().values()) == CALLERS)
        self.stop_at_once(alive)
        for answer in answers():
            self.assertNotIsInstance(answer, CallError)
            self.assertTrue(answer.HasField("plan"))

    def test_a_stream_goes_on_elsewhere_when_its_server_dies(self):
        request = {"problem": problem(60)}
        follow = self.allocation().follow
        steps = follow(methods.StreamAllocateTasks, request, timeout=FOLLOWED_S)
        first = next(steps)
        rest = self.in_background([lambda: list(steps)])
        # It lives on at one server, and then at another.
        (dead,) = [one for one in self.replicas if self.busy()[one.name] == 1]
        dead.process.kill()
        eventually("it goes on elsewhere", lambda: sum(self.busy().values()) == 1)
        (better,) = rest()
        self.assertNotIsInstance(better, CallError)
        self.assertEqual(better[-1].report.stop_reason, v1.STOP_REASON_DEADLINE)
        for step in (first, *better):
            served = [stop.task_id for route in step.plan.routes for stop in route.stops]
            self.assertEqual(len(served), len(set(served)))

    def test_a_frozen_server_is_left_out_until_it_is_back(self):
        with Load(self) as load:
            self.replicas[0].pause()
            try:
                self.wait_for({1, 2})
                # Some callers may wait for the frozen one.
                load.goes_on(least=CALLERS // 2)
            finally:
                self.replicas[0].resume()
            self.wait_for({0, 1, 2})
            load.goes_on()
        # A call that has the head of its response when its server freezes cannot go elsewhere any more: a moment.
        cut = [failure for failure in load.failures if "RST_STREAM" in failure]
        self.assertLessEqual(len(cut), 1, cut)
        self.assertEqual([failure for failure in load.failures if failure not in cut], [])

    def sessions(self):
        """Sessions at each server."""
        return [replica.total("stratagem_sessions") for replica in self.replicas]

    def test_calls_of_a_session_go_to_its_server(self):
        games = []
        for number in range(30):
            request = {"session_id": f"game-{number}", "allocation": {"problem": problem(8)}}
            games.append(Session.create(self.allocation(), request))
        spread = self.sessions()
        self.assertEqual(sum(spread), 30)
        self.assertGreater(min(spread), 0, spread)
        for game in games:
            epoch = game.view.epoch
            for now in range(1, 6):
                game.update({}, now)
            self.assertEqual(game.view.epoch, epoch, "it was never created again")
        self.replicas[0].stop()
        self.wait_for({1, 2})
        for game in games:
            self.assertEqual(game.update({}, 7).applied_sequence, 6)
            game.close()
        self.replicas[0].start()
        self.wait_for({0, 1, 2})

    def test_calls_in_json_go_through_as_well(self):
        url = f"http://{self.balancer.address}/stratagem.v1.ServerService/GetServerInfo"
        answer = fetch(url, b"{}")
        self.assertIsNotNone(answer)
        self.assertIn("methods", json.loads(answer))

    def test_without_a_server_calls_fail_at_once(self):
        for replica in self.replicas:
            replica.process.kill()
        self.wait_for(set())
        client = self.allocation(**{"grpc.service_config": "{}"})
        with self.assertRaises(CallError) as failed:
            client.call(methods.AllocateTasks, interactive(0))
        self.assertEqual(failed.exception.code, grpc.StatusCode.UNAVAILABLE)


class BehindHaProxy(Behind):
    balancer_kind = HaProxy


class BehindEnvoy(Behind):
    balancer_kind = Envoy


class BehindNobody(Behind):
    """Clients that choose a server for each call, as with a headless service."""

    balancer_kind = Nobody
    # These need a balancer that notices more than a closed connection, or one address.
    test_a_frozen_server_is_left_out_until_it_is_back = None
    test_a_stream_goes_on_elsewhere_when_its_server_dies = None
    test_calls_in_json_go_through_as_well = None
    test_calls_of_a_session_go_to_its_server = None


def main(kind, *parts):
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{part}*" for part in parts] or None
    kinds = {"HaProxy": BehindHaProxy, "Envoy": BehindEnvoy, "Nobody": BehindNobody}
    tests = loader.loadTestsFromTestCase(kinds[kind])
    return unittest.TextTestRunner(verbosity=2).run(tests).wasSuccessful()


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
