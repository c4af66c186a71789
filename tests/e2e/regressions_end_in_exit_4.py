#!/usr/bin/env python3
"""--fail-on-regression: 0 if nothing got worse, 4 if a variant did, 2 if nobody can tell; --fail-on-flip: 4 if a case
fails that passed. Of run, grade and show; told with --quiet, in JUnit, in the step summary and in --json. --delta
allows a drop, --max-flips flips, --pair names variants of other ids."""
import json
import shutil
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

CASES = 12


def suite(models, lost=(), cases=CASES):
    """`lost`: models whose recorded answers lack the word, while the rubrics stay what they are. A case that is alone
    scores 0.5, so that there is no interval. A number instead of models: so many of the last cases are lost to all."""
    lines = ["title: Words", "id: words", f"models: [{', '.join(models)}]", "prompts:"]
    for i in range(cases):
        lines += [f"  - id: q{i}", f"    prompt: say word{i}",
                  f"    should: [$contains: word{i}{', $contains: never' if cases == 1 else ''}]"]

    def is_lost(model, i):
        return i >= cases - lost if isinstance(lost, int) else model in lost and i > 1

    fixtures = {"responses": {f"q{i}": {"byModel": {
        model: "nothing" if is_lost(model, i) else f"word{i}" for model in models}} for i in range(cases)}}
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
                   ": Regression: −83 points (95 %: ", " 10 newly fail: q2, q3, ")
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
        both = one["gates"][1]
        e2e.check(both["comparison"]["verdict"] == "trails" and "leads" in both["comparison"]["sentence"], f"{both}")
        shown = json.loads(e2e.assay("show", "latest", "--json", "--fail-on-regression", good, cwd=folder).stdout)
        e2e.check([gate["state"] for gate in shown["gates"]] == ["none", "regression"], f"{shown['gates']}")

        # The worst counts: a mean below the limit is less than a regression.
        both = run(folder, "--fail-on-regression", good, "--fail-under", "0.9", models=("echo:a", "echo:b"),
                   lost=("echo:b",))
        e2e.expect(both, 4, "missed --fail-under 0.9: echo:b has 16.7 points, 73.3 less", "Regression: ")


def latest_is_no_base_of_itself():
    """After a red gate, `latest` names the red run: the same command must not turn green. A base that is named by its
    id may be the run itself, for nothing has changed then."""
    with e2e.scratch() as name:
        folder = Path(name)
        good = base(folder)
        e2e.expect(run(folder, "-q", "--fail-on-regression", "latest", lost=("echo:a",)), 4, "Regression: ")
        for gate in ("--fail-on-regression", "--fail-on-flip"):
            again = run(folder, "-q", gate, "latest", lost=("echo:a",))
            e2e.expect(again, 1, f'{gate}: "latest" is this run; name an earlier run (assay runs) or a file '
                                 "(assay export RUN --to jsonl -o base.jsonl)")
            e2e.check("No regression" not in again.stderr + again.stdout, "no green line", again)
        e2e.expect(run(folder, "-q", "--fail-on-regression", good), 0, "No regression shown: 0 points")


def small_suites_are_gated():
    """All of five cases lost is a regression, four of four or of five nobody can tell from chance."""
    with e2e.scratch() as name:
        folder = Path(name)
        for cases, lost, code, words in (
                (5, 5, 4, "Regression: −100 points (95 %: −100 to −39) on 5 cases. 5 newly fail: q0, q1, q2, q3, q4"),
                (5, 4, 2, "Cannot tell: −80 points (95 %: −96 to −19) on 5 cases, of which 4 changed; at least 5 have"
                          " to. 4 newly fail: q1, q2, q3, q4"),
                (4, 4, 2, "Cannot tell: −100 points (95 %: −100 to −31) on 4 cases; fewer than 5 cases cannot show a"
                          " regression. 4 newly fail: "),
                (5, 0, 0, "No regression shown: 0 points (95 %: −43 to 43) on 5 cases.")):
            good = base(folder, cases=cases)
            quiet = run(folder, "-q", "--fail-on-regression", good, "--max-errors", "100%", cases=cases, lost=lost)
            e2e.expect(quiet, code, f"echo:a against {good}: {words}")
            e2e.check("unseen" not in quiet.stderr, "power needs six cases", quiet)
            told_elsewhere(folder, good, code, words)


def told_elsewhere(folder, good, code, words):
    junit = e2e.assay("export", "latest", "--to", "junit", cwd=folder).stdout
    root = ElementTree.fromstring(junit)
    test = root.find(".//testcase[@name='regression gate']")
    e2e.check(test is not None and test.get("classname") == "words.echo:a", f"the gate is a test:\n{junit}")
    kind = {0: "system-out", 2: "error", 4: "failure"}[code]
    told = test.find(kind)
    e2e.check(told is not None, f"{kind}:\n{junit}")
    line = told.text if code == 0 else told.get("message")
    e2e.check(line.startswith(f"against {good}: {words}"), f"base and outcome: {line}")
    counts = [int(root.get(name)) for name in ("failures", "errors")]
    suites = [sum(int(suite.get(name)) for suite in root) for name in ("failures", "errors")]
    e2e.check(counts == suites, f"counts: {counts}, {suites}")
    for form in ("github-summary", "markdown"):
        text = e2e.assay("export", "latest", "--to", form, cwd=folder).stdout
        e2e.check(f"**regression gate**, echo:a against {good}: {words.split(';')[0].split('(')[0]}" in text,
                  f"{form}:\n{text}")


def flips_are_gated():
    with e2e.scratch() as name:
        folder = Path(name)
        good = base(folder)
        e2e.expect(run(folder, "-q", "--fail-on-flip", good), 0,
                   f"echo:a against {good}: No flip too many: 0 of 12 cases that passed now fail.")
        flipped = run(folder, "--json", "--fail-on-flip", good, "--fail-on-regression", good, lost=2)
        e2e.expect(flipped, 4, "No regression shown: −17 points",
                   "Flipped: 2 of 12 cases that passed now fail, at most 0 allowed. 2 newly fail: q10, q11")
        gates = e2e.one_run(flipped)["gates"]
        e2e.check([(gate["gate"], gate["state"]) for gate in gates] == [("regression", "none"), ("flip", "regression")],
                  f"{gates}")
        e2e.check(gates[1]["newly_failing"] == ["q10", "q11"], f"{gates}")
        junit = ElementTree.fromstring(e2e.assay("export", "latest", "--to", "junit", cwd=folder).stdout)
        e2e.check(junit.find(".//testcase[@name='flip gate']/failure") is not None, "a failure in JUnit")
        allowed = e2e.assay("show", "latest", "--fail-on-flip", good, "--max-flips", "2", cwd=folder)
        e2e.expect(allowed, 0, "No flip too many: 2 of 12 cases that passed now fail.")
        e2e.expect(run(folder, "--max-flips", "2"), 1, "--max-flips needs --fail-on-flip")


def too_little_was_graded_for_flips():
    """What passed and has no score now may fail: nobody can tell, unless as many may fail."""
    with e2e.scratch() as name:
        folder = Path(name)
        good = base(folder)
        text, fixtures = suite(("echo:a",))
        answers = json.loads(fixtures)

        def left(*cases):
            kept = {case: answers["responses"][case] for case in cases}
            (folder / "f.json").write_text(json.dumps({"responses": kept}))
            return e2e.assay("run", "s.yml", "--fixtures", "f.json", "--fixtures-strict", "--max-errors", "100%", "-q",
                             "--fail-on-flip", good, *words, cwd=folder)

        words = ()
        e2e.expect(left(), 2, "Cannot tell: 12 cases that passed have no score now; 0 of 0 others fail.",
                   "flips: a case passes if at least half of its scored attempts pass (--pass-attempts)")
        most = [f"q{i}" for i in range(CASES - 1)]
        e2e.expect(left(*most), 2, "Cannot tell: 1 case that passed has no score now; 0 of 11 others fail.")
        words = ("--max-flips", "1")
        e2e.expect(left(*most), 0, "No flip too many: 0 of 11 cases that passed now fail; 1 that passed has no score")


def some_cannot_be_told():
    with e2e.scratch() as name:
        folder = Path(name)
        one = base(folder, cases=1)
        e2e.expect(run(folder, "--fail-on-regression", one, cases=1), 0,
                   "No regression shown: 0 points (no interval) on 1 case.")
        many = base(folder)
        renamed = run(folder, "--fail-on-regression", many, "--max-errors", "5", models=("echo:b",), lost=("echo:b",))
        e2e.expect(renamed, 2, "no gate for echo:b", "cannot tell whether anything got worse",
                   "no gate for echo:a: only ")
        paired = run(folder, "--fail-on-regression", many, "--pair", "echo:b=echo:a", models=("echo:b",),
                     lost=("echo:b",))
        e2e.expect(paired, 4, f"echo:b against {many}#echo:a: Regression: ")
        wide = run(folder, "--fail-on-regression", many, models=("echo:c", "echo:a"))
        e2e.expect(wide, 0, f"echo:a against {many}: No regression shown", "no gate for echo:c")
        e2e.check(wide.stderr.index("echo:a against") < wide.stderr.index("no gate for echo:c"),
                  "what pairs stands first", wide)
        text, fixtures = suite(("echo:a",))
        (folder / "s.yml").write_text(text.replace("say word", "tell word"))
        other = e2e.assay("run", "s.yml", "--fail-on-regression", many, cwd=folder)
        e2e.expect(other, 2, "Cannot tell: no case that both runs have a score for.", "12 cases changed")


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
                                (("--fail-on-regression", "base.jsonl"), 'there is no run and no file "base.jsonl"'),
                                (("--delta", "0.1"), "needs --fail-on-regression"),
                                (("--fail-on-regression", f"{good}#echo:a"), "names a whole run"),
                                (("--fail-on-regression", good, "--delta", "-1"), "a number from 0 to 1")):
            e2e.expect(run(folder, *words), 1, fragment)
        itself = e2e.assay("show", good, "--fail-on-regression", good, cwd=folder)
        e2e.expect(itself, 1, "cannot be its own base")
        wrong = e2e.assay("show", good, "--fail-on-regression", good, "--pair", "x", cwd=folder)
        e2e.expect(wrong, 1)
        for pair in ("nobody=echo:a", "echo:a=nobody", "echo:a"):
            e2e.expect(run(folder, "--fail-on-flip", good, "--pair", pair), 1, "--pair")
        runs = json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)
        e2e.check(len(runs) == 1, f"nothing was run: {runs}")


runs_are_gated()
latest_is_no_base_of_itself()
small_suites_are_gated()
flips_are_gated()
too_little_was_graded_for_flips()
some_cannot_be_told()
recorded_answers_are_gated()
wrong_words_are_told_before_anything_is_asked()
