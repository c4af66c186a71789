#!/usr/bin/env python3
"""Exports open in the programs that they are for: Inspect's log reader and its command, pandas and Parquet, a JUnit
schema, promptfoo where it is installed."""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import interop  # noqa: E402

interop.enter("readers")
import exported  # noqa: E402
import pandas  # noqa: E402
from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample_summaries  # noqa: E402
from lxml import etree  # noqa: E402

TASK = """
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import includes
from inspect_ai.solver import solver

@solver
def answer():  # asks nobody: counting tokens would download a table
    async def solve(state, generate):
        state.output = ModelOutput.from_content("mockllm/model", "the output")
        return state
    return solve

samples = [Sample(id="one", input="Say it.", target="output"), Sample(id=2, input="Say more.", target="nothing")]
task = Task(dataset=samples, solver=answer(), scorer=includes(), epochs=2, name="own")
log = eval(task, model="mockllm/model", log_dir="own", display="none")[0]
assert log.status == "success", log.error.message
"""


def export(folder, form, file, run="latest"):
    e2e.expect(e2e.assay("export", run, "--to", form, "-o", file, "-q", cwd=folder), 0)
    return folder / file


def inspect(folder, cells):
    path = export(folder, "inspect", "logs/2026-11-21T20-40-10-00-00_formats_abc.eval", "latest#:b")
    mine = [cell for cell in cells if cell["variant"] == "echo:b"]
    log = read_eval_log(str(path))
    got = (log.status, log.eval.model, log.results.total_samples)
    e2e.check(got == ("success", "echo/b", len(mine)), f"{log.eval}")
    samples = {sample.id: sample for sample in log.samples}  # in an order of their ids
    got = {s.id: (s.scores["assay"].value if s.scores else None, s.error is not None) for s in log.samples}
    e2e.check(got == {c["case"]: (c["score"], c["state"] == "error") for c in mine}, f"samples: {got}")
    first = samples["=1+1"]
    e2e.check(first.input == "say word0" and first.messages[-1].text == "word0 <b>", f"messages: {first.messages}")
    e2e.check(read_eval_log(str(path), header_only=True).results.scores[0].metrics["mean"].value == 0.75, "metrics")
    e2e.check(len(read_eval_log_sample_summaries(str(path))) == len(mine), "summaries")
    e2e.check(len(list_eval_logs(str(path.parent))) == 1, "list_eval_logs finds it")
    command = [Path(sys.prefix, "bin", "inspect"), "log", "list", "--json", "--log-dir", path.parent]
    listed = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, cwd=folder)
    e2e.check(listed.returncode == 0 and "formats" in listed.stdout, "inspect log list", listed)


def a_log_of_inspect_comes_in(folder):
    """A log that Inspect's own writer made (zstd, events, a scorer of letters)."""
    script = folder / "task.py"
    script.write_text(TASK)
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, cwd=folder)
    e2e.check(ran.returncode == 0, "Inspect runs its task", ran)
    path = next((folder / "own").glob("*.eval"))
    shown = e2e.assay("show", path, "--json", cwd=folder)
    e2e.check(shown.returncode == 0, "the log is shown", shown)
    variant = json.loads(shown.stdout)["variants"][0]
    e2e.check((variant["id"], variant["mean"], variant["scored"]) == ("mockllm/model", 0.5, 4), f"{variant}")
    copy = path.with_name("copy.eval")
    shutil.copy(path, copy)
    again = e2e.assay("compare", path, copy, cwd=folder)
    e2e.check(again.returncode == 0 and "their means are equal" in again.stdout, "the log with its copy", again)


def frames(folder, cells):
    frame = pandas.read_csv(export(folder, "csv", "cells.csv"))
    e2e.check(frame["score"].dtype == "float64" and len(frame) == len(cells), f"{frame.dtypes}")
    means = frame[frame.state == "scored"].groupby("variant").score.mean()
    e2e.check(dict(means) == {"echo:a": 1.0, "echo:b": 0.75}, f"{means}")
    checks = pandas.read_csv(export(folder, "check-csv", "checks.csv"))
    checks.to_parquet(folder / "checks.parquet")
    again = pandas.read_parquet(folder / "checks.parquet")
    e2e.check(again["score"].dtype == "float64" and again["not"].dtype == "bool", "types of columns in Parquet")
    e2e.check(len(again) == len(checks), "lines in Parquet")
    e2e.check(len(pandas.read_json(export(folder, "jsonl", "cells.jsonl"), lines=True)) == len(cells), "JSON lines")


def junit(folder):
    schema = etree.XMLSchema(etree.parse(str(e2e.ROOT / "tests/support/junit.xsd")))
    schema.assertValid(etree.parse(str(export(folder, "junit", "junit.xml"))))


def promptfoo(folder):
    program = shutil.which("promptfoo")
    if program is None:
        print("skipped in part: promptfoo is not installed")
        return
    path = export(folder, "promptfoo", "promptfoo.json")
    env = {**os.environ, "PROMPTFOO_CONFIG_DIR": str(folder / "pf"), "PROMPTFOO_DISABLE_TELEMETRY": "1",
           "PROMPTFOO_DISABLE_UPDATE": "1"}
    done = subprocess.run([program, "import", str(path)], capture_output=True, text=True, check=False, env=env)
    e2e.check(done.returncode == 0, "promptfoo import takes it", done)
    eval_id = json.loads(path.read_text())["evalId"]
    shown = subprocess.run([program, "show", "eval", eval_id], capture_output=True, text=True, check=False, env=env)
    e2e.check(shown.returncode == 0, "promptfoo show", shown)


with e2e.scratch() as scratch:
    here = Path(scratch)
    run_cells = exported.run(here)
    inspect(here, run_cells)
    a_log_of_inspect_comes_in(here)
    frames(here, run_cells)
    junit(here)
    promptfoo(here)
