#!/usr/bin/env python3
"""A picture beside a prompt goes along with the question, in the words of each service; judges see it, or read that it
was there. Files and addresses are found again, offline, in recordings and on the page; addresses are fetched by assay
alone, where the rules of trust let it."""
import base64
import hashlib
import json
import sqlite3
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5E"
                       "rkJggg==")
PDF = b"%PDF-1.4\n1 0 obj<</Type/Page>>endobj\n%%EOF\n"
DATA = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
KEYS = {f"{name}_API_KEY": "sk-test-picture-4711" for name in ("OPENAI", "ANTHROPIC", "GOOGLE")}
MODELS = ["openai:gpt-4o-mini", "anthropic:claude-haiku-4-5", "google:gemini-2.5-flash"]


class Pages(BaseHTTPRequestHandler):
    """Where an address leads; what was asked stands in `asked`."""
    asked = []
    bytes = PNG

    def do_GET(self):
        Pages.asked.append(self.path)
        self.send_response(200)
        self.send_header("content-length", str(len(Pages.bytes)))
        self.end_headers()
        self.wfile.write(Pages.bytes)

    def log_message(self, *_):
        pass


def suite(image="chart.png", models=None, judges=("openai:gpt-4.1",)):
    judges = [{"id": model, "model": model, "approach": "standard"} for model in judges]
    return json.dumps({
        "title": "Pictures", "id": "pictures", "models": models or MODELS,
        "evaluationConfig": {"llm-coverage": {"judges": judges}},
        "prompts": [{"id": "one", "prompt": "say red", "image": image, "should": [{"$contains": "red"}, "Says red"]},
                    {"id": "two", "should": [{"$contains": "blue"}],
                     "messages": [{"user": "say green", "image": "chart.png", "file": "report.pdf"},
                                  {"assistant": None}, {"user": "say blue"}]}]})


def answer(text):
    if "CLASS_EXACT" in text:
        return "<reflection>Fine.</reflection><classification>CLASS_EXACT</classification>"
    return text.removeprefix("say ")


def content_of(request, at=-1):
    """The parts of a user's message."""
    body = request["body"]
    if "contents" in body:
        return body["contents"][at]["parts"]
    return body["messages"][at]["content"]


def shown(part):
    """The bytes that a part holds."""
    inner = part.get("image_url", {}).get("url") or part.get("file", {}).get("file_data", "")
    said = part.get("source", {}).get("data") or part.get("inlineData", {}).get("data") or inner.rpartition(",")[2]
    return base64.b64decode(said)


def run(folder, mock, *words, code=0, says=()):
    urls = [f"--base-url={model.split(':')[0]}={mock.url}{path}" for model, path in zip(MODELS, ("/v1", "", "/v1beta"))]
    result = e2e.assay("run", "suite.yml", "--json", *urls, *words, cwd=folder, env=KEYS)
    e2e.expect(result, code, *says)
    return result


def asked_with(mock, text, start=0):
    return [request for request in mock.requests[start:] if request["text"] == text]


with e2e.scratch() as folder, MockServer(answer=answer) as mock:
    Path(folder, "chart.png").write_bytes(PNG)
    Path(folder, "report.pdf").write_bytes(PDF)
    Path(folder, "suite.yml").write_text(suite())

    # --- what is sent ---
    result = run(folder, mock, "--record", "r.jsonl")
    e2e.check(e2e.one_run(result)["mean"] == 1, "expected full scores", result)
    for request in asked_with(mock, "say red"):
        parts = content_of(request)
        e2e.check(len(parts) == 2 and shown(parts[0]) == PNG and parts[1]["text"] == "say red", f"{request['body']}")
        e2e.check("chart.png" not in json.dumps(request["body"]), "the name of a file was sent")
    e2e.check(len(asked_with(mock, "say red")) == 3 and len(asked_with(mock, "say green")) == 3, f"{mock.texts()}")
    for request in asked_with(mock, "say green"):
        e2e.check([shown(part) for part in content_of(request)[:2]] == [PNG, PDF], f"{request['body']}")
    for request in asked_with(mock, "say blue"):
        first = content_of(request, 0)
        e2e.check(shown(first[0]) == PNG, f"a later turn lost the picture: {request['body']}")
    judged = [request for request in mock.requests if "CLASS_EXACT" in request["text"]]
    e2e.check(len(judged) == 1, f"{len(judged)} questions to judges: equal answers are judged once")
    for request in judged:
        e2e.check(shown(content_of(request)[0]) == PNG and "[image chart.png]" in request["text"], f"{request['body']}")

    # --- the same again asks nothing; other checks grade what is there; another picture is another question ---
    asked = len(mock.requests)
    run(folder, mock, says=("up to date",))
    regraded = json.loads(suite())
    regraded["prompts"][0]["should"] = [{"$contains": "blue"}]
    Path(folder, "suite.yml").write_text(json.dumps(regraded))
    result = run(folder, mock, "--offline")
    e2e.check(e2e.one_run(result)["mean"] == 0.5, "expected other scores", result)
    Path(folder, "suite.yml").write_text(suite())
    replay = ["--replay", "r.jsonl", "--offline", "--store", "other.db", "--out", "other"]
    e2e.check(e2e.one_run(run(folder, mock, *replay))["mean"] == 1, "the recording answers")
    recorded = Path(folder, "r.jsonl").read_text()
    e2e.check(base64.b64encode(PNG).decode() not in recorded, "a recording holds the bytes of a file")
    e2e.check(hashlib.sha256(PNG).hexdigest() in recorded, "a recording lacks the digest")
    e2e.check(len(mock.requests) == asked, f"asked again: {mock.texts()[asked:]}")

    # --- kept in the store once, shown on the page ---
    store = sqlite3.connect(Path(folder, ".assay/store.db"))
    kept = dict(store.execute("SELECT type, bytes FROM blob").fetchall())
    store.close()
    e2e.check(kept == {"image/png": PNG, "application/pdf": PDF}, f"{kept.keys()}")
    Path(folder, "chart.png").unlink()
    e2e.expect(e2e.assay("export", "latest", "--to", "html", "-o", "page.html", cwd=folder), 0)
    page = Path(folder, "page.html").read_text()
    text = e2e.page_text(page)
    e2e.check(text.count(f"data: {DATA}") == 2 and "img-src data:;" in page, "the page shows no picture")
    e2e.check("report.pdf" in text and "application/pdf" in text, "the page tells of no document")
    run(folder, mock, code=1, says=("image", "chart.png", "there is no file"))
    Path(folder, "chart.png").write_bytes(PNG + b"another")
    run(folder, mock)
    e2e.check(len(asked_with(mock, "say red", asked)) == 3, "another picture is another question")
    Path(folder, "chart.png").write_bytes(PNG)

    # --- who takes none ---
    Path(folder, "suite.yml").write_text(suite(models=["openai:gpt-3.5-turbo"]))
    e2e.expect(e2e.assay("check", "suite.yml", cwd=folder), 1, "takes no images", "plan.media")
    Path(folder, "suite.yml").write_text(suite(models=MODELS[:1], judges=["openai:gpt-3.5-turbo"]))
    e2e.expect(e2e.assay("check", "suite.yml", cwd=folder), 0, "plan.judge-media")
    asked = len(mock.requests)
    run(folder, mock)
    judged = [request for request in mock.requests[asked:] if "CLASS_EXACT" in request["text"]]
    e2e.check(len(judged) == 1 and isinstance(content_of(judged[0]), str), f"{judged}")
    e2e.check("[image chart.png]" in judged[0]["text"], "the judge does not read that there was a picture")
    e2e.own_settings('[models."openai:gpt-3.5-turbo"]\ntakes = ["image", "pdf"]\n')
    Path(folder, "suite.yml").write_text(suite(models=["openai:gpt-3.5-turbo"]))
    e2e.expect(e2e.assay("check", "suite.yml", cwd=folder), 0)
    e2e.own_settings("")

    # --- what may not be read, or is no picture ---
    for name, bytes_, fragment in (("../out.png", PNG, "--allow-path"), ("v.png", b"<svg/>", "SVG"),
                                   ("big.png", PNG + b"x" * 20_000_000, "at most 20000000 bytes")):
        if not name.startswith("../"):
            Path(folder, name).write_bytes(bytes_)
        Path(folder, "suite.yml").write_text(suite(image=name))
        e2e.expect(e2e.assay("check", "suite.yml", cwd=folder), 1, "blueprint.media", fragment)
    Path(folder, "suite.yml").write_text(suite())
    e2e.expect(e2e.assay("check", "suite.yml", "--compat", "weval", cwd=folder), 0, "blueprint.media")

with e2e.scratch() as folder, MockServer(answer=answer) as mock, ThreadingHTTPServer(("127.0.0.1", 0), Pages) as pages:
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{pages.server_address[1]}/a/chart.png?token=secret-4712"
    Path(folder, "chart.png").write_bytes(PNG)
    Path(folder, "report.pdf").write_bytes(PDF)
    Path(folder, "suite.yml").write_text(suite(image=address))

    # --- an address: fetched here, under the rules of trust, and handed to nobody ---
    e2e.expect(e2e.assay("check", "suite.yml", cwd=folder), 0)
    e2e.expect(e2e.assay("plan", "suite.yml", cwd=folder), 0)
    run(folder, mock, code=1, says=("suite.not-fetched", "--allow-host 127.0.0.1"))
    e2e.check(not mock.requests and not Pages.asked, "something was asked for")
    allowed = ["--allow-host", "127.0.0.1"]
    result = run(folder, mock, *allowed, "--record", "r.jsonl")
    e2e.check(e2e.one_run(result)["mean"] == 1 and len(Pages.asked) == 1, f"{Pages.asked}", result)
    for request in asked_with(mock, "say red"):
        e2e.check(shown(content_of(request)[0]) == PNG, f"{request['body']}")
        e2e.check("127.0.0.1" not in json.dumps(request["body"]), "the address was handed on")

    # --- its bytes are the run's: offline, and in the recording ---
    asked = len(mock.requests)
    run(folder, mock, *allowed, "--offline")
    replay = ["--replay", "r.jsonl", "--store", "other.db", "--out", "other"]
    e2e.check(e2e.one_run(run(folder, mock, *replay))["mean"] == 1, "the recording answers")
    e2e.check(len(mock.requests) == asked and len(Pages.asked) == 1, f"{Pages.asked}")
    for path in Path(folder).rglob("*"):
        if path.is_file() and path.name != "suite.yml":
            e2e.check(b"secret-4712" not in path.read_bytes(), f"the token of an address is in {path}")
    Pages.bytes = PNG + b"new"
    run(folder, mock, *allowed)
    e2e.check(len(asked_with(mock, "say red", asked)) == 3, "what the address leads to now was not asked about")
    run(folder, mock, "--offline", "--store", "third.db", code=1, says=("was not fetched (--offline)",))
    Pages.bytes = b"<html>gone</html>"
    run(folder, mock, *allowed, code=1, says=("suite.not-fetched", "expected PNG"))
    pages.shutdown()
