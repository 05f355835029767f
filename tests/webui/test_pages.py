"""The pages' files: compressed for those who take it, kept by the browser, asked for again by their tag."""

import gzip

import pytest
from serving import PAGE, TableServer

FILES = (PAGE, "/static/main.js", "/static/page.css", "/static/icon.svg", "/locales/zh-Hans.json")


@pytest.mark.parametrize("path", FILES)
def test_texts_are_compressed_where_that_is_accepted(table: TableServer, path: str) -> None:
    status, headers, plain = table.stranger().get(path)
    assert (status, headers["Content-Encoding"]) == (200, None)
    status, headers, packed = table.stranger().get(path, **{"Accept-Encoding": "gzip, deflate"})
    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    assert gzip.decompress(packed) == plain
    assert len(packed) == int(headers["Content-Length"]) < len(plain)
    assert "Accept-Encoding" in headers["Vary"]


@pytest.mark.parametrize("path", FILES[1:])
@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_a_file_that_has_not_changed_is_not_sent_again(table: TableServer, path: str, encoding: str) -> None:
    visitor = table.stranger()
    _, headers, _ = visitor.get(path, **{"Accept-Encoding": encoding})
    tag = headers["ETag"]
    status, _, body = visitor.get(path, **{"Accept-Encoding": encoding, "If-None-Match": tag})
    assert (status, body) == (304, b"")


def test_nothing_beside_texts_is_compressed(table: TableServer) -> None:
    table.room.pictures.put(b"a picture " * 100)
    guest = table.guest()
    for path in (f"{guest.api}/picture", "/api/me"):
        assert guest.get(path, **{"Accept-Encoding": "gzip"})[1]["Content-Encoding"] is None
