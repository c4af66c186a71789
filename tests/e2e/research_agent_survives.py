#!/usr/bin/env python3
"""A session of the research agent, killed again and again at random moments and begun again by the same command, ends
in the same rows but for times. KILLS says how often."""
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import recorded_stub  # noqa: E402

KILLS = int(os.environ.get("KILLS", "6"))


def without_times(row, port):
    text = json.dumps({key: value for key, value in row.items() if key not in ("timestamp", "elapsed_ms")})
    row = json.loads(text.replace(f":{port}/", ":PORT/"))
    row["timings_ms"] = {key: value for key, value in row["timings_ms"].items() if not key.endswith("_ms")}
    return row


def rows_of(folder, port):
    sessions = list((folder / "runs").iterdir())
    e2e.check(len(sessions) == 1, f"one session, found {sessions}")
    return {key: without_times(row, port) for key, row in recorded_stub.rows_of(sessions[0], port).items()}


def session(scratch, name, kills):
    folder = scratch / name
    folder.mkdir()
    stub = recorded_stub.Stub(folder, has_memory=False)
    try:
        recorded_stub.prepare(folder, stub, "matrix_s1.toml", "dataset.yaml")
        words, environment = recorded_stub.run(stub, "matrix_s1.toml")
        chance = random.Random(7)
        killed = 0
        for _ in range(kills):
            process = e2e.start(*words, cwd=folder, env=environment)
            time.sleep(chance.uniform(0.02, 0.5))
            if process.poll() is not None:
                break  # a session that has ended is not gone on with
            killed += 1
            process.send_signal(signal.SIGKILL)
            process.communicate()
        result = e2e.assay(*words, cwd=folder, env=environment)
        e2e.check(result.returncode in (0, 2), "it ends", result)
        e2e.check(kills == 0 or killed > 0, "it was killed at least once")
        return rows_of(folder, stub.port)
    finally:
        stub.stop()


def main():
    if not recorded_stub.GOLDEN.exists():
        e2e.skip("the recorded sessions are not here")
    with e2e.scratch() as scratch:
        whole = session(Path(scratch), "whole", 0)
        e2e.check(len(whole) == 33, f"{len(whole)} rows")
        killed = session(Path(scratch), "killed", KILLS)
        for key, row in whole.items():
            e2e.check(killed.get(key) == row, f"{key}:\n  killed {killed.get(key)}\n  whole  {row}"[:3000])


main()
