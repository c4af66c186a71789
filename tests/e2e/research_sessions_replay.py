#!/usr/bin/env python3
"""A recorded session of the original, replayed by a program that says what its rows and progress lines tell: rows,
sums, both Markdown files, progress and closing block equal the original's but for times and paths."""
import json
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

GOLDEN = e2e.ROOT.parent / "shared" / "golden" / "research" / "run_artifacts"
PROGRAM = e2e.ROOT / "tests" / "support" / "session_program.py"
NUMBER = re.compile(r"-?\d+\.\d+")


def without_times(value, key=""):
    """Numbers under names that end in _ms, and times of day, are everybody's own."""
    if isinstance(value, dict):
        return {name: without_times(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [without_times(item) for item in value]
    if key in ("timestamp", "created_at"):
        return "TIME"
    return "MS" if key.endswith("_ms") and isinstance(value, (int, float)) else value


def text_without_times(text):
    text = re.sub(r"[^\s`]*/2\d{7}_\d{6}(_\d{3})?", "SESSION", text)
    text = re.sub(r"\(\d+ ms\)", "(N ms)", text)
    return re.sub(r"\b0 ms\b", "N ms", NUMBER.sub("N", text))


def same(got, wanted, what):
    if got == wanted:
        return
    got_lines, wanted_lines = str(got).splitlines(), str(wanted).splitlines()
    for number, (ours, theirs) in enumerate(zip(got_lines + ["(end)"], wanted_lines + ["(end)"]), 1):
        if ours != theirs:
            e2e.check(False, f"{what}, line {number}:\n  got      {ours[:600]}\n  expected {theirs[:600]}")
    e2e.check(False, f"{what}: {len(got_lines)} lines, expected {len(wanted_lines)}")


def replay(folder, session, matrix, dataset):
    for name in (matrix, dataset):
        shutil.copy(GOLDEN / "inputs" / name, folder / name)
    e2e.own_settings(
        f"[models.stubmain]\nmodel = 'exec:{sys.executable} {PROGRAM} {session}'\n")
    result = e2e.assay("run", matrix, "-j", "1", "--compat", "asky", "--output-root", "runs", cwd=folder)
    e2e.expect(result, 0)
    sessions = list(folder.joinpath("runs").iterdir())
    e2e.check(len(sessions) == 1, f"expected one session, found {sessions}", result)
    return result, sessions[0]


def compare_files(session, made):
    wanted_files = sorted(str(path.relative_to(session / "output"))
                          for path in (session / "output").rglob("*") if path.is_file())
    for name in wanted_files:
        ours, theirs = (made / name).read_text(), (session / "output" / name).read_text()
        if name.endswith(".jsonl"):
            for number, (mine, their) in enumerate(zip(ours.splitlines(), theirs.splitlines()), 1):
                same(json.dumps(without_times(json.loads(mine))), json.dumps(without_times(json.loads(their))),
                     f"{name} row {number}")
            e2e.check(ours.count("\n") == theirs.count("\n"), f"{name}: another number of rows")
        elif name.endswith(".json"):
            same(json.dumps(without_times(json.loads(ours)), indent=1),
                 json.dumps(without_times(json.loads(theirs)), indent=1), name)
        else:
            same(text_without_times(ours), text_without_times(theirs), name)


def main():
    if not GOLDEN.exists():
        e2e.skip("the recorded sessions are not here")
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        session = GOLDEN / "s4_halted_stubbed"
        result, made = replay(folder, session, "matrix_s4.toml", "dataset_halted.yaml")
        compare_files(session, made)
        for gone in (made / "report.md", made / "z-first" / "artifacts" / "results.jsonl"):
            gone.unlink()
        again = e2e.assay("report", "latest", cwd=folder)
        e2e.expect(again, 0)
        compare_files(session, made)
        elsewhere = e2e.assay("report", "latest", "--results-dir", "copy", cwd=folder)
        e2e.expect(elsewhere, 0)
        compare_files(session, folder / "copy")
        same(text_without_times(result.stdout), text_without_times((session / "stdout.txt").read_text()),
             "standard output")


main()
