"""A raid at 10 Hz: plans, acts, takes damage and plans again, and never waits for the planner.

Usage: raid_loop.py [HOST:PORT]
"""

import math
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from stratagem import CallError, Client, methods
from stratagem.v1 import AllocateTasksResponse

TICK_S = 0.1  # of real time: the frame of the game's logic
STEP_S = 1.0  # of game time in each tick
BUDGET_S = 0.3  # for a plan, of real time: units act on the old plan meanwhile
RAID_MAX_S = 300.0  # of game time: a plan may leave out a target


@dataclass
class Unit:
    """One of ours."""

    at: tuple[float, float]
    speed: float
    skills: list[str]
    busy_until: float = 0
    route: list[str] = field(default_factory=list)


@dataclass
class Target:
    """Something to strike."""

    at: tuple[float, float]
    work: int
    skill: str


units = {
    "scout": Unit((0, 0), 3, ["stealth"]),
    "ogre": Unit((9, 9), 2, ["strength"]),
    "wolf": Unit((9, 0), 3, ["stealth", "strength"]),
}
targets = {
    "gate": Target((3, 4), 5, "stealth"),
    "wall": Target((8, 2), 8, "strength"),
    "stores": Target((20, 6), 6, "stealth"),
    "tower": Target((24, 18), 9, "strength"),
    "bell": Target((6, 22), 2, "stealth"),
    "bridge": Target((16, 25), 7, "strength"),
}


def place(at: tuple[float, float]) -> dict[str, Any]:
    """A point in the plane."""
    return {"point": {"x": at[0], "y": at[1]}}


def request(now: float) -> dict[str, Any]:
    """The game as a problem: what is left to do, and where and when each unit is free."""
    agents, routes = [], []
    for name, unit in units.items():
        free = f"{max(now, unit.busy_until)}s"
        agent = {"id": name, "start": place(unit.at), "speed": unit.speed, "skills": unit.skills}
        agents.append(agent | {"shift_start_offset": free})
        routes.append({"agent_id": name, "task_ids": unit.route})
    tasks = []
    for name, target in targets.items():
        task = {"id": name, "place": place(target.at), "service_duration": f"{target.work}s"}
        tasks.append(task | {"required_skills": [target.skill]})
    makespan = {"terms": [{"kind": "ALLOCATION_TERM_KIND_MAKESPAN"}]}
    problem = {"agents": agents, "tasks": tasks, "objective": {"levels": [makespan]}}
    problem |= {"previous_plan": {"routes": routes}}
    return {"problem": problem, "options": {"priority": "PRIORITY_HIGH"}}


def adopt(answer: AllocateTasksResponse) -> None:
    """Gives each unit its new route."""
    for unit in units.values():
        unit.route = []
    for route in answer.plan.routes:
        # A target that was struck while the plan was made is in no route any more.
        left = [stop.task_id for stop in route.stops if stop.task_id in targets]
        units[route.agent_id].route = left


def act(unit: Unit, now: float) -> None:
    """Walks to the next target of the route and works there."""
    if now < unit.busy_until or not unit.route:
        return
    target = targets[unit.route[0]]
    dx, dy = target.at[0] - unit.at[0], target.at[1] - unit.at[1]
    step, left = unit.speed * STEP_S, math.hypot(dx, dy)
    if left > step:
        unit.at = (unit.at[0] + dx * step / left, unit.at[1] + dy * step / left)
        return
    unit.at, unit.busy_until = target.at, now + target.work
    del targets[unit.route.pop(0)]


def play(client: Client, pool: ThreadPoolExecutor) -> None:
    """Plays the raid to its end."""
    # While the level loads, waiting is fine.
    adopt(client.call(methods.AllocateTasks, request(0), timeout=2))
    pending: Future[AllocateTasksResponse] | None = None
    now, longest, needs_plan = 0.0, 0.0, False
    while now < RAID_MAX_S and (targets or any(now < it.busy_until for it in units.values())):
        begin = time.monotonic()
        if pending and pending.done():
            try:
                adopt(pending.result())
                needs_plan = False
                routes = {name: unit.route for name, unit in units.items()}
                print(f"{now:3.0f} s  a new plan: {routes}")
            except CallError as error:
                if error.code.name not in ("DEADLINE_EXCEEDED", "UNAVAILABLE"):
                    raise
                print(f"{now:3.0f} s  no plan in time: {error.code.name}")
            pending = None
        for unit in units.values():
            act(unit, now)
        if now == 5:
            units["ogre"].speed = 0.4
            needs_plan = True
            print(f"{now:3.0f} s  the ogre is hurt")
        if needs_plan and not pending:
            call = client.call
            pending = pool.submit(call, methods.AllocateTasks, request(now), timeout=BUDGET_S)
        now += STEP_S
        busy = time.monotonic() - begin
        longest = max(longest, busy)
        time.sleep(max(0.0, TICK_S - busy))
    assert not targets, f"no unit strikes {list(targets)}"
    print(f"{now:3.0f} s  the raid is over; the longest frame took {longest * 1e3:.0f} ms")


def main(address: str = "127.0.0.1:50051") -> None:
    """Plays with a client, and a thread in which calls wait."""
    with Client(address) as client, ThreadPoolExecutor(1) as pool:
        play(client, pool)


if __name__ == "__main__":
    main(*sys.argv[1:])
