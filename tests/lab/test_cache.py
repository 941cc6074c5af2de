"""The cache: nothing twice, nothing half-written, no failure kept as a result."""

import errno
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hashfabric.base import pruning
from hashfabric.base.cache import (
    USES,
    Cache,
    Result,
    content_key,
    move_into_place,
    replace_files,
    use_byte,
    write_atomically,
)
from hashfabric.base.errors import LabError
from hashfabric.base.paths import ROOT
from hashfabric.base.pruning import bytes_of, entries, prune, seconds_of, size_text


def names(directory: Path) -> set[str]:
    """Return what is in a cache beside the file of locks."""
    return {path.name for path in directory.iterdir()} - {USES}


def test_the_second_run_does_no_work(tmp_path: Path) -> None:
    """The same inputs are worked once; other inputs again."""
    cache = Cache(tmp_path / "cache")
    calls = []

    def work(directory: Path) -> Result:
        calls.append(directory)
        (directory / "artefact").write_text("x", encoding="utf-8")
        return {"value": len(calls)}

    first = cache.run({"seed": 1}, work)
    second = cache.run({"seed": 1}, work)
    other = cache.run({"seed": 2}, work)
    assert [first.cached, second.cached, other.cached] == [False, True, False]
    assert (first.result, second.result, other.result) == ({"value": 1}, {"value": 1}, {"value": 2})
    assert (second.directory / "artefact").read_text(encoding="utf-8") == "x"
    assert len(calls) == 2


def test_a_record_says_how_long_it_took(tmp_path: Path) -> None:
    """And of what kind of job it is; the inputs themselves may be large, and are not kept."""
    cache = Cache(tmp_path)
    inputs = {"job": "route", "command": "nextpnr", "flow": 1, "files": {"a": "module a;"}}

    def work(directory: Path) -> Result:
        time.sleep(0.05)
        return {"n": 1}

    first, second = cache.run(inputs, work), cache.run(inputs, work)
    assert (first.cached, second.cached) == (False, True)
    assert first.seconds is not None and 0.05 <= first.seconds < 10
    assert (first.seconds, first.about) == (second.seconds, second.about)
    assert first.about == {"job": "route", "command": "nextpnr"}
    (tmp_path / f"{'0' * 64}.json").write_text('{"result": {}}', encoding="utf-8")  # An older one.
    (tmp_path / f"{'1' * 64}.json").write_text("no record", encoding="utf-8")
    ((key, record),) = cache.records()
    assert (key, record["seconds"], record["result"]) == (first.key, first.seconds, {"n": 1})


def test_lost_artefacts_are_made_again(tmp_path: Path) -> None:
    """A result without its directory is no result."""
    cache = Cache(tmp_path)
    job = cache.run({"a": 1}, lambda directory: {"n": 1})
    job.directory.rmdir()
    assert not cache.run({"a": 1}, lambda directory: {"n": 2}).cached


def test_a_failure_is_not_cached_and_its_log_is_kept(tmp_path: Path) -> None:
    """The message names the log where it is in the end."""
    cache = Cache(tmp_path)

    def fail(directory: Path) -> Result:
        (directory / "tool.log").write_text("why", encoding="utf-8")
        raise LabError(f"tool: failed: see {directory}/tool.log")

    with pytest.raises(LabError) as caught:
        cache.run({"a": 1}, fail)
    log = Path(str(caught.value).rpartition("see ")[2])
    assert log.read_text(encoding="utf-8") == "why"
    assert list(tmp_path.glob("*.json")) == []
    assert cache.run({"a": 1}, lambda directory: {}).cached is False


def test_an_interruption_leaves_nothing(tmp_path: Path) -> None:
    """No directory and no result remain of a job that was stopped."""

    def stopped(directory: Path) -> Result:
        (directory / "half").write_text("x", encoding="utf-8")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Cache(tmp_path).run({"a": 1}, stopped)
    assert names(tmp_path) == set()


####################
# Damage           #
####################

DEEP = b"[" * 100_000


def _change(path: Path) -> None:
    """Change one byte, and not the length: what a power cut leaves may look whole."""
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def _become_a_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _become_a_file(path: Path) -> None:
    shutil.rmtree(path)
    path.touch()


DAMAGES: dict[str, Callable[[Path, Path], object]] = {
    "empty": lambda record, home: record.write_bytes(b""),
    "cut off": lambda record, home: record.write_bytes(record.read_bytes()[:-10]),
    "not UTF-8": lambda record, home: record.write_bytes(b'{"n": "\xff\xfe"}'),
    "zeros": lambda record, home: record.write_bytes(bytes(100)),
    "a list": lambda record, home: record.write_bytes(b"[]"),
    "a number": lambda record, home: record.write_bytes(b"1"),
    "of another shape": lambda record, home: record.write_bytes(b'{"n": 1}'),
    "deep": lambda record, home: record.write_bytes(DEEP),
    "another result": lambda record, home: record.write_bytes(
        record.read_bytes().replace(b'"n": 1', b'"n": 7')
    ),
    "a directory": lambda record, home: _become_a_directory(record),
    "no artefact": lambda record, home: (home / "sub" / "model.so").unlink(),
    "cut artefact": lambda record, home: (home / "sub" / "model.so").write_bytes(b""),
    "changed artefact": lambda record, home: _change(home / "sub" / "model.so"),
    "no directory": lambda record, home: shutil.rmtree(home),
    "a file for it": lambda record, home: _become_a_file(home),
}


def library(directory: Path) -> Result:
    """Make one artefact."""
    (directory / "sub").mkdir()
    (directory / "sub" / "model.so").write_bytes(b"library")
    return {"n": 1}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_is_damaged_is_made_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[Path, Path], object]
) -> None:
    """With one line on standard error; after that it is there as ever, and nothing else is."""
    cache = Cache(tmp_path / "cache")
    whole = cache.run({"a": 1}, library)
    record = cache.directory / f"{whole.key}.json"
    damage(record, whole.directory)
    again = cache.run({"a": 1}, library)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("hashfabric: ")
    assert err.endswith(": making it again\n")
    assert err.count("\n") == 1
    assert whole.key[:16] in err
    assert not again.cached
    assert again.result == {"n": 1}
    assert (again.directory / "sub" / "model.so").read_bytes() == b"library"
    assert cache.run({"a": 1}, library).cached
    assert names(cache.directory) == {record.name, whole.key}
    assert capsys.readouterr() == ("", "")


def test_what_was_never_finished_is_made_without_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A directory without its record: a session was killed between the two."""
    cache = Cache(tmp_path)
    job = cache.run({"a": 1}, library)
    (tmp_path / f"{job.key}.json").unlink()
    (job.directory / "sub" / "model.so").write_bytes(b"old")
    assert not cache.run({"a": 1}, library).cached
    assert (job.directory / "sub" / "model.so").read_bytes() == b"library"
    assert cache.run({"a": 1}, library).cached
    assert capsys.readouterr() == ("", "")


def test_many_find_the_same_damage(tmp_path: Path) -> None:
    """Each gets the whole job, whoever makes it again; none takes another's away."""
    cache = Cache(tmp_path)

    def session(_: int) -> bytes:
        job = Cache(tmp_path).run({"a": 1}, library)
        return (job.directory / "sub" / "model.so").read_bytes()

    for damage in ("cut artefact", "empty", "no directory", "a list"):
        job = cache.run({"a": 1}, library)
        DAMAGES[damage](tmp_path / f"{job.key}.json", job.directory)
        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(session, range(40))) == {b"library"}
    assert names(tmp_path) == {job.key, f"{job.key}.json"}


def test_a_result_is_the_same_from_the_cache(tmp_path: Path) -> None:
    """Also where JSON has no such type."""
    cache = Cache(tmp_path)
    first = cache.run({"a": 1}, lambda directory: {"clocks": {2: 1.5, 10: 2.5}, "pair": (1, 2)})
    again = cache.run({"a": 1}, library)
    assert again.cached
    assert first.result == again.result == {"clocks": {"2": 1.5, "10": 2.5}, "pair": [1, 2]}


def test_a_directory_is_replaced_whole(tmp_path: Path) -> None:
    """Nothing of the old one is left in the new one or beside it."""
    new, old = tmp_path / "new", tmp_path / "old"
    for path in (new, old):
        path.mkdir()
        (path / path.name).touch()
    move_into_place(new, old)
    assert [path.name for path in old.iterdir()] == ["new"]
    assert list(tmp_path.iterdir()) == [old]


def test_a_directory_that_cannot_be_replaced_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is raised; that another session was first is none."""
    new, old = tmp_path / "new", tmp_path / "old"
    for path in (new, old):
        path.mkdir()
        (path / path.name).touch()
    rename = Path.rename

    def refused(path: Path, target: Path) -> Path:
        if path == new:
            raise OSError(number, os.strerror(number), str(path))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refused)
    number = errno.EACCES
    with pytest.raises(PermissionError):
        move_into_place(new, old)
    assert [path.name for path in old.iterdir()] == ["old"]
    assert sorted(tmp_path.iterdir()) == [new, old]
    number = errno.ENOTEMPTY
    move_into_place(new, old)


def test_keys_do_not_depend_on_order() -> None:
    """The same inputs in another order are the same job; a changed value is not."""
    assert content_key({"a": 1, "b": 2}) == content_key({"b": 2, "a": 1})
    assert content_key({"a": 1, "b": 2}) != content_key({"a": 1, "b": 3})


def test_atomic_write_leaves_no_rest(tmp_path: Path) -> None:
    """The file holds the new text, and nothing else is in the directory."""
    path = tmp_path / "deep" / "file"
    write_atomically(path, "one")
    write_atomically(path, "two")
    assert path.read_text(encoding="utf-8") == "two"
    assert list(path.parent.iterdir()) == [path]


def test_files_are_replaced_all_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that fills changes nothing, and leaves no folder that was not there."""
    folder = tmp_path / "deep" / "folder"
    replace_files(folder, {"a": "1", "sub/b": "2"})
    replace_files(folder, {"a": "3"}, ["a", "sub/b"])
    assert [path.name for path in folder.iterdir()] == ["a"]
    assert (folder / "a").read_text(encoding="utf-8") == "3"
    write_text = Path.write_text

    def full(path: Path, text: str, **options: str) -> int:
        if path.name == "c":
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        return write_text(path, text, **options)

    monkeypatch.setattr(Path, "write_text", full)
    for where in (folder, tmp_path / "other" / "folder"):
        with pytest.raises(OSError, match="No space left"):
            replace_files(where, {"a": "4", "c": "5"}, ["a"])
    assert [path.name for path in folder.iterdir()] == ["a"]
    assert (folder / "a").read_text(encoding="utf-8") == "3"
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]


####################
# Pruning          #
####################


def filled(
    tmp_path: Path, ages: dict[str, float], size: int = 1000
) -> tuple[Cache, dict[str, str]]:
    """Return a cache of jobs of `size` bytes that were used `ages` seconds ago, and their keys."""
    cache, keys = Cache(tmp_path / "cache"), {}

    def work(directory: Path) -> Result:
        (directory / "artefact").write_bytes(bytes(size))
        return {}

    for name, age in ages.items():
        job = cache.run({"name": name}, work)
        keys[name] = job.key
        then = time.time() - age
        os.utime(cache.directory / f"{job.key}.json", (then, then))
    return cache, keys


def left(cache: Cache, keys: dict[str, str]) -> set[str]:
    """Return the jobs that are there, each whole: its record with its directory."""
    there = names(cache.directory)
    assert {name.removesuffix(".json") for name in there} == there & set(keys.values())
    return {name for name, key in keys.items() if key in there}


AGES = {"old": 90 * 86400.0, "older": 100 * 86400.0, "new": 60.0}


def test_what_is_old_is_pruned(tmp_path: Path) -> None:
    """By its last use, and not by when it was made: a use is noted."""
    cache, keys = filled(tmp_path, AGES)
    assert cache.run({"name": "old"}, library).cached
    pruned = prune(cache, seconds_of("30d"), None)
    assert left(cache, keys) == {"old", "new"}
    assert [entry.key for entry in pruned.removed] == [keys["older"]]
    assert not cache.run({"name": "older"}, library).cached
    assert prune(cache, seconds_of("1w"), None).removed == []


def test_what_is_too_much_is_pruned(tmp_path: Path) -> None:
    """The least recently used first, until what is left is small enough."""
    cache, keys = filled(tmp_path, AGES, size=10_000)
    assert prune(cache, None, bytes_of("1M")).removed == []
    pruned = prune(cache, None, bytes_of("25K"))
    assert left(cache, keys) == {"old", "new"}
    assert sum(entry.size for entry in pruned.left) < 25_000
    assert sum(entry.size for entry in pruned.removed) > 10_000
    prune(cache, None, 0)
    assert left(cache, keys) == set()
    assert prune(cache, None, 0).left == prune(Cache(tmp_path / "none"), 0, 0).left == []
    assert not (tmp_path / "none").exists()


def test_logs_of_failures_and_rests_are_pruned(tmp_path: Path) -> None:
    """Logs by their age; what a killed session left, in any case."""
    cache, keys = filled(tmp_path, {"new": 60.0})

    def fail(directory: Path) -> Result:
        (directory / "tool.log").write_text("why", encoding="utf-8")
        raise LabError("failed")

    with pytest.raises(LabError):
        cache.run({"name": "bad"}, fail)
    (log,) = (cache.directory / "failed").iterdir()
    for name in (f".{'a' * 16}.xyz", "b" * 64, f"failed/.{'c' * 16}.xyz"):
        (cache.directory / name).mkdir()
    (cache.directory / f".{'d' * 64}.json.xyz").write_text("{", encoding="utf-8")
    pruned = prune(cache, seconds_of("1d"), None)
    assert [entry.kind for entry in pruned.removed] == ["rest"] * 4
    assert (log / "tool.log").exists()
    os.utime(log, (0, 0))
    assert [entry.kind for entry in prune(cache, seconds_of("1d"), None).removed] == ["failed"]
    (cache.directory / "failed").rmdir()
    assert left(cache, keys) == {"new"}


def test_what_a_session_made_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that comes and goes between the look and the removal: used, made again, finished."""
    cache, keys = filled(tmp_path, {"used": 1000.0, "failed": 0.0, "half": 1000.0})
    logs = cache.directory / "failed" / ("a" * 16)
    logs.mkdir(parents=True)
    (cache.directory / "failed" / "notes").mkdir()
    os.utime(logs, (0, 0))
    record = cache.directory / f"{keys['half']}.json"
    text = record.read_text(encoding="utf-8")
    record.unlink()
    found = entries(cache)
    assert sorted(entry.kind for entry in found) == ["failed", "finished", "finished", "rest"]
    record.write_text(text, encoding="utf-8")
    os.utime(logs)
    os.utime(cache.directory / f"{keys['used']}.json")
    os.utime(cache.directory / f"{keys['failed']}.json", (2e9, 2e9))
    monkeypatch.setattr(pruning, "entries", lambda _: found)
    assert prune(cache, 0, 0).removed == []
    assert logs.is_dir()
    shutil.rmtree(cache.directory / "failed")
    assert left(cache, keys) == set(keys)


SESSION = """\
import sys, time
from pathlib import Path
from hashfabric.base.cache import Cache

def work(directory):
    (directory / "half").write_bytes(bytes(1000))
    print("at work", flush=True)
    sys.stdin.readline()
    return {}

cache = Cache(Path(sys.argv[1]))
assert cache.run({"name": "old"}, None).cached
job = cache.run({"name": "under way"}, work)
print(job.directory.is_dir(), flush=True)
sys.stdin.readline()
"""


def test_what_a_session_uses_is_not_pruned(tmp_path: Path) -> None:
    """Neither a job that it took from the cache nor the one that it works on; until it ends."""
    cache, keys = filled(tmp_path, AGES)
    with subprocess.Popen(
        [sys.executable, "-c", SESSION, str(cache.directory)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as session:
        assert session.stdin is not None and session.stdout is not None
        assert session.stdout.readline() == "at work\n"
        pruned = prune(cache, 0, 0)
        assert {entry.kind for entry in pruned.in_use} == {"finished", "rest"}
        assert len(pruned.in_use) == len(pruned.left) == 2
        assert {entry.key for entry in pruned.removed} == {keys["older"], keys["new"]}
        print(file=session.stdin, flush=True)
        assert session.stdout.readline() == "True\n"
        keys["under way"] = content_key({"name": "under way"})
        assert prune(cache, 0, 0).removed == []
        assert left(cache, keys) == {"old", "under way"}
        print(file=session.stdin, flush=True)
        session.wait(timeout=60)
    assert len(prune(cache, 0, 0).removed) == 2
    assert left(cache, keys) == set()


def test_sessions_and_pruning_at_once(tmp_path: Path) -> None:
    """Each job is whole for whoever asks for it, however often everything is thrown away."""
    program = """\
import os, sys
from pathlib import Path
from hashfabric.base.cache import Cache

def work(directory):
    (directory / "artefact").write_bytes(b"whole")
    return {}

for session in range(100):
    if os.fork() == 0:
        for n in range(10):
            job = Cache(Path(sys.argv[1])).run({"n": n}, work)
            assert (job.directory / "artefact").read_bytes() == b"whole"
        os._exit(0)
    assert os.wait()[1] == 0
print("fine")
"""
    pruner = """\
import sys, time
from pathlib import Path
from hashfabric.base.cache import Cache
from hashfabric.base.pruning import prune

end, count = time.monotonic() + 3, 0
while time.monotonic() < end:
    count += len(prune(Cache(Path(sys.argv[1])), 0, 0).removed)
print(count)
"""
    command = [sys.executable, "-c"]
    running = [
        subprocess.Popen(
            [*command, one, str(tmp_path)],
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for one in (program, program, pruner, pruner)
    ]
    said = [process.communicate(timeout=60) for process in running]
    assert [err for _, err in said] == [""] * 4
    assert [out for out, _ in said[:2]] == ["fine\n"] * 2
    assert sum(int(out) for out, _ in said[2:]) > 0
    prune(Cache(tmp_path), 0, 0)
    assert names(tmp_path) == set()


def test_keys_have_bytes_of_their_own() -> None:
    """Which the kernel can lock."""
    assert use_byte("f" * 64) < 1 << 63
    assert use_byte("0" * 14 + "1" + "f" * 49) == 1


def test_ages_and_sizes() -> None:
    """Units as other tools have them; what has none is refused, and says so."""
    assert [seconds_of(text) for text in ("90s", "1.5h", "30d", "2w")] == [
        *(90, 5400, 30 * 86400, 14 * 86400)
    ]
    assert [bytes_of(text) for text in ("5G", "0K", "1.5MiB", "2TB")] == [
        *(5e9, 0, 1.5 * 1024**2, 2e12)
    ]
    for text in ("", "30", "d", "-1d", "1e3d", "30 d", "30D", "3x", "٣d"):
        with pytest.raises(LabError, match=r"--older-than .*: must be a number and s, m"):
            seconds_of(text)
    for text in ("", "5", "G", "-5G", "5g", "5KB ", "B", "5GiBB"):
        with pytest.raises(LabError, match=r"--max-size .*: must be a number and K, Ki,"):
            bytes_of(text)
    said = [size_text(size) for size in (0, 999, 1000, 73_669_171, 5e9, 2e15)]
    assert said == ["0 B", "999 B", "1.0 kB", "73.7 MB", "5.0 GB", "2000.0 TB"]


def test_what_is_in_the_cache(tmp_path: Path) -> None:
    """The least recently used first, with its size."""
    cache, keys = filled(tmp_path, AGES)
    assert [entry.key for entry in entries(cache)] == [keys[n] for n in ("older", "old", "new")]
    assert all(1000 < entry.size < 2000 for entry in entries(cache))
