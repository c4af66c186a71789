#!/usr/bin/env python3
"""A run that is killed at any moment goes on by the same command, and ends in the same report."""
import random
import signal
import subprocess
import time
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

SITTINGS_MAX = 60
WORDS = ["run", "suite.yml", "-m", "echo:a", "-m", "echo:b", "--attempts", "5", "-q", "--json"]

with e2e.scratch() as folder:
    undisturbed, disturbed = Path(folder, "a"), Path(folder, "b")
    for place in (undisturbed, disturbed):
        place.mkdir()
        (place / "suite.yml").write_text(e2e.suite(200))
    started = time.monotonic()
    whole = e2e.assay(*WORDS, cwd=undisturbed)
    seconds = time.monotonic() - started
    e2e.expect(whole, 0)

    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    dice = random.Random(seed)
    killed = 0
    for sitting in range(SITTINGS_MAX):
        process = e2e.start(*WORDS, cwd=disturbed)
        try:
            # Later sittings are given more time, so that the run ends.
            stdout, stderr = process.communicate(timeout=dice.uniform(0.1, 0.5 + 0.1 * sitting) * seconds)
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            stdout, stderr = process.communicate()
            killed += 1
            left = sorted(disturbed.rglob("*.part"))
            e2e.check(not left, f"a killed process left {left}")
    e2e.check(process.returncode == 0, f"the run did not end after {killed} kills: {stderr}")
    print(f"killed {killed} times")
    e2e.check(killed > 0, "the run was never killed: it is too fast for this test")

    first, second = e2e.one_run(whole), e2e.json.loads(stdout)[0]
    for field in ("cells", "mean", "variants", "requests", "request_errors"):
        e2e.check(first[field] == second[field], f"{field}: {first[field]} and, killed, {second[field]}")
    runs = e2e.json.loads(e2e.assay("runs", "--json", cwd=disturbed).stdout)
    # Killed between its last word to the store and its end, a run is finished and the next one finds all answers.
    states = [run["state"] for run in runs]
    e2e.check(states in (["finished"], ["finished", "finished"]), f"one run was expected to be gone on with: {states}")
    sent = sum(run["requests_sent"] for run in runs)
    e2e.check(sent == first["requests_sent"], f"{first['requests_sent']} requests were kept, {sent} are counted")
    a, b = e2e.result_files(undisturbed / "results"), e2e.result_files(disturbed / "results")
    e2e.check(a.keys() == b.keys(), f"different files: {sorted(a.keys() ^ b.keys())[:5]}")
    for path, text in a.items():
        # A second run has asked nothing itself.
        texts = [e2e.re.sub(r"[\d,]+ of them asked", "some asked", each) for each in (text, b[path])]
        e2e.check(texts[0] == texts[1], f"{path} differs after kills")
