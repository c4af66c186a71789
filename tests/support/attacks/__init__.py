"""Tables of attacks: what a stranger wrote (a folder, an answer, a judge, an import) tries for power that it has not.

Each file of this folder has a list ATTACKS of rows; tests/e2e/strangers_get_no_power.py tries them. A row is tried in a
scratch folder of its own, beside others on other threads: it changes neither this process's folder nor its environment.
"""
import importlib
import pkgutil
import tempfile
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional


@dataclass(frozen=True)
class Attack:
    """One try. `./dev test` tries the first row of each cause and those marked fast; `--all` tries every row."""
    name: str                                # what is tried, in words
    cause: str                               # the rule that holds it: rows of one cause are held by one piece of code
    tries: Callable[[Path], Optional[str]]   # given an empty folder; None, or what got through. A check that fails
                                             # (e2e.check, e2e.expect, an exception) counts as got through
    fast: bool = False                       # also tried by `./dev test`
    slow: bool = False                       # takes more than a few seconds: never the row of its cause by itself


class Absent(Exception):
    """Raised by a row where what it needs (a program, a right) is not here; its text says what."""


def tables():
    """Name of the file -> its rows."""
    found = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda each: each.name):
        found[module.name] = list(importlib.import_module(f"{__name__}.{module.name}").ATTACKS)
    return found


def one_a_cause(rows):
    """The rows of `./dev test`: those marked fast, and of a cause without one its first that is not slow."""
    marked = {row.cause for row in rows if row.fast}
    kept, causes = [], set()
    for row in rows:
        first = row.cause not in marked and row.cause not in causes and not row.slow
        if row.fast or first:
            kept.append(row)
            causes.add(row.cause)
    return kept


def outcome(row):
    """("held", ""), ("through", what) or ("absent", why)."""
    with tempfile.TemporaryDirectory(prefix="assay-attack-", ignore_cleanup_errors=True) as folder:
        try:
            got = row.tries(Path(folder))
        except Absent as missing:
            return "absent", str(missing)
        except SystemExit:
            return "through", "a check failed; its words are above"
        except Exception:  # a row that cannot be tried proves nothing
            return "through", traceback.format_exc(limit=3)
    return ("held", "") if got is None else ("through", got)
