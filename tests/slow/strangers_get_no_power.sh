#!/usr/bin/env bash
# Every row of tests/support/attacks; ./dev test alone tries one a cause.
exec python3 tests/e2e/strangers_get_no_power.py --all
