"""What the locator is to find in a scene, as ultralytics' pose training wants it."""

from typing import Any

import numpy as np
import torch
from torch.utils.data import Dataset

from vision.synth.scene import Scene
from vision.training.stream import SceneStream

INDEX, BACK = 0, 1
LEAST_VISIBLE = 0.75
"""An index this visible is a target; one less visible isn't, and is no error either way."""
LEAST_SIDE = 6.5
"""Smaller indices, in pixels of the larger box side, are not worth finding at this scale."""
LEAST_BACK = 0.4


def pose_rows(scene: Scene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classes (n,), boxes (n, 4) as x0 y0 x1 y1 in pixels, keypoints (n, 4, 3) with visibility.

    A keypoint outside the picture has visibility 0 and place 0, 0: ultralytics drops a picture
    with coordinates outside 0..1.
    """
    size = scene.picture.shape[0]
    classes, boxes, points = [], [], []
    for card in scene.cards:
        if card.name == "back" and card.visible >= LEAST_BACK:
            classes.append(BACK)
            boxes.append(np.array(card.box))
            points.append(card.quad)
        for index in card.indices:
            low, high = index.quad.min(0), index.quad.max(0)
            inside = (low > -2).all() and (high < size + 2).all()
            if index.visible >= LEAST_VISIBLE and inside and (high - low).max() >= LEAST_SIDE:
                classes.append(INDEX)
                boxes.append(np.concatenate([low, high]))
                points.append(index.card_quad)
    if not classes:
        return np.zeros(0), np.zeros((0, 4)), np.zeros((0, 4, 3))
    quads = np.stack(points)
    seen = ((quads >= 0) & (quads < size)).all(2, keepdims=True)
    keypoints = np.concatenate([quads * seen, 2.0 * seen], 2)
    return np.array(classes), np.clip(np.stack(boxes), 0, size), keypoints


class SceneDataset(Dataset[dict[str, Any]]):
    """Scenes as training samples; `length` is the size of one epoch, indices may go beyond."""

    def __init__(self, stream: SceneStream, length: int) -> None:
        self.stream = stream
        self.length = length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> dict[str, Any]:
        scene = self.stream.scene(index)
        classes, boxes, keypoints = pose_rows(scene)
        size = scene.picture.shape[0]
        centre = (boxes[:, :2] + boxes[:, 2:]) / 2 / size
        extent = (boxes[:, 2:] - boxes[:, :2]) / size
        keypoints = keypoints / np.array([size, size, 1])
        rgb = np.ascontiguousarray(scene.picture[..., ::-1].transpose(2, 0, 1))
        return {
            "img": torch.from_numpy(rgb),
            "cls": torch.from_numpy(classes).float().view(-1, 1),
            "bboxes": torch.from_numpy(np.concatenate([centre, extent], 1)).float(),
            "keypoints": torch.from_numpy(keypoints).float(),
            "batch_idx": torch.zeros(len(classes)),
            "im_file": f"scene-{index}",
            "ori_shape": (size, size),
            "resized_shape": (size, size),
            "ratio_pad": ((1.0, 1.0), (0.0, 0.0)),
        }
