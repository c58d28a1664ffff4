"""A raid in a game loop: planned again in each tick, within a part of the tick.

Usage: raid_loop.py [HOST:PORT]
"""

import sys
import time
from datetime import timedelta
from typing import Any

from stratagem import CallError, Client, methods
from stratagem.v1 import AllocationPlan

# Seconds. A call returns within PLANNING_S, with the best plan so far.
TICK_S = 0.1
PLANNING_S = 0.05
TICKS = 8
# Seconds of the game that pass in a tick.
PACE_S = 5


def at(x: float, y: float) -> dict[str, Any]:
    """A point in the plane."""
    return {"point": {"x": x, "y": y}}


def task(name: str, x: float, y: float) -> dict[str, Any]:
    """Work of four seconds."""
    return {"id": name, "place": at(x, y), "service_duration": timedelta(seconds=4)}


RAID: dict[str, Any] = {
    "agents": [{"id": "scout", "start": at(0, 0), "speed": 2}, {"id": "ogre", "start": at(9, 9)}],
    "tasks": [task("gate", 3, 4), task("wall", 8, 2), task("tower", 1, 8), task("store", 6, 6)],
}
# What the players do: a task for each tick in which there is a new one.
NEWS = {3: task("dragon", 5, 9), 5: task("treasure", 9, 5)}


def carried_out(plan: AllocationPlan, now: float) -> dict[str, Any]:
    """The plan as the next request takes it: a start for the search, and what is under way."""
    routes = []
    for route in plan.routes:
        done = sum(stop.departure_offset.ToMicroseconds() <= now * 1e6 for stop in route.stops)
        # An agent that is done with a task is on the path to the next one.
        started = min(done + 1, len(route.stops))
        ids = [stop.task_id for stop in route.stops]
        routes.append({"agent_id": route.agent_id, "task_ids": ids, "started_count": started})
    return {"routes": routes}


def main(address: str = "127.0.0.1:50051") -> None:
    """Plays some ticks."""
    plan = AllocationPlan()
    with Client(address) as client:
        # Not in the first tick, whose time it would use up.
        client.wait_until_ready()
        for tick in range(TICKS):
            begin = time.monotonic()
            now = tick * PACE_S
            if tick in NEWS:
                RAID["tasks"].append(NEWS[tick])
            problem = RAID | {"now_offset": timedelta(seconds=now)}
            if plan.routes:
                problem["previous_plan"] = carried_out(plan, now)
            try:
                request = {"problem": problem}
                plan = client.call(methods.AllocateTasks, request, timeout=PLANNING_S).plan
            except CallError as error:
                print(f"the plan of the last tick is used: {error}")
            routes = {one.agent_id: [stop.task_id for stop in one.stops] for one in plan.routes}
            print(f"tick {tick}: {routes}")
            time.sleep(max(0.0, begin + TICK_S - time.monotonic()))


if __name__ == "__main__":
    main(*sys.argv[1:])
