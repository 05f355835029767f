"""The shell: command line, journal, live page."""

import vision as vision  # caps what OpenCV decodes, before any module here imports it
