#!/usr/bin/env python3
"""Whoever follows the examples of docs/howto word by word gets a check, a provider and an exporter that work, in a
tree that tidy accepts and whose tests pass.

An example is a block behind a comment: `new file PATH`, `add to PATH, before "LINE"` or `add to PATH, at the end`.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"<!-- (new file|add to) (\S+?)(?:, (?:before \"(.*?)\"|at the end))? -->\n```\w+\n(.*?)```\n", re.S)
# By page: a command of the program, and what it prints when the example is there.
PAGES = {
    "add-a-check.md": (["list", "checks"], "line_count_at_most"),
    "add-a-provider.md": (["list", "providers"], "acme:large"),
    "add-an-exporter.md": (["list", "exporters"], "plain-scores"),
}
TESTS = "^(checks_test|providers_test|report_test|cli_test|conformance)$"


def run(tree, *words, **more):
    done = subprocess.run(words, cwd=tree, capture_output=True, text=True, **more)
    e2e.check(done.returncode == 0, f"{' '.join(map(str, words))} ends with {done.returncode}:\n"
                                    f"{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def follow(tree, page):
    blocks = BLOCK.findall((tree / "docs/howto" / page).read_text())
    e2e.check(blocks, f"{page} has no example")
    for kind, path, before, text in blocks:
        file = tree / path
        old = "" if kind == "new file" else file.read_text()
        e2e.check(not before or old.count(before) == 1, f"{page}: {path} has not one {before!r}")
        at = old.index(before) if before else len(old)
        file.write_text(old[:at] + text + old[at:])


with e2e.scratch() as scratch:
    tree = Path(scratch, "tree")
    run(ROOT, "git", "clone", "-q", str(ROOT), str(tree))
    (tree / ".cache").symlink_to(ROOT / ".cache")  # sources of libraries, and Vale
    for page in PAGES:
        follow(tree, page)
    build = {**os.environ, "ASSAY_UNITY": "ON"}
    run(tree, "cmake", "--preset", "dev", env=build)
    run(tree, "ninja", "-C", "build/dev", "assay", "checks_test", "providers_test", "report_test", "cli_test",
        "assay_conformance", env=build)
    program = tree / "build/dev/assay"
    for words, wanted in PAGES.values():
        e2e.check(wanted in run(tree, str(program), *words), f"assay {' '.join(words)} does not show {wanted}")
    e2e.check("$line_count_at_most" in run(tree, str(program), "schema", "blueprint"), "the schema lacks the check")
    own = {**os.environ, "ASSAY": str(program), "ASSAY_SOURCE": str(tree)}
    run(tree, sys.executable, "tests/e2e/reference_pages_are_true.py", "--update", env=own)
    run(tree, sys.executable, "tools/tidy/tidy.py", ".", str(program))
    run(tree, "ctest", "--test-dir", "build/dev", "--output-on-failure", "--no-tests=error", "-R", TESTS)
