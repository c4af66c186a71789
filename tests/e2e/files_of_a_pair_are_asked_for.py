#!/usr/bin/env python3
"""A blueprint's run leaves three files; one file for each prompt, model and part comes where it is asked for."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

SUITE = """
models: ["echo:a", "echo:b"]
---
- {id: one, prompt: say one, ideal: one, should: [{$contains: one}]}
- {id: two, prompt: say two, should: [{$contains: two}]}
"""
INFIBENCH_CASE = "id: c\nprompt_path: case.txt\ntype: code completion\nlang: bash\ngrading:\n  keywords: [one]\n"
PARTS = {"responses", "coverage", "histories"}


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def run(folder, out, *options, command=("run", "suite.yml")):
    result = e2e.assay(*command, "--out", out, "--eval-method", "llm-coverage", "--json", *options, cwd=folder)
    e2e.expect(result, 0)
    written = sorted(str(Path(path).relative_to(out)) for path in e2e.one_run(result)["files"])
    found = files_below(Path(folder, out))
    e2e.check(written == found, f"the run names what it wrote: {written}, found {found}", result)
    return found, result


def small(files):
    return [name for name in files if PARTS & set(name.split("/"))]


with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(SUITE)
    files, result = run(folder, "plain")
    endings = sorted(name.split("/")[-1].split("_")[-1] for name in files)
    e2e.check(endings == ["comparison.json", "core.json", "report.html"], f"three files: {files}", result)

    split, result = run(folder, "split", "--artefacts")
    e2e.check(len(small(split)) == 15 and len(split) == 18, f"and one for each part: {split}", result)
    [answer] = [name for name in split if "/responses/one/" in name and "a.json" in name]
    e2e.check("say one" in json.loads(Path(folder, "split", answer).read_text()), "an answer of its own", result)

    same, result = run(folder, "weval", "--compat", "weval", "--skip-executive-summary")
    e2e.check(len(small(same)) == 15, f"as weval does: {same}", result)
    aliased, result = run(folder, "alias", "--skip-executive-summary",
                          command=("run-config", "local", "--config", "suite.yml"))
    e2e.check(len(small(aliased)) == 15, f"as its own command line does: {aliased}", result)

    Path(folder, "case.yaml").write_text(INFIBENCH_CASE)
    Path(folder, "case.txt").write_text("Say it.\n")
    Path(folder, "suite.yaml").write_text("cases: [case.yaml]\n")
    result = e2e.assay("run", "suite.yaml", "-m", "echo:a", "--artefacts", "--out", "no", cwd=folder)
    e2e.expect(result, 1, "--artefacts: the files of infibench are not split", "leave it out")
