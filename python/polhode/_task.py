"""The command as a task: it ends when its standard input does, and so with the process that started it."""

import os
import sys
import threading

from .__main__ import main


def _end_with_parent() -> None:
    # Not by `sys.stdin`: its lock, held by this thread, makes the interpreter abort as it ends.
    while os.read(0, 4096):
        pass
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.exit(main())
