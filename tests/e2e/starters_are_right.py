#!/usr/bin/env python3
"""assay init writes a starter of each dialect that `assay check` accepts without a warning, the blueprint's runs
without a key, and nothing that is there already is touched. Each schema names every function of rubrics."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

STARTERS = {"blueprint": ["blueprint.yml"], "infibench": ["suite.yaml"], "research": ["dataset.yaml", "matrix.toml"]}


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


def schemas():
    with e2e.scratch() as name:
        for dialect in STARTERS:
            shown = e2e.assay("schema", dialect, cwd=name)
            e2e.check("$schema" in json.loads(shown.stdout), f"a schema of {dialect}", shown)
        e2e.expect(e2e.assay("schema", "blueprints", cwd=name), 1, "did you mean blueprint?")
        point = json.loads(e2e.assay("schema", "blueprint", cwd=name).stdout)["$defs"]["point"]
        known = next(form["properties"] for form in point["anyOf"] if "properties" in form)
        for row in json.loads(e2e.assay("list", "checks", "--json", cwd=name).stdout):
            if row.get("dialect", "blueprint") != "blueprint" or row["name"] == "judge":
                continue
            entry = known.get("$" + row["name"])
            e2e.check(entry == {"description": row["help"]}, f"${row['name']} in src/cli/schemas: {entry}")


starters()
schemas()
