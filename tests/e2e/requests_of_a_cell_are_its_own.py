#!/usr/bin/env python3
"""What a cell asks depends on nothing but the cell: for every dialect, the requests of the whole run are those of its
cases run alone, and stay the same under --filter, --limit, --run, another order, and a case or document in front."""
import json
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

WORDS = {"alpha": "The pump of the harbour stops in winter. Valves close at night. " * 6,
         "beta": "Life jackets hang in the cabin. The pump is red, and the pump hums. " * 4,
         "gamma": "The ferry leaves at noon. Tickets are sold on the pier, and valves are sold in town. " * 5,
         "first": "Pump, valve, ticket, pier, winter. A page with many of the same words. " * 9}
VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"
AGENT = """import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "init":
        print(json.dumps({"type": "ready", "protocol": "assay-exec/1"}), flush=True)
    elif message["type"] == "turn":
        with open("turns.jsonl", "a") as turns: turns.write(line)
        print(json.dumps({"type": "result", "id": message["id"], "answer": "the pump"}), flush=True)
    else: break
"""


def blueprint(cases):
    prompts = "".join(f"  - {{id: {name}, prompt: 'Tell of {name}', should: [Names the pump, $icontains: pump]}}\n"
                      for name in cases)
    return {"suite.yml": "id: law\ntitle: Law\nmodels: ['openai:one', {model: 'openai:two', parameters: {seed: 1}}]\n"
            "evaluationConfig: {llm-coverage: {judges: [{model: 'openai:judge', approach: holistic}]}}\n"
            f"prompts:\n{prompts}"}


def infibench(cases):
    files = {f"{name}.yaml": f"id: {name}\nprompt_path: {name}.txt\nlang: text\ntype: code debugging\n"
             "grading:\n  keywords:\n    - content: pump\n" for name in cases}
    texts = {f"{name}.txt": f"Tell of {name}.\n" for name in cases}
    return {"suite.yml": "cases:\n" + "".join(f"  - {name}.yaml\n" for name in cases), **files, **texts}


def research(cases, alias, settings):
    docs = "".join(f"  - {{id: {name}, title: '{name.title()}', url: 'file:docs/{name}.md'}}\n" for name in cases)
    tests = "".join(f"  - {{id: {name}, doc_ids: [{name}, {cases[-1]}], query: 'When does the pump of {name} stop?', "
                    "expected: {type: contains, text: pump}}\n" if name != cases[-1] else
                    f"  - {{id: {name}, doc_id: {name}, query: 'Where are valves and the pump?', "
                    "expected: {type: contains, text: pump}}\n" for name in cases)
    runs = "".join(f"[[runs]]\nid = '{name}'\nmodel_alias = '{alias}'\nsource_provider = 'local_snapshot'\n{more}\n"
                   for name, more in settings.items())
    return {"questions.yaml": f"id: law\ndocs:\n{docs}tests:\n{tests}", "agent.py": AGENT,
            "matrix.toml": "dataset = './questions.yaml'\nsnapshot_root = './snapshots'\n"
                           f"output_root = './runs'\n{runs}",
            **{f"docs/{name}.md": WORDS[name] for name in cases}}


OWN = {"lean": "research_mode = true\nlean = true", "tools": "research_mode = true", "plain": "research_mode = false"}
# dialect: (its files for cases, the suite, words of every run, whether --run chooses among its profiles)
DIALECTS = {
    "blueprint": (blueprint, "suite.yml", [], ""),
    "infibench": (infibench, "suite.yml", ["-m", "openai:one"], ""),
    "research": (lambda cases: research(cases, "openai:reader", OWN), "matrix.toml", [], "tools"),
    "research, a program": (lambda cases: research(cases, "exec:python3 agent.py", {"p": ""}), "matrix.toml",
                            ["--allow-exec", "python3 agent.py"], ""),
}
CASES = ["alpha", "beta", "gamma"]


def reply_to(body):
    """A model that searches once where it is offered tools: its next request holds what the search found."""
    said = body.get("messages", [])
    if body.get("tools") and said and said[-1]["role"] == "user":
        call = {"id": "c1", "type": "function", "function": {
            "name": "get_relevant_content", "arguments": json.dumps({"query": "pump and valves"})}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    else:
        message = {"role": "assistant", "content": VERDICT if body.get("model") == "judge" else "the pump"}
    return json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                       "usage": {"prompt_tokens": 5, "completion_tokens": 2}})


def without_time(text):
    return re.sub(r"It is now [^\\]*", "", text)


def asked(root, make, suite, cases, words):
    """The requests of a run of its own, in a folder and a store of its own."""
    folder = root / "work"  # one name for all: paths stand in what programs are sent
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, text in make(cases).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    if suite == "matrix.toml":
        e2e.expect(e2e.assay("prepare", "--dataset", "questions.yaml", "--snapshot-root", "snapshots", cwd=folder), 0)
    with MockServer(reply=lambda path, body: reply_to(body)) as server:
        result = e2e.assay("run", suite, "--base-url", f"openai={server.url}/v1", "--max-retries", "0", *words,
                           cwd=folder, env={"OPENAI_API_KEY": "sk-test-law"})
        e2e.check(result.returncode in (0, 2, 3), f"the run of {words} ends", result)
        requests = {without_time(json.dumps(each["body"], sort_keys=True)) for each in server.requests}
    turns = folder / "turns.jsonl"
    return requests | set(turns.read_text().splitlines() if turns.exists() else [])


def first_difference(a, b):
    left, right = sorted(a - b), sorted(b - a)
    return f"only one side asks: {(left or right or [''])[0][:1500]}"


with e2e.scratch() as scratch:
    for dialect, (make, suite, words, profile) in DIALECTS.items():
        def run(cases, *more):
            return asked(Path(scratch), make, suite, cases, [*words, *more])  # noqa: B023
        whole = run(CASES)
        e2e.check(len(whole) >= len(CASES), f"{dialect}: the whole run asks")
        alone = {name: run(CASES, "--filter", f"*{name}*") for name in CASES}
        together = set().union(*alone.values())
        e2e.check(together == whole, f"{dialect}, --filter: {first_difference(together, whole)}")
        tries = {"--limit": (run(CASES, "--limit", "2"), whole)}
        if profile:
            tries["--run"] = (run(CASES, "--run", profile), whole)
        # Of a case whose documents stay the same: in research every case also names the last one's document.
        tries["another order"] = (run([CASES[1], CASES[0], CASES[2]]), whole)
        tries["a case in front"] = (whole, run(["first", *CASES]))
        for name, (part, all_of_it) in tries.items():
            e2e.check(part and part <= all_of_it, f"{dialect}, {name}: {first_difference(part, all_of_it)}")
