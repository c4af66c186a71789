#!/usr/bin/env python3
"""What ended the original's sessions fails its run or its cases here, and every file is written: sources that do not
exist yet, parameters that JSON cannot hold. The recorded talk with its adapter is answered word for word."""
import json
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

GOLDEN = e2e.ROOT.parent / "shared" / "golden" / "research"
RUNS = GOLDEN / "run_artifacts"
SUPPORT = e2e.ROOT / "tests" / "support"
TIMES = ("timestamp", "elapsed_ms", "timings_ms")


def place(folder, program, *inputs):
    """The recorded layout: inputs/ beside snapshots/, with a program in the place of the model."""
    folder.mkdir()
    shutil.copytree(RUNS / "snapshots", folder / "snapshots")
    folder.joinpath("inputs").mkdir()
    for name in inputs:
        shutil.copy(RUNS / "inputs" / name, folder / "inputs")
    e2e.own_settings(f"[models.stubmain]\nmodel = 'exec:{sys.executable} {program}'\n")
    return folder


def session_of(folder):
    sessions = list((folder / "runs").iterdir())
    e2e.check(len(sessions) == 1, f"one session: {sessions}")
    return sessions[0]


def rows(session, run):
    return [json.loads(line) for line in (session / run / "artifacts/results.jsonl").read_text().splitlines()]


def all_files(session, *names):
    for run in names:
        for file in ("results.jsonl", "results.md", "summary.json"):
            e2e.check((session / run / "artifacts" / file).exists(), f"{run} has no {file}")
    for file in ("summary.json", "report.md", "report.html"):
        e2e.check((session / file).exists(), f"there is no {file}")


def comparable(row):
    row = {name: value for name, value in row.items() if name not in TIMES}
    return json.loads(re.sub(r'(\\"|")[^" ]*/snapshots/', r"\1", json.dumps(row)))


def sources_that_do_not_exist_yet(scratch):
    recorded = RUNS / "s5_abort_mock"
    folder = place(scratch / "s5", f"{SUPPORT}/session_program.py {recorded}", "matrix_s5.toml", "dataset.yaml")
    result = e2e.assay("run", "inputs/matrix_s5.toml", "-j", "1", "--compat", "asky", cwd=folder)
    e2e.expect(result, 1)  # where the original stopped
    session = session_of(folder)
    all_files(session, "ok-first", "mock")
    for ours, theirs in zip(rows(session, "ok-first"), rows(recorded / "output", "ok-first"), strict=True):
        ours, theirs = comparable(ours), comparable(theirs)
        e2e.check(ours == theirs, f"{theirs['test_id']}:\n{ours}\nexpected\n{theirs}", result)
    mock = rows(session, "mock")
    e2e.check(len(mock) == 11 and all("mock_web" in row["error"] and not row["pass"] for row in mock),
              f"{mock[:1]}", result)
    summary = json.loads((session / "summary.json").read_text())
    e2e.check([run["error_cases"] for run in summary["runs"]] == [2, 11], f"{summary}", result)


def parameters_that_json_cannot_hold(scratch):
    folder = place(scratch / "s7", "never_asked.py", "matrix_s7.toml", "dataset_web.yaml")
    result = e2e.assay("run", "inputs/matrix_s7.toml", cwd=folder)
    e2e.expect(result, 2)
    session = session_of(folder)
    all_files(session, "dt")
    found = rows(session, "dt")
    e2e.check(len(found) == 3 and all("cannot be sent" in row["error"] for row in found), f"{found[:1]}", result)


def recorded_talk(scratch):
    transcript = GOLDEN / "exec_protocol" / "transcript.jsonl"
    talk = [json.loads(line)["msg"] for line in transcript.read_text().splitlines()]
    questions = [re.split(r"Question:\n", each["query"])[1] for each in talk if each["type"] == "turn"]
    folder = place(scratch / "talk", f"{SUPPORT}/transcript_program.py {transcript}", "dataset.yaml")
    text = (folder / "inputs/dataset.yaml").read_text()
    lines = [line for line in text.splitlines()
             if "query:" not in line or any(f'"{each}"' in line for each in questions)]
    folder.joinpath("inputs/dataset.yaml").write_text("\n".join(lines) + "\n")
    run = talk[0]["run"]
    folder.joinpath("inputs/matrix.toml").write_text(
        'dataset = "./dataset.yaml"\nsnapshot_root = "../snapshots"\noutput_root = "../runs"\n'
        f'[[runs]]\nid = "{run["id"]}"\nmodel_alias = "{run["model_alias"]}"\npreload_shortlist = false\n'
        'disabled_tools = "web_search, list_dir,grep_search"\n[runs.parameters]\ntemperature = 0.1\n')
    result = e2e.assay("run", "inputs/matrix.toml", "-j", "1", "--max-retries", "0", cwd=folder)
    e2e.expect(result, 2)  # its second turn is an error
    found = rows(session_of(folder), run["id"])
    for row, told in zip(found, [each for each in talk if each["type"] == "result"], strict=True):
        e2e.check(row["answer"] == told["answer"] and row["notices"] == told["notices"]
                  and row["tool_usage"] == told["tool_usage"], f"{row}", result)
        error = told["error"] and f"{told['error']['class']}: {told['error']['message']}"
        e2e.check(row["error"] == error, f"{row['error']}, expected {error}", result)
        for role, used in told["token_usage"].items():
            e2e.check(used.items() <= row["token_usage"][role].items(), f"{row['token_usage']}", result)
        e2e.check(row["timings_ms"]["client_init_ms"] == told["client_init_ms"], f"{row['timings_ms']}", result)
    starts = [each for each in talk if each.get("event") == "tool_start" and each["id"] == "case1"]
    called = [call["tool_name"] for call in found[0]["tool_calls"]]
    e2e.check(called == [each["tool_name"] for each in starts], f"{called}", result)
    aliases = [row["token_usage"]["summarizer"]["model_alias"] for row in found]
    e2e.check(aliases == ["stubsum"] * 3, f"{aliases}", result)
    times = [row["timings_ms"] for row in found]
    e2e.check(times[0]["llm_calls"] == 3 and times[1]["llm_calls"] == 0, f"pairs count: {times}", result)
    e2e.check(abs(times[0]["local_ingestion_ms"] - 1144.4118) < 0.001, f"{times}", result)


def main():
    if not GOLDEN.exists():
        e2e.skip("the recorded sessions are not here")
    with e2e.scratch() as scratch:
        sources_that_do_not_exist_yet(Path(scratch))
        parameters_that_json_cannot_hold(Path(scratch))
        recorded_talk(Path(scratch))


main()
