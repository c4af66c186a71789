#!/usr/bin/env python3
"""The numbers of bench/README.md: runs the release program and prints CPU, wall time and peak memory of each row.

    bench/measure.py PROGRAM [NAME...]     all rows, or those named: check version recorded regrade cells prompts again
    bench/measure.py PROGRAM first_run     ./dev run of a fresh copy of the checkout, nothing compiled before (minutes)
"""
import glob
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from spent import spent

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("ASSAY_SHARED", ROOT.parent / "shared"))


def measure(program, words, folder, repeats=1):
    """(CPU seconds, wall seconds, peak MiB) of the program: medians, and the largest memory."""
    runs = [spent([program, *words], folder) for _ in range(repeats)]
    if any(not 0 <= run.code <= 1 for run in runs):
        sys.exit(f"{words[:3]}: exit {[run.code for run in runs]}")
    return (statistics.median(run.cpu for run in runs), statistics.median(run.wall for run in runs),
            max(run.peak for run in runs))


def show(name, numbers):
    print(f"{name:<58} {numbers[0]:8.3f} s CPU {numbers[1]:8.3f} s wall {numbers[2]:7.1f} MiB", flush=True)


def heading(program):
    """What was measured where: the kind of build, and how busy the machine is."""
    cache = Path(program).resolve().parent / "CMakeCache.txt"
    kind = re.search(r"CMAKE_BUILD_TYPE:\w+=(\w*)", cache.read_text())[1] if cache.exists() else "unknown"
    print(f"{program}: {kind} build, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)


def echo_suite(path, cases, variants, checks):
    models = ", ".join(f"echo:m{i}" for i in range(variants))
    points = "".join(f"\n      - {check}" for check in checks)
    with open(path, "w") as file:
        file.write(f"id: echoes\ntitle: Echoes\nmodels: [{models}]\nprompts:\n")
        for i in range(cases):
            file.write(f"  - id: case-{i}\n    prompt: question {i} about rivers and lakes\n    should:{points}\n")


def check(program, folder):
    files = sorted(f for f in glob.glob(str(SHARED / "data/weval-configs/blueprints/**/*"), recursive=True)
                   if re.search(r"\.(ya?ml|json)$", f))
    if not files:
        print("check: skipped, the public blueprints are not here (ASSAY_SHARED)")
        return
    show(f"check: {len(files)} public blueprints, one process", measure(program, ["check", "-q", *files], folder, 5))


def version(program, folder):
    show("version: assay --version", measure(program, ["--version"], folder, 20))


def recorded(program, folder):
    example = ROOT / "examples/civic-knowledge/civic-knowledge.yml"
    numbers = []
    for i in range(10):
        words = ["run", "-q", str(example), "--store", f"r{i}.db", "--out", f"r{i}"]
        numbers.append(measure(program, words, folder))
    cpus, walls, peaks = zip(*numbers)
    show("recorded: civic-knowledge, new store, all files written",
         (statistics.median(cpus), statistics.median(walls), max(peaks)))


CHECKS = ["$icontains: RIVERS", "$contains_all_of: [question, rivers, lakes]", "$matches: 'question \\d+ about'",
          "$imatches: '\\b(lakes|seas)\\b'", "$not_contains: ocean"]


def regrade(program, folder):
    for attempts in (10, 100):
        suite = Path(folder, f"grade{attempts}.yml")
        store = ["--store", f"grade{attempts}.db", "--eval-method", "llm-coverage", "-q"]
        echo_suite(suite, 1_000, 1, CHECKS)
        measure(program, ["run", suite.name, "--attempts", str(attempts), "--out", f"g{attempts}", *store], folder)
        words = ["run", suite.name, "--attempts", str(attempts), "--offline", *store]
        numbers = []
        for i in range(3):  # another check each time, or the run is up to date
            echo_suite(suite, 1_000, 1, [*CHECKS[:4], f"$not_contains: sea {i}"])
            numbers.append(measure(program, [*words, "--out", f"h{attempts}-{i}"], folder))
        cpus, walls, peaks = zip(*numbers)
        show(f"regrade: {attempts * 1_000:,} stored answers x 5 checks, with reports",
             (statistics.median(cpus), statistics.median(walls), max(peaks)))


def cells(program, folder):
    for cases in (1_000, 10_000):
        suite = Path(folder, f"cells{cases}.yml")
        echo_suite(suite, cases, 10, ["$contains: rivers", "$icontains: LAKES"])
        words = ["run", suite.name, "--attempts", "10", "--store", f"cells{cases}.db", "--out", f"c{cases}", "-q"]
        show(f"cells: {cases * 100:,} new cells, echo, two checks", measure(program, words, folder))


def prompts(program, folder):
    echo_suite(Path(folder, "prompts.yml"), 20_000, 1, ["$contains: rivers", "$icontains: LAKES"])
    words = ["run", "prompts.yml", "--store", "prompts.db", "--out", "p", "-q"]
    show("20,000 prompts: echo, two checks, all files", measure(program, words, folder))
    show("20,000 prompts again: up to date", measure(program, words, folder, 5))


def again(program, folder):
    """The command of a finished run."""
    echo_suite(Path(folder, "again.yml"), 1_000, 10, ["$contains: rivers", "$icontains: LAKES"])
    words = ["run", "again.yml", "--attempts", "10", "--store", "again.db", "--out", "a", "-q"]
    first = measure(program, words, folder)
    show("first: 100,000 new cells, echo, two checks", first)
    second = measure(program, words, folder, 5)
    show("finished again: the same command", second)
    print(f"finished again: {second[0] / first[0]:.3f} of the first run's CPU (goal 0.05)")


def first_run(_, folder):
    """What somebody waits for who has just cloned the repository. Packages are there; ccache starts empty."""
    copy = Path(folder, "checkout")
    subprocess.run(["git", "clone", "-q", ROOT, copy], check=True)
    os.environ.update(CCACHE_DIR=str(Path(folder, "ccache")), CCACHE_MAXSIZE="5G")
    show("first ./dev run", measure(str(copy / "dev"), ["run", "--version"], copy))


ROWS = {row.__name__: row for row in (check, version, recorded, regrade, cells, prompts, again)}

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    heading(sys.argv[1])
    for wanted in sys.argv[2:] or ROWS:
        with tempfile.TemporaryDirectory(prefix="assay-bench-", dir=os.environ.get("TMPDIR")) as place:
            {**ROWS, "first_run": first_run}[wanted](os.path.abspath(sys.argv[1]), place)
