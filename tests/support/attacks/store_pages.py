"""The pages of a small SQLite file may lead to one page, or one long value, again and again."""
import contextlib
import sqlite3
import struct

import e2e

from . import Attack
from .sizes import each_within

SECONDS_MAX = 4 * e2e.SLOWNESS
CELLS, LEVELS = 200, 4          # of a page; of pages above the one that has rows
INTERIOR, HEADER = 5, 12        # the kind and the length of the head of such a page
COMMANDS = [["runs"], ["runs", "--json"], ["show", "latest"], ["export", "latest", "--to", "csv", "-o", "x.csv"],
            ["cache", "explain", "latest"]]
SUITE = "id: s\nmodels: ['echo:m']\nprompts:\n- {id: p, prompt: say a, should: [{$contains: a}]}\n"


def varint(number):
    """As SQLite writes it."""
    groups = [number & 0x7f]
    while number := number >> 7:
        groups.append(0x80 | number & 0x7f)
    return bytes(reversed(groups))


def page_above(size, child, step):
    """A page whose cells all lead to the same child."""
    page, at, places = bytearray(size), size, []
    for number in range(1, CELLS + 1):
        cell = struct.pack(">I", child) + varint(number * step)
        at -= len(cell)
        page[at:at + len(cell)] = cell
        places.append(at)
    struct.pack_into(">BHHHBI", page, 0, INTERIOR, 0, CELLS, at, 0, child)
    struct.pack_into(f">{CELLS}H", page, HEADER, *places)
    return page


def lead_to_one_page(path, table):
    """The table has as many rows as before, CELLS ** LEVELS times."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = database.execute("PRAGMA page_size").fetchone()[0]
        root = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [table]).fetchone()[0]
    data = bytearray(path.read_bytes())
    first = slice((root - 1) * size, root * size)
    data += data[first]
    for level in range(1, LEVELS):
        data += page_above(size, len(data) // size, CELLS ** (level - 1))
    data[first] = page_above(size, len(data) // size, CELLS ** (LEVELS - 1))
    struct.pack_into(">I", data, 28, len(data) // size)
    path.write_bytes(data)


def repeated(table):
    """The store is refused as damaged, before any command walks its rows."""
    def tries(folder):
        (folder / "suite.yml").write_text(SUITE)
        e2e.expect(e2e.assay("run", "suite.yml", "-q", cwd=folder), 0)
        lead_to_one_page(folder / ".assay" / "store.db", table)
        return each_within(folder, ".assay/store.db", COMMANDS, SECONDS_MAX)
    return tries


ATTACKS = [Attack(f"a store whose table {table} leads to one page again and again", "each page counts once",
                  repeated(table))
           for table in ("run", "cell", "score", "exchange")]
