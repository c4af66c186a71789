"""What a folder, a name or an address gets into the jobs of a cluster, and what programs under test see of the user."""
import hashlib
import json
import re

import e2e

from . import Attack

NOWHERE = "postgresql://eve@127.0.0.1:9/runs"  # nobody listens there
PASSWORD = "PgPassw0rd"
KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE",
        "PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE", "PGHOST", "PGSSLKEY", "OPENAI_API_KEY")
LEAK = """import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "init":
        print(json.dumps({"type": "ready", "protocol": "assay-exec/1"}), flush=True)
    elif message["type"] == "turn":
        seen = " ".join(sorted(name for name, value in os.environ.items() if "planted" in value))
        print(json.dumps({"type": "result", "id": message["id"], "answer": f"seen: {seen}."}), flush=True)
"""
ADDRESS = "[base_urls]\nopenai = 'http://127.0.0.1:9901/v1'\n"
PROGRAM = "[allow]\nexec = ['touch PWN']\nhosts = ['intranet']\n"


def make(folder, model="echo:a", settings=""):
    (folder / "suite.yml").write_text(e2e.suite(1, model))
    (folder / "assay.toml").write_text(settings)


def digest(setting, value):
    """Of a single power."""
    return hashlib.sha256(f"{json.dumps(setting)}={json.dumps(value)}\n".encode()).hexdigest()


OF_ADDRESS = digest("base_urls.openai", "http://127.0.0.1:9901/v1")
KEY = {"OPENAI_API_KEY": "sk-planted"}


def scripts(folder, *words, engine="slurm", env=None, code=0):
    more = ["--cluster-arg=claim=c", "--cluster-arg=image=i"] if engine == "kubernetes" else []
    result = e2e.assay("run", "suite.yml", "--store", NOWHERE, "--cluster", engine, "--shards", "2", "--dry-run", *more,
                       *words, cwd=folder, env=env)
    e2e.expect(result, code)
    return result


def trust_in(text):
    return sorted({word for found in re.findall(r"--trust=?([0-9a-f,]*)", text) for word in found.split(",")})


def unused(settings, trusted=False, engine="slurm", words=()):
    """The command uses none of it: no job is told to trust anything."""
    def tries(folder):
        make(folder, settings=settings)
        given = [f"--trust={e2e.digest_of_powers(folder)}"] if trusted else []
        found = trust_in(scripts(folder, *given, *words, engine=engine).stdout)
        return f"jobs trust {found}" if found else None
    return tries


def only_used(folder):
    """The user has agreed to all, the command uses one."""
    make(folder, "openai:gpt-4o-mini", ADDRESS + PROGRAM)
    given = f"--trust={e2e.digest_of_powers(folder)}"
    found = trust_in(scripts(folder, given, "--cluster-setup", ". ./keys", env=KEY).stdout)
    return None if found == [OF_ADDRESS] else f"jobs trust {found}"


def not_agreed(folder):
    """What the command uses, and nobody has agreed to."""
    make(folder, "openai:gpt-4o-mini", ADDRESS)
    result = scripts(folder, "--cluster-setup", ". ./keys", env=KEY, code=1)
    return None if "nobody has trusted" in result.stderr and not result.stdout else result.stdout


def changed_later(settings, model="openai:gpt-4o-mini", words=()):
    """A job with the digest of one power meets a folder that has changed since."""
    def tries(folder):
        make(folder, model, settings)
        result = e2e.assay("run", "suite.yml", f"--trust={OF_ADDRESS}", "--max-retries", "0", *words, cwd=folder,
                           env=KEY)
        e2e.expect(result, 1, "--trust names other powers")
        return "a program ran" if (folder / "PWN").exists() else None
    return tries


def no_variable(name):
    """Kubernetes replaces $(NAME) in words of a pod."""
    def tries(folder):
        (folder / name).write_text(e2e.suite(1))
        result = e2e.assay("run", f"./{name}", "--store", NOWHERE, "--cluster", "kubernetes", "--shards", "2",
                           "--cluster-arg=claim=c", "--cluster-arg=image=i", "--dry-run", cwd=folder,
                           env={"PGUSER": "$(KUBERNETES_SERVICE_HOST)"})
        e2e.expect(result, 0)
        strings = re.findall(r'"((?:[^"\\]|\\.)*)"', result.stdout)
        open_ones = [text for text in strings if re.search(r"\$\(", text.replace("$$", ""))]
        return f"replaced: {open_ones}" if open_ones else None
    return tries


def unseen(*words, granted=""):
    """A program under test sees no key; what --allow-env names it does."""
    def tries(folder):
        make(folder)
        (folder / "leak.py").write_text(LEAK)
        env = {name: "planted-0000" for name in KEYS}
        env["ASSAY_STORE"] = str(folder / "planted.db")
        result = e2e.assay("run", "suite.yml", "-m", "exec:python3 leak.py", "--store", folder / "s.db", *words,
                           cwd=folder, env=env)
        e2e.expect(result, 0)
        shown = e2e.assay("export", "latest", "--to", "jsonl", "--store", folder / "s.db", cwd=folder).stdout
        seen = set(re.search(r"seen: ([^.]*)\.", shown)[1].split())
        more = seen - {granted, "ASSAY_STORE"}
        if more:
            return f"it sees {sorted(more)}"
        return None if not granted or granted in seen else f"{granted} was granted and is not seen"
    return tries


ADDRESSES = {
    "another scheme": "postgresql+psycopg2://eve:{}@db.invalid/x",
    "a space before it": " postgresql://eve:{}@db.invalid/x",
    "a tab before it": "\tpostgres://eve:{}@db.invalid/x",
    "a line end before it": "\npostgresql://eve:{}@db.invalid/x",
    "quotes around it": '"postgresql://eve:{}@db.invalid/x"',
    "single quotes around it": "'postgresql://eve:{}@db.invalid/x'",
    "a hard space before it": "\u00a0postgresql://eve:{}@db.invalid/x",
    "capitals": "POSTGRESQL://eve:{}@db.invalid/x",
    "another database": "mysql://eve:{}@db.invalid/x",
    "of Java": "jdbc:postgresql://db.invalid/x?user=eve&password={}",
    "of Java, of another database": "jdbc:sqlserver://db.invalid;user=eve;pwd={}",
    "one slash": "postgresql+psycopg2:/eve:{}@db.invalid/x",
    "no scheme": "://eve:{}@db.invalid/x",
    "keywords in quotes": '"host=db.invalid user=eve password={}"',
    "keywords with semicolons": "Server=db.invalid;User Id=eve;Password={}",
}
COMMANDS = {
    "run": ("run", "suite.yml", "--store"), "check": ("check", "suite.yml", "--store"),
    "plan": ("plan", "suite.yml", "--store"), "runs": ("runs", "--store"), "show": ("show", "latest", "--store"),
    "export": ("export", "latest", "--to", "csv", "--store"), "compare": ("compare", "a", "b", "--store"),
    "doctor": ("doctor", "--store"), "cache prune": ("cache", "prune", "--older", "9d", "--store"),
    "cache copy to it": ("cache", "copy", "mine.db"), "cache copy from it": ("cache", "copy"),
    "cache adopt": ("cache", "adopt", "--store"), "view": ("view", "latest", "--port", "0", "--store"),
    "shards": ("run", "suite.yml", "--shards", "2", "--shard", "1", "--store"),
    "a cluster": ("run", "suite.yml", "--cluster", "slurm", "--shards", "2", "--dry-run", "--store"),
}


def told(folder, state, result, code=1):
    """Where the password stands."""
    for path in (*folder.rglob("*"), *state.rglob("*")):
        if PASSWORD in path.name or (path.is_file() and PASSWORD in path.read_text(errors="replace")):
            return f"the password stands in {path.name}"
    if PASSWORD in result.stdout + result.stderr:
        return f"the password is printed: {result.stderr}"
    return None if result.returncode == code else f"exit {result.returncode}: {result.stderr}"


def address(form, command):
    def tries(folder):
        place, state = folder / "place", folder / "state"
        place.mkdir()
        make(place)
        env = {"XDG_STATE_HOME": str(state)}
        e2e.expect(e2e.assay("run", "suite.yml", "--store", "mine.db", cwd=place, env=env), 0)
        words = [*COMMANDS[command], ADDRESSES[form].format(PASSWORD)]
        words += ["here.db"] if command == "cache copy from it" else []
        result = e2e.assay(*words, cwd=place, env=env)
        through = told(place, state, result, result.returncode)
        return through or ("it is taken" if result.returncode == 0 else None)
    return tries


def address_in(form, command):
    """The same in assay.toml, which somebody may print by `check`."""
    def tries(folder):
        place, state = folder / "place", folder / "state"
        place.mkdir()
        make(place, settings=f"[run]\nstore = {json.dumps(ADDRESSES[form].format('@@'))}\n".replace("@@", PASSWORD))
        result = e2e.assay(*command, cwd=place, env={"XDG_STATE_HOME": str(state)})
        (place / "assay.toml").unlink()
        return told(place, state, result)
    return tries


OTHER_PLACES = {
    "a suite": ("run",), "a suite to check": ("check",), "an output folder": ("run", "suite.yml", "--out"),
    "a recording": ("run", "suite.yml", "--record"), "an export": ("export", "latest", "--to", "csv", "-o"),
    "a run": ("show",), "one to compare": ("compare", "a"), "a store to view": ("view",),
    "a recording to adopt": ("cache", "adopt"), "a session": ("report",), "a folder to trust": ("trust", "--print"),
}


def elsewhere(command, written):
    """An address in the place of a file makes no file, and is not printed."""
    def tries(folder):
        place, state = folder / "place", folder / "state"
        place.mkdir()
        make(place, settings=written.format(PASSWORD))
        result = e2e.assay(*command, cwd=place, env={"XDG_STATE_HOME": str(state)})
        (place / "assay.toml").unlink()
        return told(place, state, result, result.returncode)
    return tries


ATTACKS = [
    Attack("no power is used", "jobs trust what was agreed to", unused(ADDRESS + PROGRAM)),
    Attack("no power is used: Kubernetes", "jobs trust what was agreed to",
           unused(ADDRESS + PROGRAM, engine="kubernetes")),
    Attack("no power is used, all are trusted", "jobs trust what was agreed to", unused(ADDRESS + PROGRAM, True)),
    Attack("a limit that raises nothing", "jobs trust what was agreed to",
           unused("[limits]\nmax_in_flight = 2\n", True)),
    Attack("a limit that the command line overrules", "jobs trust what was agreed to",
           unused("[limits]\nmax_in_flight = 90\n", True, words=("-j", "2"))),
    Attack("one of two powers is used", "jobs trust what was agreed to", only_used, fast=True),
    Attack("a power that nobody has agreed to", "jobs trust what was agreed to", not_agreed, fast=True),
    Attack("an address that changed", "jobs apply what was agreed to",
           changed_later(ADDRESS.replace("9901", "9902"))),
    Attack("an address for another provider", "jobs apply what was agreed to",
           changed_later(ADDRESS + "mistral = 'http://127.0.0.1:9902/v1'\n", "mistral:m",
                         ("--offline=false",))),
    Attack("a program beside it", "jobs apply what was agreed to", changed_later(ADDRESS + PROGRAM, "exec:touch PWN")),
    Attack("a limit beside it", "jobs apply what was agreed to",
           changed_later(ADDRESS + "[limits]\nmax_errors = 99\n")),
    *[Attack(f"the file {name}", "Kubernetes replaces nothing", no_variable(name))
      for name in ("s$(HOME).yml", "s$$(HOME).yml", "s$$$(HOME).yml", "$(A)$(B).yml")],
    Attack("keys of AWS and PostgreSQL", "programs see no keys", unseen()),
    Attack("one that is granted", "programs see no keys", unseen("--allow-env", "PGPASSWORD", granted="PGPASSWORD")),
    *[Attack(f"{command}: {form}", f"addresses of stores in {command}", address(form, command))
      for command in COMMANDS for form in ADDRESSES],
    *[Attack(f"an address as {what}", "addresses in other places",
             elsewhere((*command, ADDRESSES["another scheme"].format(PASSWORD)), ""))
      for what, command in OTHER_PLACES.items()],
    *[Attack(f"{' '.join(command)}, a line of assay.toml: {line}", "addresses in other places",
             elsewhere(command, line))
      for command in (("check", "suite.yml"), ("run", "suite.yml"), ("trust", "--print"))
      for line in ('[run]\nstoer = "postgresql://eve:{}@h/x"', '[stores]\na = "postgresql://eve:{}@h/x"',
                   '[run]\nstore = postgresql://eve:{}@h/x', '[run]\nstore = 1 # postgresql://eve:{}@h/x',
                   '[run]\nstore = "postgresql://eve:{}@h/x')],
    *[Attack(f"{' '.join(command)}, assay.toml: {form}", "addresses of stores in assay.toml", address_in(form, command))
      for command in (("check", "suite.yml"), ("run", "suite.yml"), ("runs",)) for form in ADDRESSES],
]
