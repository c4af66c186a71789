#!/usr/bin/env python3
"""--fail-on-flip with several attempts: a case passes if half of its attempts do, in the gate, in tables, in JUnit
and in Markdown; adding attempts of an unchanged model raises no flip rate; --pass-attempts asks for more; cases that
were flaky in the base, and those known to be flaky, are listed apart; other models and other judges are named."""
import itertools
import json
import shutil
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

# Answers rightly where the case's line of `plan` has a "y" at the place of the attempt.
PROGRAM = '''import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "init":
        print(json.dumps({"type": "ready", "protocol": "assay-exec/1"}), flush=True)
    elif message["type"] == "turn":
        case = message["query"].split()[-1]
        count = os.path.join("asked", case)
        n = int(open(count).read()) if os.path.exists(count) else 0
        open(count, "w").write(str(n + 1))
        right = json.load(open("plan.json"))[case][n] == "y"
        answer = "Yes, right." if right else "No."
        print(json.dumps({"type": "result", "id": message["id"], "answer": answer}), flush=True)
    else:
        break
'''
MODEL = "exec:python3 m.py"
CHECKS = "should: [$icontains: yes, $icontains: right]"


def run(folder, plan, *words, checks=CHECKS, env=None):
    """`plan`: by case one letter an attempt."""
    attempts = len(next(iter(plan.values())))
    lines = ["id: s", "models: [demo:m]", "prompts:"]
    for case in plan:
        lines += [f"  - id: {case}", f"    prompt: Is it so? {case}", f"    {checks}"]
    (folder / "s.yml").write_text("\n".join(lines) + "\n")
    (folder / "m.py").write_text(PROGRAM)
    (folder / "plan.json").write_text(json.dumps(plan))
    asked = folder / "asked"
    asked.mkdir(exist_ok=True)
    for count in asked.iterdir():
        count.unlink()
    return e2e.assay("run", "s.yml", "-m", MODEL, "-j", "1", "--attempts", str(attempts), "--fresh", *words, cwd=folder,
                     env=env)


def base(folder, plan, **more):
    result = run(folder, plan, "--json", **more)
    e2e.check(result.returncode == 0, "the base ends well", result)
    return e2e.one_run(result)["run"]


def flips_of(result):
    return e2e.one_run(result)["gates"][0]["newly_failing"]


def attempts_do_not_raise_the_flip_rate():
    """Every outcome of n attempts at even chances is a case: the share of flips is exactly that of chance."""
    most = 5
    with e2e.scratch() as name:
        folder = Path(name)
        cases = [f"c{i}" for i in range(2 ** most)]
        good = base(folder, {case: "y" for case in cases})
        rates = []
        for attempts in range(1, most + 1):
            outcomes = ["".join(each) for each in itertools.product("yn", repeat=attempts)]
            rows = {case: outcomes[i % len(outcomes)] for i, case in enumerate(cases)}
            told = run(folder, rows, "--json", "-q", "--fail-on-flip", good)
            failing = flips_of(told)
            wanted = [case for case, row in rows.items() if 2 * row.count("y") < attempts]
            e2e.check(failing == wanted, f"{attempts} attempts: {failing} newly fail, not {wanted}", told)
            rates.append(len(failing) / len(cases))
        e2e.check(max(rates) <= rates[0] == 0.5, f"flip rates by attempts: {rates}")


def one_rule_everywhere():
    with e2e.scratch() as name:
        folder = Path(name)
        good = base(folder, {"dogs": "y", "cats": "y"})
        told = run(folder, {"dogs": "yyn", "cats": "ynn"}, "-v", "--fail-on-flip", good)
        e2e.expect(told, 4, "Flipped: 1 of 2 cases that passed now fails, at most 0 allowed. 1 newly fails: cats",
                   "flips: a case passes if at least half of its scored attempts pass (--pass-attempts); an attempt"
                   " passes with 50 points or more (--pass-at 0.5), 100 where all checks are yes-or-no or unit tests")
        e2e.check("✓ 66.7" in told.stdout and "✗ 33.3" in told.stdout, "the table", told)
        e2e.check("a case: at least half of its scored attempts pass (--pass-attempts)" in told.stdout, "line", told)
        root = ElementTree.fromstring(e2e.assay("export", "latest", "--to", "junit", cwd=folder).stdout)
        failed = [test.get("name") for test in root.iter("testcase") if test.find("failure") is not None]
        e2e.check(failed == ["cats", "flip gate"], f"JUnit: {failed}")
        message = root.find(".//testcase[@name='cats']/failure").get("message")
        e2e.check("1 of 3 attempts passed with 100 points or more, expected at least half" in message, message)
        markdown = e2e.assay("export", "latest", "--to", "markdown", cwd=folder).stdout
        e2e.check("Failed: 1 " in markdown and "| cats |" in markdown and "| dogs |" not in markdown, markdown)
        failed = json.loads(e2e.assay("show", "latest", "--failed", "--json", cwd=folder).stdout)["failed"]
        e2e.check([each["case"] for each in failed] == ["cats"], f"show --failed: {failed}")

        strict = e2e.assay("show", "latest", "--fail-on-flip", good, "--pass-attempts", "0.75", cwd=folder)
        e2e.expect(strict, 4, "2 newly fail: dogs, cats", "at least 75 % of its scored attempts pass")
        e2e.expect(e2e.assay("show", "latest", "--fail-on-flip", good, "--pass-attempts", "0.3", cwd=folder), 0)
        for wrong in ("0", "1.5", "half"):
            e2e.expect(e2e.assay("show", "latest", "--pass-attempts", wrong, cwd=folder), 1, "--pass-attempts")


def half_of_yes_or_no_checks_is_no_pass():
    """A half-right answer passed in the table and failed in the gate."""
    with e2e.scratch() as name:
        folder = Path(name)
        good = base(folder, {"dogs": "y"})
        half = "should: [$icontains: right, $icontains: never]"
        told = run(folder, {"dogs": "y"}, "--by-question", "--fail-on-flip", good, checks=half)
        e2e.expect(told, 4, "1 newly fails: dogs")
        e2e.check("✗ 50" in told.stdout, "the table says the same", told)
        root = ElementTree.fromstring(e2e.assay("export", "latest", "--to", "junit", cwd=folder).stdout)
        failure = root.find(".//testcase[@name='dogs']/failure")
        e2e.check(failure is not None and "50 points, expected 100 or more" in failure.get("message"), "JUnit, too")
        chosen = e2e.assay("show", "latest", "--pass-at", "0.5", "--by-question", "--fail-on-flip", good, cwd=folder)
        e2e.expect(chosen, 0, "passes with 50 points or more (--pass-at 0.5)\n")
        e2e.check("✓ 50" in chosen.stdout, "a chosen mark holds for all", chosen)


def bases_may_be_files():
    with e2e.scratch() as name:
        folder = Path(name)
        base(folder, {"dogs": "y", "cats": "y"})
        e2e.assay("export", "latest", "--to", "jsonl", "-o", "base.jsonl", "-q", cwd=folder)
        e2e.expect(run(folder, {"dogs": "yyn", "cats": "yny"}, "--fail-on-flip", "base.jsonl"), 0)
        flipped = run(folder, {"dogs": "ynn", "cats": "yyy"}, "--fail-on-flip", "base.jsonl")
        e2e.expect(flipped, 4, "1 newly fails: dogs")


def flaky_cases_are_told_apart():
    with e2e.scratch() as name:
        folder = Path(name)
        good = base(folder, {"dogs": "yyy", "cats": "yyn", "hens": "yyy"})
        worse = {"dogs": "nny", "cats": "nny", "hens": "yyy"}
        told = run(folder, worse, "--json", "--fail-on-flip", good)
        e2e.expect(told, 4, "1 newly fails: dogs. 1 that was flaky in the base newly fails: cats")
        e2e.check(e2e.one_run(told)["gates"][0]["flaky_in_base"] == ["cats"], "in JSON", told)

        (folder / "flaky.txt").write_text("# their owners look into it\ndogs\n\n  cats\t\nhen\n")
        known = run(folder, worse, "--json", "-q", "--fail-on-flip", good, "--known-flaky", "flaky.txt")
        e2e.expect(known, 0, "No flip too many: 0 of 1 case that passed now fail.",
                   "\n  Known to be flaky, not counted: 2 cases; 2 newly fail: dogs, cats.\n",
                   'flaky.txt:5:1: the run has no case "hen", did you mean "hens"?')
        gate = e2e.one_run(known)["gates"][0]
        e2e.check(gate["known_flaky"] == {"cases": 2, "newly_failing": ["dogs", "cats"]}, f"{gate}")
        junit = e2e.assay("export", "latest", "--to", "junit", cwd=folder).stdout
        e2e.check("Known to be flaky, not counted: 2 cases" in junit, junit)
        e2e.expect(run(folder, worse, "--known-flaky", "flaky.txt"), 1, "--known-flaky needs --fail-on-flip or")
        missing = run(folder, worse, "--fail-on-flip", good, "--known-flaky", "nope.txt")
        e2e.expect(missing, 1, "--known-flaky: ", "nope.txt")


def authors_mark_flaky_cases():
    with e2e.scratch() as name:
        folder = Path(name)
        good = base(folder, {"dogs": "y", "cats": "y"}, checks=CHECKS + "\n    flaky: true")
        told = run(folder, {"dogs": "n", "cats": "n"}, "--fail-on-flip", good, checks=CHECKS + "\n    flaky: true")
        e2e.expect(told, 2, "Cannot tell: every case that both runs have is known to be flaky.",
                   "not counted: 2 cases; 2 newly fail: dogs, cats.")
        e2e.expect(e2e.assay("show", "latest", "--fail-on-flip", good, cwd=folder), 2, "2 newly fail: dogs, cats.")
        wrong = run(folder, {"dogs": "y"}, checks=CHECKS + "\n    flaky: often")
        e2e.expect(wrong, 1, "s.yml:7:12", "flaky: expected true or false, found a text")
        unmarked = run(folder, {"dogs": "y"}, "--fail-on-flip", good)
        e2e.check("Known to be flaky" not in unmarked.stderr, "false and nothing are the same", unmarked)

        shutil.copytree(e2e.ROOT / "examples/infibench-small", folder / "suite")
        case = next((folder / "suite").glob("cases/*.yaml"))
        words = ("grade", "suite/suite.yaml", "suite/responses/finch-1")
        first = e2e.one_run(e2e.assay(*words, "--json", cwd=folder))["run"]
        case.write_text(case.read_text() + "\nflaky: true\n")
        e2e.expect(e2e.assay(*words, "--fail-on-flip", first, "--by-question", cwd=folder), 0,
                   "Known to be flaky, not counted: 1 case, which did not flip.")
        case.write_text(case.read_text().replace("flaky: true", "flaky: 3"))
        e2e.expect(e2e.assay(*words, cwd=folder), 1, "flaky: expected true or false, found a number", case.name)


def other_models_are_named():
    with e2e.scratch() as name:
        folder = Path(name)
        good = base(folder, {"dogs": "y"})
        (folder / "other.py").write_text(PROGRAM)
        (folder / "asked" / "dogs").unlink()
        other = e2e.assay("run", "s.yml", "-m", "exec:python3 other.py", "-j", "1", "--fail-on-flip", good, "--pair",
                          "other.py=m.py", cwd=folder)
        e2e.expect(other, 0, "Answered by different models: exec:python3 other.py here, exec:python3 m.py in the base.")
        same = run(folder, {"dogs": "y"}, "--fail-on-flip", good)
        e2e.check("different" not in same.stderr, "the same model", same)


def other_judges_are_named():
    verdict = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"
    with e2e.scratch() as name, MockServer(answer=lambda _: verdict) as mock:
        folder = Path(name)

        def judged(judge, *words):
            return run(folder, {"dogs": "y"}, f"--base-url=openai={mock.url}/v1", "--judge", judge, *words,
                       checks="should: [Says yes]", env={"OPENAI_API_KEY": "sk-test-9"})

        e2e.expect(judged("openai:old"), 0)
        e2e.assay("export", "latest", "--to", "jsonl", "-o", "base.jsonl", "-q", cwd=folder)
        for good in ("latest", "base.jsonl"):
            e2e.expect(judged("openai:new", "--fail-on-flip", good), 0, "Graded by different judges: ", "openai:new",
                       "openai:old", " in the base.")


attempts_do_not_raise_the_flip_rate()
one_rule_everywhere()
half_of_yes_or_no_checks_is_no_pass()
bases_may_be_files()
flaky_cases_are_told_apart()
authors_mark_flaky_cases()
other_models_are_named()
other_judges_are_named()
