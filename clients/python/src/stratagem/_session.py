"""Sessions: problems that change while they are played, and plans that follow them."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import aclosing, closing
from typing import Any

from stratagem import methods
from stratagem._aio import AsyncClient
from stratagem._client import Client
from stratagem._error import CallError, Patience
from stratagem._live import Live
from stratagem.v1 import CreateSessionRequest, SessionView


class Session:
    """A session of a running game, which survives the loss of its server.

    Updates are numbered, and sent until they are acknowledged. A server that does not know the
    session gets it from its last snapshot and the updates after it. Threads may share a session.
    """

    def __init__(self, client: Client, request: CreateSessionRequest) -> None:
        """For `create`."""
        self._client = client
        self._live = Live(request)
        self._turn = threading.Lock()

    @classmethod
    def create(
        cls,
        client: Client,
        request: CreateSessionRequest | Mapping[str, Any],
        *,
        timeout: float | None = None,
    ) -> "Session":
        """Creates a session, and plans for it."""
        made = cls(client, methods.CreateSession.parse(request))
        method, message, metadata = made._live.step()
        made._live.take(client.call(method, message, timeout=timeout, metadata=metadata))
        return made

    @property
    def view(self) -> SessionView:
        """The newest plan."""
        return self._live.view

    def update(
        self,
        change: Mapping[str, Any],
        now: float | None = None,
        *,
        patience: float | None = None,
        timeout: float | None = None,
    ) -> SessionView:
        """Sends what has changed, and returns the plan for it.

        `change` has the fields of `SessionUpdate`, as in `{"allocation": {"removed_agent_ids":
        ["ann"]}}`; `now` is the time since the start of the plan, and `patience` the time to search
        before the response. The plan is None only where there is none. An update that fails by its
        deadline is sent with the next one. CallError for a call that failed.
        """
        sequence = self._live.add(change, now)
        with self._turn:
            self._send(sequence, Patience(self._client._seconds(timeout)), patience)
            view = self._live.result(sequence)
            if self._live.wants_snapshot():
                self._snapshot()
        return view

    def watch(self, *, timeout: float | None = None) -> Generator[SessionView, None, None]:
        """Yields the plan whenever it changes, until the session is closed.

        It continues when a connection or a server is lost, for `timeout` seconds, by default
        without limit.
        """
        patience = Patience(timeout)
        while True:
            lost, epoch = None, self._live.view.epoch
            method, message, metadata = self._live.watching()
            left = patience.left()
            try:
                with closing(
                    self._client.stream(method, message, timeout=left, metadata=metadata)
                ) as views:
                    for one in views:
                        if self._live.see(one.view):
                            yield self._live.view
                return
            except CallError as error:
                if self._live.closed:
                    return
                lost = error
            if self._live.forgets(lost, epoch):
                with self._turn:
                    self._send(self._live.sequence, patience)
                lost = None
            pause = patience.pause(lost)
            if pause is None:
                raise lost or TimeoutError(f"the session has not ended within {timeout} s")
            time.sleep(pause)

    def close(self) -> None:
        """Ends the session, and all watching of it."""
        with self._turn:
            method, message, metadata = self._live.close()
            self._client.call(method, message, metadata=metadata)

    def _send(self, sequence: int, patience: Patience, search: float | None = None) -> None:
        """Makes calls until an update is acknowledged, and the server has the session."""
        while self._live.is_behind(sequence):
            method, message, metadata = self._live.step(search)
            left = patience.left()
            try:
                self._live.take(
                    self._client.call(method, message, timeout=left, metadata=metadata)
                )
            except CallError as error:
                pause = self._live.pause(error, patience)
                if pause is None:
                    raise
                time.sleep(pause)

    def _snapshot(self) -> None:
        method, message, metadata = self._live.asking()
        try:
            self._live.keep(self._client.call(method, message, metadata=metadata))
        except CallError:
            # The last snapshot is as good; the next update tries again.
            pass


class AsyncSession:
    """`Session` for asyncio."""

    def __init__(self, client: AsyncClient, request: CreateSessionRequest) -> None:
        """For `create`."""
        self._client = client
        self._live = Live(request)
        self._turn = asyncio.Lock()

    @classmethod
    async def create(
        cls,
        client: AsyncClient,
        request: CreateSessionRequest | Mapping[str, Any],
        *,
        timeout: float | None = None,
    ) -> "AsyncSession":
        """As `Session.create`."""
        made = cls(client, methods.CreateSession.parse(request))
        method, message, metadata = made._live.step()
        made._live.take(await client.call(method, message, timeout=timeout, metadata=metadata))
        return made

    @property
    def view(self) -> SessionView:
        """As `Session.view`."""
        return self._live.view

    async def update(
        self,
        change: Mapping[str, Any],
        now: float | None = None,
        *,
        patience: float | None = None,
        timeout: float | None = None,
    ) -> SessionView:
        """As `Session.update`."""
        sequence = self._live.add(change, now)
        async with self._turn:
            await self._send(sequence, Patience(self._client._seconds(timeout)), patience)
            view = self._live.result(sequence)
            if self._live.wants_snapshot():
                await self._snapshot()
        return view

    async def watch(self, *, timeout: float | None = None) -> AsyncGenerator[SessionView, None]:
        """As `Session.watch`."""
        patience = Patience(timeout)
        while True:
            lost, epoch = None, self._live.view.epoch
            method, message, metadata = self._live.watching()
            left = patience.left()
            try:
                stream = self._client.stream(method, message, timeout=left, metadata=metadata)
                async with aclosing(stream) as views:
                    async for one in views:
                        if self._live.see(one.view):
                            yield self._live.view
                return
            except CallError as error:
                if self._live.closed:
                    return
                lost = error
            if self._live.forgets(lost, epoch):
                async with self._turn:
                    await self._send(self._live.sequence, patience)
                lost = None
            pause = patience.pause(lost)
            if pause is None:
                raise lost or TimeoutError(f"the session has not ended within {timeout} s")
            await asyncio.sleep(pause)

    async def close(self) -> None:
        """As `Session.close`."""
        async with self._turn:
            method, message, metadata = self._live.close()
            await self._client.call(method, message, metadata=metadata)

    async def _send(self, sequence: int, patience: Patience, search: float | None = None) -> None:
        while self._live.is_behind(sequence):
            method, message, metadata = self._live.step(search)
            left = patience.left()
            try:
                self._live.take(
                    await self._client.call(method, message, timeout=left, metadata=metadata)
                )
            except CallError as error:
                pause = self._live.pause(error, patience)
                if pause is None:
                    raise
                await asyncio.sleep(pause)

    async def _snapshot(self) -> None:
        method, message, metadata = self._live.asking()
        try:
            self._live.keep(await self._client.call(method, message, metadata=metadata))
        except CallError:
            # The last snapshot is as good; the next update tries again.
            pass
