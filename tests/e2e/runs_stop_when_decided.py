#!/usr/bin/env python3
"""A run with --until asks in an order of its own, stops once its question is decided, and says what that means. Wrong
answers take ten times longer here: whoever counted answers as they come would find the wrong winner."""
import csv
import hashlib
import json
import re
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

CASES = 300
KEY = {"OPENAI_API_KEY": "sk-test-0123456789"}
RIGHT = {"gpt-4o": 0.8, "gpt-4o-mini": 0.7, "gpt-4.1": 0.5}
QUICK_S = 0.004


def draw(model, text):
    digest = hashlib.sha256(f"{model} {text}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def is_right(model, text):
    return draw(model, text) < RIGHT[model]


def reply(_path, body):
    model, text = body["model"], body["messages"][-1]["content"]
    right = is_right(model, text)
    time.sleep(QUICK_S if right else 10 * QUICK_S)
    word = text.removeprefix("say ") if right else "nothing"
    return {"id": "x", "object": "chat.completion", "model": model,
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": word}}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}}


def suite(models, cases=CASES):
    lines = ["title: Words", "id: words", "models: [" + ", ".join(f"openai:{m}" for m in models) + "]", "prompts:"]
    for i in range(cases):
        lines += [f"  - id: case-{i}", f"    prompt: say word {i}", "    should:", f"      - $contains: word {i}"]
    return "\n".join(lines) + "\n"


def words(mock, *more):
    width = [] if "-j" in more else ["-j", "16"]
    return ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--json", *width, *more]


def until(run, index=0):
    return run["until"][index]


def project(scratch, name, models, cases=CASES):
    folder = Path(scratch) / name
    folder.mkdir()
    (folder / "suite.yml").write_text(suite(models, cases))
    return folder


with e2e.scratch() as scratch, MockServer(reply=reply) as mock:
    # Two variants: who is first?
    pair = project(scratch, "pair", ["gpt-4o", "gpt-4o-mini"])
    result = e2e.assay(*words(mock, "--until", "decided"), cwd=pair, env=KEY)
    e2e.expect(result, 0)
    first = e2e.one_run(result)
    asked = len(mock.texts())
    end = until(first)
    e2e.check(end["end"]["reason"] == "first" and end["in_race"] == ["openai:gpt-4o"], f"the better one: {end}", result)
    e2e.check(end["sentence"].startswith("openai:gpt-4o is first on this suite: with 95 % certainty the whole suite of "
                                         "300 cases would say the same."), end["sentence"], result)
    e2e.check(first["stopped"] == "decided" and asked < 2 * CASES * 0.8, f"{asked} calls", result)
    seen = end["end"]["n"]
    e2e.check(asked <= 2 * (seen + 16) + 4, f"{asked} calls for {seen} cases of two variants", result)
    e2e.check(end["beyond"] == asked - 2 * seen, f"beyond: {end['beyond']} of {asked - 2 * seen}", result)
    e2e.check(end["seed"] == "0" and end["batch"] == 10 and end["units"] == end["cases"] == CASES, str(end), result)
    ranking = first["statistics"]["ranking"]
    e2e.check(all(place["to_leader"] is None or place["to_leader"]["p"] is None for place in ranking),
              "no p is told of a run that was stopped", result)

    # The same command finds it up to date; the words for people are the same, and so are those of `show`.
    told = e2e.assay(*[word for word in words(mock, "--until", "decided") if word != "--json"], cwd=pair, env=KEY)
    e2e.expect(told, 0, "up to date")
    for text in (end["sentence"], f"{seen} of 300 cases (stopped: decided)"):
        e2e.check(text in told.stdout, f"{text} is missing", told)
    e2e.check(len(mock.texts()) == asked, "nothing was asked again", told)
    shown = e2e.assay("show", "latest", cwd=pair, env=KEY)
    e2e.expect(shown, 0)
    e2e.check(end["sentence"] in shown.stdout, "show has the same sentence", shown)

    # While it goes on, it tells the race and when it will be decided.
    told = project(scratch, "told", ["gpt-4o", "gpt-4o-mini"])
    result = e2e.assay(*[word for word in words(mock, "--until", "decided", "--progress", "json", "-j", "2") if
                         word != "--json"], cwd=told, env=KEY)
    e2e.expect(result, 0)
    races = [json.loads(line)["race"] for line in result.stderr.splitlines() if line.startswith('{"event":"progress"')]
    e2e.check(any(re.fullmatch(r"2 of 2 in the race, \d+ of 300 cases; decided after about \d+", race)
                  for race in races if race), f"the race: {races}", result)

    # Killed at any moment, the same command ends with the same sentence, and asks nothing twice.
    killed = project(scratch, "killed", ["gpt-4o", "gpt-4o-mini"])
    for wait in (0.15, 0.3, 0.2, 0.4):
        process = e2e.start(*words(mock, "--until", "decided"), cwd=killed, env=KEY)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    result = e2e.assay(*words(mock, "--until", "decided"), cwd=killed, env=KEY)
    e2e.expect(result, 0)
    again = until(e2e.one_run(result))
    same = {key: value for key, value in end.items() if key != "beyond"}
    e2e.check({key: value for key, value in again.items() if key != "beyond"} == same,
              f"after kills: {json.dumps(again)}\nwithout: {json.dumps(end)}", result)

    # The rest is asked where somebody wants it, and nothing that was paid is paid again.
    before = len(mock.texts())
    result = e2e.assay("run", "--resume", "latest", "--until", "all", "-j", "16", "--json", cwd=pair, env=KEY)
    e2e.expect(result, 0)
    whole = e2e.one_run(result)
    e2e.check(whole["run"] == first["run"], "it is the same run", result)
    rest = len(mock.texts()) - before
    e2e.check(rest == 2 * CASES - asked, f"{rest} calls for the rest", result)
    e2e.check(whole["stopped"] is None and until(whole)["sentence"].startswith("All 300 cases were asked. "),
              str(until(whole)), result)
    ranking = whole["statistics"]["ranking"]
    e2e.check(ranking[1]["to_leader"]["p"] is not None, "it is an ordinary run", result)
    e2e.check(whole["variants"][0]["scored"] == CASES, "every case has a score", result)

    # A race drops who can no longer be first; a plain run takes all answers.
    race = project(scratch, "race", list(RIGHT))
    result = e2e.assay(*words(mock, "--until", "decided"), cwd=race, env=KEY)
    e2e.expect(result, 0)
    end = until(e2e.one_run(result))
    e2e.check(end["in_race"] == ["openai:gpt-4o"] and len(end["dropped"]) == 2, str(end), result)
    before = len(mock.texts())
    plain = e2e.assay(*words(mock), cwd=race, env=KEY)
    e2e.expect(plain, 0)
    one = e2e.one_run(plain)
    e2e.check(one["requests"] == 3 * CASES and one["requests_sent"] == len(mock.texts()) - before < 3 * CASES,
              "a plain run takes the answers", plain)

    # Other questions.
    result = e2e.assay(*words(mock, "--until", "openai:gpt-4o>openai:gpt-4o-mini"), cwd=race, env=KEY)
    e2e.expect(result, 0)
    end = until(e2e.one_run(result))
    e2e.check(end["end"]["state"] == "leads", str(end), result)
    e2e.check(end["sentence"].startswith("openai:gpt-4o is ahead of openai:gpt-4o-mini: "), str(end), result)
    result = e2e.assay(*words(mock, "--until", "openai:gpt-4o-mini>openai:gpt-4o+3"), cwd=race, env=KEY)
    e2e.expect(result, 0)
    e2e.check(until(e2e.one_run(result))["end"]["state"] == "trails", "B is not better than A", result)
    result = e2e.assay(*words(mock, "--until", "±10"), cwd=race, env=KEY)
    e2e.expect(result, 0)
    run = e2e.one_run(result)
    e2e.check([each["variant"] for each in run["until"]] == [f"openai:{model}" for model in RIGHT], str(run["until"]),
              result)
    e2e.check(all(each["end"]["state"] == "decided" for each in run["until"]), str(run["until"]), result)
    result = e2e.assay(*words(mock, "--until", "decided", "--until", "±40"), cwd=race, env=KEY)
    e2e.expect(result, 0)
    e2e.check(len(e2e.one_run(result)["until"]) == 4, "each question has its own end", result)

    # Undecided by a budget: said so, and the same command goes on.
    poor = project(scratch, "poor", ["gpt-4o", "gpt-4o-mini"])
    result = e2e.assay(*words(mock, "--until", "decided", "--budget-tokens", "2000", "-j", "1"), cwd=poor, env=KEY)
    e2e.check(result.returncode == 5, "the budget ends it", result)
    run = e2e.one_run(result)
    e2e.check(run["stopped"] == "budget", run["stopped"], result)
    e2e.check(until(run)["sentence"].startswith("Not decided: "), str(until(run)), result)

    # What it will take is told before anything is asked.
    plan = e2e.assay("plan", "suite.yml", "--until", "decided", cwd=race, env=KEY)
    e2e.expect(plan, 0)
    e2e.check("To tell 20 points apart takes about " in plan.stdout and "of 300 cases (9 of 10 times " in plan.stdout,
              "the forecast", plan)
    plan = json.loads(e2e.assay("plan", "suite.yml", "--until", "decided", "--json", cwd=race, env=KEY).stdout)[0]
    e2e.check([each["gap"] for each in plan["until"]["forecasts"]] == [0.02, 0.05, 0.1, 0.2], str(plan["until"]))

    # No gate and no comparison takes a stopped run for a whole one.
    stopped = e2e.one_run(e2e.assay(*words(mock, "--until", "decided"), cwd=race, env=KEY))["run"]
    gate = e2e.assay(*words(mock, "--fail-on-regression", stopped), cwd=race, env=KEY)
    e2e.expect(gate, 1, f"{stopped} was stopped early; ask the rest first: assay run --resume {stopped} --until all")
    compared = e2e.assay("compare", f"{stopped}#gpt-4.1", f"{stopped}#4o-mini", cwd=race, env=KEY)
    e2e.expect(compared, 0)
    note = f"{stopped} was stopped as soon as it was decided: this difference is likely too large."
    e2e.check(note in compared.stdout, "the comparison says so", compared)
    markdown = e2e.assay("export", stopped, "--to", "markdown", cwd=race, env=KEY)
    e2e.check(" of 300 cases (stopped: decided)" in markdown.stdout, "the head of the markdown", markdown)
    for form in ("csv", "answers-csv", "check-csv", "jsonl", "junit", "github-summary", "promptfoo", "html"):
        exported = e2e.assay("export", stopped, "--to", form, cwd=race, env=KEY)
        e2e.check(" of 300 cases (stopped: decided)" in exported.stdout, f"{form} says how far the run came", exported)

    def exported_lines(form):
        return e2e.assay("export", stopped, "--to", form, cwd=race, env=KEY).stdout.splitlines()

    e2e.check("| 95 %, whole suite | 95 %, cases of this kind |" in markdown.stdout, "both intervals of a difference",
              markdown)
    page = e2e.assay("export", stopped, "--to", "html", cwd=race, env=KEY).stdout
    e2e.check('"races":[{"question":"decided","kind":"race"' in page, "the page has the race")
    e2e.check("cannot rank" not in page, "a stopped run is not judged by the rules of whole runs")

    rows = list(csv.DictReader(exported_lines("answers-csv")))
    e2e.check({row["reason"] for row in rows if row["state"] == "skipped"} == {"decided"}, str(rows[:3]))
    lines = [json.loads(line) for line in exported_lines("jsonl")]
    e2e.check(all((line["skipped"] == "decided") == (line["state"] == "skipped") for line in lines), str(lines[0]))
    e2e.check(" of 300 cases (stopped: decided)" in
              e2e.assay("export", f"{stopped}#gpt-4.1", "--to", "lm-eval", cwd=race, env=KEY).stdout, "lm-eval says so")
    failed = e2e.assay("show", stopped, "--failed", cwd=race, env=KEY)
    e2e.check(f"to ask the rest: assay run --resume {stopped} --until all" in failed.stdout, "how the rest is asked",
              failed)
    again = failed.stdout.split("to send all requests of these cases again:")[1]
    e2e.check("--select" in again and "--until" not in again, "chosen cases are all asked", failed)
    for form, key in (("comparison", "stopped"), ("core", "stopped")):
        found = [json.loads(path.read_text()) for path in race.rglob(f"*{form}.json")]
        e2e.check(any(" of 300 cases (stopped: decided)" in one.get(key, "") for one in found), f"{form} says so")
        e2e.check(any(key not in one for one in found), f"{form} of a whole run has no such member")
    junit = e2e.assay("export", stopped, "--to", "junit", cwd=race, env=KEY)
    e2e.check('<skipped message="decided"/>' in junit.stdout, "cases that were not asked", junit)

    # What cannot be asked is refused before anything is.
    alone = project(scratch, "alone", ["gpt-4o"], 20)
    before = len(mock.texts())
    for more, fragment in ((["--until", "decided"], "for one variant: --until ±5"),
                           (["--until", "gates"], "decided, A>B, A>B+3, gate or ±5"),
                           (["--until", "nobody>gpt-4o"], "which variant nobody is"),
                           (["--until", "all"], "--until all goes with --resume"),
                           (["--within", "3"], "--within goes with --until")):
        e2e.expect(e2e.assay(*words(mock, *more), cwd=alone, env=KEY), 1, fragment)
    e2e.check(len(mock.texts()) == before, "nothing was asked")
