"""The process of the worker: computes what it is sent on a pipe, and answers on the same.

It knows no settings, no database and no secret, and nothing of Django is set up in it. It ends when
the pipe is closed, so also with the process that started it, however that ends.
"""

from __future__ import annotations

import json
import os
import pkgutil
import signal
import sys
import traceback
from multiprocessing.connection import Connection
from typing import Any, Final

# Everything else on the machine comes first.
NICE: Final = 10
# The first byte of an answer says what follows.
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


def answer(task: str, args: list[Any]) -> bytes:
    """The result of a function, named as "package.module:function", in bytes."""
    try:
        result = pkgutil.resolve_name(task)(*args)
        return BYTES + result if isinstance(result, bytes) else JSON + json.dumps(result).encode()
    except Exception as error:  # its text may hold a name or a die
        lines = "".join(traceback.format_tb(error.__traceback__)).strip()
        return ERROR + f"{type(error).__name__}\n{lines}".encode()


if __name__ == "__main__":
    main(int(sys.argv[1]))
