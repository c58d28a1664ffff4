"""Sessions: problems that change while they are played, and plans that follow them."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, closing, contextmanager
from typing import Any, Generic, TypeVar

import grpc

from stratagem import methods
from stratagem._aio import AsyncClient
from stratagem._client import Client
from stratagem._error import CallError, Patience
from stratagem._live import Live
from stratagem.v1 import CreateSessionRequest, SessionView

C = TypeVar("C")
L = TypeVar("L")


class _Common(Generic[C, L]):
    def __init__(self, client: C, turn: L, request: CreateSessionRequest) -> None:
        """For `create`."""
        self._client = client
        self._live = Live(request)
        # Its holder makes the next call.
        self._turn = turn

    @property
    def view(self) -> SessionView:
        """The newest plan."""
        return self._live.view


def _late() -> CallError:
    text = "other calls of the session have taken the time until the deadline"
    return CallError(grpc.StatusCode.DEADLINE_EXCEEDED, text)


class Session(_Common[Client, threading.Lock]):
    """A session of a running game, which survives the loss of its server.

    Updates are numbered, and sent until they are acknowledged. Servers that log sessions take it
    over from a lost one. A server that does not know the session gets it from its last snapshot and the updates after it. Threads may share a session.
    """

    @classmethod
    def create(
        cls,
        client: Client,
        request: CreateSessionRequest | Mapping[str, Any],
        *,
        timeout: float | None = None,
    ) -> "Session":
        """Creates a session, and plans for it."""
        made = cls(client, threading.Lock(), methods.CreateSession.parse(request))
        made._step(timeout)
        return made

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
        before the response. The plan is None only where there is none. `refused` has the update if
        the server does not take it, and earlier ones that had failed. An update that fails by its
        deadline is sent with the next one. CallError for a call that failed.
        """
        left = Patience(self._client._seconds(timeout))
        with self._live.add(change, now) as sequence:
            self._send(sequence, left, patience)
            view = self._live.result(sequence)
        self._snapshot(left)
        return view

    def watch(self, *, timeout: float | None = None) -> Generator[SessionView, None, None]:
        """Yields the plan whenever it changes, until the session is closed.

        It continues when a connection or a server is lost, for `timeout` seconds, by default
        without limit.
        """
        patience, wanted, epoch = Patience(timeout), 0, 0
        while True:
            lost = None
            try:
                self._send(wanted, patience.part(self._client._seconds(None)))
                epoch = self._live.view.epoch
                method, message, metadata = self._live.watching()
                left = patience.left()
                with closing(
                    self._client.stream(method, message, timeout=left, metadata=metadata)
                ) as views:
                    for one in views:
                        if self._live.see(one.view):
                            yield self._live.view
                return
            except (CallError, ValueError) as error:
                if self._live.closed:
                    return
                if isinstance(error, ValueError):
                    raise
                lost = error
            if self._live.forgets(lost, epoch):
                lost, wanted = None, self._live.sequence
            pause = patience.pause(lost)
            if pause is None:
                raise lost or TimeoutError(f"the session has not ended within {timeout} s")
            time.sleep(pause)

    def close(self) -> None:
        """Ends the session, and all watching of it."""
        method, message, metadata = self._live.close()
        with self._turn:
            self._client.call(method, message, metadata=metadata)

    def _send(self, sequence: int, patience: Patience, search: float | None = None) -> None:
        """Makes calls until an update is acknowledged, and the server has the session."""
        while self._live.is_behind(sequence):
            pause = 0.0
            with self._turn_within(patience):
                try:
                    if self._live.is_behind(sequence):
                        self._step(patience.left(), search)
                except CallError as error:
                    longer = self._live.pause(error, patience)
                    if longer is None:
                        raise
                    pause = longer
            time.sleep(pause)

    def _step(self, timeout: float | None, search: float | None = None) -> None:
        method, message, metadata = self._live.step(search)
        self._live.take(self._client.call(method, message, timeout=timeout, metadata=metadata))

    @contextmanager
    def _turn_within(self, patience: Patience) -> Iterator[None]:
        left = patience.left()
        if not self._turn.acquire(timeout=-1 if left is None else left):
            raise _late()
        try:
            yield
        finally:
            self._turn.release()

    def _snapshot(self, patience: Patience) -> None:
        if not self._live.wants_snapshot(patience):
            return
        try:
            with self._turn_within(patience):
                if self._live.wants_snapshot(patience):
                    method, message, metadata = self._live.asking()
                    left = patience.left()
                    self._live.keep(
                        self._client.call(method, message, timeout=left, metadata=metadata)
                    )
        except CallError:
            # The last snapshot is as good; the next update tries again.
            pass


class AsyncSession(_Common[AsyncClient, asyncio.Lock]):
    """`Session` for asyncio."""

    @classmethod
    async def create(
        cls,
        client: AsyncClient,
        request: CreateSessionRequest | Mapping[str, Any],
        *,
        timeout: float | None = None,
    ) -> "AsyncSession":
        """As `Session.create`."""
        made = cls(client, asyncio.Lock(), methods.CreateSession.parse(request))
        await made._step(timeout)
        return made

    async def update(
        self,
        change: Mapping[str, Any],
        now: float | None = None,
        *,
        patience: float | None = None,
        timeout: float | None = None,
    ) -> SessionView:
        """As `Session.update`."""
        left = Patience(self._client._seconds(timeout))
        with self._live.add(change, now) as sequence:
            await self._send(sequence, left, patience)
            view = self._live.result(sequence)
        await self._snapshot(left)
        return view

    async def watch(self, *, timeout: float | None = None) -> AsyncGenerator[SessionView, None]:
        """As `Session.watch`."""
        patience, wanted, epoch = Patience(timeout), 0, 0
        while True:
            lost = None
            try:
                await self._send(wanted, patience.part(self._client._seconds(None)))
                epoch = self._live.view.epoch
                method, message, metadata = self._live.watching()
                left = patience.left()
                stream = self._client.stream(method, message, timeout=left, metadata=metadata)
                async with aclosing(stream) as views:
                    async for one in views:
                        if self._live.see(one.view):
                            yield self._live.view
                return
            except (CallError, ValueError) as error:
                if self._live.closed:
                    return
                if isinstance(error, ValueError):
                    raise
                lost = error
            if self._live.forgets(lost, epoch):
                lost, wanted = None, self._live.sequence
            pause = patience.pause(lost)
            if pause is None:
                raise lost or TimeoutError(f"the session has not ended within {timeout} s")
            await asyncio.sleep(pause)

    async def close(self) -> None:
        """As `Session.close`."""
        method, message, metadata = self._live.close()
        async with self._turn:
            await self._client.call(method, message, metadata=metadata)

    async def _send(self, sequence: int, patience: Patience, search: float | None = None) -> None:
        while self._live.is_behind(sequence):
            pause = 0.0
            async with self._turn_within(patience):
                try:
                    if self._live.is_behind(sequence):
                        await self._step(patience.left(), search)
                except CallError as error:
                    longer = self._live.pause(error, patience)
                    if longer is None:
                        raise
                    pause = longer
            await asyncio.sleep(pause)

    async def _step(self, timeout: float | None, search: float | None = None) -> None:
        method, message, metadata = self._live.step(search)
        response = await self._client.call(method, message, timeout=timeout, metadata=metadata)
        self._live.take(response)

    @asynccontextmanager
    async def _turn_within(self, patience: Patience) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(patience.left()):
                await self._turn.acquire()
        except TimeoutError:
            raise _late() from None
        try:
            yield
        finally:
            self._turn.release()

    async def _snapshot(self, patience: Patience) -> None:
        if not self._live.wants_snapshot(patience):
            return
        try:
            async with self._turn_within(patience):
                if self._live.wants_snapshot(patience):
                    method, message, metadata = self._live.asking()
                    left = patience.left()
                    self._live.keep(
                        await self._client.call(method, message, timeout=left, metadata=metadata)
                    )
        except CallError:
            # The last snapshot is as good; the next update tries again.
            pass
