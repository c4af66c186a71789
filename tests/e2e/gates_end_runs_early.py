#!/usr/bin/env python3
"""With --early, a gate without statistics ends its run as soon as the cells that are left cannot change its outcome,
with the exit code of the whole run. With --until gate, --fail-on-regression does once it is decided."""
import hashlib
import json
import re
import shutil
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

CASES = 300
KEY = {"OPENAI_API_KEY": "sk-test-0123456789"}
RIGHT = {"gpt-4o": 0.8, "gpt-4o-mini": 0.7}
FAILING = {"share": 0.0}


def draw(*words):
    digest = hashlib.sha256(" ".join(words).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def reply(_path, body):
    model, text = body["model"], body["messages"][-1]["content"]
    time.sleep(0.002)
    if draw("error", model, text) < FAILING["share"]:
        return status(400)
    word = text.removeprefix("say ") if draw(model, text) < RIGHT[model] else "nothing"
    return {"id": "x", "object": "chat.completion", "model": model,
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": word}}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}}


def project(scratch, name, models, cases=CASES):
    folder = Path(scratch) / name
    folder.mkdir()
    lines = ["title: Words", "id: words", "models: [" + ", ".join(f"openai:{m}" for m in models) + "]", "prompts:"]
    for i in range(cases):
        lines += [f"  - id: case-{i}", f"    prompt: say word {i}", "    should:", f"      - $contains: word {i}"]
    (folder / "suite.yml").write_text("\n".join(lines) + "\n")
    return folder


def words(mock, *more):
    return ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--json", "-j", "4", *more]


with e2e.scratch() as scratch, MockServer(reply=reply) as mock:
    def run(folder, *more, code):
        result = e2e.assay(*words(mock, *more), cwd=folder, env=KEY)
        e2e.check(result.returncode == code, f"exit code {result.returncode} in place of {code} with {more}", result)
        return e2e.one_run(result), result

    def sent(folder, *more, code):
        before = len(mock.texts())
        told, result = run(folder, *more, code=code)
        return told, len(mock.texts()) - before, result

    # --fail-under: at every threshold the exit code of the whole run, at a part of its price.
    whole = project(scratch, "whole", ["gpt-4o"])
    mean = run(whole, code=0)[0]["variants"][0]["mean"]
    for at, (least, most) in enumerate(((0.1, 50), (0.5, 220), (mean - 8 / CASES, 299), (mean + 8 / CASES, 299),
                                        (0.95, 120), (1.0, 40))):
        code = 3 if mean < least else 0
        early = project(scratch, f"under-{at}", ["gpt-4o"])
        told, calls, result = sent(early, "--early", "--fail-under", str(least), code=code)
        e2e.check(calls <= most, f"{calls} calls for --fail-under {least}", result)
        e2e.check(told["stopped"] == "decided", str(told["stopped"]), result)
        question = told["until"][0]
        e2e.check(question["end"]["state"] == ("fails" if code else "holds"), str(question), result)
        n = question["end"]["n"]
        e2e.check(f"is decided: {n} of {CASES} cases asked" in question["sentence"], question["sentence"], result)
        e2e.check(question["beyond"] == calls - n and calls - n <= 5, f"{calls} calls for {n}", result)
        e2e.check((f"(decided: {n} of {CASES} cases asked)" in result.stderr) == (code == 3), "missed", result)
        again, more, result = sent(early, "--early", "--fail-under", str(least), code=code)
        e2e.check(more == 0 and again["run"] == told["run"], "it is up to date", result)
    # Exactly at the threshold nothing is below it.
    exact = project(scratch, "exact", ["gpt-4o"])
    told, calls, result = sent(exact, "--early", "--fail-under", str(mean), code=0)
    # Another threshold is another run, which takes the answers; the rest can be asked.
    other, more, result = sent(early, "--early", "--fail-under", "0.5", code=0)
    e2e.check(other["run"] != told["run"] and 0 < more < CASES, f"{more} more", result)
    junit = e2e.assay("export", other["run"], "--to", "junit", cwd=early, env=KEY)
    e2e.check('<skipped message="decided"/>' in junit.stdout, "cases that were not asked", junit)
    shown = e2e.assay("show", other["run"], cwd=early, env=KEY)
    e2e.check("of 300 cases (stopped: decided)" in shown.stdout, "the head of the tables", shown)
    e2e.check(other["until"][0]["sentence"] in shown.stdout, "show has the sentence", shown)
    rest = e2e.assay("run", "--resume", other["run"], "--until", "all", "--json", cwd=early, env=KEY)
    e2e.expect(rest, 0)
    e2e.check(e2e.one_run(rest)["variants"][0]["scored"] == CASES, "the rest is asked", rest)
    low = e2e.assay("run", "--resume", other["run"], "--fail-under", "0.9", "--json", cwd=early, env=KEY)
    e2e.expect(low, 3)

    # Two variants: each is asked until its own outcome is certain.
    both = project(scratch, "both", list(RIGHT))
    told, calls, result = sent(both, "--early", "--fail-under", "0.75", code=3)
    ends = [each["end"] for each in told["until"]]
    e2e.check([end["state"] for end in ends] == ["holds", "fails"] and calls < 2 * CASES, str(ends), result)
    e2e.check(f"(decided: {ends[1]['n']} of {CASES} cases asked)" in result.stderr, "of the one that missed", result)

    # --fail-on-flip: only cases that passed in the base can flip.
    base = project(scratch, "base", ["gpt-4o"])
    before = run(base, code=0)[0]
    passed = sum(draw("gpt-4o", f"say word {i}") < RIGHT["gpt-4o"] for i in range(CASES))
    RIGHT["gpt-4o"] = 0.6
    flips = sum(0.6 <= draw("gpt-4o", f"say word {i}") < 0.8 for i in range(CASES))
    for allowed in (0, 3, flips - 1, flips, flips + 30, CASES):
        gate = ["--fresh", "--early", "--fail-on-flip", before["run"], "--max-flips", str(allowed)]
        told, calls, result = sent(base, *gate, code=4 if flips > allowed else 0)
        e2e.check(calls <= passed, f"{calls} calls of {passed}", result)
        state = "regression" if flips > allowed else "none"
        e2e.check(told["gates"][0]["state"] == state, str(told["gates"]), result)
        e2e.check(told["gates"][0]["without_score"] == 0, "what was not asked lacks no score", result)
        e2e.check(told["stopped"] == "decided", str(told["stopped"]), result)
        if allowed == CASES:
            e2e.check(calls <= 5, "nothing could fail", result)
    # A file is a base, too, and what is kept of it needs the file no more.
    (base / "base.jsonl").write_text(e2e.assay("export", before["run"], "--to", "jsonl", cwd=base, env=KEY).stdout)
    told, calls, result = sent(base, "--fresh", "--early", "--fail-on-flip", "base.jsonl", code=4)
    # Whether its scores are the old ones is said where it is there.
    shown = e2e.assay("show", told["run"], cwd=base, env=KEY)
    e2e.check("have changed" not in shown.stderr, "the base has not changed", shown)
    rows = (base / "base.jsonl").read_text()
    (base / "base.jsonl").write_text(rows.replace('"score":1', '"score":0', 1))
    e2e.check((base / "base.jsonl").read_text() != rows, f"no score to change: {rows[:400]}")
    words_of_change = f"the scores of base.jsonl have changed since {told['run']} was compared with them"
    for command in (["show", told["run"]], ["compare", f"{told['run']}#1", f"{before['run']}#1"]):
        shown = e2e.assay(*command, cwd=base, env=KEY)
        e2e.check(words_of_change in shown.stderr, "the base has changed", shown)
    # Somebody else's run may name any file: none is opened.
    shutil.copytree(base / ".assay", base / "theirs")
    shown = e2e.assay("show", told["run"], "--store", "theirs/store.db", cwd=base, env=KEY)
    e2e.check(told["until"][0]["sentence"] in shown.stdout and "have changed" not in shown.stderr,
              "a stranger's base is not opened", shown)
    (base / "base.jsonl").unlink()
    shown = e2e.assay("show", told["run"], cwd=base, env=KEY)
    e2e.check(told["until"][0]["sentence"] in shown.stdout and calls < 100, "show needs no base", shown)

    # --max-errors: as many cells as may fail need not be asked.
    errors = project(scratch, "errors", ["gpt-4o"], 100)
    told, calls, result = sent(errors, "--early", "--max-errors", "20", code=0)
    e2e.check(80 <= calls <= 85 and told["until"][0]["end"] == {"n": 80, "state": "holds"}, f"{calls} calls", result)
    told, calls, result = sent(errors, "--early", "--max-errors", "20%", "--fresh", "--fail-under", "0.99", code=3)
    e2e.check(calls <= 20 and told["until"][1]["end"]["state"] == "moot", str(told["until"]), result)
    FAILING["share"] = 0.5
    told, calls, result = sent(errors, "--early", "--max-errors", "5", "--fresh", code=3)
    e2e.check(calls < 40 and told["stopped"] == "max-errors", f"{calls} calls, {told['stopped']}", result)
    FAILING["share"] = 0.0

    # --until gate: a fall is found with a part of the cases; what did not change, too.
    RIGHT["gpt-4o"] = 0.8
    gated = project(scratch, "gated", ["gpt-4o"])
    before = run(gated, code=0)[0]["run"]
    RIGHT["gpt-4o"] = 0.5
    fell = ["--fresh", "--until", "gate", "--fail-on-regression", before]
    told, calls, result = sent(gated, *fell, code=4)
    gate = told["until"][0]
    e2e.check(gate["end"]["state"] == "regression" and gate["promise"] == "world" and gate["seed"] == before, str(gate),
              result)
    e2e.check(gate["sentence"].startswith("Regression: with 95 % certainty it fell on the whole suite of 300 cases ("),
              gate["sentence"], result)
    e2e.check(calls < 200 and told["gates"][0]["state"] == "regression", f"{calls} calls", result)
    e2e.check(gate["sentence"] in told["gates"][0]["sentence"], str(told["gates"]), result)
    again = e2e.assay("show", told["run"], "--fail-on-regression", before, cwd=gated, env=KEY)
    e2e.expect(again, 4, "Regression: with 95 % certainty")
    e2e.expect(e2e.assay("show", told["run"], "--fail-on-regression", before, "--delta", "0.1", cwd=gated, env=KEY), 1,
               "a gate needs every case")
    RIGHT["gpt-4o"] = 0.8
    told, calls, result = sent(gated, "--fresh", "--until", "gate", "--fail-on-regression", before, "--delta", "0.02",
                               "--fail-under", "0.6", code=0)
    e2e.check([each["end"]["state"] for each in told["until"]] == ["none", "holds"], str(told["until"]), result)
    e2e.check(calls < 290 and told["gates"][0]["state"] == "none", f"{calls} calls", result)
    e2e.check(told["until"][0]["sentence"].startswith("No regression: with 95 % certainty the gate would pass on the "
                                                      "whole suite of 300 cases too ("), str(told["until"]), result)

    # Programs that follow a run hear of each look.
    RIGHT["gpt-4o"] = 0.5
    told, _, result = sent(gated, *fell, "--early", "--fail-under", "0.7", "--progress", "json", code=4)
    events = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
    looks = [event for event in events if event["event"] == "look"]
    names = ("n", "mean", "lo", "hi", "world_lo", "world_hi", "square_lo", "state")
    e2e.check([{name: look[name] for name in names} for look in looks if look["question"] == "gate"]
              == told["until"][0]["looks"], json.dumps(looks), result)
    certain = [(look["n"], look["state"]) for look in looks if look["question"] == "--fail-under 0.7"]
    e2e.check(certain == [tuple(told["until"][1]["end"].values())] and certain[0][1] == "fails", str(certain), result)

    # Killed at any moment, the same command ends with the same sentence.
    RIGHT["gpt-4o"] = 0.6
    killed = project(scratch, "killed", ["gpt-4o"])
    RIGHT["gpt-4o"] = 0.8
    start = run(killed, code=0)[0]["run"]
    base_file = e2e.assay("export", start, "--to", "jsonl", cwd=killed, env=KEY).stdout
    RIGHT["gpt-4o"] = 0.6
    sentences = []
    for name, waits in (("straight", ()), ("cut", (0.12, 0.2, 0.3))):
        folder = project(scratch, name, ["gpt-4o"])
        (folder / "base.jsonl").write_text(base_file)
        command = words(mock, "--until", "gate", "--fail-on-regression", "base.jsonl", "--fail-on-flip", "base.jsonl",
                        "--max-flips", "10")
        for wait in waits:
            process = e2e.start(*command, cwd=folder, env=KEY)
            time.sleep(wait)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        result = e2e.assay(*command, cwd=folder, env=KEY)
        e2e.expect(result, 4)
        sentences.append([each["sentence"] for each in e2e.one_run(result)["until"]])
    e2e.check(sentences[0] == sentences[1] and len(sentences[0]) == 2, json.dumps(sentences, indent=1))
    # The page draws the bounds of the difference, with the margin as a line.
    page = e2e.assay("export", e2e.one_run(result)["run"], "--to", "html", cwd=folder, env=KEY).stdout
    drawn = re.search(r'{"question":"gate","kind":"gate","cases":300,"step":(-?[\d.]+),"lines":'
                      r'\[{"variant":"openai:gpt-4o","points":\[\[10,', page)
    e2e.check(drawn and float(drawn.group(1)) == 0, "the page has the gate", result)

    # A run that goes on by its name has its gates.
    process = e2e.start(*command, "--order-seed", "7", "-j", "1", cwd=folder, env=KEY)
    time.sleep(0.15)
    process.send_signal(signal.SIGINT)
    process.communicate()
    listed = json.loads(e2e.assay("runs", "--json", cwd=folder, env=KEY).stdout)
    left = [each["run"] for each in listed if each["state"] == "unfinished"]
    e2e.check(len(left) == 1, f"one run was interrupted: {listed}")
    e2e.expect(e2e.assay("run", "--resume", left[0], cwd=folder, env=KEY), 4, "Regression: ")

    # A question and a gate beside it: each until it is decided.
    pair = project(scratch, "pair", list(RIGHT))
    RIGHT.update({"gpt-4o": 0.9, "gpt-4o-mini": 0.4})
    old = run(pair, code=0)[0]["run"]
    told, calls, result = sent(pair, "--fresh", "--until", "decided", "--fail-on-regression", old, code=0)
    e2e.check([each["question"] for each in told["until"]] == ["decided", "gate", "gate"], str(told["until"]), result)
    e2e.check(all(each["sentence"].startswith(f"{each['variant']}: ") for each in told["until"][1:]), "whose", result)
    e2e.check([each["variant"] for each in told["until"]][1:] == [f"openai:{model}" for model in RIGHT], "both", result)

    # Nothing that cannot be is asked for.
    for more, fragment in ((["--early"], "--early goes with --fail-under, --fail-on-flip or --max-errors"),
                           (["--until", "gate"], "--until gate needs --fail-on-regression"),
                           (["--early", "--fail-on-regression", old], "--until gate does"),
                           (["--until", "gate", "--within", "3", "--fail-on-regression", old], "--within"),
                           (["--early", "--fail-under", "0.5", "--batch"], "each look would wait hours for a batch"),
                           (["--early", "--fail-under", "0.5", "--shards", "2", "--shard", "1"],
                            "shards need a store on a server")):
        e2e.expect(e2e.assay(*words(mock, *more), cwd=pair, env=KEY), 1, fragment)
    plan = e2e.assay("plan", "suite.yml", "--until", "gate", cwd=pair, env=KEY)
    e2e.expect(plan, 0)
    e2e.check(re.search(r"To tell 20 points apart takes about \d+ of 300 cases", plan.stdout), "the forecast",
              plan)
