"""The door: who is let in as what.

The host's links carry a token of 256 random bits that works once; guests come in by the code in
the QR picture, which expires and rotates. Both are exchanged for a signed cookie. The signing key
and the guests' generation are kept in the data folder, so that phones stay in after a restart.
"""

import hmac
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

from vision.errors import KibitzError
from webui.pace import Pace

GUEST_CODE_S = 600.0
_ATTEMPTS = 10
_CLAIMS = 20
_PER_S = 60.0

RandomToken = Callable[[int], str]
"""URL-safe text of that many random bytes (`secrets.token_urlsafe`)."""


class Door:
    """Issues and checks host tokens and guest codes. `clock` is monotonic seconds."""

    def __init__(self, keys: Path, clock: Callable[[], float], token: RandomToken) -> None:
        self._keys = keys
        self._clock = clock
        self._token = token
        self._lock = threading.Lock()
        self._host_tokens: list[str] = []
        self._code = ""
        self._code_born = 0.0
        self._attempts = Pace(_ATTEMPTS, _PER_S, clock)
        self._claims = Pace(_CLAIMS, _PER_S, clock)
        self.secret, self.generation = self._load()

    def new_host_token(self) -> str:
        """A token for one host link."""
        with self._lock:
            token = self._token(32)
            self._host_tokens.append(token)
            return token

    def take_host_token(self, offered: str) -> bool:
        """True if `offered` is an unused host token, which is used up by this."""
        with self._lock:
            for token in self._host_tokens:
                if hmac.compare_digest(token.encode(), offered.encode()):
                    self._host_tokens.remove(token)
                    return True
            return False

    def guest_code(self) -> tuple[str, float]:
        """The code that is valid now and the seconds that it has left."""
        with self._lock:
            self._rotate()
            return self._code, self._code_born + GUEST_CODE_S - self._clock()

    def is_guest_code(self, offered: str) -> bool:
        with self._lock:
            self._rotate()
            return hmac.compare_digest(self._code.encode(), offered.encode())

    def revoke_code(self) -> None:
        """The code in the room is void from now on; guests who are in stay in."""
        with self._lock:
            self._code = ""
            self._rotate()

    def revoke_guests(self) -> None:
        """Every guest is out and needs a new code."""
        with self._lock:
            self.generation = self._token(9)
            self._code = ""
            self._rotate()
            self._save()

    def may_try(self, address: str) -> bool:
        """Count an attempt to get in; False when there were too many from there lately."""
        return self._attempts.may(address)

    def may_claim(self, session: str) -> bool:
        """Count a claim of a seat or a play; False when that session made too many lately."""
        return self._claims.may(session)

    def _rotate(self) -> None:
        if not self._code or self._clock() - self._code_born >= GUEST_CODE_S:
            self._code = self._token(16)
            self._code_born = self._clock()

    def _load(self) -> tuple[str, str]:
        try:
            kept = json.loads(self._keys.read_text("utf-8"))
            return str(kept["secret"]), str(kept["generation"])
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise KibitzError("keys_unreadable", path=str(self._keys)) from error
        self.secret, self.generation = self._token(32), self._token(9)
        self._save()
        return self.secret, self.generation

    def _save(self) -> None:
        try:
            self._keys.parent.mkdir(parents=True, exist_ok=True)
            new = self._keys.with_suffix(".new")
            new.unlink(missing_ok=True)
            handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump({"secret": self.secret, "generation": self.generation}, file)
            os.replace(new, self._keys)
        except OSError as error:
            raise KibitzError("keys_unwritable", path=str(self._keys)) from error
