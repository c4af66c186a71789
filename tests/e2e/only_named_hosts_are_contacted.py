#!/usr/bin/env python3
"""In a network that sees every packet: a judged run reaches for the addresses that it was given and for nothing else,
no name is asked for, and what needs no model reaches for nothing at all."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import lonely_network  # noqa: E402
from mock_server import MockServer  # noqa: E402

lonely_network.enter()

KEYS = {"OPENAI_API_KEY": "sk-test-egress-4711", "OPENROUTER_API_KEY": "sk-test-egress-4712"}
VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"
# Addresses that are reserved for examples; in here they lead to this machine like all others.
MODELS, JUDGES = "192.0.2.10", "192.0.2.20"
JUDGED = """title: Judged
id: judged
models: [openai:gpt-4o-mini]
prompts:
  - id: a
    prompt: say word
    ideal: word
    should:
      - $contains: word
      - it is polite
"""


def answer(text):
    return VERDICT if "CLASS_EXACT" in text else text.removeprefix("say ")


with e2e.scratch() as folder, MockServer(answer=answer, host="0.0.0.0") as mock:
    seen = lonely_network.Recorder()
    suite = Path(folder, "suite.yml")

    def reached(code, *words, env=None):
        result = e2e.assay(*words, cwd=folder, env=env)
        e2e.expect(result, code)
        return seen.taken()

    # The recorder sees what it shall see: an address that nobody answers at, a name that is asked for.
    suite.write_text(e2e.suite(1, model="openai:gpt-4o-mini"))
    stray = reached(2, "run", "suite.yml", "--max-retries=0", "--base-url=openai=http://192.0.2.30:9/v1", env=KEYS)
    e2e.check(stray == {("tcp", "192.0.2.30", 9)}, f"one address was expected: {stray}")
    stray = reached(2, "run", "suite.yml", "--max-retries=0", "--base-url=openai=http://models.example.com/v1",
                    env=KEYS)
    if not any(port == 53 for _, _, port in stray):
        e2e.skip(f"names are asked for where no packet shows it: {stray}")

    suite.write_text(JUDGED)
    urls = [f"--base-url={provider}=http://{host}:{mock.port}/v1"
            for provider, host in (("openai", MODELS), ("openrouter", JUDGES))]
    judged = ["run", "suite.yml", "--eval-method=all", "--require-executive-summary", *urls]
    targets = reached(0, *judged, env=KEYS)
    e2e.check(targets == {("tcp", MODELS, mock.port), ("tcp", JUDGES, mock.port)}, f"reached for {targets}")
    e2e.check(len(mock.requests) >= 5, f"an answer, verdicts, embeddings and a summary: {len(mock.requests)} requests")

    # A suite's own word opens no way into this machine's network.
    for url in (f"http://127.0.0.1:{mock.port}", "http://169.254.169.254/latest", "http://10.0.0.1",
                "http://[fd00::1]"):
        suite.write_text(e2e.suite(1, model=f'{{id: "custom:a", url: "{url}", modelName: a, inherit: openai}}'))
        targets = reached(2, "run", "suite.yml", env=KEYS)
        e2e.check(not targets, f"a suite that names {url} reached for {targets}")
    suite.write_text(JUDGED)

    asked = len(mock.requests)
    suite_of_echo = Path(folder, "echo.yml")
    suite_of_echo.write_text(e2e.suite(3))
    for words in (["run", "suite.yml", "--record=recording.jsonl", *judged[2:]],    # all is answered already
                  ["run", "suite.yml", "--replay=recording.jsonl", "--store=other.db"],
                  ["run", "suite.yml", "--offline", *judged[2:]],
                  ["run", "echo.yml"], ["check", "suite.yml"], ["plan", "suite.yml"], ["show", "latest"], ["runs"],
                  ["list", "providers"], ["doctor"], ["--version"]):
        targets = reached(0, *words, env=KEYS)
        e2e.check(not targets, f"assay {' '.join(words)} reached for {targets}")
    e2e.check(len(mock.requests) == asked, "something was asked again")
