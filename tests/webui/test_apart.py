"""What a stranger sent is worked through in a process of its own: it may fail, die or hang there."""

import os
import sys
import time
from pathlib import Path

import pytest

from vision.errors import KibitzError
from vision.photo import read_photo
from webui.apart import apart


def test_the_answer_comes_back() -> None:
    assert apart(os.getpid, seconds=60) != os.getpid()
    assert apart(divmod, 17, 5, seconds=60) == (3, 2)


def test_an_error_for_the_user_comes_back_as_such(tmp_path: Path) -> None:
    with pytest.raises(KibitzError) as caught:
        apart(read_photo, tmp_path / "none.jpg", seconds=60)
    assert (caught.value.code, caught.value.params) == ("photo_missing", {"path": str(tmp_path / "none.jpg")})


def test_a_process_that_dies_or_fails_is_told() -> None:
    for function, argument in ((os._exit, 3), (os.abort, None), (int, "seven")):
        with pytest.raises(KibitzError) as caught:
            apart(function, *(() if argument is None else (argument,)), seconds=60)
        assert caught.value.code == "worker_failed"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps to the limit")
def test_a_process_has_a_bound_of_memory() -> None:
    resource = pytest.importorskip("resource")
    soft, hard = apart(resource.getrlimit, resource.RLIMIT_AS, seconds=60)
    assert 0 < soft <= 8 * 2**30
    assert 0 < hard <= 8 * 2**30


def test_a_process_that_hangs_is_ended() -> None:
    with pytest.raises(KibitzError) as caught:
        apart(time.sleep, 600, seconds=1)
    assert caught.value.code == "worker_failed"
