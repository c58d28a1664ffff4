"""Methods as values, and requests from dicts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message

Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)


@dataclass(frozen=True)
class Method(Generic[Q, A]):
    """A method: where it is called, and the types of its request and response."""

    path: str
    request: type[Q]
    response: type[A]

    def parse(self, request: Q | Mapping[str, Any]) -> Q:
        """The request as a message.

        A dict has the fields by their names in the contract or in JSON (`service_duration`,
        `serviceDuration`). A value can be a message, and a duration a `timedelta`. ValueError when
        the contract has no such field, or a value has the wrong type.
        """
        if isinstance(request, self.request):
            return request
        try:
            return json_format.ParseDict(_plain(request), self.request())
        except json_format.ParseError as error:
            raise ValueError(f"no {self.request.__name__}: {error}") from error


class Unary(Method[Q, A]):
    """One request, one response."""


class Streaming(Method[Q, A]):
    """One request, a stream of responses."""


class Search(Streaming[Q, A]):
    """A stream of better and better plans; the last response has the report."""


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return json_format.MessageToDict(value)
    if isinstance(value, timedelta):
        return f"{value.total_seconds():.6f}s"
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
