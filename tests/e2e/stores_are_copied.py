#!/usr/bin/env python3
"""`assay cache copy` brings runs with all that they used from one store to another: machines without a common server
put their parts together, and what somebody else made stays marked."""
import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from postgres import PostgresServer  # noqa: E402

CASES = 20


def copy(place, source, target, code, *more):
    result = e2e.assay("cache", "copy", source, target, *more, cwd=place)
    e2e.check(result.returncode == code, f"copy {source} {target}", result)
    return result


def foreign_replies(place, store):
    """How many of a store's replies this user did not make, by run."""
    runs = [run["run"] for run in json.loads(e2e.assay("runs", "--store", store, "--json", cwd=place).stdout)]
    shown = {run: e2e.assay("show", run, "--store", store, "--json", cwd=place) for run in runs}
    return {run: json.loads(result.stdout)["foreign_replies"] for run, result in shown.items()}


with e2e.scratch() as folder:
    place = Path(folder)
    (place / "suite.yml").write_text(e2e.suite(CASES))
    for name, part in (("one.db", "case-?"), ("two.db", "case-1?")):
        e2e.expect(e2e.assay("run", "suite.yml", "--filter", part, "--store", name, "--out", "parts", cwd=place), 0)
    whole = copy(place, "two.db", "one.db", 0)
    e2e.check("copied 1 run with 10 cells and 10 exchanges" in whole.stdout, "what was copied is told", whole)
    joined = e2e.assay("run", "suite.yml", "--store", "one.db", "--offline", "--out", "joined", "--json", cwd=place)
    e2e.check(joined.returncode == 0 and e2e.one_run(joined)["requests_sent"] == 0, "nothing is asked again", joined)
    again = json.loads(copy(place, "two.db", "one.db", 0, "--json").stdout)
    e2e.check(again == {"runs": 0, "runs_there": 1, "runs_kept": [], "exchanges": 0, "exchanges_there": 0, "cells": 0},
              f"{again}")

    # A copied run is shown as it was, and one alone may be meant.
    run = json.loads(e2e.assay("runs", "--store", "two.db", "--json", cwd=place).stdout)[0]["run"]
    shown = [e2e.assay("show", run, "--store", name, "--verbose", cwd=place).stdout for name in ("two.db", "one.db")]
    e2e.check(shown[0] == shown[1] and "case-12" in shown[0], f"the run differs:\n{shown[0]}\n{shown[1]}")
    copy(place, "one.db", "three.db", 0, "--run", run)
    e2e.check(len(json.loads(e2e.assay("runs", "--store", "three.db", "--json", cwd=place).stdout)) == 1, "one run")

    # What others made is marked in the copy.
    shutil.copy(place / "two.db", place / "cloned.db")
    told = copy(place, "cloned.db", "fourth.db", 0)
    e2e.check("did not make. fourth.db now has them too" in told.stderr, "strangers are told", told)
    gated = e2e.assay("run", "suite.yml", "--filter", "case-1?", "--store", "fourth.db", "--fail-under", "0.1",
                      cwd=place, env={"CI": ""})
    e2e.expect(gated, 1, "cache adopt")

    for words, what in ((("one.db", "one.db"), "found one twice"), (("none.db", "one.db"), "none.db")):
        e2e.check(what in copy(place, *words, 1).stderr, f"{words} is not refused")
    e2e.expect(e2e.assay("cache", "copy", "one.db", cwd=place), 1, "assay cache copy")

    with PostgresServer() as server:
        url = server.new("team")
        copy(place, "one.db", url, 0)
        answered = e2e.assay("run", "suite.yml", "--store", url, "--offline", "--out", "team", cwd=place)
        e2e.expect(answered, 0)
        e2e.check(e2e.result_files(place / "team") == e2e.result_files(place / "joined"), "the files differ")
        copy(place, url, "five.db", 0)
        e2e.check("copied 0 runs" in copy(place, "five.db", url, 0).stdout, "a run is there twice")

        # Marks go along row for row, to a server and back: what was this user's there stays his.
        theirs = foreign_replies(place, "cloned.db")
        e2e.check(theirs == {run: 10}, f"{theirs}")
        mixed = server.new("mixed")
        e2e.expect(e2e.assay("run", "suite.yml", "--filter", "case-?", "--store", "own.db", "--out", "own", cwd=place),
                   0)
        copy(place, "own.db", mixed, 0)
        (own,) = foreign_replies(place, mixed)
        told = copy(place, "cloned.db", mixed, 0)
        e2e.check(f"did not make. {mixed} now has them too" in told.stderr, "strangers are told", told)
        e2e.check(foreign_replies(place, mixed) == {own: 0, run: 10}, f"{foreign_replies(place, mixed)}")
        copy(place, mixed, "sixth.db", 0)
        e2e.check(foreign_replies(place, "sixth.db") == {own: 0, run: 10}, f"{foreign_replies(place, 'sixth.db')}")
        # What is made there from now on is his.
        e2e.expect(e2e.assay("run", "suite.yml", "--filter", "case-?", "--attempts", "2", "--store", mixed, "--out",
                             "more", cwd=place), 0)
        e2e.check(sorted(foreign_replies(place, mixed).values()) == [0, 0, 10], f"{foreign_replies(place, mixed)}")
        e2e.expect(e2e.adopt("--store", mixed, cwd=place), 0)
        e2e.check(set(foreign_replies(place, mixed).values()) == {0}, f"{foreign_replies(place, mixed)}")
