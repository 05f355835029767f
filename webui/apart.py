"""Do one thing in a process of its own: what a stranger sent may crash, hang or eat memory there."""

import multiprocessing
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from vision.errors import KibitzError

_MOST_MEMORY = 8 * 2**30
"""Bytes of address space; reading a photo of 40 million pixels takes less than half of it."""


def apart(function: Callable[..., Any], *arguments: Any, seconds: float) -> Any:
    """What a module's function returns, called in a fresh process.

    Raises the KibitzError that it raises, and `worker_failed` when the process died, took more
    than `seconds`, or (on Linux) more memory than it may.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, function, arguments), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            raise KibitzError("worker_failed")
        error, value = ours.recv()
    except (EOFError, OSError) as gone:
        raise KibitzError("worker_failed") from gone
    finally:
        ours.close()
        process.kill()
        process.join()
        process.close()
    if error is not None:
        raise KibitzError(error, **value)
    return value


def _answer(pipe: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    try:
        if sys.platform == "linux":
            import resource

            with suppress(ValueError):  # the user's own limit is lower
                resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
        pipe.send((None, function(*arguments)))
    except KibitzError as error:
        pipe.send((error.code, dict(error.params)))
    except Exception:  # what it was is of no use to the page; the parent says that it failed
        pipe.close()
