#!/usr/bin/env python3
"""Counts what makes the tree hard to take over; docs/testing.md has the counts before and after.

usage: tools/house_counts.py [--list NAME]   (NAME: a row's first word; lists its places)"""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SMALL_FILE = 40  # lines
SHORT_SOURCE = 60  # lines
LONG_FUNCTION = 60  # lines; the limit is 70
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
UNCHECKED = re.compile(r'\bFind\("[^"]*"\)->')
APPENDED = re.compile(r'\.Append\("')
CHAINED = re.compile(r'\bFind\("[^"]*"\);\s*\w+ (?:==|!=) nullptr|= [\w.>-]*Find\("[^"]*"\)')


def sources(*kinds):
    """Files of src/ that are no tests, of these kinds."""
    listed = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [Path(line) for line in listed.stdout.splitlines()]
    return [path for path in paths if path.suffix in kinds and not path.stem.endswith("_test")]


def text_of(path):
    return (ROOT / path).read_text()


def places(pattern, paths):
    return [f"{path}:{text_of(path)[:match.start()].count(chr(10)) + 1}"
            for path in paths for match in pattern.finditer(text_of(path))]


def why_apart(header, includer, tested):
    """Why a small header is no part of the file that includes it."""
    source = header.with_suffix(".cc")
    if not (ROOT / source).exists():
        return "no source"  # limits, texts, lists of fields, what the build embeds
    if text_of(source).count("\n") > SHORT_SOURCE:
        return "hides a long source"
    if tested:
        return "has tests"
    return "a member's class" if includer.suffix == ".h" else "other"


def included_by_tests():
    """What tests, benchmarks and fuzzers include."""
    listed = subprocess.run(["git", "ls-files", "src/*_test.cc", "tests/*.cc", "bench/*.cc"], cwd=ROOT,
                            capture_output=True, text=True, check=True)
    return {name for path in listed.stdout.splitlines() for name in INCLUDE.findall(text_of(path))}


def small_headers():
    """Headers of few lines that one file alone includes, and why they stay."""
    tested = included_by_tests()
    includers = defaultdict(set)
    for path in sources(".cc", ".h"):
        for name in INCLUDE.findall(text_of(path)):
            includers[name].add(path)
    found = []
    for path in sources(".h"):
        name = str(path.relative_to("src"))
        others = [each for each in includers[name] if each.with_suffix("") != path.with_suffix("")]
        if text_of(path).count("\n") <= SMALL_FILE and len(others) == 1:
            found.append(f"{path}: {others[0]}: {why_apart(path, others[0], name in tested)}")
    return found


def long_functions():
    found = []
    for path in sources(".cc"):
        lines = text_of(path).split("\n")
        start = None
        for number, line in enumerate(lines):
            if line and not line[0].isspace() and line.endswith("{") and "(" in line and "namespace" not in line:
                start = number
            if line == "}" and start is not None:
                if number - start + 1 > LONG_FUNCTION:
                    found.append(f"{path}:{start + 1}: {number - start + 1} lines")
                start = None
    return found


def rows():
    code = sources(".cc", ".h")
    outside = [path for path in code if not str(path).startswith(("src/text/", "src/dialects/blueprint/"))]
    every = sources(".cc", ".h", ".js", ".py", ".css", ".html")
    yield "lines", "lines of src/ without tests", [path for path in every for _ in text_of(path).splitlines()]
    yield "unchecked", 'members of JSON that are read unchecked: `Find("…")->`', places(UNCHECKED, outside)
    yield "chained", 'members that are looked up by `Find("…")` outside text/ and the blueprint dialect', \
        places(CHAINED, outside)
    yield "appended", 'members of values that are appended by name, `.Append("…")`, outside text/', \
        places(APPENDED, [path for path in code if not str(path).startswith("src/text/")])
    yield "small", f"headers of at most {SMALL_FILE} lines with one includer", small_headers()
    yield "long", f"functions of more than {LONG_FUNCTION} lines", long_functions()


def main():
    wanted = sys.argv[2] if sys.argv[1:2] == ["--list"] else None
    if sys.argv[1:] and wanted is None:
        sys.exit(__doc__)
    for name, meaning, found in rows():
        if wanted is None:
            print(f"| {meaning} | {len(found):,} |")
        elif name == wanted:
            print("\n".join(str(each) for each in found))


if __name__ == "__main__":
    main()
