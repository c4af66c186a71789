#!/usr/bin/env python3
"""The research example runs offline from the root of the checkout in one command: two profiles of its own program
over its pinned documents, with every file of a session."""
import json
import re
import shlex
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

RUNS = ("searching", "first-page")
FILES = {"summary.json", "report.md", "report.html"} | {
    f"{run}/artifacts/{name}" for run in RUNS for name in ("results.jsonl", "results.md", "summary.json")}


def tables(result):
    """Behind the closing block: the profiles side by side, and where they differ."""
    behind = result.stdout.split("Profiles\n")[1]
    lines = [line.split() for line in behind.splitlines()]
    e2e.check(lines[1][:4] == ["searching", "4/4", "100", "%"] and lines[1][-2:] == ["search", "4"],
              f"{lines}", result)
    e2e.check(lines[2][:4] == ["first-page", "2/4", "50", "%"], f"{lines}", result)
    differ = [line[0] for line in lines if line[1:] == ["pass", "fail"]]
    e2e.check(differ == ["wind", "warm-room"], f"{differ}", result)


def page(html):
    """Each case with its sources, what each profile was asked, and the calls of tools."""
    cases = e2e.page_data(html)["cases"]
    e2e.check(sorted(cases) == ["pears", "valve-interval", "warm-room", "wind"], f"the cases: {list(cases)}")
    case = e2e.json.dumps(cases["wind"], ensure_ascii=False)
    for words in ("Ladder notice", "https://orchard.example/ladders.txt", '"calls": [{"tool"',
                  "Answer in one sentence.", "At what wind does work on ladders stop?", "40\\\\s*km/h"):
        e2e.check(words in case, f"the case holds no {words!r}: {case[:3000]}")


def main():
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        shutil.copy(e2e.ROOT / "assay.toml", folder)
        shutil.copytree(e2e.ROOT / "examples/research-orchard", folder / "examples/research-orchard")
        readme = (e2e.ROOT / "examples/README.md").read_text()
        command = shlex.split(re.search(r"\./dev run (examples/research-orchard/.+)", readme)[1])
        untrusted = e2e.assay("run", command[0], cwd=folder)
        e2e.expect(untrusted, 1, "nobody has trusted", "assay.toml:2: starts the program python3 examples/")
        checked = e2e.assay("check", command[0], cwd=folder)
        e2e.expect(checked, 0, f"{command[0]}:9:15: warning", "nobody has trusted that")
        result = e2e.assay("run", *command, cwd=folder)
        e2e.expect(result, 0)
        session, = folder.joinpath("results/research").iterdir()
        made = {str(path.relative_to(session)) for path in session.rglob("*") if path.is_file()}
        e2e.check(made >= FILES, f"missing: {FILES - made}", result)
        runs = {run["run_id"]: run for run in json.loads((session / "summary.json").read_text())["runs"]}
        e2e.check(runs["searching"]["passed_cases"] == 4 and runs["first-page"]["passed_cases"] == 2
                  and runs["searching"]["tool_call_counts"] == {"search": 4}, f"{runs}", result)
        tables(result)
        one = e2e.assay("run", *command, "--fresh", "--select", "wind", cwd=folder)
        e2e.expect(one, 0)
        e2e.check("1 case × 2 variants" in one.stdout, "--select leaves one case", one)
        page((session / "report.html").read_text())
        other = folder / "elsewhere"
        other.mkdir()
        elsewhere = e2e.assay("run", folder / command[0], cwd=other)
        e2e.expect(elsewhere, 2, "orchard-reader")


main()
