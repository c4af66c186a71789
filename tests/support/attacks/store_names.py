"""What a store says is data: every text of every table of a store, of either kind, with hostile values, through every
command and every cluster engine."""
import atexit
import contextlib
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import e2e
from postgres import PostgresServer, programs

from . import Absent, Attack

BLOW = "touch PWNED"
VALUES = [f"x\n{BLOW}\n", f"\r\n{BLOW}\r\n", f"'; {BLOW}; '", f"\"; {BLOW}; \"", f"$({BLOW})", f"`{BLOW}`",
          f"x; {BLOW}", "../../../PWNED", "..", "/PWNED", f"-x\n- {BLOW}", "--store=PWNED",
          "\x1b[2J\x1b]0;gone\x07\x1b]8;;http://x\x07", "\x9b2J", "\u202e\u2066x", "\u2028x", "x" * 10_000, "",
          "%0a%2e%2e%2f", "$(HOME)", "a\0b", "{\"v\":1}", "\n", "null"]
CONTROLS = "\x1b\x07\x08\x9b\u202e\u2066\u2028\0"

# What each table has for people and programs; bytes beside them are read by decoders of their own.
COLUMNS = {
    "run": ["id", "title", "dialect", "source", "run_label", "suite_root", "assay_version", "toolchains", "summary",
            "spec", "generators", "tables", "said", "given_up", "planned"],
    "exchange": ["finish_reason", "error"],
    "sitting": ["version"],
    "batch": ["id", "provider", "endpoint", "details"],
    "blob": ["type"],
    "document_use": ["id", "problem"],
    "score": ["marks"],
}
OF_SERVERS = {"seat": ["host", "task", "broken"], "pace": ["name"]}
# Names of which assay refuses all that is none.
GATED = {"run.id", "run.dialect", "run.run_label", "run.assay_version", "batch.id", "batch.provider", "batch.endpoint",
         "blob.type", "seat.host", "seat.task"}
COMMANDS = [["runs"], ["runs", "--json"], ["show", "latest"], ["show", "latest", "--json"],
            ["show", "latest", "--failed"], ["show", "latest", "--case", "case-0"], ["show", "x"],
            ["cache", "explain", "latest"], ["compare", "latest", "latest"],
            ["export", "latest", "--to", "csv", "-o", "latest.csv"],
            ["export", "latest", "--to", "html", "-o", "latest.html"], ["report", "latest", "--out", "reported"],
            ["calibrate", "latest"], ["plan", "suite.yml"], ["doctor"],
            ["run", "suite.yml", "--fail-on-regression", "latest"], ["cache", "prune", "--older", "3650d"]]
COPIED = [["cache", "copy", ".assay/store.db", "copy.db"], ["runs", "--store", "copy.db"]]
VIEW = ["view"]
TRIES_A_VALUE = 5  # of the tries of a row: over all values each comes several times
LISTED = re.compile(r"assay (?:run|runs|show|view|cache|compare|calibrate) [^`\n]*")
SBATCH = "#!/bin/sh\nfor a; do :; done\ncp \"$a\" \"$HANDED.$$.sh\"\necho 77\n"


def text_columns(store):
    """As the tables of a store of today have them; one that is not listed above is walked by nobody."""
    rows = store.execute("SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c "
                         "WHERE m.type = 'table' AND c.type = 'TEXT'")
    return {f"{table}.{column}" for table, column in rows}


def told(result, words):
    for stream in (result.stdout, result.stderr):
        # What JSON and files hold is escaped by whoever shows it.
        shown = stream if "--json" not in words else ""
        for control in CONTROLS:
            if control in shown:
                return f"{words}: a raw {control!r} is printed: {shown[:400]!r}"
        if any(line.strip().startswith(BLOW) or line.strip() == f"- {BLOW}" for line in shown.split("\n")):
            return f"{words}: a line of the store is one of the output: {shown[:400]!r}"
    return None


def pasted(result, place):
    """Whatever is printed as a command is put into a shell."""
    for command in LISTED.findall(result.stdout + result.stderr):
        subprocess.run(["bash", "-c", "assay() { :; }\n" + command], cwd=place, check=False, capture_output=True,
                       timeout=20)


def outside(folder, place):
    """What lies beside the project, or is called as the blow wants it."""
    for path in folder.rglob("*"):
        if path.name.startswith("PWNED"):
            return f"{path} is there"
        if path.is_file() and place not in path.parents and path.parent.name not in ("bin", "assay"):
            return f"{path} is written"
    return None


def ended(result, words):
    crashed = result.returncode < 0 or result.returncode >= 124
    return f"{words}: exit {result.returncode}: {result.stderr[-500:]}" if crashed else None


def some(tries, at):
    """Those that the value of this number has to pass, of a row that is one of many."""
    first = at * TRIES_A_VALUE
    return [tries[(first + i) % len(tries)] for i in range(TRIES_A_VALUE)]


def tried(place, env, commands, what, store=()):
    for words in commands:
        if words == VIEW:
            through = viewed(place, env, store, what)
            if through:
                return through
            continue
        # Of a machine without programs there is little to look at.
        path = {"PATH": "/nowhere"} if words[0] == "doctor" else {}
        result = e2e.assay(*words, cwd=place, env={**env, **path})
        pasted(result, place)
        through = ended(result, words) or told(result, words) or outside(place.parent, place)
        if through:
            return f"{what}: {through}"
    return None


def viewed(place, env, store, what):
    """`assay view` serves until it is ended: its first line, or its error."""
    with subprocess.Popen([e2e.PROGRAM, "view", "latest", "--port", "0", *store], cwd=place, text=True,
                          env=e2e.clean_environment(env), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          errors="surrogateescape") as serving:
        first = serving.stdout.readline()
        serving.terminate()
        rest, errors = serving.communicate(timeout=30)
    result = subprocess.CompletedProcess([], serving.returncode, first + rest, errors)
    through = told(result, ["view"])
    return through and f"{what}: {through}"


def environment(folder):
    for name in ("home", "state"):
        (folder / name).mkdir(exist_ok=True)
    return {"HOME": str(folder / "home"), "XDG_STATE_HOME": str(folder / "state"), "PGPASSFILE": "/dev/null"}


def project(folder, *more):
    place = folder / "mine"
    place.mkdir(exist_ok=True)
    (place / "suite.yml").write_text(e2e.suite(2))
    result = e2e.assay("run", "suite.yml", *more, cwd=place, env=environment(folder))
    e2e.expect(result, 0)
    return place


BATCH = ("INSERT INTO batch(id, provider, endpoint, created_ms, state, keys, details) "
         "SELECT 'b', 'openai', '', 1, 1, key, '{}' FROM exchange LIMIT 1")


def of_file(columns, whole=False):
    """`whole`: every value passes every command."""
    parts = [[words] for words in [*COMMANDS, ["cache", "adopt"], VIEW]] + [COPIED]

    def tries(folder):
        place = project(folder)
        file = place / ".assay/store.db"
        with contextlib.closing(sqlite3.connect(file)) as store, store:
            missing = text_columns(store) - {f"{table}.{one}" for table, own in COLUMNS.items() for one in own}
            e2e.check(not missing, f"nobody walks {missing}")
            store.execute(BATCH)
            store.execute("INSERT INTO blob VALUES(x'00', 'image/png', x'00')")
            store.execute("INSERT INTO blob_use SELECT x'00', id FROM exchange LIMIT 1")
            store.execute("INSERT INTO document_use VALUES(1, 'd', NULL, 'p')")
            store.execute("UPDATE score SET marks = '[]'")
            store.execute("UPDATE run SET state = 0")
        untouched = file.read_bytes()
        for at, value in enumerate(VALUES):
            file.write_bytes(untouched)
            with contextlib.closing(sqlite3.connect(file)) as store, store:
                for column in columns:
                    table, name = column.split(".")
                    # A run's last answer failed, so that it has an error.
                    store.execute(f"UPDATE {table} SET {name} = ?", (value,))
                    if column == "exchange.error":
                        store.execute("UPDATE exchange SET error_code = 1")
            commands = sum(parts if whole else some(parts, at), [])
            through = tried(place, environment(folder), commands, f"{columns[0]} = {value[:60]!r}")
            if through:
                return through
            for name in ("copy.db", "copy.db.lock"):
                (place / name).unlink(missing_ok=True)
        return None
    return tries


def of_suite(*path):
    """A stored suite whose member at this path is hostile, with digests of its own."""
    def tries(folder):
        if shutil.which("zstd") is None:
            raise Absent("zstd packs and unpacks a stored suite")
        place = project(folder)
        file = place / ".assay/store.db"
        untouched = file.read_bytes()
        for at, value in enumerate(VALUES):
            file.write_bytes(untouched)
            with contextlib.closing(sqlite3.connect(file)) as store, store:
                frame = store.execute("SELECT frame FROM suite").fetchone()[0]
                head, _, rest = zstd(["-dc"], frame).partition(b"\n")
                suite = json.loads(head)
                inner = suite["suite"]
                for step in path[:-1]:
                    inner = inner[step]
                inner[path[-1]] = value
                text = json.dumps(suite, separators=(",", ":")).encode() + b"\n" + rest
                digest = hashlib.sha256(text).digest()
                store.execute("UPDATE suite SET digest = ?, frame = ?", (digest, zstd(["-c"], text)))
                store.execute("UPDATE run SET suite = ?, tables = NULL, summary = NULL", (digest,))
            commands = some([*COMMANDS, VIEW], at)
            through = tried(place, environment(folder), commands, f"{path} = {value[:60]!r}")
            if through:
                return through
        return None
    return tries


def zstd(words, data):
    return subprocess.run(["zstd", "-q", *words], input=data, capture_output=True, check=True).stdout


SERVER = {"lock": threading.Lock(), "server": None, "made": 0}


def database():
    """A new one, of one server for all rows."""
    if programs() is None:
        raise Absent("PostgreSQL is not installed")
    with SERVER["lock"]:
        if SERVER["server"] is None:
            server = PostgresServer("max_connections=100")
            server.start()
            atexit.register(server.__exit__)
            SERVER["server"] = server
        SERVER["made"] += 1
        name = f"names{SERVER['made']}"
        return SERVER["server"], name, SERVER["server"].new(name)


def quoted(value):
    return "'" + value.replace("'", "''") + "'"


def scripts_told(place, folder, handed):
    """Scripts are run, with nothing in the place of assay; lines of YAML are words of a list in quotes."""
    for script in [*place.rglob("*.sh"), *handed.parent.glob(handed.name + ".*.sh")]:
        if script.is_relative_to(folder / "bin"):
            continue
        text = script.read_text().replace(e2e.PROGRAM, "true")
        subprocess.run(["bash", "-c", text], cwd=place, check=False, capture_output=True, timeout=20,
                       env={"PATH": os.environ["PATH"], "SLURM_ARRAY_TASK_ID": "1"})
        if any(line.startswith(BLOW) for line in text.split("\n")):
            return f"{script.name} has a line of the store"
    return None


SLURM = ["--cluster", "slurm"]
PODS = ["--cluster", "kubernetes", "--cluster-arg=claim=c", "--cluster-arg=image=i"]


def handed_over(place, folder, env, url, what, engines):
    shutil.rmtree(place / ".assay" / "cluster", ignore_errors=True)
    handed = folder / "bin" / "handed"
    for words in [["run", "suite.yml", "--store", url, "--shards", "2", *engine] for engine in engines]:
        result = e2e.assay(*words, cwd=place, env={**env, "PATH": f"{folder}/bin:{os.environ['PATH']}",
                                                  "HANDED": str(handed)})
        through = ended(result, words) or told(result, words) or scripts_told(place, folder, handed) or \
            outside(folder, place)
        if through:
            return f"{what}: {through}"
    return None


def of_server(columns, whole=False):
    """`whole`: every value passes every command and engine."""
    parts = [["runs", "--watch", "latest"], SLURM, PODS, *COMMANDS, VIEW]

    def tries(folder):
        server, name, url = database()
        env = environment(folder)
        place = project(folder, "--store", url)
        (folder / "bin").mkdir()
        (folder / "bin/sbatch").write_text(SBATCH)
        (folder / "bin/sbatch").chmod(0o755)
        server.sql(BATCH, name)
        server.sql("INSERT INTO seat(run, shard, host, process, task) SELECT number, 1, 'h', 1, 't' FROM run", name)
        server.sql("INSERT INTO terms SELECT number, now(), 0, NULL, NULL, 0, 2 FROM run", name)
        server.sql("CREATE TABLE kept AS SELECT * FROM run", name)
        for at, value in enumerate(value for value in VALUES if "\0" not in value):
            server.sql("DELETE FROM run WHERE number NOT IN (SELECT number FROM kept)", name)
            server.sql("UPDATE run SET (id, state, title, dialect, source, run_label, suite_root, assay_version, spec, "
                       "toolchains, generators) = (SELECT id, 0, title, dialect, source, run_label, suite_root, "
                       "assay_version, spec, toolchains, generators FROM kept WHERE kept.number = run.number)", name)
            for column in columns:
                table, one = column.split(".")
                server.sql(f"UPDATE {table} SET {one} = {quoted(value)}", name)
            server.sql("UPDATE seat SET beat_at = clock_timestamp() - interval '58 s', ended_at = NULL", name)
            what = f"{columns[0]} = {value[:60]!r}"
            now = parts if whole else some(parts, at)
            commands = [words if words == VIEW else [*words, "--store", url] for words in now
                        if words not in (SLURM, PODS)]
            through = handed_over(place, folder, env, url, what, [each for each in now if each in (SLURM, PODS)]) or \
                tried(place, env, commands, what, ["--store", url])
            if through:
                return through
        return None
    return tries


FILES = "what the file of a store says is data"
SERVERS = "what a store on a server says is data"
ALL = [f"{table}.{column}" for table, own in COLUMNS.items() for column in own]
ALL_OF_SERVERS = [f"{table}.{column}" for table, own in {**COLUMNS, **OF_SERVERS}.items() for column in own
                  if table not in ("blob", "document_use")]
FREE = [column for column in ALL if column not in GATED]

ATTACKS = [
    Attack("the id of a run in a file", FILES, of_file(["run.id"]), fast=True),
    Attack("the id of a run in a file, in every command", FILES, of_file(["run.id"], whole=True), slow=True),
    Attack("every text that is no name, in a file", FILES, of_file(FREE, whole=True), slow=True),
    Attack("the id of a run on a server", SERVERS, of_server(["run.id"]), fast=True),
    Attack("the id of a run on a server, in every command", SERVERS, of_server(["run.id"], whole=True), slow=True),
    Attack("the id of a variant in a stored suite", FILES, of_suite("variants", 0, "id"), slow=True),
    Attack("the label of a variant in a stored suite", FILES, of_suite("variants", 0, "label"), slow=True),
    Attack("the title of a stored suite", FILES, of_suite("title"), slow=True),
    Attack("names of seats", SERVERS, of_server(["seat.host", "seat.task"]), slow=True),
] + [
    Attack(f"{column} of a file", FILES, of_file([column]), slow=True) for column in ALL if column != "run.id"
] + [
    Attack(f"{column} of a server", SERVERS, of_server([column]), slow=True)
    for column in ALL_OF_SERVERS if column != "run.id"
]
