"""Plans two tasks, then follows the search for a plan of a file.

Usage: plan.py HOST:PORT PROBLEM.json
"""

import sys
from pathlib import Path

import grpc
from google.protobuf import json_format
from google.protobuf.duration_pb2 import Duration
from stratagem.v1.allocation_pb2 import (
    AllocateTasksRequest,
    AllocationAgent,
    AllocationPlace,
    AllocationPlan,
    AllocationPoint,
    AllocationProblem,
    AllocationTask,
)
from stratagem.v1.allocation_pb2_grpc import AllocationServiceStub
from stratagem.v1.solve_pb2 import SolveOptions, SolveStatus, StopReason

# A call without a deadline can wait without bound.
TIMEOUT_S = 20


def at(x: float, y: float) -> AllocationPlace:
    """A point in the plane."""
    return AllocationPlace(point=AllocationPoint(x=x, y=y))


def task(name: str, place: AllocationPlace, seconds: int) -> AllocationTask:
    """Work of some seconds."""
    return AllocationTask(id=name, place=place, service_duration=Duration(seconds=seconds))


def read(path: str) -> AllocationProblem:
    """A problem as in proto/examples/allocation."""
    return json_format.Parse(Path(path).read_text(), AllocationProblem())


def show(plan: AllocationPlan) -> None:
    """Prints the tasks of each agent, in their order."""
    for route in plan.routes:
        print(f"{route.agent_id}:", *(f"[{stop.task_id}]" for stop in route.stops))


def plan_two_tasks(allocation: AllocationServiceStub) -> None:
    """Prints the best plan that is found by the deadline."""
    problem = AllocationProblem(
        agents=[
            AllocationAgent(id="scout", start=at(0, 0)),
            AllocationAgent(id="ogre", start=at(9, 9)),
        ],
        tasks=[task("gate", at(3, 4), 5), task("wall", at(8, 2), 20)],
    )
    request = AllocateTasksRequest(problem=problem, options=SolveOptions(seed=7))
    response = allocation.AllocateTasks(request, timeout=TIMEOUT_S)
    print("status", SolveStatus.Name(response.report.status))
    show(response.plan)


def follow(allocation: AllocationServiceStub, problem: AllocationProblem) -> None:
    """Follows better and better plans; the last message has the report."""
    options = SolveOptions(seed=7, max_iterations=300)
    request = AllocateTasksRequest(problem=problem, options=options)
    for step in allocation.StreamAllocateTasks(request, timeout=TIMEOUT_S):
        print(f"step {step.event.sequence}: {len(step.plan.routes)} routes")
        if step.HasField("report"):
            print("end", StopReason.Name(step.report.stop_reason))


def main(address: str, path: str) -> None:
    """Makes both calls."""
    # One channel for the whole process; grpc.secure_channel where the server or a proxy speaks TLS.
    with grpc.insecure_channel(address) as channel:
        allocation = AllocationServiceStub(channel)
        plan_two_tasks(allocation)
        follow(allocation, read(path))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
