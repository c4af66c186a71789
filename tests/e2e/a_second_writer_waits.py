#!/usr/bin/env python3
"""One process writes to a store at a time. A second one waits up to --store-timeout, names the process that it waits
for, and goes on as soon as that one has ended."""
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-4711-writers"}

with e2e.scratch() as folder, MockServer(delay=3.0) as mock:
    Path(folder, "suite.yml").write_text(e2e.suite(2, model="openai:gpt-4o-mini"))
    words = ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "-q"]
    first = subprocess.Popen([e2e.PROGRAM, *words], cwd=folder,
                             env=e2e.clean_environment(KEY), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not mock.requests and first.poll() is None:
        os.sched_yield()
    named = f"another assay (process {first.pid}) writes to this store"
    refused = e2e.assay(*words, "--store-timeout", "0", cwd=folder, env=KEY)
    e2e.expect(refused, 2, named, "--store-timeout SECONDS")
    late = e2e.assay(*words, "--store-timeout", "0.2", cwd=folder, env=KEY)
    e2e.expect(late, 2, named, "did so for 0.2 s")
    pruned = e2e.assay("cache", "prune", "--older", "90d", "--store-timeout", "0.2", cwd=folder)
    e2e.expect(pruned, 2, named, "did so for 0.2 s")
    second = e2e.assay(*[word for word in words if word != "-q"], "--store-timeout", "60", cwd=folder, env=KEY)
    e2e.expect(second, 0, named, "waiting up to 60 s")
    first.communicate()
    e2e.check(first.returncode == 0, f"the first run ended with {first.returncode}")
    e2e.check(len(mock.texts()) == 2, f"{len(mock.texts())} requests: the second writer found the first one's answers")
    e2e.expect(e2e.assay("run", "suite.yml", "--store-timeout", "soon", cwd=folder), 1, "--store-timeout")
