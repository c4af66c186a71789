#!/usr/bin/env python3
"""Where a suite counts the best of several attempts, every number says so: --fail-under and the regression gate name
what they test and take the plain mean with --reduce avg, `runs` has both, pages name it, and a cut run stays off the
leaderboard."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from viewing import View  # noqa: E402

WORDS = ("alpha", "beta", "gamma", "delta")
CASES = [f"c{i:02}" for i in range(12)]


def write_suite(folder):
    (folder / "suite.yaml").write_text(
        "version: v\nattempt_reduce_mode: max\nfull_score_per_question: 1.0\nnull_score_per_question: 0.0\ncases:\n"
        + "".join(f"- cases/{case}.yaml\n" for case in CASES))
    (folder / "cases").mkdir()
    for case in CASES:
        (folder / f"cases/{case}.txt").write_text(f"Question {case}")
        (folder / f"cases/{case}.yaml").write_text(
            f"id: {case}\nprompt_path: {case}.txt\ntype: code completion\nlang: bash\ngrading:\n"
            f"  keywords: [{', '.join(WORDS)}]\n")


def answer(folder, model, attempts):
    """The same attempts at each case, each a share of the words."""
    place = folder / model
    place.mkdir(exist_ok=True)
    lines = ["answer_paths:"]
    for case in CASES:
        names = [f"{case}_{i}.txt" for i in range(len(attempts))]
        for name, share in zip(names, attempts):
            (place / name).write_text("omega " + " ".join(WORDS[:int(4 * share)]))
        lines.append(f"  cases/{case}.yaml: [{', '.join(names)}]")
    (place / "params.yaml").write_text("\n".join([*lines, f"model_name: {model}"]) + "\n")


def grade(folder, *words):
    return e2e.assay("grade", "suite.yaml", *words, cwd=folder)


def says(result, code, *fragments):
    """On standard output."""
    missing = [fragment for fragment in fragments if fragment not in result.stdout]
    e2e.check(result.returncode == code and not missing, f"code {code} and {missing} on standard output", result)


def latest(folder):
    return json.loads(e2e.assay("runs", "--json", cwd=folder).stdout)[0]


def fail_under_tests_what_the_table_ranks_by(folder):
    best = grade(folder, "m", "--fail-under", "0.5")
    e2e.expect(best, 0, "--fail-under 0.5 tests best of 4; by the mean of all attempts it is missed by m (mean 31.3)")
    says(best, 0, "numbers: best of 4")
    mean = grade(folder, "m", "--fail-under", "0.5", "--reduce", "avg")
    e2e.expect(mean, 3, "missed --fail-under 0.5: m has 31.3 points, 18.8 less")
    says(mean, 3, "as the suite itself counts (best of 4):")
    value = e2e.one_run(grade(folder, "m", "--fail-under", "0.5", "--reduce", "avg", "--json"))
    told = value["exit"], value["mean"], value["variants"][0]["mean"], value["value"]
    e2e.check(told == (3, 0.3125, 0.3125, "mean"), f"--json has the plain mean throughout: {told}")
    value = json.loads(e2e.assay("show", "latest", "--reduce", "avg", "--json", cwd=folder).stdout)
    e2e.check((value["mean"], value["variants"][0]["mean"]) == (0.3125, 0.3125), f"and so has show: {value}")


def runs_have_both(folder):
    run = latest(folder)
    e2e.check((run["mean"], run["value"], run["plain_mean"]) == (1, "best of 4", 0.3125), f"runs --json: {run}")
    says(e2e.assay("runs", cwd=folder), 0, "ranked by", "100.0 (best of 4)", "31.3")


def pages_name_what_they_show(folder):
    answer(folder, "n", (1, .5, 0, 0))
    both = e2e.one_run(grade(folder, "m", "n", "--json"))["run"]
    view = View(folder, "--port", "0")
    try:
        e2e.check(view.json(f"run/{both}/cost")["value"] == "best of 4", "the page of costs")
        sides = view.json(f"compare?a={both}&b={both}&va=m&vb=n")
        e2e.check((sides["a"]["value"], sides["b"]["value"]) == ("best of 4", "best of 4"), "the page of two")
    finally:
        view.end()


def gates_name_what_they_compare(folder):
    answer(folder, "m", (1, 1, 1, 1))
    good = e2e.one_run(grade(folder, "m", "--json"))["run"]
    answer(folder, "m", (1, .25, 0, 0))
    e2e.expect(grade(folder, "m", "-q", "--fail-on-regression", good), 0, "No regression shown: 0 points",
               "on 12 cases (best of 4)")
    e2e.expect(grade(folder, "m", "-q", "--fail-on-regression", good, "--reduce", "avg"), 4, "Regression: −69 points")
    e2e.expect(grade(folder, "m", "-q", "--fail-on-flip", good), 4, "Flipped: 12 of 12 cases")
    junit = e2e.assay("export", "latest", "--to", "junit", "--pass-attempts", "0.25", cwd=folder)
    says(junit, 0, "Decided with the run's own rule: a case passes if at least half", 'failures="1"')
    (folder / "n").mkdir(exist_ok=True)
    answer(folder, "n", (1, 1, 1, 1))
    both = e2e.one_run(grade(folder, "m", "n", "--json"))["run"]
    answer(folder, "m", (1, 0, 0, 0))
    grade(folder, "m", "n", "-q")
    e2e.expect(e2e.assay("show", "latest", "--fail-on-flip", both, "--pair", "m=n", cwd=folder), 4,
               f"no gate for m: --pair compares the run's own with another of {both}")


def cut_runs_stay_off_the_leaderboard(folder):
    board = folder / "results/suite_leaderboard.csv"
    grade(folder, "m", "-q", "--update-summaries")
    whole = board.read_text()
    e2e.check(",12," in whole, f"twelve cases: {whole}")
    for words in (("--limit", "2"), ("--filter", "cases/c0*")):
        e2e.expect(grade(folder, "m", "n", "-q", "--update-summaries", *words), 0,
                   f"warning: not added to suite_leaderboard.csv, which is of whole runs: {' '.join(words)}")
        e2e.check(board.read_text() == whole, f"{words} changed the leaderboard:\n{board.read_text()}")


with e2e.scratch() as name:
    place = Path(name)
    write_suite(place)
    answer(place, "m", (1, 0, .25, 0))
    fail_under_tests_what_the_table_ranks_by(place)
    runs_have_both(place)
    pages_name_what_they_show(place)
    gates_name_what_they_compare(place)
    cut_runs_stay_off_the_leaderboard(place)
