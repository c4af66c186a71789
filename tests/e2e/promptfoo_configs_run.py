#!/usr/bin/env python3
"""promptfoo's configs run unchanged: prompts and providers are factors, tests of CSV, JavaScript, rubrics and services
of http are asked and graded as promptfoo does, and code of the user's own is named."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

CONFIG = """
description: capitals
prompts: ["Capital of {{country}}?", {raw: '[{"role": "system", "content": "Be brief."},
  {"role": "user", "content": "{{country}}?"}]', label: brief}]
providers:
  - {id: openai:gpt-6-luna, label: luna, config: {max_tokens: 9, apiBaseUrl: "BASE/v1"}}
  - anthropic:messages:claude-haiku-4-5
defaultTest:
  options: {provider: {id: openai:chat:grader, config: {apiBaseUrl: "BASE/v1"}}}
  assert: [{type: javascript, value: "file://short.cjs:isShort", metric: short}]
tests: tests.csv
"""
CSV = """country,__expected1,__expected2,__description,__threshold
France,contains:Paris,llm-rubric:names {{country}},one,
Norway,"icontains:OSLO",not-contains:Bergen,two,0.6
"""
SHORT = """const most = require("./most");
exports.isShort = (output) => ({pass: output.length <= most, score: 0.8, reason: `${output.length} letters`});
"""


def answer(text):
    if "Rubric" in text or "rubric" in text:
        return json.dumps({"pass": "Paris" in text, "score": 0.9, "reason": "as asked"})
    return "Paris" if "France" in text else "Oslo"


def results(folder):
    value = json.loads(next(folder.glob("results/*/promptfoo.json")).read_text())["results"]
    return value, sorted(value["results"], key=lambda each: (each["testIdx"], each["promptIdx"]))


with e2e.scratch() as scratch, MockServer(answer=answer) as server:
    folder = Path(scratch)
    base = f"http://127.0.0.1:{server.port}"
    for name, text in {"promptfooconfig.yaml": CONFIG.replace("BASE", base), "tests.csv": CSV, "short.cjs": SHORT,
                       "most.js": "module.exports = 10;"}.items():
        (folder / name).write_text(text)
    checked = e2e.assay("check", "promptfooconfig.yaml", cwd=folder)
    e2e.expect(checked, 0)
    e2e.check("promptfoo, 2 cases, 4 variants" in checked.stdout, "the config is read", checked)
    planned = e2e.assay("plan", "promptfooconfig.yaml", cwd=folder)
    e2e.check(planned.returncode == 0 and "openai:grader" in planned.stdout, "the grader is planned", planned)
    keys = {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}
    words = ["promptfooconfig.yaml", "--base-url", f"openai={base}/v1", "--base-url", f"anthropic={base}"]
    ran = e2e.assay("run", *words, cwd=folder, env=keys)
    e2e.expect(ran, 0)
    e2e.check("2 cases × 4 variants" in ran.stdout, "four columns", ran)
    e2e.check("prompt “brief”" in e2e.assay("show", "latest", cwd=folder).stdout, "prompts have their names")
    asked = [call["body"] for call in server.requests if "anthropic" not in str(call["headers"])]
    first = next(body for body in asked if body["model"] == "gpt-6-luna")
    limit = first.get("max_tokens", first.get("max_completion_tokens"))
    e2e.check(limit == 9, f"the config's limit goes along: {first}")
    table, cells = results(folder)
    e2e.check(len(cells) == 8 and all(cell["success"] for cell in cells), "every test passes", ran)
    providers = [prompt["provider"] for prompt in table["prompts"]]
    e2e.check(providers == ["luna"] * 2 + ["anthropic:messages:claude-haiku-4-5"] * 2,
              "columns go by provider, then by prompt")
    one = cells[0]["gradingResult"]
    e2e.check([part["assertion"]["type"] for part in one["componentResults"]] ==
              ["javascript", "contains", "llm-rubric"], f"default assertions come first: {one}")
    e2e.check(abs(cells[0]["score"] - (0.8 + 1 + 0.9) / 3) < 1e-9, f"the mean of the scores: {cells[0]['score']}")
    e2e.check(cells[4]["gradingResult"]["reason"] == "Aggregate score 0.93 ≥ 0.6 threshold", str(cells[4]))
    e2e.check(abs(one["namedScores"]["short"] - 0.8) < 1e-9, f"metrics have their scores: {one}")
    count = len(server.requests)
    e2e.expect(e2e.assay("run", *words, cwd=folder, env=keys), 0, "up to date")
    e2e.check(len(server.requests) == count, "a second run asks nothing")

    # A service of http is asked by its templates; a failed test ends `assay eval` with 100.
    (folder / "http.yaml").write_text(f"""
prompts: ["{{{{q}}}}"]
providers:
  - id: {base}/v1/chat/completions
    config:
      method: POST
      headers: {{content-type: application/json}}
      body: {{model: m, messages: [{{role: user, content: "{{{{prompt}}}}"}}]}}
      transformResponse: json.choices[0].message.content
tests:
  - {{vars: {{q: say pong}}, assert: [{{type: equals, value: pong}}]}}
  - {{vars: {{q: say ping}}, assert: [{{type: equals, value: pong}}]}}
""")
    server.answer = lambda text: text.removeprefix("say ")
    evaluated = e2e.assay("eval", "-c", "http.yaml", "--allow-host", "127.0.0.1", "-o", "out.json", cwd=folder)
    e2e.expect(evaluated, 100)
    stats = json.loads((folder / "out.json").read_text())["results"]["stats"]
    e2e.check((stats["successes"], stats["failures"], stats["errors"]) == (1, 1, 0), str(stats))

    # Code of the user's own is named with its place, and left out where the user says so.
    (folder / "code.yaml").write_text("""
prompts: [a]
providers: [echo, "exec: ./ask"]
tests: [{assert: [{type: python, value: "True"}, {type: equals, value: a}]}]
""")
    e2e.expect(e2e.assay("check", "code.yaml", cwd=folder), 1, "code.yaml:3:19", "a provider is code of your own",
               "code.yaml:4:19", "--skip-code")
    skipped = e2e.assay("run", "code.yaml", "--skip-code", cwd=folder)
    e2e.check(skipped.returncode == 0 and "1 case × 1 variant" in skipped.stdout, "the rest runs", skipped)
    start = "prompts: [a]\nproviders: [echo]\ntests: "
    (folder / "typo.yaml").write_text(start + "[{assert: [{type: contain, value: a}]}]\n")
    e2e.expect(e2e.assay("check", "typo.yaml", cwd=folder), 1, "typo.yaml:3:", "did you mean contains?")
    (folder / "nobody.yaml").write_text(start + "[{assert: [{type: llm-rubric, value: a}]}]\n")
    e2e.expect(e2e.assay("check", "nobody.yaml", cwd=folder), 1, "nobody.yaml:3:", "--grader")
