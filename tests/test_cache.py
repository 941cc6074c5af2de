"""The cache: nothing twice, nothing half-written, no failure kept as a result."""

from pathlib import Path

import pytest

from hashfabric.cache import Cache, Result, content_key, write_atomically
from hashfabric.errors import LabError


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
