"""Where the rooms of the house are."""

import os
from pathlib import Path

ROOT = Path(os.environ.get("HASHFABRIC_ROOT") or Path(__file__).resolve().parents[3]).absolute()
"""The checkout that holds rtl/, designs/, papers/, targets/ and results/."""

BUILD = ROOT / "build"
"""Everything that can be made again; not in git."""
