"""The shell: command line, journal, live page."""
