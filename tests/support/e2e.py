"""What the end-to-end tests share: the program, a scratch folder, small suites. Tests import it by path."""
import base64
import fcntl
import json
import os
import pty
import re
import select
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(os.environ["ASSAY"]).resolve())
SLOWNESS = max(1, int(os.environ.get("ASSAY_SLOWNESS", "1")))  # scripts/slowness.py
SECONDS_MAX = 100 * SLOWNESS
STATE = tempfile.TemporaryDirectory(prefix="assay-e2e-state-")  # what this test's user made; gone with the test
CONFIG = tempfile.TemporaryDirectory(prefix="assay-e2e-config-")  # what this test's user made; gone with the test


def clean_environment(extra=None):
    outside = re.compile(r"^ASSAY|_API_KEY$|_BASE_URL$|_proxy$|_PROXY$")  # no test asks a real service
    kept = {name: value for name, value in os.environ.items() if not outside.search(name)}
    return {**kept, "CI": "1", "TZ": "UTC", "XDG_STATE_HOME": STATE.name, "XDG_CONFIG_HOME": CONFIG.name,
            **(extra or {})}


def own_settings(text):
    """The user's own assay.toml, of which everything counts; of a folder's only what needs no trust does."""
    folder = Path(CONFIG.name, "assay")
    folder.mkdir(exist_ok=True)
    folder.joinpath("assay.toml").write_text(text)


def digest_of_powers(folder):
    """For --trust=DIGEST: what a user has looked at."""
    return assay("trust", "--print", cwd=folder).stdout.strip()


def assay(*words, cwd, env=None, **more):
    """Runs the program to its end; the result has returncode, stdout, stderr."""
    return subprocess.run([PROGRAM, *map(str, words)], cwd=cwd, env=clean_environment(env), capture_output=True,
                          text=True, errors="surrogateescape", timeout=SECONDS_MAX, **more)


def adopt(*words, cwd, env=None):
    """assay cache adopt, which is refused in CI."""
    return assay("cache", "adopt", *words, cwd=cwd, env={**(env or {}), "CI": ""})


def start(*words, cwd, env=None, output=subprocess.PIPE):
    return subprocess.Popen([PROGRAM, *map(str, words)], cwd=cwd, env=clean_environment(env), text=True,
                            stdout=output, stderr=output)


def on_terminal(*words, cwd, env=None, typed=b"", columns=0):
    """Runs the program with a terminal as its input and output: what it wrote, and its exit code. `env`: None is a
    variable that is not there. It is nobody's controlling terminal, which would lose what is not read yet when the
    program ends."""
    terminal, programs_end = pty.openpty()
    if columns:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.write(terminal, typed)
    variables = {name: value for name, value in clean_environment(env).items() if value is not None}
    child = subprocess.Popen([PROGRAM, *map(str, words)], cwd=cwd, env=variables, stdin=programs_end,
                             stdout=programs_end, stderr=programs_end, start_new_session=True)
    said = b""
    while True:
        has_ended = child.poll() is not None
        if select.select([terminal], [], [], 0.2)[0]:
            said += os.read(terminal, 65536)
        elif has_ended:
            break
    os.close(programs_end)
    os.close(terminal)
    return said.decode(), child.returncode


def scratch():
    return tempfile.TemporaryDirectory(prefix="assay-e2e-")


def bare_toolchains():
    """A folder for ASSAY_TOOLCHAINS with a Python that has no packages: below /tmp, which programs have as their own,
    with a blank in its name, and for everybody to read."""
    folder = tempfile.TemporaryDirectory(prefix="assay e2e ")
    Path(folder.name).chmod(0o755)
    made = subprocess.run([sys.executable, "-m", "venv", "--without-pip", Path(folder.name, "python")],
                          capture_output=True, check=False)
    if made.returncode != 0:
        skip("python3 makes no virtual environment here")
    return folder


def suite(cases, model="echo:a"):
    """A blueprint whose answers echo asks for by itself: case i says `word i`, and is graded by two functions."""
    lines = ["title: Echoes", "id: echoes", f"models: [{model}]", "prompts:"]
    for i in range(cases):
        lines += [f"  - id: case-{i}", f"    prompt: say word {i}", "    should:", f"      - $contains: word {i}",
                  "      - $word_count_between: [1, 2]"]
    return "\n".join(lines) + "\n"


def check(condition, message, result=None):
    if condition:
        return
    print(f"FAILED: {message}")
    if result is not None:
        print(f"exit {result.returncode}\n--- stdout\n{result.stdout}--- stderr\n{result.stderr}")
    raise SystemExit(1)


def expect(result, code, *fragments):
    """The exit code, and texts that standard error must hold."""
    check(result.returncode == code, f"expected exit {code}", result)
    for fragment in fragments:
        check(fragment in result.stderr, f"expected {fragment!r} on standard error", result)
    check("terminate called" not in result.stderr, "the program was aborted", result)


def skip(reason):
    """Ends the test: what it needs is not here."""
    print(f"skipped: {reason}")
    raise SystemExit(77)


def one_run(result):
    """The single object that `run --json` printed."""
    runs = json.loads(result.stdout)
    check(len(runs) == 1, "expected one run", result)
    return runs[0]


def nothing_written(folder, *but):
    left = [p.relative_to(folder).as_posix() for p in Path(folder).rglob("*") if p.is_file()]
    left = [p for p in left if not any(re.match(pattern, p) for pattern in but)]
    check(not left, f"files were left behind: {left}")


VOLATILE = [
    (re.compile(r"\d{8}T\d{6}-[0-9a-f]{4}"), "RUN"),
    (re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z"), "TIMESTAMP"),
    (re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}"), "DATE TIME"),
]


def counted_in_store(folder, table):
    """Rows of a table, also while a run goes on, or after a kill. Of a copy: SQLite, as root, dates the -wal anew."""
    with tempfile.TemporaryDirectory() as copy:
        for file in Path(folder, ".assay").glob("store.db*"):
            if not file.name.endswith("-shm"):
                shutil.copy(file, copy)
        store = sqlite3.connect(Path(copy, "store.db"))
        count = store.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        store.close()
    return count


def normalised(text):
    # How many equal requests find each other in the store is a matter of time.
    text = re.sub(r"(?m)^\d+ asked, \d+ reused.*\n", "", text)
    # Which models end within 60 days is a matter of today's date.
    text = re.sub(r"(?m)^.*\[suite\.retirement\]\n(?: .*\n)*", "", text)
    for pattern, name in VOLATILE:
        text = pattern.sub(name, text)
    return text


def page_data(page):
    """What report.html holds, by path: parsed JSON, or bytes; the cases of all chunks by id below "cases"."""
    data = {"cases": {}}
    element = (r'<script type="application/x-assay" data-path="([^"]*)"'
               r'( data-from[^>]*)?( data-form="json")?>([^<]*)</script>')
    for path, chunk, form, stored in re.findall(element, page):
        body = stored.encode() if form else zlib.decompress(base64.b64decode(stored))
        is_bytes = ".bin" in path  # they may begin with any
        told = json.loads(body) if body.startswith((b"{", b"[")) and not is_bytes else body
        if chunk:
            data["cases"].update(told)
        else:
            data[path] = told
    return data


def page_text(page):
    """The same as lines "member: text", for tests that look for words."""
    lines = []

    def add(name, value):
        if isinstance(value, dict):
            for key, inner in value.items():
                add(key, inner)
        elif isinstance(value, list):
            for inner in value:
                add(name, inner)
        elif not isinstance(value, bytes):
            lines.append(f"{name}: {value}")
    add("", page_data(page))
    return "\n".join(lines)


# Members of a page's data that no two runs have in common.
TIMED = re.compile(r"(?m)^(\w*_?ms|requests_sent|command|store): .*\n")


def untimed(path):
    """A result file with run ids and times replaced; of a page what it holds."""
    text = path.read_text(errors="surrogateescape")
    return normalised(TIMED.sub("", page_text(text) + "\n") if path.name == "report.html" else text)


def result_files(folder):
    """Path -> content of every finished file below, with run ids and times replaced."""
    return {normalised(p.relative_to(folder).as_posix()): untimed(p)
            for p in sorted(Path(folder).rglob("*")) if p.is_file() and not p.name.endswith(".part")}
