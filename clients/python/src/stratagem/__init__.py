"""Client of Stratagem, the planning service for games.

    from stratagem import Client, methods

    client = Client("127.0.0.1:50051")
    answer = client.call(methods.AllocateTasks, {"problem": problem}, timeout=0.25)
    for better in client.follow(methods.StreamAllocateTasks, {"problem": problem}, timeout=5):
        print(better.plan)

`methods` has all methods of the contract, `v1` its messages. `AsyncClient` has the same calls for
asyncio. `Session` follows a running game, `AsyncSession` does so for asyncio. Problems, plans and
requests are messages or dicts. Times are in seconds.
"""

from stratagem import methods, v1
from stratagem._aio import AsyncClient
from stratagem._client import Client
from stratagem._connection import Tls
from stratagem._error import CallError, Mistake
from stratagem._session import AsyncSession, Session

__all__ = [
    "AsyncClient",
    "AsyncSession",
    "CallError",
    "Client",
    "Mistake",
    "Session",
    "Tls",
    "methods",
    "v1",
]
