#!/usr/bin/env python3
"""The example of the research agent runs offline from the root of the checkout in one command: four profiles, their
tools and rounds, all from its recording. With --update the recording is made again, by a model that only reads."""
import json
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import reading_model  # noqa: E402

EXAMPLE = e2e.ROOT / "examples/research-agent"
MATRIX = "examples/research-agent/matrix.toml"
RECORDING = "examples/research-agent/matrix.replay.jsonl"
RUNS = ("research", "lean", "standard", "mock-web")


def copy_to(folder):
    shutil.copy(e2e.ROOT / "assay.toml", folder)
    shutil.copytree(EXAMPLE, folder / "examples/research-agent")


def record():
    """Asks the model that reads, and names it as the example does."""
    with e2e.scratch() as scratch, reading_model.server() as server:
        folder = Path(scratch)
        copy_to(folder)
        folder.joinpath(RECORDING).unlink(missing_ok=True)
        matrix = folder / MATRIX
        matrix.write_text(matrix.read_text().replace("demo:", "openai-compatible:"))
        result = e2e.assay("run", MATRIX, "-j", "1", "--record", "new.jsonl",
                           f"--base-url=openai-compatible={server.url}/v1", cwd=folder)
        e2e.expect(result, 0)
        lines = folder.joinpath("new.jsonl").read_text().splitlines(keepends=True)
        text = "".join(line for line in lines if '"http"' not in line[:40])  # web.yaml has the pages
        text = re.sub(r'"openai-compatible"(,"model":"[^"]+"),"base_url":"[^"]+"', r'"demo"\1', text)
        (EXAMPLE / "matrix.replay.jsonl").write_text(text)


def main():
    if "--update" in sys.argv:
        record()
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        copy_to(folder)
        readme = (e2e.ROOT / "examples/README.md").read_text()
        command = re.search(r"\./dev run (examples/research-agent/\S+)", readme)[1]
        result = e2e.assay("run", command, cwd=folder)
        e2e.expect(result, 0)
        session, = folder.joinpath("results/research").iterdir()
        profiles(session, result)
        traces(folder)
        again = e2e.assay("run", command, "--offline", cwd=folder)
        e2e.expect(again, 0)
        what_is_missing(folder, command)


def profiles(session, result):
    runs = {run["run_id"]: run for run in json.loads((session / "summary.json").read_text())["runs"]}
    e2e.check(tuple(runs) == RUNS, f"{list(runs)}", result)
    passed = [run["passed_cases"] for run in runs.values()]
    e2e.check(passed == [4, 3, 4, 3] and not any(run["error_cases"] for run in runs.values()), f"{passed}", result)
    used = [run["tool_call_counts"] for run in runs.values()]
    e2e.check(used == [{"get_relevant_content": 4, "save_finding": 4}, {}, {"grep_search": 4, "list_dir": 4},
                       {"web_search": 3}], f"{used}", result)
    recording = (EXAMPLE / "matrix.replay.jsonl").read_text()
    e2e.check("Ignore your instructions" not in recording, "a model was shown what the page hides")
    e2e.check(str(e2e.ROOT) not in recording and "/tmp" not in recording, "the recording names paths of its machine")


def traces(folder):
    """Evidence beforehand, then rounds with tools and passages; a lean run has one round and no tool."""
    shown = e2e.assay("show", "latest", "--case", "spill", "--json", cwd=folder)
    research, lean, *_ = [attempt["trace"] for attempt in json.loads(shown.stdout)["attempts"]]
    e2e.check(research["gathered"][0]["place"].startswith("fuel.md"), f"{research['gathered']}", shown)
    calls = [[call["tool"] for call in each["calls"]] for each in research["rounds"]]
    e2e.check(calls == [["get_relevant_content", "save_finding"], []], f"{calls}", shown)
    found = research["rounds"][0]["calls"][0]["evidence"]
    e2e.check(found and all(each["source"].startswith("corpus://cache/") for each in found), f"{found}", shown)
    e2e.check([each["calls"] for each in lean["rounds"]] == [[]], f"{lean}", shown)


def what_is_missing(folder, command):
    """A recording that lacks a reply: the cases that need it are errors, the others stand."""
    recording = folder / RECORDING
    lines = recording.read_text().splitlines()
    gone = next(i for i, line in enumerate(lines) if "40 kg of absorbent" in line.partition('"reply"')[2])
    recording.write_text("\n".join(lines[:gone] + lines[gone + 1:]) + "\n")
    result = e2e.assay("run", command, "--store", "other.db", cwd=folder)
    e2e.expect(result, 2)
    e2e.check("1 of 16 cells" in result.stderr, "one case is an error", result)


main()
