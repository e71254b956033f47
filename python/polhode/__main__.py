"""`python -m polhode`: the command."""

import os
import sys

from . import _polhode


def main() -> int:
    # Loading Vulkan, Mesa looks for a Wayland compositor, and complains where there is no folder of its
    # sockets.
    if sys.platform == "linux":
        os.environ.setdefault("XDG_RUNTIME_DIR", "/dev/null")
    return _polhode.command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
