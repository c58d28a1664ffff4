"""Requests of jobs, and how far one has been watched."""

import uuid
from collections.abc import Mapping
from copy import deepcopy
from typing import TypedDict

from stratagem._method import A, Method, Q
from stratagem.v1 import (
    JOB_STATE_CANCELLED,
    JOB_STATE_EXPIRED,
    JOB_STATE_FAILED,
    JOB_STATE_SUCCEEDED,
    CreateJobRequest,
    JobEvent,
    JobLabel,
    JobRequest,
    WatchJobRequest,
    WatchJobResponse,
)

_FINAL = {JOB_STATE_SUCCEEDED, JOB_STATE_FAILED, JOB_STATE_CANCELLED, JOB_STATE_EXPIRED}


class Terms(TypedDict, total=False):
    """How a job is accepted."""

    request_id: str
    """The same id with the same content is the same job. Default: a random one, for each call."""
    labels: Mapping[str, str]
    """For finding it again. At most 16."""
    deadline: float
    """Seconds from now until it has to have ended. Default: without limit."""
    keep: float
    """Seconds for which it is kept after its end. Default: 24 h."""


def creation(method: Method[Q, A], request: Q, terms: Terms) -> CreateJobRequest:
    """A request for a job. ValueError for a method that cannot be one."""
    kinds = JobRequest.DESCRIPTOR.fields
    field = next((one for one in kinds if one.message_type is request.DESCRIPTOR), None)
    if field is None:
        raise ValueError(f"{method.path} cannot be a job")
    made = CreateJobRequest(request_id=terms.get("request_id") or str(uuid.uuid4()))
    getattr(made.request, field.name).CopyFrom(request)
    labels = terms.get("labels", {}).items()
    made.labels.extend(JobLabel(key=key, value=value) for key, value in labels)
    if "deadline" in terms:
        made.deadline_duration.FromMicroseconds(round(terms["deadline"] * 1e6))
    if "keep" in terms:
        made.keep_duration.FromMicroseconds(round(terms["keep"] * 1e6))
    return made


def repeatable(message: Q) -> Q:
    """The same request, with an id where it creates a job: calls are repeated after a loss."""
    if not isinstance(message, CreateJobRequest) or message.request_id:
        return message
    made = deepcopy(message)
    made.request_id = str(uuid.uuid4())
    return made


class Watch:
    """The last event that was seen."""

    def __init__(self, job_id: str, after_sequence: int) -> None:
        self._job_id, self._sequence = job_id, after_sequence
        self.ended = False

    def request(self) -> WatchJobRequest:
        """For the events that follow."""
        return WatchJobRequest(job_id=self._job_id, after_sequence=self._sequence)

    def take(self, message: WatchJobResponse) -> JobEvent:
        """The event of a response."""
        self._sequence = message.event.sequence
        self.ended = message.event.state in _FINAL
        return message.event
