#!/usr/bin/env python3
"""`assay run-config local` takes the options of the blueprints' own tool and writes where that tool writes."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

with e2e.scratch() as scratch:
    folder = Path(scratch)
    (folder / "bp").mkdir()
    (folder / "bp/s.yml").write_text(e2e.suite(2))
    words = ("run-config", "local", "--config", "bp/s.yml", "-r", "first", "--skip-executive-summary")
    e2e.expect(e2e.assay(*words, "--update-summaries", cwd=folder), 0)
    base = folder / ".results/live/blueprints/bp__s"
    written = sorted(p.name for p in base.glob("first_*"))
    e2e.check(len(written) == 2 and written[1].endswith("_comparison.json"), f"expected a run, found {written}")
    summary = json.loads((base / "summary.json").read_text())
    e2e.check([r["fileName"] for r in summary["runs"]] == [written[1]], "expected one run in summary.json")
    scores = summary["runs"][0]["perModelScores"]["echo:a[temp:0]"]
    e2e.check(0 < scores["coverage"]["average"] < 1, f"expected a score, found {scores}")

    # Answers are asked anew unless --cache is there.
    again = e2e.one_run(e2e.assay(*words, "--json", cwd=folder))
    e2e.check(again["requests_sent"] == 2, "expected two requests")
    cached = e2e.one_run(e2e.assay(*words, "--json", "--cache", "--update-summaries", cwd=folder))
    e2e.check(cached["requests_sent"] == 0, "expected no request")
    summary = json.loads((base / "summary.json").read_text())
    stamps = [r["timestamp"] for r in summary["runs"]]
    e2e.check(len(stamps) == 2 and stamps == sorted(stamps, reverse=True), "expected two runs, newest first")
    e2e.check(not list(base.glob("*.new")), "expected no unfinished file")

    files = sorted(p for p in folder.rglob("*") if p.is_file())
    result = e2e.assay(*words, "--demo-stdout", cwd=folder)
    e2e.expect(result, 0)
    payload = json.loads(result.stdout)
    e2e.check(list(payload) == ["configId", "configTitle", "runLabel", "timestamp", "evalMethodsUsed", "promptIds",
                                "allFinalAssistantResponses", "evaluationResults"], "expected the payload", result)
    e2e.check(payload["evalMethodsUsed"] == ["llm-coverage"], "expected coverage only", result)
    e2e.check(sorted(p for p in folder.rglob("*") if p.is_file()) == files, "expected no further file")

    (base / "summary.json").write_text("[1]")
    e2e.expect(e2e.assay(*words, "--update-summaries", cwd=folder), 2, "expected a JSON object")
    e2e.check((base / "summary.json").read_text() == "[1]", "expected the file as it was")
    e2e.expect(e2e.assay("run-config", "github", "--name", "x", cwd=folder), 1)
    e2e.expect(e2e.assay("run-config", "github", cwd=folder), 1, "local")
    e2e.expect(e2e.assay("run-config", "local", cwd=folder), 1, "--config FILE")

    # A format without such a line was called through a null pointer.
    suite = e2e.ROOT / "examples/infibench-small/suite.yaml"
    no_line = e2e.assay("run-config", "local", "--config", suite, "--demo-stdout", cwd=folder)
    e2e.expect(no_line, 1, "--demo-stdout: a run of infibench has no such line")
