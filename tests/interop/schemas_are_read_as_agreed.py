#!/usr/bin/env python3
"""$matches_schema grades as the official JSON-Schema-Test-Suite says, drafts 7 and 2020-12: every required test that
needs no other document. The suite travels in the sources of the Python package jsonschema."""
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import interop  # noqa: E402

SOURCES = "jsonschema==4.26.0"
DRAFTS = {"draft7": "http://json-schema.org/draft-07/schema#", "draft2020-12": None}
ELSEWHERE = ("leads to another document", "$schema: expected draft")


def official(folder):
    """The folder of the suite, unpacked."""
    place = interop.folder() / "jsonschema-sources"
    if not any(place.glob("*.tar.gz")):
        words = ["-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--no-binary", "jsonschema"]
        done = subprocess.run([sys.executable, *words, "-d", place, SOURCES], capture_output=True, text=True)
        if done.returncode != 0:
            e2e.skip(f"{SOURCES} cannot be had: {(done.stderr.strip() or 'nothing said').splitlines()[-1]}")
    with tarfile.open(next(place.glob("*.tar.gz"))) as archive:
        members = [each for each in archive.getmembers() if "/json/tests/" in each.name and each.isfile()]
        archive.extractall(folder, members, filter="data") if hasattr(tarfile, "data_filter") else \
            archive.extractall(folder, members)
    return next(Path(folder).glob("jsonschema-*/json/tests"))


def schemas(tests, draft):
    """(name, schema, [(value, valid)]) of every group of tests."""
    for file in sorted((tests / draft).glob("*.json")):
        for group in json.loads(file.read_text()):
            schema = group["schema"]
            if DRAFTS[draft] and isinstance(schema, dict):
                schema = {"$schema": DRAFTS[draft], **schema}
            # A bare `true` means the prompt's own.
            schema = {"allOf": [schema], **({"$schema": DRAFTS[draft]} if DRAFTS[draft] else {})} if isinstance(
                schema, bool) else schema
            yield f"{file.stem}: {group['description']}", schema, [(t["data"], t["valid"]) for t in group["tests"]]


def run(folder, name, groups):
    prompts = [{"id": f"p{i}-{j}", "prompt": json.dumps(value), "should": [{"$matches_schema": schema}]}
               for i, (_, schema, values) in enumerate(groups) for j, (value, _) in enumerate(values)]
    Path(folder, f"{name}.json").write_text(json.dumps({"id": name, "models": ["echo:a"], "prompts": prompts}))
    result = e2e.assay("run", f"{name}.json", "--out", f"out-{name}", "--json", cwd=folder)
    e2e.check(result.returncode in (0, 3), "the run failed", result)
    told = json.loads(next(Path(folder, f"out-{name}").rglob("*_comparison.json")).read_text())
    return {prompt: by_model["echo:a"]["avgCoverageExtent"]
            for prompt, by_model in told["evaluationResults"]["llmCoverageScores"].items()}


def is_elsewhere(folder, group):
    """Whether the schema is refused for another document, as it has to be."""
    prompt = {"id": "p", "prompt": "1", "should": [{"$matches_schema": group[1]}]}
    Path(folder, "one.json").write_text(json.dumps({"id": "one", "models": ["echo:a"], "prompts": [prompt]}))
    result = e2e.assay("check", "one.json", cwd=folder)
    return result.returncode == 1 and any(words in result.stderr + result.stdout for words in ELSEWHERE)


with e2e.scratch() as folder:
    os.chdir(folder)
    tests = official(folder)
    for draft in DRAFTS:
        groups = list(schemas(tests, draft))
        # All of them at once tell whether any is refused; those are then looked at one by one.
        remote = [group for group in groups if any(word in json.dumps(group[1]) for word in (
            "localhost:1234", "folderInteger", "draft-07/schema", "draft/2020-12/schema", "nested/", ".json"))]
        refused = [group for group in remote if is_elsewhere(folder, group)]
        kept = [group for group in groups if group not in refused]
        scores = run(folder, draft.replace(".", ""), kept)
        wrong = [f"{name}: {json.dumps(value)}" for i, (name, _, values) in enumerate(kept)
                 for j, (value, valid) in enumerate(values) if scores[f"p{i}-{j}"] != (1 if valid else 0)]
        e2e.check(not wrong, f"{draft}: {len(wrong)} tests: {wrong[:10]}")
        left_out = sum(len(group[2]) for group in refused)
        e2e.check(left_out <= 60, f"{draft}: {left_out} tests are left out")
        print(f"{draft}: {len(scores)} tests as the suite says, {left_out} need another document")
