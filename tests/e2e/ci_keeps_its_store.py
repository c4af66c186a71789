#!/usr/bin/env python3
"""Two jobs of a CI on runners that remember nothing, with the store restored by a cache: a secret of the CI seals it,
and the second job's gate counts its answers. A fork has no secret, and its store opens no gate."""
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEY = {"ASSAY_STORE_KEY": "0123456789abcdef0123456789abcdef"}
CASES = 3


def job(folder, number, key):
    return e2e.assay("run", "suite.yml", "--store", "kept/store.db", "--fail-under", "0.5", "--json", cwd=folder,
                     env={"XDG_STATE_HOME": str(folder / f"runner {number}"), "CI": "true", **key})


def restore(folder):
    """A cache writes new files."""
    shutil.copytree(folder / "kept", folder / "cached")
    shutil.rmtree(folder / "kept")
    (folder / "cached").rename(folder / "kept")


def begin(folder):
    folder.mkdir()
    (folder / "kept").mkdir()
    (folder / "suite.yml").write_text(e2e.suite(CASES))
    return folder


with e2e.scratch() as scratch:
    root = Path(scratch)

    own = begin(root / "own")
    e2e.expect(job(own, 1, KEY), 0)
    for number in (2, 3):
        restore(own)
        result = job(own, number, KEY)
        e2e.expect(result, 0)
        e2e.check(e2e.one_run(result)["foreign_replies"] == 0, f"job {number} counts the store as its own", result)

    # Without the secret, or with another one, it is anybody's store; the message says what to do.
    for name, key in (("no key", {}), ("an empty key", {"ASSAY_STORE_KEY": ""}),
                      ("another key", {"ASSAY_STORE_KEY": "f" * 32})):
        other = root / name
        shutil.copytree(own, other)
        e2e.expect(job(other, 9, key), 1, "ASSAY_STORE_KEY", "assay help ci")
    short = root / "short"
    shutil.copytree(own, short)
    refused = job(short, 9, {"ASSAY_STORE_KEY": "short"})
    e2e.expect(refused, 1, "at least 16 characters")

    # A job that is killed leaves a store whose last commit nobody sealed, with an earlier job's seal, or with none.
    def killed(folder, number):
        asked = threading.Event()

        def answer(text):
            if text.endswith("two"):
                asked.set()
                time.sleep(60)
            return text

        (folder / "slow.yml").write_text('id: slow\ntitle: S\nmodels: ["openai:m"]\n'
                                         'prompts: [{id: a, prompt: one}, {id: b, prompt: two}]\n')
        env = {"XDG_STATE_HOME": str(folder / f"runner {number}"), "CI": "true", "OPENAI_API_KEY": "sk-test-0821",
               **KEY}
        with MockServer(answer=answer) as mock:
            process = subprocess.Popen(
                [e2e.PROGRAM, "run", "slow.yml", "--store", "kept/store.db", "-j", "1",
                 f"--base-url=openai={mock.url}/v1"],
                cwd=folder, env=e2e.clean_environment(env), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            e2e.check(asked.wait(60), "the second case is asked")
            process.kill()
            process.wait()

    for name, seals_before in (("killed", True), ("killed first", False)):
        folder = begin(root / name)
        if seals_before:
            e2e.expect(job(folder, 1, KEY), 0)
            restore(folder)
        killed(folder, 2)
        e2e.check((folder / "kept/store.db.seal").exists() == seals_before, f"{name}: the seal of the job before")
        restore(folder)
        for number in (3, 4):
            refused = job(folder, number, KEY)
            e2e.expect(refused, 1, "last commit has no seal", "was killed", "Delete the cache", "assay help ci")
            e2e.check("Set ASSAY_STORE_KEY" not in refused.stderr, "the key is set", refused)
            restore(folder)
        shutil.rmtree(folder / "kept")
        (folder / "kept").mkdir()
        e2e.expect(job(folder, 5, KEY), 0)
        restore(folder)
        e2e.expect(job(folder, 6, KEY), 0)

    # What a fork leaves in the cache: its own store without a seal, the sealed one changed, the seal of another store.
    fork = begin(root / "fork")
    e2e.expect(job(fork, 1, {}), 0)
    restore(fork)
    e2e.expect(job(fork, 2, KEY), 1, "did not make")
    restore(fork)
    e2e.expect(job(fork, 3, KEY), 1, "did not make")  # the refused job has sealed nothing of it as its own

    changed = root / "changed"
    shutil.copytree(own, changed)
    with sqlite3.connect(changed / "kept/store.db") as database:
        database.execute("UPDATE run SET title = 'of the fork'")
    restore(changed)
    e2e.expect(job(changed, 9, KEY), 1, "did not make")

    moved = root / "moved"
    shutil.copytree(fork, moved)
    shutil.copy(own / "kept/store.db.seal", moved / "kept/store.db.seal")
    e2e.expect(job(moved, 9, KEY), 1, "did not make")

    # The Action's own script: jobs with a restored cache pass, and the summary of a fork's says why it asked nothing.
    def action(folder, number, key):
        for name in ("output", "summary.md"):
            (folder / name).write_text("")
        env = {"ASSAY_PROGRAM": e2e.PROGRAM, "FILES": "*.yml", "WORDS": "--fail-under '0.5'", "BASE": "", "DELTA": "0",
               "RESULTS": "results", "ASSAY_STORE": "kept/store.db", "GITHUB_OUTPUT": str(folder / "output"),
               "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "XDG_STATE_HOME": str(folder / f"runner {number}"),
               "CI": "true", **key}
        done = subprocess.run(["bash", e2e.ROOT / "scripts/action.sh"], cwd=folder, env=e2e.clean_environment(env),
                              capture_output=True, text=True, check=False)
        e2e.check(done.returncode == 0, "the step ends well, so that results are uploaded", done)
        told = dict(line.split("=", 1) for line in (folder / "output").read_text().splitlines())
        return told, (folder / "summary.md").read_text(), done

    acted = begin(root / "acted")
    for number in (1, 2, 3):
        told, summary, done = action(acted, number, KEY)
        e2e.check(told["exit-code"] == "0" and "| rank | variant |" in summary, f"job {number}: {told} {summary}", done)
        e2e.check((acted / f"results/{told['runs'].split()[0]}.junit.xml").exists(), f"job {number}: JUnit", done)
        restore(acted)
    told, summary, done = action(acted, 9, {})
    e2e.check(told["exit-code"] == "1" and "assay asked nothing" in summary and "ASSAY_STORE_KEY" in summary,
              f"a fork's job: {told} {summary}", done)

    # Adopting would open every gate to the fork.
    adopt = e2e.assay("cache", "adopt", "--store", "kept/store.db", cwd=fork, env={"CI": "true"})
    e2e.check(adopt.returncode == 1 and "refused in CI" in adopt.stderr, "adopting is refused in CI", adopt)
    topic = e2e.assay("help", "ci", cwd=root)
    e2e.check("ASSAY_STORE_KEY" in topic.stdout, "the topic tells the key")
    for number in (1, 2, 3):
        e2e.check(f"\n{number}. " in topic.stdout, "each step begins a line", topic)
