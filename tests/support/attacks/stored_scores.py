"""Numbers and places that a store says: no member of a stored score ends the program or is shown as a result, and no
folder of a stored run has anything of the user's replaced."""
import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import stat
import subprocess

import e2e
from viewing import View

from . import Absent, Attack
from .sizes import measured

VALUES = [None, True, "x", {}, [], -1, 0.5, 2, 50, 1e300, 2**63, [[]], "NaN"]
COMMANDS = [["show", "latest"], ["show", "latest", "--json"], ["compare", "latest", "latest"],
            ["calibrate", "latest"], ["report", "latest", "--results-dir", "out"]] + \
    [["export", "latest", "--to", form, "-o", "out.txt"]
     for form in ("html", "jsonl", "check-csv", "junit", "promptfoo")]
PAGES = ["", "/judges", "/cost", "/cells.bin?layer=score", "/rows?from=0&to=5", "/case/0", "/find?q=a"]
EXAMPLES = {"judged": ("civic-knowledge", "civic-knowledge.yml"), "research": ("research-agent", "matrix.toml"),
            "infibench": ("infibench-small", "suite.yaml")}
KINDS = {"scores": "BLOB", "marks": "TEXT"}


def example(folder, name):
    """The environment and the run of an example, in a folder of its own."""
    own, file = EXAMPLES[name]
    shutil.copy(e2e.ROOT / "assay.toml", folder)
    shutil.copytree(e2e.ROOT / "examples" / own, folder / "examples" / own)
    env = {"XDG_STATE_HOME": str(folder / "state")}
    words = ["run", f"examples/{own}/{file}"]
    if name == "infibench":
        words = ["grade", words[1], *sorted(str(path) for path in (folder / "examples" / own / "responses").iterdir())]
    result = e2e.assay(*words, cwd=folder, env=env)
    if not (folder / ".assay/store.db").exists():
        raise Absent(f"{name}: {result.stderr[-300:]}")
    return env


def members(value, path=()):
    """The path of every member of lists and maps."""
    if path:
        yield path
    each = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in each:
        yield from members(inner, (*path, key))


def changed(text, path, value):
    whole = json.loads(text)
    inner = whole
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return json.dumps(whole)


def shape(path):
    """Members of one kind: places in long lists are one."""
    return tuple("*" if isinstance(step, int) and at != len(path) - 1 and step > 0 else step
                 for at, step in enumerate(path))


def crashed(result, words):
    ended_well = result.returncode in (0, 1, 2, 3)
    return None if ended_well else f"{words}: exit {result.returncode}: {result.stderr[-300:]}"


def shown(folder, env, commands, reason=""):
    """What crashes, or, where there is a reason to give, does not give it."""
    for words in commands:
        result = e2e.assay(*words, cwd=folder, env=env)
        through = crashed(result, words)
        if through:
            return through
        if reason and (result.returncode != 2 or reason not in result.stderr):
            return f"{words}: exit {result.returncode}: {result.stderr[-300:]}"
    return None


def served(folder, env):
    """Every page of the run; then the server is still there."""
    run, = [row[0] for row in rows(folder, "SELECT id FROM run ORDER BY number DESC LIMIT 1")]
    view = View(folder, "--port", "0", env=env)
    try:
        for page in PAGES:
            view.ask(f"run/{run}{page}")
        return None if view.ask("runs")[0] == 200 else "the list of runs is gone"
    except (OSError, json.JSONDecodeError) as gone:
        return f"the server is gone: {gone}"
    finally:
        view.process.terminate()
        view.process.wait(e2e.SECONDS_MAX)


def rows(folder, sql, *values):
    with contextlib.closing(sqlite3.connect(folder / ".assay/store.db")) as store, store:
        return store.execute(sql, values).fetchall()


def of_member(name, part, step=1, commands=COMMANDS):
    """Each member of a stored record, with each value; of long lists the first two and the last."""
    def tries(folder):
        env = example(folder, name)
        file = folder / ".assay/store.db"
        whole = file.read_bytes()
        found = rows(folder, f"SELECT cell, CAST({part} AS TEXT) FROM score WHERE length({part}) > 2 LIMIT 1")
        if not found:
            raise Absent(f"the {name} run has no {part}")
        at, text = found[0]
        paths = {shape(path): path for path in members(json.loads(text))}
        tried = [(path, value) for path in paths.values() for value in VALUES]
        for path, value in tried[::step]:
            file.write_bytes(whole)
            rows(folder, f"UPDATE score SET {part} = CAST(? AS {KINDS[part]}) WHERE cell = ?",
                 changed(text, path, value), at)
            # What was made of the scores is made again.
            rows(folder, "UPDATE run SET tables = NULL, summary = NULL")
            through = shown(folder, env, commands)
            if through:
                return f"{path} = {value!r}: {through}"
        return None
    return tries


def vote_of_nobody(folder):
    """What a judge gave is null, in every cell."""
    env = example(folder, "judged")
    for number, text in rows(folder, "SELECT cell, CAST(scores AS TEXT) FROM score WHERE length(scores) > 2"):
        scores = json.loads(text)
        for score in scores["s"]:
            for voice in score[6] if len(score) > 6 else []:
                voice[1] = None
        rows(folder, "UPDATE score SET scores = CAST(? AS BLOB) WHERE cell = ?", json.dumps(scores), number)
    return shown(folder, env, COMMANDS) or served(folder, env)


def votes_of_thousands(folder):
    """Thousands of judges voted on one criterion: kilobytes of a store take neither minutes nor gigabytes."""
    env = example(folder, "judged")
    at, text = rows(folder, "SELECT cell, CAST(scores AS TEXT) FROM score WHERE length(scores) > 2 LIMIT 1")[0]
    scores = json.loads(text)
    scores["s"][0][6] = [[f"judge {i}", i % 5 / 4, ""] for i in range(20_000)]
    rows(folder, "UPDATE score SET scores = CAST(? AS BLOB) WHERE cell = ?", json.dumps(scores), at)
    rows(folder, "UPDATE run SET tables = NULL, summary = NULL")
    for words in (["show", "latest"], ["show", "latest", "--json"],
                  ["export", "latest", "--to", "html", "-o", "o.html"]):
        result, problem = measured(*words, cwd=folder, env=env, memory=1 << 30, seconds=20)
        if problem or result.returncode:
            return f"{words}: {problem or result.stderr[-300:]}"
    return served(folder, env)


def impossible(value):
    """A score that no check of a blueprint gives is no result, for whoever asks, from scores or from columns."""
    def tries(folder):
        env = example(folder, "judged")
        file = folder / ".assay/store.db"
        whole = file.read_bytes()
        at, text = rows(folder, "SELECT cell, CAST(scores AS TEXT) FROM score LIMIT 1")[0]
        rows(folder, "UPDATE score SET scores = CAST(? AS BLOB) WHERE cell = ?", changed(text, ("s", 0, 1), value), at)
        result = e2e.assay("show", "latest", cwd=folder, env=env)
        if result.returncode != 2 or "damaged" not in result.stderr:
            return f"show: exit {result.returncode}: {result.stdout[:300]} {result.stderr}"
        file.write_bytes(whole)
        rows(folder, "UPDATE cell SET score = ? WHERE cell = 0", value)
        result = e2e.assay("compare", "latest", "latest", cwd=folder, env=env)
        if result.returncode != 2 or "damaged" not in result.stderr:
            return f"compare: exit {result.returncode}: {result.stdout[:300]} {result.stderr}"
        return None
    return tries


def pipe_and_device(folder):
    """A named pipe gets the export, and stays one; so does a device."""
    env = example(folder, "judged")
    os.mkfifo(folder / "pipe")
    with subprocess.Popen(["cat", "pipe"], cwd=folder, stdout=subprocess.PIPE, text=True) as reader:
        e2e.expect(e2e.assay("export", "latest", "--to", "csv", "-o", "pipe", cwd=folder, env=env), 0)
        got = reader.communicate(timeout=30)[0]
    if not got.startswith("run,case") or not stat.S_ISFIFO((folder / "pipe").stat().st_mode):
        return f"the pipe was replaced: {got[:80]!r}"
    try:
        os.mknod(folder / "null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    except PermissionError:
        return None
    for words in (["export", "latest", "--to", form, "-o", "null"] for form in ("csv", "html")):
        result = e2e.assay(*words, cwd=folder, env=env)
        if not stat.S_ISCHR((folder / "null").lstat().st_mode):
            return f"{words}: the device was replaced: {result.stderr}"
    (folder / "there").mkdir()
    result = e2e.assay("export", "latest", "--to", "csv", "-o", "there", cwd=folder, env=env)
    return None if result.returncode == 2 and (folder / "there").is_dir() else f"a folder: {result.stderr}"


def zstd(words, data):
    return subprocess.run(["zstd", "-q", *words], input=data, capture_output=True, check=True).stdout


def stored_suite(folder):
    """The text of the newest run's suite."""
    if shutil.which("zstd") is None:
        raise Absent("zstd packs and unpacks a stored suite")
    frame = rows(folder, "SELECT frame FROM suite WHERE digest = (SELECT suite FROM run ORDER BY number DESC)")[0][0]
    return zstd(["-dc"], frame)


def with_suite(folder, change):
    """The stored suite of the newest run, changed, with a digest of its own."""
    head, _, rest = stored_suite(folder).partition(b"\n")
    whole = json.loads(head)
    change(whole["suite"])
    text = json.dumps(whole, separators=(",", ":")).encode() + b"\n" + rest
    digest = hashlib.sha256(text).digest()
    rows(folder, "INSERT INTO suite(digest, frame) VALUES(?, ?)", digest, zstd(["-c"], text))
    rows(folder, "UPDATE run SET suite = ?", digest)


def reported_over(place, label, reason):
    """`assay report RUN` with a folder of the store's choice changes none of the user's files, and says why."""
    def tries(folder):
        env = example(folder, "research")
        (folder / "userdir/keep").mkdir(parents=True)
        (folder / ".git/hooks").mkdir(parents=True)
        mine = {}
        for name in ("userdir/keep/report.md", "userdir/keep/summary.json", "userdir/report.md",
                     ".git/hooks/report.md"):
            mine[name] = f"mine: {name}"
            (folder / name).write_text(mine[name])
        with_suite(folder, lambda suite: suite["details"].update(output_root=place.replace("HERE", str(folder))))
        rows(folder, "UPDATE run SET run_label = ?", label)
        before = {path for path in folder.rglob("*") if ".assay" not in path.parts}
        result = e2e.assay("report", "latest", cwd=folder, env=env)
        if any((folder / name).read_text() != text for name, text in mine.items()):
            return "a file of the user's is replaced"
        made = {path for path in folder.rglob("*") if ".assay" not in path.parts} - before
        if made:
            return f"{sorted(made)[:3]} is made"
        if result.returncode not in (1, 2) or reason not in result.stderr:
            return f"exit {result.returncode}: {result.stderr}"
        return None
    return tries


def twice(folder):
    """One variant stands in the suite once."""
    env = example(folder, "judged")

    def change(suite):
        suite["variants"][1]["id"] = suite["variants"][0]["id"]
    with_suite(folder, change)
    result = e2e.assay("show", "latest", cwd=folder, env=env)
    return None if result.returncode == 2 and "damaged" in result.stderr else f"{result.stdout[:300]}{result.stderr}"


def title_in_markdown(folder):
    """What is printed as Markdown reorders no line."""
    env = example(folder, "judged")
    hostile = "a\u202e\u2066\x85\x9b\u2028\x1b[2Jz"
    with_suite(folder, lambda suite: suite.update(title=hostile))
    for form in ("markdown", "github-summary"):
        result = e2e.assay("export", "latest", "--to", form, cwd=folder, env=env)
        e2e.expect(result, 0)
        raw = [each for each in hostile[1:-1] if not each.isascii() or each == "\x1b" if each in result.stdout]
        if raw:
            return f"{form}: {raw!r}"
    return None


def mean_of_the_list(folder):
    """What is shown of a run is what its cells come to, whatever the list of runs says."""
    env = example(folder, "judged")
    rows(folder, "UPDATE run SET mean_score = 7")
    told = json.loads(e2e.assay("show", "latest", "--json", cwd=folder, env=env).stdout)
    run = told.get("run", told)
    mean = run.get("mean") if isinstance(run, dict) else told.get("mean")
    return None if mean is not None and mean <= 1 else f"mean {mean}"


def named_latest(folder):
    """No run is called as the word for the newest."""
    env = example(folder, "judged")
    rows(folder, "UPDATE run SET id = 'latest'")
    result = e2e.assay("runs", cwd=folder, env=env)
    return None if result.returncode == 2 and "newest run" in result.stderr else f"{result.stdout[:200]}{result.stderr}"


def bomb(folder):
    """A suite of kilobytes that unpacks to hundreds of megabytes takes memory by its length."""
    env = example(folder, "judged")
    if shutil.which("zstd") is None:
        raise Absent("zstd packs the suite")
    frame = zstd(["-c", "-19"], b'{"v":1,"suite":{"title":"' + b"x" * (300 << 20))
    rows(folder, "UPDATE suite SET frame = ?", frame)
    limited = ["bash", "-c", f"ulimit -v {1 << 20}; exec \"$0\" show latest", e2e.PROGRAM]
    result = subprocess.run(limited, cwd=folder, env=e2e.clean_environment(env), capture_output=True, text=True,
                            timeout=e2e.SECONDS_MAX, check=False)
    return None if result.returncode in (1, 2) else f"exit {result.returncode}: {result.stderr[-300:]}"


def lock(folder):
    """Who may not open the store's lock cannot hold it."""
    example(folder, "judged")
    mode = stat.S_IMODE((folder / ".assay/store.db.lock").stat().st_mode)
    return None if mode == 0o600 else f"mode {mode:o}"


NUMBERS = "what a store says of a score is what a check gives"
PLACES = "a folder of the store's choice has nothing of the user's replaced"
WRITERS = "what is no file is written to, never replaced"
SHAPES = "what a store says of a run fits together"

ATTACKS = [
    Attack("votes of null", NUMBERS, vote_of_nobody, fast=True),
    Attack("votes of thousands of judges", NUMBERS, votes_of_thousands),
    Attack("a score of 50", NUMBERS, impossible(50)),
    Attack("a score of -7", NUMBERS, impossible(-7)),
    Attack("each member of the scores, some values", NUMBERS, of_member("judged", "scores", step=7), slow=True),
    Attack("each member of a judged score", NUMBERS, of_member("judged", "scores"), slow=True),
    Attack("each member of a research score", NUMBERS, of_member("research", "scores"), slow=True),
    Attack("each member of an InfiBench score", NUMBERS, of_member("infibench", "scores"), slow=True),
    Attack("each member of marks", NUMBERS, of_member("judged", "marks"), slow=True),
    Attack("each member of a research mark", NUMBERS, of_member("research", "marks"), slow=True),
    Attack("the user's own report", PLACES, reported_over("HERE/userdir", "keep", "replaces nothing"), fast=True),
    Attack("hooks of git", PLACES, reported_over("HERE/.git", "hooks", "begins with a dot")),
    Attack("a label that is hidden", PLACES, reported_over("HERE/userdir", ".keep", "begins with a dot")),
    Attack("a folder above", PLACES, reported_over("HERE/../other", "keep", "not below this one")),
    Attack("an escape sequence", PLACES, reported_over("HERE/a\x1b[2J", "keep", "control character")),
    Attack("a line end", PLACES, reported_over("HERE/a\nb", "keep", "line end")),
    Attack("a reordering mark", PLACES, reported_over("HERE/a\u202eb", "keep", "reordering")),
    Attack("a NUL", PLACES, reported_over("HERE/userdir\0", "keep", "NUL")),
    Attack("a pipe and a device", WRITERS, pipe_and_device, fast=True),
    Attack("the lock of a store", WRITERS, lock),
    Attack("a variant twice", SHAPES, twice),
    Attack("the mean of the list of runs", SHAPES, mean_of_the_list),
    Attack("a run called latest", SHAPES, named_latest),
    Attack("a suite that unpacks to 300 MB", SHAPES, bomb),
    Attack("marks that reorder Markdown", SHAPES, title_in_markdown),
]
