"""What is done with files that the host sends, in a process of its own (`webui/apart.py`)."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.deck import load_deck
from vision.detector import OnnxDetector
from vision.health import examine
from vision.photo import decode_photo
from vision.types import Image
from webui.decks import Decks

_SHOWN = 1280
_QUALITY = 85


def take_in(source: Path, decks: Path) -> str:
    """Install the pack in a zip file; its name. Raises KibitzError as `Decks.take_in`."""
    return Decks(decks).take_in(source)


def try_photo(data: bytes, folder: Path) -> dict[str, Any]:
    """The cards on a photo as a deck pack reads them, and the checks of the picture.

    `jpeg` is the photo newly encoded, at most 1280 pixels wide or high, without anything that its
    file held besides; quads are in shares of its width and height. Raises KibitzError as
    `decode_photo` and `load_deck`.
    """
    image = decode_photo(data, "")
    deck = load_deck(folder)
    cards = OnnxDetector(deck).detect(image)
    reported = [card for card in cards if card.is_reported(deck.about.report_score)]
    size = np.array([image.shape[1], image.shape[0]], np.float32)
    return {
        "jpeg": _jpeg(image),
        "width": image.shape[1],
        "height": image.shape[0],
        "cards": [
            {
                "card": card.card,
                "score": round(card.score, 3),
                "state": "down" if card.face == "down" else "sure",
                "quad": [[round(float(x), 4), round(float(y), 4)] for x, y in card.quad / size],
            }
            for card in reported
        ],
        "unread": sum(card.face == "up" for card in cards) - sum(card.face == "up" for card in reported),
        "checks": [
            {"name": check.name, "level": check.level, "advice": check.advice, "params": check.params}
            for check in examine(image, reported, deck.about.locate.index_px)
        ],
    }


def _jpeg(image: Image) -> bytes:
    scale = min(1.0, _SHOWN / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
