#!/usr/bin/env python3
"""assay report makes results.md and report.md of a session again from its rows and summaries, whatever wrote them."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

ROW = {"test_id": "t|1", "pass": False, "error": None, "halted": False, "elapsed_ms": 0.25, "query": "Why?",
       "assertion_detail": "no\n" + "x" * 120, "expected": {"type": "contains", "text": "\u00e9"}, "answer": "```",
       "doc_ids": ["a", "b"], "tool_calls": [{"tool_name": "search", "arguments": {"q": "a|b"}}]}
SUMMARY = {"run_id": "one", "research_mode": False, "model_alias": "m", "source_provider": "live_web", "total_cases": 1,
           "passed_cases": 0, "failed_cases": 1, "pass_rate": 0.0, "avg_elapsed_ms": 0.25}


def write_rows(artifacts, row):
    (artifacts / "results.jsonl").write_text(json.dumps(row) + "\n\n")


def write(folder):
    artifacts = Path(folder, "session/one/artifacts")
    artifacts.mkdir(parents=True)
    write_rows(artifacts, ROW)
    (artifacts / "summary.json").write_text(json.dumps(SUMMARY))
    Path(folder, "session/summary.json").write_text(json.dumps({"dataset_id": "set_v1"}))
    return artifacts


with e2e.scratch() as folder:
    artifacts = write(folder)
    result = e2e.assay("report", "session", cwd=folder)
    e2e.expect(result, 0)
    root = Path(folder, "session").resolve()
    e2e.check(result.stdout == f"Report written: {root}/report.md\n", "what is told", result)
    results = (artifacts / "results.md").read_text()
    detail = ("no " + "x" * 120)[:97] + "..."
    e2e.check(f"| `t\\|1` | FAIL | 0.2 | {detail} |  |\n" in results, results)
    e2e.check('"text": "\\u00e9"' in results and '| `search` | `{"q": "a\\\\|b"}` |\n' in results, results)
    report = (root / "report.md").read_text()
    e2e.check(report.startswith("# Research Eval Report (set_v1)\n\nOutput directory: `" + str(root)), report)
    e2e.check("| one | standard | m | live_web | - | 1 | 0 | 1 | 0 | 0 | 0.0% | 0.2 |" in report, report)

    # Names of tools with what ends a cell or a row, and rows that lack what others have, are told as the original does.
    # Arguments are escaped twice in the tables of a case, names in results.md alone.
    calls = [{"tool_name": "se|arch", "arguments": {"q": "a|b\nc`d"}}, {"tool_name": "", "arguments": {}},
             {"arguments": None}, {"tool_name": "bare"}]
    bare = {key: value for key, value in ROW.items() if key not in ("test_id", "expected")}
    (artifacts / "results.jsonl").write_text(json.dumps({**bare, "answer": None, "tool_calls": calls}) + "\n")
    (artifacts / "summary.json").write_text(json.dumps(
        {**SUMMARY, "tool_call_counts": {"": 2, "se|arch": 1},
         "tool_call_breakdown": [{"tool_name": "se|arch", "arguments": {"q": "a|b"}, "count": 1}, {"count": 2}]}))
    e2e.expect(e2e.assay("report", "session", cwd=folder), 0)
    results, report = (artifacts / "results.md").read_text(), (root / "report.md").read_text()
    for text, name in ((results, "se\\|arch"), (report, "se|arch")):
        e2e.check(f'| `{name}` | `{{"q": "a\\\\|b\\nc\'d"}}` |\n| `` | `{{}}` |\n' in text, text)
        e2e.check("| `unknown_tool` | `null` |\n| `bare` | `null` |\n" in text and "### `unknown` (FAIL)" in text, text)
        e2e.check("Answer:\n```text\n\n```" in text and "Expected:\n```json\nnull\n```" in text, text)
    e2e.check("| Tool | Total Calls |\n| --- | ---: |\n| `` | 2 |\n| `se|arch` | 1 |\n" in report, report)
    e2e.check('| `se|arch` | 1 | `{"q": "a\\|b"}` |\n| `unknown_tool` | 2 | `{}` |\n' in report, report)
    write_rows(artifacts, {**ROW, "test_id": "", "expected": None})
    e2e.expect(e2e.assay("report", "session", cwd=folder), 0)
    results = (artifacts / "results.md").read_text()
    e2e.check("| `` | FAIL |" in results and "### `` (FAIL)" in results and "```json\nnull\n```" in results, results)
    (artifacts / "summary.json").write_text(json.dumps(SUMMARY))
    write_rows(artifacts, ROW)

    # Named by a dataset, and by the flag of the original.
    Path(folder, "other.yaml").write_text(
        "docs: [{id: a, title: T, url: u}]\n"
        "tests: [{id: t, doc_id: a, query: q, expected: {type: regex, pattern: x}}]\n")
    e2e.expect(e2e.assay("report", "--dataset", "other.yaml", "--results-dir", "session", cwd=folder), 0)
    e2e.check("(other)" in (root / "report.md").read_text(), "the dataset titles the report")

    # A link in the place of a report is replaced, not followed.
    victim = Path(folder, "victim")
    victim.write_text("mine")
    (root / "report.md").unlink()
    (root / "report.md").symlink_to(victim)
    e2e.expect(e2e.assay("report", "session", cwd=folder), 0)
    e2e.check(victim.read_text() == "mine" and not (root / "report.md").is_symlink(), "links are not written through")

    (artifacts / "results.jsonl").write_text('{"test_id": "t"}\n{"test_id": \n')
    e2e.expect(e2e.assay("report", "session", cwd=folder), 1, "results.jsonl: line 2 is no row of results")
    (artifacts / "results.jsonl").unlink()
    (artifacts / "summary.json").write_text(json.dumps({**SUMMARY, "pass_rate": None}).replace('"pass_rate"', '"x"'))
    e2e.expect(e2e.assay("report", "session", cwd=folder), 1, "the summary of run one lacks `pass_rate`")
    (artifacts / "summary.json").unlink()
    e2e.expect(e2e.assay("report", "session", cwd=folder), 1, "found none")
    e2e.expect(e2e.assay("report", "nowhere", cwd=folder), 1, "expected the folder of a session")
    e2e.expect(e2e.assay("report", cwd=folder), 1, "needs the folder")
