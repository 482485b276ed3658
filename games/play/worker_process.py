"""Entry point of the worker process, which reads requests from a pipe and sends replies on it.

It has no settings, database, secrets or Django setup. It ends when the pipe is closed, and thus
also when its parent process ends for any reason.
"""

from __future__ import annotations

import json
import os
import pkgutil
import signal
import sys
import traceback
from multiprocessing.connection import Connection
from typing import Final

# Everything else on the machine has priority.
NICE: Final = 10
# The first byte of a reply is its type.
BYTES, JSON, ERROR = b"B", b"J", b"E"


def main(pipe: int) -> None:
    """Answer each request, a JSON list (function, arguments, seconds), until the pipe is closed."""
    os.nice(NICE)
    for ignored in (signal.SIGINT, signal.SIGTERM):  # sent to all processes of a service
        signal.signal(ignored, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which ends this process
    with Connection(pipe) as connection:
        while True:
            try:
                task, args, seconds = json.loads(connection.recv_bytes())
                signal.setitimer(signal.ITIMER_REAL, seconds)
                reply = answer(task, args)
                signal.setitimer(signal.ITIMER_REAL, 0)
                connection.send_bytes(reply)
            except (EOFError, OSError):
                return


def answer(task: str, args: list[object]) -> bytes:
    """Call a function, named as "package.module:function", and return its reply as bytes."""
    try:
        result = pkgutil.resolve_name(task)(*args)
        return BYTES + result if isinstance(result, bytes) else JSON + json.dumps(result).encode()
    except Exception as error:  # its text may hold a name or a die
        lines = "".join(traceback.format_tb(error.__traceback__)).strip()
        return ERROR + f"{type(error).__name__}\n{lines}".encode()


if __name__ == "__main__":
    main(int(sys.argv[1]))
