"""What assay keeps unasked is for its owner's eyes, and a process that holds a key leaves it nowhere when it dies."""
import os
import resource
import signal
import stat
import subprocess
import time

import e2e
from mock_server import HANG, MockServer

from . import Attack

KEY = "sk-kept-4711-Secret-of-mine"
SUITE = ("title: T\nid: t\nmodels: [openai:gpt-4o-mini]\nprompts:\n" + "".join(
    f"  - {{id: p{i}, prompt: 'say {KEY} {i}', should: [$contains: a]}}\n" for i in range(12)))


def set_up(folder, mock):
    """The words of a run and its environment: its answers hold its key."""
    (folder / "suite.yml").write_text(SUITE.replace(KEY, "it"))
    env = {"OPENAI_API_KEY": KEY, "XDG_STATE_HOME": str(folder / "state")}
    return ["run", "suite.yml", f"--base-url=openai={mock.url}/v1", "-j", "2", "--max-retries", "0"], env


def begun(folder, words, env, before=None):
    return subprocess.Popen([e2e.PROGRAM, *words], cwd=folder, env=e2e.clean_environment(env), preexec_fn=before,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for_requests(mock, count):
    end = time.monotonic() + 30
    while len(mock.requests) < count:
        e2e.check(time.monotonic() < end, "nothing is asked")
        time.sleep(0.01)


def holding_key(folder):
    return [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


def killed(count):
    """Killed when so many answers, each with the key, are under way, on their way to the store or in it."""
    def tries(folder):
        with MockServer(answer=lambda text: f"a {KEY}", delay=0.01) as mock:
            words, env = set_up(folder, mock)
            process = begun(folder, words, env)
            wait_for_requests(mock, count)
            process.kill()
            process.wait(timeout=30)
            first = holding_key(folder)
            e2e.assay(*words, cwd=folder, env=env)
            return f"the key stands in {first + holding_key(folder)}" if first + holding_key(folder) else None
    return tries


def crashed(how):
    """Whoever starts it allows cores of any size."""
    def tries(folder):
        with MockServer(fault=lambda text, attempt: HANG) as mock:
            words, env = set_up(folder, mock)
            process = begun(folder, words, env, lambda: resource.setrlimit(
                resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)))
            wait_for_requests(mock, 1)
            limit = resource.prlimit(process.pid, resource.RLIMIT_CORE)[0]
            process.send_signal(how)
            process.wait(timeout=30)
            if limit not in (0, 1):
                return f"a core may have {limit} bytes"
            cores = [path for path in folder.iterdir() if path.name.startswith("core")]
            return f"{cores} hold the key: {holding_key(folder)}" if cores else None
    return tries


def mode(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


def closed_to_others(folder):
    """While a run goes on, too; results that were asked for are the user's to give away."""
    with MockServer(answer=lambda text: "a", delay=0.05) as mock:
        words, env = set_up(folder, mock)
        process = begun(folder, words, env, lambda: os.umask(0))
        wait_for_requests(mock, 6)
        kept = [path for path in (folder / ".assay").rglob("*") if path.is_file() and path.suffix != ".lock"]
        open_ones = [f"{path} {mode(path):o}" for path in kept if mode(path) & 0o077]
        e2e.check(kept, "there is no store")
        process.wait(timeout=60)
        kept = [path for path in [*(folder / ".assay").rglob("*"), *(folder / "state").rglob("*")]
                if path.is_file() and path.suffix != ".lock"]
        open_ones += [f"{path} {mode(path):o}" for path in kept if mode(path) & 0o077]
        return f"others may read {open_ones}" if open_ones else None


MODES = "what is kept unasked and holds answers is its owner's alone"
CORES = "a crash leaves no core"
KILLS = "a key that comes back is blotted out before anything is written"

ATTACKS = [
    Attack("a store of a run", MODES, closed_to_others, fast=True),
    Attack("a key in memory, and SIGABRT", CORES, crashed(signal.SIGABRT), fast=True),
    Attack("a key in memory, and SIGSEGV", CORES, crashed(signal.SIGSEGV)),
    Attack("a key in memory, and SIGQUIT", CORES, crashed(signal.SIGQUIT)),
] + [Attack(f"killed behind {count} answers", KILLS, killed(count), fast=count == 3) for count in (1, 2, 3, 5, 8, 11)]
