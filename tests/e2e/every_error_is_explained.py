#!/usr/bin/env python3
"""docs/errors.md has a row for every code of a problem and every class of an error that the sources know, and none
that they do not; `assay explain` shows each, exit codes included."""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

AREAS = ("blueprint|check|cluster|dataset|evals|extract|fixtures|grade|hosted|infibench|json|judges|lm-eval|mock_web|"
         "plan|promptfoo|recording|replay|research|run|settings|shots|suite|template|toml|yaml")
CODE = re.compile(rf'"((?:{AREAS})\.[a-z]+(?:-[a-z]+)*)"')
NO_CODES = {"json.dumps", "run.program_inputs"}
NO_FILES = {"dataset.json", "promptfoo.csv", "promptfoo.json"}
FILES = re.compile(r"\.(cc|cpp|cs|csv|eval|go|html|js|json|jsonl|md|php|py|r|rb|rs|sh|sql|toml|ts|txt|xml|yaml|yml)$")
LINT = re.compile(r'Warn\(\s*"([a-z-]+)"')
SLIP = re.compile(r'"\{\}\.([a-z-]+)", family_')
CLASS = re.compile(r'return "([a-z-]+)";')
ROW = re.compile(r"(?m)^\| (`[^|]*) \| ([^|]+) \| ([^|]*) ?\|$")


def codes_of_sources():
    files = [path for path in (e2e.ROOT / "src").rglob("*.*")
             if path.suffix in (".cc", ".h") and not path.name.endswith("_test.cc")]
    found = {code for path in files for code in CODE.findall(path.read_text())}
    lint = (e2e.ROOT / "src/dialects/infibench/lint/lint.cc").read_text()
    found |= {f"infibench.{code}" for code in LINT.findall(lint)}
    slips = (e2e.ROOT / "src/dialects/slips/plain_texts.cc").read_text()
    found |= {f"{area}.{code}" for code in SLIP.findall(slips) for area in ("blueprint", "infibench", "research")}
    return {code for code in found - NO_CODES if code in NO_FILES or not FILES.search(code)}


classes = set(CLASS.findall((e2e.ROOT / "src/base/errors/error.cc").read_text())) - {"unknown"}
rows = ROW.findall((e2e.ROOT / "docs/errors.md").read_text())
told = [code for codes, _, _ in rows for code in re.findall(r"`([^`]+)`", codes)]
wanted = codes_of_sources() | classes
e2e.check(len(wanted) > 150, f"only {len(wanted)} codes were found in the sources")
e2e.check(not wanted - set(told), f"docs/errors.md does not explain {sorted(wanted - set(told))}")
e2e.check(not set(told) - wanted, f"docs/errors.md explains what is in no source: {sorted(set(told) - wanted)}")
e2e.check(len(told) == len(set(told)), f"explained twice: {sorted(code for code in told if told.count(code) > 1)}")

with e2e.scratch() as folder:
    for code in ("run.no-key", "[run.no-key]", "blueprint.quoted-function", "rate-limited"):
        shown = e2e.assay("explain", code, cwd=folder)
        e2e.check(shown.returncode == 0 and f"{code.strip('[]')}: " in shown.stdout, code, shown)
        e2e.check("What to do: " in shown.stdout and "More: assay help errors" in shown.stdout, code, shown)
    for code in ("2", "exit 2", "exit code 2"):
        shown = e2e.assay("explain", code, cwd=folder)
        e2e.check(shown.stdout.startswith("2: the run could not finish"), "an exit code", shown)
    e2e.expect(e2e.assay("explain", "run.nokey", cwd=folder), 1, "did you mean run.no-key?")
    Path(folder, "suite.yml").write_text("models: [openai:gpt-4o]\n---\nprompt: q\nshould: [$contains: x]\n")
    missing = e2e.assay("run", "suite.yml", cwd=folder)
    e2e.expect(missing, 1, "[run.no-key]")
