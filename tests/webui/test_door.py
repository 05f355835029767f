"""The door: one-time host tokens, guest codes that expire, attempts that are counted."""

import secrets
import stat
from pathlib import Path

import pytest

from vision.errors import KibitzError
from webui.door import GUEST_CODE_S, Door


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def door(tmp_path: Path, clock: Clock) -> Door:
    return Door(tmp_path / "keys.json", clock, secrets.token_urlsafe)


def test_a_host_token_has_at_least_128_bits_and_works_once(door: Door) -> None:
    token = door.new_host_token()
    assert len(token) * 6 >= 128
    assert not door.take_host_token("")
    assert not door.take_host_token(token[:-1])
    assert door.take_host_token(token)
    assert not door.take_host_token(token)


def test_no_token_is_valid_before_one_was_made(door: Door) -> None:
    assert not door.take_host_token("")
    assert not door.take_host_token("dev")


def test_a_guest_code_expires_rotates_and_can_be_revoked(door: Door, clock: Clock) -> None:
    first, left = door.guest_code()
    assert left == GUEST_CODE_S
    assert door.is_guest_code(first)
    clock.now = GUEST_CODE_S - 1
    assert door.is_guest_code(first)
    clock.now = GUEST_CODE_S
    assert not door.is_guest_code(first)
    second, _ = door.guest_code()
    assert second != first
    door.revoke_code()
    assert not door.is_guest_code(second)
    assert not door.is_guest_code("")


def test_a_guest_code_is_no_host_token(door: Door) -> None:
    code, _ = door.guest_code()
    assert not door.take_host_token(code)


def test_keys_survive_a_restart_and_only_the_owner_may_read_them(tmp_path: Path, door: Door, clock: Clock) -> None:
    again = Door(tmp_path / "keys.json", clock, secrets.token_urlsafe)
    assert (again.secret, again.generation) == (door.secret, door.generation)
    assert stat.S_IMODE((tmp_path / "keys.json").stat().st_mode) == 0o600
    door.revoke_guests()
    third = Door(tmp_path / "keys.json", clock, secrets.token_urlsafe)
    assert third.generation == door.generation != again.generation


def test_guests_are_out_and_their_code_is_void_though_the_disk_is_full(tmp_path: Path, door: Door) -> None:
    code, _ = door.guest_code()
    generation = door.generation
    (tmp_path / "keys.new").mkdir()  # nothing can be written there
    with pytest.raises(KibitzError) as caught:
        door.revoke_guests()
    assert caught.value.code == "keys_unwritable"
    assert door.generation != generation
    assert not door.is_guest_code(code)


def test_a_damaged_key_file_is_named(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "keys.json").write_text("{")
    with pytest.raises(KibitzError) as caught:
        Door(tmp_path / "keys.json", clock, secrets.token_urlsafe)
    assert caught.value.code == "keys_unreadable"


def test_attempts_are_limited_per_address(door: Door, clock: Clock) -> None:
    assert all(door.may_try("10.0.0.9") for _ in range(10))
    assert not door.may_try("10.0.0.9")
    assert door.may_try("10.0.0.8")
    clock.now = 61
    assert door.may_try("10.0.0.9")
