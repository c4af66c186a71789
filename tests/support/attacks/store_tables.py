"""The tables of a file are data, too: whatever a stranger's tables, columns, indexes and triggers compute, no command
computes it. A store with other tables than assay makes is damaged."""
import contextlib
import re
import sqlite3
import time

import e2e

from . import Absent, Attack
from .store_names import environment, project

SECONDS_MAX = 20 * e2e.SLOWNESS
COMMANDS = [["runs"], ["show", "latest"], ["export", "latest", "--to", "csv", "-o", "latest.csv"],
            ["run", "suite.yml"], ["cache", "copy", ".assay/store.db", "copy.db"], ["cache", "prune", "--older", "0d"],
            ["compare", "latest", "latest"]]
BIG = "printf('%.*c', 900000000, 'x')"
LONG = "like('%' || replace(hex(zeroblob(25)), '00', 'a%') || 'b', replace(hex(zeroblob(2000)), '00', 'a'))"
SEARCHED = "length(replace(printf('%.*c', 999000, 'a'), printf('%.*c', 500000, 'a') || 'b', ''))"  # seconds


def changed(store, table, old, new):
    """The table again, with this change of its SQL and the rows that fit."""
    sql, = store.execute("SELECT sql FROM sqlite_schema WHERE name = ? AND type = 'table'", (table,)).fetchone()
    names = [row[1] for row in store.execute(f"PRAGMA table_xinfo({table})")]
    made = re.sub(old, new, sql, count=1)
    e2e.check(made != sql, f"{old} does not stand in {sql}")
    store.execute("PRAGMA legacy_alter_table = 1")
    store.execute("PRAGMA ignore_check_constraints = 1")
    store.execute(f"ALTER TABLE {table} RENAME TO before")
    store.execute(made)
    kept = [row[1] for row in store.execute(f"PRAGMA table_xinfo({table})") if not row[6] and row[1] in names]
    store.execute(f"INSERT INTO {table}({', '.join(kept)}) SELECT {', '.join(kept)} FROM before")
    store.execute("DROP TABLE before")


def generated(table, column, expression):
    return lambda store: changed(store, table, rf"\b{column} (TEXT|BLOB|REAL)( NOT NULL)?",
                                 rf"{column} \1 GENERATED ALWAYS AS ({expression}) VIRTUAL")


def beside(*statements):
    return lambda store: [store.execute(statement) for statement in statements]


def of_analyze(expression):
    """SQLite reads this table before anybody asks for one."""
    def change(store):
        sql = f"CREATE TABLE sqlite_stat1(tbl,idx,stat GENERATED ALWAYS AS ({expression}) VIRTUAL)"
        store.execute("ANALYZE")
        store.execute("PRAGMA writable_schema = 1")
        store.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'sqlite_stat1'", (sql,))
    return change


def renamed(table, old, new):
    """The same letters, which SQLite reads in another way."""
    def change(store):
        sql, = store.execute("SELECT sql FROM sqlite_schema WHERE name = ? AND type = 'table'", (table,)).fetchone()
        e2e.check(old in sql, f"{old} does not stand in {sql}")
        store.execute("PRAGMA writable_schema = 1")
        store.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ? AND type = 'table'",
                      (sql.replace(old, new, 1), table))
    return change


def other_tables(change):
    def tries(folder):
        place, env = project(folder), environment(folder)
        file = place / ".assay/store.db"
        try:
            with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as store:
                change(store)
        except sqlite3.OperationalError as missing:
            raise Absent(str(missing)) from missing
        made = file.read_bytes()
        for words in COMMANDS:
            began = time.monotonic()
            result = e2e.assay(*words, cwd=place, env=env)
            seconds = time.monotonic() - began
            refused = "damaged" in result.stderr or "too large" in result.stderr
            if result.returncode not in (1, 2) or not refused:
                return f"{words}: exit {result.returncode}: {result.stderr[-300:]}"
            if seconds > SECONDS_MAX:
                return f"{words}: {seconds:.0f} s"
            if file.read_bytes() != made:
                return f"{words}: the file is changed"
        return None
    return tries


def analyzed(folder):
    """What ANALYZE leaves is no stranger's."""
    place, env = project(folder), environment(folder)
    with contextlib.closing(sqlite3.connect(place / ".assay/store.db", isolation_level=None)) as store:
        store.execute("ANALYZE")
    result = e2e.assay("show", "latest", cwd=place, env=env)
    return None if result.returncode == 0 else f"exit {result.returncode}: {result.stderr}"


TABLES = "a store with other tables than assay makes is damaged"

ATTACKS = [
    Attack("a generated title", TABLES, other_tables(generated("run", "title", BIG)), slow=True),
    Attack("a title that takes for ever", TABLES, other_tables(generated("run", "title", LONG))),
    Attack("a generated score", TABLES, other_tables(generated("cell", "score", LONG)), fast=True),
    Attack("generated scores", TABLES, other_tables(generated("score", "scores", "zeroblob(990000000)"))),
    Attack("a generated reply", TABLES, other_tables(generated("exchange", "reply", "zeroblob(990000000)"))),
    Attack("a check of each row", TABLES,
           other_tables(lambda store: changed(store, "run", r"\)$", f", CHECK ({LONG} >= 0))"))),
    Attack("a default that is computed", TABLES,
           other_tables(lambda store: changed(store, "sitting", "version TEXT NOT NULL",
                                              f"version TEXT NOT NULL DEFAULT ({LONG})"))),
    Attack("an index of an expression", TABLES,
           other_tables(beside(f"CREATE INDEX i ON sitting(length(version || {LONG}))"))),
    Attack("an index of some rows", TABLES, other_tables(beside(f"CREATE INDEX i ON run(id) WHERE number < 0"))),
    Attack("a virtual table", TABLES, other_tables(beside("CREATE VIRTUAL TABLE v USING fts5(x)"))),
    Attack("a view in the place of a table", TABLES,
           other_tables(beside("ALTER TABLE run RENAME TO r", "CREATE VIEW run AS SELECT * FROM r"))),
    Attack("a trigger", TABLES,
           other_tables(beside("CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END"))),
    Attack("one more column", TABLES, other_tables(beside("ALTER TABLE cell ADD COLUMN z"))),
    Attack("a column less", TABLES, other_tables(beside("ALTER TABLE run DROP COLUMN said"))),
    Attack("a key that is none, by a blank less", TABLES,
           other_tables(renamed("exchange", "INTEGER PRIMARY KEY", "INTEGERPRIMARY KEY"))),
    Attack("a key that is none, by a blank more", TABLES,
           other_tables(renamed("exchange", "INTEGER PRIMARY KEY", "INTEGER PRI MARY KEY"))),
    Attack("a key that is none, by quotes", TABLES,
           other_tables(renamed("exchange", "INTEGER PRIMARY KEY", 'INTEGER "PRIMARY" "KEY"'))),
    Attack("a column that may be NULL, by quotes", TABLES,
           other_tables(renamed("exchange", "key BLOB NOT NULL", '"key BLOB NOT NULL"'))),
    Attack("a column that may be NULL, by a blank less", TABLES,
           other_tables(renamed("exchange", "key BLOB NOT NULL", "key BLOBNOTNULL"))),
    Attack("an older version than the tables have", TABLES, other_tables(beside("PRAGMA user_version = 13"))),
    Attack("what ANALYZE leaves, generated", TABLES, other_tables(of_analyze("hex(zeroblob(450000000))"))),
    Attack("what ANALYZE leaves, replaced for long", TABLES, other_tables(of_analyze(" + ".join([SEARCHED] * 30)))),
    Attack("what ANALYZE leaves", TABLES, analyzed),
]
