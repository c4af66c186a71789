#!/usr/bin/env python3
"""An agent developer's matrix: two programs and assay's own agent on one model. Its profiles are compared as profiles,
by one name in every sentence and table; `show` has the tables of `run`; `plan` counts what the store has of assay's
agent; a model that answers for another one is named wherever results are read."""
import csv
import io
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

AGENT = """import json, os, sys, urllib.request
model, says_requested = sys.argv[1], len(sys.argv) > 2
def say(**members): print(json.dumps(members), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "init": say(type="ready", protocol="assay-exec/1")
    elif message["type"] == "turn":
        body = {"model": model, "messages": [{"role": "user", "content": "program: " + message["question"]}]}
        ask = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(body).encode())
        reply = json.load(urllib.request.urlopen(ask))
        said = {"requested_model": model} if says_requested else {}
        answer = reply["choices"][0]["message"]["content"]
        say(type="result", id=message["id"], answer=answer, model=reply["model"], **said)
    else: break
"""
MATRIX = """dataset = "./questions.yaml"
snapshot_root = "./snapshots"
output_root = "./runs"
[[runs]]
id = "quiet"
label = "Quiet program"
model_alias = "exec:python3 agent.py asked-1"
source_provider = "local_snapshot"
[[runs]]
id = "frank"
label = "Frank program"
model_alias = "exec:python3 agent.py asked-1 frankly"
source_provider = "local_snapshot"
[[runs]]
id = "own-lean"
label = "Lean agent"
model_alias = "openai:asked-1"
source_provider = "local_snapshot"
lean = true
[[runs]]
id = "own-full"
label = "Whole agent"
model_alias = "openai:asked-1"
source_provider = "local_snapshot"
[runs.parameters]
temperature = 0.5
"""
NAMES = ["Quiet program", "Frank program", "Lean agent", "Whole agent"]
QUESTIONS = """id: orchard
docs: [{id: w, title: Watering, url: "file:./watering.md"}]
tests:
  - {id: valves, doc_id: w, query: "How often are valves inspected?", expected: {type: contains, text: "21 days"}}
  - {id: pears, doc_id: w, query: "When are pears watered?", expected: {type: contains, text: "06:00"}}
"""
PROGRAMS = ["--allow-exec", "python3 agent.py asked-1", "--allow-exec", "python3 agent.py asked-1 frankly"]


def chat(_, body):
    if "messages" not in body:
        return None  # an embedding
    asked = [message["content"] for message in body["messages"] if message["role"] == "user"][0]
    tools = [tool["function"]["name"] for tool in body.get("tools", [])]
    is_first = not any(message["role"] == "tool" for message in body["messages"])
    message = {"role": "assistant", "content": "every 21 days" if "are valves" in asked else "at 06:00"}
    if "program: When" in asked:
        message["content"] = "nobody knows"
    if is_first and "get_relevant_content" in tools:
        call = {"name": "get_relevant_content", "arguments": json.dumps({"query": "inspected"})}
        message = {"role": "assistant", "content": None,
                   "tool_calls": [{"id": "c1", "type": "function", "function": call}]}
    return json.dumps({"model": "served-9", "choices": [{"message": message, "finish_reason": "stop"}],
                       "usage": {"prompt_tokens": 100, "completion_tokens": 7}})


def names_in(text, title):
    """The first cells of the rows below a table's title, until an empty line."""
    lines = text[text.index(title):].split("\n\n")[0].splitlines()[2:]
    return [next((name for name in NAMES if line.strip().startswith(name)), line) for line in lines]


def ids_of_no_label(text):
    """Lines that call a profile by its id; addresses, paths and commands may."""
    return [line for line in text.splitlines()
            if any(name in line for name in ("own-lean", "own-full", "frank ", "quiet "))
            and not any(word in line for word in ("artifacts", "--run", "assay"))]


def profiles_are_compared(folder, assay, run):
    for text in (run.stdout, assay("show", "latest").stdout):
        e2e.check(names_in(text, "Profiles\n") == NAMES, f"one row for each profile: {text}")
        e2e.check("Cases on which profiles differ\n  case " in text, "show has the table of run", run)
        e2e.check(not ids_of_no_label(text), f"one name: {ids_of_no_label(text)}")
        e2e.check("openai:asked-1" not in text and "exec:" not in text, f"no profile is called by its model: {text}")
    compared = assay("compare", "latest#own-lean", "latest#Whole agent", "latest#1")
    e2e.expect(compared, 0)
    e2e.check(not ids_of_no_label(compared.stdout), "compare, too", compared)
    page = e2e.page_text(next(folder.glob("runs/*/report.html")).read_text())
    e2e.check("Lean agent" in page, "the page knows the labels")
    markdown = assay("export", "latest", "--to", "markdown").stdout
    e2e.check("| Lean agent |" in markdown and "| own-lean |" not in markdown, f"markdown: {markdown}")
    value = json.loads(assay("compare", "latest#own-lean", "latest#1", "--json").stdout)
    e2e.check(value["comparisons"][0]["a"] == "own-lean", f"data keep the ids: {value['comparisons'][0]}")


def plan_counts_the_store(assay, run_again):
    planned = assay("plan", "matrix.toml", *PROGRAMS, "--json")
    e2e.expect(planned, 0)
    total = json.loads(planned.stdout)[0]["total"]
    e2e.check(total["calls"] == total["calls_max"] == 0, f"the run would send nothing: {total}", planned)
    e2e.check("up to date" in run_again().stderr, "and sends nothing")
    fresh = json.loads(assay("plan", "matrix.toml", *PROGRAMS, "--fresh", "--json").stdout)[0]["total"]
    e2e.check(fresh["calls"] >= 8, f"--fresh asks all again: {fresh}")


def plan_counts_vectors(assay):
    embedded = [*PROGRAMS, "--embedder", "openai:vectors", "--run", "own-full"]
    e2e.expect(assay("run", "matrix.toml", *embedded), 0)
    plan = json.loads(assay("plan", "matrix.toml", *embedded, "--json").stdout)[0]
    rows = [(line["role"], line["model"]) for line in plan["calls"]]
    e2e.check(plan["total"]["calls_max"] == 0, f"vectors of documents are in the store, too: {plan}")
    e2e.check(len(set(rows)) == len(rows) and ("embedding", "openai:vectors") in rows, f"a row for each: {rows}")


def other_models_are_named(folder, assay):
    frank = "asked-1 (requested by a program) was answered by served-9, 2 of 2"
    quiet = "python3 agent.py asked-1: served-9 answered, as the program says, 2 of 2"
    own = "asked-1 was answered by served-9, 4 of 4"
    for words in (["show", "latest"], ["show", "latest", "--failed"], ["export", "latest", "--to", "markdown"]):
        said = assay(*words).stdout.replace("\\", "")
        missing = [line for line in (frank, quiet, own) if line not in said]
        e2e.check(not missing, f"{words} lacks {missing}: {said}")
    same = assay("compare", "latest#own-lean", "latest#own-full").stdout
    e2e.check(own + "." in same, f"both got the same wrong model: {same}")
    rows = [json.loads(line) for line in assay("export", "latest", "--to", "jsonl").stdout.splitlines()]
    by = {row["variant"]: row["answered_by"] for row in rows}
    e2e.check(by == {"quiet": None, "frank": "served-9", "own-lean": "served-9", "own-full": "served-9"}, f"{by}")
    table = list(csv.DictReader(io.StringIO(assay("export", "latest", "--to", "csv").stdout)))
    e2e.check({row["variant"]: row["answered_by"] or None for row in table} == by, f"csv: {table[0]}")
    junit = assay("export", "latest", "--to", "junit").stdout
    e2e.check(junit.count('<property name="answered_by" value="served-9"/>') == 6, f"junit: {junit}")
    report = next(folder.glob("runs/*/report.md")).read_text()
    e2e.check("`own-lean`: `served-9` answered 2 cases for the requested model" in report, f"report.md: {report}")
    session = next(folder.glob("runs/*"))
    e2e.expect(assay("report", session), 0)
    again = session.joinpath("report.md").read_text()  # its profiles are in the order of their folders
    e2e.check(sorted(again.splitlines()) == sorted(report.splitlines()), f"made again it says the same: {again}")


def what_is_missing_is_explained(folder, assay):
    """Offline, the agent lacks its model's reply; the documents answer as ever."""
    questions = folder / "questions.yaml"
    before = questions.read_text()
    questions.write_text(before.replace("When are pears watered?", "At which hour are pears watered?"))
    assay("run", "matrix.toml", *PROGRAMS, "--run", "own-full", "--offline", "--filter", "pears")
    text = assay("cache", "explain", "latest").stdout
    missing = text[text.index("not answered before, and not asked"):]
    e2e.check('"model_call": "openai"' in missing and '"documents"' not in missing, f"the model's request: {missing}")
    questions.write_text(before)


def strict_models(assay):
    """A program that says what it requested is held to it; another one is held to one model."""
    for run, code, said in (("frank", 2, "(--strict-models)"), ("own-lean", 2, "(--strict-models)"),
                            ("quiet", 0, "does not say which model it requests (requested_model)")):
        strict = assay("run", "matrix.toml", *PROGRAMS, "--run", run, "--strict-models")
        e2e.expect(strict, code, said)


def sides_show_what_was_sent(assay):
    one = assay("show", "latest#own-full", "--case", "valves").stdout
    both = assay("compare", "latest#own-lean", "latest#own-full", "--case", "valves").stdout
    sent = one[one.index("asked as: "):one.index("score ")]
    e2e.check("corpus://cache/1" in sent and sent in both, f"compare prints the words of show: {both}")
    e2e.check("/snapshots/" not in both, f"no path was sent: {both}")
    value = json.loads(assay("compare", "latest#1", "latest#own-full", "--case", "valves", "--json").stdout)
    e2e.check("sent" in value["sides"][1]["attempts"][0], f"--json, too: {list(value['sides'][1]['attempts'][0])}")


with e2e.scratch() as scratch, MockServer(reply=chat) as server:
    root = Path(scratch)
    for name, text in (("agent.py", AGENT), ("matrix.toml", MATRIX), ("questions.yaml", QUESTIONS),
                       ("watering.md", "# Watering\n\nValves are inspected every 21 days.\n")):
        root.joinpath(name).write_text(text)
    keys = {"OPENAI_API_KEY": "sk-test-1", "OPENAI_BASE_URL": server.url + "/v1"}
    tool = lambda *words: e2e.assay(*words, cwd=root, env=keys)  # noqa: E731
    e2e.expect(tool("prepare", "--dataset", "questions.yaml", "--snapshot-root", "snapshots"), 0)
    first = tool("run", "matrix.toml", *PROGRAMS)
    e2e.expect(first, 0)
    profiles_are_compared(root, tool, first)
    plan_counts_the_store(tool, lambda: tool("run", "matrix.toml", *PROGRAMS))
    other_models_are_named(root, tool)
    sides_show_what_was_sent(tool)
    what_is_missing_is_explained(root, tool)
    strict_models(tool)
    plan_counts_vectors(tool)
