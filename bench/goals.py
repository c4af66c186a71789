#!/usr/bin/env python3
"""What a run does beside asking, each row with its goal: runs the release program against the mock server of
../shared/tools, the floor (the smallest libcurl client) in turns with it, and prints the table of bench/README.md.

    bench/goals.py PROGRAM [NAME...]     all rows, or those named: start again agent asked in-flight cells regrade

CPU is of the whole process, medians of 5 (of 3 where a run takes long). Needs go, gcc and ../shared or $ASSAY_SHARED.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import agent
import models
from measure import CHECKS, SHARED, echo_suite, heading, measure

TICKS = os.sysconf("SC_CLK_TCK")


def row(what, goal, found):
    print(f"| {what} | {goal} | {found} |", flush=True)


def median(numbers):
    """Of each column."""
    return [statistics.median(column) for column in zip(*numbers)]


def threads_of(program, words, folder):
    """CPU seconds by the name of the thread, as far as it was seen: looked at 50 times a second."""
    child = subprocess.Popen([program, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seen = {}
    while child.poll() is None:
        for task in Path(f"/proc/{child.pid}/task").glob("*/stat"):
            try:
                text = task.read_text()
            except OSError:
                continue
            fields = text[text.rindex(")") + 2:].split()
            seen[task.parent.name] = (re.search(r"\((.*)\)", text)[1], (int(fields[11]) + int(fields[12])) / TICKS)
        time.sleep(0.02)
    by_name = {}
    for name, seconds in seen.values():
        by_name[name] = by_name.get(name, 0) + seconds
    return by_name


def start(program, folder):
    cpu, wall, peak = measure(program, ["--version"], folder, 20)
    row("`assay --version`", "2 ms, 10 MB", f"{cpu * 1000:.1f} ms CPU, {wall * 1000:.1f} ms wall, {peak:.1f} MiB")


def again(program, folder):
    echo_suite(Path(folder, "again.yml"), 20_000, 1, ["$contains: rivers", "$icontains: LAKES"])
    words = ["run", "again.yml", "--store", "again.db", "--out", "a", "-q"]
    first = measure(program, words, folder)
    cpu, wall, peak = measure(program, words, folder, 5)
    row("up to date, 20,000 cells", "30 ms", f"{cpu * 1000:.0f} ms CPU, {wall * 1000:.0f} ms wall, {peak:.0f} MiB "
        f"(the first run: {first[0]:.2f} s CPU)")


def agent_turn(program, folder):
    server = agent.http.server.ThreadingHTTPServer(("127.0.0.1", 0), agent.Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    found = []
    for rounds in (50, 100, 190):
        place = Path(folder, f"agent{rounds}")
        place.mkdir()
        agent.session(place, server.server_port, 1, rounds)
        cpu = measure(program, ["run", "matrix.toml", "--fresh", "-q"], place, 3)[0]
        found.append(f"{rounds}: {cpu:.2f} s")
    size = (place / ".assay/store.db").stat().st_size / 3e6
    server.shutdown()
    row("agent turn of 190 rounds", "1 s, 15 MB; linear", f"{', '.join(found)}; {size:.1f} MB")


def asked(program, folder):
    goals = {1_000: (5, "4 × floor"), 20_000: (5, "5 × floor"), 100_000: (1, "peak 200 MiB")}
    with models.Mock(folder) as mock:
        for prompts, (repeats, goal) in goals.items():
            models.suite(Path(folder, "asked.yml"), prompts, ["$contains: Mock", models.HEX])
            numbers, floors = [], []
            for i in range(repeats):
                numbers.append(measure(program, models.words(mock, "asked.yml", f"a{prompts}-{i}"), folder))
                floors.append(models.floor(folder, prompts, 64, mock.address, 1))
            cpu, _, _ = median(numbers)
            least, _ = median(floors)
            peak = max(number[2] for number in numbers)
            row(f"asked: {prompts:,} prompts, whole run", goal,
                f"{cpu / least:.1f} × floor: {cpu / prompts * 1e6:.0f} of {least / prompts * 1e6:.0f} µs CPU a prompt; "
                f"{peak:.0f} MiB")
            if prompts == 20_000:
                by_name = threads_of(program, models.words(mock, "asked.yml", "threads"), folder)
                each = ", ".join(f"{name} {seconds / prompts * 1e6:.0f}" for name, seconds in sorted(by_name.items()))
                row("serial: CPU of each thread", "30 µs a prompt", f"{each} µs a prompt")


def in_flight(program, folder):
    with models.Mock(folder, "-latency", "200") as mock:
        models.suite(Path(folder, "flight.yml"), 10_000, ["$contains: Mock", models.HEX])
        cpu, wall, peak = median([measure(program, models.words(mock, "flight.yml", f"f{i}", "-j", "5000"), folder)
                                  for i in range(3)])
    row("5,000 in flight, peak", "130 MiB", f"{peak:.0f} MiB; {cpu / 10_000 * 1e6:.0f} µs CPU a prompt")


def cells(program, folder):
    echo_suite(Path(folder, "cells.yml"), 10_000, 10, ["$contains: rivers", "$icontains: LAKES"])
    words = ["run", "cells.yml", "--attempts", "10", "--store", "cells.db", "--out", "c", "-q"]
    cpu, _, peak = measure(program, words, folder)
    row("1,000,000 echo cells", "28 s", f"{cpu:.1f} s CPU, {peak:.0f} MiB")


def regrade(program, folder):
    suite = Path(folder, "grade.yml")
    store = ["--attempts", "100", "--store", "grade.db", "--eval-method", "llm-coverage", "-q"]
    echo_suite(suite, 1_000, 1, CHECKS)
    measure(program, ["run", suite.name, "--out", "g", *store], folder)
    numbers = []
    for i in range(3):  # another check each time, or the run is up to date
        echo_suite(suite, 1_000, 1, [*CHECKS[:4], f"$not_contains: sea {i}"])
        numbers.append(measure(program, ["run", suite.name, "--offline", "--out", f"h{i}", *store], folder))
    cpu, _, peak = median(numbers)
    row("regrade 100,000 × 5", "1.2 s", f"{cpu:.2f} s CPU, {peak:.0f} MiB")


ROWS = {"start": start, "again": again, "agent": agent_turn, "asked": asked, "in-flight": in_flight, "cells": cells,
        "regrade": regrade}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    tools = SHARED / "tools"
    with tempfile.TemporaryDirectory(prefix="assay-bench-", dir=os.environ.get("TMPDIR")) as place:
        subprocess.run(["go", "build", "-o", f"{place}/mockllm", "."], cwd=tools / "mockllm", check=True)
        subprocess.run(["gcc", "-O2", "-o", f"{place}/multi", tools / "floor/multi.c", "-lcurl"], check=True)
        os.environ["OPENAI_API_KEY"] = "none-needed"
        models.allow_files()
        heading(program)
        print("| what | goal | measured |\n|---|---|---|")
        for wanted in sys.argv[2:] or ROWS:
            ROWS[wanted](program, place)


main()
