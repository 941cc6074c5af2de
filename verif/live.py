"""A fixture for tests that run compiled models (hashfabric.simulate): the assertions are live."""

from collections.abc import Iterator

import pytest

from hashfabric import registry, simulate
from hashfabric.registry import Variant
from hashfabric.sources import checked


@pytest.fixture(autouse=True, scope="module")
def assertions() -> Iterator[None]:
    """Put the checkers into the models too; `hashfabric` itself builds them without."""

    def read(variant: Variant) -> dict[str, str]:
        return checked(registry.read_sources(variant))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulate, "read_sources", read)
        yield
