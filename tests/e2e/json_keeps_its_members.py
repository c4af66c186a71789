#!/usr/bin/env python3
"""What docs/compatibility.md promises of --json: no member is renamed, removed or of another type than tests/golden/
json_members.txt has it. A new one is added to that list, by this script with --update."""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

MEMBERS = e2e.ROOT / "tests/golden/json_members.txt"
SUITE = """title: Words
id: words
models: [echo:a, echo:b]
temperatures: [0, 0.5]
evaluationConfig: {llm-coverage: {judges: [{model: "echo:judge", approach: holistic}]}}
---
"""
CASES = "".join(f"- {{id: q{i}, prompt: say word{i}, should: [$contains: word{i}, $contains: never]}}\n"
                for i in range(6))
JUDGED = "- id: judged\n  prompt: say word\n  should: [Says a word.]\n"
COMMANDS = {
    "run": ["run", "s.yml", "--fail-on-regression", "BASE"],
    "show": ["show", "latest"],
    "show --failed": ["show", "latest", "--failed", "--pass-at", "0.9"],
    "show --case": ["show", "latest", "--case", "q1"],
    "runs": ["runs"],
    "compare": ["compare", "latest#echo:a[temp:0]", "latest#echo:b[temp:0]"],
    "calibrate": ["calibrate", "latest", "--labels", "labels.csv"],
    "plan": ["plan", "s.yml", "--fresh"],
    "check": ["check", "bad.yml"],
    "doctor": ["doctor"],
    "doctor --config": ["doctor", "--config"],
    "cache explain": ["cache", "explain", "latest"],
    "cache prune": ["cache", "prune", "--older", "1d"],
    **{f"list {what}": ["list", what] for what in (
        "checks", "extractions", "languages", "providers", "models", "dialects", "exporters", "importers", "aggregations", "tools")},
}
TYPES = {str: "text", bool: "yes or no", int: "number", float: "number", type(None): "null"}


def members(value, path, found):
    """Paths to types; a name that is data, such as a model's, is *."""
    if isinstance(value, dict):
        found.setdefault(path, set()).add("object")
        for name, member in value.items():
            members(member, f"{path}.{name if re.fullmatch('[a-z][a-z0-9_]*', name) else '*'}", found)
    elif isinstance(value, list):
        found.setdefault(path, set()).add("list")
        for item in value:
            members(item, path + "[]", found)
    else:
        found.setdefault(path, set()).add(TYPES[type(value)])


def told(folder):
    found = {}
    base = json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)[0]["run"]
    for name, words in COMMANDS.items():
        result = e2e.assay(*(base if word == "BASE" else word for word in words), "--json", cwd=folder)
        e2e.check(result.stdout, f"{name}: nothing was printed", result)
        for line in result.stdout.splitlines() if name == "check" else [result.stdout]:
            members(json.loads(line), name, found)
    return {f"{path}: {' or '.join(sorted(types))}" for path, types in found.items()}


with e2e.scratch() as folder:
    Path(folder, "s.yml").write_text(SUITE + CASES + JUDGED)
    Path(folder, "bad.yml").write_text(e2e.suite(1).replace("    should:", "    shoud:"))
    e2e.assay("run", "s.yml", cwd=folder)
    Path(folder, "labels.csv").write_text("case,variant,label\n" + "".join(
        f"q{i},echo:{model}[temp:{t}],{i % 2}\n" for i in range(6) for model in "ab" for t in ("0", "0.5")))
    said = told(folder)
if "--update" in sys.argv:
    MEMBERS.write_text("".join(f"{line}\n" for line in sorted(said)), encoding="utf-8")
promised = set(MEMBERS.read_text(encoding="utf-8").splitlines())
for line in sorted(promised - said):
    print(f"missing or of another type: {line}")
for line in sorted(said - promised):
    print(f"new, to be added with --update: {line}")
e2e.check(promised == said, f"--json and {MEMBERS.relative_to(e2e.ROOT)} differ")
