#!/usr/bin/env python3
"""`assay eval` takes promptfoo's words: the config of the folder, its letters, files of results, exit code 100."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as scratch:
    folder = Path(scratch)
    e2e.expect(e2e.assay("eval", cwd=folder), 1,
               "there is no promptfooconfig.yaml, .yml or .json here; -c names a config")
    # Any suite will do for the words; what a config means is the dialect's matter.
    (folder / "suite.yml").write_text(e2e.suite(2))
    result = e2e.assay("eval", "-c", "suite.yml", "-j", "1", "--no-table", "--no-progress-bar", "--no-write", "-o",
                       "out.json", "rows.jsonl", "junit.junit.xml", cwd=folder)
    e2e.expect(result, 0, "--no-write has no effect", "out.json")
    written = json.loads((folder / "out.json").read_text())
    e2e.check(written["results"]["version"] == 3, "results of promptfoo, version 3", result)
    e2e.check(len((folder / "rows.jsonl").read_text().splitlines()) == 2, "a line for each cell", result)
    e2e.check("<testsuite" in (folder / "junit.junit.xml").read_text(), "JUnit XML", result)

    # The files are written for a run that is up to date, too, and in the place of older ones.
    (folder / "out.json").write_text("old")
    e2e.expect(e2e.assay("eval", "-c", "suite.yml", "-o", "out.json", cwd=folder), 0, "up to date")
    e2e.check(json.loads((folder / "out.json").read_text())["results"]["version"] == 3, "it is written anew")

    e2e.expect(e2e.assay("eval", "-c", "suite.yml", "--pass-rate", "1", "--fail-under", "0.99", cwd=folder), 100,
               "missed --fail-under 0.99")
    e2e.expect(e2e.assay("eval", "-c", "suite.yml", "--fail-under", "0.99", cwd=folder,
                         env={"PROMPTFOO_FAILED_TEST_EXIT_CODE": "7"}), 7)
    e2e.expect(e2e.assay("eval", "--watch", cwd=folder), 1, "--watch is not supported: `assay run FILE --watch`")
    for word, instead in ("redteam", "assay has no attacks on models"), ("share", "assay publishes nothing"), (
            "generate", "assay init dataset"):
        e2e.expect(e2e.assay(word, "run", cwd=folder), 1, f'"{word}" is a command of promptfoo', instead)
    e2e.check("--max-concurrency" in e2e.assay("eval", "--help", cwd=folder).stdout, "the help has promptfoo's options")

    # --export stands by itself: formats by their names, one run at a time.
    e2e.expect(e2e.assay("run", "suite.yml", "--export", "csv=cells.csv", cwd=folder), 0, "cells.csv")
    e2e.check((folder / "cells.csv").read_text().startswith("run,case"), "a table of cells")
    e2e.expect(e2e.assay("run", "suite.yml", "--export", "cvs=cells.csv", cwd=folder), 1, "did you mean csv?")
    e2e.expect(e2e.assay("run", "suite.yml", "--export", "cells.csv", cwd=folder), 1, "FORMAT=FILE")
    e2e.expect(e2e.assay("run", "suite.yml", "-m", "echo:a,echo:b", "--export", "inspect=a.eval", cwd=folder), 1,
               "holds one variant, and the run has 2")
    e2e.expect(e2e.assay("run", "suite.yml", "suite.yml", "--export", "csv=a.csv", cwd=folder), 1, "one run")
    e2e.expect(e2e.assay("run", "suite.yml", "--export", "csv=gone/deep/cells.csv", "--fresh", cwd=folder), 0)
