"""The blocking client."""

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from types import TracebackType
from typing import Any, Unpack

import grpc

from stratagem import _connection, _jobs, methods
from stratagem._connection import Tls
from stratagem._error import CallError, Patience
from stratagem._follow import Best
from stratagem._jobs import Terms
from stratagem._method import A, Method, Q, Search, Streaming, Unary
from stratagem.v1 import Job, JobEvent

NO_METADATA: Mapping[str, str] = {}

class Client:
    """A connection to Stratagem. Make one for the whole process: threads may share it.

    Calls to the same server, or to another behind the same address, are repeated while they are
    UNAVAILABLE, within their deadline. It connects by itself, also after a loss.
    """

    def __init__(
        self,
        address: str,
        *,
        token: str | Callable[[], str] | None = None,
        tls: Tls | bool = False,
        timeout: float | None = 30.0,
        round_robin: bool = False,
        options: Mapping[str, str | int] | None = None,
    ) -> None:
        """Connects with the first call.

        `address` is `HOST:PORT` or any target of gRPC, as in `dns:///pods:50051` or
        `ipv4:10.0.0.1:50051,10.0.0.2:50051`. `token` is sent with each call; a function is called
        for each. Send tokens over TLS only. `tls` is True for public authorities. `timeout` is the
        deadline, in seconds, of calls that name none. With `round_robin` each call goes to the next
        of the servers that the address has and that report health. `options` are further channel
        arguments of gRPC.
        """
        self._token = token
        self._timeout = timeout
        arguments = _connection.options(address, round_robin, options or {})
        secured = _connection.credentials(tls)
        if secured is None:
            self._channel = grpc.insecure_channel(address, arguments)
        else:
            self._channel = grpc.secure_channel(address, secured, arguments)
        self.jobs = Jobs(self)

    def wait_until_ready(self, timeout: float = 10.0) -> None:
        """Connects now, so that no call has to. TimeoutError after `timeout` seconds."""
        try:
            grpc.channel_ready_future(self._channel).result(timeout)
        except grpc.FutureTimeoutError:
            raise TimeoutError(f"no connection within {timeout} s") from None

    def call(
        self,
        method: Unary[Q, A],
        request: Q | Mapping[str, Any],
        *,
        timeout: float | None = None,
        metadata: Mapping[str, str] = NO_METADATA,
    ) -> A:
        """Calls a method. A search returns its best plan before `timeout`, in seconds.

        `metadata` are headers, as in `x-request-id`. Errors: ValueError for a request that is none,
        CallError for a call that failed.
        """
        message = _jobs.repeatable(method.parse(request))
        call = self._channel.unary_unary(method.path, *codec(method))
        try:
            response: A = call(message, self._seconds(timeout), self._headers(metadata))
        except grpc.RpcError as error:
            raise CallError.of(error) from error
        return response

    def stream(
        self,
        method: Streaming[Q, A],
        request: Q | Mapping[str, Any],
        *,
        timeout: float | None = None,
        metadata: Mapping[str, str] = NO_METADATA,
    ) -> Generator[A, None, None]:
        """Yields the responses of one server as they come. Closing the iterator ends the search.

        The call is made when the first response is taken. It ends with CallError where the server
        is lost: `follow` continues at another one.
        """
        message = method.parse(request)
        make = self._channel.unary_stream(method.path, *codec(method))
        call = make(message, self._seconds(timeout), self._headers(metadata))
        try:
            yield from call
        except grpc.RpcError as error:
            raise CallError.of(error) from error
        finally:
            call.cancel()

    def follow(
        self,
        method: Search[Q, A],
        request: Q | Mapping[str, Any],
        *,
        timeout: float | None = None,
        metadata: Mapping[str, str] = NO_METADATA,
    ) -> Iterator[A]:
        """Yields better and better plans; continues at another server when one is lost or drains.

        Each plan has a lower objective than the one before. The last response has the report, with
        the best plan of all servers; without one when none arrives before `timeout`, in seconds.
        Errors: as of `stream`, but a lost server is one only where there is no plan.
        """
        message = method.parse(request)
        patience, best = Patience(self._seconds(timeout)), Best[A]()
        while True:
            lost = None
            try:
                left = patience.left()
                with closing(
                    self.stream(method, message, timeout=left, metadata=metadata)
                ) as steps:
                    for step in steps:
                        yield from best.take(step)
                        if best.ended:
                            return
            except CallError as error:
                lost = error
            pause = patience.pause(lost)
            if pause is None:
                yield from best.close(lost)
                return
            time.sleep(pause)

    def close(self) -> None:
        """Ends all calls and the connection."""
        self._channel.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _seconds(self, timeout: float | None) -> float | None:
        return self._timeout if timeout is None else timeout

    def _headers(self, metadata: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        token = self._token() if callable(self._token) else self._token
        return _connection.headers(token, metadata)


class Jobs:
    """Searches that continue when their caller leaves. `Client.jobs` has it."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def create(
        self, method: Method[Q, A], request: Q | Mapping[str, Any], **terms: Unpack[Terms]
    ) -> Job:
        """Accepts a request to any method that searches; `terms` as in `Terms`.

        It waits for a server that has threads free. ValueError for a method that is no search.
        """
        wanted = _jobs.creation(method, method.parse(request), terms)
        return self._client.call(methods.CreateJob, wanted).job

    def get(self, job_id: str) -> Job:
        """A job, with its response: the best plan so far, or all of it."""
        return self._client.call(methods.GetJob, {"job_id": job_id}).job

    def list(self, **filters: Any) -> Iterator[Job]:
        """Jobs without their responses, the newest first. `filters` as in `ListJobsRequest`."""
        token: str | None = ""
        while token is not None:
            page = self._client.call(methods.ListJobs, filters | {"page_token": token})
            yield from page.jobs
            token = page.next_page_token or None

    def cancel(self, job_id: str) -> Job:
        """Ends a job; the best plan so far becomes its response."""
        return self._client.call(methods.CancelJob, {"job_id": job_id}).job

    def delete(self, job_id: str) -> None:
        """Deletes a job that has ended."""
        self._client.call(methods.DeleteJob, {"job_id": job_id})

    def watch(
        self, job_id: str, *, after_sequence: int = 0, timeout: float | None = None
    ) -> Iterator[JobEvent]:
        """Yields the events of a job until it has ended, each once and in order.

        It continues after the last event when a connection or a server is lost, for `timeout`
        seconds, by default without limit. The last event has the response, or the error of the job.
        """
        patience, watch = Patience(timeout), _jobs.Watch(job_id, after_sequence)
        while not watch.ended:
            lost = None
            try:
                with closing(
                    self._client.stream(
                        methods.WatchJob, watch.request(), timeout=patience.left()
                    )
                ) as messages:
                    for message in messages:
                        yield watch.take(message)
            except CallError as error:
                lost = error
            pause = 0.0 if watch.ended else patience.pause(lost)
            if pause is None:
                raise lost or TimeoutError(f"job {job_id} has not ended within {timeout} s")
            time.sleep(pause)


def codec(method: Method[Q, A]) -> tuple[Callable[[Q], bytes], Callable[[bytes], A]]:
    return method.request.SerializeToString, method.response.FromString
