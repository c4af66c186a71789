#!/usr/bin/env python3
"""show read the suite's files again: a changed word, a missing file or runtime made a run unreadable."""
import contextlib
import json
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

EXAMPLE = e2e.ROOT / "examples/infibench-small"


def views(folder, case, env=None):
    """What show says of the newest run, in each of its forms."""
    forms = [[], ["--failed", "--pass-at", "1"], ["--case", case], ["--json"]]
    shown = [e2e.assay("show", "latest", *form, cwd=folder, env=env) for form in forms]
    for result in shown:
        e2e.expect(result, 0)
    return [result.stdout for result in shown]


def a_blueprint_is_shown_without_its_file():
    with e2e.scratch() as folder:
        suite = Path(folder, "suite.yml")
        suite.write_text(e2e.suite(2))
        e2e.expect(e2e.assay("run", "suite.yml", "-m", "echo:x", cwd=folder), 0)
        before = views(folder, "case-1")
        e2e.check("echo:x" in before[0] and "case-1" in before[0], f"expected the table: {before[0]}")
        e2e.check("--select case-0" in before[1], f"expected the command that asks again: {before[1]}")
        e2e.check("say word 1" in before[2], f"expected the answer: {before[2]}")
        suite.write_text(e2e.suite(2).replace("word 1", "word 7"))
        e2e.check(views(folder, "case-1") == before, "a changed file changes nothing")
        suite.unlink()
        e2e.check(views(folder, "case-1") == before, "a missing file changes nothing")
        e2e.expect(e2e.assay("cache", "explain", "latest", cwd=folder), 0)


def grading_is_shown_without_runtimes():
    with e2e.scratch() as folder:
        shutil.copytree(EXAMPLE, Path(folder, "suite"))
        for words in (["grade", "suite/suite.yaml", "suite/responses/finch-1"],
                      ["run", "suite/suite.yaml", "--responses", "suite/responses/heron-2"]):
            graded = e2e.assay(*words, cwd=folder)
            e2e.check(graded.returncode in (0, 2), "the example is graded", graded)
            before = views(folder, "cases/slug.yaml")
            no_programs = {"PATH": "/nowhere"}
            e2e.check(views(folder, "cases/slug.yaml", env=no_programs) == before, "no runtime is needed to show a run")
        shutil.rmtree(Path(folder, "suite"))
        e2e.check(views(folder, "cases/slug.yaml") == before, "nor are the files, handlers and answers")


def changed_toolchains_are_told():
    with e2e.scratch() as folder:
        shutil.copytree(EXAMPLE, Path(folder, "suite"))
        words = ["run", "suite/suite.yaml", "--responses", "suite/responses/heron-2"]
        e2e.assay(*words, cwd=folder)
        [listed] = json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)
        shown = json.loads(e2e.assay("show", "latest", "--json", cwd=folder).stdout)
        e2e.check(shown["toolchains"] == listed["toolchains"], f"expected the same toolchains: {shown}")
        [python] = [each for each in listed["toolchains"] if each["language"] == "python"]
        e2e.check(bool(python["digest"]) != bool(python["missing"]), f"it is there, or it is missing: {python}")
        with contextlib.closing(sqlite3.connect(Path(folder, ".assay/store.db"))) as store, store:
            store.execute("UPDATE run SET state = 0")
        e2e.expect(e2e.adopt(cwd=folder), 0)  # another program has written to it
        same = e2e.assay(*words, cwd=folder)
        e2e.check("continuing run" in same.stderr and "what runs programs" not in same.stderr,
                  "nothing has changed", same)
        with contextlib.closing(sqlite3.connect(Path(folder, ".assay/store.db"))) as store, store:
            [text] = store.execute("SELECT toolchains FROM run").fetchone()
            then = json.loads(text)
            for each in then:
                if each["language"] == "python":
                    each["digest"] = "another"
            store.execute("UPDATE run SET state = 0, toolchains = ?", (json.dumps(then),))
        e2e.expect(e2e.adopt(cwd=folder), 0)  # another program has written to it
        resumed = e2e.assay(*words, cwd=folder)
        e2e.check("what runs programs has changed since the run began: python;" in resumed.stderr,
                  "what has changed is told", resumed)


SECRETS = [f"s3cret-{name}".encode() for name in ("one", "two", "three", "four", "five", "six", "seven")]
SUITE_WITH_SECRETS = """title: t
externalServices:
  grader: {url: "URL/score?token=s3cret-three", headers: {x-mine: s3cret-four}, max_retries: 0}
models:
- id: custom:m
  url: URL/v1/chat/completions?api_key=s3cret-five
  modelName: m
  inherit: openai
  headers: {Authorization: Bearer s3cret-one, X-Tenant: s3cret-two, X-Mixed: "s3cret-six${MIX}"}
---
- prompt: say hello
  should:
  - $contains: h
  - $call: {service: grader}
  - $call: {url: "URL/score?key=s3cret-seven", headers: {x-mine: s3cret-four}, max_retries: 0}
"""


def credentials_are_not_stored(url, code):
    with e2e.scratch() as folder:
        Path(folder, "suite.yml").write_text(SUITE_WITH_SECRETS.replace("URL", url))
        words = ["suite.yml", "--max-retries", "0", "--allow-host", "127.0.0.1", "--allow-env", "MIX"]
        ran = e2e.assay("run", *words, "--record", "recording.jsonl", cwd=folder, env={"MIX": "m"})
        e2e.check(ran.returncode == code, f"expected exit code {code}", ran)
        e2e.check("custom:m" in e2e.assay("show", "latest", cwd=folder).stdout, "expected the run")
        said = [ran, e2e.assay("check", "--json", "suite.yml", cwd=folder)]
        said += [e2e.assay("show", "latest", *more, cwd=folder)
                 for more in ([], ["--json"], ["--failed"], ["--case", "say-hello"], ["--json", "--case", "say-hello"])]
        with contextlib.closing(sqlite3.connect(Path(folder, ".assay/store.db"))) as store, store:
            [frame] = store.execute("SELECT frame FROM suite").fetchone()
        plain = shutil.which("zstd")
        text = frame if plain is None else subprocess.run(
            [plain, "-dc"], input=frame, capture_output=True, check=True).stdout
        for secret in SECRETS:
            e2e.check(secret not in text, f"{secret} was stored")
            for told in said:
                e2e.check(secret not in (told.stdout + told.stderr).encode(), f"{secret} is told", told)
            for path in Path(folder).rglob("*"):
                e2e.check(not path.is_file() or path.name == "suite.yml" or secret not in path.read_bytes(),
                          f"{secret} stands in {path.name}")


def suites_are_shared_and_pruned():
    with e2e.scratch() as folder:
        Path(folder, "suite.yml").write_text(e2e.suite(1))
        for _ in range(2):
            e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
        with contextlib.closing(sqlite3.connect(Path(folder, ".assay/store.db"))) as store, store:
            e2e.check(store.execute("SELECT count(*) FROM suite").fetchone() == (1,), "equal suites are stored once")
        e2e.expect(e2e.assay("cache", "prune", "--older", "0h", cwd=folder), 0)
        with contextlib.closing(sqlite3.connect(Path(folder, ".assay/store.db"))) as store, store:
            e2e.check(store.execute("SELECT count(*) FROM suite").fetchone() == (0,), "no run needs it any more")


def nothing_around_a_run_is_needed():
    """Neither the folder of the suite, a recording, assay.toml, its collections nor the results."""
    with e2e.scratch() as folder:
        project = Path(folder, "project")
        project.mkdir()
        Path(project, "suite.yml").write_text(e2e.suite(2, model="CORE"))
        Path(project, "assay.toml").write_text('[collections]\nCORE = ["echo:a"]\n')
        store = Path(folder, "kept.db")
        e2e.expect(e2e.assay("run", "suite.yml", "--store", store, "--record", "r.jsonl", cwd=project), 0)
        e2e.expect(e2e.assay("run", "suite.yml", "--store", store, "--replay", "r.jsonl", "--fresh", cwd=project), 0)
        forms = [["show", "latest", *more]
                 for more in ([], ["--failed", "--pass-at", "1"], ["--case", "case-1"], ["--json"])]
        forms += [["cache", "explain", "latest"], ["cache", "explain", "latest", "--json"]]
        said = [e2e.assay(*form, "--store", store, cwd=project).stdout for form in forms]
        e2e.check(all(said) and "say word 0" in said[4], f"expected the requests: {said[4]}")
        shutil.rmtree(project)
        for form, before in zip(forms, said):
            after = e2e.assay(*form, "--store", store, cwd=folder)
            e2e.expect(after, 0)
            e2e.check(after.stdout == before, f"{form} says something else without its folder", after)


def a_run_without_a_suite_is_damage():
    with e2e.scratch() as folder:
        Path(folder, "suite.yml").write_text(e2e.suite(2))
        e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
        with contextlib.closing(sqlite3.connect(Path(folder, ".assay/store.db"))) as store, store:
            store.executescript("UPDATE run SET suite = NULL")
        e2e.expect(e2e.adopt(cwd=folder), 0)  # another program has written to it
        shown = e2e.assay("show", "latest", cwd=folder)
        e2e.expect(shown, 2, "the store is damaged: run ", "names no suite")
        e2e.check("2 cells" in shown.stdout, "what the store knows is shown", shown)


a_blueprint_is_shown_without_its_file()
nothing_around_a_run_is_needed()
a_run_without_a_suite_is_damage()
grading_is_shown_without_runtimes()
changed_toolchains_are_told()
credentials_are_not_stored("http://127.0.0.1:9", 2)
with MockServer() as server:
    credentials_are_not_stored(server.url, 2)
suites_are_shared_and_pruned()
