#!/usr/bin/env python3
"""Links that came with a suite lead no writing elsewhere: not the store, its lock or its folder, not the results folder
or anything in it, and no copy of a result."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

MINE = "my own words\n"


def attempt(prepare, *words, code=2, says="is a link"):
    with e2e.scratch() as name:
        folder, home = Path(name, "suite"), Path(name, "home")
        folder.mkdir()
        home.mkdir()
        (home / "mine").write_text(MINE)
        (folder / "suite.yml").write_text(e2e.suite(2))
        prepare(folder, home)
        result = e2e.assay("run", "suite.yml", *words, cwd=folder)
        e2e.expect(result, code, *([says] if says else []))
        e2e.check((home / "mine").read_text() == MINE, "the user's file was overwritten", result)
        e2e.check([p.name for p in home.iterdir()] == ["mine"], f"written elsewhere: {list(home.iterdir())}", result)
        return folder


def store(name, target):
    def prepare(folder, home):
        (folder / ".assay").mkdir()
        (folder / ".assay" / name).symlink_to(home / target)
    return prepare


def store_folder(folder, home):
    (folder / ".assay").symlink_to(home)


def results(folder, home):
    (folder / "results").symlink_to(home)


def in_results(folder, home):
    (folder / "results").mkdir()
    for name in ("live", "echoes", "runs"):
        (folder / "results" / name).symlink_to(home)


def hard_link(folder, home):
    (folder / ".assay").mkdir()
    (folder / ".assay" / "store.db.lock").hardlink_to(home / "mine")


def foreign_lock(folder, home):
    (folder / ".assay").mkdir()
    (folder / ".assay" / "store.db.lock").write_text(MINE)


for target in ("mine", "gone"):
    attempt(store("store.db.lock", target))
    attempt(store("store.db", target))
attempt(store_folder)
attempt(results)
attempt(in_results)
attempt(hard_link, says="did not write")
attempt(foreign_lock, says="did not write")
