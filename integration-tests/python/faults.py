"""Servers that share jobs and sessions at a NATS, and what happens to these when any of them dies.

Usage: faults.py [--rounds N] [--jobs N] [--games N] [--seed N] [--brokers 0|1|3]
                 [--only kill|freeze|kill_broker|freeze_broker] [--partitions auto|namespaces|relay]

Each round makes some jobs and then does one of these, at a moment of chance: a server is killed
(SIGKILL), frozen (SIGSTOP), cut off from the broker, or from the broker and all callers, for up
to two leases; the broker is killed, or frozen. Of three brokers, each of which keeps each job, one is
killed, frozen, or parted from the others; two are frozen, the third is killed, and all go on; all are
killed; or one is started with an older copy of its directory. Without a broker one server keeps jobs in a
file: it is killed, or frozen, or its disk is full for a while. Each server has a network namespace of its own
(see islands.py) whose links go down; where that is not allowed, a relay between it and the broker holds
everything back in silence instead, and callers still reach it. Callers create, watch and
cancel at any server and try again elsewhere when they get UNAVAILABLE. Games send updates to their
sessions meanwhile, see games.py. In the end the history of all of them is checked.
"""

import argparse
import hashlib
import random
import sys
import threading
import time
import unittest
from collections import Counter

import grpc
from stratagem import CallError, Client, methods, v1

from foreign_client import problem
from brokers import SYNCS, Brokers, Relay, nats_server, version
from disks import Disk
from games import Heist, Raid, Watch
from history import Checker, End, Event, History
from islands import islands
from stage import Replica, eventually

LEASE_S = 2
# How long one call may take, and how long a job.
CALL_S = 10
JOB_S = 300
SERVERS = 3
# How often a list is asked for, every half second, until it has all jobs.
LISTS_MAX = 60
SLOTS = ["--job-slots", "2", "--slots", "1", "--lame-duck", "0ms"]
# Of the disk for a file of jobs.
DISK_MB = 32
AGAIN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}


class Stage:
    """Some servers, each on an island or with a relay, and a broker."""

    def __init__(self, found, brokers):
        self.islands = found or []
        self.disk = None if brokers else Disk(DISK_MB)
        self.brokers = Brokers(brokers, "0.0.0.0" if found else "127.0.0.1")
        self.servers, self._bridges = [], []
        if self.disk:
            flags = ["--jobs", self.disk.folder / "jobs.redb", *SLOTS]
            self.servers.append(Replica("server 0", flags))
        for number in range(SERVERS if brokers else 0):
            place = {}
            if found:
                island = found[number]
                addresses = [f"{island.broker.here}:{port}" for port in self.brokers.ports]
                place = {"host": island.host, "prefix": island.prefix}
                self._bridges.append([[island.broker], [island.callers]])
            else:
                relays = [Relay(port) for port in self.brokers.ports]
                addresses = [f"127.0.0.1:{relay.port}" for relay in relays]
                self._bridges.append([relays])
            flags = ["--jobs", f"nats://{','.join(addresses)}", "--job-lease", f"{LEASE_S}s"]
            flags += ["--jobs-replicas", brokers]
            flags += SLOTS
            self.servers.append(Replica(f"server {number}", flags, **place))
        options = {"grpc.max_reconnect_backoff_ms": 300, "grpc.initial_reconnect_backoff_ms": 50}
        # Callers repeat calls themselves, at another server.
        options["grpc.enable_retries"] = 0
        self.clients = [Client(one.address, options=options) for one in self.servers]

    def cut(self, number, seconds, count):
        """Parts this many bridges of a server from the rest, the broker's first, and mends them."""
        bridges = [bridge for side in self._bridges[number][:count] for bridge in side]
        for bridge in bridges:
            bridge.cut()
        time.sleep(seconds)
        for bridge in bridges:
            bridge.mend()

    def close(self):
        for server in self.servers:
            server.process.kill()
        self.brokers.close()
        if self.disk:
            self.disk.close()
        for island in self.islands:
            island.close()


class Faults:
    """What is done to servers and broker."""

    def __init__(self, stage, seeded, only):
        self._stage, self._random, self._only = stage, seeded, only
        self.done = Counter()

    def one(self):
        kinds = [self._kill, self._cut, self._freeze, self._kill_broker, self._freeze_broker]
        if self._stage.islands:
            kinds.append(self._isolate)
        if len(self._stage.brokers.all) > 1:
            kinds += [self._part_broker, self._freeze_two_and_kill_one]
            kinds += [self._kill_all_brokers, self._age_broker]
        if self._stage.disk:
            kinds = [self._kill, self._freeze]
            kinds += [self._fill_disk] if self._stage.disk.is_own else []
        if self._only:
            kinds = [getattr(self, f"_{self._only}")]
        kind = self._random.choice(kinds)
        self.done[kind.__name__.strip("_")] += 1
        kind(self._random.randrange(len(self._stage.servers)), LEASE_S * self._random.uniform(0.1, 2))

    def _kill(self, number, seconds):
        server = self._stage.servers[number]
        server.process.kill()
        time.sleep(seconds)
        server.start()

    def _cut(self, number, seconds):
        self._stage.cut(number, seconds, 1)

    def _isolate(self, number, seconds):
        self._stage.cut(number, seconds, 2)

    def _freeze(self, number, seconds):
        server = self._stage.servers[number]
        server.pause()
        time.sleep(seconds)
        server.resume()

    def _fill_disk(self, _, seconds):
        self._stage.disk.fill()
        time.sleep(seconds)
        self._stage.disk.free()

    def _one_of(self, number):
        brokers = self._stage.brokers.all
        return brokers[number % len(brokers)]

    def _kill_broker(self, number, seconds):
        broker = self._one_of(number)
        broker.process.kill()
        time.sleep(seconds)
        broker.start()

    def _freeze_broker(self, number, seconds):
        broker = self._one_of(number)
        broker.pause()
        time.sleep(seconds)
        broker.resume()

    def _part_broker(self, number, seconds):
        self._stage.brokers.part(number)
        time.sleep(seconds)
        self._stage.brokers.mend()

    def _freeze_two_and_kill_one(self, number, seconds):
        """No majority for a while, and the two that had been frozen are one without the third."""
        killed = self._one_of(number)
        frozen = [broker for broker in self._stage.brokers.all if broker is not killed]
        for broker in frozen:
            broker.pause()
        killed.process.kill()
        time.sleep(seconds)
        for broker in frozen:
            broker.resume()
        time.sleep(seconds)
        killed.start()

    def _kill_all_brokers(self, _, seconds):
        for broker in self._stage.brokers.all:
            broker.process.kill()
        time.sleep(seconds)
        for broker in self._stage.brokers.all:
            broker.start()

    def _age_broker(self, number, seconds):
        """One has what the others had a while ago. The others are well: two that lose it are more than three can bear."""
        self._stage.brokers.settled()
        broker = self._one_of(number)
        broker.process.kill()
        if broker.age():
            self.done["age_broker_to_an_older_copy"] += 1
        time.sleep(seconds)
        broker.start()
        self._stage.brokers.settled()


class Caller(threading.Thread):
    """Makes a job, watches it to its end, and may cancel it on the way."""

    def __init__(self, stage, history, number, seeded):
        super().__init__(daemon=True)
        self._stage, self._history, self._random = stage, history, seeded
        self._request = f"r{number}"
        self._until = time.monotonic() + JOB_S
        self._cancels = number % 5 == 4

    def _wanted(self):
        seed = self._random.randrange(1_000)
        if self._cancels:
            wanted = (30, {"time_budget": "600s", "seed": seed})
        elif self._random.random() < 0.5:
            wanted = (12, {"max_iterations": 300, "seed": seed})
        else:
            wanted = (30, {"time_budget": f"{self._random.uniform(0.5, 4):.3f}s", "seed": seed})
        tasks, options = wanted
        request = {"problem": problem(tasks), "options": options}
        return {"request_id": self._request, "request": {"allocate_tasks": request}}

    def _anywhere(self, method, value):
        """The answer of any server, after as many attempts as it takes."""
        while time.monotonic() < self._until:
            try:
                return self._random.choice(self._stage.clients).call(method, value, timeout=CALL_S)
            except CallError as error:
                if error.code not in AGAIN:
                    raise
                time.sleep(0.1)
        raise AssertionError(f"{method.path} is never answered")

    def run(self):
        try:
            self._live()
        except Exception as error:  # also mistakes of the caller itself
            self._history.note("surprises", f"{self._request}: {error}")

    def _live(self):
        wanted = self._wanted()
        for _ in range(self._random.choice((1, 1, 2))):
            job = self._anywhere(methods.CreateJob, wanted).job
            self._history.note("accepted", self._request, job.job_id)
        if self._cancels:
            delay = self._random.uniform(0, 2 * LEASE_S)
            threading.Timer(delay, self._cancel, args=(job.job_id,)).start()
        self._watch(job.job_id)

    def _cancel(self, job_id):
        try:
            job = self._anywhere(methods.CancelJob, {"job_id": job_id}).job
            self._history.note("cancelled", job_id, state(job))
        except Exception as error:
            self._history.note("surprises", f"cancelling {job_id}: {error}")

    def _watch(self, job_id):
        events = []
        while time.monotonic() < self._until:
            after = events[-1].sequence if events else 0
            asked = {"job_id": job_id, "after_sequence": after}
            client = self._random.choice(self._stage.clients)
            stream = client.stream(methods.WatchJob, asked, timeout=CALL_S)
            try:
                for message in stream:
                    event = message.event
                    seen = (event.sequence, state(event), event.attempt, digest(event))
                    events.append(Event(*seen))
                    # Some do not stay.
                    if self._random.random() < 0.02:
                        stream.close()
                        break
                else:
                    break
            except CallError as error:
                if error.code not in AGAIN:
                    raise
                time.sleep(0.1)
        self._history.note("watched", job_id, events)


def state(message):
    return v1.JobState.Name(message.state).removeprefix("JOB_STATE_")


def digest(message):
    """What stands for an answer; None where there is none."""
    method = message.response.WhichOneof("method")
    # Without a report it is the best plan so far.
    if not method or not getattr(message.response, method).HasField("report"):
        return None
    return hashlib.sha256(message.response.SerializeToString(deterministic=True)).hexdigest()[:12]


def lists(client):
    """The jobs that a server lists, page by page."""
    return [job.job_id for job in client.jobs.list(page_size=50)]


def ends(stage, history):
    """How all jobs are in the end, at each server."""
    jobs = sorted({job for _, job in history.accepted})
    for server, client in zip(stage.servers, stage.clients):
        # A server hears of what others do a little later: docs/how-to/jobs-in-production.md.
        for _ in range(LISTS_MAX):
            listed = lists(client)
            if set(jobs) <= set(listed):
                break
            time.sleep(0.5)
        history.note("listed", server.name, listed)
        for job_id in jobs:
            try:
                job = client.jobs.get(job_id)
                end = End(state(job), job.sequence, digest(job))
            except CallError as error:
                assert error.code == grpc.StatusCode.NOT_FOUND, error
                job, end = None, None
            history.note("ends", server.name, job_id, end)
            yield job


def is_up(client):
    try:
        return client.call(methods.ListJobs, {}, timeout=CALL_S) is not None
    except CallError:
        return False


def play(asked, found):
    """All of it; the history, and figures of it."""
    rounds, jobs, seed = asked.rounds, asked.jobs, asked.seed
    seeded = random.Random(seed)
    stage, history = Stage(found, asked.brokers), History()
    try:
        for client in stage.clients:
            eventually("the servers are ready", lambda: is_up(client))
        faults, callers = Faults(stage, seeded, asked.only), []
        kinds = (Raid, Watch, Heist)
        games = [kinds[number % 3](stage.clients, number, random.Random(seed * 1_000_003 + number))
                 for number in range(asked.games)]
        for game in games:
            game.start()
        for number in range(rounds):
            made = range(number * jobs // rounds, (number + 1) * jobs // rounds)
            for one in made:
                callers.append(Caller(stage, history, one, random.Random(seed * 1_000 + one)))
                callers[-1].start()
            time.sleep(seeded.uniform(0, LEASE_S))
            faults.one()
        for caller in callers:
            caller.join(2 * JOB_S)
            if caller.is_alive():
                history.note("surprises", "a caller never comes to an end")
        for client in stage.clients:
            eventually("the servers are back", lambda: is_up(client))
        for game in games:
            game.stop()
            game.join(JOB_S)
            if game.is_alive():
                history.note("surprises", f"{game.id} never comes to an end")
            for wrong in game.wrong:
                history.note("surprises", wrong)
        found = [job for job in ends(stage, history) if job][: jobs]
    except AssertionError:
        for server in stage.servers:
            print(f"{server.name}:\n{server.process.log()}")
        raise
    finally:
        stage.close()
    figures = {
        "faults": dict(faults.done),
        "states": dict(Counter(state(job) for job in found)),
        "failed": [f"{job.job_id}: {job.error.reason}, {job.attempts} attempts"
                   for job in found if state(job) == "FAILED"],
        "attempts": sum(job.attempts for job in found),
        "games": [f"{game.updates} updates, {game.moves} moves, {game.plans} plans" for game in games],
        "jobs with several attempts": sum(job.attempts > 1 for job in found),
    }
    return history, figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name, default in (("--rounds", 6), ("--jobs", 30), ("--games", 4), ("--seed", 1)):
        parser.add_argument(name, type=int, default=default)
    ways = ("auto", "namespaces", "relay")
    parser.add_argument("--brokers", type=int, choices=(0, 1, 3), default=1)
    parser.add_argument("--only", choices=("kill", "freeze", "kill_broker", "freeze_broker"))
    parser.add_argument("--partitions", choices=ways, default="auto")
    asked = parser.parse_args()
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Checker)
    if not unittest.TextTestRunner(verbosity=0).run(suite).wasSuccessful():
        return 1
    if asked.brokers and nats_server() is None:
        print("SKIPPED: servers that share jobs, since there is no nats-server")
        return 0
    found, why = None, "as asked for"
    if asked.brokers and asked.partitions != "relay":
        found, why = islands(SERVERS)
    if found is None and asked.partitions == "namespaces":
        print(f"no network namespaces: {why}")
        return 1
    if asked.brokers:
        major, minor = version()
        syncs = "sync before they acknowledge" if (major, minor) >= SYNCS else "do not sync"
        print(f"brokers: {asked.brokers}, NATS {major}.{minor}, which {syncs}")
        print("partitions: by network namespaces" if found else f"partitions: by a relay ({why})")
    begin = time.monotonic()
    history, figures = play(asked, found)
    for name, figure in figures.items():
        print(f"{name}: {figure}")
    wrong = history.violations()
    events = sum(len(events) for _, events in history.watched)
    print(f"{asked.rounds} rounds, {asked.jobs} jobs, {events} events, "
          f"{time.monotonic() - begin:.0f} s: {len(wrong)} violations")
    for one in wrong:
        print(f"  {one}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
