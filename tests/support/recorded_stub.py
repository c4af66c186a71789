"""The server of recorded research sessions, on a port of its own, and folders that are set up for it."""
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import e2e

GOLDEN = e2e.ROOT.parent / "shared" / "golden" / "research" / "run_artifacts"
RECORDED_PORT = "38431"


def without_memory(script):
    """The same, but no reply depends on what was asked before."""
    rules = json.loads(script)
    for rule in rules["rules"]:
        rule["match"].pop("attempt", None)
        if rule["name"] == "q11_a":
            rule["match"]["model"] = "nobody"
    return json.dumps(rules)


class Stub:
    """The recorded session's server on a port of its own."""

    def __init__(self, folder, has_memory=True):
        self.own = tempfile.TemporaryDirectory(prefix="assay-e2e-asky-")  # the user's, outside of what is run
        self.home = pathlib.Path(self.own.name, "asky_home")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        script = folder / "stub_script.json"
        inputs = GOLDEN / "inputs"
        text = inputs.joinpath("stub_script.json").read_text().replace(RECORDED_PORT, str(self.port))
        script.write_text(text if has_memory else without_memory(text))
        self.log = folder / "requests.jsonl"
        self.log.write_text("")
        self.process = subprocess.Popen(
            [sys.executable, inputs / "stub_server.py", str(self.port), script, inputs / "docs", self.log],
            stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.2).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the stub did not start")

    def requests(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.own.cleanup()


def prepare(folder, stub, matrix, dataset):
    for name in (matrix, dataset):
        text = GOLDEN.joinpath("inputs", name).read_text().replace(RECORDED_PORT, str(stub.port))
        folder.joinpath(name).write_text(text)
    shutil.copytree(GOLDEN / "inputs" / "asky_home", stub.home)
    for path in stub.home.iterdir():
        path.write_text(path.read_text().replace(RECORDED_PORT, str(stub.port)))


def rows_of(session, port=RECORDED_PORT):
    rows = {}
    for path in sorted(session.glob("*/artifacts/results.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line.replace(f":{port}/", f":{RECORDED_PORT}/"))
            rows[row["run_id"], row["test_id"]] = row
    return rows


def run(stub, matrix, *more):
    """The words of one session and its environment."""
    return (["run", matrix, "-j", "1", "--compat", "asky", "--output-root", "runs", "--snapshot-root",
             str(GOLDEN / "snapshots"), "--base-url", f"openai-compatible=http://127.0.0.1:{stub.port}/v1", *more],
            {"ASKY_HOME": str(stub.home)})
