#!/bin/sh
# All attacks of tests/sandbox/attacks.py, at every level.
exec "$(dirname "$0")/../sandbox/attacks.py" --all
