"""The cache: nothing twice, nothing half-written, no failure kept as a result."""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hashfabric.base.cache import Cache, Result, content_key, move_into_place, write_atomically
from hashfabric.base.errors import LabError


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
    assert list(tmp_path.iterdir()) == []


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
    assert set(cache.directory.iterdir()) == {record, whole.directory}
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
    assert {path.name for path in tmp_path.iterdir()} == {job.key, f"{job.key}.json"}


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
