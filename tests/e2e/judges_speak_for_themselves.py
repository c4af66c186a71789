#!/usr/bin/env python3
"""Of several judges people read what each says, and not that there was a consensus: in the terminal and in JUnit."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

SUITE = "id: s\nmodels: ['openai:m']\nprompts: [{id: p, prompt: Greet., should: [Greets by name]}]\n"
WORDS = {"j1": ("It greets warmly.", "CLASS_UNMET"), "j2": ("No name is said.", "CLASS_UNMET")}


def reply(path, body):
    said, verdict = WORDS.get(body["model"], ("", ""))
    text = f"<reflection>{said}</reflection><classification>{verdict}</classification>" if said else "Hello!"
    return json.dumps({"model": body["model"], "choices": [
        {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}], "usage": {}})


with e2e.scratch() as scratch, MockServer(reply=reply) as server:
    folder = Path(scratch)
    folder.joinpath("s.yml").write_text(SUITE)
    e2e.expect(e2e.assay("run", "s.yml", "--judge", "openai:j1", "--judge", "openai:j2", "--base-url",
                         f"openai={server.url}/v1", cwd=folder, env={"OPENAI_API_KEY": "sk-test-0821"}), 0)
    for words in (["show", "latest", "--case", "p"], ["export", "latest", "--to", "junit"]):
        shown = e2e.assay(*words, cwd=folder)
        said = [word for word in ("It greets warmly.", "No name is said.") if word in shown.stdout]
        e2e.check(len(said) == 2, f"the words of both judges: {said}", shown)
        e2e.check("Consensus" not in shown.stdout, "the judges' own words", shown)
