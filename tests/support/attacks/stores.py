"""Stores and recordings that somebody else made, and the commands that a stored text has printed."""
import hashlib
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
from pathlib import Path

import e2e
from viewing import View

from . import Absent, Attack
from .stored_scores import example

GATE = ("--fail-under", "0.5")
REPLIES = 3


def user(folder, name):
    """The environment of a user with a state folder of his own."""
    return {"XDG_STATE_HOME": str(folder / f"state of {name}"), "HOME": str(folder / f"home of {name}")}


def project(folder, name, by):
    """A project whose store `by` made."""
    place = folder / name
    place.mkdir()
    (place / "suite.yml").write_text(e2e.suite(REPLIES))
    e2e.expect(e2e.assay("run", "suite.yml", cwd=place, env=by), 0)
    return place


def runs_of(place, by):
    return len(json.loads(e2e.assay("runs", "--json", cwd=place, env=by).stdout))


def foreign(place, by, *words):
    result = e2e.assay("run", "suite.yml", "--json", *words, cwd=place, env=by)
    e2e.expect(result, 0)
    return e2e.one_run(result)["foreign_replies"]


def closed(place, by, *words, gate=GATE):
    """None if the gate ends in exit 1 before anything is asked, and the replies are counted without one."""
    before = runs_of(place, by)
    result = e2e.assay("run", "suite.yml", *gate, *words, cwd=place, env=by)
    if result.returncode != 1 or not re.search("this (user|job) (did not|neither)", result.stderr):
        return f"the gate opened: exit {result.returncode}: {result.stderr}"
    if runs_of(place, by) != before:
        return "a run was begun"
    counted = foreign(place, by, *words)
    return None if counted == REPLIES else f"{counted} replies were counted, not {REPLIES}"


def cloned(folder):
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    shutil.copytree(project(folder, "theirs", mallory), folder / "mine")
    return closed(folder / "mine", alice)


def cloned_and_used(folder):
    """What the first run of the clone adds is her own; what it found there is not."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    shutil.copytree(project(folder, "theirs", mallory), folder / "mine")
    for _ in range(2):
        if (counted := foreign(folder / "mine", alice)) != REPLIES:
            return f"{counted} counted"
    if through := closed(folder / "mine", alice):
        return through
    counted = foreign(folder / "mine", alice, "--fresh")
    return f"{counted} of her own counted" if counted else None


def moved(folder):
    alice = user(folder, "alice")
    project(folder, "before", alice).rename(folder / "after")
    return closed(folder / "after", alice)


def swapped(folder, swap):
    """Her own store, then another in its place."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    theirs, mine = project(folder, "theirs", mallory), project(folder, "mine", alice)
    e2e.check(foreign(mine, alice) == 0, "her own store counts as foreign")
    swap(theirs / ".assay/store.db", mine / ".assay/store.db")
    return closed(mine, alice)


def by_pull(theirs, mine):
    """As git does it: the number of the file on the disk may be given again."""
    content = theirs.read_bytes()
    mine.unlink()
    mine.write_bytes(content)


def wal_beside(folder):
    """Her own store, and a stranger's -wal beside it that SQLite would read into it."""
    alice = user(folder, "alice")
    mine = project(folder, "mine", alice)
    theirs = folder / "theirs"
    shutil.copytree(mine, theirs)
    store = sqlite3.connect(theirs / ".assay/store.db")
    store.execute("PRAGMA journal_mode = WAL")
    store.execute("BEGIN IMMEDIATE")
    store.execute("UPDATE exchange SET reply = replace(reply, 'word', 'Word')")
    store.execute("COMMIT")
    (mine / ".assay/store.db-wal").write_bytes((theirs / ".assay/store.db-wal").read_bytes())
    store.close()
    return closed(mine, alice)


def empty_page(page=4096, sector=512):
    """A journal that puts one page without anything in the place of the whole store (sqlite.org/fileformat2, 3)."""
    head = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"".join(
        number.to_bytes(4, "big") for number in (1, 0, 1, sector, page))
    return head.ljust(sector, b"\0") + (1).to_bytes(4, "big") + b"\0" * page + b"\0" * 4


def journal_beside(*words):
    """Her own store, and a stranger's -journal beside it that would remove what she paid for."""
    def tries(folder):
        alice = {**user(folder, "alice"), "CI": ""}
        mine = project(folder, "mine", alice)
        e2e.expect(e2e.assay("cache", "copy", ".assay/store.db", "other.db", cwd=mine, env=alice), 0)
        store, journal = mine / ".assay/store.db", mine / ".assay/store.db-journal"
        before = store.read_bytes()
        journal.write_bytes(empty_page())
        refused = e2e.assay(*words, cwd=mine, env=alice)
        if store.read_bytes() != before:
            return f"the store has {store.stat().st_size} bytes of {len(before)}"
        if refused.returncode == 0 or "a -journal lies beside it" not in refused.stderr:
            return f"exit {refused.returncode}: {refused.stderr}"
        journal.unlink()
        e2e.expect(e2e.assay("run", "suite.yml", *GATE, cwd=mine, env=alice), 0)
        return None
    return tries


def hard_link(name):
    """A file of hers under the name of one that SQLite writes beside a store."""
    def tries(folder):
        mallory, alice = user(folder, "mallory"), user(folder, "alice")
        precious = folder / "precious.txt"
        place = project(folder, "theirs", mallory)
        for words in (("run", "suite.yml", "--fresh"), ("show", "latest"), ("cache", "copy", ".assay/store.db", "c.db"),
                      ("cache", "prune", "--older", "0d")):
            beside_it = place / f".assay/store.db{name}"
            beside_it.unlink(missing_ok=True)
            precious.write_text("precious " * 8192)
            os.link(precious, beside_it)
            result = e2e.assay(*words, cwd=place, env=alice)
            if precious.read_text(errors="replace") != "precious " * 8192:
                return f"assay {' '.join(words)} wrote into a file of hers: exit {result.returncode}: {result.stderr}"
            if result.returncode == 0 or "hard link" not in result.stderr:
                return f"assay {' '.join(words)}: exit {result.returncode}: {result.stderr}"
        return None
    return tries


def unreadable(column, value):
    """A blob that nobody can read ends in 2, and says that the store is damaged and what to do."""
    def tries(folder):
        alice = user(folder, "alice")
        place = project(folder, "mine", alice)
        table, name = column.split(".")
        with sqlite3.connect(place / ".assay/store.db") as store:
            store.execute(f"UPDATE {table} SET {name} = CAST(? AS BLOB)", (value,))
            store.execute("UPDATE run SET summary = NULL, tables = NULL, said = NULL")
        refused = 0
        for words in (["show", "latest"], ["export", "latest", "--to", "jsonl", "-o", "o.txt"],
                      ["cache", "copy", ".assay/store.db", "c.db"], ["run", "suite.yml"]):
            result = e2e.assay(*words, cwd=place, env=alice)
            if result.returncode == 0:
                continue
            refused += 1
            if result.returncode != 2 or "damaged" not in result.stderr or not re.search(REMEDY, result.stderr):
                return f"{words}: exit {result.returncode}: {result.stderr}"
        return None if refused else "no command minds it"
    return tries


def unreadable_page(folder):
    """The page says what is wrong with the store; the program itself is well."""
    alice = user(folder, "alice")
    place = project(folder, "mine", alice)
    with sqlite3.connect(place / ".assay/store.db") as store:
        store.execute("UPDATE suite SET frame = CAST('{' AS BLOB)")
    view = View(place, env=alice)
    status, _, body = view.ask(f"run/{view.json('runs')['runs'][0]['run']}")
    view.end()
    return None if status == 422 and "damaged" in json.loads(body)["error"]["message"] else f"{status}: {body}"


REMEDY = "put a copy of the store in its place|move it away and run again|which sends the requests again"


def journal_of_two(folder):
    """A journal beside a cloned store that names a file of hers, as that of a transaction over two databases does:
    SQLite deletes the file when it has rolled back."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    mark = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
    precious = folder / "precious.txt"
    place = project(folder, "theirs", mallory)
    store = place / ".assay/store.db"
    name, page = str(precious).encode(), int.from_bytes(store.read_bytes()[16:18], "big")

    def number(value):
        return value.to_bytes(4, "big")
    head = mark + number(0) + number(1) + number(store.stat().st_size // page) + number(512) + number(page)
    end = number(0x40000000 // page + 1) + name + number(len(name)) + number(sum(name)) + mark
    for words in (("run", "suite.yml"), ("run", "suite.yml", "--offline"), ("run", "suite.yml", *GATE),
                  ("cache", "copy", ".assay/store.db", "c.db"), ("runs",), ("show", "latest")):
        precious.write_text("precious")
        Path(f"{store}-journal").write_bytes(head.ljust(512, b"\0") + end)
        result = e2e.assay(*words, cwd=place, env=alice)
        if not precious.exists():
            return f"assay {' '.join(words)} deleted a file: exit {result.returncode}: {result.stderr}"
    return None


def without_state(home):
    """Nothing can be remembered: whatever is there counts as made elsewhere."""
    def tries(folder):
        alice = home(folder)
        place = project(folder, "mine", alice)
        result = e2e.assay("run", "suite.yml", *GATE, cwd=place, env=alice)
        if result.returncode != 1 or "XDG_STATE_HOME" not in result.stderr:
            return f"no remedy: exit {result.returncode}: {result.stderr}"
        return closed(place, alice)
    return tries


def state_is_file(folder):
    (folder / "state").write_text("")
    return {"XDG_STATE_HOME": str(folder / "state")}


def state_is_linked(folder):
    (folder / "state").mkdir()
    (folder / "cloned").mkdir(mode=0o700)
    (folder / "state/assay").symlink_to(folder / "cloned")
    return {"XDG_STATE_HOME": str(folder / "state")}


def state_is_open(folder):
    (folder / "state/assay").mkdir(parents=True)
    (folder / "state/assay").chmod(0o777)
    return {"XDG_STATE_HOME": str(folder / "state")}


def state_lies_open(folder):
    """Whoever writes the folder above it puts another in its place."""
    (folder / "state/assay").mkdir(parents=True)
    (folder / "state/assay").chmod(0o700)
    (folder / "state").chmod(0o777)
    return {"XDG_STATE_HOME": str(folder / "state")}


def state_is_read_only(folder):
    if os.geteuid() == 0:
        raise Absent("root writes into every folder")
    (folder / "state/assay").mkdir(parents=True)
    (folder / "state/assay").chmod(0o500)
    return {"XDG_STATE_HOME": str(folder / "state")}


def no_home(folder):
    return {"XDG_STATE_HOME": "", "HOME": ""}


def brought_state(folder):
    """A clone that brings a state folder; a name that is no absolute path is nobody's."""
    mallory = {"XDG_STATE_HOME": str(folder / "theirs.state"), "HOME": str(folder)}
    theirs = project(folder, "theirs", mallory)
    shutil.copytree(theirs, folder / "mine")
    shutil.copytree(folder / "theirs.state", folder / "mine/state")
    known = folder / "mine/state/assay/stores.json"
    known.write_text(known.read_text().replace(str(folder / "theirs"), str(folder / "mine")))
    return closed(folder / "mine", {"XDG_STATE_HOME": "state", "HOME": str(folder / "home of alice")})


def forged_run(folder):
    """A run that was begun elsewhere, with scores of its own, is not gone on with."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    theirs = project(folder, "theirs", mallory)
    with sqlite3.connect(theirs / ".assay/store.db") as store:
        store.execute("UPDATE run SET state = 0, id = '20200101T000000-0000'")
        store.execute("DELETE FROM exchange")
    shutil.copytree(theirs, folder / "mine")
    result = e2e.assay("run", "suite.yml", "--json", cwd=folder / "mine", env=alice)
    e2e.expect(result, 0)
    return "the run was gone on with" if e2e.one_run(result)["run"].startswith("2020") else None


def foreign_base(folder, gate="--fail-on-regression"):
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    shutil.copytree(project(folder, "theirs", mallory), folder / "mine")
    return closed(folder / "mine", alice, gate=(gate, "latest"))


def shown_base(folder):
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    mine = Path(shutil.copytree(project(folder, "theirs", mallory), folder / "mine"))
    shown = e2e.assay("show", "latest", "--fail-on-regression", "latest", cwd=mine, env=alice)
    if shown.returncode != 1 or "did not make" not in shown.stderr:
        return f"exit {shown.returncode}: {shown.stderr}"
    told = e2e.assay("show", "latest", cwd=mine, env=alice).stdout
    return None if f"{REPLIES} replies that this user did not make" in told else f"not counted: {told}"


def named(folder):
    """Adopting is what opens the gate, and nothing else has to."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    mine = Path(shutil.copytree(project(folder, "theirs", mallory), folder / "mine"))
    e2e.expect(e2e.adopt(cwd=mine, env=alice), 0)
    e2e.expect(e2e.assay("run", "suite.yml", *GATE, cwd=mine, env=alice), 0)
    e2e.check(foreign(mine, alice) == 0, "what was adopted is counted")
    shutil.copytree(mine, folder / "again")
    return closed(folder / "again", alice)


def with_recording(folder, by):
    theirs = folder / "theirs"
    theirs.mkdir()
    (theirs / "suite.yml").write_text(e2e.suite(REPLIES))
    e2e.expect(e2e.assay("run", "suite.yml", "--record", "suite.replay.jsonl", cwd=theirs, env=by), 0)
    mine = folder / "mine"
    mine.mkdir()
    for name in ("suite.yml", "suite.replay.jsonl"):
        shutil.copy(theirs / name, mine / name)
    return mine


def recording(folder):
    alice = user(folder, "alice")
    mine = with_recording(folder, user(folder, "mallory"))
    foreign(mine, alice)  # a store of hers, for the count of runs
    return closed(mine, alice)


def recording_before_any_store(folder):
    alice = user(folder, "alice")
    mine = with_recording(folder, user(folder, "mallory"))
    result = e2e.assay("run", "suite.yml", *GATE, cwd=mine, env=alice)
    e2e.expect(result, 1, "suite.replay.jsonl", "--replay none")
    return "a store was made" if (mine / ".assay").exists() else None


def recording_by_environment(folder):
    alice = user(folder, "alice")
    mine = with_recording(folder, user(folder, "mallory"))
    result = e2e.assay("run", "suite.yml", cwd=mine, env={**alice, "ASSAY_FAIL_UNDER": "0.5"})
    return None if result.returncode == 1 else f"exit {result.returncode}"


def recording_washed(folder):
    """Its replies lie in her own store now, and still count as recorded."""
    alice = user(folder, "alice")
    mine = with_recording(folder, user(folder, "mallory"))
    for _ in range(2):
        if (counted := foreign(mine, alice)) != REPLIES:
            return f"{counted} counted"
    (mine / "suite.replay.jsonl").unlink()
    if (counted := foreign(mine, alice, "--replay", "none")) != 0:
        return f"without the recording {counted} of its replies answered"
    shown = json.loads(e2e.assay("runs", "--json", cwd=mine, env=alice).stdout)
    first = json.loads(e2e.assay("show", shown[0]["run"], "--json", cwd=mine, env=alice).stdout)
    return None if first["foreign_replies"] == REPLIES else f"the first run forgot: {first['foreign_replies']}"


def recording_named(folder):
    alice = user(folder, "alice")
    mine = with_recording(folder, user(folder, "mallory"))
    e2e.expect(e2e.assay("run", "suite.yml", *GATE, "--replay", "suite.replay.jsonl", cwd=mine, env=alice), 0)
    e2e.expect(e2e.adopt("suite.replay.jsonl", cwd=mine, env=alice), 0)
    e2e.expect(e2e.assay("run", "suite.yml", *GATE, cwd=mine, env=alice), 0)
    e2e.check(foreign(mine, alice) == 0, "what was adopted is counted")
    with open(mine / "suite.replay.jsonl", "a") as changed:
        changed.write("\n")
    return closed(mine, alice)


def trusted(make, digest_of):
    """--trust=DIGEST and ASSAY_TRUST open the gate in this command and count all the same; another digest does not."""
    def tries(folder):
        alice, mine = user(folder, "alice"), make(folder)
        digest = digest_of(mine)
        for words, env in ((["--trust=" + digest], alice), ([], {**alice, "ASSAY_TRUST": digest})):
            e2e.expect(e2e.assay("run", "suite.yml", *GATE, *words, cwd=mine, env=env), 0)
            e2e.check(foreign(mine, env, *words) == REPLIES, "what was trusted is not counted")
        other = digest[:-1] + ("1" if digest.endswith("0") else "0")
        for words, env in ((["--trust=" + other], alice), ([], {**alice, "ASSAY_TRUST": other}), ([], alice)):
            if through := closed(mine, env, *words):
                return through
        return None
    return tries


def trusted_alone(make):
    """Bare --trust: with CI set it is refused before anything is asked; elsewhere it is for one command."""
    def tries(folder):
        alice, mine = user(folder, "alice"), make(folder)
        foreign(mine, alice)
        before = runs_of(mine, alice)
        refused = e2e.assay("run", "suite.yml", *GATE, "--trust", cwd=mine, env=alice)
        if refused.returncode != 1 or "digest" not in refused.stderr or runs_of(mine, alice) != before:
            return f"in CI: exit {refused.returncode}: {refused.stderr}"
        at_home = e2e.clean_environment(alice)
        at_home.pop("CI")
        opened = subprocess.run([e2e.PROGRAM, "run", "suite.yml", *GATE, "--trust"], cwd=mine, env=at_home,
                                capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=e2e.SECONDS_MAX)
        e2e.expect(opened, 0)
        return closed(mine, alice)
    return tries


def recording_trusted_and_changed(folder):
    """A digest is that of the recording as it was looked at."""
    alice, mine = user(folder, "alice"), with_recording(folder, user(folder, "mallory"))
    foreign(mine, alice)
    digest = digest_of_recording(mine)
    with open(mine / "suite.replay.jsonl", "a") as changed:
        changed.write("\n")
    return closed(mine, alice, "--trust=" + digest)


def clone_of(folder):
    shutil.copytree(project(folder, "theirs", user(folder, "mallory")), folder / "mine")
    return folder / "mine"


def clone_with_powers(folder):
    """Its powers are none that the run would use."""
    (clone_of(folder) / "assay.toml").write_text('[base_urls]\nopenai = "http://127.0.0.1:9/v1"\n')
    return folder / "mine"


def recording_of(folder):
    return with_recording(folder, user(folder, "mallory"))


def digest_of_recording(mine):
    return hashlib.sha256((mine / "suite.replay.jsonl").read_bytes()).hexdigest()


def powers_name_no_answers(make):
    """The digest of a folder's powers, the same for each folder without any, says nothing of its answers."""
    def tries(folder):
        alice, mine = user(folder, "alice"), make(folder)
        foreign(mine, alice)
        return closed(mine, alice, "--trust=" + e2e.digest_of_powers(mine))
    return tries


def copied_over(folder):
    """Her own file, with the bytes of another store."""
    mallory, alice = user(folder, "mallory"), user(folder, "alice")
    theirs, mine = project(folder, "theirs", mallory), project(folder, "mine", alice)
    (mine / ".assay/store.db").write_bytes((theirs / ".assay/store.db").read_bytes())
    return closed(mine, alice)


def named_by_digest(folder):
    """A refusal prints the digest that opens the gate, until the file is another one."""
    alice = user(folder, "alice")
    shutil.copytree(project(folder, "theirs", user(folder, "mallory")), folder / "mine")
    mine = folder / "mine"
    refused = e2e.assay("run", "suite.yml", *GATE, cwd=mine, env=alice)
    digest = re.search(r"--trust=([0-9a-f]{64})", refused.stderr)
    if refused.returncode != 1 or digest is None:
        return f"exit {refused.returncode}: {refused.stderr}"
    for how in ({"words": [digest[0]], "env": alice}, {"words": [], "env": {**alice, "ASSAY_TRUST": digest[1]}}):
        (folder / "mine/.assay/store.db").write_bytes((folder / "theirs/.assay/store.db").read_bytes())
        e2e.expect(e2e.assay("run", "suite.yml", *GATE, *how["words"], cwd=mine, env=how["env"]), 0)
    return closed(mine, alice, digest[0])  # the runs above have changed it


BLOWS = ["; touch pwned", "$(touch pwned)", "`touch pwned`", "| touch pwned", "&& touch pwned", "\ntouch pwned\n",
         "& touch pwned &", "> pwned", "'; touch pwned; '", "\"; touch pwned; \"", "\\'; touch pwned #", "'", "\"",
         "\\", "{touch,pwned}", "#'\ntouch pwned", "\r touch pwned", "\u2028; touch pwned", "<(touch pwned)",
         "~/$(touch pwned)"]


def printed(blow, before):
    """Every command that the store's text has printed is pasted into a shell."""
    def tries(folder):
        alice = user(folder, "alice")
        place = project(folder, "mine", alice)
        with sqlite3.connect(place / ".assay/store.db") as store:
            store.execute("UPDATE run SET source = ?", (f"{before}{blow}",))
            store.execute("UPDATE run SET state = 0")
        for words in (["runs"], ["show", "latest"], ["show", "latest", "--failed"], ["runs", "--json"],
                      ["run", "suite.yml", "--fail-on-regression", "latest"]):
            result = e2e.assay(*words, cwd=place, env=alice)
            text = result.stdout + result.stderr
            commands = [each["command"] for each in json.loads(result.stdout)] if "--json" in words else \
                re.findall(r"assay run .*", text)
            e2e.check(commands or words[0] == "run", f"{words}: no command is printed", result)
            for command in commands:
                subprocess.run(["bash", "-c", "assay() { :; }\n" + command], cwd=place, check=False,
                               capture_output=True, timeout=20)
                if (place / "pwned").exists():
                    return f"{words}: {command!r}"
        return None
    return tries


def shown_by_a_page(folder):
    """The page of a document that could not be read says which command tells why: it, too, is pasted into a shell."""
    alice = example(folder, "research")
    view = View(folder, env=alice)
    run = view.json("runs")["runs"][0]["run"]
    path = f"run/{run}/doc/{view.json(f'run/{run}')['documents'][0]['id']}"
    view.end()
    for before in ("suite.yml", "suite.yml ", ""):
        for blow in BLOWS:
            with sqlite3.connect(folder / ".assay/store.db") as store:
                store.execute("UPDATE document_use SET digest = NULL, problem = 'gone'")
                store.execute("UPDATE run SET source = ?", (f"{before}{blow}",))
            view = View(folder, env=alice)
            command = view.json(path)["remedy"]
            view.end()
            subprocess.run(["bash", "-c", "assay() { :; }\n" + command], cwd=folder, check=False,
                           capture_output=True, timeout=20)
            if (folder / "pwned").exists():
                return repr(command)
    return None


def powerless(words):
    """A command that is printed to be pasted names no program, server or power of the store's choice."""
    def tries(folder):
        alice = user(folder, "alice")
        place = project(folder, "mine", alice)
        with sqlite3.connect(place / ".assay/store.db") as store:
            store.execute("UPDATE run SET source = ?, state = 0", (f"suite.yml {words}",))
            store.execute("UPDATE cell SET score = 0")
        for asked in (["runs"], ["show", "latest"], ["show", "latest", "--failed"], ["runs", "--json"]):
            result = e2e.assay(*asked, cwd=place, env=alice)
            commands = [each["command"] for each in json.loads(result.stdout)] if "--json" in asked else \
                re.findall(r"assay run .*", result.stdout)
            for command in commands:
                if any(word.startswith("-") and word.split("=")[0] not in HARMLESS for word in shlex.split(command)):
                    return f"{asked}: {command!r}"
                if "PWNED" in command:
                    return f"{asked}: {command!r}"
            if asked in (["runs"], ["show", "latest"]) and "the store names more options" not in result.stdout:
                return f"nothing is said of what is left out: {result.stdout}"
        return None
    return tries


HARMLESS = ("--filter", "--fresh", "--limit")


def kept_secret(words):
    """Names and passwords of addresses: not in the store, not on the screen."""
    def tries(folder):
        alice = user(folder, "alice")
        place = folder / "mine"
        place.mkdir()
        (place / "suite.yml").write_text(e2e.suite(1))
        result = e2e.assay("run", "suite.yml", *words, cwd=place, env=alice)
        texts = [result.stdout, result.stderr]
        texts += [e2e.assay(*more, cwd=place, env=alice).stdout for more in
                  (["runs"], ["runs", "--json"], ["show", "latest"], ["show", "latest", "--json"],
                   ["show", "latest", "--failed"])]
        e2e.check((place / ".assay/store.db").exists(), "there is no run", result)
        texts += [path.read_text(errors="replace") for path in place.rglob("*") if path.is_file()]
        return next((f"kept: {text[:200]}" for text in texts if "hunter2" in text), None)
    return tries


STORES = "a store made elsewhere is counted and opens no gate"
FILES = "a cloned store deletes nothing"
JOURNALS = "a -journal beside a store is refused before SQLite reads it"
STATE = "without a state folder no store is one's own"
RECORDINGS = "a recording that nobody named is counted and opens no gate"
COMMANDS = "printed commands are quoted again"
TRUST = "trust opens a gate for one command, by digest in CI"
POWERLESS = "a printed command has no power of the store's choice"
LINKS = "nothing is written through links beside a store"
DAMAGED = "a damaged store says so, and what to do"
SECRETS = "credentials of addresses are digests in commands"

ATTACKS = [
    Attack("a cloned store", STORES, cloned, fast=True),
    Attack("a cloned store, used once", STORES, cloned_and_used),
    Attack("a store that was moved", STORES, moved),
    Attack("a store replaced by a pull", STORES, lambda folder: swapped(folder, by_pull), fast=True),
    Attack("a store replaced by a rename", STORES, lambda folder: swapped(folder, lambda a, b: a.rename(b))),
    Attack("a -wal beside her own store", STORES, wal_beside, fast=True),
    *[Attack(f"a -journal beside her own store, assay {' '.join(words)}", JOURNALS, journal_beside(*words),
             fast=words[0] == "run")
      for words in (("run", "suite.yml", "--fresh"), ("runs",), ("show", "latest"), ("run", "suite.yml", "--offline"),
                    ("cache", "copy", ".assay/store.db", "c.db"), ("cache", "copy", "other.db", ".assay/store.db"),
                    ("cache", "prune", "--older", "900d"), ("cache", "adopt"), ("store", "upgrade"))],
    Attack("a -journal that names a file of hers", FILES, journal_of_two, fast=True),
    *[Attack(f"a hard link in the place of {name}", LINKS, hard_link(name), fast=name == "-wal")
      for name in ("-wal", "-shm", "-journal")],
    Attack("the page of a run whose suite cannot be read", DAMAGED, unreadable_page),
    *[Attack(f"{column} = {value!r}", DAMAGED, unreadable(column, value), fast=value == b"\xb5\x2f")
      for column in ("exchange.reply", "score.scores", "score.transcript", "suite.frame")
      for value in (b"\xb5\x2f", b"", b"{", b"[1]", b"\x28\xb5\x2f\xfd\0")],
    Attack("an unfinished run with scores", STORES, forged_run, fast=True),
    Attack("a base in a cloned store", STORES, foreign_base),
    Attack("a store copied over one's own, in place", STORES, copied_over),
    Attack("a store that is named by its digest, and changed", STORES, named_by_digest),
    Attack("flips against a base in a cloned store", STORES, lambda folder: foreign_base(folder, "--fail-on-flip")),
    Attack("a base in a cloned store, shown", STORES, shown_base),
    Attack("a copy of what was adopted", STORES, named),
    Attack("a state folder that is a file", STATE, without_state(state_is_file)),
    Attack("a state folder that is a link", STATE, without_state(state_is_linked)),
    Attack("a state folder that others write", STATE, without_state(state_is_open)),
    Attack("a state folder in one that others write", STATE, without_state(state_lies_open)),
    Attack("a state folder that cannot be written", STATE, without_state(state_is_read_only)),
    Attack("no home", STATE, without_state(no_home), fast=True),
    Attack("a state folder that the clone brings", STATE, brought_state),
    Attack("a recording beside the suite", RECORDINGS, recording),
    Attack("a recording before there is a store", RECORDINGS, recording_before_any_store, fast=True),
    Attack("a gate of the environment", RECORDINGS, recording_by_environment),
    Attack("a recording whose replies are in her store", RECORDINGS, recording_washed),
    Attack("a recording that was adopted and changed", RECORDINGS, recording_named),
    Attack("--trust=DIGEST of a clone's powers", TRUST, powers_name_no_answers(clone_of), fast=True),
    Attack("--trust=DIGEST of powers that are not used", TRUST, powers_name_no_answers(clone_with_powers)),
    Attack("--trust=DIGEST of a recording, and another", TRUST, trusted(recording_of, digest_of_recording)),
    Attack("--trust=DIGEST of powers, with a recording", TRUST, powers_name_no_answers(recording_of)),
    Attack("--trust=DIGEST of a recording that has changed", TRUST, recording_trusted_and_changed),
    Attack("bare --trust with a cloned store", TRUST, trusted_alone(clone_of), fast=True),
    Attack("bare --trust with a recording", TRUST, trusted_alone(recording_of)),
] + [
    Attack(f"{before}{blow!r}", COMMANDS, printed(blow, before))
    for before in ("suite.yml", "suite.yml --filter ") for blow in BLOWS
] + [
    Attack("the command on the page of a document", COMMANDS, shown_by_a_page, fast=True),
] + [
    Attack(f"source: {words}", POWERLESS, powerless(words))
    for words in ("--trust -m 'exec:touch PWNED' --judge 'exec:touch PWNED' --replay none", "'-mexec:touch PWNED'",
                  "--model='exec:touch PWNED'", "-m echo:a,exec:PWNED", "--trust=PWNED", "--allow-exec 'touch PWNED'",
                  "--store postgresql://PWNED/x", "--store=postgresql://PWNED/x", "--base-url openai=http://PWNED/v1",
                  "--allow-host PWNED --allow-env PWNED --allow-path PWNED", "--sandbox none", "--out PWNED",
                  "--limit --trust", "-m EXEC:PWNED", "--cluster slurm --cluster-setup 'touch PWNED'")
] + [
    Attack(f"credentials in {' '.join(words)}", SECRETS, kept_secret(words))
    for words in (["--base-url", "openai=http://me:hunter2@127.0.0.1:9/v1"],
                  ["--base-url", "openai=http://127.0.0.1:9/v1?api_key=hunter2"],
                  ["--base-url", "openai=https://hunter2@127.0.0.1:9/v1"])
]
