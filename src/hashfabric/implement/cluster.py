"""Jobs on the workers of a Dask scheduler: `--scheduler ADDRESS`.

A worker is a machine with this package: `dask worker ADDRESS`. It brings its own tools, and keeps a
cache of its own. A job is sent with all its inputs; its files come back into the cache of the
session that asked, which is what a run is resumed from. A worker with other versions of the tools
or of this package gets no job, nor does one whose disk is full: a line says so once. A job whose
worker or scheduler is lost is done again by another, or when the scheduler is back.
"""

import asyncio
import itertools
import math
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from distributed import CancelledError, Client, KilledWorker, fire_and_forget, get_worker
from distributed.client import ClosedClientError
from distributed.comm.core import CommClosedError
from distributed.utils import LoopRunner

from hashfabric.base.cache import Cache, DiskFull, Finished, Job
from hashfabric.base.errors import Hopeless, LabError
from hashfabric.base.paths import BUILD
from hashfabric.base.tools import Tool, go_on
from hashfabric.base.version import release
from hashfabric.implement import jobs
from hashfabric.implement.jobs import RemoteOrder, versions

PATIENCE_S = 120.0
"""How long a session waits for the scheduler, or for a worker that may take jobs."""

_POLL_S = 0.2
_SEEN_S = 1.0
_ANSWER_S = 300.0
"""How long a worker may take to say its versions: a tool's first start takes a minute or two."""

_MOST_LOST = 3
"""Most times that a job is sent again since the scheduler or all workers were lost."""

_LOST = (OSError, CancelledError, ClosedClientError)
"""What Dask raises where a scheduler or a worker is lost."""

_DONE, _REFUSED, _FAILED = "done", "refused", "failed"


class Cluster:
    """The workers of one scheduler, as the place where `implement.jobs` runs its jobs."""

    def __init__(self, address: str, patience_s: float = PATIENCE_S) -> None:
        """Connect; `LabError` where there is no scheduler."""
        self.address = address
        self._patience_s = patience_s
        self._lock = threading.Lock()
        self._asking = threading.Lock()
        self._refused: dict[str, str] = {}
        self._checked: dict[tuple[str, tuple[Tool, ...]], bool] = {}
        self._loop = LoopRunner()
        self._loop.start()  # type: ignore[no-untyped-call]
        self._client: Client | None = None
        self._given_up = ""
        self._told: Client | None = None
        self._sent: Counter[tuple[Tool, ...]] = Counter()
        self._seen: Mapping[str, int] = {}
        self._seen_at = -math.inf
        self._connected(min(10.0, patience_s))
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
        """Let jobs run here again, and leave the scheduler; jobs that were sent go on."""
        jobs.elsewhere = self._before
        if self._client is not None:
            self._client.close(timeout=2)  # type: ignore[no-untyped-call]

    def run(self, key: str, order: Callable[[], RemoteOrder], tools: Sequence[Tool]) -> Finished:
        """Do the job called `key` on a worker.

        It has that name at the scheduler too: a job that still runs since a session has ended is
        found again, as is that of another session.
        """
        used = tuple(tools)
        wanted = {**versions(used), "hashfabric": release()}
        turns = itertools.count()
        lost = 0
        while True:
            with self._place(used, wanted) as (client, workers):
                work = order()
                try:
                    future = client.submit(
                        *(_work, work, used, wanted),
                        key=f"hashfabric-{release()}-{key}-{next(turns)}",
                        workers=workers,
                        allow_other_workers=True,  # Where these are lost; `_work` checks it.
                        retries=0,
                    )
                    del work
                    fire_and_forget(future)  # type: ignore[no-untyped-call]
                    kind, where, value = self._outcome(client, future)
                except KilledWorker as error:
                    raise LabError(
                        f"{self.address}: {error.allowed_failures + 1} workers were lost, "
                        "one after the other, while they did the same job"
                    ) from error
                except _LOST as error:
                    lost += 1
                    said = str(error) if type(error) is ConnectionError else "connection lost"
                    if lost > _MOST_LOST:
                        raise LabError(
                            f"{self.address}: {said}, {lost} times during one job"
                        ) from error
                    self._tell_lost(client, said)
                    _pause()
                    continue
            if kind == _DONE:
                finished: Finished = value
                return finished
            if kind == _FAILED:
                raise value
            self._refuse(where, str(value))

    @contextmanager
    def _place(
        self, tools: tuple[Tool, ...], wanted: Mapping[str, str]
    ) -> Iterator[tuple[Client, list[str]]]:
        """Wait for workers with room for a job with these tools; lend the client and them.

        Dask chooses among them. No more jobs than they have threads are sent, so that workers
        which come later get some.
        """
        limit = time.monotonic() + self._patience_s
        while True:
            client = self._connected()
            workers: Mapping[str, int] = {}
            with suppress(*_LOST):  # The scheduler was lost meanwhile: connected again.
                workers = self._workers(client, tools, wanted)
            with self._lock:
                if self._sent[tools] < sum(workers.values()):
                    self._sent[tools] += 1
                    break
            if workers:
                limit = time.monotonic() + self._patience_s
            if time.monotonic() > limit:
                said = "; ".join(f"{where}: {why}" for where, why in self._refused.items())
                kind = LabError if self._seen else Hopeless
                raise kind(
                    f"no worker of {self.address} may take the job{f' ({said})' if said else ''}"
                )
            _pause()
        try:
            yield client, list(workers)
        finally:
            with self._lock:
                self._sent[tools] -= 1

    def _outcome(self, client: Client, future: Any) -> tuple[str, str, Any]:
        """Wait for a job; an exception where all workers or the scheduler were lost."""
        while not future.done():
            if client.status != "running":
                raise ConnectionError("the scheduler was lost")
            if not self._present(client):
                future.cancel(force=True)
                raise ConnectionError("all workers were lost")
            _pause()
        outcome: tuple[str, str, Any] = future.result()
        return outcome

    def _connected(self, patience_s: float | None = None) -> Client:
        """Return the client, connected again if its scheduler was lost."""
        limit = time.monotonic() + (self._patience_s if patience_s is None else patience_s)
        with self._lock:
            if self._client is not None and self._client.status != "running":
                with suppress(OSError):
                    self._client.close(timeout=2)  # type: ignore[no-untyped-call]
                self._client = None
            while self._client is None:
                if self._given_up:
                    raise Hopeless(self._given_up)
                go_on()
                self._seen_at = -math.inf
                try:
                    self._client = Client(  # type: ignore[no-untyped-call]
                        self.address,
                        timeout=3,
                        set_as_default=False,
                        name="hashfabric",
                        loop=self._loop.loop,  # One for all: each has a thread.
                    )
                except (OSError, ValueError) as error:
                    if time.monotonic() > limit:
                        reason = str(error).splitlines()[0] if str(error) else "no answer"
                        self._given_up = f"--scheduler {self.address}: {reason}"
                        raise Hopeless(self._given_up) from error
                    time.sleep(_POLL_S)
            return self._client

    def _present(self, client: Client) -> Mapping[str, int]:
        """Return the workers that there are with their threads, asked for now and then."""
        with self._lock:
            if time.monotonic() - self._seen_at > _SEEN_S:
                found = client.scheduler_info(n_workers=-1)["workers"]
                self._seen = {where: worker["nthreads"] for where, worker in found.items()}
                self._seen_at = time.monotonic()
            return self._seen

    def _workers(
        self, client: Client, tools: tuple[Tool, ...], wanted: Mapping[str, str]
    ) -> Mapping[str, int]:
        """Return the workers that may take a job with these tools, and their threads.

        Each is asked once.
        """
        with self._asking:
            present = self._present(client)
            fresh = [where for where in present if (where, tools) not in self._checked]
            for where, found in self._asked(client, tools, fresh).items():
                if isinstance(found, CommClosedError):
                    continue  # It was lost meanwhile.
                if isinstance(found, str | OSError):
                    self._refuse(where, str(found))
                    continue
                own = found if isinstance(found, dict) else {}
                other = [
                    f"{name} {own.get(name, 'missing')}, not {version}"
                    for name, version in wanted.items()
                    if own.get(name) != version
                ]
                if other:
                    self._refuse(where, ", ".join(other))
                self._checked[where, tools] = not other
            return {
                where: threads
                for where, threads in present.items()
                if self._checked.get((where, tools)) and where not in self._refused
            }

    def _asked(
        self, client: Client, tools: tuple[Tool, ...], workers: Sequence[str]
    ) -> Mapping[str, Any]:
        """Ask workers for their versions; `Stop` where the session ends meanwhile."""

        async def ask(where: str) -> tuple[str, Any]:
            asked = client.run(_versions_there, tools, workers=[where], on_error="return")
            try:
                return where, (await asyncio.wait_for(asked, _ANSWER_S)).get(where)
            except TimeoutError:
                return where, f"no answer within {_ANSWER_S:g} s"

        async def ask_all() -> dict[str, Any]:
            return dict(await asyncio.gather(*map(ask, workers)))

        if not workers:
            return {}
        answers = asyncio.run_coroutine_threadsafe(ask_all(), self._loop.loop.asyncio_loop)
        try:
            while not answers.done():
                _pause()
        finally:
            answers.cancel()
        return answers.result()

    def _tell_lost(self, client: Client, said: str) -> None:
        """Say that something was lost, once a connection."""
        with self._lock:
            told, self._told = self._told, client
        if told is not client:
            print(
                f"hashfabric: {self.address}: {said}: jobs are sent again",
                file=sys.stderr,
                flush=True,
            )

    def _refuse(self, where: str, reason: str) -> None:
        with self._lock:
            if where in self._refused:
                return
            self._refused[where] = reason
        print(f"hashfabric: worker {where} gets no job: {reason}", file=sys.stderr, flush=True)


def _pause() -> None:
    """Wait a moment; `Stop` where the session ends."""
    go_on()
    time.sleep(_POLL_S)


####################
# On a worker      #
####################


def _versions_there(tools: Sequence[Tool]) -> dict[str, str] | str:
    """Return the versions of the tools on a worker, of those that it has; or why none is known."""
    found = {"hashfabric": release()}
    try:
        for tool in tools:
            with suppress(LabError):
                found[tool.name] = tool.version()
    except OSError as error:
        return _reason(error)
    return found


def _work(
    order: RemoteOrder, tools: Sequence[Tool], wanted: Mapping[str, str]
) -> tuple[str, str, Any]:
    """Do a job on a worker, with its cache; return what became of it, and the worker's address."""
    where = get_worker().address
    own = _versions_there(tools)
    if isinstance(own, str):
        return _REFUSED, where, own
    if own != dict(wanted):
        return _REFUSED, where, f"has {own}, not {dict(wanted)}"
    try:
        with tempfile.TemporaryDirectory(
            prefix="hashfabric-", ignore_cleanup_errors=True
        ) as scratch:
            job = order.do(Cache(BUILD / "cache"), Path(scratch))
            return _DONE, where, Finished(job.result, _files(job), job.seconds)
    except DiskFull as error:
        return _REFUSED, where, str(error)
    except OSError as error:
        return _REFUSED, where, _reason(error)
    except LabError as error:
        return _FAILED, where, error


def _reason(error: OSError) -> str:
    """Return what an error of the system says, with its file where it has one."""
    said = error.strerror or str(error)
    return said if error.filename is None else f"{error.filename}: {said}"


def _files(job: Job) -> dict[str, bytes]:
    paths = (path for path in sorted(job.directory.rglob("*")) if path.is_file())
    return {path.relative_to(job.directory).as_posix(): path.read_bytes() for path in paths}
