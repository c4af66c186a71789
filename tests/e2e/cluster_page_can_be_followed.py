#!/usr/bin/env python3
"""docs/cluster.md can be followed word by word from nothing: its blocks, pasted one after the other, make a database
with roles, a suite, and reports on a laptop, by Slurm and by Kubernetes.

What stands for the reader's surroundings: a server with passwords at 127.0.0.1 by the name of db.example, a sudo that
is the server's superuser, a mock model service, a real Slurm (where it is installed), and a kubectl that starts the
pods' processes, with nothing but what the Jobs give them."""
import os
import re
import shutil
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402
from postgres import PostgresServer  # noqa: E402
from slurm import PROGRAMS, SlurmCluster  # noqa: E402

PAGE = e2e.ROOT / "docs/cluster.md"
CASES = 4
SUDO = """#!/bin/sh
[ "$1" != -u ] || { shift 2; export PGHOST=@SOCKET@ PGUSER=assay; unset PGHOSTADDR; }
exec "$@"
"""
# Pods see the folder and the secret at their places, and of the environment what their Job says.
KUBECTL = r"""#!/usr/bin/env python3
import os, re, subprocess, sys
words = sys.argv[1:]
if words[:3] == ["create", "secret", "generic"]:
    folder = words[-1].removeprefix("--from-file=")
    sys.exit(0 if sorted(os.listdir(folder)) == ["openai.key", "pg_service.conf"] else "the secret lacks a file")
if words[0] == "apply":
    pods = []
    for job in open(words[-1]).read().split("\n---\n"):
        unquoted = lambda text: eval(text).replace("$$", "$")
        arguments = [unquoted(each) for each in re.findall(r'^        - (".*")$', job, re.M)]
        environment = {name: unquoted(value) for name, value in re.findall(r'- \{name: (\w+), value: (".*")\}', job)}
        folder = unquoted(re.search(r'workingDir: (".*")', job)[1])
        for index in range(int((re.search(r"completions: (\d+)", job) or [0, 1])[1])):
            if "completionMode: Indexed" in job:
                environment = {**environment, "JOB_COMPLETION_INDEX": str(index)}
            pods.append(subprocess.Popen(["@PROGRAM@", *arguments], cwd=folder, env=environment))
    sys.exit(max(pod.wait() for pod in pods))
sys.exit(0 if words[0] == "wait" else f"what is kubectl {words} to do?")
"""


def blocks():
    """By their names, in the order of the page."""
    found = re.findall(r"<!-- followed: (\w+) -->\n```sh\n(.*?)```", PAGE.read_text(), re.S)
    names = [name for name, _ in found]
    e2e.check(names == ["database", "tables", "settings", "suite", "laptop", "slurm", "kubernetes"], f"blocks: {names}")
    return dict(found)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


def server_with_passwords(port):
    os.environ["PGPORT"] = port  # of whoever asks for no other
    server = PostgresServer("listen_addresses=127.0.0.1", f"port={port}")
    rules = Path(server.data, "pg_hba.conf")
    rules.write_text("local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n")
    return server


def surroundings(folder, server, mock, port):
    programs = Path(folder, "programs")
    programs.mkdir()
    for name, text in (("sudo", SUDO), ("kubectl", KUBECTL)):
        (programs / name).write_text(text.replace("@SOCKET@", server.folder.name).replace("@PROGRAM@", e2e.PROGRAM))
        (programs / name).chmod(0o755)
    (programs / "assay").symlink_to(e2e.PROGRAM)
    kept = {name: value for name, value in e2e.clean_environment().items() if not name.startswith(("XDG_", "PG", "CI"))}
    return {**kept, "HOME": str(Path(folder, "home")), "USER": os.environ.get("USER", "root"), "PGPORT": port,
            "PATH": f"{programs}:{server.bin}:{kept['PATH']}", "PGHOSTADDR": "127.0.0.1",
            "ASSAY_BASE_URL": f"openai={mock.url}/v1"}


def follow(name, script, environment, folder, before=()):
    """As a person pastes it; a command that fails is seen."""
    done = subprocess.run([*before, "bash", "-e", "-c", script], cwd=folder, env=environment, capture_output=True,
                          text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=3 * e2e.SECONDS_MAX,
                          check=False)
    logs = [log.read_text(errors="replace") for log in Path(folder).glob("**/fold.log")] if done.returncode else []
    e2e.check(done.returncode == 0, "\n".join((f"docs/cluster.md, {name}", *logs)), done)
    for secret in ("sk-your-key", "password-of-eve"):
        e2e.check(secret not in done.stdout + done.stderr, f"{name} tells {secret}", done)
    return done


def is_a_report(name, done, mock, requests):
    e2e.check(re.search(r"gpt-6-luna.*\b100\b", done.stdout) is not None, f"{name}: no report", done)
    e2e.check(len(mock.requests) == requests, f"{name}: {len(mock.requests)} requests, not {requests}", done)
    keys = {each["headers"].get("authorization") for each in mock.requests}
    e2e.check(keys == {"Bearer sk-your-key"}, f"{name}: keys {keys}")


def by_slurm(script, environment, home):
    """None where no Slurm is installed."""
    places = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    if any(shutil.which(program, path=places) is None for program in PROGRAMS):
        return None
    with SlurmCluster(2) as cluster:
        return follow("slurm", script, {**environment, "SLURM_CONF": cluster.environment["SLURM_CONF"]}, home)


def by_kubernetes(script, environment, home):
    """In a place of its own, since secrets are mounted below /run; None where none can be made."""
    apart = ["unshare", *([] if os.geteuid() == 0 else ["-U", "-r"]), "-m"]
    mounts = [*apart, "sh", "-c", 'mount -t tmpfs tmpfs /run && exec "$@"', "sh"]
    if subprocess.run([*mounts, "true"], capture_output=True, check=False).returncode != 0:
        return None
    return follow("kubernetes", script, environment, home, mounts)


with e2e.scratch() as scratch, ExitStack() as stack:
    text, the_port = blocks(), free_port()
    postgres = stack.enter_context(server_with_passwords(the_port))
    service = stack.enter_context(MockServer())
    home_folder = Path(scratch, "home")
    home_folder.mkdir()
    around = surroundings(scratch, postgres, service, the_port)
    for part in ("database", "tables", "settings", "suite"):
        follow(part, text[part], around, home_folder)
    e2e.check(not service.requests, "something was asked before the first run")
    asked = CASES
    is_a_report("laptop", follow("laptop", text["laptop"], around, home_folder), service, asked)
    skipped = []
    for part, go, attempts in (("slurm", by_slurm, 2), ("kubernetes", by_kubernetes, 3)):
        told = go(text[part], around, home_folder)
        if told is None:
            skipped.append(part)
            continue
        asked = CASES * attempts
        is_a_report(part, told, service, asked)
    if skipped:
        print(f"skipped: not here: {', '.join(skipped)}; the rest is followed")
