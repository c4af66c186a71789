#!/usr/bin/env bash
# Every reason to stop in every format and mode; ./dev test alone tries each reason in two.
exec python3 tests/e2e/folds_end_as_one_machine_does.py --all
