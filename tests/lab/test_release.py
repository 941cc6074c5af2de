"""Which version a checkout is, and what the release script refuses."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from hashfabric.base import version
from hashfabric.base.paths import ROOT

SCRIPT = ROOT / "tools" / "release.sh"
PROJECT = 'version = "0.1.0"\n'
CHANGES = "# Changelog\n\n## 0.1.0 - 2026-01-31\n"


def git(folder: Path, *args: str) -> str:
    """Run git in `folder`."""
    own = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", *own, *args], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with the script, a version and a changelog, committed on main."""
    (tmp_path / "tools").mkdir()
    shutil.copy(SCRIPT, tmp_path / "tools")
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(CHANGES, encoding="utf-8")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def test_the_version_of_a_checkout(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number at the release's tag; else with the commit; and whether files differ."""
    monkeypatch.setattr(version, "ROOT", checkout)
    monkeypatch.setattr(version, "HAS_CHECKOUT", True)

    def found() -> str:
        version.full_version.cache_clear()
        return version.full_version()

    number = version.release()
    commit = git(checkout, "rev-parse", "--short=7", "HEAD")
    assert found() == f"{number}+g{commit}"
    git(checkout, "tag", f"v{number}")
    assert found() == number
    (checkout / "pyproject.toml").write_text("", encoding="utf-8")
    assert found() == f"{number}+g{commit}.dirty"
    shutil.rmtree(checkout / ".git")
    assert found() == number
    version.full_version.cache_clear()


def refused(folder: Path, *args: str) -> str:
    """Return the one line with which the script refuses."""
    done = subprocess.run(
        ["sh", "tools/release.sh", *args], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert not (folder / "build").exists()
    return line


def test_what_is_not_true_is_refused(checkout: Path) -> None:
    """Before anything runs or is written."""
    assert refused(checkout) == "release: usage: tools/release.sh VERSION"
    assert "another version" in refused(checkout, "0.2.0")
    (checkout / "new").touch()
    assert "not clean" in refused(checkout, "0.1.0")
    (checkout / "new").unlink()
    for text, complaint in (
        ("# Changelog\n\n## 0.1.0\n", "no section"),
        (f"{CHANGES}\n## Unreleased\n", "section Unreleased"),
    ):
        (checkout / "CHANGELOG.md").write_text(text, encoding="utf-8")
        git(checkout, "commit", "-qam", "changes")
        assert complaint in refused(checkout, "0.1.0")
    (checkout / "CHANGELOG.md").write_text(CHANGES, encoding="utf-8")
    git(checkout, "commit", "-qam", "true again")
    assert "the tag v0.1.0 is not at this commit" in refused(checkout, "0.1.0")
    git(checkout, "switch", "-qc", "other")
    assert "not the one of branch main" in refused(checkout, "0.1.0")


def sections(changelog: str) -> list[str]:
    """Return the versions that have a dated section, in the order of the file."""
    return re.findall(r"^## (\S+) - \d{4}-\d{2}-\d{2}$", changelog, re.MULTILINE)


def test_the_changelog_has_this_version() -> None:
    """A dated section, the newest one; what is not released yet is in front of it."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    with (ROOT / "pyproject.toml").open("rb") as file:
        number = tomllib.load(file)["project"]["version"]
    assert sections(text)[0] == number
    assert text.find("\n## Unreleased\n") < text.index(f"\n## {number} - ")


@pytest.mark.parametrize(
    ("changelog", "found"),
    [
        (CHANGES, ["0.1.0"]),
        ("# Changelog\n\n## Unreleased\n\n## 0.1.0\n", []),
        (f"{CHANGES}\n## 0.0.9 - soon\n\n## 0.0.8 - 2025-01-31\n", ["0.1.0", "0.0.8"]),
    ],
)
def test_a_section_has_a_date(changelog: str, found: list[str]) -> None:
    """One without a date, or with another word in its place, is none."""
    assert sections(changelog) == found
