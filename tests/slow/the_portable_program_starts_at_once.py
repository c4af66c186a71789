#!/usr/bin/env python3
"""The portable program takes 4 ms of the processor to start: the median of many calls of --version, the kernel's part
with it."""
import resource
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import portable  # noqa: E402
import e2e  # noqa: E402

STARTS = 51
MS_MAX = 4.0


def processor_ms():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def start():
    before = processor_ms()
    subprocess.run([portable.PROGRAM, "--version"], env=e2e.clean_environment(), stdout=subprocess.DEVNULL, check=True)
    return processor_ms() - before


median = statistics.median(start() for _ in range(STARTS))
e2e.check(median <= MS_MAX, f"--version takes {median:.1f} ms of the processor, and may take {MS_MAX:.0f}")
print(f"--version: {median:.1f} ms of the processor (the median of {STARTS})")
