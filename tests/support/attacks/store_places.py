"""Where a store says that its rows are is data, too: rows with numbers below 1, rows out of order, cells that nobody
asked for. No gate opens by them, and no command crashes."""
import contextlib
import json
import socket
import sqlite3
import struct
import threading
import time

import e2e

from . import Attack
from .store_names import COMMANDS, SERVERS, database, environment, project, tried
from .stores import closed, user

GATE = ["--fail-under", "0.9"]
SECONDS_MAX = 20 * e2e.SLOWNESS
SUITE = "id: t\nmodels: [echo:a]\n---\n- id: c0\n  prompt: one\n  should: [{$contains: zebra}]\n"
FORGED = json.dumps({"v": 1, "text": "zebra", "finish": "stop"}).encode()
FAR = (2 ** 40, 2 ** 62, -1, -2 ** 63)  # numbers of cells that no plan has


def theirs(folder):
    """The folder of a stranger, whose answer is forged; its look-ups find it."""
    place = folder / "mine"
    place.mkdir()
    (place / "suite.yml").write_text(SUITE)
    e2e.expect(e2e.assay("run", "suite.yml", cwd=place, env=user(folder, "mallory")), 0)
    return place


def changed(place, *statements):
    with contextlib.closing(sqlite3.connect(place / ".assay/store.db", isolation_level=None)) as store:
        for sql, *values in statements:
            store.execute(sql, values)
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.execute("PRAGMA journal_mode = DELETE")


def forged(exchange_id):
    """The answer of the only case, below this id, where a look-up finds it."""
    return [("UPDATE exchange SET reply = ?, id = ?", FORGED, exchange_id),
            ("DELETE FROM run",), ("DELETE FROM exchange_key",), ("DELETE FROM keyed",),
            ("INSERT INTO exchange_key SELECT substr(key, 1, 8), epoch, id FROM exchange",),
            ("INSERT INTO keyed VALUES(0, 1)",)]


def opens(place, folder):
    result = e2e.assay("run", "suite.yml", *GATE, cwd=place, env=user(folder, "alice"))
    return None if result.returncode in (1, 2) else f"the gate opened: exit {result.returncode}: {result.stderr}"


def below_one(number):
    def tries(folder):
        place = theirs(folder)
        changed(place, *forged(number))
        return opens(place, folder)
    return tries


def run_below_one(folder):
    """A finished run with a summary of its own, and no other row that has a number above 0."""
    place = theirs(folder)
    changed(place, *forged(-1)[:1], *[(f"UPDATE {table} SET run = -1",) for table in ("cell", "score", "sitting")],
            ("UPDATE run SET number = -1, mean_score = 1, summary = replace(summary, '0,1', '1,1')",))
    return opens(place, folder)


def first_goes_last(file, table):
    """The first row of the only page of a table stands last: SQLite finds each of the others."""
    with contextlib.closing(sqlite3.connect(file)) as store:
        root, = store.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
        size, = store.execute("PRAGMA page_size").fetchone()
    page = bytearray(file.read_bytes())
    start = (root - 1) * size
    kind, count = page[start], struct.unpack(">H", page[start + 3:start + 5])[0]
    e2e.check(kind in (0x0a, 0x0d) and count > 1, f"{table} has one page with several rows")
    first = start + 8
    places = page[first:first + 2 * count]
    page[first:first + 2 * count] = places[2:] + places[:2]
    file.write_bytes(page)



def out_of_order(folder):
    """The last row of a table has the highest id, where the table is in order."""
    place = theirs(folder)
    changed(place, *forged(5))
    with contextlib.closing(sqlite3.connect(place / ".assay/store.db")) as store:
        rest = [row[1] for row in store.execute("PRAGMA table_info(exchange)")][2:]
    changed(place, (f"INSERT INTO exchange SELECT -1, zeroblob(32), {', '.join(rest)} FROM exchange",))
    first_goes_last(place / ".assay/store.db", "exchange")
    for _ in range(2):  # what is remembered of it counts the second time
        if through := opens(place, folder):
            return through
    return None


def cells_out_of_order(table):
    """A walk over a run's cells comes to a row of another one that nobody asked for."""
    def tries(folder):
        place, env = project(folder), environment(folder)
        file = place / ".assay/store.db"
        untouched = file.read_bytes()
        for number in FAR:
            file.write_bytes(untouched)
            with contextlib.closing(sqlite3.connect(file)) as store:
                names = [row[1] for row in store.execute(f"PRAGMA table_info({table})")]
            values = {**{name: name for name in names}, "run": "0", "cell": str(number)}
            changed(place, (f"INSERT INTO {table} SELECT {', '.join(values.values())} FROM {table} LIMIT 1",),
                    ("UPDATE run SET summary = NULL, tables = NULL, said = NULL",))
            first_goes_last(file, table)
            if through := tried(place, env, COMMANDS, f"{table}.cell = {number}"):
                return through
        return None
    return tries


class LyingProxy:
    """Passes on what a server says, but for one number: the first one of the row of this index."""

    def __init__(self, server, folder):
        self.there, self.folder = f"{server.folder.name}/.s.PGSQL.5432", folder
        self.rows, self.at, self.number = 0, -1, 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{folder}/.s.PGSQL.5432")
        self.listener.listen(16)
        threading.Thread(target=self._accept, daemon=True).start()

    def lie(self, at, number):
        self.rows, self.at, self.number = 0, at, number

    def _accept(self):
        while True:
            try:
                here, _ = self.listener.accept()
            except OSError:
                return
            there = socket.socket(socket.AF_UNIX)
            there.connect(self.there)
            threading.Thread(target=self._pass, args=(here, there, bytes), daemon=True).start()
            threading.Thread(target=self._pass, args=(there, here, self._changed), daemon=True).start()

    @staticmethod
    def _pass(source, to, change):
        rest = b""
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                if change is bytes:
                    to.sendall(data)
                    continue
                rest += data
                while len(rest) >= 5 and len(rest) > struct.unpack(">I", rest[1:5])[0]:
                    length = 1 + struct.unpack(">I", rest[1:5])[0]
                    to.sendall(change(rest[:length]))
                    rest = rest[length:]
        for each in (source, to):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _changed(self, message):
        """Behind the count of columns is the length of the first one, 8 for a number."""
        is_number = message[:1] == b"D" and message[7:11] == struct.pack(">i", 8)
        self.rows += is_number
        if not is_number or self.rows - 1 != self.at:
            return message
        return message[:11] + struct.pack(">q", self.number) + message[19:]


def lying_server(*all_words):
    """Each number that begins a row, one after the other, is far off."""
    def tries(folder):
        server, name, url = database()
        env = environment(folder)
        place = project(folder, "--store", url)
        (folder / "proxy").mkdir()
        proxy = LyingProxy(server, folder / "proxy")
        there = f"postgresql://assay@/{name}?host={folder}/proxy&connect_timeout=3"
        for words in all_words:
            server.sql("UPDATE run SET summary = NULL, tables = NULL", name)
            proxy.lie(-1, 0)
            e2e.expect(e2e.assay(*words, "--store", there, cwd=place, env=env), 0)
            for at in range(proxy.rows):
                for number in FAR[:3]:
                    server.sql("UPDATE run SET summary = NULL, tables = NULL", name)
                    proxy.lie(at, number)
                    through = tried(place, env, [[*words, "--store", there]], f"row {at} begins with {number}")
                    if through:
                        return through
        proxy.listener.close()
        return None
    return tries


def of_nothing(size):
    """A file with a hole behind its pages: who is refused waits for no digest of it."""
    def tries(folder):
        mallory, alice = user(folder, "mallory"), user(folder, "alice")
        place = folder / "mine"
        place.mkdir()
        (place / "suite.yml").write_text(e2e.suite(3))
        e2e.expect(e2e.assay("run", "suite.yml", cwd=place, env=mallory), 0)
        with open(place / ".assay/store.db", "r+b") as store:
            store.truncate(size)
        began = time.monotonic()
        through = closed(place, alice)
        seconds = time.monotonic() - began
        return through or (f"{seconds:.0f} s" if seconds > SECONDS_MAX else None)
    return tries


GATES = "rows of a store open no gate, whatever their numbers and their order"
CELLS = "a cell that nobody asked for makes a store damaged"
TIME = "who is refused waits for no digest of a huge store"

ATTACKS = [
    Attack("an answer below 1", GATES, below_one(-1), fast=True),
    Attack("an answer of number 0", GATES, below_one(0)),
    Attack("an answer far below 1", GATES, below_one(-2 ** 63)),
    Attack("a run below 1", GATES, run_below_one),
    Attack("answers out of order", GATES, out_of_order, fast=True),
    Attack("cells out of order", CELLS, cells_out_of_order("cell"), fast=True),
    Attack("scores out of order", CELLS, cells_out_of_order("score")),
    Attack("a server with other cells, shown", SERVERS, lying_server(["show", "latest", "--json"]), fast=True),
    Attack("a server with other cells, exported", SERVERS, lying_server(
        ["export", "latest", "--to", "csv", "-o", "o.csv"], ["export", "latest", "--to", "jsonl", "-o", "o.jsonl"]),
           slow=True),
    Attack("a store of a terabyte", TIME, of_nothing(1 << 40)),
]
