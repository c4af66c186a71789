#!/usr/bin/env python3
"""A profile with save_history leaves what the agent was asked and answered in its runtime folder: of turns that came to
an answer, and no other profile's. No case sees what another was asked."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-1122"}
RUN = """[[runs]]
id = "{id}"
model_alias = "openai:{id}"
source_provider = "live_web"
lean = true
query_suffix = "In one word."
save_history = {saves}
"""
QUESTIONS = """id: words
docs: [{id: d, title: D, url: "https://site.example/d"}]
tests:
  - {id: first, doc_id: d, query: "Say apple?", expected: {type: contains, text: ok}}
  - {id: second, doc_id: d, query: "Say pear?", expected: {type: contains, text: ok}}
  - {id: third, doc_id: d, query: "Break?", expected: {type: contains, text: ok}}
"""


def fault(text, attempt):
    return status(400) if "Break?" in text else None


def main():
    with e2e.scratch() as scratch, MockServer(fault=fault, answer=lambda text: "ok") as server:
        folder = Path(scratch)
        folder.joinpath("questions.yaml").write_text(QUESTIONS)
        folder.joinpath("matrix.toml").write_text(
            'dataset = "./questions.yaml"\noutput_root = "./runs"\n'
            + RUN.format(id="kept", saves="true") + RUN.format(id="other", saves="false"))
        result = e2e.assay("run", "matrix.toml", f"--base-url=openai={server.url}/v1", cwd=folder, env=KEY)
        e2e.expect(result, 2)
        session, = folder.joinpath("runs").iterdir()
        found = sorted(str(path.relative_to(session)) for path in session.rglob("history.jsonl"))
        e2e.check(found == ["kept/runtime/history.jsonl"], f"{found}", result)
        lines = [json.loads(line) for line in (session / found[0]).read_text().splitlines()]
        e2e.check([line["test_id"] for line in lines] == ["first", "second"], f"{lines}", result)
        for line, word in zip(lines, ("apple", "pear")):
            e2e.check(f"Question:\nSay {word}?\n\nIn one word." in line["query"] and line["answer"] == "ok", f"{line}")
            e2e.check(list(line) == ["timestamp", "test_id", "query", "answer"], f"{line}")
        asked = [request["text"] for request in server.requests]
        e2e.check(not any("apple" in text and "pear" in text for text in asked), "a case sees another's")


main()
