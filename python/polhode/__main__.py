"""`python -m polhode`: the command."""

import sys

from . import _polhode
from ._progress import without_desktop


def main() -> int:
    with without_desktop():
        return _polhode.command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
