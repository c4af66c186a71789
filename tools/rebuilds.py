#!/usr/bin/env python3
"""How many units an edit of a header compiles again: those that include it, at any depth.

usage: tools/rebuilds.py [HEADER]...   (below src/; without any: the headers that most units see)"""
import re
import sys
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
SHOWN = 25


@lru_cache(maxsize=None)
def includes_of(path):
    """Headers of ours that a file names."""
    found = (ROOT / folder / name for name in INCLUDE.findall(path.read_text()) for folder in ("src", "."))
    return tuple(each for each in found if each.is_file())


def seen_by(unit):
    """Headers of ours that a unit sees, at any depth."""
    seen, left = set(), [unit]
    while left:
        for each in includes_of(left.pop()):
            if each not in seen:
                seen.add(each)
                left.append(each)
    return seen


def main():
    units = [unit for folder in ("src", "tests", "bench") for unit in sorted((ROOT / folder).rglob("*.cc"))]
    counts = {}
    for unit in units:
        for header in seen_by(unit):
            counts[header] = counts.get(header, 0) + 1
    wanted = [ROOT / "src" / name for name in sys.argv[1:]]
    unknown = [str(path.relative_to(ROOT)) for path in wanted if not path.is_file()]
    if unknown:
        sys.exit(f"no such header: {', '.join(unknown)}")
    shown = wanted or sorted(counts, key=counts.get, reverse=True)[:SHOWN]
    print(f"{len(units)} units")
    for header in shown:
        print(f"{counts.get(header, 0):5} {header.relative_to(ROOT)}")


main()
