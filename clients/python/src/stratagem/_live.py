"""What continues a session: its last snapshot, the updates after it, and its newest view."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from stratagem import methods
from stratagem._error import CallError, Mistake, Patience
from stratagem._method import Streaming, Unary
from stratagem.v1 import (
    CloseSessionRequest,
    CloseSessionResponse,
    CreateSessionRequest,
    CreateSessionResponse,
    GetSessionRequest,
    GetSessionResponse,
    SessionRefusal,
    SessionUpdate,
    SessionView,
    UpdateSessionRequest,
    UpdateSessionResponse,
    WatchSessionRequest,
    WatchSessionResponse,
)

# The largest number of updates in a call.
BATCH_MAX = 64
# How many acknowledged updates are kept until there is a snapshot that contains them.
SNAPSHOT_UPDATES = 100
# The largest number of updates that are kept.
KEPT_MAX = 10_000
# Errors by an update that the server cannot read, or by too many of them in a call.
UNREADABLE = ("MESSAGE_MALFORMED", "MESSAGE_TOO_LARGE")

Call = tuple[Unary[Any, Any], Any, Mapping[str, str]]


class Live:
    """A session as its client knows it. It makes no calls: `step` is the next one."""

    def __init__(self, request: CreateSessionRequest) -> None:
        self.view = SessionView()
        self.sequence = self.acknowledged = request.applied_sequence
        self.closed = False
        self._snapshot = CreateSessionRequest()
        self._snapshot.CopyFrom(request)
        self._kept: list[SessionUpdate] = []
        self._sent: list[SessionUpdate] = []
        self._refused: list[SessionRefusal] = []
        # Updates up to this one have been accepted or refused once.
        self._judged = self.sequence
        # Updates up to this one are sent one at a time.
        self._single = 0
        # The updates whose callers wait.
        self._awaited: set[int] = set()
        self._is_missing, self._is_stale, self._losses = True, False, 0
        self._metadata = {"x-session-id": request.session_id}
        self._lock = threading.RLock()

    @contextmanager
    def add(self, change: Mapping[str, Any], now: float | None) -> Iterator[int]:
        """Keeps a new update, whose caller waits in the context. Its number."""
        with self._lock:
            self._check_open()
            if len(self._kept) >= KEPT_MAX:
                raise OverflowError(f"{KEPT_MAX} updates are not in a snapshot of the session yet")
            fields = {**change, "sequence": self.sequence + 1}
            if now is not None:
                fields["now_offset"] = f"{now:.6f}s"
            (made,) = methods.UpdateSession.parse({"updates": [fields]}).updates
            self._kept.append(made)
            self.sequence += 1
            self._awaited.add(made.sequence)
        try:
            yield made.sequence
        finally:
            with self._lock:
                self._awaited.discard(made.sequence)

    def is_behind(self, sequence: int) -> bool:
        """Whether there is a next call before the update is acknowledged."""
        if not self._is_missing and self.acknowledged >= sequence:
            return False
        self._check_open()
        return True

    def _check_open(self) -> None:
        if self.closed:
            raise ValueError("the session is closed")

    def step(self, search: float | None = None) -> Call:
        """The next call."""
        id_ = self._snapshot.session_id
        with self._lock:
            self._sent = []
            if self._is_stale:
                return methods.CloseSession, CloseSessionRequest(session_id=id_), self._metadata
            if self._is_missing:
                return methods.CreateSession, self._snapshot, self._metadata
            waiting = [one for one in self._kept if one.sequence > self.acknowledged]
            self._sent = waiting[: 1 if self.acknowledged < self._single else BATCH_MAX]
            request = UpdateSessionRequest(session_id=id_, updates=self._sent)
            if self.view.WhichOneof("plan"):
                request.known_plan_revision = self.view.plan_revision
            if search is not None:
                request.patience_duration.FromMicroseconds(round(search * 1e6))
            return methods.UpdateSession, request, self._metadata

    def take(
        self, response: CloseSessionResponse | CreateSessionResponse | UpdateSessionResponse
    ) -> None:
        """Takes the response of that call."""
        with self._lock:
            if isinstance(response, CloseSessionResponse):
                self._is_stale, self._is_missing = False, True
            elif isinstance(response, CreateSessionResponse):
                # Views of other servers do not count, whatever their clocks.
                self.view, self._is_missing = response.view, False
                self.acknowledged = response.view.applied_sequence
                self.sequence = max(self.sequence, self.acknowledged)
            elif response.view.epoch < self.view.epoch:
                # A session from before: this server has missed updates.
                self._is_stale = self._is_missing = True
            else:
                self._losses = 0
                self._acknowledge(response.view)

    def _acknowledge(self, view: SessionView) -> None:
        self.acknowledged = max(self.acknowledged, view.applied_sequence)
        # A session that is created again refuses the same updates again.
        self._refused += [one for one in view.refused if one.sequence > self._judged]
        self._judged = max(self._judged, self.acknowledged)
        view.ClearField("refused")
        self.see(view)

    def see(self, view: SessionView) -> bool:
        """Takes a view. False when it is older than the newest one."""
        with self._lock:
            known = self.view
            if (view.epoch, view.plan_revision) < (known.epoch, known.plan_revision):
                return False
            plan = known.WhichOneof("plan")
            is_known = (view.epoch, view.plan_revision) == (known.epoch, known.plan_revision)
            if is_known and plan and not view.HasField(plan):
                getattr(view, plan).CopyFrom(getattr(known, plan))
            if is_known and view.applied_sequence < known.applied_sequence:
                view.applied_sequence = known.applied_sequence
                view.now_offset.CopyFrom(known.now_offset)
            self.view = view
            return True

    def result(self, sequence: int) -> SessionView:
        """The newest view, with refusals of that update and of those whose callers have left."""
        with self._lock:
            found = SessionView()
            found.CopyFrom(self.view)
            others = self._awaited - {sequence}
            found.refused.extend(one for one in self._refused if one.sequence not in others)
            self._refused = [one for one in self._refused if one.sequence in others]
            return found

    def pause(self, error: CallError, patience: Patience) -> float | None:
        """Seconds until the next call; None when there is no next one."""
        with self._lock:
            if error.reason in ("SESSION_SEQUENCE_GAP", "SESSION_EXISTS"):
                self._is_stale = self._is_missing = True
            elif error.reason == "SESSION_UNKNOWN":
                self._is_missing = True
            else:
                return 0.0 if self._drop(error) else patience.pause(error)
            self._losses += 1
            return 0.0 if self._losses == 1 else patience.pause(None)

    def _drop(self, error: CallError) -> bool:
        """Refuses updates that the server does not take, and sends their numbers only.

        Whether the next call is another one.
        """
        mistakes = error.mistakes
        if error.reason in UNREADABLE and self._sent:
            if len(self._sent) > 1:
                self._single = self._sent[-1].sequence
                return True
            mistakes = [Mistake("updates[0].", error.reason, error.text)]
        is_other = False
        for index, update in enumerate(self._sent):
            path = f"updates[{index}]."
            own = [one for one in mistakes if one.field.startswith(path)]
            if own and len(update.ListFields()) > 1:
                refusal = SessionRefusal(sequence=update.sequence)
                for one in own:
                    field = one.field.removeprefix(path)
                    refusal.mistakes.add(field=field, reason=one.reason, description=one.text)
                self._refused.append(refusal)
                update.CopyFrom(SessionUpdate(sequence=update.sequence))
                is_other = True
        return is_other

    def wants_snapshot(self, patience: Patience) -> bool:
        """Whether `asking` is due, and has time."""
        news = self.acknowledged - self._snapshot.applied_sequence
        return news >= SNAPSHOT_UPDATES and patience.left() != 0.0

    def asking(self) -> Call:
        """The call whose response `keep` takes."""
        request = GetSessionRequest(session_id=self._snapshot.session_id)
        return methods.GetSession, request, self._metadata

    def keep(self, response: GetSessionResponse) -> None:
        """Keeps a snapshot, and only the updates after it."""
        with self._lock:
            if response.view.epoch == self.view.epoch:
                self._snapshot = response.snapshot
                applied = self._snapshot.applied_sequence
                self._kept = [one for one in self._kept if one.sequence > applied]

    def watching(
        self,
    ) -> tuple[
        Streaming[WatchSessionRequest, WatchSessionResponse],
        WatchSessionRequest,
        Mapping[str, str],
    ]:
        """The call that watches."""
        request = WatchSessionRequest(session_id=self._snapshot.session_id)
        return methods.WatchSession, request, self._metadata

    def forgets(self, error: CallError, epoch: int) -> bool:
        """Whether the server has lost the session of that epoch, which watching has to create."""
        if error.reason != "SESSION_UNKNOWN":
            return False
        with self._lock:
            # An update may have created it in the meantime.
            self._is_missing = self._is_missing or self.view.epoch == epoch
            return True

    def close(self) -> Call:
        """The call that closes it."""
        self.closed = True
        request = CloseSessionRequest(session_id=self._snapshot.session_id)
        return methods.CloseSession, request, self._metadata
