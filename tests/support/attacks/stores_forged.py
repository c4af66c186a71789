"""Scores that somebody else wrote: a run that this user did not make counts as made elsewhere, whatever its cells link
to, and no copy puts its cells into a run of this user."""
import json
import shutil
import sqlite3

import e2e

from . import Attack
from .stores import user

STORE = ".assay/store.db"
CASES = 8
WHOLE = '{"v":1,"s":[[0,1]]}'.encode()


def ids_of(path):
    with sqlite3.connect(path) as store:
        found = [run for run, in store.execute("SELECT id FROM run ORDER BY number")]
    store.close()
    return found


def forge(path, *statements):
    with sqlite3.connect(path) as store:
        for sql, *values in statements:
            store.execute(sql, values)
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()


NO_LINKS = ("UPDATE cell SET exchanges = x''",)
ALL_RIGHT = [("UPDATE cell SET score = 1.0 WHERE run = 2",), ("UPDATE score SET scores = ? WHERE run = 2", WHOLE),
             ("UPDATE run SET summary = NULL WHERE number = 2",)]


def answered(folder, name, by):
    """A project of two runs, of which half of the answers are wrong."""
    place = folder / name
    place.mkdir()
    (place / "suite.yml").write_text("id: s\nmodels: [echo:a]\n---\n" + "".join(
        f"- id: c{i}\n  prompt: say word{i}\n  should: [{{$contains: {'word' if i % 2 else 'zebra'}}}]\n"
        for i in range(CASES)))
    for more in ([], ["--fresh"]):
        e2e.expect(e2e.assay("run", "suite.yml", "-q", *more, cwd=place, env=by), 0)
    return place


def marked(place, by, run, base, most=2 * CASES):
    """None if everything that tells of the run says that its answers are somebody else's, and its gates are closed."""
    home = {**by, "CI": ""}
    for gate in ("--fail-on-flip", "--fail-on-regression"):
        shown = e2e.assay("show", run, gate, base, cwd=place, env=home)
        if shown.returncode != 1 or "this user did not make" not in shown.stderr:
            return f"show {gate}: exit {shown.returncode}: {shown.stderr}"
    counted = json.loads(e2e.assay("show", run, "--json", cwd=place, env=home).stdout)["foreign_replies"]
    if not CASES <= counted <= most:
        return f"{counted} of {CASES} answers are marked"
    words = f"{counted} replies that this user did not make"
    for told in (e2e.assay("show", run, cwd=place, env=home).stdout,
                 e2e.assay("export", run, "--to", "github-summary", cwd=place, env=home).stdout,
                 e2e.assay("compare", run, base, cwd=place, env=home).stderr):
        if words not in told:
            return f"no mark: {told[:600]}"
    if f'name="foreign_replies" value="{counted}"' not in e2e.assay("export", run, "--to", "junit", cwd=place,
                                                                    env=home).stdout:
        return "JUnit has no mark"
    page = e2e.page_text(e2e.assay("export", run, "--to", "html", cwd=place, env=home).stdout)
    if words not in page:
        return "the page has no mark"
    listed = e2e.assay("runs", cwd=place, env=home).stdout
    return None if "that this user did not make: " in listed and run in listed.splitlines()[-1] else listed


def in_place(*links):
    """A clone whose second run has forged scores, and cells with these links."""
    def tries(folder):
        theirs = answered(folder, "theirs", user(folder, "mallory"))
        forge(theirs / STORE, *links, *ALL_RIGHT)
        mine = folder / "mine"
        shutil.copytree(theirs, mine)
        base, run = ids_of(mine / STORE)
        return marked(mine, user(folder, "alice"), run, base)
    return tries


def copied(*links):
    """The same run, copied into a store of hers."""
    def tries(folder):
        mallory, alice = user(folder, "mallory"), user(folder, "alice")
        theirs, mine = answered(folder, "theirs", mallory), answered(folder, "mine", alice)
        forge(theirs / STORE, ("UPDATE run SET id = id || 'x'",), *links, *ALL_RIGHT)
        e2e.expect(e2e.assay("cache", "copy", theirs / STORE, STORE, cwd=mine, env=alice), 0)
        own, run = ids_of(mine / STORE)[0], ids_of(theirs / STORE)[1]
        own_marks = json.loads(e2e.assay("show", own, "--json", cwd=mine, env=alice).stdout)["foreign_replies"]
        if own_marks != 0:
            return f"{own_marks} of her own answers are marked"
        return marked(mine, alice, run, own)
    return tries


SCORES = "a run that was made elsewhere is marked, whatever its cells link to"

ATTACKS = [
    Attack("forged scores without links, in a clone", SCORES, in_place(NO_LINKS), fast=True),
    Attack("forged scores with links, in a clone", SCORES, in_place()),
    Attack("forged scores without links, copied", SCORES, copied(NO_LINKS)),
    Attack("forged scores with links to one answer, copied", SCORES,
           copied(("UPDATE cell SET exchanges = (SELECT exchanges FROM cell WHERE cell = 0 LIMIT 1)",))),
]
