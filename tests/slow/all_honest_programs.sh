#!/bin/sh
# All 300 honest programs of tests/sandbox/honest.py.
exec "$(dirname "$0")/../sandbox/honest.py" --all
