#!/usr/bin/env python3
"""The research agent against the stub of recorded sessions, one case at a time: the same verdicts, calls of tools and
of models as the original, and the same tokens where replies state them. What differs is listed here, by field."""
import json
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

GOLDEN = e2e.ROOT.parent / "shared" / "golden" / "research" / "run_artifacts"
RECORDED_PORT = "38431"

# Where this agent means to differ: (case, field) -> why. A field that is here is not compared.
APOSTROPHE = "the original finds no document where a question has an apostrophe"
DIFFERENCES = {
    "s3": {},
    "s1": {("q10-apostrophe|pipe", "tool_usage"): APOSTROPHE,
           ("q10-apostrophe|pipe", "shortlist_calls"): APOSTROPHE},
}
UNSTATED = {"q05-audit"}  # their replies state no usage: tokens are estimated from prompts, which differ


class Stub:
    """The recorded session's server on a port of its own."""

    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        script = folder / "stub_script.json"
        inputs = GOLDEN / "inputs"
        script.write_text(inputs.joinpath("stub_script.json").read_text().replace(RECORDED_PORT, str(self.port)))
        self.log = folder / "requests.jsonl"
        self.log.write_text("")
        self.process = subprocess.Popen(
            [sys.executable, inputs / "stub_server.py", str(self.port), script, inputs / "docs", self.log])
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.2).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the stub did not start")

    def requests(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def stop(self):
        self.process.kill()
        self.process.wait()


def prepare(folder, port, matrix, dataset):
    for name in (matrix, dataset):
        text = GOLDEN.joinpath("inputs", name).read_text().replace(RECORDED_PORT, str(port))
        folder.joinpath(name).write_text(text)
    home = folder / "asky_home"
    shutil.copytree(GOLDEN / "inputs" / "asky_home", home)
    for path in home.iterdir():
        path.write_text(path.read_text().replace(RECORDED_PORT, str(port)))
    return {"ASKY_HOME": str(home), "STUB_KEY": "local-test-value"}


def rows_of(session, port=RECORDED_PORT):
    rows = {}
    for path in sorted(session.glob("*/artifacts/results.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line.replace(f":{port}/", f":{RECORDED_PORT}/"))
            rows[row["run_id"], row["test_id"]] = row
    return rows


def facts_of(row):
    timings = row["timings_ms"]
    tokens = {role: (used["input_tokens"], used["output_tokens"]) for role, used in row["token_usage"].items()}
    return {"pass": row["pass"], "halted": row["halted"], "is_error": row["error"] is not None,
            "answer": row["answer"], "tool_usage": row["tool_usage"], "tool_calls": row["tool_calls"],
            "llm_calls": timings["llm_calls"], "tool_count": timings["tool_calls"],
            "ingestions": timings["local_ingestion_calls"], "shortlist_calls": timings["shortlist_calls"],
            "tokens": tokens, "fields": list(row)}


def forced_answers(row):
    """How often the original demanded an answer: its turns were used up."""
    limit = 2 if row["run_id"] == "r-tiny-turns" else 20
    return 1 if row["timings_ms"]["llm_calls"] == limit and row["timings_ms"]["tool_calls"] >= limit else 0


def compare(session, ours, theirs):
    e2e.check(sorted(ours) == sorted(theirs), f"{session}: other rows: {sorted(set(ours) ^ set(theirs))}")
    wrong = []
    for key, their in theirs.items():
        got, wanted = facts_of(ours[key]), facts_of(their)
        wanted["llm_calls"] += forced_answers(their)
        for field, value in wanted.items():
            is_listed = (key[1], field) in DIFFERENCES.get(session, {})
            if is_listed or (field == "tokens" and (key[1] in UNSTATED or forced_answers(their))):
                continue
            if got[field] != value:
                wrong.append(f"{key} {field}: got {got[field]!r}, expected {value!r}"[:700])
    e2e.check(not wrong, f"{session}: {len(wrong)} differences\n  " + "\n  ".join(wrong[:12]))


def run(session, matrix, dataset, *more):
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        stub = Stub(folder)
        try:
            environment = prepare(folder, stub.port, matrix, dataset)
            result = e2e.assay("run", matrix, "-j", "1", "--compat", "asky", "--output-root", "runs",
                               "--snapshot-root", str(GOLDEN / "snapshots"), "--base-url",
                               f"openai-compatible=http://127.0.0.1:{stub.port}/v1", *more, cwd=folder,
                               env=environment)
            sessions = list(folder.joinpath("runs").iterdir()) if folder.joinpath("runs").exists() else []
            e2e.check(len(sessions) == 1, f"expected one session, found {sessions}", result)
            compare(session, rows_of(sessions[0], stub.port), rows_of(GOLDEN / session / "output"))
        finally:
            stub.stop()


def main():
    if not GOLDEN.exists():
        e2e.skip("the recorded sessions are not here")
    run("s3", "matrix_s3.toml", "dataset_web.yaml", "--allow-host", "127.0.0.1")
    run("s1", "matrix_s1.toml", "dataset.yaml")


main()
