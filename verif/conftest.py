"""The order of all tests."""

import pytest

FIRST = ("test_slots", "test_stream", "test_regs", "test_array", "test_contract")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with long benches first: two workers end together if what is left last is short."""
    items.sort(key=lambda item: item.path.stem not in FIRST)
