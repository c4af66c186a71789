#!/usr/bin/env python3
"""A suite that writes a command line where an address belongs is refused at that place, and nothing is started: only
the user names programs."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

MODEL = '{id: "custom:x", modelName: m, inherit: openai, url: "URL"}'
PROMPTS = "prompts:\n  - {id: a, prompt: q, should: [a point]}\n"
SUITES = {
    "a model": f"models: [{MODEL}]\n{PROMPTS}",
    "a judge": "models: [echo:a]\nevaluationConfig:\n  llm-coverage:\n    judges:\n"
               f"      - {{model: {MODEL}}}\n{PROMPTS}",
    "a service": "models: [echo:a]\nexternalServices: {s: {url: \"URL\"}}\nprompts:\n"
                 "  - {id: a, prompt: q, should: [{$call: {service: s}}]}\n",
    "a call": 'models: [echo:a]\nprompts:\n  - {id: a, prompt: q, should: [{$call: {url: "URL"}}]}\n',
}
ADDRESSES = ["exec:touch pwned", "exec:sh -c 'touch pwned'", "EXEC:touch pwned", " exec:touch pwned",
             "echo:x", "recorded:x", "replay:x", "file:///etc/passwd", "ftp://127.0.0.1/x"]

with e2e.scratch() as folder:
    suite = Path(folder, "suite.yml")
    for what, text in SUITES.items():
        for address in ADDRESSES:
            suite.write_text("title: T\nid: t\n" + text.replace("URL", address))
            for words in (["run"], ["run", "--compat", "weval"], ["check"], ["plan"]):
                result = e2e.assay(words[0], "suite.yml", *words[1:], cwd=folder)
                e2e.expect(result, 1, "expected an address that begins with http:// or https://", "suite.yml:")
            e2e.check(not Path(folder, "pwned").exists(), f"{what} started a program with {address!r}", result)
    suite.write_text("title: T\nid: t\n" + SUITES["a model"].replace("URL", "exec:touch pwned"))
    result = e2e.assay("run", "suite.yml", "--allow-exec", "touch pwned", cwd=folder)
    e2e.expect(result, 1, "suite.yml:")
    e2e.check(not Path(folder, "pwned").exists(), "an address is no program, allowed or not", result)
    # As a model's name it is the user's to allow, wherever a suite writes it.
    named = {
        "a model": f"models: [\"exec:touch pwned\"]\n{PROMPTS}",
        "a fallback": "models: [{model: openai:gpt-4o, fallback: [\"exec:touch pwned\"]}]\n"
                      "prompts:\n  - {id: a, prompt: q, should: [{$contains: q}]}\n",
        "a judge": "models: [echo:a]\nevaluationConfig: {llm-coverage: {judges: [{model: \"exec:touch pwned\"}]}}\n"
                   + PROMPTS,
        "an extractor": "models: [echo:a]\nevaluationConfig: {llm-coverage: {judgeModels: [\"exec:touch pwned\"], "
                        "judges: [{model: echo:j}]}}\nprompts:\n  - {id: a, prompt: q, ideal: an answer}\n",
        "an embedder": "models: [echo:a]\nembeddingModel: \"exec:touch pwned\"\nprompts:\n"
                       "  - {id: a, prompt: q, ideal: q, should: [{$contains: q}]}\n",
    }
    nowhere = ["--base-url=openai=http://127.0.0.1:1/v1", "--max-retries=0", "--eval-method=all"]
    for what, text in named.items():
        suite.write_text("title: T\nid: t\n" + text)
        result = e2e.assay("run", "suite.yml", *nowhere, cwd=folder, env={"OPENAI_API_KEY": "sk-test-none"})
        e2e.check(result.returncode in (1, 2), f"{what} that is a program: exit {result.returncode}", result)
        e2e.check(not Path(folder, "pwned").exists(), f"{what} started a program", result)
