#!/usr/bin/env python3
"""examples/humaneval-like runs offline: each row of its table is a function to complete, whose tests run in the
sandbox. Tests may stand in files, answers need no fence, and no row may call a function that runs code."""
import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

EXAMPLE = e2e.ROOT / "examples/humaneval-like"
SCORES = {"demo:careful": 1.0, "demo:hasty": 0.6}    # of 20 functions, hasty has 12 right
LINES_MAX = 12

if shutil.which("python3") is None:
    print("skipped: python3 is missing, which the tests of the example run in")
    sys.exit(77)


def runs_as_it_is():
    with e2e.scratch() as folder:
        shutil.copytree(EXAMPLE, Path(folder, "humaneval-like"))
        suite = "humaneval-like/humaneval-like.yml"
        lines = Path(folder, suite).read_text().splitlines()
        e2e.check(len(lines) <= LINES_MAX, f"{len(lines)} lines")
        checked = e2e.assay("check", "--strict", suite, cwd=folder)
        e2e.expect(checked, 0)
        e2e.check("20 cases of problems.jsonl (20 rows), 2 variants, 20 checks; 0 warnings" in checked.stdout,
                  "the verdict", checked)
        result = e2e.assay("run", suite, "--json", cwd=folder)
        if "programs ran in the sandbox" not in result.stderr:
            print("skipped: no sandbox works here")
            sys.exit(77)
        run = e2e.one_run(result)
        scores = {variant["id"]: variant["mean"] for variant in run["variants"]}
        e2e.check({name: round(score, 6) for name, score in scores.items()} == SCORES, f"{scores}", result)
        again = e2e.assay("run", suite, cwd=folder)
        e2e.check(again.returncode == 0, "the same again", again)


def tests_stand_in_files():
    with e2e.scratch() as folder:
        Path(folder, "tests").mkdir()
        Path(folder, "tests/double.py").write_text("assert double(4) == 8\n")
        suite = Path(folder, "s.yml")
        suite.write_text('models: [echo:a]\n---\nid: a\nprompt: "def double(x): return 2 * x"\nshould:\n'
                         "  - $unit_test: {lang: python, tests: [{path: tests/double.py}, double(1)]}\n"
                         "should_not:\n  - $unit_test: {lang: python, tests: ['assert double(1) == 3']}\n")
        e2e.expect(e2e.assay("check", "--strict", "s.yml", cwd=folder), 0)
        result = e2e.assay("run", "s.yml", cwd=folder)
        e2e.check(result.returncode == 0 and "echo:a scores 100" in result.stdout, "both pass", result)

        faults = {"{path: tests/none.py}": "none.py", "{content: 5}": "expected a text", "{weight: 2}": "neither"}
        for fault, said in faults.items():
            suite.write_text("models: [echo:a]\n---\nid: a\nprompt: Hi\nshould:\n"
                             f"  - $unit_test: {{lang: python, tests: [{fault}]}}\n")
            checked = e2e.assay("check", "s.yml", cwd=folder)
            e2e.check(checked.returncode == 1 and said in checked.stdout + checked.stderr, fault, checked)


def rows_call_nothing():
    with e2e.scratch() as folder:
        Path(folder, "rows.jsonl").write_text(json.dumps(
            {"q": "Hi", "must": [{"$unit_test": {"lang": "python", "tests": ["1"]}}]}) + "\n")
        Path(folder, "s.yml").write_text('models: [echo:a]\ndataset: rows.jsonl\n---\nprompt: "{{q}}"\n'
                                         'should: "{{must}}"\n')
        checked = e2e.assay("check", "s.yml", cwd=folder)
        said = checked.stdout + checked.stderr
        e2e.check(checked.returncode == 1 and "a row may not call $unit_test" in said and "template.function" in said,
                  "a row is data", checked)


runs_as_it_is()
tests_stand_in_files()
rows_call_nothing()
