#!/usr/bin/env python3
"""Replies that the response models of the providers' official clients have built come back whole and as streams: the
answer, the thoughts, why it ended, and what it used."""
import json
import sqlite3
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import interop  # noqa: E402

interop.enter("sdks")
import sdk_replies  # noqa: E402
from mock_server import MockServer  # noqa: E402

VARIABLES = {"openai-responses": "OPENAI_API_KEY"}
SUITE = """title: Replies
id: replies
models: ["%s:some-model"]
prompts:
  - id: one
    prompt: Who?
    should: [{$contains: Hi you}]
"""


def stored(folder):
    with sqlite3.connect(Path(folder, ".assay", "store.db")) as store:
        store.row_factory = sqlite3.Row
        return dict(store.execute("SELECT * FROM exchange ORDER BY id DESC LIMIT 1").fetchone())


with e2e.scratch() as folder:
    for provider, (make, counts_thoughts) in sdk_replies.REPLIES.items():
        Path(folder, "suite.yml").write_text(SUITE % provider)
        variable = VARIABLES.get(provider, provider.upper().replace("-", "_") + "_API_KEY")
        reply, events = make()
        for words in ([], ["--stream"]):
            with MockServer(reply=lambda path, body: events if words else reply) as mock:
                result = e2e.assay("run", "suite.yml", "--fresh", "--json", f"--base-url={provider}={mock.url}", *words,
                                   cwd=folder, env={variable: "sk-interop"})
            e2e.expect(result, 0)
            e2e.check(e2e.one_run(result)["mean"] == 1, f"{provider} {words}: the answer is another", result)
            exchange = stored(folder)
            said = json.loads(exchange["reply"])
            got = {"text": said["text"], "reasoning": said.get("reasoning"), "finish": exchange["finish_reason"],
                   "in": exchange["input_tokens"], "out": exchange["output_tokens"],
                   "thought": exchange["reasoning_tokens"]}
            want = {"text": sdk_replies.TEXT, "reasoning": sdk_replies.THOUGHT, "finish": "stop", "in": sdk_replies.IN,
                    "out": sdk_replies.OUT, "thought": sdk_replies.THINKING if counts_thoughts else 0}
            e2e.check(got == want, f"{provider} {words}: {got}, expected {want}\n{exchange['raw']}")
