#!/usr/bin/env python3
"""A service that a promptfoo config describes by templates is asked as described, and its reply read by the config's
JavaScript; `assay eval` ends with promptfoo's exit code."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

CONFIG = """prompts: ['say {{word}}']
providers:
  - id: URL/v1/chat/completions
    label: by members
    config:
      method: POST
      headers: {Content-Type: application/json, X-Word: '{{word}}'}
      body: {model: m, messages: [{role: user, content: '{{prompt}}'}], note: '{{word}}'}
      transformResponse: json.choices[0].message.content
  - id: http
    label: by text
    config:
      url: URL/v1/chat/completions
      headers: {content-type: application/json}
      body: '{"model": "m", "messages": [{"role": "user", "content": {{ prompt | dump }}}]}'
      transformResponse: '({output: json.choices[0].message.content, tokenUsage: {total: 5}})'
tests:
  - vars: {word: 'a "quoted" word'}
    assert: [{type: equals, value: 'a "quoted" word'}]
  - vars: {word: other}
    assert: [{type: equals, value: wanted}]
"""


def messages(text):
    return [{"role": "user", "content": text}]


with e2e.scratch() as scratch, MockServer() as mock:
    folder = Path(scratch)
    (folder / "promptfooconfig.yaml").write_text(CONFIG.replace("URL", mock.url))
    result = e2e.assay("eval", "--allow-host", "127.0.0.1", "-o", "out.json", cwd=folder)
    e2e.expect(result, 100, "missed --pass-rate 1: 2 of 4 cells passed")
    bodies = sorted((request["body"] for request in mock.requests), key=json.dumps)
    said = 'say a "quoted" word'
    wanted = [{"model": "m", "messages": messages(said)}, {"model": "m", "messages": messages("say other")},
              {"model": "m", "messages": messages(said), "note": 'a "quoted" word'},
              {"model": "m", "messages": messages("say other"), "note": "other"}]
    e2e.check(bodies == sorted(wanted, key=json.dumps), f"expected the bodies of the config, found {bodies}", result)
    rows = json.loads((folder / "out.json").read_text())["results"]["results"]
    outputs = {(row["provider"]["label"], row["testIdx"]): row["response"]["output"] for row in rows}
    e2e.check(outputs == {(who, test): word for who in ("by members", "by text")
                          for test, word in enumerate(['a "quoted" word', "other"])}, f"found {outputs}", result)
    tokens = [row["response"]["tokenUsage"] for row in rows if row["provider"]["label"] == "by text"]
    e2e.check(tokens == [{"total": 5}] * 2, f"expected the tokens that the script tells, found {tokens}", result)

    # Asked again, nothing is sent; assay's own command ends with assay's own code.
    sent = len(mock.requests)
    e2e.expect(e2e.assay("run", "promptfooconfig.yaml", "--allow-host", "127.0.0.1", cwd=folder), 3,
               "missed --pass-rate 1")
    e2e.check(len(mock.requests) == sent, "expected no request")
    words = ["run", "promptfooconfig.yaml", "--allow-host", "127.0.0.1", "--compat", "promptfoo"]
    e2e.expect(e2e.assay(*words, cwd=folder), 100)
    # A host of this machine is nobody's to name.
    refused = e2e.assay("run", "promptfooconfig.yaml", "--fresh", cwd=folder)
    e2e.check(len(mock.requests) == sent and refused.returncode != 0, "a suite reaches no local host by itself",
              refused)
