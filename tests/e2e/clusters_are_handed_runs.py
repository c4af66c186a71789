#!/usr/bin/env python3
"""A run is handed to a cluster's engine: what is wrong is told before, scripts say everything that a job needs, and
no key is in any of them. The engine here is a program that writes down what it is told."""
import hashlib
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from sharing import wait_for  # noqa: E402

SECRET = "sk-never-shown-4711"
CASES = 40
FAKE = """#!/bin/sh
printf '%s\\n' "$@" >> "$FAKE_LOG"
for word in "$@"; do last=$word; done
case $FAKE_SAYS in
  no) echo "sbatch: error: invalid partition specified: nowhere" >&2; exit 1 ;;
  cancelled) echo "19;here"; exit 0 ;;
  run) [ "$(basename "$last")" != fold.sh ] || { echo "18;here"; exec bash "$last"; } ;;
esac
echo "17;here"
"""


def make(folder, name):
    place = Path(folder, name)
    place.mkdir()
    (place / "suite.yml").write_text(e2e.suite(CASES, "openai:gpt-4o-mini"))
    return place


def engine(folder):
    """A folder for PATH with an sbatch."""
    programs = Path(folder, "programs")
    programs.mkdir()
    (programs / "sbatch").write_text(FAKE)
    (programs / "sbatch").chmod(0o755)
    return programs


def files_below(folder):
    return {p: p.read_text(errors="replace") for p in sorted(Path(folder).rglob("*")) if p.is_file()}


with e2e.scratch() as folder, PostgresServer() as server, MockServer() as mock:
    place, alone, programs = make(folder, "place"), make(folder, "alone"), engine(folder)
    url = server.new("handed")
    path = {"PATH": f"{programs}:{os.environ['PATH']}", "FAKE_LOG": str(Path(folder, "log"))}
    with_key = {**path, "OPENAI_API_KEY": SECRET}
    base = ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--store", url]
    cluster = [*base, "--cluster", "slurm", "--shards", "3", "--out", "out"]

    # What is wrong is told before anything is begun.
    wrong = [
        (cluster, {"OPENAI_API_KEY": SECRET, "PATH": folder}, "there is no sbatch in PATH"),
        (cluster, with_key, "jobs do not have OPENAI_API_KEY"),
        # A secret that signs is never to be sent as a key.
        ([*cluster, "-m", "bedrock:amazon.nova-lite-v1:0"],
         {**path, "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": "us-east-1"},
         "AWS_SECRET_ACCESS_KEY, which holds the key of bedrock here; write a key of its own into a file"),
        ([*cluster, "--cluster-arg=--array=1-2"], with_key, "the array is --shards"),
        ([*cluster, "--cluster-arg=debug"], with_key, "expected an option of sbatch"),
        ([*cluster, "--shard", "1"], with_key, "leave --shard and --fold out"),
        ([*base, "--cluster", "slurm"], with_key, "--shards N"),
        ([*base, "--dry-run"], with_key, "go with --cluster"),
        ([*base, "--wait"], with_key, "--wait goes with"),
        ([*cluster, "--watch"], with_key, "--watch"),
        ([*cluster, "--batch"], with_key, "--batch"),
        ([*cluster, "--base-url=mistral=http://me:sesame@127.0.0.1:9"], with_key, "--base-url holds a password"),
        ([*base, "--cluster", "pbs", "--shards", "2"], with_key, "slurm, kubernetes or script"),
        (["run", "suite.yml", "--cluster", "slurm", "--shards", "2"], with_key, "a store on a server"),
        ([*cluster, "--store", url.replace("assay@", "assay:sesame@")], with_key, "--store holds a password"),
        ([word for word in cluster if "base-url" not in word], path, "OPENAI_API_KEY is not set"),
        ([*base, "--cluster", "kubernetes", "--shards", "2"], with_key, "claim=NAME is missing"),
        ([*base, "--cluster", "kubernetes", "--shards", "2", "--cluster-arg=claim=suites"], with_key,
         "image=NAME is missing"),
    ]
    for words, environment, told in wrong:
        result = e2e.assay(*words, cwd=place, env=environment)
        e2e.check(result.returncode == 1, f"{told} is not told", result)
        e2e.expect(result, 1, told)
        e2e.check("sesame" not in result.stderr and SECRET not in result.stderr, "a secret is told", result)
    password = e2e.assay(*cluster, cwd=place, env={**path, "OPENAI_API_KEY": SECRET, "PGPASSWORD": "sesame"})
    e2e.expect(password, 1, "jobs do not have PGPASSWORD")
    e2e.check(server.sql("SELECT to_regclass('run')", "handed") == [""], "a store was made")

    # A file holds the key; a file that others can read does not do.
    key = Path(folder, "key")
    key.write_text(SECRET + "\n")
    key.chmod(0o644)
    e2e.own_settings(f"[providers.openai]\nkey_file = '{key}'\n")
    e2e.expect(e2e.assay(*cluster, cwd=place, env=path), 1, "can be read by everybody", "run.key-file")
    key.chmod(0o600)

    # Nothing is begun by --dry-run, and everything is shown.
    shown = e2e.assay(*cluster, "--dry-run", "--cluster-setup", "module load gcc", cwd=place, env=path)
    e2e.expect(shown, 0, "nothing was begun", "is an address of this machine alone")
    for part in ("sbatch ", "--array=1-3", "--export=NIL", "--requeue", "--signal=B:USR1@60", "--open-mode=append",
                 "--dependency=afterany:JOB", "\nmodule load gcc\n", "--join=RUN", "--fold=RUN"):
        e2e.check(part in shown.stdout, f"{part} is missing", shown)
    e2e.check(server.sql("SELECT to_regclass('run')", "handed") == [""], "a store was made")
    e2e.nothing_written(place, r"suite\.yml")
    # Nor does it need the server.
    closed = [word if word != url else "postgresql://eve@127.0.0.1:9/runs" for word in cluster]
    e2e.expect(e2e.assay(*closed, "--dry-run", cwd=place, env=path), 0, "nothing was begun")

    # So are too few connections for all shards: nothing is begun, and fewer shards fit.
    server.sql("CREATE ROLE eve LOGIN CONNECTION LIMIT 7")
    server.sql("CREATE DATABASE few OWNER eve")
    narrow = [word if word != url else server.url("few").replace("assay@", "eve@") for word in cluster]
    holder = subprocess.Popen([server.bin / "psql", "-qAtX", narrow[narrow.index("--store") + 1], "-c",
                               "SELECT pg_sleep(60)"])
    wait_for(lambda: server.sql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'eve'") == ["1"], "a session")
    crowded = e2e.assay(*narrow, "--shards", "4", cwd=place, env=path)
    e2e.expect(crowded, 2, "has 6 connections left, and 4 shards need 8, 2 each")
    e2e.check(server.sql("SELECT count(*) FROM run", "few") == ["0"], "a run was begun")
    e2e.check(not Path(path["FAKE_LOG"]).exists(), "something was handed over")
    e2e.expect(e2e.assay(*narrow, cwd=place, env=path), 0)
    Path(path["FAKE_LOG"]).unlink()
    holder.kill()
    holder.wait()

    # An engine that says no is heard, and the same command goes on with the run.
    path["ASSAY_ATTEMPTS"] = "1"
    refused = e2e.assay(*cluster, "--cluster-arg=--partition=nowhere", cwd=place, env={**path, "FAKE_SAYS": "no"})
    e2e.expect(refused, 2, "invalid partition specified: nowhere", "nothing was handed over")
    run = server.sql("SELECT id FROM run", "handed")[0]
    Path(path["FAKE_LOG"]).unlink()

    # A folder's own settings: the store's address and a key's file need trust, which is settled here once.
    (place / "assay.toml").write_text(f"[run]\nstore = '{url}'\n[providers.openai]\nkey_file = '{key}'\n")
    stranger = e2e.assay("run", "suite.yml", f"--base-url=openai={mock.url}/v1", cwd=place, env=path)
    e2e.expect(stranger, 1, "nobody has trusted", "keeps runs and their answers at postgresql://", f"sends what {key}")
    listed = e2e.assay("runs", cwd=place, env=path)
    e2e.check("nobody has trusted" in listed.stderr and "keeps runs" in listed.stderr, "the store is not told", listed)
    digest = e2e.digest_of_powers(place)
    # Jobs are told the powers that the command uses, one by one.
    single = [hashlib.sha256(f"{json.dumps(setting)}={json.dumps(value)}\n".encode()).hexdigest()
              for setting, value in (("run.store", url), ("providers.openai.key_file", str(key)))]
    words = [word for word in cluster if word not in ("--store", url)] + [f"--trust={digest}"]
    handed = e2e.assay(*words, "--cluster-arg=--partition=all", "--max-retries", "0", cwd=place, env=path)
    e2e.expect(handed, 0, f"continuing run {run}")
    e2e.check(handed.stdout == f"run {run}\nshards 17\nfold 17\n", "what was handed over is told", handed)
    log = Path(path["FAKE_LOG"]).read_text().splitlines()
    e2e.check("--dependency=afterany:17" in log and "--partition=all" in log and "--array=1-3" in log, f"told: {log}")
    scripts = place / ".assay" / "cluster" / run
    shard, fold = (scripts / "shard.sh").read_text(), (scripts / "fold.sh").read_text()
    for text in (shard, fold):
        for part in (f"--trust={','.join(single)}", url, "export PATH=", "export HOME=", "--attempts=1"):
            e2e.check(part in text, f"{part} is missing:\n{text}")
    e2e.check("srun" not in shard and "trap" in shard and f"--join={run}" in shard, f"the script:\n{shard}")

    # The engine's code says nothing where the report's job was cancelled: the store does, and what is left.
    cancelled = e2e.assay(*words, "--wait", "--max-retries", "0", cwd=place, env={**path, "FAKE_SAYS": "cancelled"})
    e2e.expect(cancelled, 2, f"run {run} is not done: no shard of it has begun", "ended with 0 and made none")

    # The scripts do what they say, in an environment that has nothing but Slurm's own variables.
    for task in (1, 2, 3):
        ended = subprocess.run(["bash", scripts / "shard.sh"], cwd=place, capture_output=True, text=True, check=False,
                               env={"SLURM_ARRAY_TASK_ID": str(task), "SLURM_ARRAY_JOB_ID": "17", "SLURM_JOB_ID": "20"},
                               timeout=e2e.SECONDS_MAX)
        e2e.check(ended.returncode == 0, f"shard {task}", ended)
        e2e.check(SECRET not in ended.stdout + ended.stderr, "a shard tells the key", ended)
    tasks = server.sql("SELECT DISTINCT task FROM seat ORDER BY task", "handed")
    e2e.check(tasks == ["17_1", "17_2", "17_3"], f"seats of {tasks}")
    cancelled = e2e.assay(*words, "--wait", "--max-retries", "0", cwd=place, env={**path, "FAKE_SAYS": "cancelled"})
    e2e.expect(cancelled, 2, "ended with 0 and made none", "no cells are left; assay run suite.yml")
    waited = e2e.assay(*words, "--wait", "--max-retries", "0", "--fail-under", "0.5", cwd=place,
                       env={**path, "FAKE_SAYS": "run"})
    e2e.expect(waited, 0)
    e2e.own_settings("")
    single = e2e.assay("run", "suite.yml", f"--base-url=openai={mock.url}/v1", "--attempts", "1", "--max-retries", "0",
                       "--out", "out", cwd=alone, env=with_key)
    e2e.expect(single, 0)
    here, there = e2e.result_files(alone / "out"), e2e.result_files(place / "out")
    e2e.check(len(here) > 1 and here == there, f"files differ: {sorted(p for p in here if here[p] != there.get(p))}")
    again = e2e.assay(*words, "--max-retries", "0", cwd=place, env=path)
    e2e.expect(again, 0, "up to date")

    # The key is in no file but its own, in no word that the engine was told, and in no table.
    for file, text in files_below(folder).items():
        e2e.check(file == key or SECRET not in text, f"the key is in {file}")
    dump = subprocess.run([server.bin / "pg_dump", server.url("handed")], capture_output=True, text=True,
                          check=True).stdout
    packed = server.sql("SELECT count(*) FROM exchange WHERE position('4711'::bytea IN request || reply || raw) > 0",
                        "handed")
    e2e.check(SECRET not in dump and packed == ["0"], "the key is in a table")

    # A task that has given up a service that was down is queued again, at most five times.
    (programs / "scontrol").write_text('#!/bin/sh\necho "$@" >> "$REQUEUED"\n')
    (programs / "scontrol").chmod(0o755)
    tried = Path(folder, "tried.sh")
    tried.write_text(re.sub(r"(?m)^.* --shard .*&$", "(exit \"$ENDS\") &", shard))
    for code, restarts, queued in ((75, 0, True), (130, 4, True), (75, 5, False), (2, 0, False), (0, 0, False)):
        requeued = Path(folder, f"requeued-{code}-{restarts}")
        ended = subprocess.run(["bash", tried], capture_output=True, text=True, check=False, timeout=e2e.SECONDS_MAX,
                               env={**path, "SLURM_JOB_ID": "20", "SLURM_RESTART_COUNT": str(restarts),
                                    "ENDS": str(code), "REQUEUED": str(requeued)})
        told = requeued.read_text() if requeued.exists() else ""
        e2e.check(ended.returncode == code and ("requeue 20" in told) == queued, f"a task that ends with {code}", ended)
        # One that has found no cells left lets the report begin.
        e2e.check((f"update JobName=assay-{run}-fold " in told) == (code == 0), f"a task that ends with {code}: {told}")
    e2e.check((scripts / "done").read_text() != "", "no shard has said that no cells are left")
    e2e.check("&& wait=--wait\n" in fold and fold.endswith(" $wait\n"), f"the report's script:\n{fold}")

    # Kubernetes gets text: pods are told their index, and have files of their own.
    key_of_pods = "/run/secrets/assay/openai"
    (place / "assay.toml").write_text(f"[providers.openai]\nkey_file = '{key_of_pods}'\n")
    digest = e2e.digest_of_powers(place)
    pods = [*base, "--attempts", "2", "--cluster", "kubernetes", "--shards", "2", f"--trust={digest}",
            "--cluster-arg=claim=suites", "--cluster-arg=secret=keys", "--cluster-arg=image=registry.example/assay"]
    printed = e2e.assay(*pods, cwd=place, env=with_key)
    e2e.expect(printed, 0, "kubectl apply")
    begun = server.sql("SELECT id FROM run ORDER BY number DESC LIMIT 1", "handed")[0]
    for part in ("completionMode: Indexed", "completions: 2", f"--join={begun}", f"--fold={begun}", '"--wait"',
                 f"assay-{begun.lower()}-shards", "mountPath: /run/secrets/assay"):
        e2e.check(part in printed.stdout, f"{part} is missing", printed)
    e2e.check(SECRET not in printed.stdout and "PATH" not in printed.stdout, "too much is told", printed)
    # What the pods do: no --shard, and a report that waits.
    arguments = re.findall(r'^        - "(.*)"$', printed.stdout.split("---")[0], re.M)
    e2e.check(arguments[0] == "run" and not [w for w in arguments if w.startswith("--shard=")], f"{arguments}")
    early = [word for word in arguments if not word.startswith(("--shards", "--join"))] + [f"--fold={begun}"]
    e2e.expect(e2e.assay(*early, cwd=place, env=with_key), 2, "no shard of it has begun")
    waiting = e2e.start(*early, "--wait", cwd=place, env=with_key)
    told = waiting.stderr.readline()
    while told and "ranges of cells" not in told:
        told = waiting.stderr.readline()
    e2e.check(told, "the report does not say that it waits")
    second = e2e.assay(*arguments, cwd=place, env={**with_key, "JOB_COMPLETION_INDEX": "1"})
    e2e.expect(second, 0, f"shard 2 of run {begun}")
    output, errors = waiting.communicate(timeout=e2e.SECONDS_MAX)
    e2e.check(waiting.returncode == 0, f"the report waits:\n{output}{errors}")
    e2e.expect(e2e.assay(*arguments, cwd=place, env={**with_key, "JOB_COMPLETION_INDEX": "0"}), 0, "up to date")
    e2e.expect(e2e.assay(*arguments, cwd=place, env={**with_key, "JOB_COMPLETION_INDEX": "2"}), 1, "needs --shard I")
    # What is wrong with a patch is told before anything is begun; a good one is in both Jobs.
    (place / "patch.yml").write_text("spec:\n  completions: 7\n")
    runs = server.sql("SELECT count(*) FROM run", "handed")
    bad = e2e.assay(*pods, "--attempts", "3", "--cluster-arg=patch=patch.yml", cwd=place, env=with_key)
    e2e.expect(bad, 1, "patch.yml:1:1: error: the patch changes completions", "[cluster.patch]")
    e2e.expect(e2e.assay(*pods, "--cluster-arg=patch=absent.yml", cwd=place, env=with_key), 1, "absent.yml")
    e2e.check(server.sql("SELECT count(*) FROM run", "handed") == runs, "a run was begun")
    (place / "patch.yml").write_text("metadata: {labels: {queue: night}}\n")
    patched = e2e.assay(*pods, "--dry-run", "--cluster-arg=patch=patch.yml", cwd=place, env=with_key)
    e2e.check(patched.stdout.count('queue: "night"') == 2, "the patch", patched)

    # Any other engine gets a script, which knows a task's number by many names, and makes the report.
    any_engine = [*base, "--attempts", "4", "--shards", "2", "--cluster", "script", f"--trust={digest}"]
    queued = e2e.assay(*any_engine, "--cluster-arg=--queue=x", cwd=place, env=with_key)
    e2e.expect(queued, 1, "when you submit the script")
    script = e2e.assay(*any_engine, "--out", "scripted", cwd=place, env=with_key)
    e2e.expect(script, 0, "save this as a script")
    e2e.check(SECRET not in script.stdout, "the script tells the key", script)
    (place / "shards.sh").write_text(script.stdout)

    def task(*words, **variables):
        return subprocess.run(["sh", place / "shards.sh", *words], cwd=folder, capture_output=True, text=True,
                              env={**e2e.clean_environment(with_key), **variables}, timeout=e2e.SECONDS_MAX)

    for wrong in (task(), task("0"), task("x"), task(SGE_TASK_ID="undefined"), task(LSB_JOBINDEX="0")):
        e2e.expect(wrong, 1, "expected a task of an array, or the number of a shard, or fold")
    makes = subprocess.Popen(["sh", place / "shards.sh", "fold"], cwd=folder, env=e2e.clean_environment(with_key),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    e2e.expect(task(PBS_ARRAY_INDEX="2"), 0, "shard 2 of run")
    output, errors = makes.communicate(timeout=e2e.SECONDS_MAX)
    e2e.check(makes.returncode == 0, f"the report of a script:\n{output}{errors}")
    for ended in (task("1"), task(AWS_BATCH_JOB_ARRAY_INDEX="0"), task("9"), task(SLURM_ARRAY_TASK_ID="1")):
        e2e.expect(ended, 0, "up to date")
    e2e.check((place / "scripted").exists(), "no files were written")
    mode = stat.S_IMODE(os.stat(scripts / "shard.sh").st_mode)
    e2e.check(mode & 0o022 == 0, f"others may write the scripts: {mode:o}")
