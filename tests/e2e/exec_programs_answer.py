#!/usr/bin/env python3
"""exec:COMMAND asks a program of the user's: its answers are stored, what goes wrong is one cell's error, a run that
is killed goes on without asking twice, and nothing that it started outlives it."""
import json
import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

# Answers "word N" to "say word N" and does what else the question asks for. Every turn is one line of turns.log.
AGENT = r"""
import json, os, subprocess, sys, time
def send(**message): print(json.dumps(message), flush=True)
def lines():
    for line in sys.stdin: yield json.loads(line)
talk = lines()
init = next(talk)
assert init["type"] == "init" and init["protocol"] == "assay-exec/1" and os.path.isdir(init["runtime_dir"])
print("agent", os.getpid(), "begins", file=sys.stderr, flush=True)
send(type="ready", protocol="assay-exec/1", sut={"name": "agent"}, role_aliases={})
for message in talk:
    if message["type"] == "shutdown": break
    if message["type"] != "turn": continue
    turn, query = message["id"], message["query"]
    with open("turns.log", "a") as log: log.write(query + "\n")
    if "crash" in query:
        print("Traceback: the agent fell over", file=sys.stderr, flush=True)
        sys.exit(3)
    if "garbage" in query: print("Loading weights...", flush=True)
    if "hang" in query:
        child = subprocess.Popen(["sleep", "600"])
        with open("folder.txt", "w") as log: log.write(init["runtime_dir"])
        with open("hung.pids", "a") as log: log.write(f"{os.getpid()}\n{child.pid}\n")
        time.sleep(600)
    if "leak" in query:
        print("key", os.environ["OPENAI_API_KEY"], file=sys.stderr, flush=True)
        sys.exit(3)
    if "report" in query:
        send(type="result", id=turn, answer="", error={"class": "ValueError", "message": "no such thing"})
        continue
    if "environment" in query:
        answer = " ".join(name for name in ("OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "PLAIN")
                          if name in os.environ)
        answer += " word " + os.environ.get("OPENAI_API_KEY", "")
    else:
        answer = "word " + query.split()[-1]
    time.sleep(float(os.environ.get("TURN_SECONDS", "0")))
    send(type="weather", id=turn, note="unknown types are ignored")
    send(type="event", id=turn, t_ms=1.5, event="llm_start", turn=1)
    send(type="result", id=turn, answer=answer, halted=False, halt_reason=None, notices=[], tool_usage={},
         token_usage={"main": {"input_tokens": 5, "output_tokens": 2}}, error=None)
send(type="bye")
"""
MODEL = "exec:python3 agent.py --greeting 'a, b'"


def prepare(folder, text=e2e.suite(6)):
    Path(folder, "agent.py").write_text(AGENT)
    Path(folder, "suite.yml").write_text(text)


def asking(*questions):
    text = "title: Questions\nid: questions\nmodels: [echo:a]\nprompts:\n"
    for i, question in enumerate(questions):
        text += f"  - id: case-{i}\n    prompt: {question}\n    should:\n      - $contains: word\n"
    return text


def turns(folder):
    log = Path(folder, "turns.log")
    return log.read_text().splitlines() if log.exists() else []


def lives(pid):
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def until(condition, message):
    end = time.monotonic() + e2e.SECONDS_MAX
    while not condition():
        e2e.check(time.monotonic() < end, message)
        time.sleep(0.02)


def answers():
    with e2e.scratch() as folder:
        prepare(folder)
        plan = e2e.assay("plan", "suite.yml", "-m", MODEL, cwd=folder)
        e2e.expect(plan, 0)
        e2e.check("unknown" in plan.stdout, "expected the price of a program to be unknown", plan)
        e2e.check(not turns(folder), "plan asked the program")
        budget = e2e.assay("run", "suite.yml", "-m", MODEL, "--budget-usd", "1", cwd=folder)
        e2e.expect(budget, 1, "price")
        first = e2e.assay("run", "suite.yml", "-m", MODEL, "--json", "-j", "3", cwd=folder)
        e2e.expect(first, 0)
        run = e2e.one_run(first)
        e2e.check(run["mean"] == 1 and run["requests_sent"] == 6, "expected six good answers", first)
        usage = {"input_tokens": 30, "output_tokens": 12}
        e2e.check(run["candidate_usage"] == usage, f"{run['candidate_usage']}", first)
        e2e.check(len(turns(folder)) == 6, f"expected six turns, found {turns(folder)}")
        again = e2e.assay("run", "suite.yml", "-m", MODEL, "--json", cwd=folder)
        e2e.check(e2e.one_run(again)["up_to_date"] and len(turns(folder)) == 6, "asked again", again)
        other = e2e.assay("run", "suite.yml", "-m", MODEL + " -v", "--json", cwd=folder)
        e2e.check(e2e.one_run(other)["requests_sent"] == 6, "another command line is another model", other)
        left = list(Path("/tmp").glob("assay-exec-*/*/agent*"))
        e2e.check(not left, f"left behind: {left}")


def faults():
    with e2e.scratch() as folder:
        prepare(folder, asking("say word 1", "crash", "garbage", "hang", "report", "say word 2"))
        words = ["run", "suite.yml", "-m", MODEL, "--timeout", "1.5", "--max-retries", "1", "--json"]
        result = e2e.assay(*words, cwd=folder)
        e2e.expect(result, 2, "ended with exit code 3 before it answered", "the agent fell over", "Loading weights",
                   "did not answer within 1.5 s", "ValueError: no such thing")
        variant = e2e.one_run(result)["variants"][0]
        e2e.check((variant["scored"], variant["errors"]) == (2, 4), f"{variant}", result)
        asked = [turns(folder).count(text) for text in ("crash", "garbage", "hang", "report", "say word 2")]
        e2e.check(asked == [2, 2, 2, 1, 1], f"tries: {asked}", result)
        pids = Path(folder, "hung.pids").read_text().split()
        e2e.check(len(pids) == 4 and not any(map(lives, pids)), f"a hung program was left: {pids}")

        missing = e2e.assay("run", "suite.yml", "-m", "exec:no-such-agent-here", cwd=folder)
        e2e.expect(missing, 2, "no-such-agent-here cannot be started")
        e2e.expect(e2e.assay("run", "suite.yml", "-m", "exec:agent 'x", cwd=folder), 1, "closing quote")


def ends_with_its_run(sign):
    with e2e.scratch() as folder:
        prepare(folder, asking("hang"))
        process = e2e.start("run", "suite.yml", "-m", MODEL, cwd=folder)
        pids = Path(folder, "hung.pids")
        until(lambda: pids.exists() and pids.read_text().count("\n") == 2, "the program did not begin")
        began = time.monotonic()
        process.send_signal(sign)
        process.communicate(timeout=e2e.SECONDS_MAX)
        if sign == signal.SIGINT:
            took_s = time.monotonic() - began
            e2e.check(process.returncode == 130 and took_s < 3 * e2e.SLOWNESS, f"exit {process.returncode}")
        until(lambda: not any(map(lives, pids.read_text().split())), f"the program outlived {sign}")
        own = Path(folder, "folder.txt").read_text()
        until(lambda: not Path(own).parent.exists(), f"{own} outlived {sign}")


def killed_runs_go_on():
    with e2e.scratch() as folder:
        prepare(folder, e2e.suite(24))
        words = ["run", "suite.yml", "-m", MODEL, "-j", "2", "--json", "-q"]
        os.environ["TURN_SECONDS"] = "0.2"
        kills = 0
        for _ in range(3):
            before = len(turns(folder))
            process = e2e.start(*words, cwd=folder)
            until(lambda: len(turns(folder)) >= before + 5 or process.poll() is not None, "no turns")
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
            process.communicate()
            # Let programs that still write their line do so before they are counted.
            time.sleep(0.3)
        last = e2e.assay(*words, cwd=folder)
        del os.environ["TURN_SECONDS"]
        e2e.expect(last, 0)
        e2e.check(kills == 3 and e2e.one_run(last)["mean"] == 1, "expected a whole run after three kills", last)
        asked = turns(folder)
        repeated = len(asked) - len(set(asked))
        # At a kill two turns are under way, and what two others answered may be on its way to the disk.
        e2e.check(len(set(asked)) == 24 and repeated <= 4 * kills, f"{repeated} asked again after {kills} kills")


def only_the_user_names_programs():
    with e2e.scratch() as folder:
        prepare(folder, e2e.suite(1, model="'exec:python3 agent.py'"))
        e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 1, "the suite would start the program",
                   "--allow-exec 'python3 agent.py'")
        # In whatever disguise: another program allowed, a pair, capitals, a judge, words that are nearly the same.
        for model in ("'exec:python3 agent.py'", "{exec: python3 agent.py}", "'EXEC: python3  agent.py'", "exec/agent"):
            Path(folder, "suite.yml").write_text(e2e.suite(1, model=model))
            result = e2e.assay("run", "suite.yml", "--allow-exec", "python3 agent.py --other", cwd=folder)
            e2e.check(result.returncode in (1, 2), f"{model} was run", result)
        judged = ("title: T\nid: t\nmodels: [echo:a]\n"
                  "evaluationConfig:\n  llm-coverage:\n    judges:\n"
                  "      - {id: j, model: 'exec:python3 agent.py', approach: standard}\n"
                  "prompts:\n  - id: a\n    prompt: say\n    should: [is kind]\n")
        Path(folder, "suite.yml").write_text(judged)
        result = e2e.assay("run", "suite.yml", cwd=folder)
        e2e.expect(result, 1, "the suite would start the program")
        Path(folder, "models").mkdir()
        Path(folder, "models/EVIL.json").write_text('["exec:python3 agent.py"]')
        Path(folder, "suite.yml").write_text(e2e.suite(1, model="EVIL"))
        collected = ["run", "suite.yml", "--collections-repo-path", "."]
        e2e.expect(e2e.assay(*collected, cwd=folder), 1, "the suite would start the program")
        e2e.check(not turns(folder), f"a program was started: {turns(folder)}")

        e2e.expect(e2e.assay(*collected, "--allow-exec", "exec:python3 agent.py", cwd=folder), 0)
        e2e.own_settings('[allow]\nexec = ["python3 agent.py"]\n')
        e2e.expect(e2e.assay(*collected, "--fresh", cwd=folder), 0)
        e2e.check(len(turns(folder)) == 2, f"expected two turns, found {turns(folder)}")


def keys_stay_with_their_providers():
    with e2e.scratch() as folder:
        prepare(folder, asking("name the environment word"))
        env = {"OPENAI_API_KEY": "sk-test-4711-secret", "PLAIN": "1", "AWS_SECRET_ACCESS_KEY": "secret-4711",
               "AWS_SESSION_TOKEN": "token-4711"}
        for words, want in (([], "PLAIN"), (["--allow-env", "OPENAI_API_KEY"], "OPENAI_API_KEY PLAIN")):
            result = e2e.assay("run", "suite.yml", "-m", MODEL, "--fresh", *words, cwd=folder, env=env)
            e2e.expect(result, 0)
            record = e2e.assay("show", "latest", "--case", "case-0", cwd=folder, env=env)
            e2e.check(want in record.stdout and (want == "PLAIN") == ("OPENAI" not in record.stdout)
                      and "AWS" not in record.stdout, f"expected {want}", record)
        Path(folder, "suite.yml").write_text(asking("leak the word"))
        words = ["run", "suite.yml", "-m", MODEL, "--allow-env", "OPENAI_API_KEY", "--max-retries", "0"]
        e2e.expect(e2e.assay(*words, cwd=folder, env=env), 2, "standard error ends with:", "[secret]")
        for path in Path(folder).rglob("*"):
            e2e.check(not path.is_file() or b"4711" not in path.read_bytes(), f"the key is in {path}")


def infibench_suites_too():
    with e2e.scratch() as name:
        folder = Path(name)
        (folder / "agent.py").write_text(AGENT)
        (folder / "suite.yaml").write_text("cases: [case.yaml]\n")
        (folder / "question.txt").write_text("say word 7")
        (folder / "case.yaml").write_text(
            "id: a\nprompt_path: question.txt\ntype: code completion\nlang: python\ngrading:\n  keywords: [word 7]\n")
        model = MODEL + " " + "x" * 300
        e2e.expect(e2e.assay("run", "suite.yaml", "-m", model, cwd=folder), 0)
        found = [path.read_text() for path in (folder / "results").glob("*/case_0.txt")]
        e2e.check(found == ["word 7"], f"{found}")


answers()
faults()
ends_with_its_run(signal.SIGINT)
ends_with_its_run(signal.SIGKILL)
killed_runs_go_on()
only_the_user_names_programs()
keys_stay_with_their_providers()
infibench_suites_too()
