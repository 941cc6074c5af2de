"""A fixture for tests that run compiled models (hashfabric.simulate): the assertions are live."""

from collections.abc import Iterator

import pytest

from hashfabric.registry import designs
from hashfabric.registry.designs import Variant
from hashfabric.registry.sources import checked
from hashfabric.simulate import library


@pytest.fixture(autouse=True, scope="module")
def assertions() -> Iterator[None]:
    """Put the checkers into the models too; `hashfabric` itself builds them without."""

    def read(variant: Variant) -> dict[str, str]:
        return checked(designs.read_sources(variant))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "read_sources", read)
        yield
