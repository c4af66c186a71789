#!/usr/bin/env python3
"""How many times slower than a quiet desktop this machine is now, as a whole number from 1 to 10.

Limits of time in tests are multiplied by it (ASSAY_SLOWNESS). All cores work at once, as they do while tests run."""
import math
import os
import time
from concurrent.futures import ProcessPoolExecutor

ROUNDS = 1_000_000
QUIET_S = 0.1  # what one core of a quiet desktop needs for them
SLOWNESS_MAX = 10


def work(start):
    total = start
    for number in range(ROUNDS):
        total = (total * 31 + number) & 0xFFFFFFFF
    return total


if __name__ == "__main__":
    cores = os.cpu_count()
    with ProcessPoolExecutor(cores) as pool:
        list(pool.map(abs, range(cores)))  # the processes start before the clock does
        began = time.monotonic()
        list(pool.map(work, range(cores)))
        factor = (time.monotonic() - began) / QUIET_S
    print(min(SLOWNESS_MAX, max(1, math.ceil(factor))))
