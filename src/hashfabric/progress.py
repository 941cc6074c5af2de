"""Progress on standard error: a live line a job on a terminal, one plain line a job elsewhere."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import ClassVar

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from hashfabric.errors import LabError
from hashfabric.stopping import held


class Steps(AbstractContextManager["Steps"]):
    """Shows steps that run, also several at once from several threads.

    `quiet` shows nothing off a terminal (for `--json`); a terminal always gets the live lines.
    """

    current: ClassVar["Steps | None"] = None
    """Those that are being shown: a terminal has room for one."""

    def __init__(self, *, quiet: bool = False) -> None:
        """Draw on standard error."""
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
    def step(self, text: str) -> Iterator[list[str]]:
        """Show `text` while the body runs; what it appends to the list is said with the time."""
        notes: list[str] = []
        start = time.monotonic()
        task = self._live.add_task(text, total=1)
        self._say(f"{text} ...")
        outcome = "stopped"  # Said on a terminal only: elsewhere the command's last line says it.
        try:
            yield notes
            outcome = "done"
        except LabError:
            outcome = "failed"
            raise
        finally:
            said = f"{text}: {', '.join(notes) or outcome}"
            if outcome == "done":
                self._live.update(task, description=said, completed=1)
            else:
                self._live.update(task, description=f"[red]{said}[/]")
                self._live.stop_task(task)
            if outcome != "stopped":
                self._say(f"{said} ({time.monotonic() - start:.0f} s)")

    def _say(self, text: str) -> None:
        if self._plain and not self._quiet:
            with self._lock:
                print(text, file=sys.stderr, flush=True)


@contextmanager
def step(text: str) -> Iterator[list[str]]:
    """Show `text` among the steps that are shown now, or by itself, while the body runs."""
    if Steps.current is not None:
        with Steps.current.step(text) as notes:
            yield notes
    else:
        with Steps() as steps, steps.step(text) as notes:
            yield notes
