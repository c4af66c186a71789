"""The numbers of a store are data, too: every one of every table with hostile values, cells and ranges that are none of
the plan's, and runs that have each other's cells, through every command. None crashes or works without end."""
import contextlib
import sqlite3
import time

import e2e

from . import Attack
from .store_names import BATCH, COMMANDS, COPIED, SERVERS, VIEW, database, environment, project, some, tried

SECONDS_MAX = 20 * e2e.SLOWNESS
NUMBERS = [-1, 2 ** 31, 2 ** 62, -2 ** 63, "x"]
NUMBERS_OF_FILES = "what the numbers of a file of a store say is data"
TRIES = [[words] for words in [*COMMANDS, ["cache", "adopt"], VIEW]] + [COPIED]


def number_columns(store):
    rows = store.execute("SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c "
                         "WHERE m.type = 'table' AND c.type = 'INTEGER' AND m.name <> 'assay_store'")
    return sorted(f"{table}.{column}" for table, column in rows)


def prepared(folder):
    """A project with two runs, of which the second has the cells of the first."""
    place = project(folder)
    e2e.expect(e2e.assay("run", "suite.yml", "--fresh", cwd=place, env=environment(folder)), 0)
    with contextlib.closing(sqlite3.connect(place / ".assay/store.db")) as store, store:
        store.execute(BATCH)
        store.execute("INSERT INTO blob VALUES(x'00', 'image/png', x'00')")
        store.execute("INSERT INTO blob_use SELECT x'00', id FROM exchange LIMIT 1")
        store.execute("INSERT INTO document_use VALUES(1, 'd', NULL, 'p')")
    return place


def walked(place, env, changes, tries_of):
    """What gets through where these statements change the file, each alone."""
    file = place / ".assay/store.db"
    untouched = file.read_bytes()
    for at, (what, statements) in enumerate(changes):
        file.write_bytes(untouched)
        try:
            with contextlib.closing(sqlite3.connect(file)) as store, store:
                for statement, values in statements:
                    store.execute(statement, values)
        except sqlite3.IntegrityError:
            continue  # the tables do not take it
        began = time.monotonic()
        through = tried(place, env, sum(tries_of(at), []), what)
        if through:
            return through
        if time.monotonic() - began > SECONDS_MAX:
            return f"{what}: {time.monotonic() - began:.0f} s"
        for name in ("copy.db", "copy.db.lock"):
            (place / name).unlink(missing_ok=True)
    return None


def every_number(folder):
    place = prepared(folder)
    with contextlib.closing(sqlite3.connect(place / ".assay/store.db")) as store:
        columns = number_columns(store)
    changes = [(f"{column} = {value}", [("UPDATE OR IGNORE {} SET {} = ?".format(*column.split(".")), (value,))])
               for column in columns for value in NUMBERS]
    return walked(place, environment(folder), changes, lambda at: some(TRIES, at))


def owners(*of):
    """of[i]: the number of the run whose cells the run i + 1 has."""
    def tries(folder):
        place = prepared(folder)
        env = environment(folder)
        for i in range(len(of)):
            e2e.expect(e2e.assay("run", "suite.yml", "--fresh", cwd=place, env=env), 0)
        statements = [("UPDATE run SET cells_of = ? WHERE number = ?", (owner, i + 1)) for i, owner in enumerate(of)]
        return walked(place, env, [(f"owners {of}", statements)], lambda at: TRIES)
    return tries


def beyond_the_plan(folder):
    """Cells that no plan has, beside those that it has."""
    place = prepared(folder)
    changes = []
    for value in (2, 3, 1000, 2 ** 31, 2 ** 62, -1, -2 ** 63):
        statements = [(f"INSERT INTO {table} SELECT run, ?, {rest} FROM {table} WHERE cell = 0", (value,))
                      for table, rest in (("cell", "{cell}"), ("score", "{score}"))]
        changes.append((f"a cell {value}", statements))
    with contextlib.closing(sqlite3.connect(place / ".assay/store.db")) as store:
        rests = {table: ", ".join(name for _, name, *_ in store.execute(f"PRAGMA table_info({table})")
                                  if name not in ("run", "cell")) for table in ("cell", "score")}
    changes = [(what, [(text.format(**rests), values) for text, values in statements]) for what, statements in changes]
    return walked(place, environment(folder), changes, lambda at: TRIES)


def every_number_of_server(folder):
    server, name, url = database()
    place = project(folder, "--store", url)
    env = environment(folder)
    server.sql(BATCH, name)
    server.sql("INSERT INTO seat(run, shard, host, process, task) SELECT number, 1, 'h', 1, 't' FROM run", name)
    server.sql("INSERT INTO terms SELECT number, now(), 0, NULL, NULL, 0, 2 FROM run", name)
    server.sql("INSERT INTO range(run, number, first, last) SELECT number, 0, 0, 2 FROM run", name)
    columns = server.sql("SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = "
                         "'public' AND data_type IN ('bigint', 'integer') AND table_name <> 'assay_store' ORDER BY 1",
                         name)
    tries = [["runs", "--watch", "latest"], *COMMANDS, VIEW]
    for at, column in enumerate(columns):
        table, one = column.split(".")
        server.sql(f"CREATE TABLE kept AS SELECT * FROM {table}", name)
        for value in (-1, 2 ** 62):
            # Whoever watches waits until nobody works on the run.
            server.sql("UPDATE seat SET beat_at = clock_timestamp() - interval '58 s', ended_at = NULL", name)
            server.sql(f"DO $$ BEGIN UPDATE {table} SET {one} = {value}; EXCEPTION WHEN others THEN NULL; END $$", name)
            commands = [words if words == VIEW else [*words, "--store", url] for words in some(tries, at)]
            began = time.monotonic()
            through = tried(place, env, commands, f"{column} = {value}", ["--store", url])
            if through:
                return through
            if time.monotonic() - began > SECONDS_MAX:
                return f"{column} = {value}: {time.monotonic() - began:.0f} s"
            server.sql(f"DELETE FROM {table}; INSERT INTO {table} SELECT * FROM kept", name)
        server.sql("DROP TABLE kept", name)
    return None


ATTACKS = [
    Attack("cells that no plan has", NUMBERS_OF_FILES, beyond_the_plan, fast=True),
    Attack("a run that has its own cells from itself", NUMBERS_OF_FILES, owners(1)),
    Attack("two runs that have each other's cells", NUMBERS_OF_FILES, owners(2, 1), slow=True),
    Attack("a ring of runs", NUMBERS_OF_FILES, owners(2, 3, 1), slow=True),
    Attack("a chain of runs", NUMBERS_OF_FILES, owners(2, 3), slow=True),
    Attack("a run that has the cells of none", NUMBERS_OF_FILES, owners(2 ** 62), slow=True),
    Attack("every number of a file", NUMBERS_OF_FILES, every_number, slow=True),
    Attack("every number of a server", SERVERS, every_number_of_server, slow=True),
]
