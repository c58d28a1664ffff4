"""Why a call failed, and whether another one may succeed."""

import random
import time
from dataclasses import dataclass, field
from typing import Any, cast

import grpc
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

# Codes by which a stream ends when its server, or a balancer on the path to it, is gone or silent.
_LOST = {
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.CANCELLED,
}


@dataclass(frozen=True)
class Mistake:
    """One mistake in a request.

    `field` is the path in the request, as in `problem.tasks[3].windows[0].close_offset`; `reason` a
    stable code of docs/reference/errors.md, as in `OUT_OF_RANGE`; `text` a sentence for people.
    """

    field: str
    reason: str
    text: str


@dataclass(eq=False)
class CallError(Exception):
    """A call failed. docs/reference/errors.md lists all reasons, and what to do about each.

    "No plan" is no error: the response has a report.
    """

    code: grpc.StatusCode
    text: str
    """A sentence for people; it may change with every release."""
    reason: str = ""
    """A stable code, as in `QUOTA_EXCEEDED`. Empty where no server of Stratagem sent the error."""
    metadata: dict[str, str] = field(default_factory=dict)
    """The parts of the text that vary, as in `quota`."""
    mistakes: list[Mistake] = field(default_factory=list)
    """All mistakes in the request, up to 100."""
    retry_delay: float | None = None
    """Seconds after which the same call may succeed. None where the server names no time."""
    request_id: str = ""
    """The id of the call in the server's log."""

    def __str__(self) -> str:
        lines = [f"{self.reason or self.code.name}: {self.text}"]
        lines += [f"{one.field}: {one.text} ({one.reason})" for one in self.mistakes]
        return "\n  ".join(lines)

    @classmethod
    def of(cls, error: grpc.RpcError) -> "CallError":
        """The error of a call, with the details that its server attached."""
        # Calls of grpc and of grpc.aio have these methods, and no type in common.
        call = cast(Any, error)
        found = cls(call.code(), call.details() or "")
        for key, value in call.trailing_metadata() or ():
            if key == "x-request-id":
                found.request_id = str(value)
            if key == "grpc-status-details-bin":
                found._read(status_pb2.Status.FromString(value))
        return found

    def _read(self, status: status_pb2.Status) -> None:
        info, delay = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
        bad = error_details_pb2.BadRequest()
        for detail in status.details:
            if detail.Unpack(info):
                self.reason, self.metadata = info.reason, dict(info.metadata)
            elif detail.Unpack(delay):
                self.retry_delay = delay.retry_delay.ToTimedelta().total_seconds()
            elif detail.Unpack(bad):
                listed = bad.field_violations
                self.mistakes = [Mistake(one.field, one.reason, one.description) for one in listed]


class Patience:
    """How long calls are made again after their server is lost."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """Seconds until the deadline, at least 0. None without one."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def part(self, seconds: float | None) -> "Patience":
        """Patience of so many seconds, which ends with this one at the latest."""
        limits = [one for one in (self.left(), seconds) if one is not None]
        return Patience(min(limits, default=None))

    def pause(self, error: CallError | None) -> float | None:
        """Seconds until the next call; None when there is no next one.

        Clients of a lost server must not all come back at the same moment.
        """
        if error is not None:
            # A server that sends a reason is not lost. A call that is made again has its own deadline.
            known = error.reason not in ("", "DEADLINE_PASSED")
            refused = known and error.code != grpc.StatusCode.UNAVAILABLE
            if refused or error.code not in _LOST:
                return None
        pause = max(random.uniform(0.02, 0.2), (error and error.retry_delay) or 0.0)
        left = self.left()
        return None if left is not None and left <= pause else pause
