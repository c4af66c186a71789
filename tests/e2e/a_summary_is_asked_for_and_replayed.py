#!/usr/bin/env python3
"""An executive summary is asked for when it is wanted, replays from a recording, and stands in the result files."""
import json
import re
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

REPLY = "<key_finding><ref maker=\"MK_5000\" model=\"MD_6000\" /> repeats.</key_finding><topic>coding</topic>"


def summary_of(run, folder):
    name = next(path for path in run["files"] if path.endswith("_comparison.json"))
    return json.loads((folder / name).read_text()).get("executiveSummary")


def requests(folder):
    with sqlite3.connect(folder / ".assay/store.db") as store:
        return [row[0] for row in store.execute("SELECT CAST(request AS TEXT) FROM exchange WHERE role = 7")]


with e2e.scratch() as scratch, MockServer(fault=lambda text, attempt: status(400)) as mock:
    folder = Path(scratch)
    (folder / "suite.yml").write_text(e2e.suite(3))
    words = ("run", "suite.yml", "--json")

    def planned(*more):
        plan = json.loads(e2e.assay("plan", "suite.yml", "--json", *more, cwd=folder).stdout)[0]
        return [call for call in plan["calls"] if call["role"] == "summary"]
    e2e.check(not planned() and not planned("--compat", "weval", "--skip-executive-summary"), "none is priced unasked")
    for more in ("--require-executive-summary",), ("--compat", "weval"):
        lines = planned(*more)
        e2e.check(len(lines) == 1 and lines[0]["calls"] == 1 and 0 < lines[0]["cost_usd"] < lines[0]["cost_usd_max"],
                  f"expected the price of one summary, found {lines}")

    run = e2e.one_run(e2e.assay(*words, cwd=folder))
    e2e.check(not requests(folder) and summary_of(run, folder) is None, "expected no summary unasked")

    result = e2e.assay(*words, "--require-executive-summary", "--base-url", f"openrouter={mock.url}", cwd=folder)
    e2e.expect(result, 2, "no executive summary")
    e2e.check(summary_of(e2e.one_run(result), folder) is None, "expected files without a summary", result)
    asked = requests(folder)
    e2e.check(len(asked) == 1 and "echo:a" not in asked[0] and "MK_5000_MD_6000" in asked[0],
              f"expected one request that names nobody, found {asked}")

    line = {"v": 1, "request": "REQUEST", "reply": {"v": 1, "text": REPLY, "finish": "stop"}}
    (folder / "r.jsonl").write_text(json.dumps(line).replace('"REQUEST"', asked[0]) + "\n")
    words_replayed = ("--require-executive-summary", "--replay", "r.jsonl", "--record", "again.jsonl")
    result = e2e.assay(*words, *words_replayed, cwd=folder)
    e2e.expect(result, 0)
    summary = summary_of(e2e.one_run(result), folder)
    e2e.check(summary["structured"]["keyFindings"] == ["[a](#model-perf:echo:a) repeats."],
              "expected the finding", result)
    e2e.check(summary["structured"]["autoTags"] == ["Coding"] and summary["content"] == REPLY,
              "expected the reply", result)
    page = (folder / next(path for path in e2e.one_run(result)["files"] if path.endswith("report.html"))).read_text()
    told, = (told for path, told in e2e.page_data(page).items() if re.fullmatch("run/[^/]+", path))
    e2e.check("repeats." in told["closing"]["text"], f"expected the finding on the page: {told['closing']}")
    exported = e2e.assay("export", "latest", "--to", "html", cwd=folder)
    e2e.check(exported.stdout == page, "expected the summary in the exported page too", exported)
    e2e.check(REPLY.split()[0] in (folder / "again.jsonl").read_text(), "expected the summary in the recording")

    result = e2e.assay(*words, "--replay", "again.jsonl", "--compat", "weval", "--offline", cwd=folder)
    e2e.expect(result, 0, "warning: no executive summary")  # other ids, another report
    result = e2e.assay(*words, "--compat", "weval", "--skip-executive-summary", cwd=folder)
    e2e.expect(result, 0)
    e2e.check("summary:" not in result.stderr, "expected no summary", result)
