"""Shapes of tkeep, right and wrong, for benches that cut beats into parts."""

import random


def is_wrong(keep: int, last: bool, full: int) -> bool:
    """Return whether a port where `full` is every byte refuses it: a hole, or short too early."""
    return bool(keep & (keep + 1)) or (not last and keep != full)


def random_keep(rng: random.Random, width: int, parts: int) -> int:
    """Return any tkeep of `parts` parts of `width` bytes; what lies at their edges is frequent."""
    full = (1 << width) - 1
    kind = rng.randrange(3)
    if kind == 0:
        return (1 << rng.randrange(parts * width + 1)) - 1
    if kind == 1:
        return (1 << parts * width) - 1
    shapes = (0, full, full >> 1, 1, full ^ 1, full ^ 2, rng.getrandbits(width))
    return sum(rng.choice(shapes) << width * i for i in range(parts))
