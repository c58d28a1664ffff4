"""Sokoban levels as a job: the search continues when this program, or the server, ends.

Usage: job.py [HOST:PORT]. The server keeps jobs: stratagem-server --jobs FILE.
"""

import asyncio
import sys

from stratagem import AsyncClient, CallError, methods
from stratagem.v1 import JobState


async def main(address: str = "127.0.0.1:50051") -> None:
    """Creates a job, watches it to its end, and prints what it found."""
    async with AsyncClient(address) as client:
        example = await client.call(methods.GetExample, {"name": "puzzle/temple"})
        request = {"problem": example.problem.puzzle, "options": {"time_budget": "5s"}}
        try:
            # With this id the program can be started again, and finds its job.
            job = await client.jobs.create(methods.GeneratePuzzle, request, request_id="temple")
        except CallError as error:
            sys.exit(f"no job: {error}")
        async for event in client.jobs.watch(job.job_id):
            levels = list(event.progress.objective.levels)
            print(f"event {event.sequence}: {JobState.Name(event.state)} {levels}")
        found = (await client.jobs.get(job.job_id)).response.generate_puzzle
        for level in found.plan.levels:
            print(*level.rows, sep="\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
