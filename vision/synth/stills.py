"""Draw labelled pictures of decks that were never seen: `python -m vision.synth.stills --out DIR`.

`kibitz deck eval --data DIR` then tells, kind of deck by kind of deck, where a deck pack fails: on
far more cards than photos show, and with nobody's labels to trust. Cards whose indices are too small
or too covered to be read by anyone are optional.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.polygons import overlap, signed_area
from vision.synth import assets, packaged
from vision.synth.decks import Deck, Library, PackagedDeck, ProceduralDeck, draw_deck
from vision.synth.scene import Scene, SceneCard, draw_scene

SIZE = 736
_READABLE = 0.9
"""How much of an index must be in view for its card to be expected."""
_LEAST_SIDE = 15.0
"""And how large its longer side must be, in pixels: rank and suit below each other."""

_LEAST_BACK = 0.3
"""A face-down card of which less is in view is optional."""


def kind_of(deck: Deck) -> str:
    """What kind of deck this is, as a source's name in the figures."""
    if isinstance(deck, PackagedDeck):
        return "published"
    if not isinstance(deck, ProceduralDeck):
        return "other"
    if deck.style.dark:
        return "dark"
    if deck.style.four_corners:
        return "four indices"
    return "large index" if deck.style.rank_height > 0.12 * packaged.HEIGHT else "plain"


def labels_of(scene: Scene, image: str, source: str) -> dict[str, Any]:
    """One picture's entry of `labels.json`, as `vision.evaluate.labels` reads it."""
    shown = [card for card in scene.cards if card.visible > 0]
    size = scene.picture.shape[0]
    return {"image": image, "width": size, "height": size, "source": source, "complete": True,
            "objects": [_label(card, size) for card in shown]}  # fmt: skip


def _label(card: SceneCard, size: int) -> dict[str, Any]:
    visible = [round(index.visible, 3) for index in card.indices]
    sides = [float((i.quad.max(0) - i.quad.min(0)).max()) for i in card.indices]
    known = any(v >= _READABLE and side >= _LEAST_SIDE for v, side in zip(visible, sides, strict=True))
    inside = overlap(card.quad, np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32))
    visible_of_card = card.visible * min(1.0, inside / max(1.0, abs(signed_area(card.quad))))
    corners = [max(visible[::2], default=0), max(visible[1::2], default=0)]
    return {"card": card.name, "kind": "card", "box": None, "quad": card.quad.round(2).tolist(),
            "visible_fraction": round(visible_of_card, 3), "index_visible": corners,
            "optional": visible_of_card < _LEAST_BACK if card.name == "back" else not known}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assets", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pictures", type=int, default=200)
    parser.add_argument("--seed", type=int, default=900)
    args = parser.parse_args()
    assets.fetch(args.assets)
    packaged.build(args.assets)
    args.out.mkdir(parents=True, exist_ok=True)
    library = Library(args.assets)
    entries = []
    for i in range(args.pictures):
        rng = np.random.default_rng([args.seed, i])
        deck = draw_deck(library, rng)
        scene = draw_scene(deck, SIZE, [], rng)
        name = f"{i:05d}.jpg"
        cv2.imwrite(str(args.out / name), scene.picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
        entries.append(labels_of(scene, name, kind_of(deck)))
    (args.out / "labels.json").write_text(json.dumps(entries))


if __name__ == "__main__":
    main()
