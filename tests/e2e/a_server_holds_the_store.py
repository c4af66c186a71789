#!/usr/bin/env python3
"""A store on a PostgreSQL server does what the file does: the same results from the same commands."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from postgres import PostgresServer  # noqa: E402

CASES = 40


def make(folder, name):
    place = Path(folder, name)
    place.mkdir()
    (place / "suite.yml").write_text(e2e.suite(CASES))
    return place


with e2e.scratch() as folder, PostgresServer() as server:
    url = server.new("runs")
    places = {"file": (make(folder, "a"), []), "server": (make(folder, "b"), ["--store", url])}
    files, said = {}, {}
    for name, (place, store) in places.items():
        result = e2e.assay("run", "suite.yml", "--attempts", "3", "--out", "out", *store, cwd=place)
        e2e.expect(result, 0)
        files[name] = e2e.result_files(place / "out")
        again = e2e.assay("run", "suite.yml", "--attempts", "3", "--out", "out", *store, cwd=place)
        e2e.expect(again, 0)
        said[name] = e2e.normalised(again.stdout)
        words = [["runs"], ["show", "latest"], ["show", "latest", "--case", "case-3"], ["plan", "suite.yml"],
                 ["export", "latest", "--to", "csv"], ["cache", "explain", "latest", "--cell", "2"]]
        for each in words:
            shown = e2e.assay(*each, *store, cwd=place)
            e2e.check(shown.returncode == 0, f"{each} of the {name}", shown)
            said[name] += e2e.normalised(shown.stdout)
    e2e.check(len(files["file"]) > 1 and files["file"] == files["server"], "the files differ")
    e2e.check(said["file"] == said["server"], f"they say:\n{said['file']}\n---\n{said['server']}")
    e2e.check(not (Path(folder, "b") / ".assay").exists(), "a store was made beside the suite")

    # Another machine of the team finds every answer.
    other = make(folder, "c")
    result = e2e.assay("run", "suite.yml", "--attempts", "3", "--offline", "--store", url, cwd=other)
    e2e.expect(result, 0)
    e2e.expect(e2e.assay("run", "suite.yml", "--fail-under", "0.1", "--fresh", "--store", url, cwd=other), 0)

    doctor = e2e.assay("doctor", "--store", url.replace("assay@", "assay:sesame@"), cwd=other)
    e2e.check("sesame" not in doctor.stdout + doctor.stderr and server.folder.name in doctor.stdout,
              "doctor shows where the store is, and no password", doctor)
    for secret in server.sql("SELECT source FROM run UNION ALL SELECT spec FROM run", "runs"):
        e2e.check("postgresql" not in secret, f"the address is stored: {secret}")

    pruned = e2e.assay("cache", "prune", "--older", "0d", "--store", url, cwd=other)
    e2e.check(pruned.returncode == 0 and "removed" in pruned.stdout, "prune", pruned)
    e2e.check(server.sql("SELECT count(*) FROM cell", "runs") == ["0"], "cells are left")

    lost = e2e.assay("runs", "--store", "postgresql://u:sesame@127.0.0.1:1/runs", cwd=other)
    e2e.expect(lost, 2, "no server answers")
    e2e.check("sesame" not in lost.stderr, "the password is told", lost)
