"""`python -m axhub.cli.with_parent PID PROGRAM ARGUMENT…`: become PROGRAM, and be ended when process PID ends.

The children of `axhub run` have sessions of their own, so nothing else would end them if it is killed outright.
Linux has this in prctl(2), PR_SET_PDEATHSIG, and keeps it through execve(2); elsewhere the program just runs.
"""

import ctypes
import os
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def end_with_parent(parent: int) -> None:
    """Have SIGTERM sent to this process when its parent ends; raise SystemExit if `parent` has ended already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM))
    if os.getppid() != parent:
        raise SystemExit(1)


def main(arguments: list[str]) -> None:
    """Bind this process to its parent and become the program."""
    end_with_parent(int(arguments[0]))
    os.execv(arguments[1], arguments[1:])  # noqa: S606 - the program is the one that `axhub run` names


if __name__ == "__main__":
    main(sys.argv[1:])
