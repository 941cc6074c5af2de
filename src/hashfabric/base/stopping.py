"""Ctrl-C, SIGTERM and SIGHUP: one exception in the main thread, once, and never half-way.

It imports next to nothing, so that signals are caught while other modules are imported.
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from hashfabric.base.errors import Stop

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_GRACE_S = 10.0  # A second Ctrl-C during the cleaning up is ignored; a much later one is not.


class _Listener:
    """Where a signal is kept while the main thread must not be interrupted."""

    def __init__(self) -> None:
        self.depth = 0
        self.waiting: int | None = None
        self.last = -_GRACE_S

    def hear(self, number: int, _frame: FrameType | None = None) -> None:
        if time.monotonic() - self.last < _GRACE_S:
            return
        if self.depth:
            self.waiting = number
            return
        self.last = time.monotonic()
        raise Stop(number)


_listener = _Listener()


def listen() -> None:
    """From now on a signal raises `Stop` in the main thread; one that is ignored stays ignored."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _listener.hear)


def end() -> None:
    """From now on nothing interrupts: only the interpreter's own exit is left."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def held() -> Iterator[None]:
    """Let the body end before `Stop` is raised: for short work that must be complete."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Python runs its signal handlers in the main thread only.
        return
    _listener.depth += 1
    try:
        yield
    finally:
        _listener.depth -= 1
        if _listener.depth == 0 and _listener.waiting is not None:
            number, _listener.waiting = _listener.waiting, None
            _listener.hear(number)
