"""Do one thing in a process of its own: what a stranger sent may crash, hang or eat memory there."""

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from vision.errors import KibitzError


def apart(function: Callable[..., Any], *arguments: Any, seconds: float) -> Any:
    """What a module's function returns, called in a fresh process.

    Raises the KibitzError that it raises, and `worker_failed` when the process died or took more
    than `seconds`.
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
        pipe.send((None, function(*arguments)))
    except KibitzError as error:
        pipe.send((error.code, dict(error.params)))
    except Exception:  # what it was is of no use to the page; the parent says that it failed
        pipe.close()
