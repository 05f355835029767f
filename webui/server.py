"""waitress around the application, sized for phones that hang on."""

import socket
import threading
from copy import copy
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import BaseWSGIServer, create_server
from waitress.task import Task, ThreadedTaskDispatcher

from vision.errors import KibitzError
from webui.crowd import SPARE_THREADS, STREAM_CAP, WAIT_CAP
from webui.live import BEAT_S
from webui.security import MAX_BODY, body_limit

_VANISHED_MS = 10_000


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; `port` 0 takes a free one. Raises KibitzError `port_in_use`,
    `port_forbidden` or `address_unusable`."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except PermissionError as error:
        listener.close()
        raise KibitzError("port_forbidden", port=port) from error
    except OSError as error:
        listener.close()
        raise KibitzError("port_in_use", port=port, next=port + 1) from error
    return listener


class _Growing(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Starts threads as they are needed: three phones need a dozen, a full house three hundred."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def add_task(self, task: Task) -> None:
        with self.lock:
            if not self._most:  # going down: a page that asks now comes too late
                task.cancel()
                return
            self.queue.append(task)
            self.queue_cv.notify()
            needed = self.active_count + len(self.queue)
            running = len(self.threads) - self.stop_count
        if needed > running:
            self.set_thread_count(max(running, min(self._most, needed + SPARE_THREADS)))

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        with self.lock:
            self._most = 0
            while self.queue:
                self.queue.popleft().cancel()
        return bool(super().shutdown(cancel_pending, timeout))


def _channel(app: Flask) -> type[HTTPChannel]:
    """waitress' connection, which takes larger bodies where `body_limit` says so."""

    class Parser(HTTPRequestParser):  # type: ignore[misc]
        def parse_header(self, header_plus: bytes) -> None:
            super().parse_header(header_plus)
            limit = body_limit(app, self.path, self.headers.get("COOKIE", ""))
            if limit > MAX_BODY:
                larger = copy(self.adj)
                larger.max_request_body_size = limit + 1
                self.adj: Any = larger

    class Channel(HTTPChannel):  # type: ignore[misc]
        parser_class = Parser

    return Channel


class Server:
    """Serves `app` on `listener` in threads of its own until `close`."""

    def __init__(self, app: Flask, listener: socket.socket) -> None:
        self._connections: dict[int, Any] = {}
        self._server: BaseWSGIServer = create_server(
            app,
            map=self._connections,
            sockets=[listener],
            threads=1,
            connection_limit=4 * (STREAM_CAP + WAIT_CAP),
            backlog=256,
            channel_request_lookahead=1,  # keeps reading, so that a closed stream is noticed
            outbuf_high_watermark=256 * 1024,  # a slow phone blocks its own thread, not memory
            max_request_body_size=2 * MAX_BODY,
            ident=None,
        )
        self._server.channel_class = _channel(app)
        self._server.task_dispatcher.shutdown()
        self._server.task_dispatcher = _Growing(STREAM_CAP + WAIT_CAP + SPARE_THREADS)
        options = list(self._server.adj.socket_options)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # a phone that left the Wi-Fi says nothing: give its thread back when nothing is acked
            options.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _VANISHED_MS))
        self._server.adj.socket_options = options
        self._ending = False
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def join(self, timeout: float | None = None) -> None:
        self._thread.join(timeout)

    def _run(self) -> None:
        while not self._ending:
            # poll(): select() ends at 1024 descriptors
            wasyncore.loop(timeout=1, map=self._connections, use_poll=True, count=1)

    def close(self) -> None:
        """End the threads, then close every connection; what waits must have been told before."""
        self._server.task_dispatcher.shutdown(timeout=2 * BEAT_S)
        self._ending = True
        if self._thread.is_alive():
            self._server.trigger.pull_trigger()
            self._thread.join()
        # Only now, when no other thread can write to a trigger whose descriptor is gone.
        wasyncore.close_all(self._connections)
