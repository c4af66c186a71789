#!/usr/bin/env python3
"""assay init writes a starter of each dialect that `assay check` accepts without a warning, the blueprint's runs
without a key, and nothing that is there already is touched. Each schema names every function of rubrics."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

STARTERS = {"blueprint": ["blueprint.yml"], "infibench": ["suite.yaml"], "research": ["dataset.yaml", "matrix.toml"]}
JUDGED = {"blueprint": "blueprint.yml", "research": "dataset.yaml"}    # whose starters can have judges


def starters():
    with e2e.scratch() as name:
        for dialect, files in STARTERS.items():
            e2e.expect(e2e.assay("init", dialect, dialect, cwd=name), 0, f"wrote {dialect}/{files[0]}", "next: ")
            inside = Path(name, dialect)
            checked = e2e.assay("check", "--strict", *files, cwd=inside)
            e2e.expect(checked, 0)
            e2e.check(checked.stdout.count("0 warnings") == len(files), "without a warning", checked)
        ran = e2e.assay("run", "blueprint.yml", cwd=Path(name, "blueprint"))
        e2e.check(ran.returncode == 0 and "echo:first scores 100" in ran.stdout, "the starter runs", ran)

        mine = Path(name, "infibench/cases/undo.yaml")
        mine.write_text("mine")
        Path(name, "infibench/suite.yaml").unlink()
        e2e.expect(e2e.assay("init", "infibench", "infibench", cwd=name), 1, "cases/undo.yaml is there already")
        e2e.check(mine.read_text() == "mine" and not Path(name, "infibench/suite.yaml").exists(), "all or nothing")
        e2e.expect(e2e.assay("init", "blueprnt", cwd=name), 1, "did you mean blueprint?")
        e2e.expect(e2e.assay("init", cwd=name), 0, "wrote ./blueprint.yml")


def any_one_key():
    """Whoever has the key of one provider, whichever: all three ask that provider, and name no other."""
    with e2e.scratch() as name:
        rows = json.loads(e2e.assay("list", "providers", "--json", cwd=name).stdout)
        keyed = {}
        for row in rows:
            if row["key_required"] and row.get("base_url") and row["key_variables"]:
                keyed.setdefault(row["key_variables"][0], row)    # the first of those that share a key
        e2e.check(len(keyed) > 10, f"providers with a key: {list(keyed)}")
        for variable, row in keyed.items():
            key, model, provider = {variable: "sk-test"}, row["example"], row["name"]
            for dialect in STARTERS:
                made = e2e.assay("init", dialect, f"{provider}/{dialect}", cwd=name, env=key)
                e2e.expect(made, 0, "next: ")
                inside = Path(name, provider, dialect)
                text = "".join(path.read_text() for path in inside.rglob("*.*"))
                e2e.check(model in text and (provider == "openai" or "openai:gpt" not in text), f"{dialect}: {text}")
                if dialect in JUDGED:
                    e2e.check(f"--judge {model}" in inside.joinpath(JUDGED[dialect]).read_text(), "no --judge", made)
            asked = plans(Path(name, provider), model, key)
            e2e.check(asked == {provider}, f"with {variable}, {asked} are asked")
            e2e.expect(e2e.assay("check", "--strict", "dataset.yaml", "matrix.toml",
                                 cwd=Path(name, provider, "research")), 0)


def plans(folder, model, key):
    """Which providers' models would be asked, by each of the three; a search is of the user's own settings."""
    asked = set()
    e2e.expect(e2e.assay("prepare", "--dataset", "dataset.yaml", "--snapshot-root", "snapshots",
                         cwd=folder / "research"), 0)
    for dialect, words in (("blueprint", ["blueprint.yml"]), ("infibench", ["suite.yaml", "-m", model]),
                           ("research", ["matrix.toml"])):
        planned = e2e.assay("plan", *words, "--json", cwd=folder / dialect, env=key)
        e2e.expect(planned, 0)
        asked |= {call["model"].partition(":")[0] for call in json.loads(planned.stdout)[0]["calls"]
                  if call["role"] != "tool"}
    return asked


def the_researcher_runs():
    """What init says comes next, as it stands."""
    with e2e.scratch() as name, MockServer(answer=lambda text: "at least every 21 days") as mock:
        key = {"ANTHROPIC_API_KEY": "sk-test", "ANTHROPIC_BASE_URL": mock.url}
        made = e2e.assay("init", "research", cwd=name, env=key)
        e2e.expect(made, 0, "the matrix asks anthropic:claude-haiku-4-5", "next: assay prepare")
        for words in made.stderr.partition("next: ")[2].strip().split(" && "):
            done = e2e.assay(*words.split()[1:], cwd=name, env=key)
            e2e.expect(done, 0)
        e2e.check("passed=1/1" in done.stdout, "the answer passes", done)


def schemas():
    with e2e.scratch() as name:
        for form in [*STARTERS, "fixtures", "matrix"]:
            shown = e2e.assay("schema", form, cwd=name)
            e2e.check("$schema" in json.loads(shown.stdout), f"a schema of {form}", shown)
        e2e.expect(e2e.assay("schema", "blueprints", cwd=name), 1, "did you mean blueprint?")
        known = json.loads(e2e.assay("schema", "blueprint", cwd=name).stdout)["$defs"]["point"]["properties"]
        for row in json.loads(e2e.assay("list", "checks", "--json", cwd=name).stdout):
            if row.get("dialect", "blueprint") != "blueprint" or row["name"] == "judge":
                continue
            entry = known.get("$" + row["name"])
            e2e.check(entry == {"description": row["help"]}, f"${row['name']} in the schema: {entry}")


starters()
any_one_key()
the_researcher_runs()
schemas()
