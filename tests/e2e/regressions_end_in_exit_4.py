#!/usr/bin/env python3
"""--fail-on-regression: 0 if nothing got worse, 4 if a variant did, 2 if nobody can tell, always with the smallest drop
that would have been seen; of run, grade and show. --delta allows a drop, --pair names variants of other ids."""
import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

CASES = 12


def suite(models, lost=(), cases=CASES):
    """`lost`: models whose recorded answers lack the word, while the rubrics stay what they are. A case that is alone
    scores 0.5, so that there is no interval."""
    lines = ["title: Words", "id: words", f"models: [{', '.join(models)}]", "prompts:"]
    for i in range(cases):
        lines += [f"  - id: q{i}", f"    prompt: say word{i}",
                  f"    should: [$contains: word{i}{', $contains: never' if cases == 1 else ''}]"]
    fixtures = {"responses": {f"q{i}": {"byModel": {
        model: "nothing" if model in lost and i > 1 else f"word{i}" for model in models}} for i in range(cases)}}
    return "\n".join(lines) + "\n", json.dumps(fixtures)


def run(folder, *words, models=("echo:a",), lost=(), cases=CASES):
    text, fixtures = suite(models, lost, cases)
    (folder / "s.yml").write_text(text)
    (folder / "f.json").write_text(fixtures)
    return e2e.assay("run", "s.yml", "--fixtures", "f.json", *words, cwd=folder)


def base(folder, **more):
    result = run(folder, "--json", **more)
    e2e.check(result.returncode == 0, "the base ends well", result)
    return e2e.one_run(result)["run"]


def runs_are_gated():
    with e2e.scratch() as name:
        folder = Path(name)
        good = base(folder, models=("echo:a", "echo:b"))
        same = run(folder, "--fail-on-regression", good, models=("echo:a", "echo:b"))
        e2e.expect(same, 0, f"echo:a against {good}: No regression shown: 0 points", "echo:b against")

        worse = run(folder, "--fail-on-regression", "latest", models=("echo:a", "echo:b"), lost=("echo:b",))
        e2e.expect(worse, 4, "echo:a against ", "No regression shown: 0 points", "echo:b against ",
                   ": Regression: −83 points (95 %: ", " would often go unseen.")
        lost = e2e.assay("show", "latest", "--fail-on-regression", good, cwd=folder)
        e2e.expect(lost, 4, f"echo:b against {good}: Regression: −83 points")
        e2e.expect(e2e.assay("show", "latest", "--fail-on-regression", good, "--delta", "1", cwd=folder), 0)

        told = run(folder, "--json", "--fail-on-regression", good, models=("echo:a", "echo:b"), lost=("echo:b",))
        one = e2e.one_run(told)
        e2e.check(told.returncode == 4 and one["exit"] == 4, "the exit code stands in JSON", told)
        states = {gate["variant"]: gate["state"] for gate in one["gates"]}
        e2e.check(states == {"echo:a": "none", "echo:b": "regression"}, f"states: {states}")
        seen = {gate["variant"]: gate["smallest_drop_seen"] for gate in one["gates"]}
        e2e.check(seen["echo:a"] is None and 0.2 < seen["echo:b"] < 0.5, f"smallest drops: {seen}")

        # The worst counts: a mean below the limit is less than a regression.
        both = run(folder, "--fail-on-regression", good, "--fail-under", "0.9", models=("echo:a", "echo:b"),
                   lost=("echo:b",))
        e2e.expect(both, 4, "missed --fail-under 0.9: echo:b has 0.1667, 0.733 less", "Regression: ")


def some_cannot_be_told():
    with e2e.scratch() as name:
        folder = Path(name)
        one = base(folder, cases=1)
        e2e.expect(run(folder, "--fail-on-regression", one, cases=1), 2,
                   "Cannot tell: 0 points (no interval) on 1 case.")
        many = base(folder)
        renamed = run(folder, "--fail-on-regression", many, models=("echo:b",), lost=("echo:b",))
        e2e.expect(renamed, 2, "no gate for echo:b", "cannot tell whether anything got worse")
        paired = run(folder, "--fail-on-regression", many, "--pair", "echo:b=echo:a", models=("echo:b",),
                     lost=("echo:b",))
        e2e.expect(paired, 4, f"echo:b against {many}#echo:a: Regression: ")
        text, fixtures = suite(("echo:a",))
        (folder / "s.yml").write_text(text.replace("say word", "tell word"))
        other = e2e.assay("run", "s.yml", "--fail-on-regression", many, cwd=folder)
        e2e.expect(other, 2, "No regression test: no case has a score for both.", "12 cases changed")


def recorded_answers_are_gated():
    with e2e.scratch() as name:
        folder = Path(name)
        shutil.copytree(e2e.ROOT / "examples/infibench-small", folder / "suite")
        words = ("grade", "suite/suite.yaml", "suite/responses/finch-1")
        first = e2e.assay(*words, "--json", cwd=folder)
        e2e.check(first.returncode == 0, "grading ends well", first)
        again = e2e.assay(*words, "--fail-on-regression", e2e.one_run(first)["run"], cwd=folder)
        e2e.expect(again, 0, "No regression shown: 0 points")


def wrong_words_are_told_before_anything_is_asked():
    with e2e.scratch() as name:
        folder = Path(name)
        e2e.expect(run(folder, "--fail-on-regression", "latest"), 1, "the store has no runs yet")
        good = base(folder)
        for words, fragment in ((("--fail-on-regression", "nope"), "there is no run"),
                                (("--delta", "0.1"), "need --fail-on-regression"),
                                (("--fail-on-regression", f"{good}#echo:a"), "names a whole run"),
                                (("--fail-on-regression", good, "--delta", "-1"), "a number from 0 to 1")):
            e2e.expect(run(folder, *words), 1, fragment)
        itself = e2e.assay("show", good, "--fail-on-regression", good, cwd=folder)
        e2e.expect(itself, 1, "cannot be its own base")
        wrong = e2e.assay("show", good, "--fail-on-regression", good, "--pair", "x", cwd=folder)
        e2e.expect(wrong, 1)
        runs = json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)
        e2e.check(len(runs) == 1, f"nothing was run: {runs}")


runs_are_gated()
some_cannot_be_told()
recorded_answers_are_gated()
wrong_words_are_told_before_anything_is_asked()
