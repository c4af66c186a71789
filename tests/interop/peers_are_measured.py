#!/usr/bin/env python3
"""What assay and its peers cost for the same work, in one run of this script: how long a command takes to start, what a
thousand prompts with two string checks take against a service on loopback that answers at once, and what is installed.
Prints the table of the README; `--update` writes it there, with date and commit. A peer that cannot be
installed here has no row. CPU is user and system time of all processes of the tool."""
import datetime
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import interop  # noqa: E402
from mock_server import MockServer  # noqa: E402

PROMPTS = 1000
STARTS = 5
PEERS = interop.folder() / "peers"
PORTABLE = e2e.ROOT / "build/portable/assay"
OURS = str(PORTABLE) if PORTABLE.exists() else e2e.PROGRAM    # what others install, where it was built
README = e2e.ROOT / "README.md"
BEGIN, END = "<!-- begin: peers (tests/interop/peers_are_measured.py --update) -->\n", "<!-- end: peers -->"
PYTHON = {"inspect": ["inspect-ai==0.3.285", "openai"], "lmeval": ["lm-eval[api]==0.4.13"]}
PROMPTFOO = "promptfoo@0.121.20"    # the newest that runs with Node 20
# No peer gets the home of the user, whose settings it may read or change.
QUIET = {"HOME": str(PEERS / "home"), "PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1",
         "PROMPTFOO_DISABLE_SHARING": "1",
         "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1", "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1",
         "TOKENIZERS_PARALLELISM": "false", "OPENAI_API_KEY": "sk-test"}


def measured(words, cwd, env=None, ok=(0,)):
    """Wall and CPU seconds of a command and all its children."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(list(map(str, words)), cwd=cwd, env=e2e.clean_environment({**QUIET, **(env or {})}),
                          capture_output=True, text=True, errors="replace", check=False, timeout=600)
    wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    e2e.check(done.returncode in ok, f"{words[0]} ended in {done.returncode}", done)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def size_mb(*paths):
    files = (file for path in paths for file in ([path] if path.is_file() else path.rglob("*")))
    return sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink()) / 1e6


def installed_mb(program):
    """As packages have it: without what is for debuggers."""
    with e2e.scratch() as folder:
        stripped = Path(folder, "assay")
        subprocess.run(["strip", "--strip-all", "-o", stripped, program], check=True)
        return size_mb(stripped)


def python_peer(name):
    place = PEERS / name
    if not (place / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        pip = [place / "bin/pip", "install", "-q", "--disable-pip-version-check", *PYTHON[name]]
        if subprocess.run(list(map(str, pip)), capture_output=True, check=False).returncode != 0:
            return None
        (place / "ready").touch()
    return place


def promptfoo():
    place = PEERS / "promptfoo"
    program = place / "node_modules/.bin/promptfoo"
    if not program.exists():
        place.mkdir(parents=True, exist_ok=True)
        (place / "package.json").write_text("{}")
        npm = ["npm", "install", "--no-audit", "--no-fund", "--prefix", place, PROMPTFOO]
        subprocess.run(list(map(str, npm)), capture_output=True, check=False)
    return program if program.exists() else None


def run_assay(folder, url):
    prompts = "".join(f"- id: p{i}\n  prompt: say Mock {i}\n  should: [$contains: Mock, $matches: '[0-9]+']\n"
                      for i in range(PROMPTS))
    (folder / "suite.yml").write_text("models: [openai:m]\n---\n" + prompts)
    return measured([OURS, "run", "suite.yml", "-q", f"--base-url=openai={url}/v1", "-j", "64"], folder)


def run_promptfoo(program, folder, url):
    config = {"prompts": ["{{q}}"], "evaluateOptions": {"maxConcurrency": 64},
              "providers": [{"id": "openai:chat:m", "config": {"apiBaseUrl": f"{url}/v1", "temperature": 0}}],
              "tests": [{"vars": {"q": f"say Mock {i}"}, "assert": [{"type": "contains", "value": "Mock"},
                                                                   {"type": "regex", "value": "[0-9]+"}]}
                        for i in range(PROMPTS)]}
    (folder / "promptfooconfig.json").write_text(json.dumps(config))
    return measured([program, "eval", "-c", "promptfooconfig.json", "--no-cache", "--no-table", "--no-progress-bar",
                     "-o", "out.json"], folder, {"PROMPTFOO_CONFIG_DIR": str(folder / "state")})


INSPECT_TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes, pattern
@task
def mock():
    samples = [Sample(input=f"say Mock {{i}}", target="Mock") for i in range({prompts})]
    return Task(dataset=samples, scorer=[includes(), pattern("([0-9]+)")])
"""


def run_inspect(place, folder, url):
    (folder / "task.py").write_text(INSPECT_TASK.format(prompts=PROMPTS))
    return measured([place / "bin/inspect", "eval", "task.py", "--model", "openai/m", "--model-base-url", f"{url}/v1",
                     "--max-connections", "64", "--display", "none", "--temperature", "0"], folder,
                    {"OPENAI_BASE_URL": f"{url}/v1", "HOME": str(folder)})


LMEVAL_TASK = """
task: mock
dataset_path: json
dataset_kwargs: {{data_files: {{test: {file}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{q}}}}"
doc_to_target: "{{{{a}}}}"
generation_kwargs: {{until: ["###"], max_gen_toks: 64, temperature: 0}}
metric_list:
  - {{metric: exact_match, aggregation: mean, higher_is_better: true, ignore_punctuation: true}}
"""


def run_lmeval(place, folder, url):
    rows = "".join(json.dumps({"q": f"say Mock {i}", "a": f"Mock {i}"}) + "\n" for i in range(PROMPTS))
    (folder / "rows.jsonl").write_text(rows)
    (folder / "mock.yaml").write_text(LMEVAL_TASK.format(file=folder / "rows.jsonl"))
    arguments = f"model=m,base_url={url}/v1/chat/completions,num_concurrent=64,tokenized_requests=False"
    return measured([place / "bin/lm_eval", "run", "--model", "local-chat-completions", "--model_args", arguments,
                     "--tasks", "mock", "--include_path", folder, "--apply_chat_template", "--log_samples",
                     "--output_path", "out"], folder, {"HOME": str(folder)})


def row(name, version, installed, start, runs):
    walls, cpus = zip(*start, strict=True)
    start_text = f"{statistics.median(walls):.2g} s ({statistics.median(cpus):.2g} s)"
    cells = [name, version, f"{installed:,.0f} MB", start_text]
    cells.append(f"{runs[1]:.2g} s ({runs[0]:.2g} s)" if runs[1] < 100 else f"{runs[1]:.0f} s ({runs[0]:.0f} s)")
    print(f"{name}: {cells[1:]}", flush=True)
    return "| " + " | ".join(cells) + " |"


def starts(*words):
    with e2e.scratch() as folder:
        return [measured(words, folder) for _ in range(STARTS)]


def version_of(*words):
    said = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=e2e.clean_environment(QUIET),
                          check=False).stdout
    return (re.search(r"\d+\.\d+\.\d+", said) or [""])[0]


def missing(name):
    print(f"{name}: cannot be installed here", flush=True)


def rows(url):
    def in_scratch(run, *more):
        with e2e.scratch() as folder:
            return run(*more, Path(folder), url)

    def of_python(title, name, program, package, run):
        place = python_peer(name)
        if not place:
            return missing(title)
        return row(title, version_of(place / "bin/pip", "show", package), size_mb(place / "lib"),
                   starts(place / "bin" / program, "--help"), in_scratch(run, place))

    yield row("**assay**", version_of(OURS, "--version"), installed_mb(OURS), starts(OURS, "--help"),
              in_scratch(run_assay))
    program = promptfoo() if shutil.which("npm") else None
    yield missing("promptfoo") if not program else row(
        "promptfoo", version_of(program, "--version"), size_mb(PEERS / "promptfoo/node_modules"),
        starts(program, "--help"), in_scratch(run_promptfoo, program))
    yield of_python("Inspect", "inspect", "inspect", "inspect-ai", run_inspect)
    yield of_python("lm-eval", "lmeval", "lm_eval", "lm-eval", run_lmeval)


def table(made):
    said = subprocess.run([OURS, "--version"], capture_output=True, text=True, check=False).stdout
    commit = (re.search(r"commit (\w+)", said) or ["", "unknown"])[1]
    head = (f"| | version | installed | `--help`, wall (CPU) | {PROMPTS:,} prompts, two checks: CPU (wall) |\n"
            "|---|---|---|---|---|\n")
    where = f"Measured on {datetime.date.today()}, the program of commit {commit}, {os.cpu_count()} cores, "
    where += f"by one run of the script. At its end, other work on the machine made a load of {os.getloadavg()[0]:.0f}."
    return head + "\n".join(made) + f"\n\n{where}"


with MockServer() as mock:
    made = list(filter(None, rows(mock.url)))
if len(made) < 2:
    e2e.skip("no peer can be installed here")
text = table(made)
print(text)
if "--update" in sys.argv:
    head, rest = README.read_text().split(BEGIN, 1)
    README.write_text(head + BEGIN + text + "\n" + END + rest.split(END, 1)[1])
