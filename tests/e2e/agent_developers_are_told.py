#!/usr/bin/env python3
"""What the developer of a program under test reads when something is missing: the cause comes last on the screen, the
commands to repeat are complete, and no command says that all is well where a run would fail."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

JUDGED = """id: one
docs: [{id: one, title: One, url: "https://example.org/one"}]
tests: [{id: a, doc_id: one, query: "Why?", expected: {type: judge, criterion: "Says why"}}]
"""
MATRIX = 'dataset = "./judged.yaml"\noutput_root = "./runs"\n[[runs]]\nid = "p"\nmodel_alias = "ALIAS"\n' \
         'source_provider = "live_web"\n'
ELSEWHERE = "openai=http://127.0.0.1:9/v1"


def the_starter_without_a_key(folder):
    tool = lambda *words: e2e.assay(*words, cwd=folder)  # noqa: E731
    e2e.expect(tool("init", "exec"), 0)
    e2e.expect(tool("prepare", "--dataset", "questions.yaml", "--snapshot-root", "snapshots"), 0)
    command = ["run", "matrix.toml", "--allow-exec", "python3 agent.py gpt-6-luna", "-m",
               "exec:python3 agent.py gpt-6-luna", "--allow-path", "."]
    said, code = e2e.on_terminal(*command, cwd=folder, columns=200)
    last = said.rstrip().splitlines()[-1]
    e2e.check(code == 2 and last.startswith("the first error: with-tools · valve-interval: RuntimeError: "
                                            "OPENAI_API_KEY is not set"), f"exit {code}, the cause is last: {said}")
    shown = tool("show", "latest", "--failed").stdout.replace(" \\\n   ", "")
    e2e.check("--allow-exec 'python3 agent.py gpt-6-luna'" in shown and "the store names" not in shown,
              f"the commands of one's own run are whole: {shown}")
    listed = tool("runs").stdout
    e2e.check("--allow-exec 'python3 agent.py gpt-6-luna'" in listed and "the store names" not in listed,
              f"in the list of runs, too: {listed}")
    row = json.loads(tool("runs", "--json").stdout)[0]
    e2e.check("--allow-exec" not in row["command"] and row["left_out"] == ["--allow-exec", "--allow-path", "--model"],
              f"JSON names what the command leaves out: {row}")
    unused = tool(*command, "--base-url", ELSEWHERE)
    e2e.check("--base-url openai: the run asks no model of openai, and programs do not get this address"
              in unused.stderr and "OPENAI_BASE_URL" in unused.stderr, "an address that reaches nobody", unused)
    planned = tool("plan", *command[1:])
    e2e.expect(planned, 0)


def files_that_are_missing(folder):
    folder.joinpath("s.yml").write_text(e2e.suite(2))
    tool = lambda *words: e2e.assay(*words, cwd=folder)  # noqa: E731
    e2e.expect(tool("run", "s.yml", "--out", "here"), 0)
    again = tool("run", "s.yml", "--out", "there")
    e2e.check("up to date" in again.stderr and "that were not there below there" in again.stderr,
              "why a run that is up to date writes files", again)
    for _ in range(2):
        third = tool("run", "s.yml", "--out", "there")
        e2e.check("wrote" not in third.stderr and "found there/" in third.stderr, "nothing is written again", third)


def nothing_is_well_that_fails(folder):
    folder.joinpath("judged.yaml").write_text(JUDGED)
    matrix = folder / "m.toml"
    matrix.write_text(MATRIX.replace("ALIAS", "exec:cat"))
    checked = e2e.assay("check", "m.toml", cwd=folder)
    e2e.expect(checked, 0, "none is named", "--judge MODEL")
    named = e2e.assay("check", "m.toml", "--judge", "echo:j", cwd=folder)
    e2e.check("judge" not in named.stderr, "the command line names one", named)
    for words, told in (([], "none is named"), (["--judge", "echo:j"], "--allow-exec")):
        doctor = e2e.assay("doctor", "m.toml", *words, cwd=folder)
        if words and doctor.returncode == 1:
            continue  # doctor takes no --judge
        first = doctor.stdout.splitlines()[0]
        e2e.check(told in first, f"the next step: {first}", doctor)
    folder.joinpath("judged.yaml").write_text(JUDGED.replace('judge, criterion: "Says why"', 'contains, text: "x"'))
    first = e2e.assay("doctor", "m.toml", cwd=folder).stdout.splitlines()[0]
    e2e.check("--allow-exec" in first, f"the next step names the option: {first}")


with e2e.scratch() as scratch:
    for part in (the_starter_without_a_key, files_that_are_missing, nothing_is_well_that_fails):
        place = Path(scratch, part.__name__)
        place.mkdir()
        part(place)
