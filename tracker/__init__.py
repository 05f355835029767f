"""From detections to plays: what lies on the table, who laid it, what was swept or taken back."""

import vision as vision  # caps what OpenCV decodes, before any module here imports it
