#!/usr/bin/env python3
"""What turns of the research agent cost, against a model on loopback that answers at once. CPU is that of assay alone.

    bench/agent.py PROGRAM [NAME...]     all rows, or those named: research standard rounds
"""
import hashlib
import http.server
import json
import os
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import heading, measure, show  # noqa: E402

TEXT = "Each valve of block {n} is inspected at least every {n} days. A valve that leaks is taken out of service.\n"


class Model(http.server.BaseHTTPRequestHandler):
    """Calls a tool as often as the question says ("rounds: N"), then answers."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        messages = request["messages"]
        question = next(message["content"] for message in messages if message["role"] == "user")
        rounds = int(question.split("rounds: ")[1].split()[0]) if request.get("tools") else 0
        done = sum(message["role"] == "tool" for message in messages)
        message = {"role": "assistant", "content": "Every 21 days."}
        if done < rounds:
            call = {"name": "get_relevant_content", "arguments": json.dumps({"urls": [], "query": f"valve {done}"})}
            message = {"role": "assistant", "content": None,
                       "tool_calls": [{"id": f"c{done}", "type": "function", "function": call}]}
        body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}],
                           "usage": {"prompt_tokens": 10, "completion_tokens": 5}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def session(folder, port, cases, rounds, **profile):
    pinned = folder / "pinned" / "data" / "docs"
    pinned.mkdir(parents=True)
    text = "".join(TEXT.format(n=n) for n in range(200)).encode()
    pinned.joinpath("d.txt").write_bytes(text)
    manifest = {"docs": {"d": {"path": "docs/d.txt", "sha256": hashlib.sha256(text).hexdigest()}}}
    pinned.parent.joinpath("manifest.json").write_text(json.dumps(manifest))
    tests = "".join(f"  - {{id: t{i}, doc_id: d, query: 'How often, {i}? rounds: {rounds} please', "
                    "expected: {type: contains, text: '21'}}\n" for i in range(cases))
    folder.joinpath("data.yaml").write_text(
        "docs:\n  - {id: d, title: Valves, url: 'https://example.invalid/d.txt'}\ntests:\n" + tests)
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in profile.items())
    folder.joinpath("matrix.toml").write_text("dataset = './data.yaml'\noutput_root = './runs'\n"
                                              "snapshot_root = './pinned'\n"
                                              f"[[runs]]\nid = 'r'\nmodel_alias = 'stub'\n{lines}")
    os.environ["XDG_CONFIG_HOME"] = str(folder)  # the user's own settings: a folder's would need trust
    folder.joinpath("assay").mkdir(exist_ok=True)
    folder.joinpath("assay/assay.toml").write_text(
        f"[models.stub]\nmodel = 'openai-compatible:stub'\nbase_url = 'http://127.0.0.1:{port}/v1'\n"
        "context_tokens = 100000000\nmax_turns = 200\n")


def per_case(name, program, folder, cases):
    numbers = measure(program, ["run", "matrix.toml", "--fresh", "-q"], folder, 3)
    show(name, numbers)
    print(f"  {numbers[0] / cases * 1000:.2f} ms CPU a case")


def research(program, folder, port):
    session(folder, port, 500, 1)
    per_case("500 research cases, one search each", program, folder, 500)


def standard(program, folder, port):
    session(folder, port, 500, 0, research_mode=False, source_provider="live_web", preload_shortlist=False, lean=True)
    per_case("500 standard cases without tools", program, folder, 500)


def rounds(program, folder, port):
    for count in (25, 50, 100, 190):
        place = folder / str(count)
        place.mkdir()
        session(place, port, 1, count)
        show(f"one turn of {count} rounds", measure(program, ["run", "matrix.toml", "--fresh", "-q"], place, 3))
        print(f"  {(place / '.assay/store.db').stat().st_size / 3e6:.1f} MB of store each")


ROWS = {"research": research, "standard": standard, "rounds": rounds}


def main():
    program = str(Path(sys.argv[1]).resolve())
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    heading(program)
    for name in sys.argv[2:] or ROWS:
        with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
            ROWS[name](program, Path(folder), server.server_port)


if __name__ == "__main__":
    main()
