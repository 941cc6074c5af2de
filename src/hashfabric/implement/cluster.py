"""Jobs on the workers of a Dask scheduler: `--scheduler ADDRESS`.

A worker is a machine with this package: `dask worker ADDRESS`. It brings its own tools, and keeps a
cache of its own. A job is sent with all its inputs; its files come back into the cache of the
session that asked, which is what a run is resumed from. A worker with other versions of the tools
or of this package gets no job, nor does one whose disk is full: a line says so once. A job whose
worker or scheduler is lost is done again by another, or when the scheduler is back.
"""

import itertools
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from distributed import Client, get_worker

from hashfabric.base.cache import Cache, DiskFull, Job
from hashfabric.base.errors import LabError
from hashfabric.base.paths import BUILD
from hashfabric.base.tools import Tool, ending
from hashfabric.base.version import release
from hashfabric.implement import jobs
from hashfabric.implement.jobs import Finished, RemoteOrder, versions

PATIENCE_S = 120.0
"""How long a session waits for the scheduler, or for a worker that may take jobs."""

_POLL_S = 0.2
_DONE, _REFUSED, _FAILED = "done", "refused", "failed"


class Cluster:
    """The workers of one scheduler, as the place where `implement.jobs` runs its jobs."""

    def __init__(self, address: str, patience_s: float = PATIENCE_S) -> None:
        """Connect; `LabError` where there is no scheduler."""
        self._address = address
        self._patience_s = patience_s
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._refused: dict[str, str] = {}
        self._checked: dict[tuple[str, tuple[Tool, ...]], bool] = {}
        self._client: Client | None = None
        self._connected(time.monotonic() + min(10.0, patience_s))
        self._before = jobs.elsewhere

    def __enter__(self) -> "Cluster":
        """Let jobs run there."""
        jobs.elsewhere = self
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let jobs run here again, and leave the scheduler; jobs that still run are dropped."""
        jobs.elsewhere = self._before
        if self._client is not None:
            self._client.close(timeout=2)  # type: ignore[no-untyped-call]

    @property
    def slots(self) -> int:
        """The number of jobs that the workers can do at once: at least one."""
        info = self._connected(time.monotonic() + self._patience_s).scheduler_info(n_workers=-1)
        threads: list[int] = [worker["nthreads"] for worker in info["workers"].values()]
        return max(1, sum(threads))

    def run(self, order: RemoteOrder, tools: Sequence[Tool], directory: Path) -> dict[str, Any]:
        """Do a job on a worker, put its files into `directory`, and return its result."""
        finished = self._finished(order, tuple(tools))
        for name, content in finished.files.items():
            place = directory / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        return finished.result

    def _finished(self, order: RemoteOrder, tools: tuple[Tool, ...]) -> Finished:
        wanted = {**versions(tools), "hashfabric": release()}
        limit = time.monotonic() + self._patience_s
        while True:
            try:
                client = self._connected(limit)
                workers = self._workers(client, tools, wanted)
                if not workers:
                    self._wait(limit, f"no worker of {self._address} may take the job")
                    continue
                key = f"hashfabric-{id(self)}-{next(self._numbers)}"
                future = client.submit(
                    _work, order, tools, wanted, key=key, workers=workers, retries=0, pure=False
                )
                kind, where, value = self._outcome(client, future)
            except (LabError, MemoryError):
                raise
            except Exception as error:
                self._lost(error, limit)
                continue
            if kind == _DONE:
                return Finished(*value)
            if kind == _FAILED:
                raise value
            self._refuse(where, str(value))
            limit = time.monotonic() + self._patience_s

    def _outcome(self, client: Client, future: Any) -> tuple[str, str, Any]:
        """Wait for a job; an exception of Dask's where its worker or the scheduler was lost."""
        while not future.done():
            if ending():
                future.cancel()
                raise LabError("stopped: the session ends")
            if client.status != "running":
                raise ConnectionError("the scheduler was lost")
            time.sleep(_POLL_S)
        outcome: tuple[str, str, Any] = future.result()
        return outcome

    def _lost(self, error: Exception, limit: float) -> None:
        self._wait(limit, f"{self._address}: {type(error).__name__}: {error}")
        with self._lock:
            if self._client is not None and self._client.status != "running":
                self._client = None

    def _wait(self, limit: float, reason: str) -> None:
        """Wait a moment; `LabError` with the reason where that has gone on for too long."""
        if time.monotonic() > limit:
            said = "; ".join(f"{where}: {why}" for where, why in self._refused.items())
            raise LabError(f"{reason}{f' ({said})' if said else ''}")
        time.sleep(1)

    def _connected(self, limit: float) -> Client:
        """Return the client, connected again if its scheduler was lost."""
        with self._lock:
            while self._client is None:
                try:
                    self._client = Client(  # type: ignore[no-untyped-call]
                        self._address, timeout=3, set_as_default=False, name="hashfabric"
                    )
                except (OSError, ValueError) as error:
                    if time.monotonic() > limit:
                        reason = str(error).splitlines()[0] if str(error) else "no answer"
                        raise LabError(f"--scheduler {self._address}: {reason}") from error
                    time.sleep(1)
            return self._client

    def _workers(
        self, client: Client, tools: tuple[Tool, ...], wanted: Mapping[str, str]
    ) -> list[str]:
        """Return the workers that may take a job with these tools; each is asked once."""
        present = list(client.scheduler_info(n_workers=-1)["workers"])
        with self._lock:
            fresh = [where for where in present if (where, tools) not in self._checked]
        if fresh:
            said = client.run(_versions_there, tools, workers=fresh, on_error="return")
            for where, found in said.items():
                own = found if isinstance(found, dict) else {}
                other = [
                    f"{name} {own.get(name, 'missing')}, not {version}"
                    for name, version in wanted.items()
                    if own.get(name) != version
                ]
                if other:
                    self._refuse(where, ", ".join(other))
                with self._lock:
                    self._checked[where, tools] = not other
        with self._lock:
            return [
                where
                for where in present
                if self._checked.get((where, tools)) and where not in self._refused
            ]

    def _refuse(self, where: str, reason: str) -> None:
        with self._lock:
            if where in self._refused:
                return
            self._refused[where] = reason
        print(f"hashfabric: worker {where} gets no job: {reason}", file=sys.stderr, flush=True)


####################
# On a worker      #
####################


def _versions_there(tools: Sequence[Tool]) -> dict[str, str]:
    """Return the versions of the tools on a worker, of those that it has."""
    found = {"hashfabric": release()}
    for tool in tools:
        try:
            found[tool.name] = tool.version()
        except LabError:
            continue
    return found


def _work(
    order: RemoteOrder, tools: Sequence[Tool], wanted: Mapping[str, str]
) -> tuple[str, str, Any]:
    """Do a job on a worker, with its cache; return what became of it, and the worker's address."""
    where = get_worker().address
    own = _versions_there(tools)
    if own != dict(wanted):
        return _REFUSED, where, f"has {own}, not {dict(wanted)}"
    scratch = Path(tempfile.mkdtemp(prefix="hashfabric-"))
    try:
        job = order.do(Cache(BUILD / "cache"), scratch)
        return _DONE, where, (job.result, _files(job))
    except DiskFull as error:
        return _REFUSED, where, str(error)
    except OSError as error:
        return _REFUSED, where, f"{error.filename}: {error.strerror}"
    except LabError as error:
        return _FAILED, where, error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _files(job: Job) -> dict[str, bytes]:
    paths = (path for path in sorted(job.directory.rglob("*")) if path.is_file())
    return {path.relative_to(job.directory).as_posix(): path.read_bytes() for path in paths}
