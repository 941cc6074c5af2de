"""`python -m hashfabric`: the same as the `hashfabric` command."""

import sys

from hashfabric.cli import main

sys.exit(main())
