"""The client for asyncio: each call is that of `Client`, to be awaited."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from types import TracebackType
from typing import Any, Unpack

import grpc
import grpc.aio

from stratagem import _connection, _jobs, methods
from stratagem._client import NO_METADATA, codec
from stratagem._connection import Tls
from stratagem._error import CallError, Patience
from stratagem._follow import Best
from stratagem._jobs import Terms
from stratagem._method import A, Method, Q, Search, Streaming, Unary
from stratagem.v1 import Job, JobEvent


class AsyncClient:
    """`Client` for asyncio. Make one in the event loop that uses it.

    A stream that is left early ends its search when it is closed: use `contextlib.aclosing`.
    """

    def __init__(
        self,
        address: str,
        *,
        token: str | Callable[[], str | Awaitable[str]] | None = None,
        tls: Tls | bool = False,
        timeout: float | None = 30.0,
        round_robin: bool = False,
        options: Mapping[str, str | int] | None = None,
    ) -> None:
        """As `Client`; a function that returns the token may be asynchronous."""
        self._token = token
        self._timeout = timeout
        arguments = _connection.options(address, round_robin, options or {})
        secured = _connection.credentials(tls)
        if secured is None:
            self._channel = grpc.aio.insecure_channel(address, arguments)
        else:
            self._channel = grpc.aio.secure_channel(address, secured, arguments)
        self.jobs = AsyncJobs(self)

    async def wait_until_ready(self, timeout: float = 10.0) -> None:
        """As `Client.wait_until_ready`."""
        await asyncio.wait_for(self._channel.channel_ready(), timeout)

    async def call(
        self,
        method: Unary[Q, A],
        request: Q | Mapping[str, Any],
        *,
        timeout: float | None = None,
        metadata: Mapping[str, str] = NO_METADATA,
    ) -> A:
        """As `Client.call`."""
        message = _jobs.repeatable(method.parse(request))
        call = self._channel.unary_unary(method.path, *codec(method))
        headers = await self._headers(metadata)
        try:
            response: A = await call(message, timeout=self._seconds(timeout), metadata=headers)
        except grpc.RpcError as error:
            raise CallError.of(error) from error
        return response

    async def stream(
        self,
        method: Streaming[Q, A],
        request: Q | Mapping[str, Any],
        *,
        timeout: float | None = None,
        metadata: Mapping[str, str] = NO_METADATA,
    ) -> AsyncGenerator[A, None]:
        """As `Client.stream`."""
        message = method.parse(request)
        make = self._channel.unary_stream(method.path, *codec(method))
        headers = await self._headers(metadata)
        call = make(message, timeout=self._seconds(timeout), metadata=headers)
        try:
            async for response in call:
                yield response
        except grpc.RpcError as error:
            raise CallError.of(error) from error
        finally:
            call.cancel()

    async def follow(
        self,
        method: Search[Q, A],
        request: Q | Mapping[str, Any],
        *,
        timeout: float | None = None,
        metadata: Mapping[str, str] = NO_METADATA,
    ) -> AsyncGenerator[A, None]:
        """As `Client.follow`."""
        message = method.parse(request)
        patience, best = Patience(self._seconds(timeout)), Best[A]()
        while True:
            lost = None
            stream = self.stream(method, message, timeout=patience.left(), metadata=metadata)
            try:
                async with aclosing(stream) as steps:
                    async for step in steps:
                        for better in best.take(step):
                            yield better
                        if best.ended:
                            return
            except CallError as error:
                lost = error
            pause = patience.pause(lost)
            if pause is None:
                for last in best.close(lost):
                    yield last
                return
            await asyncio.sleep(pause)

    async def close(self) -> None:
        """Ends all calls and the connection."""
        await self._channel.close()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def _seconds(self, timeout: float | None) -> float | None:
        return self._timeout if timeout is None else timeout

    async def _headers(self, metadata: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        token = self._token() if callable(self._token) else self._token
        if isinstance(token, Awaitable):
            token = await token
        return _connection.headers(token, metadata)


class AsyncJobs:
    """`Jobs` for asyncio. `AsyncClient.jobs` has it."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def create(
        self, method: Method[Q, A], request: Q | Mapping[str, Any], **terms: Unpack[Terms]
    ) -> Job:
        """As `Jobs.create`, with the same `terms`."""
        wanted = _jobs.creation(method, method.parse(request), terms)
        return (await self._client.call(methods.CreateJob, wanted)).job

    async def get(self, job_id: str) -> Job:
        """As `Jobs.get`."""
        return (await self._client.call(methods.GetJob, {"job_id": job_id})).job

    async def list(self, **filters: Any) -> AsyncGenerator[Job, None]:
        """As `Jobs.list`."""
        token: str | None = ""
        while token is not None:
            page = await self._client.call(methods.ListJobs, filters | {"page_token": token})
            for job in page.jobs:
                yield job
            token = page.next_page_token or None

    async def cancel(self, job_id: str) -> Job:
        """As `Jobs.cancel`."""
        return (await self._client.call(methods.CancelJob, {"job_id": job_id})).job

    async def delete(self, job_id: str) -> None:
        """As `Jobs.delete`."""
        await self._client.call(methods.DeleteJob, {"job_id": job_id})

    async def watch(
        self, job_id: str, *, after_sequence: int = 0, timeout: float | None = None
    ) -> AsyncGenerator[JobEvent, None]:
        """As `Jobs.watch`."""
        patience, watch = Patience(timeout), _jobs.Watch(job_id, after_sequence)
        while not watch.ended:
            lost = None
            stream = self._client.stream(
                methods.WatchJob, watch.request(), timeout=patience.left()
            )
            try:
                async with aclosing(stream) as messages:
                    async for message in messages:
                        yield watch.take(message)
            except CallError as error:
                lost = error
            pause = 0.0 if watch.ended else patience.pause(lost)
            if pause is None:
                raise lost or TimeoutError(f"job {job_id} has not ended within {timeout} s")
            await asyncio.sleep(pause)
