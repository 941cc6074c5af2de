"""Jobs on a real Dask scheduler and workers on loopback: the same rows, losses of every kind."""

import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from distributed import Client

from hashfabric.base.cache import Cache, Job, content_key
from hashfabric.base.errors import Hopeless, LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.progress import Steps
from hashfabric.base.tools import pool
from hashfabric.flows.targets import find_target
from hashfabric.implement import build, jobs
from hashfabric.implement.cluster import Cluster, _versions_there
from hashfabric.registry.designs import find_design
from tests.support.cluster_orders import TOOL, Fault, Nap
from tests.support.commands import fails

pytestmark = pytest.mark.slow

DASK = str(Path(sys.executable).with_name("dask"))
HERE = "127.0.0.1"


class Lan:
    """A scheduler and its workers, each a process of this test."""

    def __init__(self, folder: Path) -> None:
        """Choose a port; start nothing yet."""
        self.folder = folder
        self.running: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind((HERE, 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://{HERE}:{self.port}"

    def _start(self, *arguments: str, **more: str) -> subprocess.Popen[bytes]:
        with (self.folder / "dask.log").open("ab") as log:
            started = subprocess.Popen(
                [DASK, *arguments, "--host", HERE],
                env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", **more},
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )
        self.running.append(started)
        return started

    def scheduler(self) -> subprocess.Popen[bytes]:
        """Start the scheduler, and wait until it listens."""
        started = self._start("scheduler", "--port", str(self.port), "--no-dashboard")
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex((HERE, self.port)) == 0:
                    return started
            time.sleep(0.1)
        raise AssertionError("the scheduler does not listen")

    def worker(self, name: str, version: str = "1.0", **more: str) -> subprocess.Popen[bytes]:
        """Start a worker with a cache of its own, and with a tool of this version."""
        home = self.folder / name
        home.mkdir()
        tool(home, version)
        environment = {
            "WORKER": name,
            "HASHFABRIC_BUILD": str(home / "build"),
            "PATH": f"{home}:{os.environ['PATH']}",
        }
        own = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", name)
        return self._start("worker", self.address, *own, **environment, **more)

    def end(self) -> None:
        """End all that was started."""
        for process in self.running:
            process.kill()
            process.wait()


def tool(folder: Path, version: str) -> None:
    """Write the tool that says its version."""
    (folder / "fake-tool").write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
    (folder / "fake-tool").chmod(0o755)


@pytest.fixture
def lan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lan]:
    """A scheduler; this session has the tool too."""
    tool(tmp_path, "1.0")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    made = Lan(tmp_path)
    made.scheduler()
    yield made
    made.end()


def ask(cluster: Cluster, cache: Cache, order: Nap | Fault) -> Job:
    """Do an order through this session's cache, as the jobs of a build are."""
    inputs = {"order": repr(order)}
    key = content_key(inputs)
    return cache.run(inputs, lambda _: cluster.run(key, lambda: order, [TOOL]))


def naps(lan: Lan, number: int, seconds: float) -> list[Nap]:
    """Orders that note their starts in one file."""
    return [Nap(str(n), seconds, lan.folder / "starts") for n in range(number)]


def starts(lan: Lan) -> list[list[str]]:
    """Which orders started, and on which worker."""
    file = lan.folder / "starts"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return [line.split() for line in text.splitlines()]


def all_of(cluster: Cluster, cache: Cache, orders: list[Nap]) -> list[Future[Job]]:
    """Begin orders, each from a thread of its own."""
    threads = ThreadPoolExecutor(len(orders))
    return [threads.submit(ask, cluster, cache, order) for order in orders]


def check(done: list[Future[Job]]) -> None:
    """Each has its result and its files."""
    for number, future in enumerate(done):
        job = future.result(timeout=100)
        assert job.result == {"name": str(number)}
        assert (job.directory / "inner" / "file").read_text(encoding="utf-8") == str(number)
        assert (job.directory / "log").read_bytes() == b"\0\xff"


def began(lan: Lan, number: int) -> None:
    """Wait until this many orders have started."""
    for _ in range(400):
        if len(starts(lan)) >= number:
            return
        time.sleep(0.1)
    raise AssertionError((lan.folder / "dask.log").read_text(encoding="utf-8"))


def present(cluster: Cluster, number: int) -> None:
    """Wait until this many workers are there."""
    with Client(cluster.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(number, timeout=60)


def test_two_workers_share_the_jobs(lan: Lan, tmp_path: Path) -> None:
    """Both work; nothing is done twice; the second time all is in the session's own cache."""
    lan.worker("a")
    lan.worker("b")
    cache, orders = Cache(tmp_path / "cache"), naps(lan, 6, 0.3)
    with Cluster(lan.address, 30) as cluster:
        assert jobs.elsewhere is cluster
        check(all_of(cluster, cache, orders))
    assert jobs.elsewhere is None
    assert sorted(name for name, _ in starts(lan)) == [order.name for order in orders]
    assert {worker for _, worker in starts(lan)} == {"a", "b"}
    again = Cluster(lan.address, 30)
    assert all(ask(again, cache, order).cached for order in orders)
    assert len(starts(lan)) == 6


def test_a_worker_is_killed(lan: Lan, tmp_path: Path) -> None:
    """Its jobs are done by the other."""
    killed = lan.worker("a")
    lan.worker("b")
    with Cluster(lan.address, 30) as cluster:
        present(cluster, 2)
        done = all_of(cluster, Cache(tmp_path / "cache"), naps(lan, 4, 2))
        began(lan, 2)
        killed.kill()
        check(done)
    assert "b" in {worker for _, worker in starts(lan)}


def test_the_scheduler_is_lost_and_comes_back(lan: Lan, tmp_path: Path) -> None:
    """What was done stays; the rest is asked for again."""
    lan.worker("a")
    cache = Cache(tmp_path / "cache")
    with Cluster(lan.address, 60) as cluster:
        done = all_of(cluster, cache, naps(lan, 3, 1))
        began(lan, 2)
        lan.end()
        time.sleep(1)
        lan.scheduler()
        lan.worker("b")
        check(done)
    assert starts(lan)[-1][1] == "b"


def test_a_worker_with_other_versions_gets_no_job(
    lan: Lan, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A line says so once; without another worker it is an error after a while."""
    lan.worker("old", version="0.9")
    with Cluster(lan.address, 6) as cluster:
        with pytest.raises(LabError, match=r"no worker .* the job \(.*fake 0\.9, not 1\.0"):
            ask(cluster, Cache(tmp_path / "cache"), naps(lan, 1, 0)[0])
        lan.worker("new")
        check(all_of(cluster, Cache(tmp_path / "cache"), naps(lan, 3, 0.1)))
    assert {worker for _, worker in starts(lan)} == {"new"}
    assert capfd.readouterr().err.count("gets no job: fake 0.9, not 1.0\n") == 1


def test_a_worker_with_a_full_disk_gets_no_more(
    lan: Lan, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The other does its jobs."""
    lan.worker("full", DISK_IS_FULL="1")
    with Cluster(lan.address, 60) as cluster:
        done = all_of(cluster, Cache(tmp_path / "cache"), naps(lan, 3, 0.1))
        began(lan, 1)
        lan.worker("free")
        check(done)
    assert [worker for _, worker in starts(lan)].count("free") == 3
    assert capfd.readouterr().err.count("no space left on device\n") == 1


def test_inputs_that_cannot_be_read(lan: Lan) -> None:
    """That is the session's error, not a loss of the scheduler."""
    lan.worker("a")

    def order() -> Nap:
        raise FileNotFoundError(errno.ENOENT, "no such file", "netlist.json")

    with Cluster(lan.address, 20) as cluster, pool(1) as threads:
        job = threads.submit(cluster.run, "key", order, [TOOL])
        with pytest.raises(FileNotFoundError, match=r"netlist\.json"):
            job.result(timeout=20)


def test_a_worker_without_temporary_files_gets_no_more(
    lan: Lan, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A line says so, once; another does its jobs."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    lan.worker("a", TMPDIR=str(temporary))
    cache = Cache(tmp_path / "cache")
    with Cluster(lan.address, 30) as cluster:
        ask(cluster, cache, Nap("first", 0, tmp_path / "starts"))
        shutil.rmtree(temporary)
        done = all_of(cluster, cache, naps(lan, 1, 0))
        time.sleep(2)
        lan.worker("b")
        check(done)
    assert [worker for _, worker in starts(lan)] == ["a", "b"]
    said = capfd.readouterr().err
    assert said.count("gets no job") == 1
    assert f"gets no job: {temporary}/hashfabric-" in said


def test_a_worker_whose_versions_cannot_be_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it says is the reason, not that its connection was lost."""
    tool(tmp_path, "1.0")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    said = _versions_there([replace(TOOL, name="not asked yet")])
    assert isinstance(said, str)
    assert said.endswith(": No such file or directory")


def test_a_connection_that_is_lost_again_and_again(
    lan: Lan, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A line says so; after a few times it is an error."""
    lan.worker("a")

    def lost(*_: object) -> tuple[str, str, object]:
        raise ConnectionError("the scheduler was lost")

    monkeypatch.setattr(Cluster, "_outcome", lost)
    with Cluster(lan.address, 20) as cluster, pool(1) as threads:
        (order,) = naps(lan, 1, 0)
        job = threads.submit(cluster.run, "key", lambda: order, [TOOL])
        with pytest.raises(LabError, match="the scheduler was lost, 4 times during one job"):
            job.result(timeout=30)
    assert capfd.readouterr().err.count("the scheduler was lost: jobs are sent again\n") == 1


def test_a_worker_that_does_not_answer(
    lan: Lan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A session that ends does not wait for it; later a line says so, and others work."""
    monkeypatch.setattr("hashfabric.implement.cluster._ANSWER_S", 4.0)
    silent = lan.worker("a")
    lan.worker("b")
    with Cluster(lan.address, 30) as cluster:
        present(cluster, 2)
        silent.send_signal(signal.SIGSTOP)
        begun = time.monotonic()
        with pytest.raises(ValueError, match="the body"), pool(2) as workers:
            workers.submit(ask, cluster, Cache(tmp_path / "cache"), naps(lan, 1, 0)[0])
            time.sleep(1)
            raise ValueError("the body")
        assert time.monotonic() - begun < 3
        check(all_of(cluster, Cache(tmp_path / "cache"), naps(lan, 1, 0)))
    assert [worker for _, worker in starts(lan)] == ["b"]
    assert capfd.readouterr().err.count("gets no job: no answer within 4 s\n") == 1


def test_no_worker_is_left(lan: Lan, tmp_path: Path) -> None:
    """That ends all further work too; a worker that lacks a tool does not."""
    with Cluster(lan.address, 2) as cluster:
        with pytest.raises(Hopeless, match=r"no worker .* may take the job"):
            ask(cluster, Cache(tmp_path / "cache"), naps(lan, 1, 0)[0])
        lan.worker("old", version="0.9")
        present(cluster, 1)
        with pytest.raises(LabError, match=r"fake 0\.9, not 1\.0") as caught:
            ask(cluster, Cache(tmp_path / "cache"), naps(lan, 1, 0)[0])
        assert not isinstance(caught.value, Hopeless)


def test_a_lost_scheduler_is_given_up_once(lan: Lan, tmp_path: Path) -> None:
    """All threads end when the first one gives up, and no thread of Dask is left by a try."""
    lan.worker("a")
    with Cluster(lan.address, 2) as cluster:
        present(cluster, 1)
        before = threading.active_count()
        done = all_of(cluster, Cache(tmp_path / "cache"), naps(lan, 6, 60))
        began(lan, 1)
        lan.end()
        begun = time.monotonic()
        for job in done:
            with pytest.raises(Hopeless):
                job.result(timeout=60)
        assert time.monotonic() - begun < 10
        assert threading.active_count() <= before + len(done) + 1


def test_a_job_that_fails(lan: Lan, tmp_path: Path) -> None:
    """Its error is the session's; it is not tried again."""
    lan.worker("a")
    with Cluster(lan.address, 30) as cluster, pytest.raises(LabError, match="yosys: see its log"):
        ask(cluster, Cache(tmp_path / "cache"), Fault())


def test_a_session_that_ends_waits_for_nothing(lan: Lan, tmp_path: Path) -> None:
    """As with tools: what fails in a pool ends the waiting of its threads."""
    lan.worker("a")
    begun = time.monotonic()
    with Cluster(lan.address, 30) as cluster:  # noqa: SIM117 - the pool ends first
        with pytest.raises(ValueError, match="the body"), pool(2) as workers:
            workers.submit(ask, cluster, Cache(tmp_path / "cache"), naps(lan, 1, 60)[0])
            began(lan, 1)
            raise ValueError("the body")
    assert time.monotonic() - begun < 40


def test_the_scheduler_is_lost_during_a_long_job(lan: Lan, tmp_path: Path) -> None:
    """One that takes longer than a session has patience: that counts from the loss."""
    lan.worker("a")
    with Cluster(lan.address, 8) as cluster:
        present(cluster, 1)
        done = all_of(cluster, Cache(tmp_path / "cache"), naps(lan, 1, 11))
        began(lan, 1)
        time.sleep(9)
        lan.end()
        lan.scheduler()
        lan.worker("b")
        check(done)
    assert [worker for _, worker in starts(lan)] == ["a", "b"]


def test_another_worker_takes_the_place_of_the_only_one(lan: Lan, tmp_path: Path) -> None:
    """It has another address, and is asked then; without one the session gives up."""
    killed = lan.worker("a")
    with Cluster(lan.address, 10) as cluster:
        done = all_of(cluster, Cache(tmp_path / "cache"), naps(lan, 1, 2))
        began(lan, 1)
        killed.kill()
        other = lan.worker("b")
        done[0].result(timeout=40)
        check(done)
        assert [worker for _, worker in starts(lan)] == ["a", "b"]
        (long,) = all_of(cluster, Cache(tmp_path / "cache"), [Nap("1", 60, tmp_path / "starts")])
        began(lan, 3)
        other.kill()
        with pytest.raises(LabError, match=r"no worker .* may take the job"):
            long.result(timeout=40)


def test_workers_that_come_later_take_jobs(lan: Lan, tmp_path: Path) -> None:
    """A run that began with none, or with fewer, uses all."""
    with Cluster(lan.address, 30) as cluster, jobs.threads() as threads:
        cache = Cache(tmp_path / "cache")
        done = [threads.submit(ask, cluster, cache, order) for order in naps(lan, 6, 2)]
        lan.worker("a")
        began(lan, 1)
        lan.worker("b")
        lan.worker("c")
        check(done)
    assert {worker for _, worker in starts(lan)} == {"a", "b", "c"}


def test_a_time_is_that_of_the_worker(lan: Lan, tmp_path: Path) -> None:
    """Waiting for a worker is not counted."""
    lan.worker("a")
    with Cluster(lan.address, 30) as cluster:
        done = all_of(cluster, Cache(tmp_path / "cache"), naps(lan, 3, 5))
        times = [future.result(timeout=60).seconds for future in done]
    assert all(seconds is not None and 5 <= seconds < 10 for seconds in times), times


def test_a_job_that_runs_is_found_again(lan: Lan, tmp_path: Path) -> None:
    """After its session has ended: it is not begun again, by whichever worker."""
    lan.worker("a")
    order = Nap("0", 0, lan.folder / "starts", until=tmp_path / "go")
    with Cluster(lan.address, 30) as cluster:
        present(cluster, 1)
        with pytest.raises(ValueError, match="the body"), pool(2) as workers:
            workers.submit(ask, cluster, Cache(tmp_path / "cache"), order)
            began(lan, 1)
            raise ValueError("the body")
    lan.worker("b")
    with Cluster(lan.address, 30) as cluster:
        present(cluster, 2)
        done = all_of(cluster, Cache(tmp_path / "cache"), [order])
        time.sleep(5)
        (tmp_path / "go").touch()
        check(done)
    assert starts(lan) == [["0", "a"]]


def test_no_scheduler(toy_root: Path) -> None:
    """One line, from the command too."""
    options = ("--no-simulator", "--design", "toy", "--scheduler", f"tcp://{HERE}:1")
    assert f"--scheduler tcp://{HERE}:1: " in fails(toy_root, "bench", *options)


def test_the_same_rows_as_here(lan: Lan, tmp_path: Path) -> None:
    """A small engine, synthesised and routed by two workers and by this session."""
    lan.worker("a")
    lan.worker("b")
    design, target = find_design("keccak-tiny"), find_target("ice40-hx8k")

    def rows(cache: Cache) -> list[dict[str, object]]:
        with Steps(quiet=True) as steps:
            builder = build.Builder(design, target, steps, cache, own=build.Own({}, None))
            found = build.build(builder, seeds=[1, 2], variants=["core"])
        shown = [row.model_dump() for row in found]
        for row in shown:
            row["provenance"].pop("seconds", None)
        return shown

    with Cluster(lan.address, 120):
        theirs = rows(Cache(tmp_path / "theirs"))
    assert theirs == rows(Cache(tmp_path / "ours"))
    there = [path for name in "ab" for path in (tmp_path / name / "build").rglob("*.json")]
    assert len(there) >= 4
