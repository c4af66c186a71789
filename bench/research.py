#!/usr/bin/env python3
"""What research evaluations cost: a program that answers at once, rows streamed, a session reported again, documents
downloaded. CPU is that of assay and of the program together.

    bench/research.py PROGRAM [NAME...]     all rows, or those named: hundred rows report prepare
"""
import http.server
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from measure import measure, show  # noqa: E402

# Answers at once, with the two events of one tool; reads and writes lines and nothing else.
AGENT = r"""
import sys
sys.stdin.readline()
put = sys.stdout.write
put('{"type":"ready","protocol":"assay-exec/1","sut":{"name":"bench"}}\n'); sys.stdout.flush()
for line in sys.stdin:
    if '"shutdown"' in line: break
    turn = line.split('"id":"', 1)[1].split('"', 1)[0]
    put('{"type":"event","id":"%s","t_ms":1,"event":"tool_start","turn":1,"call_index":0,"tool_name":"search"}\n'
        '{"type":"event","id":"%s","t_ms":2,"event":"tool_end","turn":1,"call_index":0}\n'
        '{"type":"result","id":"%s","answer":"every 21 days","token_usage":{"main":{"input_tokens":9,'
        '"output_tokens":3}}}\n' % (turn, turn, turn)); sys.stdout.flush()
"""


def session(folder, cases, runs=1):
    folder.joinpath("agent.py").write_text(AGENT)
    tests = "".join(f"  - {{id: t{i}, doc_id: d, query: 'How often, {i}?', expected: {{type: contains, text: '21'}}}}\n"
                    for i in range(cases))
    folder.joinpath("data.yaml").write_text(
        "docs:\n  - {id: d, title: Valves, url: 'https://example.invalid/d.txt'}\ntests:\n" + tests)
    profiles = "".join(f"[[runs]]\nid = 'r{i}'\nmodel_alias = 'agent'\nsource_provider = 'live_web'\n"
                       for i in range(runs))
    folder.joinpath("matrix.toml").write_text(f"dataset = './data.yaml'\noutput_root = './runs'\n{profiles}")
    os.environ["XDG_CONFIG_HOME"] = str(folder)  # the user's own settings: a folder's would need trust
    folder.joinpath("assay").mkdir(exist_ok=True)
    folder.joinpath("assay/assay.toml").write_text(f"[models.agent]\nmodel = 'exec:{sys.executable} agent.py'\n")


def hundred(program, folder):
    session(folder, 100)
    show("100 cases", measure(program, ["run", "matrix.toml", "--fresh", "-q"], folder, 3))


def rows(program, folder):
    session(folder, 10_000)
    numbers = measure(program, ["run", "matrix.toml", "-q"], folder)
    show("10,000 rows", numbers)
    print(f"  {numbers[0] / 10:.3f} ms CPU a row, the program's share included")


def report(program, folder):
    session(folder, 10_000)
    measure(program, ["run", "matrix.toml", "-q"], folder)
    made = next(folder.joinpath("runs").iterdir())
    show("report of 10,000 rows", measure(program, ["report", str(made)], folder, 3))


class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(0.2)
        self.send_response(200)
        self.send_header("Content-Length", str(1 << 20))
        self.end_headers()
        self.wfile.write(b"x" * (1 << 20))

    def log_message(self, *_):
        pass


def prepare(program, folder):
    http.server.ThreadingHTTPServer.request_queue_size = 64  # else the kernel turns calls away for a second
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    docs = "".join(f"  - {{id: d{i}, title: D, url: 'http://127.0.0.1:{server.server_port}/{i}.txt'}}\n"
                   for i in range(20))
    folder.joinpath("data.yaml").write_text(
        f"docs:\n{docs}tests:\n  - {{id: t, doc_id: d0, query: q, expected: {{type: contains, text: x}}}}\n")
    show("prepare 20 x 1 MB, 200 ms", measure(
        program, ["prepare", "--dataset", "data.yaml", "--allow-host", "127.0.0.1", "--refresh"], folder, 3))
    server.shutdown()


def main():
    program, names = sys.argv[1], sys.argv[2:] or ["hundred", "rows", "report", "prepare"]
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            globals()[name](program, Path(scratch))


main()
