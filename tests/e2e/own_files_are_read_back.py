#!/usr/bin/env python3
"""What a run writes for other tools is read back by `show` and `compare`, with the means that the run itself had; files
that hold no answers cannot be graded again."""
import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

SUITE = """id: s
models: [echo:a, echo:b]
prompts:
- {id: one, prompt: hello one, should: [$icontains: hello]}
- {id: two, prompt: hello two, should: [{$icontains: one}, {$icontains: two}]}
"""


def means(folder, *words):
    shown = e2e.assay("show", *words, "--json", cwd=folder)
    e2e.expect(shown, 0)
    return [round(each["mean"], 6) for each in json.loads(shown.stdout)["variants"]]


with e2e.scratch() as folder:
    Path(folder, "s.yml").write_text(SUITE)
    e2e.expect(e2e.assay("run", "s.yml", "-q", "--out", "out", cwd=folder), 0)
    own = means(folder, "latest")
    (comparison,) = Path(folder).glob("out/live/blueprints/*/*_comparison.json")
    (core,) = Path(folder).glob("out/live/blueprints/*/*/core.json")
    for path in (comparison, core):
        e2e.check(means(folder, str(path.relative_to(folder))) == own, f"{path.name} has the run's means: {own}")
    name = str(comparison.relative_to(folder))
    e2e.expect(e2e.assay("compare", name + "#echo:a", name + "#echo:b", cwd=folder), 0)
    e2e.expect(e2e.assay("grade", "s.yml", name, "-q", "--fresh", cwd=folder), 0)
    e2e.expect(e2e.assay("grade", "s.yml", str(core.relative_to(folder)), cwd=folder), 1, "no answers")

with e2e.scratch() as folder:
    bench = Path(folder, "bench")
    shutil.copytree(e2e.ROOT / "examples/infibench-small", bench)
    e2e.assay("grade", "suite.yaml", "responses/heron-2", "-q", "--out", "out", cwd=bench)
    e2e.check(len(means(bench, "out/suite_heron-2.yaml")) == 1, "the result file is read")
    e2e.expect(e2e.assay("grade", "suite.yaml", "out/suite_heron-2.yaml", cwd=bench), 1, "no answers")

with e2e.scratch() as folder:
    agent = Path(folder, "agent")
    shutil.copytree(e2e.ROOT / "examples/research-agent", agent)
    e2e.expect(e2e.assay("run", "matrix.toml", "-q", "--limit", "2", cwd=agent), 0)
    (session,) = agent.glob("results/research/*")
    own = sorted(means(agent, "latest"))
    for words in (session.relative_to(agent), str(session.relative_to(agent)) + "/"):
        e2e.check(sorted(means(agent, str(words))) == own, f"the session has the run's means: {own}")
    (rows,) = session.glob("lean/artifacts/results.jsonl")
    e2e.check(len(means(agent, str(rows.relative_to(agent)))) == 1, "the rows of one run are read")
