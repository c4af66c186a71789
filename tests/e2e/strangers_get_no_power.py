#!/usr/bin/env python3
"""What a stranger wrote gets no power: every row of tests/support/attacks is tried, one a cause, or with --all each.

usage: strangers_get_no_power.py [--all] [--only WORDS] [--list]; WORDS is a part of a file's name, cause or row
"""
import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import attacks  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--all", action="store_true")
parser.add_argument("--only", default="")
parser.add_argument("--list", action="store_true")
asked = parser.parse_args()

rows = []
for table, found in attacks.tables().items():
    names = [row.name for row in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SystemExit(f"FAILED: {table}.py has two rows named {', '.join(twice)}")
    chosen = found if asked.all or asked.only else attacks.one_a_cause(found)
    rows += [(table, row) for row in chosen if asked.only in f"{table} {row.cause} {row.name}"]

if asked.list:
    print("\n".join(f"{table} | {row.cause} | {row.name}" for table, row in rows))
    raise SystemExit(0)

with ThreadPoolExecutor(os.cpu_count()) as pool:
    outcomes = list(pool.map(attacks.outcome, [row for _, row in rows]))

count = {"held": 0, "through": 0, "absent": 0}
for (table, row), (outcome, why) in zip(rows, outcomes):
    count[outcome] += 1
    if outcome != "held":
        print(f"{'GOT THROUGH' if outcome == 'through' else 'skipped'}: {table} | {row.cause} | {row.name}: {why}")
print(f"{count['held'] + count['through']} attacks tried, {count['through']} got through, "
      f"{count['absent']} need what is not here")
raise SystemExit(1 if count["through"] else 0)
