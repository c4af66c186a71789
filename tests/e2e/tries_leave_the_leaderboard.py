#!/usr/bin/env python3
"""A run that was cut, or that has fewer scores, displaces no whole one on the leaderboard; a comparison with one shows
the means over the cases that both have, and how many those are."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from viewing import View  # noqa: E402

CASES = ["hello one", "hello two", "good three", "good four"]
SUITE = "id: s\ntitle: S\nmodels: [echo:a, echo:b]\nprompts:\n" + "".join(
    f"  - {{id: p{i}, prompt: {words}, should: [$icontains: hello]}}\n" for i, words in enumerate(CASES))
# None for the last case: with --fixtures-strict an error.
ANSWERS = json.dumps({"responses": {**{f"p{i}": {"byModel": {"echo:a": "hello"}} for i in range(3)},
                                    "p3": {"byModel": {"echo:b": "hello"}}}})


def run(folder, *words, code=0):
    e2e.expect(e2e.assay("run", "s.yml", "-q", *words, cwd=folder), code)
    return json.loads(e2e.assay("show", "latest", "--json", cwd=folder).stdout)["run"]


with e2e.scratch() as place:
    folder = Path(place)
    (folder / "s.yml").write_text(SUITE)
    (folder / "answers.json").write_text(ANSWERS)
    first_try = run(folder, "--limit", "2")
    whole = run(folder)
    cut = run(folder, "--limit", "2", "--attempts", "2")
    one = run(folder, "--model", "echo:b", "--filter", "p3")
    failed = run(folder, "--fresh", "--model", "echo:a", "--fixtures", "answers.json", "--fixtures-strict", code=2)
    view = View(folder)
    board = view.json("board/S")
    e2e.check(board["cases"] == 4 and board["runs"] == 2, f"the cases of the whole run: {board}")
    e2e.check([each["run"] for each in board["ranking"]] == [whole, whole], f"the whole run is ranked: {board}")
    e2e.check([each["cases"] for each in board["ranking"]] == [4, 4], f"on all of its cases: {board}")
    below = {each["variant"]: (each["run"], each["why"]) for each in board["below"]}
    e2e.check(below == {"echo:b": (one, "1 of 4 cases (--filter p3)"),
                        "echo:a": (failed, "3 of 4 cases (the others have no score)")}, f"tries stand below: {below}")
    again = run(folder, "--fresh", "--limit", "4")
    board = view.json("board/S")
    e2e.check({each["run"] for each in board["ranking"]} == {again} and not board["below"],
              f"a run of all cases is whole, however it was asked for: {board}")

    pair = view.json(f"compare?a={first_try}&b={whole}&va=echo:a")
    means = pair["a"]["mean"], pair["b"]["mean"], pair["b"]["cases"]
    e2e.check(means == (1, 1, 2), f"means of the pairs: {pair['b']}")
    e2e.check((pair["b"]["whole_mean"], pair["b"]["whole_cases"]) == (0.5, 4), f"the run's own besides: {pair['b']}")
    view.end()
    table = e2e.assay("compare", f"{first_try}#echo:a", f"{whole}#echo:a", cwd=folder)
    e2e.check("100.0 against 100.0" in table.stdout, "the table has them as well", table)
    value = json.loads(e2e.assay("compare", f"{first_try}#echo:a", f"{whole}#echo:a", "--json", cwd=folder).stdout)
    one_pair = value["comparisons"][0]
    e2e.check((one_pair["mean_a"], one_pair["mean_b"], one_pair["cases"]) == (1, 1, 2), f"and JSON: {one_pair}")
