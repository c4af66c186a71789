"""The suite of a run as a store has it: each member with values that none can have, its tables and summary to be made
again, through every exporter. No command crashes."""
import hashlib
import json

from . import Attack
from .stored_scores import COMMANDS, changed, example, members, rows, shape, shown, stored_suite, zstd

VALUES = [None, [], {}, -1, 0.5, "x", True, 2**63, [[]]]
# What reads a run's suite whatever else it is told.
READING = [words for words in COMMANDS if words[0] not in ("calibrate", "report")]
EXPORTS = [["export", "latest", "--to", form, "-o", "out.txt"] for form in ("csv", "markdown")]


def store_suite(folder, text):
    """In the place of the newest run's, with a digest of its own; what was made of the old one is forgotten."""
    digest = hashlib.sha256(text).digest()
    rows(folder, "INSERT OR IGNORE INTO suite(digest, frame) VALUES(?, ?)", digest, zstd(["-c"], text))
    rows(folder, "UPDATE run SET suite = ?, tables = NULL, summary = NULL", digest)


def each_of(name, only=lambda path: True, step=1):
    """Each member of the head and of the first case, with each value; `only`: those below."""
    def tries(folder):
        env = example(folder, name)
        file = folder / ".assay/store.db"
        whole = file.read_bytes()
        lines = stored_suite(folder).split(b"\n")
        tried = []
        for at, line in enumerate(lines[:2]):
            paths = {shape(path): path for path in members(json.loads(line)) if only(path)}
            tried += [(at, path, value) for path in paths.values() for value in VALUES]
        for at, path, value in tried[::step]:
            file.write_bytes(whole)
            other = list(lines)
            other[at] = changed(lines[at], path, value).encode()
            store_suite(folder, b"\n".join(other))
            through = shown(folder, env, COMMANDS + EXPORTS)
            if through:
                return f"line {at}: {path} = {value!r}: {through}"
        return None
    return tries


def details(name, changes):
    """The details of a case, changed: the store is damaged, and says so."""
    def tries(folder):
        env = example(folder, name)
        file = folder / ".assay/store.db"
        whole = file.read_bytes()
        lines = stored_suite(folder).split(b"\n")
        for what, change in changes.items():
            file.write_bytes(whole)
            case = json.loads(lines[1])
            case["details"] = change(case.get("details", {}))
            store_suite(folder, b"\n".join([lines[0], json.dumps(case).encode(), *lines[2:]]))
            through = shown(folder, env, READING + EXPORTS, "damaged")
            if through:
                return f"{what}: {through}"
        return None
    return tries


def another_format(folder):
    """A run whose format is not that of its suite."""
    env = example(folder, "judged")
    rows(folder, "UPDATE run SET dialect = 'infibench', tables = NULL, summary = NULL")
    return shown(folder, env, READING + EXPORTS, "damaged")


def suite_under_its_digest(folder):
    """Another suite under the digest of the user's own: it would show other prompts and weights."""
    env = example(folder, "judged")
    head, *cases = stored_suite(folder).split(b"\n")
    text = b"\n".join([changed(head, ("suite", "title"), "PWNED").encode(), *cases])
    rows(folder, "UPDATE suite SET frame = ?", zstd(["-c"], text))
    rows(folder, "UPDATE run SET tables = NULL, summary = NULL")
    return shown(folder, env, READING + EXPORTS, "damaged")


def document_under_its_digest(folder):
    """Another text under the digest of the user's own document: passages would quote it."""
    env = example(folder, "research")
    rows(folder, "UPDATE document SET frame = ?", zstd(["-c"], b"PWNED " * 200))
    case = json.loads(stored_suite(folder).split(b"\n")[1])["id"]
    return shown(folder, env, [["show", "latest", "--case", case, "--verbose"]], "damaged")


BROKEN = {
    "null": lambda old: None,
    "no fields": lambda old: {key: value for key, value in old.items() if key != "fields"},
    "no bounds": lambda old: {key: value for key, value in old.items() if key != "bounds"},
    "a list of fields": lambda old: {**old, "fields": []},
    "bounds of 3": lambda old: {**old, "bounds": 3},
    "fields of null": lambda old: {**old, "fields": None},
    "a list": lambda old: [],
}

DIGESTS = "what a digest names is what lies under it"
SUITES = "what a stored suite keeps for its format is what the format wrote"

ATTACKS = [
    Attack("details of an InfiBench case", SUITES, details("infibench", BROKEN), fast=True),
    Attack("a format that is another", SUITES, another_format),
    Attack("another suite under a digest", DIGESTS, suite_under_its_digest, fast=True),
    Attack("another document under a digest", DIGESTS, document_under_its_digest, fast=True),
    Attack("each detail of a blueprint", SUITES, each_of("judged", lambda path: "details" in path, 3), slow=True),
    Attack("each detail of a research suite", SUITES, each_of("research", lambda path: "details" in path), slow=True),
    Attack("each detail of an InfiBench suite", SUITES, each_of("infibench", lambda path: "details" in path, 2),
           slow=True),
    Attack("each member of a blueprint's suite", SUITES, each_of("judged", step=11), slow=True),
    Attack("each member of a research suite", SUITES, each_of("research", step=11), slow=True),
    Attack("each member of an InfiBench suite", SUITES, each_of("infibench", step=11), slow=True),
]
