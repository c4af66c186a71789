#!/usr/bin/env python3
"""A program under test gets the tags of its case, and may name the model that answered: it is kept like the name in a
service's reply, and is never another model than was asked."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

AGENT = """import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "init":
        print(json.dumps({"type": "ready", "protocol": "assay-exec/1"}), flush=True)
    elif message["type"] == "turn":
        with open("turns.jsonl", "a") as turns: turns.write(line)
        said = {"answer": "At 18:30.", "model": "gpt-6-luna"}
        print(json.dumps({"type": "result", "id": message["id"], **said}), flush=True)
    else: break
"""
MATRIX = """dataset = "./questions.yaml"
output_root = "./runs"
[[runs]]
id = "p"
model_alias = "exec:python3 agent.py"
source_provider = "live_web"
disabled_tools = ["my_own_tool"]
"""
QUESTIONS = """id: one
docs: [{id: one, title: One, url: "https://example.org/one"}]
tests:
  - {id: a, doc_id: one, query: "When?", tags: [opening, " hours "], expected: {type: contains, text: "18:30"}}
  - {id: b, doc_id: one, query: "When then?", tags: 5, expected: {type: contains, text: "18:30"}}
"""

with e2e.scratch() as scratch:
    folder = Path(scratch)
    for name, text in (("agent.py", AGENT), ("matrix.toml", MATRIX), ("questions.yaml", QUESTIONS)):
        folder.joinpath(name).write_text(text)
    checked = e2e.assay("check", "questions.yaml", "matrix.toml", cwd=folder)
    e2e.expect(checked, 0, "`tags` is no list of texts")
    others = [words for words in ("unknown key", "there is no tool") if words in checked.stderr]
    e2e.check(not others, f"no other warning: {others}", checked)
    result = e2e.assay("run", "matrix.toml", "--allow-exec", "python3 agent.py", cwd=folder)
    e2e.expect(result, 0)
    e2e.check("was answered by" not in result.stdout, "a program was asked, no model", result)
    turns = {turn["case"]: turn for turn in map(json.loads, folder.joinpath("turns.jsonl").read_text().splitlines())}
    e2e.check(turns["a"]["tags"] == ["opening", "hours"] and turns["b"]["tags"] == [], f"{turns}")
    shown = e2e.assay("show", "latest", "--case", "a", cwd=folder)
    e2e.check("answered by gpt-6-luna\n" in shown.stdout, "show names it", shown)
    row = json.loads(e2e.assay("export", "latest", "--to", "jsonl", cwd=folder).stdout.splitlines()[0])
    e2e.check(row["served"][0]["model"] == "gpt-6-luna" and not row["served"][0]["is_other"], f"{row['served']}")
    e2e.expect(e2e.assay("run", "matrix.toml", "--allow-exec", "python3 agent.py", "--fresh", "--strict-models",
                         cwd=folder), 0)
