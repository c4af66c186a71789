#!/usr/bin/env python3
"""Replies say who answered: whole or in a stream, of every protocol. Another model than was asked is named at the end
of the run, by show, in --json and JSON Lines; --strict-models makes it an error, and compare names both sides. Where
replies name no model, --strict-models counts them."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from viewing import View  # noqa: E402

SUITE = "id: s\ntitle: S\nmodels: [MODEL]\nprompts: [{id: p, prompt: say word, should: [$icontains: word]}]\n"
PROGRAM = """import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "init":
        print(json.dumps({"type": "ready", "protocol": "assay-exec/1"}), flush=True)
    elif message["type"] == "turn":
        print(json.dumps({"type": "result", "id": message["id"], "answer": "word"}), flush=True)
"""
KEYS = {"OPENAI_API_KEY": "sk-test-1", "ANTHROPIC_API_KEY": "sk-ant-test-1", "GEMINI_API_KEY": "test-1"}


def chat(model):
    return {"model": model, "system_fingerprint": "fp_7", "provider": "Hut", "usage": {},
            "choices": [{"index": 0, "message": {"role": "assistant", "content": "word"}, "finish_reason": "stop"}]}


def chat_stream(model):
    events = [{"model": model, "choices": [{"index": 0, "delta": {"content": "word"}, "finish_reason": None}]},
              {"model": model, "system_fingerprint": "fp_7", "provider": "Hut",
               "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}]
    return [f"data: {json.dumps(event)}\n\n" for event in events] + ["data: [DONE]\n\n"]


def anthropic(model):
    return {"type": "message", "model": model, "content": [{"type": "text", "text": "word"}],
            "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1}}


def google(model):
    return {"modelVersion": model, "candidates": [{"content": {"parts": [{"text": "word"}]}, "finishReason": "STOP"}]}


def responses(model):
    return {"object": "response", "status": "completed", "model": model, "output": [
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "word"}]}]}


# what is asked, as the reply names it, the reply, whether that is another model
ROWS = [("openai:gpt-4o", "gpt-4o-2024-11-20", chat, False), ("openai:gpt-4o", "gpt-4.1", chat, True),
        ("openai-compatible:small-2", "tiny-3-lite", chat, True),
        ("anthropic:claude-haiku-4-5", "claude-haiku-4-5-20251001", anthropic, False),
        ("anthropic:claude-haiku-4-5", "claude-opus-4-8", anthropic, True),
        ("google:gemini-2.5-flash", "gemini-3.5-flash-lite", google, True),
        ("openai-responses:gpt-5.1", "gpt-5.1-2025-11-13", responses, False),
        ("openai-responses:gpt-5.1", "gpt-6-luna", responses, True)]


def run(folder, model, make, served, *words):
    folder.mkdir(exist_ok=True)
    (folder / "s.yml").write_text(SUITE.replace("MODEL", json.dumps(model)))
    provider = model.split(":")[0]
    body = make(served)
    with MockServer(reply=lambda path, _: body if isinstance(body, list) else json.dumps(body)) as server:
        return e2e.assay("run", "s.yml", "--base-url", f"{provider}={server.url}/v1", "--max-retries", "0", *words,
                         cwd=folder, env=KEYS)


def nameless(text):
    """Replies to `first` and to judges name a model, the others do not."""
    verdict = "<reflection>Fine.</reflection>\n<classification>CLASS_UNEQUIVOCALLY_PRESENT</classification>"
    reply = chat("small-2")
    if "word" not in text or "second" in text:
        del reply["model"]
    reply["choices"][0]["message"]["content"] = verdict if "<CRITERION>" in text else "word"
    return json.dumps(reply)


def unnamed(root):
    """Replies that name no model pass --strict-models, and are counted once at the end and on the page."""
    root.mkdir()
    cases = "".join(f"- {{id: {name}, prompt: {name} word, should: [$icontains: word]}}\n"
                    for name in ("first", "second", "second-too"))
    (root / "s.yml").write_text(f"id: s\ntitle: S\nmodels: [openai-compatible:small-2, echo:word]\n---\n{cases}")
    line = "2 replies name no model: --strict-models cannot check them"
    with MockServer(reply=lambda _, body: nameless(json.dumps(body))) as server:
        def run(*words):
            return e2e.assay("run", "s.yml", "--base-url", f"openai-compatible={server.url}/v1", *words, cwd=root)
        plain = run()
        e2e.check(plain.returncode == 0 and "name no model" not in plain.stdout + plain.stderr, "nobody asked", plain)
        strict = run("--fresh", "--strict-models")
        e2e.check(strict.returncode == 0, "what cannot be checked is no error", strict)
        e2e.check((strict.stdout + strict.stderr).count(line) == 1, "it is said once", strict)
        again = run("--strict-models")
        e2e.check(again.returncode == 0 and line in again.stderr, "a run that is up to date says it, too", again)
    page = max((root / "results").rglob("report.html"), key=lambda path: path.stat().st_mtime).read_text()
    e2e.check(f'"text":"{line}"' in page and "none came from another model" not in page, "the page says it")
    summary = e2e.assay("export", "latest", "--to", "markdown", cwd=root)
    e2e.check(line in summary.stdout, "so does the summary", summary)
    view = View(root, "--port", "0")
    try:
        told = view.json(f"run/{view.json('runs')['runs'][0]['run']}")
        e2e.check([note["text"] for note in told["notes"]] == [line], f"{told['notes']}")
    finally:
        view.end()
    program = root / "agent.py"
    program.write_text(PROGRAM)
    grant = ("-m", "exec:python3 agent.py", "--allow-exec", "python3 agent.py")
    told = e2e.assay("run", "s.yml", *grant, "--strict-models", cwd=root)
    e2e.check(told.returncode == 0 and "3 replies name no model" in told.stderr, "programs name none, either", told)


with e2e.scratch() as scratch:
    unnamed(Path(scratch) / "unnamed")
    root = Path(scratch)
    for number, (model, served, make, is_other) in enumerate(ROWS):
        folder = root / str(number)
        result = run(folder, model, make, served)
        e2e.check(result.returncode == 0, f"{model} answers", result)
        line = f"{model.split(':')[1]} was answered by {served}, 1 of 1"
        e2e.check((line in result.stdout) == is_other, f"{model} by {served}: the end says so or nothing", result)
        shown = e2e.assay("show", "latest", "--case", "p", cwd=folder)
        e2e.check(f"answered by {served}" in shown.stdout, "show --case names who answered", shown)
        told = json.loads(e2e.assay("show", "latest", "--case", "p", "--json", cwd=folder).stdout)
        first = told["served"][0]
        e2e.check(first["model"] == served and first["is_other"] == is_other, f"{told['served']}")
        row = json.loads(e2e.assay("export", "latest", "--to", "jsonl", cwd=folder).stdout)
        e2e.check(row["served"][0]["model"] == served and row["served"][0]["asked"] == model, f"{row['served']}")
        page = next((folder / "results").rglob("report.html")).read_text()
        e2e.check((f'"text":"{line}"' in page) == is_other and f'"model":"{served}"' in page, "the page says it, too")
        e2e.check(("none came from another model" in page) != is_other, "the page's conditions agree")
        for form in ("markdown", "github-summary"):
            summary = e2e.assay("export", "latest", "--to", form, cwd=folder)
            e2e.check((line.replace("_", "\\_") in summary.stdout) == is_other, f"{form} says the same", summary)
        again = run(folder, model, make, served, "--strict-models")
        e2e.check(again.returncode == (2 if is_other else 0), f"--strict-models of {model} by {served}", again)
        e2e.check(("--strict-models" in again.stderr) == is_other, "the error says why", again)

    streamed = run(root / "stream", "openai:gpt-4o", chat_stream, "gpt-4.1", "--stream")
    e2e.check("gpt-4o was answered by gpt-4.1, 1 of 1" in streamed.stdout, "streams say it, too", streamed)
    row = json.loads(e2e.assay("export", "latest", "--to", "jsonl", cwd=root / "stream").stdout)["served"][0]
    e2e.check((row["fingerprint"], row["provider"]) == ("fp_7", "Hut"), f"fingerprint and provider are kept: {row}")

    # The pages of `assay view`: a note of the run, and who answered each cell.
    view = View(root / "stream", "--port", "0")
    try:
        ran = view.json("runs")["runs"][0]["run"]
        told = view.json(f"run/{ran}")
        notes = [note["text"] for note in told["notes"]]
        e2e.check(notes == ["gpt-4o was answered by gpt-4.1, 1 of 1"], f"{notes}")
        e2e.check(told["served"][0]["model"] == "gpt-4.1" and told["served"][0]["cells"] == 1, f"{told['served']}")
        attempt = view.json(f"run/{ran}/case/p")["cells"][0]["attempts"][0]
        e2e.check(attempt["served"][0]["model"] == "gpt-4.1" and attempt["served"][0]["is_other"], f"{attempt}")
    finally:
        view.end()

    # One name, two models behind it: both are as asked, and the comparison says that they differ.
    both = root / "both"
    run(both, "openai:gpt-4o", chat, "gpt-4o-2024-08-06")
    run(both, "openai:gpt-4o", chat, "gpt-4o-2024-11-20", "--fresh", "--fail-on-flip", "latest")
    runs = [each["run"] for each in json.loads(e2e.assay("runs", "--json", cwd=both).stdout)]
    compared = e2e.assay("compare", *runs, cwd=both)
    e2e.check("gpt-4o-2024-08-06" in compared.stdout and "gpt-4o-2024-11-20" in compared.stdout,
              "compare names both models", compared)
    gate = e2e.assay("show", runs[0], "--fail-on-flip", runs[1], cwd=both)
    e2e.check("different models" in gate.stderr, "so does a gate", gate)
