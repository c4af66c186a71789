#!/usr/bin/env python3
"""kill -9 at 200 random moments of one run over HTTP: the report is that of an undisturbed run, and no request is sent
again but those that were under way at a kill, or just answered."""
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

CASES, KILLS, WIDTH = 2_000, 200, 8
REPLY_MS, GATHERED_MS = 2, 5  # how long a reply takes; how long answers are gathered before they are committed
KEY = {"OPENAI_API_KEY": "sk-test-0815-kills"}


def words(mock):
    return ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "-q", "--json", "-j", str(WIDTH)]


def place(folder, name):
    path = Path(folder, name)
    path.mkdir()
    (path / "suite.yml").write_text(e2e.suite(CASES, model="openai:gpt-4o-mini"))
    return path


seed = random.randrange(1 << 30)
print(f"seed {seed}")
dice = random.Random(seed)
with e2e.scratch() as folder, MockServer(delay=REPLY_MS / 1000) as calm, MockServer(delay=REPLY_MS / 1000) as mock:
    undisturbed, disturbed = place(folder, "a"), place(folder, "b")
    whole = e2e.assay(*words(calm), cwd=undisturbed, env=KEY)
    e2e.expect(whole, 0)
    killed = 0
    while killed < KILLS:
        # A moment counted in requests, so that the kills meet the whole run on a machine of any speed.
        wanted = len(mock.requests) + dice.randrange(0, CASES // KILLS)
        process = e2e.start(*words(mock), cwd=disturbed, env=KEY, output=subprocess.DEVNULL)
        while process.poll() is None and len(mock.requests) < wanted:
            time.sleep(0.001)
        time.sleep(dice.uniform(0, 0.01))
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        killed += 1
    finished = e2e.assay(*words(mock), cwd=disturbed, env=KEY)
    e2e.expect(finished, 0)
    asked = Counter(mock.texts())
    again = sum(asked.values()) - len(asked)
    print(f"{killed} kills, {sum(asked.values())} requests, {again} of them again")
    e2e.check(killed > KILLS / 2, f"the run ended after {killed} kills")
    e2e.check(len(asked) == CASES, f"{len(asked)} of {CASES} were asked")
    # Whose answer has come and is not committed yet has made room for the next.
    most = killed * WIDTH * (2 + GATHERED_MS / REPLY_MS)
    e2e.check(again <= most, f"{again} requests again, {most:.0f} were under way or not yet kept at most")
    first, second = e2e.one_run(whole), e2e.one_run(finished)
    for field in ("cells", "mean", "variants", "requests", "request_errors"):
        e2e.check(first[field] == second[field], f"{field}: {first[field]} and, killed, {second[field]}")
    a, b = e2e.result_files(undisturbed / "results"), e2e.result_files(disturbed / "results")
    e2e.check(a.keys() == b.keys(), f"different files: {sorted(a.keys() ^ b.keys())[:5]}")
    for path, text in a.items():
        texts = [e2e.re.sub(r"[\d,]+ asked for by", "some asked for by", each) for each in (text, b[path])]
        e2e.check(texts[0] == texts[1], f"{path} differs after kills")
