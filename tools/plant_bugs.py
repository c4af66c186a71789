#!/usr/bin/env python3
"""Plants bugs of known kinds, one at a time, and says which part of ./dev ci finds each: what a change of the tests
must not lose. Needs the trees build/dev and build/asan of ./dev ci, a checkout without changes in src/, and minutes.

usage: tools/plant_bugs.py [WORD]...   (only bugs whose names have one of the words)"""
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUTPUT_SHOWN = 160  # characters of what found it


@dataclass
class Bug:
    name: str
    file: str
    right: str     # stands there once
    wrong: str
    tree: str      # of build/
    target: str
    test: str      # a regex of ctest; "": the build itself has to fail


BUGS = [
    Bug("use after free in a codec", "src/providers/codecs/cohere.cc",
        "kCohereBaseUrl : std::string_view(request.base_url)",
        "kCohereBaseUrl : std::string_view(std::string(request.base_url))", "asan", "providers_test", "providers_test"),
    Bug("signed overflow in base/", "src/base/text/option_text.cc", "  const auto is_text = ",
        "  int most = 2147483647;\n  most += static_cast<int>(text.size());\n  if (most == 7) return true;\n"
        "  const auto is_text = ", "asan", "base_test", "base_test"),
    Bug("leak in the store's reader", "src/store/sqlite/sqlite_cells.cc",
        "DecodeStepLinks(select.Text(0))", "DecodeStepLinks(*new std::string(select.Text(0)))", "asan", "store_test",
        "store_test"),
    Bug("off by one in a check's row", "src/checks/text/word_count.cc", "(input.answer.js_words())",
        "(input.answer.js_words() + 1)", "dev", "assay_conformance", "conformance"),
    Bug("swapped words in a text", "src/cli/terminal/views/results_view.cc", '{"95 %", Align::kRight},     {"passed",',
        '{"passed", Align::kRight},     {"95 %",', "dev", "assay assay_golden", "golden"),
    Bug("an include against the layers", "src/base/hash.cc", '#include "base/hash.h"\n',
        '#include "base/hash.h"\n#include "spec/ids.h"\n', "dev", "assay_base layers_base", ""),
    Bug("a wrong exit code", "src/cli/commands/parts/gatekeeper.cc", "? ExitCode::kRegression : ExitCode::kUnfinished",
        "? ExitCode::kUnfinished : ExitCode::kRegression", "dev", "assay", "e2e_regressions_end_in_exit_4"),
    Bug("a lost commit", "src/store/sqlite/sqlite_sittings.cc",
        "  for (const CellResult& cell : work.cells) ASSAY_CHECK_OK(WriteCell(row, cell));",
        "  for (const CellResult& cell : work.cells) {\n"
        "    if (number % 7 != 0) ASSAY_CHECK_OK(WriteCell(row, cell));\n  }", "dev", "assay_sim", "assay_sim$"),
    Bug("a key is printed", "src/run/wire/redaction.cc", "  if (parts.empty()) return false;\n  std::string redacted;",
        "  if (parts.size() < 2) return false;\n  std::string redacted;", "asan", "run_test", "run_test"),
    Bug("a data race between loop and worker", "src/base/bounded_queue.h",
        "    std::unique_lock lock(mutex_);\n    const auto ready = ",
        "    if (count_ > 0) return;\n    std::unique_lock lock(mutex_);\n    const auto ready = ",
        "tsan", "base_test", "base_test"),
]
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_stack_use_after_return=1", "ASSAY_SIM_SEEDS": "20"}


def outcome_of(bug):
    """How the planted bug is found; "" if it is not."""
    folder = ROOT / "build" / bug.tree
    built = subprocess.run(["ninja", "-C", folder, *bug.target.split()], capture_output=True, text=True, check=False)
    if built.returncode != 0:
        lines = [line for line in built.stdout.splitlines() if "error" in line.lower() or "may not" in line]
        return "the build: " + " ".join(lines)[:OUTPUT_SHOWN] if not bug.test else ""
    if not bug.test:
        return ""
    tested = subprocess.run(["ctest", "--test-dir", folder, "-R", bug.test, "--output-on-failure", "--stop-on-failure"],
                            capture_output=True, text=True, check=False, env=ENVIRONMENT)
    lines = [line.strip() for line in tested.stdout.splitlines()
             if "ERROR: " in line or "runtime error" in line or "***" in line]
    return f"{bug.tree}: " + "; ".join(lines)[:OUTPUT_SHOWN] if tested.returncode != 0 else ""


def plant(bug):
    """How the bug is found; the file is as before afterwards."""
    path = ROOT / bug.file
    text = path.read_text()
    if text.count(bug.right) != 1:
        sys.exit(f"{bug.name}: {bug.file} does not have its text once any more")
    path.write_text(text.replace(bug.right, bug.wrong))
    try:
        return outcome_of(bug)
    finally:
        path.write_text(text)


def main():
    words = sys.argv[1:]
    missed = 0
    for bug in BUGS:
        if words and not any(word in bug.name for word in words):
            continue
        if not (ROOT / "build" / bug.tree / "build.ninja").exists():
            print(f"{bug.name}: skipped: there is no build/{bug.tree}", flush=True)
            continue
        found = plant(bug)
        missed += not found
        print(f"{bug.name}: {found or 'NOT FOUND'}", flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
