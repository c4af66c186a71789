#!/usr/bin/env python3
"""A plain model runs lean profiles of standard mode: one prompt, its parameters sent last and as they stand.
Expectations may have parts, numbers and judges; a changed expectation asks no model again."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

DATASET = """id: notes
docs: [{id: a, title: A, url: "https://example.invalid/a.txt"}]
tests:
  - {id: judged, doc_id: a, query: "why?", expected: {type: judge, criterion: Gives a reason, threshold: 0.5}}
  - {id: strict, doc_id: a, query: "why?", expected: {type: judge, criterion: Gives a reason, threshold: 0.9}}
  - {id: number, doc_id: a, query: "how many?", expected: {type: numeric, value: 1200, tolerance: 0.5}}
  - {id: parts, doc_id: a, query: "both?", expected: {type: all_of, of: [{type: contains, text: "1,200"},
      {type: not, of: {type: regex, pattern: "(?i)unknown"}}]}}
  - {id: none, doc_id: a, query: "none?", expected: {type: any_of,
      of: [{type: contains, text: x1}, {type: contains, text: x2}]}}
"""
MATRIX = """dataset = "./notes.yaml"
output_root = "./runs"
[[runs]]
id = "lean"
model_alias = "openai:plain"
research_mode = false
lean = true
[runs.parameters]
temperature = 0.50
zebra = [1, 2.0]
alpha = "last"
[[runs]]
id = "agent"
model_alias = "openai:plain"
"""
VERDICT = "<reflection>It half does.</reflection><classification>CLASS_SUBSTANTIAL</classification>"


def answer(text):
    return VERDICT if "Gives a reason" in text else "There are 1,200 valves, because of frost."


def rows(folder):
    session = sorted(Path(folder, "runs").iterdir())[-1]
    return session, [json.loads(line) for line in
                     session.joinpath("lean", "artifacts", "results.jsonl").read_text().splitlines()]


with e2e.scratch() as folder, MockServer(answer=answer) as mock:
    Path(folder, "notes.yaml").write_text(DATASET)
    Path(folder, "matrix.toml").write_text(MATRIX.split("[[runs]]\nid = \"agent\"")[0])
    words = ["run", "matrix.toml", f"--base-url=openai={mock.url}/v1"]
    env = {"OPENAI_API_KEY": "sk-test-1122"}
    nobody = e2e.assay(*words, cwd=folder, env=env)
    e2e.expect(nobody, 1, "none is named", "--judge MODEL")
    result = e2e.assay(*words, "--judge", "openai:judge", cwd=folder, env=env)
    e2e.expect(result, 0)
    session, got = rows(folder)
    verdicts = {row["test_id"]: row["pass"] for row in got}
    e2e.check(verdicts == {"judged": True, "strict": False, "number": True, "parts": True, "none": False},
              f"verdicts: {verdicts}", result)
    by_id = {row["test_id"]: row for row in got}
    e2e.check(by_id["judged"]["token_usage"]["judge"]["total_tokens"] > 0, "a judge's tokens are a role of their own")
    e2e.check("judge" not in by_id["number"]["token_usage"], "nobody judged a number")
    e2e.check(by_id["none"]["assertion_detail"].startswith("0 of 2 parts hold"), by_id["none"]["assertion_detail"])
    asked = [request["body"] for request in mock.requests if request["body"]["model"] == "plain"]
    e2e.check(len(asked) == 4, f"equal questions are asked once: {len(asked)}")
    e2e.check(list(asked[0])[-3:] == ["temperature", "zebra", "alpha"] and asked[0]["zebra"] == [1, 2.0],
              f"parameters stand last, as they are: {asked[0]}")
    e2e.check([message["role"] for message in asked[0]["messages"]] == ["system", "user"] and "tools" not in asked[0],
              "a lean turn: a system text, a prompt, no tools")

    before = len(mock.requests)
    Path(folder, "notes.yaml").write_text(DATASET.replace("value: 1200", "value: 1300"))
    again = e2e.assay(*words, "--judge", "openai:judge", cwd=folder, env=env)
    e2e.expect(again, 0)
    _, got = rows(folder)
    e2e.check(len(mock.requests) == before, "a changed expectation asks nobody", again)
    e2e.check(not {row["test_id"]: row["pass"] for row in got}["number"], "and is graded anew", again)

    Path(folder, "matrix.toml").write_text(MATRIX)
    refused = e2e.assay(*words, "--judge", "openai:judge", "--snapshot-root", "none", cwd=folder, env=env)
    e2e.expect(refused, 1, "assay prepare --dataset")

    lean = MATRIX.split("[[runs]]\nid = \"agent\"")[0]
    Path(folder, "matrix.toml").write_text(lean.replace("./runs", "/tmp/assay-elsewhere"))
    outside = e2e.assay(*words, "--judge", "openai:judge", cwd=folder, env=env)
    e2e.expect(outside, 1, "the matrix puts sessions into", "--output-root")
    e2e.check(not Path("/tmp/assay-elsewhere").exists(), "nothing was made there", outside)
