"""The `hashfabric` command, and `python -m hashfabric`: it can be stopped from its first moment."""

import sys

from hashfabric.base import stopping
from hashfabric.base.errors import Stop


def main() -> int:
    """Run the command line; return the exit status: 128 and the signal when it was stopped."""
    try:
        stopping.listen()
        from hashfabric.commands import cli  # noqa: PLC0415 - slow: it can be stopped too

        return cli.main()
    except Stop as stop:
        print("hashfabric: stopped", file=sys.stderr, flush=True)
        return 128 + stop.number
    finally:
        stopping.end()


if __name__ == "__main__":
    sys.exit(main())
