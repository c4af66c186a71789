#!/usr/bin/env python3
"""Runs that an older assay stored stay what they were: each store in tests/data/stores was written by the version of
the store in its name, and shows, compares and exports the cells that stand beside it in cells.json, one by one.

tests/data/stores/README.md says how they were made; `--update` writes cells.json anew, which only a new store needs."""
import json
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

STORES = e2e.ROOT / "tests/data/stores"
EXPORTS = ("html", "csv", "check-csv", "junit", "markdown", "jsonl")


def cells_of(folder, run):
    """What each cell came to: state, score and answer, as the export of whole cells tells it."""
    exported = e2e.assay("export", run, "--to", "jsonl", "--store", "store.db", cwd=folder)
    e2e.expect(exported, 0)
    cells = [json.loads(line) for line in exported.stdout.splitlines()]
    return [[cell["case"], cell["variant"], cell["attempt"], cell["state"], cell.get("score"), cell.get("answer"),
             [[point.get("text"), point.get("score"), len(point.get("votes", []))] for point in cell.get("points", [])]]
            for cell in cells]


def runs_of(folder):
    runs = e2e.assay("runs", "--json", "--store", "store.db", cwd=folder)
    e2e.expect(runs, 0)
    return sorted(run["run"] for run in json.loads(runs.stdout))


def try_run(folder, run, want):
    e2e.check(cells_of(folder, run) == want, f"cells of {run} are not what they were")
    shown = e2e.assay("show", run, "--json", "--store", "store.db", cwd=folder)
    e2e.check(shown.returncode == 0 and "damaged" not in shown.stderr, f"show {run}", shown)
    for name in EXPORTS:
        exported = e2e.assay("export", run, "--to", name, "--store", "store.db", "-o", f"file.{name}", cwd=folder)
        e2e.check(exported.returncode == 0 and "damaged" not in exported.stderr, f"export {run} to {name}", exported)
    if len({cell[1] for cell in want}) > 1:
        compared = e2e.assay("compare", run, "--store", "store.db", cwd=folder)
        e2e.check(compared.returncode == 0 and "damaged" not in compared.stderr, f"compare {run}", compared)


found = {}
wanted = json.loads((STORES / "cells.json").read_text()) if (STORES / "cells.json").exists() else {}
for packed in sorted(STORES.glob("*.db.zip")):
    with e2e.scratch() as scratch:
        zipfile.ZipFile(packed).extract("store.db", scratch)
        name = packed.name.removesuffix(".db.zip")
        found[name] = {run: cells_of(scratch, run) for run in runs_of(scratch)}
        if "--update" not in sys.argv:
            e2e.check(list(found[name]) == list(wanted[name]), f"the runs of {name}")
            for run, cells in wanted[name].items():
                try_run(scratch, run, cells)
if "--update" in sys.argv:
    lines = [f"{json.dumps(name)}: {json.dumps(runs)}" for name, runs in found.items()]
    (STORES / "cells.json").write_text("{" + ",\n".join(lines) + "}\n")
print(f"{len(found)} stores, {sum(len(cells) for runs in found.values() for cells in runs.values())} cells")
