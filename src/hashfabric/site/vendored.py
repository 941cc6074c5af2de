"""The scripts of others that the site uses: from npm by a lock with hashes, and from vl-convert.

npm runs no script of a package. Its files are kept in the cache by the content of the lock.
"""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from hashfabric.base.cache import Cache
from hashfabric.base.errors import LabError
from hashfabric.base.progress import step
from hashfabric.base.tools import Tool, ToolError

LOCKED = Path(__file__).parent / "npm"
"""The folder of package.json and of its lock."""

LOCK = "package-lock.json"

FILES = {
    "tabulator.js": "tabulator-tables/dist/js/tabulator.min.js",
    "tabulator.css": "tabulator-tables/dist/css/tabulator_simple.min.css",
    "minisearch.js": "minisearch/dist/umd/index.js",
    "mermaid.js": "@mermaid-js/tiny/dist/mermaid.tiny.js",
}
"""The files that the site uses, by their names there, and their places in node_modules."""

NPM = Tool(
    "npm",
    "npm",
    remedy="install npm (Debian: apt-get install npm), which brings the site's scripts",
)

_COMMENT = re.compile(rb"\n//# sourceMappingURL=.*\n?\Z|\n?/\*# sourceMappingURL=.*?\*/\n?\Z")
_OPTIONS = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")
_LIMIT_S = 300.0


def check_lock(folder: Path = LOCKED) -> str:
    """Return the text of the lock; `LabError` if it is missing, or has a package without a hash."""
    path = folder / LOCK
    try:
        text = path.read_text(encoding="utf-8")
        packages: dict[str, dict[str, Any]] = json.loads(text)["packages"]
        found = {name: entry for name, entry in packages.items() if name}
        bare = [name for name, entry in found.items() if "sha512-" not in entry["integrity"]]
    except OSError as error:
        raise LabError(f"site: {LOCK}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError):
        raise LabError(f"site: {LOCK}: is no lock with a hash for every package") from None
    if bare or not found:
        raise LabError(f"site: {LOCK}: no hash of {', '.join(bare) or 'any package'}")
    return text


def from_npm(cache: Cache, folder: Path = LOCKED) -> dict[str, bytes]:
    """Return the `FILES` by name, installed by npm unless they are in `cache`."""
    lock = check_lock(folder)
    package = (folder / "package.json").read_text(encoding="utf-8")
    inputs = {"job": "npm", "package": package, "lock": lock, "files": FILES}

    def work(directory: Path) -> dict[str, Any]:
        (directory / "package.json").write_text(package, encoding="utf-8")
        (directory / LOCK).write_text(lock, encoding="utf-8")
        with step("npm: the site's scripts", after_s=1):
            try:
                NPM.run(["ci", *_OPTIONS], cwd=directory, log="npm.log", timeout_s=_LIMIT_S)
            except ToolError as error:
                raise LabError(f"site: npm could not install {LOCK}: {error}") from error
        modules = directory / "node_modules"
        for name, place in FILES.items():
            if not (modules / place).is_file():
                raise LabError(f"site: {LOCK}: no file {place} in its packages")
            shutil.copyfile(modules / place, directory / name)
        shutil.rmtree(modules)
        return {}

    job = cache.run(inputs, work)
    return {name: _COMMENT.sub(b"\n", (job.directory / name).read_bytes()) for name in FILES}


def vega() -> bytes:
    """Return Vega, Vega-Lite and Vega-Embed as one script, which defines `vegaEmbed`."""
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    bundle: str = vl_convert.javascript_bundle(vl_version=version)  # type: ignore[call-arg]
    return f"(function () {{\n{bundle}\n}})();\n".encode()
