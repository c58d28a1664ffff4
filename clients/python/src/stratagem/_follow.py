"""One sequence of better and better plans from the streams of several servers."""

from copy import deepcopy
from typing import Any, Generic

from stratagem._method import A
from stratagem.v1 import STOP_REASON_DRAINING


class Best(Generic[A]):
    """The best response so far, and the last one with a report."""

    def __init__(self) -> None:
        self._best: A | None = None
        self._levels: list[float] = []
        self._reported: A | None = None
        self._is_handed_on = False
        self.ended = False

    def take(self, step: A) -> list[A]:
        """The responses to hand on: none unless this one has a better plan, or ends the search."""
        response: Any = step
        levels = list(response.event.objective.levels)
        if step.HasField("report"):
            levels = list(response.report.objective.levels)
            self._reported = deepcopy(step)
            self.ended = response.report.stop_reason != STOP_REASON_DRAINING
            if not self.ended:
                # The search goes on at another server, which sends the report.
                step.ClearField("report")
                if not levels:
                    return []
        elif response.event.heartbeat:
            return []
        better = self._best is None or levels < self._levels
        if levels and better:
            self._best, self._levels = step, levels
        if self.ended:
            return self.last()
        # Plans of some methods have no objective, and are handed on as they come.
        if not better and levels:
            return []
        self._is_handed_on = True
        return [step]

    def last(self) -> list[A]:
        """The last response with a report, with the best plan of all servers."""
        reported: Any = self._reported
        if reported is None:
            return []
        levels = list(reported.report.objective.levels)
        if self._best is None or (levels and levels <= self._levels):
            return [reported]
        # An earlier server found a better plan than the one that sent the report.
        best: Any = deepcopy(self._best)
        best.report.CopyFrom(reported.report)
        best.report.objective.CopyFrom(best.event.objective)
        best.report.ClearField("gap")
        return [best]

    def close(self, error: Exception | None) -> list[A]:
        """The last response when no other server can be called; `error` when there is no plan."""
        if error is not None and not self._is_handed_on and self._best is None:
            raise error
        return self.last()
