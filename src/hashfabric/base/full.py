"""Full disks: whether one made a job fail, and room for a tool to report it."""

import ctypes
import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

_SAID = os.strerror(errno.ENOSPC)
_LEAST = 1 << 20  # bytes free; with less, a tool that gives no reason failed for lack of space
_RESERVE = 1 << 16
_KEEP_SIZE = 1  # FALLOC_FL_KEEP_SIZE of linux/falloc.h


def is_full(error: Exception, directory: Path) -> bool:
    """Return whether a full disk caused `error` of a job in `directory`.

    Some tools report it only in their log, and some not at all.
    """
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    if shutil.disk_usage(directory).free < _LEAST:
        return True
    logs = (path.read_text(encoding="utf-8", errors="replace") for path in directory.glob("*.log"))
    return any(_SAID in text for text in (str(error), *logs))


@contextmanager
def room_for_complaints(log: IO[bytes]) -> Iterator[None]:
    """Keep room for a log while a tool fills the disk with other files; `OSError` if it is full."""
    with suppress(AttributeError):  # A C library without it.
        fallocate = ctypes.CDLL(None, use_errno=True).fallocate
        fallocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
        failed = fallocate(log.fileno(), _KEEP_SIZE, 0, _RESERVE) != 0
        if failed and ctypes.get_errno() == errno.ENOSPC:
            raise OSError(errno.ENOSPC, _SAID, log.name)
    try:
        yield
    finally:
        os.truncate(log.fileno(), os.fstat(log.fileno()).st_size)
