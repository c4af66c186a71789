#!/usr/bin/env python3
"""--batch: what may wait goes to the batch interfaces, judges too; a killed run finds its batches again; late parts are
asked one by one after the batch is cancelled; a service without the interface is asked as ever."""
import json
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_batches import MockBatches  # noqa: E402
from mock_server import MockServer, status  # noqa: E402

KEYS = {"OPENAI_API_KEY": "sk-test-batch-4711", "ANTHROPIC_API_KEY": "sk-test-batch-4712",
        "MISTRAL_API_KEY": "sk-test-batch-4713", "GOOGLE_API_KEY": "sk-test-batch-4714",
        "GROQ_API_KEY": "sk-test-batch-4715"}
VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"
MODELS = ("openai:gpt-4o-mini, openai:gpt-5-pro, anthropic:claude-haiku-4-5, mistral:mistral-large-2512, "
          "google:gemini-2.5-flash, groq:llama-3.3-70b-versatile")


def suite(models, judge):
    lines = ["title: Batches", "id: batches", f"models: [{models}]", "evaluationConfig:", "  llm-coverage:",
             f'    judges: [{{id: one, model: "{judge}", approach: holistic}}]', "prompts:"]
    for i in range(4):
        lines += [f"  - id: case-{i}", f"    prompt: say word {i}", "    should:", f"      - $contains: word {i}",
                  "      - it is polite"]
    return "\n".join(lines) + "\n"


def answer(text):
    return VERDICT if "CLASS_EXACT" in text else text.removeprefix("say ")


def words(mock, *more):
    urls = [f"--base-url={name}={mock.url}{path}" for name, path in
            (("openai", "/v1"), ("anthropic", ""), ("mistral", "/v1"), ("google", "/v1beta"), ("groq", "/v1"))]
    return ["run", "suite.yml", "--batch", "--json", *urls, *more]


def run(folder, mock, *more, code=0):
    result = e2e.assay(*words(mock, *more), cwd=folder, env=KEYS)
    e2e.expect(result, code)
    return result


def open_batches(folder):
    return e2e.counted_in_store(folder, "batch")


def created(mock):
    return [path for method, path in mock.batch_calls
            if method == "POST" and path.endswith(("/batches", "/batch/jobs", ":batchGenerateContent"))]


with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(suite(MODELS, "anthropic:claude-sonnet-4-5"))
    with MockServer(answer=answer, batches=MockBatches(polls=2)) as mock:
        result = run(folder, mock)
        run_value = e2e.one_run(result)
        e2e.check(all(v["mean"] == 1 for v in run_value["variants"]), "expected full scores", result)
        e2e.check(sorted(created(mock)) == ["/v1/batch/jobs"] + ["/v1/batches"] * 2 + ["/v1/messages/batches"] * 2 +
                  ["/v1beta/models/gemini-2.5-flash:batchGenerateContent"],
                  f"two models of openai, answers and verdicts of anthropic: {mock.batch_calls}", result)
        e2e.check({request["path"] for request in mock.requests} == {"/v1/chat/completions"} and
                  len(mock.requests) == 4, f"groq has none: {mock.requests}", result)
        e2e.check(open_batches(folder) == 0, "what was answered is closed", result)
        e2e.check(run_value["candidate_usage"]["input_tokens"] == 24 * 7, f"{run_value['candidate_usage']}")
        calls = len(mock.batch_calls) + len(mock.requests)
        run(folder, mock)
        run(folder, mock, "--max-retries", "0")
        e2e.check(len(mock.batch_calls) + len(mock.requests) == calls, "answers of a batch are answers like any other")

    # What it would cost: half, where everything comes by a batch.
    asked = ["plan", "suite.yml", "--fresh", "-m", "openai:gpt-4o-mini", "--eval-method", "none", "--json"]
    whole, half = (json.loads(e2e.assay(*asked, *more, cwd=folder, env=KEYS).stdout)[0] for more in ([], ["--batch"]))
    e2e.check(abs(half["total"]["cost_usd"] / whole["total"]["cost_usd"] - 0.5) < 1e-6, f"{half['total']}")
    e2e.check(half["total"]["cost_usd_max"] == whole["total"]["cost_usd_max"] and half["batches"], f"{half}")

    # Killed while it waits: the same command finds the batch and sends nothing twice.
    Path(folder, "suite.yml").write_text(suite("openai:gpt-4o-mini, anthropic:claude-haiku-4-5",
                                               "anthropic:claude-sonnet-4-5"))
    batches = MockBatches(polls=None)
    with MockServer(answer=answer, batches=batches) as mock:
        program = e2e.start(*words(mock, "--fresh"), cwd=folder, env=KEYS)
        while sum(1 for method, path in mock.batch_calls if method == "GET") < 4:
            time.sleep(0.02)
        program.send_signal(signal.SIGKILL)
        program.communicate()
        e2e.check(open_batches(folder) == 2, "open batches are in the store")
        batches.polls = 0
        result = run(folder, mock)
        e2e.check(e2e.one_run(result)["mean"] == 1, "expected full scores", result)
        # Half of 7 tokens in and 2 out: 4 answers at $0.15, $0.60 a million, 4 at $1, $5; equal ones are judged once,
        # at $3, $15.
        half = (4 * (7 * 0.15 + 2 * 0.6) + 4 * (7 + 2 * 5) + 4 * (7 * 3 + 2 * 15)) / 2e6
        shown = json.loads(e2e.assay("show", "latest", "--json", cwd=folder).stdout)
        for cost in (e2e.one_run(result)["cost_usd"], shown["cost_usd"]):
            e2e.check(abs(cost - half) < 1e-9, f"both sittings together cost {cost}, expected {half}", result)
        e2e.check(len(created(mock)) == 3 and not mock.requests, f"sent again: {mock.batch_calls}", result)
        e2e.check(open_batches(folder) == 0, "what was answered is closed", result)

    # Late: cancelled, its results read, the rest asked one by one.
    with MockServer(answer=answer, batches=MockBatches(polls=None, done=lambda text: text.endswith("1"))) as mock:
        result = run(folder, mock, "--fresh", "--batch-wait", "0.3")
        e2e.check(e2e.one_run(result)["mean"] == 1, "expected full scores", result)
        texts = [request["text"] for request in mock.requests]
        e2e.check(sum(text.startswith("say ") for text in texts) == 6 and "say word 1" not in texts, f"{texts}", result)
        e2e.check("asked one by one" in result.stderr and "canceled" in result.stderr, "nobody was told", result)
        e2e.check(open_batches(folder) == 0, "what was cancelled is closed", result)

    # What is refused in a batch is refused: one call's error is not the batch's; parameters are learned.
    complaint = json.dumps({"error": {"message": "Unsupported parameter: 'temperature' is not supported",
                                      "param": "temperature", "code": "unsupported_parameter"}})
    with MockServer(answer=answer, batches=MockBatches(polls=0),
                    refuse=lambda body: status(400, body=complaint) if "temperature" in body else None) as mock:
        Path(folder, "suite.yml").write_text(suite("openai:gpt-4o-mini", "openai:gpt-4o"))
        result = run(folder, mock, "--fresh")
        e2e.check(e2e.one_run(result)["mean"] == 1 and not mock.requests, "asked again, in a batch", result)
        e2e.check("is asked without temperature" in result.stderr, "nobody was told", result)

    # A service that has no such interface.
    missing = MockBatches()
    missing.handle = lambda *_: (404, {"error": {"message": "no such route"}})
    with MockServer(answer=answer, batches=missing) as mock:
        result = run(folder, mock, "--fresh")
        e2e.check(e2e.one_run(result)["mean"] == 1 and len(mock.requests) == 8, "asked one by one", result)
        e2e.check("no such route" in result.stderr, "nobody was told why", result)

    e2e.expect(e2e.assay("run", "suite.yml", "--batch", "--stream", cwd=folder, env=KEYS), 1)

    # Embeddings of OpenAI's models go there as well.
    with MockServer(answer=answer, batches=MockBatches(polls=0)) as mock:
        Path(folder, "suite.yml").write_text(
            suite("openai:gpt-4o-mini", "openai:gpt-4o").replace("    should:", "    ideal: polite words\n    should:"))
        result = run(folder, mock, "--fresh", "--eval-method", "embedding")
        e2e.check(not mock.requests and len(created(mock)) == 2, f"answers, embeddings: {mock.batch_calls}", result)
