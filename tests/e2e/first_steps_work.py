#!/usr/bin/env python3
"""Five lines of YAML and the key of any one provider are enough: --judge and [judges] name who judges, and whoever
cannot be asked is told before anything is."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

FIVE_LINES = """models: [anthropic:claude-x]
---
prompt: say word
should:
  - Says a word.
"""
KEY = {"ANTHROPIC_API_KEY": "sk-test-1"}
VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"


def answer(text):
    return VERDICT if "CLASS_EXACT" in text else text.removeprefix("say ")


def lines_with(result, text):
    return [line for line in result.stderr.splitlines() if text in line]


def on_a_terminal(typed, *words, cwd, env):
    """Runs the program with a terminal before it; what it said, and its exit code."""
    return e2e.on_terminal(*words, cwd=cwd, env={**env, "TERM": "dumb", "CI": None}, typed=typed)


with e2e.scratch() as scratch, MockServer(answer=answer) as mock:
    folder = Path(scratch)
    suite = folder / "suite.yml"
    suite.write_text(FIVE_LINES)
    url = f"--base-url=anthropic={mock.url}"

    # The default judges need another key: one cause, one message, both ways out.
    missing = e2e.assay("run", "suite.yml", url, cwd=folder, env=KEY)
    e2e.expect(missing, 1, "OPENROUTER_API_KEY is not set", "as a judge 1 time", "if a judge fails",
               "--judge anthropic:claude-x", '[judges] models = ["anthropic:claude-x"]',
               "run: export OPENROUTER_API_KEY=YOUR_KEY", "so the default judges grade the criteria in words")
    (folder / "echo.yml").write_text("models: [echo:a]\n---\nprompt: say hi\nshould: [Says hi.]\n")
    echoed = e2e.assay("run", "echo.yml", cwd=folder)
    e2e.expect(echoed, 1, "--judge MODEL", "without a key, use functions such as $icontains")
    e2e.check("--judge echo" not in echoed.stderr, "an echo judges nothing", echoed)
    (folder / "nobody.yml").write_text("prompt: say hi\nshould: [$icontains: hi]\n")
    e2e.expect(e2e.assay("check", "nobody.yml", cwd=folder), 0, "the file names no models, so assay would ask ")
    (folder / "idle.yml").write_text("models: [echo:a]\n---\nprompt: say hi\nshould: [$icontains: hi]\n")
    for command in ("check", "run"):
        e2e.expect(e2e.assay(command, "idle.yml", "--judge", "gpt", cwd=folder), 0,
                   'warning: --judge: "gpt" names no provider')
    said, _ = e2e.on_terminal("run", "idle.yml", "--fresh", cwd=folder, env={"TERM": "xterm", "CI": None})
    e2e.check("to try next: assay show latest --case" in said, f"a run on a terminal ends with the next step: {said}")
    few = e2e.assay("plan", "idle.yml", "-m", "echo:a", "-m", "echo:b", cwd=folder)
    e2e.expect(few, 0, "1 case cannot show which of 2 variants is better; 6 could")
    e2e.check(len(lines_with(missing, "OPENROUTER_API_KEY is not set")) == 1, "one cause, one message", missing)
    e2e.check(not mock.requests, "nothing is asked", missing)

    judged = e2e.assay("run", "suite.yml", url, "--judge", "anthropic:claude-x", "--json", cwd=folder, env=KEY)
    e2e.expect(judged, 0)
    run = e2e.one_run(judged)
    e2e.check(run["variants"][0]["mean"] == 1 and len(mock.requests) == 2, "one answer, one verdict", judged)
    e2e.check("--judge anthropic:claude-x" in run["command"], "the command names the judge", judged)
    e2e.expect(e2e.assay("show", "latest", "--json", cwd=folder), 0)

    (folder / "assay.toml").write_text('[judges]\nmodels = ["anthropic:claude-x", "anthropic:claude-y"]\n')
    both = e2e.assay("run", "suite.yml", url, "--json", cwd=folder, env=KEY)
    e2e.expect(both, 0)
    e2e.check(len(mock.requests) == 3, "the second judge alone is new", both)
    told = e2e.assay("doctor", "--config", "--json", cwd=folder)
    e2e.check({"setting": "judge", "value": "anthropic:claude-x, anthropic:claude-y", "from": "assay.toml:2"}
              in json.loads(told.stdout), "doctor tells who judges", told)
    over = e2e.assay("run", "suite.yml", url, "--judge", "anthropic:claude-z", "--json", cwd=folder, env=KEY)
    e2e.check(len(mock.requests) == 4 and mock.requests[-1]["body"]["model"] == "claude-z",
              "the command line comes first", over)
    for text, fragment in (('[judges]\nmodels = "a:b"\n', "assay.toml:2:10"), ("[judges]\nmodels = []\n", "list"),
                           ('[judges]\nmodel = ["a:b"]\n', 'did you mean "models"?')):
        (folder / "assay.toml").write_text(text)
        e2e.check(fragment in e2e.assay("check", "suite.yml", cwd=folder).stderr, f"{text} is told: {fragment}")
    (folder / "assay.toml").unlink()

    # Key points: who extracts them is checked and replaced as well.
    suite.write_text("models: [anthropic:claude-x]\n---\nprompt: say word\nideal: word\n")
    e2e.expect(e2e.assay("run", "suite.yml", url, cwd=folder, env=KEY), 1, "OPENAI_API_KEY is not set",
               "for key points", "OPENROUTER_API_KEY is not set")
    keyed = e2e.assay("run", "suite.yml", url, "--eval-method", "all", "--judge", "anthropic:claude-x", cwd=folder,
                      env=KEY)
    e2e.expect(keyed, 1, "OPENAI_API_KEY is not set", "for embeddings")
    e2e.check("key points" not in keyed.stderr and "OPENROUTER" not in keyed.stderr, "only the embedder lacks a key",
              keyed)
    suite.write_text(FIVE_LINES)
    e2e.expect(e2e.assay("run", "suite.yml", url, "--judge", "anthropic:claude-x", "--require-executive-summary",
                         cwd=folder, env=KEY), 1, "OPENROUTER_API_KEY is not set", "for the executive summary")
    weval = e2e.assay("run", "suite.yml", url, "--judge", "anthropic:claude-x", "--compat", "weval", "--eval-method",
                      "llm-coverage", cwd=folder, env=KEY)
    e2e.expect(weval, 0, "warning: OPENROUTER_API_KEY is not set", "no executive summary")

    # What a recording answers needs no key; what it lacks does, before anything is asked.
    recorded = e2e.assay("run", "suite.yml", url, "--judge", "anthropic:claude-x", "--record", "r.jsonl", cwd=folder,
                         env=KEY)
    e2e.expect(recorded, 0)
    asked = len(mock.requests)
    again = ["run", "suite.yml", "--replay", "r.jsonl", "--store", "other.db"]
    e2e.expect(e2e.assay(*again, "--judge", "anthropic:claude-x", cwd=folder), 0)
    other = e2e.assay(*again, "--judge", "openai:gpt-4o", cwd=folder)
    e2e.expect(other, 1, 'OPENAI_API_KEY is not set, but "openai:gpt-4o" would be asked as a judge 1 time')
    e2e.check(len(mock.requests) == asked, "nothing is asked", other)
    (folder / "fixtures.yml").write_text("responses: {other: {default: x}}\n")
    e2e.expect(e2e.assay("run", "suite.yml", "--fixtures", "fixtures.yml", "--judge", "echo:j", cwd=folder), 1,
               'ANTHROPIC_API_KEY is not set, but "anthropic:claude-x" would be asked 1 time')

    # Nobody named: CORE, which is told with its price before the first call, and asked of a terminal once.
    suite.write_text("prompt: say word\nshould: [$contains: word]\n")
    router = {"OPENROUTER_API_KEY": "sk-test-2", "ANTHROPIC_API_KEY": "sk-test-1"}
    urls = [url, f"--base-url=openrouter={mock.url}/api/v1"]
    nobody = e2e.assay("run", "suite.yml", cwd=folder)
    e2e.expect(nobody, 1, "and 28 more", "the file names no models, so CORE is asked: name yours under `models:`")
    e2e.check(len(lines_with(nobody, "error:")) == 1, "one key is missing", nobody)
    asked = len(mock.requests)
    said, code = on_a_terminal(b"n\n", "run", "suite.yml", *urls, cwd=folder, env=router)
    e2e.check(code == 1 and "no models named: the 33 of CORE, $" in said and "nothing was asked" in said,
              f"exit {code}: {said}")
    e2e.check(len(mock.requests) == asked, "who says no asks nobody")
    core = e2e.assay("run", "suite.yml", *urls, "--json", cwd=folder, env=router)
    e2e.expect(core, 0, "no models named: the 33 of CORE, $")
    e2e.check(len(mock.requests) == asked + 33, f"elsewhere it goes on: {len(mock.requests) - asked}", core)
    quiet = e2e.assay("run", "suite.yml", *urls, "-q", "--fresh", cwd=folder, env=router)
    e2e.expect(quiet, 0, "no models named: the 33 of CORE, $")  # about money
    asked += 33
    again = e2e.assay("run", "suite.yml", *urls, "--json", cwd=folder, env=router)
    e2e.check("no models named" not in again.stderr, "nothing is asked any more, so nothing is told", again)
    said, code = on_a_terminal(b"y\n", "run", "suite.yml", *urls, "--fresh", cwd=folder, env=router)
    e2e.check(code == 0 and len(mock.requests) == asked + 66, f"exit {code}: {said}")
    named = e2e.assay("run", "suite.yml", "-m", "echo:a", cwd=folder)
    e2e.expect(named, 0)
    e2e.check("no models named" not in named.stderr, "-m names one", named)
