"""Whose a store, a row and a name are: after a kill, on a server whatever its address looks like, in the pages, and
where a file has the name of a run."""
import json
import shutil
import signal
import sqlite3
import subprocess
import time

import e2e
from mock_server import MockServer
from postgres import PostgresServer, programs
from viewing import View

from . import Absent, Attack
from .stores import closed, foreign, project, user
from .stores_forged import ALL_RIGHT, CASES, KEY, NO_LINKS, STORE, WHOLE, answered, forge, ids_of


def killed(place, by):
    """Ends a run of hers by SIGKILL, so that its -wal stays."""
    (place / "slow.yml").write_text("id: slow\nmodels: ['openai:gpt-4o-mini']\n---\n" + "".join(
        f"- id: s{i}\n  prompt: say word{i}\n" for i in range(40)))
    with MockServer(delay=0.2) as server:
        process = e2e.start("run", "slow.yml", "-q", "-j", "1", f"--base-url=openai={server.url}/v1", cwd=place,
                            env={**by, **KEY}, output=subprocess.DEVNULL)
        time.sleep(1.5)
        process.kill()
        process.wait()
    e2e.check((place / f"{STORE}-wal").stat().st_size > 0, "the killed run left no -wal")


def over_a_killed_one(folder):
    """A stranger's store that is copied over hers, in place, after a kill."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    theirs, mine = project(folder, "theirs", mallory), project(folder, "mine", alice)
    killed(mine, alice)
    if counted := foreign(mine, alice):
        return f"{counted} replies of her own killed store are not hers"
    killed(mine, alice)
    (mine / f"{STORE}-wal").write_bytes(b"")
    (mine / STORE).write_bytes((theirs / STORE).read_bytes())
    return closed(mine, alice)


def beside_a_killed_one(folder):
    """A stranger's -wal that is copied over that of a killed run, in place."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    theirs, mine = project(folder, "theirs", mallory), project(folder, "mine", alice)
    killed(mine, alice)
    killed(theirs, mallory)
    (mine / f"{STORE}-wal").write_bytes((theirs / f"{STORE}-wal").read_bytes())
    shown = e2e.assay("run", "suite.yml", "--fail-under", "0.5", cwd=mine, env=alice)
    return None if shown.returncode == 1 else f"the gate opened: exit {shown.returncode}: {shown.stderr}"


def under_a_living_one(folder):
    """A stranger's -wal that is copied over hers while her run writes: nothing of it becomes part of her store."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    theirs, mine = answered(folder, "theirs", mallory), answered(folder, "mine", alice)
    store = sqlite3.connect(theirs / STORE)
    store.execute("PRAGMA journal_mode = WAL")
    store.execute("PRAGMA wal_autocheckpoint = 0")
    store.execute("VACUUM")
    strange = (theirs / f"{STORE}-wal").read_bytes()
    store.close()
    (mine / "slow.yml").write_text("id: slow\nmodels: ['openai:gpt-4o-mini']\n---\n" + "".join(
        f"- id: s{i}\n  prompt: say word{i}\n" for i in range(40)))
    before = (mine / STORE).read_bytes()
    with MockServer(delay=0.1) as server:
        words = ["run", "slow.yml", "-j", "1", f"--base-url=openai={server.url}/v1"]
        process = e2e.start(*words, cwd=mine, env={**alice, **KEY}, output=subprocess.PIPE)
        time.sleep(2)
        (mine / f"{STORE}-wal").write_bytes(strange)
        told = process.communicate()[1]
        if process.returncode == 0 or "another program has changed it" not in str(told):
            return f"the run ends with {process.returncode}: {told}"
        if (mine / STORE).read_bytes() != before:
            return "pages of the -wal were moved into her store"
        (mine / f"{STORE}-wal").unlink()
        again = e2e.assay(*words, cwd=mine, env={**alice, **KEY})
    return None if again.returncode == 0 else f"the same command fails: {again.stderr}"


def in_place_of_a_living_one(how):
    """A forged version of her store takes its place while her run writes (`how(forged, hers)`), as `git pull` brings
    one: the run ends, and the forged replies are not hers."""
    def tries(folder):
        alice = user(folder, "alice")
        mine = answered(folder, "mine", alice)
        forged = folder / "forged.db"
        shutil.copy(mine / STORE, forged)
        store = sqlite3.connect(forged)
        store.execute("UPDATE exchange SET reply = replace(reply, 'word', 'Word')")
        store.commit()
        store.close()
        (mine / "slow.yml").write_text("id: slow\nmodels: ['openai:gpt-4o-mini']\n---\n" + "".join(
            f"- id: s{i}\n  prompt: say word{i}\n" for i in range(40)))
        with MockServer(delay=0.1) as server:
            process = e2e.start("run", "slow.yml", "-j", "1", f"--base-url=openai={server.url}/v1", cwd=mine,
                                env={**alice, **KEY}, output=subprocess.PIPE)
            time.sleep(2)
            how(forged, mine / STORE)
            told = process.communicate()[1]
        if process.returncode == 0 or "another program has changed it" not in str(told):
            return f"the run ends with {process.returncode}: {told}"
        shown = e2e.assay("show", "latest", "--fail-under", "0.5", cwd=mine, env=alice)
        return None if shown.returncode != 0 else f"the gate opened: {shown.stdout}{shown.stderr}"
    return tries


def put_there(forged, store):
    forged.rename(store)


def written_over(forged, store):
    store.write_bytes(forged.read_bytes())


def linked_there(forged, store):
    store.unlink()
    store.hardlink_to(forged)


def longer_than_it_was(folder):
    """The -wal of a killed run that a stranger has seen, made longer by his own run, and copied back in place."""
    alice = user(folder, "alice")
    mine = project(folder, "mine", alice)
    killed(mine, alice)
    theirs = folder / "theirs"
    shutil.copytree(mine / ".assay", theirs)
    store = sqlite3.connect(theirs / "store.db")
    store.execute("PRAGMA wal_autocheckpoint = 0")
    store.execute("UPDATE exchange SET reply = replace(reply, 'word', 'Word')")
    store.commit()
    (mine / f"{STORE}-wal").write_bytes((theirs / "store.db-wal").read_bytes())
    store.close()
    shown = e2e.assay("run", "suite.yml", "--fail-under", "0.5", cwd=mine, env=alice)
    return None if shown.returncode == 1 else f"the gate opened: exit {shown.returncode}: {shown.stderr}"


def cells_of_no_run(folder):
    """Cells whose run a stranger has removed wait for the number of her first run."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    theirs = answered(folder, "theirs", mallory)
    forge(theirs / STORE, *ALL_RIGHT, ("DELETE FROM cell WHERE run = 1",), ("DELETE FROM score WHERE run = 1",),
          ("UPDATE cell SET run = 1, score = 1.0",), ("UPDATE score SET run = 1, scores = ?", WHOLE),
          *[(f"DELETE FROM {table}",) for table in ("run", "sitting", "change", "exchange", "exchange_key")])
    mine = folder / "mine"
    mine.mkdir()
    shutil.copytree(theirs / ".assay", mine / ".assay")
    with MockServer(delay=0.3) as mock:
        (mine / "suite.yml").write_text((theirs / "suite.yml").read_text().replace("echo:a", "openai:gpt-4o-mini"))
        words = ["run", "suite.yml", "-q", "-j", "1", f"--base-url=openai={mock.url}/v1"]
        process = e2e.start(*words, cwd=mine, env={**alice, **KEY}, output=subprocess.DEVNULL)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.wait()
        result = e2e.assay(*words, "--json", cwd=mine, env={**alice, **KEY})
    e2e.expect(result, 0)
    mean = e2e.one_run(result)["mean"]
    return None if mean == 0.5 else f"her run has a mean of {mean}"


def on_a_server(folder):
    """The marks of what she copied to a server, by other spellings of its address, and for other users."""
    if programs() is None:
        raise Absent("PostgreSQL is not installed")
    mallory, alice, bob = (user(folder, name) for name in ("mallory", "alice", "bob"))
    theirs, mine = answered(folder, "theirs", mallory), answered(folder, "mine", alice)
    forge(theirs / STORE, ("UPDATE run SET id = id || 'x'",), NO_LINKS, *ALL_RIGHT)
    own, run = ids_of(mine / STORE)[1], ids_of(theirs / STORE)[1]
    with PostgresServer() as server:
        url = server.new("runs")
        for store in (STORE, "../theirs/" + STORE):
            e2e.expect(e2e.assay("cache", "copy", store, url, cwd=mine, env=alice), 0)
        spellings = (url, url.replace("postgresql://", "postgres://"), url.replace("assay@", "") + "&user=assay",
                     url + "&application_name=x")
        for by in (alice, bob):
            for spelling in spellings:
                at = ["--store", spelling]
                for name, least, most in ((run, CASES, 2 * CASES), (own, 0, 0)):
                    shown = e2e.assay("show", name, "--json", *at, cwd=mine, env=by)
                    counted = json.loads(shown.stdout)["foreign_replies"]
                    if not least <= counted <= most:
                        return f"{spelling}: {counted} replies of {name} are marked"
                gate = e2e.assay("show", run, "--fail-on-flip", own, *at, cwd=mine, env={**by, "CI": ""})
                if gate.returncode != 1 or "this user did not make" not in gate.stderr:
                    return f"{spelling}: the gate opened: {gate.stderr}"
        back = e2e.assay("cache", "copy", url, "back.db", cwd=mine, env=bob)
        e2e.expect(back, 0)
        counted = json.loads(e2e.assay("show", run, "--json", "--store", "back.db", cwd=mine, env=bob).stdout)
        return None if counted["foreign_replies"] >= CASES else "the marks did not come back"


def killed_while_copying(folder):
    """A copy to a server that is killed half-way leaves no reply of others without a mark."""
    if programs() is None:
        raise Absent("PostgreSQL is not installed")
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    theirs = folder / "theirs"
    theirs.mkdir()
    (theirs / "suite.yml").write_text(e2e.suite(400))
    for _ in range(5):
        e2e.expect(e2e.assay("run", "suite.yml", "-q", "--fresh", cwd=theirs, env=mallory), 0)
    with PostgresServer() as server:
        url = server.new("runs")
        marks = ("SELECT count(*) FROM exchange WHERE NOT EXISTS (SELECT 1 FROM made_elsewhere WHERE kind = 0 AND id "
                 "BETWEEN first AND last)")
        for wait_s in (0.05, 0.1, 0.2, 0.4):
            process = e2e.start("cache", "copy", STORE, url, cwd=theirs, env=alice, output=subprocess.DEVNULL)
            time.sleep(wait_s)
            process.send_signal(signal.SIGKILL)
            process.wait()
            if server.sql("SELECT to_regclass('exchange') IS NOT NULL", "runs") != ["t"]:
                continue
            if (bare := server.sql(marks, "runs")) != ["0"]:
                return f"{bare} replies have no mark"
        e2e.expect(e2e.assay("cache", "copy", STORE, url, cwd=theirs, env=alice), 0)
        bare = server.sql(marks, "runs")
        return None if bare == ["0"] else f"{bare} replies have no mark"


def named_like_a_run(folder):
    """A file named `latest`, or like the id of a run, does not take its place."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    theirs, mine = answered(folder, "theirs", mallory), answered(folder, "mine", alice)
    forge(theirs / STORE, *ALL_RIGHT)
    base, run = ids_of(mine / STORE)
    for name in ("latest", run, run[:-2]):
        e2e.expect(e2e.assay("export", "latest", "--to", "promptfoo", "-o", mine / name, cwd=theirs, env=mallory), 0)
        shown = json.loads(e2e.assay("show", name, "--json", cwd=mine, env=alice).stdout)
        if shown["run"] != run or shown["mean"] != 0.5:
            return f"show {name}: {shown['run']} with {shown['mean']}"
        counted = e2e.assay("export", name, "--to", "csv", cwd=mine, env=alice).stdout
        if counted != e2e.assay("export", run[:-1], "--to", "csv", cwd=mine, env=alice).stdout:
            return f"export {name}: {counted[:300]}"
        compared = e2e.assay("compare", name, base, "--json", cwd=mine, env=alice)
        if f"{base}#echo:a is 0 points" not in compared.stdout:
            return f"compare {name}: {compared.stdout[:300]}{compared.stderr}"
    named = json.loads(e2e.assay("show", "./latest", "--json", cwd=mine, env=alice).stdout)
    return None if named["run"] != run else "./latest is the run"


def beside_her_own(folder):
    """Forged runs of the same suite, copied into her store: lists and boards tell them from her own."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    theirs, mine = answered(folder, "theirs", mallory), answered(folder, "mine", alice)
    forge(theirs / STORE, ("UPDATE run SET id = id || 'x', started_ms = started_ms + 60000",), *ALL_RIGHT)
    e2e.expect(e2e.assay("cache", "copy", theirs / STORE, STORE, cwd=mine, env=alice), 0)
    strange = set(ids_of(theirs / STORE))
    view = View(mine, env=alice)
    told = view.json("runs")
    board = view.json("board/" + told["runs"][0]["suite"])
    view.end()
    if {each["run"] for each in told["runs"] if each["is_foreign"]} != strange:
        return f"the list marks {[(each['run'], each['is_foreign']) for each in told['runs']]}"
    if any(each["run"] in strange for suite in told["suites"] for each in suite["runs"]):
        return "a trend has runs of others"
    if any(each["is_foreign"] or each["run"] in strange for each in board["ranking"]):
        return f"the board counts {board['ranking']}"
    listed = json.loads(e2e.assay("runs", "--json", cwd=mine, env=alice).stdout)
    if {each["run"] for each in listed if each["is_foreign"]} != strange:
        return "runs --json has no marks"
    run = ids_of(theirs / STORE)[1]
    for words in (("show", run, "--failed"), ("show", run, "--case", "c0"), ("export", run, "--to", "csv"),
                  ("calibrate", run, "--draw", "1"), ("export", run, "--to", "jsonl"),
                  ("export", run, "--to", "promptfoo")):
        if "that this user did not make" not in e2e.assay(*words, cwd=mine, env=alice).stderr:
            return f"{words}: no mark"
    return None


def only_others(folder):
    """A board of nothing but a stranger's runs says so in each row."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    shutil.copytree(answered(folder, "theirs", mallory), folder / "mine")
    view = View(folder / "mine", env=alice)
    told = view.json("runs")
    board = view.json("board/" + told["runs"][0]["suite"])
    view.end()
    if not all(each["is_foreign"] for each in told["runs"] + told["suites"] + board["ranking"]):
        return "a row has no mark"
    doubts = [each["text"] for each in board["trust"] if not each["ok"]]
    return None if any("from runs that this user did not make" in text for text in doubts) else f"{doubts}"


KILLED = "a store that a killed run left is hers only as it left it"
ROWS = "rows of no run become rows of none"
SERVERS = "a server keeps the marks of what was copied there"
NAMES = "a file takes the place of no run"
PAGES = "lists and boards tell runs of others"

ATTACKS = [
    Attack("a store copied over that of a killed run, in place", KILLED, over_a_killed_one, fast=True),
    Attack("a -wal copied over that of a killed run, in place", KILLED, beside_a_killed_one),
    Attack("a -wal copied over that of a run that goes on, in place", KILLED, under_a_living_one, fast=True),
    *[Attack(f"a forged store in the place of one that is written: {what}", KILLED, in_place_of_a_living_one(how),
             fast=what == "a rename")
      for what, how in (("a rename", put_there), ("in place", written_over), ("a hard link", linked_there))],
    Attack("a -wal of a killed run, made longer", KILLED, longer_than_it_was),
    Attack("cells of a run that is not there", ROWS, cells_of_no_run, fast=True),
    Attack("another address of a server, and another user", SERVERS, on_a_server, slow=True),
    Attack("a copy to a server that was killed", SERVERS, killed_while_copying, slow=True),
    Attack("a file named like a run", NAMES, named_like_a_run, fast=True),
    Attack("forged runs beside her own", PAGES, beside_her_own, fast=True),
    Attack("nothing but runs of others", PAGES, only_others),
]
