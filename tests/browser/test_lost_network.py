"""A network that swallows everything without a word, as Wi-Fi does when a phone walks out of it and back."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import cv2
import numpy as np
import pytest
from browser_pages import OpenPage
from playwright.sync_api import expect
from serving import GAME, PAGE, TableServer


class Wifi:
    """Carries connections to a port until they are `lost`: then what is open stays open and is silent
    for ever. New connections are silent too until the network is `back`."""

    def __init__(self, to_port: int) -> None:
        self._to = to_port
        self._lost = False
        self._dead: set[int] = set()
        self._open: dict[int, tuple[socket.socket, socket.socket | None]] = {}
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def lose(self) -> None:
        self._lost = True
        self._dead |= set(self._open)

    def come_back(self) -> None:
        self._lost = False

    def close(self) -> None:
        for one in (self._listener, *(side for pair in self._open.values() for side in pair if side)):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        number = 0
        with suppress(OSError):
            while True:
                phone, _ = self._listener.accept()
                number += 1
                if self._lost:
                    self._dead.add(number)
                    self._open[number] = (phone, None)
                    continue
                server = socket.create_connection(("127.0.0.1", self._to))
                self._open[number] = (phone, server)
                for source, sink in ((phone, server), (server, phone)):
                    threading.Thread(target=self._carry, args=(number, source, sink), daemon=True).start()

    def _carry(self, number: int, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if number in self._dead:
                    return
                sink.sendall(data)
        if number not in self._dead:
            for one in (source, sink):
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def wifi(table: TableServer) -> Iterator[Wifi]:
    network = Wifi(table.port)
    yield network
    network.close()


def test_a_phone_that_walked_out_of_the_network_and_back_misses_nothing(
    table: TableServer, wifi: Wifi, open_page: OpenPage
) -> None:
    address = f"http://127.0.0.1:{wifi.port}{PAGE}#join={table.door.guest_code()[0]}"
    page = open_page(address, allow=("ERR_", "Canvas2D"))
    table.room.pictures.put(_picture(60))
    table.play(2)
    expect(page.locator("#story .entry")).to_have_count(2)
    expect(page.locator("#picture.drawn")).to_be_visible()
    wifi.lose()
    for line in GAME[2:]:
        table.room.add(line)
    expect(page.locator("#link")).to_contain_text("Not up to date", timeout=30_000)
    wifi.come_back()
    expect(page.locator("#story .entry")).to_have_count(len(GAME), timeout=60_000)
    expect(page.locator("#link")).to_have_text("Live")
    ids = page.evaluate("[...document.querySelectorAll('#story > [data-id]')].map((li) => +li.dataset.id)")
    assert ids[::-1] == [event.id for event in table.room.events]
    table.room.pictures.put(_picture(200))
    page.wait_for_function(f"() => ({GREEN})() > 150", timeout=60_000)
    page.context.close()


GREEN = """() => document.getElementById("picture").getContext("2d").getImageData(5, 5, 1, 1).data[1]"""


def _picture(green: int) -> bytes:
    return cv2.imencode(".jpg", np.full((48, 64, 3), (20, green, 20), np.uint8))[1].tobytes()
