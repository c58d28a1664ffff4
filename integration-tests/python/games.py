"""Games whose sessions outlive servers: what they were answered, and whether it can have been."""

import hashlib
import threading
import time

import grpc
from stratagem import CallError, methods, v1

from foreign_client import problem

AGAIN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
# How long one call may take, and how long an update.
CALL_S = 10
UPDATE_S = 300
# Tasks at the beginning.
TASKS = 9


class Game(threading.Thread):
    """Adds and removes things until it is stopped. It moves to another server after an error.

    One of seven responses counts as lost, and its update is sent again, to any server.
    """

    def __init__(self, clients, number, seeded):
        super().__init__(daemon=True)
        self.id = f"game-{number}"
        self.updates, self.moves, self.wrong = 0, 0, []
        self._clients, self._random = clients, seeded
        self._home = seeded.choice(clients)
        # Ids of what there is at the beginning.
        self._things = set()
        self._stopped = threading.Event()
        self._newest, self._plans = (0, 0), {}
        self._lock = threading.Lock()

    def stop(self):
        self._stopped.set()

    def run(self):
        try:
            options = {"max_iterations": 300}
            session = {"session_id": self.id, "expire_duration": "3600s", "options": options}
            session |= self._state()
            self._see(self._anywhere(methods.CreateSession, session).view)
            threading.Thread(target=self._watch, daemon=True).start()
            while not self._stopped.wait(self._random.uniform(0, 0.1)):
                self._update()
            self.ends()
        except Exception as error:  # also mistakes of the game itself
            self.wrong.append(f"{self.id}: {error!r}")

    def _anywhere(self, method, value):
        """The response of a server, after as many attempts as it takes."""
        until = time.monotonic() + UPDATE_S
        while time.monotonic() < until:
            try:
                return self._home.call(method, value, timeout=CALL_S)
            except CallError as error:
                if error.code not in AGAIN:
                    raise
                self._move()
                time.sleep(0.1)
        raise AssertionError(f"{method.path} is never answered")

    def _move(self):
        self._home = self._random.choice(self._clients)
        self.moves += 1

    def _update(self):
        self.updates += 1
        new = self._new_id()
        gone = None
        if self._random.random() < 0.7 or len(self._things) >= self.MOST:
            gone = self._random.choice(sorted(self._things))
        update = {"sequence": self.updates, **self._changes(new, [gone] if gone else [])}
        asked = {"session_id": self.id, "updates": [update]}
        view = self._anywhere(methods.UpdateSession, asked).view
        if self._random.random() < 1 / 7:
            self._move()
            view = self._anywhere(methods.UpdateSession, asked).view
        self._things = (self._things | {new}) - {gone}
        if view.refused:
            self.wrong.append(f"{self.id}: update {self.updates} is refused: {view.refused}")
        if view.applied_sequence != self.updates:
            self.wrong.append(f"{self.id}: {view.applied_sequence} applied, not {self.updates}")
        self._see(view)

    def _new_id(self):
        """The id of something new."""
        return f"n{self.updates}"

    def _see(self, view):
        """Whether this view can follow those before, of an answered call."""
        seen = (view.epoch, view.plan_revision)
        if seen < self._newest:
            self.wrong.append(f"{self.id}: plan {seen} after {self._newest}")
        self._newest = max(seen, self._newest)
        self._note(view)

    def _note(self, view):
        """No two plans have one number."""
        plan = hashlib.sha256(repr(self._routes(view)).encode()).hexdigest()
        with self._lock:
            known = self._plans.setdefault((view.epoch, view.plan_revision), plan)
        if known != plan:
            self.wrong.append(f"{self.id}: two plans at {view.epoch}, {view.plan_revision}")

    def _watch(self):
        asked = {"session_id": self.id}
        while not self._stopped.is_set():
            seen = (0, 0)
            try:
                for message in self._home.stream(methods.WatchSession, asked, timeout=CALL_S):
                    view = message.view
                    now = (view.epoch, view.plan_revision)
                    if now < seen:
                        self.wrong.append(f"{self.id}: watched plan {now} after {seen}")
                    seen = now
                    self._note(view)
            except CallError as error:
                if error.code not in AGAIN:
                    self.wrong.append(f"{self.id}: watching: {error}")
            time.sleep(0.1)

    def ends(self):
        """Each server takes the session over, and has all that was acknowledged."""
        for self._home in self._clients:
            session = self._anywhere(methods.GetSession, {"session_id": self.id})
            things = self._ids(session.snapshot)
            if session.snapshot.applied_sequence != self.updates or things != self._things:
                lost, more = sorted(self._things - things), sorted(things - self._things)
                self.wrong.append(f"{self.id}: {lost} are lost, {more} should not be there")

    @property
    def plans(self):
        return len(self._plans)


class Raid(Game):
    """Agents that serve tasks, which come and go."""

    MOST = 500

    def _state(self):
        self._things = {f"t{number}" for number in range(TASKS)}
        return {"allocation": {"problem": problem(TASKS)}}

    def _changes(self, new, gone):
        place = {"point": {"x": self._random.randrange(30), "y": self._random.randrange(30)}}
        put = [{"id": new, "place": place}]
        return {"allocation": {"put_tasks": put, "removed_task_ids": gone}}

    def _routes(self, view):
        return [(route.agent_id, [stop.task_id for stop in route.stops])
                for route in view.allocation.routes]

    def _ids(self, snapshot):
        return {task.id for task in snapshot.allocation.problem.tasks}


class Watch(Game):
    """Guards on a ring of rooms, who come and go while the others walk on."""

    MOST = 8

    def _state(self):
        self._things = {"g0", "g1"}
        doors = [{"from_vertex_id": f"r{room}", "to_vertex_id": f"r{(room + 1) % 8}",
                  "travel_duration": "3s"} for room in range(8)]
        problem = {
            "vertices": [{"id": f"r{room}"} for room in range(8)],
            "edges": doors,
            "guards": [self._guard(name) for name in sorted(self._things)],
            "intruder": {"motion": "PATROL_MOTION_STATIONARY", "penetration_duration": "9s"},
        }
        return {"patrol": {"problem": problem}}

    def _guard(self, name):
        return {"id": name, "start_vertex_id": f"r{self._random.randrange(8)}"}

    def _changes(self, new, gone):
        changes = {"put_guards": [self._guard(new)], "removed_guard_ids": gone}
        return {"now_offset": f"{self.updates * 0.3:.1f}s", "patrol": changes}

    def _routes(self, view):
        return [str(route) for route in view.patrol.routes]

    def _ids(self, snapshot):
        return {guard.id for guard in snapshot.patrol.problem.guards}


class Heist(Game):
    """A ring of rooms whose doors the player locks and opens, while guards look for a burglar.

    The burglar is locked in, so that the game does not end.
    """

    MOST = 8
    ROOMS = 12

    def _state(self):
        self._things = {"d0", "d5"}
        doors = [{"id": f"d{room}", "a_room_id": f"r{room}", "b_room_id": f"r{(room + 1) % self.ROOMS}",
                  "lock_state": self._lock_state(f"d{room}")} for room in range(self.ROOMS)]
        rooms = ["cell", *(f"r{room}" for room in range(self.ROOMS))]
        guards = [{"id": f"g{number}", "room_id": f"r{number}",
                   "goal": {"visit_room_ids": [f"r{number}", f"r{number + 3}"]}} for number in range(3)]
        problem = {
            "rooms": [{"id": room} for room in rooms],
            "doors": doors,
            "burglar": {"room_id": "cell", "goal": {"visit_room_ids": ["r6"]}},
            "guards": guards,
        }
        rules = {"replan": "HEIST_REPLAN_ON_INCONSISTENCY", "max_ticks": 100_000}
        return {"heist": {"problem": problem, "rules": rules, "reactions": {}}}

    def _lock_state(self, door):
        return "HEIST_LOCK_STATE_LOCKED" if door in self._things else "HEIST_LOCK_STATE_OPEN"

    def _new_id(self):
        doors = {f"d{number}" for number in range(self.ROOMS)}
        return self._random.choice(sorted(doors - self._things))

    def _changes(self, new, gone):
        deeds = [("LOCK", new), *(("OPEN", door) for door in gone)]
        deeds = [{"verb": f"HEIST_INTERVENTION_VERB_{verb}", "target_id": door} for verb, door in deeds]
        noise = {"room_id": f"r{self._random.randrange(self.ROOMS)}", "door_count": 2}
        return {"heist": {"interventions": deeds, "noises": [noise]}}

    def _routes(self, view):
        heist = view.heist
        return [heist.tick_count, *map(str, heist.positions), *map(str, heist.intents)]

    def _ids(self, snapshot):
        locked = v1.HEIST_LOCK_STATE_LOCKED
        return {door.id for door in snapshot.heist.problem.doors if door.lock_state == locked}
