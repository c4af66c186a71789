#!/usr/bin/env python3
"""A service that speaks HTTP/2 is asked many questions at once over few connections, and all are answered, also when it
takes few at a time or ends its connections in the middle of a run."""
import json
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from certificates import Authority  # noqa: E402

SERVER = e2e.ROOT / "tests/support/http2_server.mjs"
PER_SHARD, SHARD = 4, 160   # connections for each so many requests under way
CASES = 200


@contextmanager
def server(certificate, streams, delay_ms, life=0):
    """Yields the URL and a function that ends the server and returns what it saw."""
    words = ["node", str(SERVER), *certificate, str(streams), str(delay_ms), str(life)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        port = process.stdout.readline().strip()
        e2e.check(port.isdigit(), f"the server did not start: {port}")

        def seen():
            return json.loads(process.communicate(timeout=e2e.SECONDS_MAX)[0])

        yield f"https://127.0.0.1:{port}", seen
    finally:
        process.kill()
        process.wait()


def run(folder, authority, url, width):
    result = e2e.assay("run", "suite.yml", "--fresh", "--json", "-j", width, f"--base-url=openai={url}/v1", cwd=folder,
                       env={"OPENAI_API_KEY": "sk-test-http2-4711", "SSL_CERT_FILE": authority.file})
    e2e.expect(result, 0)
    done = e2e.one_run(result)
    e2e.check(done["mean"] == 1 and done["request_errors"] == 0, "every question is answered", result)


if shutil.which("node") is None:
    e2e.skip("node is not installed")
with e2e.scratch() as folder:
    Path(folder, "suite.yml").write_text(e2e.suite(CASES, model="openai:gpt-4o-mini"))
    authority = Authority(folder)
    certificate = authority.certificate("here", ["IP:127.0.0.1"])

    with server(certificate, streams=100, delay_ms=100 * e2e.SLOWNESS) as (url, seen):
        run(folder, authority, url, width=100)
        told = seen()
        e2e.check(told["requests"] == CASES, f"each question once: {told}")
        e2e.check(told["connections"] <= PER_SHARD, f"too many connections: {told}")
        e2e.check(told["requests_at_once"] >= 40, f"connections are shared, not waited for: {told}")

    with server(certificate, streams=100, delay_ms=100 * e2e.SLOWNESS) as (url, seen):
        run(folder, authority, url, width=CASES)
        told = seen()
        e2e.check(told["connections"] <= PER_SHARD * -(-CASES // SHARD), f"too many connections: {told}")
        e2e.check(told["requests_at_once"] >= 80, f"connections are shared, not waited for: {told}")

    with server(certificate, streams=5, delay_ms=10) as (url, seen):
        run(folder, authority, url, width=100)
        told = seen()
        e2e.check(told["connections_at_once"] <= PER_SHARD and told["requests_at_once"] <= PER_SHARD * 5, f"{told}")

    with server(certificate, streams=100, delay_ms=20, life=30) as (url, seen):
        run(folder, authority, url, width=50)
        told = seen()
        e2e.check(told["connections"] > PER_SHARD, f"new connections follow those that ended: {told}")
