"""Progress on standard error: a live line a job on a terminal, one plain line a job elsewhere."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import ClassVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from hashfabric.base.errors import LabError
from hashfabric.base.stopping import held

BAR_AFTER_S = 1.0
"""Work that takes less time than this gets no bar."""


class Steps(AbstractContextManager["Steps"]):
    """Shows steps that run, also several at once from several threads.

    `quiet` shows nothing off a terminal (for `--json`); a terminal always gets the live lines.
    Without `keep` a line goes when its step is done: for more steps than a terminal has lines.
    """

    current: ClassVar["Steps | None"] = None
    """The one that is being shown: a terminal has room for one."""

    def __init__(self, *, quiet: bool = False, keep: bool = True) -> None:
        """Draw on standard error."""
        self._keep = keep
        self._console = Console(file=sys.stderr, highlight=False)
        self._plain = not self._console.is_terminal
        self._quiet = quiet and self._plain
        self._lock = threading.Lock()
        self._live = Progress(
            SpinnerColumn(finished_text="[green]✓[/]"),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            console=self._console,
            disable=self._plain,
        )

    def __enter__(self) -> "Steps":
        """Start drawing."""
        Steps.current = self
        with held():  # Else the terminal may stay without its cursor.
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop drawing; finished lines stay."""
        with held():
            self._live.stop()
        Steps.current = None

    @contextmanager
    def step(self, text: str, *, after_s: float = 0.0) -> Iterator[list[str]]:
        """Show `text` while the body runs; what it appends to the list is shown with the time.

        A body that ends within `after_s` seconds is not shown at all.
        """
        notes: list[str] = []
        start = time.monotonic()
        task = self._live.add_task(text, total=1, visible=False)
        begun = threading.Event()

        def begin() -> None:
            begun.set()
            self._live.update(task, visible=True)
            self._say(f"{text} ...")

        timer = threading.Timer(after_s, begin)
        timer.daemon = True
        if after_s:
            timer.start()
        else:
            begin()
        outcome = "stopped"  # Only on a terminal: elsewhere the command's last line says it.
        try:
            yield notes
            outcome = "done"
        except LabError:
            outcome = "failed"
            raise
        finally:
            timer.cancel()
            if after_s:
                timer.join()  # It may be printing its line.
            said = f"{text}: {', '.join(notes) or outcome}"
            if not self._keep or not begun.is_set():
                self._live.remove_task(task)
            elif outcome == "done":
                self._live.update(task, description=said, completed=1)
            else:
                self._live.update(task, description=f"[red]{said}[/]")
                self._live.stop_task(task)
            if begun.is_set() and outcome != "stopped":
                self._say(f"{said} ({time.monotonic() - start:.0f} s)")

    def _say(self, text: str) -> None:
        if self._plain and not self._quiet:
            with self._lock:
                print(text, file=sys.stderr, flush=True)


@contextmanager
def step(text: str, *, after_s: float = 0.0) -> Iterator[list[str]]:
    """Show `text` among the steps that are shown now, or by itself, while the body runs.

    A body that ends within `after_s` seconds is not shown at all.
    """
    if Steps.current is not None:
        with Steps.current.step(text, after_s=after_s) as notes:
            yield notes
    else:
        with Steps() as steps, steps.step(text, after_s=after_s) as notes:
            yield notes


class Bars(AbstractContextManager["Bars"]):
    """Bars of bytes done, on standard error when that is a terminal; nothing is drawn elsewhere.

    They are drawn when `Bar.update` is called. `hide` and `show` remove them while other text is
    printed on the same terminal.
    """

    def __init__(self) -> None:
        """Draw nothing yet."""
        console = Console(file=sys.stderr)
        self._hidden = self._drawn = False
        self.live = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            DownloadColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
            disable=not console.is_terminal,
        )

    def hide(self) -> None:
        """Take the bars off the terminal, and keep them off it."""
        self._hidden = True
        if self._drawn:
            self.live.stop()
        self._drawn = False

    def show(self) -> None:
        """Let the bars be drawn again."""
        self._hidden = False

    def draw(self) -> None:
        """Draw them, if they may be seen."""
        if not self._hidden and not self.live.disable:
            self.live.start()
            self._drawn = True
            self.live.refresh()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bars off the terminal."""
        self.hide()


class Bar:
    """One of `bars`, from a second after it is made until it is closed."""

    def __init__(self, bars: Bars, name: str) -> None:
        """Count the second from now."""
        self._bars, self._name = bars, name
        self._start = time.monotonic()
        self._task: TaskID | None = None

    def update(self, done: int, total: int | None) -> None:
        """Show `done` of `total` bytes (None: an unknown number)."""
        if time.monotonic() - self._start < BAR_AFTER_S:
            return
        if self._task is None:
            self._task = self._bars.live.add_task(self._name, total=total)
        self._bars.live.update(self._task, completed=done, total=total)
        self._bars.draw()

    def close(self) -> None:
        """Take this bar away."""
        if self._task is not None:
            self._bars.live.remove_task(self._task)
            self._task = None
            self._bars.draw()
