"""Scores that somebody else wrote: a run that this user did not make counts as made elsewhere, whatever its cells link
to, and no copy puts its cells into a run of this user."""
import json
import shutil
import signal
import sqlite3
import subprocess
import time

import e2e
from mock_server import MockServer
from postgres import PostgresServer, programs

from . import Absent, Attack
from .stores import user

STORE = ".assay/store.db"
CASES = 8
WHOLE = '{"v":1,"s":[[0,1]]}'.encode()
KEY = {"OPENAI_API_KEY": "sk-test-0821"}


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
    page = e2e.assay("export", run, "--to", "html", cwd=place, env=home)
    is_refused = page.returncode == 2 and "the store is damaged" in page.stderr  # its cells have no answers to show
    if not is_refused and words not in e2e.page_text(page.stdout):
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


def begun(folder, by, url):
    """Her unfinished run, of which a few cells have answers."""
    mine = folder / "mine"
    mine.mkdir()
    (mine / "suite.yml").write_text("id: s\nmodels: ['openai:gpt-4o-mini']\n---\n" + "".join(
        f"- id: c{i}\n  prompt: say word{i}\n  should: [{{$contains: zebra}}]\n" for i in range(CASES)))
    process = e2e.start("run", "suite.yml", "-q", "-j", "1", f"--base-url=openai={url}/v1", cwd=mine,
                        env={**by, **KEY}, output=subprocess.DEVNULL)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    process.wait()
    (cells,), = rows_of(mine / STORE, "SELECT count(*) FROM cell")
    e2e.check(0 < cells < CASES, f"{cells} of {CASES} cells are there")
    return mine


RESULTS = "SELECT cell, state, score, hex(exchanges), hex(scores) FROM cell LEFT JOIN score USING (run, cell)"


def rows_of(path, sql=RESULTS):
    with sqlite3.connect(path) as store:
        found = store.execute(sql).fetchall()
    store.close()
    return found


def all_cells(links):
    cell = f"INSERT INTO cell VALUES(1, 1, ?, {links}, 0, 0, 0, 1.0, 1.0)"
    return [("DELETE FROM score",), ("DELETE FROM cell",), *[(cell, i) for i in range(CASES)],
            *[("INSERT INTO score VALUES(1, ?, ?, NULL, NULL)", i, WHOLE) for i in range(CASES)]]


FINISHED = [*all_cells("x''"), ("UPDATE run SET state = 1, stop = 1, summary = NULL, said = NULL, mean_score = 1.0",)]
UNFINISHED = [*all_cells("x''"), ("DELETE FROM cell WHERE cell = 7",), ("DELETE FROM score WHERE cell = 7",)]
REGRADED = [("UPDATE cell SET score = 1.0",), ("UPDATE score SET scores = ?", WHOLE),
            ("UPDATE run SET finished_ms = finished_ms + 1000",),
            ("UPDATE sitting SET last_ms = last_ms + 1000, commits = commits + 1",)]


def extended(forged, through=None):
    """Somebody else's run of the id of hers, which is not finished, is copied into her store, or through a server."""
    def tries(folder):
        alice = user(folder, "alice")
        with MockServer(delay=0.4) as mock:
            mine = begun(folder, alice, mock.url)
            shutil.copy(mine / STORE, folder / "theirs.db")
            forge(folder / "theirs.db", *forged)
            before = rows_of(mine / STORE)
            why = through(folder, mine, alice) if through else kept(mine, alice, "../theirs.db", STORE)
            if why:
                return why
            if rows_of(mine / STORE) != before:
                return "her cells changed"
            result = e2e.assay("run", "suite.yml", "--json", f"--base-url=openai={mock.url}/v1", cwd=mine,
                               env={**alice, **KEY})
        e2e.expect(result, 0)
        run = e2e.one_run(result)
        if run["mean"] not in (0, 0.0) or run["foreign_replies"] != 0:
            return f"she has a mean of {run['mean']}, {run['foreign_replies']} replies are not hers"
        return None
    return tries


def kept(place, by, source, target):
    """None if the one run is named, and not copied."""
    (run,) = ids_of(place / STORE)
    told = e2e.assay("cache", "copy", source, target, cwd=place, env=by)
    return None if told.returncode == 0 and f"run {run} is not copied" in told.stderr else told.stdout + told.stderr


def through_a_server(folder, mine, alice):
    if programs() is None:
        raise Absent("PostgreSQL is not installed")
    with PostgresServer() as server:
        hers, theirs = server.new("hers"), server.new("theirs")
        e2e.expect(e2e.assay("cache", "copy", STORE, hers, cwd=mine, env=alice), 0)
        e2e.expect(e2e.assay("cache", "copy", "../theirs.db", theirs, cwd=mine, env=alice), 0)
        for source, target in (("../theirs.db", hers), (theirs, hers), (theirs, STORE)):
            if why := kept(mine, alice, source, target):
                return f"{source} to {target}: {why}"
        return None


OWN = "no copy puts a stranger's cells into one's own run"
SCORES = "a run that was made elsewhere is marked, whatever its cells link to"

ATTACKS = [
    Attack("forged scores without links, in a clone", SCORES, in_place(NO_LINKS), fast=True),
    Attack("forged scores with links, in a clone", SCORES, in_place()),
    Attack("forged scores without links, copied", SCORES, copied(NO_LINKS)),
    Attack("forged scores with links to one answer, copied", SCORES,
           copied(("UPDATE cell SET exchanges = (SELECT exchanges FROM cell WHERE cell = 0 LIMIT 1)",))),
    Attack("a finished run over her unfinished one", OWN, extended(FINISHED), fast=True),
    Attack("an unfinished run over her own", OWN, extended(UNFINISHED)),
    Attack("her own cells, graded again", OWN, extended(REGRADED)),
    Attack("a finished run, through a server", OWN, extended(FINISHED, through_a_server), slow=True),
]
