"""From light to detections: cameras, the card detector, deck packs, training data."""

import os

MOST_PIXELS = 40_000_000
"""Phones store less unless told otherwise; a picture bomb claims more."""

# OpenCV reads this when it is loaded, so it stands here, before any module of ours imports cv2.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
