#!/usr/bin/env python3
"""Three shards of a run with --until, --early or --until gate, on one PostgreSQL store, end as one process does: the
same looks, the same cells looked at, the same sentence. Whether one of them is killed makes no difference. Wrong
answers take ten times longer, so that whoever counted answers as they come would find the wrong winner."""
import hashlib
import json
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import KEY, Gate, end_of, living, run_of, wait_for  # noqa: E402

CASES, SHARDS = 300, 3
RIGHT = {"gpt-4o": 0.8, "gpt-4o-mini": 0.7, "gpt-4.1": 0.5}
QUICK_S = 0.004


def reply(_path, body):
    model, text = body["model"], body["messages"][-1]["content"]
    digest = hashlib.sha256(f"{model} {text}".encode()).digest()
    is_right = int.from_bytes(digest[:8], "big") / 2**64 < RIGHT[model]
    time.sleep(QUICK_S if is_right else 10 * QUICK_S)
    word = text.removeprefix("say ") if is_right else "nothing"
    return {"id": "x", "object": "chat.completion", "model": model,
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": word}}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}}


def project(scratch, name, models=tuple(RIGHT)):
    folder = Path(scratch) / name
    folder.mkdir()
    lines = ["title: Words", "id: words", "models: [" + ", ".join(f"openai:{m}" for m in models) + "]", "prompts:"]
    for i in range(CASES):
        lines += [f"  - id: case-{i}", f"    prompt: say word {i}", "    should:", f"      - $contains: word {i}"]
    (folder / "suite.yml").write_text("\n".join(lines) + "\n")
    return folder


def words(mock, *more):
    return ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "-j", "12", *more]


def told(run):
    """Each question with its looks and its end; what was in flight then is another matter."""
    return [{key: value for key, value in question.items() if key != "beyond"} for question in run["until"]]


gate = Gate(1 << 30)
with e2e.scratch() as scratch, PostgresServer() as server, MockServer(reply=reply, refuse=gate) as mock:
    def shards(folder, url, *more):
        return [e2e.start(*words(mock, "--store", url, "--shards", SHARDS, "--shard", number, *more), cwd=folder,
                          env=KEY) for number in range(1, SHARDS + 1)]

    def fold(folder, url, run, *more, code=0):
        result = e2e.assay(*words(mock, "--store", url, "--fold", run, "--json", *more), cwd=folder, env=KEY)
        e2e.expect(result, code)
        return e2e.one_run(result), result

    def asked(run):
        return sum(each["scored"] for each in run["variants"])

    def same(here, there, result):
        e2e.check(told(here) == told(there), f"shards: {json.dumps(told(there))}\nalone: {json.dumps(told(here))}",
                  result)
        e2e.check(there["stopped"] == here["stopped"], f"{there['stopped']} in place of {here['stopped']}", result)

    def alone(name, *more, code=0, models=tuple(RIGHT)):
        result = e2e.assay(*words(mock, "--json", *more), cwd=project(scratch, name, models), env=KEY)
        e2e.expect(result, code)
        return e2e.one_run(result)

    # A race.
    one = alone("alone", "--until", "decided")
    e2e.check(one["stopped"] == "decided" and asked(one) < 2 * CASES, f"{asked(one)} cells")
    race, url = project(scratch, "race"), server.new("race")
    before = len(mock.texts())
    gate.close()
    processes = shards(race, url, "--until", "decided")
    wait_for(lambda: living(server, "race") == SHARDS, "three seats")
    gate.open()
    for process in processes:
        e2e.expect(end_of(process), 0, "no cells are left for this shard")
    calls = len(mock.texts()) - before
    worked = server.sql("SELECT count(*) FROM seat WHERE number IN (SELECT seat FROM sitting WHERE commits > 0)",
                        "race")
    e2e.check(worked == ["3"], f"{worked} shards did any work")
    run, result = fold(race, url, run_of(server, "race"), "--until", "decided")
    same(one, run, result)
    e2e.check(asked(run) == calls < 3 * CASES, f"{calls} calls for {asked(run)} cells", result)
    # What is asked beyond a look is what connections ask that would be idle otherwise.
    e2e.check(run["until"][0]["beyond"] <= 3 * (30 + 12 * SHARDS), f"beyond: {run['until'][0]['beyond']}", result)
    for again in (shards(race, url, "--until", "decided"), ):
        for process in again:
            e2e.expect(end_of(process), 0, "up to date")
    e2e.check(len(mock.texts()) - before == calls, "nothing is asked again")

    # One is killed while its calls are out, once early and once late.
    for name, wait in (("early", 12), ("late", calls // 2)):
        folder, url = project(scratch, name), server.new(name)
        before = len(mock.texts())
        processes = shards(folder, url, "--until", "decided")
        wait_for(lambda before=before, wait=wait: len(mock.texts()) - before > wait, "requests")
        processes[0].send_signal(signal.SIGKILL)
        processes[0].communicate()
        server.sql("UPDATE seat SET beat_at = beat_at - interval '61 s' WHERE shard = 1", name)
        for process in processes[1:]:
            e2e.expect(end_of(process), 0, "no cells are left for this shard")
        run, result = fold(folder, url, run_of(server, name), "--until", "decided")
        same(one, run, result)

    # All are killed: the same shards go on, and ask nothing twice but what was out.
    folder, url = project(scratch, "all"), server.new("every")
    before = len(mock.texts())
    processes = shards(folder, url, "--until", "decided")
    wait_for(lambda: len(mock.texts()) - before > calls // 2, "requests")
    for process in processes:
        process.send_signal(signal.SIGKILL)
    for process in processes:
        process.communicate()
    run = run_of(server, "every")
    for process in shards(folder, url, "--until", "decided"):
        e2e.expect(end_of(process), 0, "no cells are left for this shard")
    run, result = fold(folder, url, run, "--until", "decided")
    same(one, run, result)

    # Other questions, and one that nobody can answer before the end.
    for at, question in enumerate((["openai:gpt-4o>openai:gpt-4.1"], ["±8"], ["decided", "±12"], ["±0.1"])):
        options = [word for each in question for word in ("--until", each)]
        here = alone(f"one{at}", *options)
        folder, url = project(scratch, f"many{at}"), server.new(f"many{at}")
        for process in shards(folder, url, *options):
            e2e.expect(end_of(process), 0, "no cells are left for this shard")
        run, result = fold(folder, url, run_of(server, f"many{at}"), *options)
        same(here, run, result)

    # Gates that end early. The base is a run of the same store.
    pair = ("gpt-4o-mini", "gpt-4.1")
    folder, url = project(scratch, "gates", pair), server.new("gates")
    result = e2e.assay(*words(mock, "--store", url, "--json"), cwd=folder, env=KEY)
    e2e.expect(result, 0)
    base = e2e.one_run(result)["run"]
    for code, options in ((3, ["--early", "--fail-under", "0.6"]), (0, ["--early", "--fail-under", "0.2"]),
                          (0, ["--until", "gate", "--fail-on-regression", base, "--delta", "0.2"])):
        for process in shards(folder, url, *options):
            e2e.expect(end_of(process), 0, "no cells are left for this shard")
        run, result = fold(folder, url, run_of(server, "gates"), *options, code=code)
        e2e.check(run["stopped"] == "decided", str(run["stopped"]), result)
        single = e2e.assay(*words(mock, "--store", url, "--json", *options), cwd=folder, env=KEY)
        e2e.check(single.returncode == code and e2e.one_run(single)["run"] == run["run"], "up to date", single)

    # A budget ends all of them undecided.
    folder, url = project(scratch, "poor"), server.new("poor")
    for process in shards(folder, url, "--until", "decided", "--budget-tokens", "1500"):
        e2e.expect(end_of(process), 0)
    run, result = fold(folder, url, run_of(server, "poor"), "--until", "decided", "--budget-tokens", "1500", code=5)
    e2e.check(run["stopped"] == "budget" and run["until"][0]["sentence"].startswith("Not decided: "),
              str(run["until"][0]["sentence"]), result)
