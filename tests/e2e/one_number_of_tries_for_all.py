#!/usr/bin/env python3
"""Of several attempts "any passes" and "all pass" are about one number of tries for all variants: a case with errors
is left out and counted, and does not decide for all others. Fewer tries than were asked for are told, with whom they
come from. --pass-at-k tells of other numbers."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

# By its n-th question about a case it answers as the n-th letter of the plan says: y right, n wrong, e an error.
PROGRAM = '''import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "init":
        print(json.dumps({"type": "ready", "protocol": "assay-exec/1"}), flush=True)
    elif message["type"] == "turn":
        case = message["query"].split()[-1]
        count = sys.argv[1] + "-" + case
        n = int(open(count).read()) if os.path.exists(count) else 0
        open(count, "w").write(str(n + 1))
        letter = json.load(open("plan.json"))[sys.argv[1]][case][n]
        told = {"answer": "Right." if letter == "y" else "Wrong."}
        if letter == "e":
            told = {"error": {"class": "broken", "message": "out of order"}}
        print(json.dumps({"type": "result", "id": message["id"], **told}), flush=True)
    else:
        break
'''


def shown(plan, *words):
    """Runs the plan, {variant: {case: letters}}, and shows it."""
    with e2e.scratch() as name:
        folder = Path(name)
        cases = list(next(iter(plan.values())))
        attempts = len(next(iter(plan.values()))[cases[0]])
        lines = ["id: s", "models:", *[f'  - "exec:python3 m.py {variant}"' for variant in plan], "prompts:"]
        for case in cases:
            lines += [f"  - id: {case}", f"    prompt: Is it so? {case}", "    should: [$icontains: right]"]
        (folder / "s.yml").write_text("\n".join(lines) + "\n")
        (folder / "m.py").write_text(PROGRAM)
        (folder / "plan.json").write_text(json.dumps(plan))
        ran = e2e.assay("run", "s.yml", "-j", "1", "--attempts", str(attempts), "--max-errors", "100%", "--max-retries",
                        "0", "-q", *[f"--allow-exec=python3 m.py {variant}" for variant in plan], cwd=folder)
        e2e.check(ran.returncode == 0, "the run ends", ran)
        text = e2e.assay("show", "latest", *words, cwd=folder)
        told = json.loads(e2e.assay("show", "latest", "--json", *words, cwd=folder).stdout)
        e2e.check(text.returncode == 0, "it is shown", text)
        return text.stdout, told["statistics"]


def one_poor_case_decides_nothing():
    poor = {"a": "yyyyyyyy", "b": "ynyyyyyy", "c": "nnnnnnnn", "d": "yeeeeeee"}
    text, told = shown({"m": poor})
    one = told["attempts"][0]
    e2e.check((one["tries"], one["tries_asked"], one["cases"], one["cases_left_out"]) == (8, 8, 3, 1), f"{one}")
    e2e.check(abs(one["any"] - 2 / 3) < 1e-9 and abs(one["all"] - 1 / 3) < 1e-9, f"of three cases: {one}")
    e2e.check("left out: cases with fewer than 8 scored attempts" in text, text)
    e2e.check("not the 8" not in text, text)


def too_few_are_told():
    whole = {case: "yyyyyyyy" for case in "abcd"}
    poor = {"a": "yyyyyyyy", "b": "yyyyneee", "c": "yyeeeeee", "d": "yeeeeeee"}
    text, told = shown({"m": whole, "p": poor})
    e2e.check([one["tries"] for one in told["attempts"]] == [5, 5], f"{told['attempts']}")
    e2e.check([one["cases_left_out"] for one in told["attempts"]] == [0, 2], f"{told['attempts']}")
    e2e.check("tries: 5, not the 8 that were asked for: fewer than half of the cases of exec:python3 m.py p have 8 "
              "scored attempts" in text, text)


def other_numbers_are_told():
    plan = {"a": "yyyy", "b": "ynnn", "c": "nnnn", "d": "yeee"}
    text, told = shown({"m": plan}, "--pass-at-k", "1,2,9")
    by_k = {each["k"]: each for each in told["pass_at_k"]}
    e2e.check(list(by_k) == [1, 2, 9], f"{by_k}")
    e2e.check(abs(by_k[1]["any"] - (1 + 0.25 + 0 + 1) / 4) < 1e-9, f"{by_k[1]}")
    e2e.check(abs(by_k[2]["any"] - (1 + 0.5 + 0) / 3) < 1e-9 and by_k[2]["cases_left_out"] == 1, f"{by_k[2]}")
    e2e.check(by_k[9]["any"] is None and by_k[9]["cases_left_out"] == 4, f"{by_k[9]}")
    e2e.check("in one of 2" in text and "50 % (" in text and "1 left out" in text, text)
    with e2e.scratch() as name:
        wrong = e2e.assay("show", "latest", "--pass-at-k", "0.5", cwd=name)
    e2e.expect(wrong, 1, "--pass-at-k", "numbers of tries between commas, such as 1,5,10", "--pass-at takes a score")


one_poor_case_decides_nothing()
too_few_are_told()
other_numbers_are_told()
