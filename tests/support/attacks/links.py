"""Links and names that lead out of a folder: no file outside of it is read, sent or written."""
import shutil

import e2e

from . import Attack

HOME = "home"
SECRET = "the secret words of this user"
BLUEPRINT = ("title: T\nid: t\nmodels: [echo:a]\nprompts:\n"
             "  - {id: a, prompt: q, should: [{$contains: secret}]}\n"
             "  - {id: b, prompt: q, should: [{$contains: b}]}\n")
CASE = "id: a\nprompt_path: question.txt\ntype: code completion\nlang: python\ngrading:\n  keywords: [secret]\n"


def make(folder, form):
    """A suite of this form in folder/suite, answers to it in folder/suite/answers, a secret in folder/home."""
    suite, home = folder / "suite", folder / "home"
    (suite / "answers").mkdir(parents=True)
    (home / "inside").mkdir(parents=True)
    (home / "a.txt").write_text(SECRET)
    (home / "a.yaml").write_text(SECRET)
    (home / "inside" / "a.txt").write_text(SECRET)
    if form == "blueprint":
        (suite / "suite.yml").write_text(BLUEPRINT)
    else:
        (suite / "suite.yaml").write_text("cases: [a.yaml]\n")
        (suite / "a.yaml").write_text(CASE)
        (suite / "question.txt").write_text("write")
    return suite, home


def told(folder, result):
    """Where the secret stands that should stand nowhere else."""
    home = folder / "home"
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and home not in path.parents and folder / "suite" != path:
            real = path.resolve()
            if home not in real.parents and SECRET.encode() in path.read_bytes():
                return f"the secret stands in {path.relative_to(folder)}"
    return "the secret is printed" if SECRET in result.stdout + result.stderr else None


def refused(form, plant, *words, says="leads to", code=1):
    """`plant(suite, home)` puts the link there; `words` of the command. An error names where it leads."""
    def tries(folder):
        suite, home = make(folder, form)
        plant(suite, home)
        result = e2e.assay(*words, cwd=suite)
        if (problem := told(folder, result)) is not None:
            return problem
        e2e.check(result.returncode == code, f"expected exit {code}, not {result.returncode}", result)
        allows = "--allow-path" in result.stderr or code != 1
        e2e.check(says in result.stderr and allows, "it says where it leads", result)
        return None
    return tries


def link(name, target, directory=False):
    def plant(suite, home):
        place = suite / "answers" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(home / target)
    return plant


def params(text, also=None):
    def plant(suite, home):
        (suite / "answers" / "params.yaml").write_text(text.format(home=home))
        if also is not None:
            also(suite, home)
    return plant


def chain(suite, home):
    (suite / "one").symlink_to(home)
    (suite / "two").symlink_to(suite / "one")
    (suite / "answers" / "a.txt").symlink_to(suite / "two" / "a.txt")


def recording(suite, home):
    (home / "r.jsonl").write_text(SECRET)
    (suite / "suite.replay.jsonl").symlink_to(home / "r.jsonl")


def prompt(suite, home):
    (suite / "a.yaml").write_text(CASE.replace("prompt_path: question.txt", "prompt_path: in.txt"))
    (suite / "in.txt").symlink_to(home / "a.txt")


def case_file(suite, home):
    (suite / "a.yaml").unlink()
    (suite / "a.yaml").symlink_to(home / "a.yaml")


def allowed(folder):
    """What the user allows is read, and a folder that he names may itself be a link."""
    suite, home = make(folder, "blueprint")
    link("a.txt", "a.txt")(suite, home)
    (folder / "named").symlink_to(suite / "answers")
    words = ["run", "suite.yml", "--responses", "../named/", "--json"]
    e2e.expect(e2e.assay(*words, cwd=suite), 1, "leads to", "--allow-path")
    result = e2e.assay(*words, "--allow-path", str(home), cwd=suite)
    e2e.expect(result, 0)
    return None if e2e.one_run(result)["mean"] == 1 else "the answer that was allowed is not read"


def named_folder(folder):
    suite, _ = make(folder, "blueprint")
    (suite / "answers" / "a.txt").write_text("a secret of one's own")
    (folder / "named").symlink_to(suite / "answers")
    result = e2e.assay("run", "suite.yml", "--responses", "../named/", "--json", cwd=suite)
    e2e.expect(result, 0)
    return None if e2e.one_run(result)["mean"] == 1 else "a folder that is a link is not read"


def written_through(folder):
    suite, home = folder / "suite", folder / "home"
    suite.mkdir()
    home.mkdir()
    (suite / "suite.yml").write_text(e2e.suite(2))
    (suite / ".assay").symlink_to(home)
    e2e.expect(e2e.assay("run", "suite.yml", cwd=suite), 2, "is a link")
    return None if not list(home.iterdir()) else f"written: {list(home.iterdir())}"


def held(suite, home, result):
    """Nothing but refusals: what lies outside is as it was."""
    there = {path.name: path.read_text() for path in home.iterdir()}
    if there != {"mine": "mine"}:
        return f"written: {sorted(there)}"
    return None if "is a link" in result.stderr and result.returncode else f"exit {result.returncode}: {result.stderr}"


def writes(links, *words):
    """The folder brings these names as links to a folder outside; the command would write below them. {here}: the
    folder's whole path."""
    def tries(folder):
        suite, home = folder / "suite", folder / "home"
        suite.mkdir()
        home.mkdir()
        (suite / "suite.yml").write_text(e2e.suite(2))
        (home / "mine").write_text("mine")
        e2e.expect(e2e.assay("run", "suite.yml", "--store", "own.db", "--out", "own", cwd=suite), 0)
        for name in links:
            (suite / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(suite / name, ignore_errors=True)
            (suite / name).symlink_to(home)
        said = [word.replace("{here}", str(suite)) for word in words]
        return held(suite, home, e2e.assay(*said, cwd=suite))
    return tries


def read_through(name, *words):
    """A reader leaves nothing beside a store that a link in the folder leads to."""
    def tries(folder):
        suite, home = make(folder, "blueprint")
        e2e.expect(e2e.assay("run", "suite.yml", cwd=suite), 0)
        (suite / ".assay").rename(home / "kept")
        if name == ".assay":
            (suite / name).symlink_to(home / "kept")
        else:
            (suite / ".assay").mkdir()
            (suite / name).symlink_to(home / "kept" / "store.db")
        before = sorted(home.rglob("*"))
        result = e2e.assay(*words, cwd=suite)
        e2e.expect(result, 0)
        if sorted(home.rglob("*")) != before:
            return f"{words} left {set(home.rglob('*')) - set(before)}"
        # SQLite needs a file of its own for what lies in a -wal.
        (home / "kept" / "store.db-wal").write_bytes(b"x" * 100)
        result = e2e.assay(*words, cwd=suite)
        return None if result.returncode == 1 and "is a link" in result.stderr else f"{result.stderr}"
    return tries


def beside_store(name, *words):
    """SQLite would write into what lies beside a store."""
    def tries(folder):
        suite, home = folder / "suite", folder / "home"
        suite.mkdir()
        home.mkdir()
        (suite / "suite.yml").write_text(e2e.suite(2))
        (home / "mine").write_text("mine")
        e2e.expect(e2e.assay("run", "suite.yml", cwd=suite), 0)
        for target in (home / "mine", home / "new"):
            (suite / ".assay" / f"store.db{name}").unlink(missing_ok=True)
            (suite / ".assay" / f"store.db{name}").symlink_to(target)
            if (through := held(suite, home, e2e.assay(*words, cwd=suite))) is not None:
                return through
        return None
    return tries


def cluster_scripts(link):
    """An engine that would take the scripts, and a server that nobody needs for that."""
    def tries(folder):
        suite, home, programs = folder / "suite", folder / "home", folder / "programs"
        for each in (suite, home, programs):
            each.mkdir()
        (suite / "suite.yml").write_text(e2e.suite(2))
        (home / "mine").write_text("mine")
        (programs / "sbatch").write_text("#!/bin/sh\necho 7\n")
        (programs / "sbatch").chmod(0o755)
        (suite / link).parent.mkdir(exist_ok=True)
        (suite / link).symlink_to(home)
        result = e2e.assay("run", "suite.yml", "--store", "postgresql://eve@127.0.0.1:9/runs", "--cluster", "slurm",
                           "--shards", "2", cwd=suite, env={"PATH": f"{programs}:/usr/bin:/bin"})
        return held(suite, home, result)
    return tries


RUN = ("run", "suite.yml", "--responses", "answers/")
GRADE = ("grade", "suite.yml", "answers/")
INFIBENCH = ("grade", "suite.yaml", "answers")
LISTED = "answer_paths:\n  {case}: [{name}]\n"


def listed(name, case="a", also=None):
    return params(LISTED.replace("{case}", case).replace("{name}", name), also)


ATTACKS = [
    Attack("a store's folder that is a link", "no writing through links", written_through),
    *[Attack(f"scripts of a cluster: {name}", "no writing through links", cluster_scripts(name))
      for name in (".assay", ".assay/cluster")],
    *[Attack(f"{' '.join(words)}: {' '.join(links)}", "no writing through links above", writes(links, *words))
      for links, words in (
          (("results",), ("run", "suite.yml")), (("results/live",), ("run", "suite.yml")),
          (("out",), ("run", "suite.yml", "--out", "out/new/er")),
          (("a/out",), ("run", "suite.yml", "--out", "a/out/b")),
          (("a",), ("run", "suite.yml", "--out", "./a/../a/b")), (("a",), ("run", "suite.yml", "--out", "{here}/a/b")),
          (("a",), ("run", "suite.yml", "--out", "../suite/a/b")),
          (("a",), ("run", "suite.yml", "--out", "new/../a/b")),
          (("a",), ("run", "suite.yml", "--store", "new/../a/b/store.db")),
          (("a",), ("run", "suite.yml", "--store", "a/b/store.db")),
          (("a",), ("run", "suite.yml", "--store", "a/store.db")),
          (("a",), ("run", "suite.yml", "--store", "{here}/a/b/store.db")),
          (("a",), ("run", "suite.yml", "--record", "a/r.jsonl")),
          (("a",), ("run", "suite.yml", "--record", "a/b/r.jsonl")),
          (("a",), ("export", "latest", "--store", "own.db", "--to", "csv", "-o", "a/b/x.csv")),
          (("a",), ("export", "latest", "--store", "own.db", "--to", "html", "-o", "a/x.html")),
          (("a",), ("cache", "copy", "own.db", "a/b/copy.db")), (("a",), ("init", "blueprint", "a/b")),
          (("a",), ("init", "exec", "a/b")),
          (("assay-demo",), ("demo",)))],
    *[Attack(f"{words[0]}: store.db{name} is a link", "nothing beside a store is a link", beside_store(name, *words))
      for name in ("-wal", "-shm", "-journal")
      for words in (("run", "suite.yml", "--fresh"), ("show", "latest"), ("runs",),
                    ("cache", "prune", "--older", "9d"))],
    *[Attack(f"{words[0]}: {name} is a link", "a reader writes nothing through links", read_through(name, *words))
      for name in (".assay", ".assay/store.db")
      for words in (("runs",), ("show", "latest", "--json"))],
    Attack("the user's own word", "the user may allow a path", allowed),
    Attack("a folder that the user names", "a folder that is named may be a link", named_folder),
    *[Attack(f"{' '.join(words[:1])}: {name}", "linked answers", refused("blueprint", plant, *words))
      for words in (RUN, GRADE, ("show", "answers/"), ("export", "answers/", "--to", "csv"))
      for name, plant in (("a linked answer", link("a.txt", "a.txt")), ("a linked folder", link("m", "inside")),
                          ("an answer in a linked folder", link("m/../n", "inside")),
                          ("a linked answer of a model", link("m/a.txt", "a.txt")), ("a chain of links", chain))],
    *[Attack(f"{' '.join(words[:2])}: {name}", "names of params.yaml",
             refused("blueprint", plant, *words, says=says))
      for words in (RUN, GRADE)
      for name, plant, says in (("a linked file", listed("x.txt", also=link("x.txt", "a.txt")), "leads to"),
                                ("a linked folder", listed("m/a.txt", also=link("m", "inside")), "leads to"))],
    # A whole path is a name in the folder, and there is no such file: an attempt that is missing.
    *[Attack(f"grade InfiBench: {name}", "names of params.yaml",
             refused("infibench", plant, *INFIBENCH, says=says, code=2 if name == "a whole path" else 1))
      for name, plant, says in
      (("a linked file", listed("x.txt", "a.yaml", link("x.txt", "a.txt")), "leads to"),
       ("a linked folder", listed("m/a.txt", "a.yaml", link("m", "inside")), "leads to"),
       ("a name above", listed("../../" + HOME + "/a.txt", "a.yaml"), "lies outside"),
       ("a whole path", listed("{home}/a.txt", "a.yaml"), "there is no file"))],
    Attack("a linked prompt", "files that a suite names",
           refused("infibench", prompt, "run", "suite.yaml", "-m", "echo:a")),
    Attack("a linked case", "files that a suite names", refused("infibench", case_file, "check", "suite.yaml")),
    Attack("a linked recording", "files that a suite names", refused("blueprint", recording, "run", "suite.yml")),
]
