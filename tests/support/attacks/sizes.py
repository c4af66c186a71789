"""Files and replies that are larger, slower or odder than they look."""
import contextlib
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
import zipfile

import e2e
import research_folder as research
from mock_server import MockServer

from . import Absent, Attack

MIB = 1 << 20
MEMORY_MAX = 3 << 30    # of one command
SECONDS_MAX = 60
OWN_LINE = b'{"suite":"s","case":"a","variant":"v","model":"m","state":"scored","score":1,"answer":"x","points":[]}\n'
LM_LINE = (b'{"doc_id": 0, "doc": {}, "target": "a", "arguments": {}, "resps": [], "filtered_resps": ["a"], '
           b'"filter": "none", "metrics": ["acc"], "acc": 1}\n')
FOO_HEAD = b'{"evalId":"e","results":{"version":3,"prompts":[],"results":['
INSPECT_HEAD = b'{"version":2,"status":"success","eval":{"eval_id":"a","task":"t","model":"m"},"samples":['
HEADER = {"version": 2, "eval": {"task": "t", "model": "openai/m"}}


def measured(*words, cwd, env=None, memory=MEMORY_MAX, seconds=SECONDS_MAX):
    """(result, what went wrong): more memory or time than a command may take."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    began = time.monotonic()
    try:
        result = subprocess.run([e2e.PROGRAM, *map(str, words)], cwd=cwd, env=e2e.clean_environment(env),
                                capture_output=True, text=True, errors="surrogateescape", timeout=e2e.SECONDS_MAX,
                                preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return None, f"it takes more than {e2e.SECONDS_MAX} s"
    if result.returncode not in (0, 1, 2):
        return result, f"exit {result.returncode}: {result.stderr[-300:]}"
    if time.monotonic() - began > seconds and os.getloadavg()[0] < os.cpu_count():
        return result, f"it takes {time.monotonic() - began:.0f} s"
    return result, None


def sample(i, **more):
    return {"id": f"s{i}", "epoch": 1, "input": "q", "target": "a", "scores": {"match": {"value": "C"}},
            "output": {"choices": [{"message": {"role": "assistant", "content": "a"}}]}, **more}


def eval_log(path, texts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("header.json", json.dumps(HEADER))
        for i, text in enumerate(texts):
            archive.writestr(f"samples/s{i}_epoch_1.json", text)


def bomb(filler, samples, values):
    """A log whose samples hold `values` tiny values each."""
    def tries(folder):
        text = json.dumps(sample(0))[:-1] + ', "store": [' + ",".join([filler] * values) + "]}"
        eval_log(folder / "bomb.eval", [text.replace('"s0"', f'"s{i}"') for i in range(samples)])
        _, problem = measured("show", "bomb.eval", cwd=folder)
        return problem
    return tries


def honest_log(folder):
    """A log of long samples is read."""
    events = [{"event": "model", "n": i, "text": "word " * 20} for i in range(3_000)]
    eval_log(folder / "log.eval", [json.dumps(sample(i, events=events)) for i in range(40)])
    result, problem = measured("show", "log.eval", cwd=folder, memory=1 << 30)
    return problem or (None if result.returncode == 0 and "40" in result.stdout else f"not read: {result.stderr}")


# A child starts with the memory of its parent on its account, so that only a small parent can measure.
MEASURE = """import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
use = resource.getrusage(resource.RUSAGE_CHILDREN)
print(done.returncode, use.ru_maxrss * 1024, use.ru_utime + use.ru_stime, done.stderr[-200:])"""


def within(folder, name, *words, seconds=SECONDS_MAX):
    """None where the command takes no more than a file of that length may, 64 times its length and 64 MB or 300 MB."""
    most = min(64 * (folder / name).stat().st_size + 64_000_000, 300_000_000)
    measured_by = subprocess.run([sys.executable, "-c", MEASURE, e2e.PROGRAM, *(words or ("show", name))], cwd=folder,
                                 env=e2e.clean_environment(None), capture_output=True, text=True, check=True)
    code, took, worked, said = measured_by.stdout.split(" ", 3)
    if code not in ("0", "1", "2"):
        return f"exit {code}: {said}"
    if float(worked) > seconds:
        return f"it takes {worked} s"
    return None if int(took) <= most else f"{int(took) // 1_000_000} MB for {most // 1_000_000} at most: {said}"


def each_within(folder, name, commands, seconds):
    """None where each of the commands does."""
    for words in commands:
        problem = within(folder, name, *words, seconds=seconds)
        if problem:
            return f"{words}: {problem}"
    return None


def bounded(name, *pieces, repeat=1, sparse=0):
    """A file of pieces, the middle ones again and again, and zeros that take no room on the disk."""
    def tries(folder):
        with open(folder / name, "wb") as file:
            file.write(pieces[0])
            for i in range(repeat if len(pieces) > 1 else 0):
                file.write(pieces[1].replace(b"@", str(i).encode()))
            file.write(b"".join(pieces[2:]))
            file.truncate(max(sparse, file.tell()))
        return within(folder, name)
    return tries


def bounded_log(make, samples=1):
    """A log of Inspect whose samples are made by `make`."""
    def tries(folder):
        eval_log(folder / "log.eval", (make(i) for i in range(samples)))
        return within(folder, "log.eval")
    return tries


def wanted(member, filler, count):
    """A sample that has all its size in what is read of it."""
    def make(i):
        return json.dumps(sample(i))[:-1] + f', "{member}": [' + ",".join([filler] * count) + "]}"
    return make


def nested_forms(folder):
    """A PDF of forms that draw forms: 40 to the power of 8 of them. pdftotext worked at it for 79 s."""
    if shutil.which("pdftotext") is None:
        raise Absent("pdftotext")
    forms = []
    for i in range(8):
        stream = b"/X Do " * 40 if i < 7 else b"BT ET"
        forms.append(b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X %d 0 R >> >> "
                     b"/Length %d >>\nstream\n%s\nendstream" % (7 + i, len(stream), stream))
    page = research.pdf(") Tj ET /X Do BT (", more=forms)
    page = page.replace(b"/Font << /F1 3 0 R >> >>", b"/Font << /F1 3 0 R >> /XObject << /X 6 0 R >> >>")
    research.write(folder, {"forms.pdf": page, "a.txt": "Valves close at 4 degrees."})
    with MockServer() as mock:
        began = time.monotonic()
        result = e2e.assay("run", "matrix.toml", f"--base-url=openai={mock.url}/v1", cwd=folder,
                           env={"OPENAI_API_KEY": "sk-test-0823"})
        took = time.monotonic() - began
    if "no level of the sandbox" in result.stderr:
        raise Absent("a sandbox")
    if "limit of CPU time" not in result.stderr:
        return f"it was not ended by its CPU time: {result.stderr[-300:]}"
    return f"it took {took:.0f} s" if took > 50 and os.getloadavg()[0] < os.cpu_count() else None


def promptfoo(folder, results, padding):
    body = {"evalId": "e", "results": {"version": 3, "prompts": [{"raw": "p", "label": "p"}], "results": []},
            "config": {"description": "d"}}
    one = {"prompt": {"raw": "p", "label": "p"}, "provider": {"id": "openai:m"}, "score": 1, "success": True,
           "response": {"output": "a" * padding}, "vars": {"n": 0}, "failureReason": 0,
           "gradingResult": {"componentResults": [{"score": 1, "assertion": {"type": "equals", "value": "a"}}]}}
    head, tail = json.dumps(body).split('"results": []')
    with open(folder / "p.json", "w", encoding="utf-8") as file:
        file.write(head + '"results": [')
        for i in range(results):
            one["vars"]["n"] = i
            file.write(("," if i else "") + json.dumps(one))
        file.write("]" + tail)
    return folder / "p.json"


def large_promptfoo(folder):
    """As large as docs/exports.md says."""
    path = promptfoo(folder, 900, 270_000)
    if not 220 * MIB < path.stat().st_size <= 256 * MIB:
        return f"the test's own file has {path.stat().st_size} bytes"
    result, problem = measured("show", "p.json", cwd=folder)
    return problem or (None if result.returncode == 0 else f"not read: {result.stderr[-300:]}")


def many_promptfoo(folder):
    promptfoo(folder, 60_000, 1)
    result, problem = measured("show", "p.json", cwd=folder)
    return problem or (None if result.returncode == 0 else f"not read: {result.stderr[-300:]}")


def tiny_promptfoo(where):
    """40 million values of two bytes each, in one result, beside them, or as results."""
    def tries(folder):
        path = promptfoo(folder, 1, 1)
        head, tail = path.read_text().split({"in a result": '"vars": {', "beside the results": '"description": "d"',
                                             "as results": '"results": ['}[where], 1)
        filler = ",".join(["0"] * 40_000_000)
        middle = {"in a result": f'"vars": {{"l": [{filler}], ', "beside the results": f'"l": [{filler}]',
                  "as results": f'"results": [{filler}, '}[where]
        path.write_text(head + middle + tail)
        result, problem = measured("show", "p.json", cwd=folder)
        return problem or (None if "at most" in result.stderr else f"not told: {result.stderr[-300:]}")
    return tries


def odd_store(kind, name, *words):
    """A pipe or a device in the place of a store or of what lies beside it."""
    def tries(folder):
        (folder / "suite.yml").write_text(e2e.suite(1))
        (folder / ".assay").mkdir()
        e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
        place = folder / ".assay" / name
        place.unlink(missing_ok=True)
        if kind == "pipe":
            os.mkfifo(place)
        else:
            place.symlink_to("/dev/zero")
        _, problem = measured(*words, cwd=folder)
        return problem
    return tries


def named_store(target):
    def tries(folder):
        (folder / "suite.yml").write_text(e2e.suite(1))
        if target == "pipe":
            os.mkfifo(folder / "pipe")
        result, problem = measured("run", "suite.yml", "--store", target, cwd=folder)
        if problem is None:
            e2e.check(result.returncode in (1, 2) and "store" in result.stderr, "it is refused", result)
        return problem
    return tries


def long_name(what, size, code):
    def tries(folder):
        name = "n" * size
        text = {"id": f"title: T\nid: {name}\n", "title": f"title: {name}\nid: t\n"}.get(what, "title: T\nid: t\n")
        case = name if what == "case" else "a"
        (folder / "suite.yml").write_text(
            f"{text}models: [echo:a]\nprompts:\n  - id: {case}\n    prompt: q\n    should: [{{$contains: q}}]\n")
        result = e2e.assay("check", "suite.yml", cwd=folder)
        e2e.check(result.returncode == code, f"expected exit {code}", result)
        if code:
            e2e.check("65536" in result.stderr, "the limit is named", result)
        return None
    return tries


def usage_of(counts):
    def tries(folder):
        (folder / "suite.yml").write_text(e2e.suite(1, model="openai:m"))
        body = {"choices": [{"message": {"role": "assistant", "content": "word 0"}, "finish_reason": "stop"}],
                "usage": counts}
        with MockServer(reply=lambda path, asked: body) as mock:
            result = e2e.assay("run", "suite.yml", "--json", f"--base-url=openai={mock.url}/v1", cwd=folder,
                               env={"OPENAI_API_KEY": "sk-test-0821"})
        e2e.expect(result, 0)
        told = e2e.one_run(result)["candidate_usage"]
        numbers = [value for value in (told or {}).values() if isinstance(value, (int, float))]
        return None if all(0 <= value <= 10 for value in numbers) else f"counted: {told}"
    return tries


def cell(start, before=""):
    def tries(folder):
        (folder / "suite.yml").write_text(e2e.suite(1, model="openai:m"))
        said = {"role": "assistant", "content": before + start + "1+1"}
        body = {"choices": [{"message": said, "finish_reason": "stop"}]}
        with MockServer(reply=lambda path, asked: body) as mock:
            e2e.expect(e2e.assay("run", "suite.yml", f"--base-url=openai={mock.url}/v1", cwd=folder,
                                 env={"OPENAI_API_KEY": "sk-test-0822"}), 0)
        for form in ("csv", "answers-csv", "csv-answers"):
            result = e2e.assay("export", "latest", "--to", form, cwd=folder)
            if result.returncode != 0:
                continue
            for quote in ("", '"'):
                if f"{before or ',' + quote}{start}1+1" in result.stdout:
                    return f"{form} has a formula: {result.stdout}"
        return None
    return tries


def runs_of_long(column, size, count):
    """A store whose runs have a text of so many characters each: commands list them within 300 MB."""
    def tries(folder):
        (folder / "suite.yml").write_text(e2e.suite(1))
        e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
        with contextlib.closing(sqlite3.connect(folder / ".assay/store.db")) as store, store:
            names = [name for _, name, *_ in store.execute("PRAGMA table_info(run)") if name != "number"]
            values = ", ".join({"id": "?", column: f"replace(hex(zeroblob({size // 2})), '0', 'x')"}.get(name, name)
                               for name in names)
            for i in range(count):
                store.execute(f"INSERT INTO run({', '.join(names)}) SELECT {values} FROM run WHERE number = 1",
                              (f"long-{i:03}",))
        return each_within(folder, ".assay/store.db",
                           [("runs",), ("show", "latest"), ("show", "long-00"), ("show", "none")], SECONDS_MAX)
    return tries


def shown(character):
    def tries(folder):
        escape = json.dumps(character)
        (folder / "suite.yml").write_text(
            f"title: {escape}\nid: t\nmodels: [echo:a]\nodd: 1\nprompts:\n  - id: {escape}\n    prompt: q\n"
            f"    should: [{{$contains: q}}, {{{escape}: 1}}]\n")
        result = e2e.assay("check", "suite.yml", "--json", cwd=folder)
        if character in result.stdout + result.stderr:
            return f"{character!r} is printed"
        return None if json.loads(result.stdout.splitlines()[0]) else "no JSON"
    return tries


BAD_COUNTS = [{"prompt_tokens": -5, "completion_tokens": 1}, {"prompt_tokens": 1, "completion_tokens": -1e9},
              {"prompt_tokens": 1e10, "completion_tokens": 1}, {"prompt_tokens": 1, "completion_tokens": 1e300},
              {"prompt_tokens": 9.3e18, "completion_tokens": 9.3e18}, {"prompt_tokens": 2e9, "total_tokens": 2e9},
              {"prompt_tokens": 1, "completion_tokens": 1, "completion_tokens_details": {"reasoning_tokens": -7}},
              {"prompt_tokens": 1, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 1e12}},
              {"input_tokens": -1, "output_tokens": 5e9}]
HIDDEN = ["\x80", "\x85", "\x9b", "\x9d", "\xad", "\u061c", "\u200b", "\u200e", "\u2028", "\u202a", "\u202e", "\u2066",
          "\u2069", "\ufeff", "\U000e0041"]

ATTACKS = [
    *[Attack(f"{samples} samples of {values} × {filler}", "a log has a budget", bomb(filler, samples, values),
             slow=slow)
      for filler, samples, values, slow in
      (("[]", 6, 2_500_000, False), ("0", 30, 7_000_000, True), ("{}", 20, 7_000_000, True),
       ('""', 20, 7_000_000, True),
       ('{"a":[]}', 8, 4_000_000, True), ("[[[]]]", 8, 4_000_000, True), ("[]", 400, 1_900_000, True))],
    *[Attack(f"{size >> 20} MiB of nothing behind {len(begins)} bytes, {begins[:12]!r}",
             "memory is bounded by the file",
             bounded("big.eval", begins, sparse=size), fast=begins == b"")
      for begins in (b"", b"PK\3\4", OWN_LINE, OWN_LINE[:-2], LM_LINE, LM_LINE[:-2], FOO_HEAD, INSPECT_HEAD)
      for size in (1 << 30, (2 << 30) - 1)],
    *[Attack(f"a log with {count} × {filler} in {member}", "memory is bounded by the file",
             bounded_log(wanted(member, filler, count), samples), slow=slow)
      for member, filler, count, samples, slow in
      (("input", "[]", 300_000, 1, False), ("input", '{"content":"a","role":"user"}', 300_000, 3, False),
       ("output", '""', 5_000_000, 1, False), ("attachments", "{}", 2_000_000, 5, False),
       ("events", "0", 50_000_000, 1, True), ("target", '"a"', 1_000_000, 20, True))],
    *[Attack(f"own lines: {what}", "memory is bounded by the file", bounded("own.jsonl", b"", *pieces, repeat=repeat))
      for what, pieces, repeat in (
          ("many cases", (b'{"case":"@","variant":"v","points":[]}\n',), 200_000),
          ("many variants", (b'{"case":"c","variant":"v@","points":[]}\n',), 100_000),
          ("a case and a variant each", (b'{"case":"@","variant":"v@","points":[]}\n',), 4_000),
          ("many points", (b'{"case":"@","variant":"v","answer":"","points":[' + b"{}," * 9_999 + b"{}]}\n",), 300),
          ("many judges", (b'{"case":"@","variant":"v","answer":"","points":[{"votes":[{"judge":"j@"},'
                           b'{"judge":"k@"}]}]}\n',), 100_000),
          ("deep lines", (b'{"points":1,"variant":' + b"[" * 400 + b"]" * 400 + b"}\n",), 10_000),
          ("long answers", (b'{"case":"@","variant":"v","points":[],"answer":"' + b"x" * 1_000_000 + b'"}\n',), 500))],
    Attack("lm-eval: many documents", "memory is bounded by the file",
           bounded("samples_a.jsonl", b"", LM_LINE.replace(b": 0,", b": @,"), repeat=100_000)),
    Attack("lm-eval: many metrics", "memory is bounded by the file",
           bounded("samples_a.jsonl", b"", LM_LINE[:-2] + b',"' + b"m" * 2_000_000 + b'@":1}\n', repeat=90)),
    Attack("a PDF of forms that draw forms", "a PDF has a limit of CPU time", nested_forms, slow=True),
    Attack("a log of long samples", "an honest log is read", honest_log),
    Attack("a large file of promptfoo", "promptfoo is read as large as is said", large_promptfoo, slow=True),
    Attack("many results of promptfoo", "promptfoo is read as large as is said", many_promptfoo),
    *[Attack(f"tiny values {where} of promptfoo", "a file has a budget", tiny_promptfoo(where))
      for where in ("in a result", "beside the results", "as results")],
    *[Attack(f"a {kind} named {name}: {' '.join(words)}", "a store is a file", odd_store(kind, name, *words))
      for kind in ("pipe", "device") for name in ("store.db", "store.db-wal", "store.db-journal", "store.db-shm",
                                                  "store.db.lock")
      for words in (("run", "suite.yml"), ("show", "latest"), ("runs",))],
    *[Attack(f"--store {target}", "a store is a file", named_store(target))
      for target in ("pipe", "/dev/zero", "/dev/null", "/dev/stdin")],
    *[Attack(f"{what} of {size} bytes", "names are never cut", long_name(what, size, code))
      for what in ("id", "title", "case") for size, code in ((65_537, 1), (400_000, 1), (65_000, 0))],
    *[Attack(f"tokens: {json.dumps(counts)}", "counts that cannot be", usage_of(counts)) for counts in BAD_COUNTS],
    *[Attack(f"a cell that begins with {start!r}", "cells are no formulas", cell(start))
      for start in ("=", "+", "-", "@", "\n=", "\r=", "\t=", "\n", "＝", "＋", "－", "＠", " =", "\u00a0=", "\u3000＝")],
    *[Attack(f"a cell that a semicolon ends before {start!r}", "cells are no formulas", cell(start, "a;"))
      for start in ("=", "+", "@", " =", "＝")],
    *[Attack(f"{count} runs with a {column} of {size >> 20} MB each", "the texts of runs are bounded together",
             runs_of_long(column, size, count))
      for column, size, count in (("title", 4 << 20, 90), ("spec", 4 << 20, 90), ("summary", 15 << 20, 25))],
    *[Attack(f"check --json with {character!r}", "what is printed shows", shown(character)) for character in HIDDEN],
]
