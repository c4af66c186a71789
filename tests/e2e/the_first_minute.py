#!/usr/bin/env python3
"""Whoever has just installed assay: the demo runs offline and says what to try next, init writes what the one key that
is set can run, doctor begins with the next step, help shows pages, slips are told, screens fold what is wide."""
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

VERDICT = "<reflection>It does.</reflection><classification>CLASS_EXACT</classification>"
# The pages of `assay help`; docs/style.md is for those who write them, and docs/faq.md has no topic yet.
PAGES = [page for page in sorted((e2e.ROOT / "docs").glob("*.md")) if page.stem != "style"]
TOPICS = [page.stem for page in PAGES] + [
    f"{folder}/{page.stem}" for folder in ("coming-from", "reference", "tutorials")
    for page in sorted((e2e.ROOT / "docs" / folder).glob("*.md"))]
COLOR = re.compile(r"\x1b\[\d*m")


def answer(text):
    return VERDICT if "CLASS_EXACT" in text else "France has Paris."


def on_a_screen(columns, *words, cwd, env=None):
    """What the program writes to a terminal of so many columns."""
    said, _ = e2e.on_terminal(*words, cwd=cwd, env={"TERM": "xterm", **(env or {})}, columns=columns)
    return said.replace("\r\n", "\n")


def demo(folder):
    shown = e2e.assay("demo", cwd=folder)
    e2e.expect(shown, 0)
    e2e.check("did not make" not in shown.stdout, "the program's own recording is not foreign", shown)
    page = re.search(r"the page, for a browser: (\S+report\.html)\n", shown.stdout)
    e2e.check(page and Path(page[1]).stat().st_size > 10_000, "the page is there", shown)
    tried = re.findall(r"(?m)^  assay (.*?)  ", shown.stdout)
    e2e.check(len(tried) == 3, "three commands to try next", shown)
    inside = Path(folder, "assay-demo")
    for words in tried:
        e2e.expect(e2e.assay(*words.split(), cwd=inside), 0)
    e2e.expect(e2e.assay("demo", cwd=folder), 0, "up to date")
    Path(inside, "civic-knowledge.yml").write_text("mine")
    e2e.expect(e2e.assay("demo", cwd=folder), 1, "name another folder")
    e2e.check(Path(inside, "civic-knowledge.yml").read_text() == "mine", "nothing of mine is written over")
    e2e.expect(e2e.assay("demo", "a folder", cwd=folder, env={"ASSAY_MODEL": "echo:a"}), 0)


def init_and_doctor(folder):
    def next_step(*words, cwd, env=None):
        shown = e2e.assay("doctor", *words, cwd=cwd, env=env)
        e2e.check(shown.returncode == 0 and shown.stdout.count("next: ") == 1, "one next step", shown)
        e2e.check(shown.stdout.startswith("next: "), "the next step comes first", shown)
        return shown.stdout.removeprefix("next: ").partition("\n")[0]

    empty = Path(folder, "empty")
    empty.mkdir()
    plain = e2e.assay("doctor", cwd=empty, env={"OPENAI_API_KEY": "sk-test"}).stdout
    e2e.check("OPENAI_API_KEY is set" in plain and "MISTRAL_API_KEY" not in plain, f"only keys that are set: {plain}")
    e2e.check("csharp" not in plain, f"languages only for a suite: {plain}")
    full = e2e.assay("doctor", "--all", cwd=empty).stdout
    e2e.check("csharp" in full and "MISTRAL_API_KEY" in full, f"--all lists everything: {full}")
    Path(empty, "action.yml").write_text("name: a\ndescription: b\nruns: {using: composite}\n")
    e2e.check("action.yml" not in next_step(cwd=empty), "an action of GitHub is no suite")
    e2e.check(next_step(cwd=empty).startswith("assay demo"), "without anything, the demo is next")
    e2e.expect(e2e.assay("demo", cwd=empty), 0)
    e2e.check(next_step(cwd=empty).startswith("assay view assay-demo: "), "once the demo was run, its runs are next")
    Path(empty, "assay-demo", "civic-knowledge.yml").unlink()
    e2e.check(next_step(cwd=Path(empty, "assay-demo")).startswith("assay view: "), "runs without a suite are next")
    for provider, variable in (("anthropic", "ANTHROPIC_API_KEY"), ("openai", "OPENAI_API_KEY"),
                               ("google", "GEMINI_API_KEY"), ("openrouter", "OPENROUTER_API_KEY")):
        key = {variable: "sk-test"}
        e2e.check(f"init: a suite for {provider}:" in next_step(cwd=empty, env=key), f"init is next with {variable}")
        e2e.expect(e2e.assay("init", "blueprint", provider, cwd=folder, env=key), 0, f"the suite asks {provider}:")
        inside = Path(folder, provider)
        checked = e2e.assay("check", "--strict", "blueprint.yml", cwd=inside)
        e2e.expect(checked, 0)
        planned = json.loads(e2e.assay("plan", "blueprint.yml", "--json", cwd=inside, env=key).stdout)[0]
        asked = {call["model"].partition(":")[0] for call in planned["calls"]}
        e2e.check(asked == {provider} and any(call["role"] == "judge" for call in planned["calls"]),
                  f"one key is enough: {planned['calls']}")
        e2e.check("blueprint.yml" in next_step(cwd=inside, env=key), "the suite is next")
        e2e.check(next_step("blueprint.yml", cwd=inside, env=key).startswith("assay run blueprint.yml"), "run is next")
        e2e.check(variable.startswith("GEMINI") or f"{variable} is not set" in next_step("blueprint.yml", cwd=inside),
                  "the missing key is next")
    with MockServer(answer=answer) as mock:
        ran = e2e.assay("run", "blueprint.yml", f"--base-url=anthropic={mock.url}", cwd=Path(folder, "anthropic"),
                        env={"ANTHROPIC_API_KEY": "sk-test"})
        e2e.expect(ran, 0)


def helped(folder):
    doctor = e2e.assay("doctor", cwd=folder).stdout
    e2e.check("level ns\n" not in doctor, f"doctor says what a level of the sandbox is: {doctor}")
    topics = e2e.assay("help", "topics", cwd=folder).stdout
    for topic in TOPICS:
        e2e.check(re.search(rf"(?m)^{topic} ", topics), f"docs/{topic}.md is a topic")
        shown = e2e.assay("help", topic, cwd=folder)
        title = (e2e.ROOT / "docs" / f"{topic}.md").read_text().splitlines()[0].removeprefix("# ")
        e2e.check(shown.returncode == 0 and title in shown.stdout, f"{topic} is shown", shown)
        e2e.check("](blueprint.md" not in shown.stdout, "links are words", shown)
    e2e.expect(e2e.assay("help", "judgng", cwd=folder), 1, "assay help judging")
    e2e.expect(e2e.assay("help", "rank", cwd=folder), 1, '"Ranks" is in `assay help statistics`')
    e2e.expect(e2e.assay("help", "exec", cwd=folder), 1, "`assay help formats/assay-exec`")
    e2e.expect(e2e.assay("help", "assay-exec", cwd=folder), 0)
    shown = e2e.assay("help", "policy-expert", cwd=folder)
    e2e.check("Ten minutes for policy experts" in shown.stdout, "the last part of a path is enough", shown)
    short, full = (e2e.assay("run", *words, cwd=folder).stdout for words in (["--help"], ["--help", "all"]))
    e2e.check(len(re.findall(r"(?m)^  .*--", short)) == 10 and "--help all" in short, f"ten options first: {short}")
    e2e.check(len(full) > 5 * len(short) and "--idle-timeout" in full, "all of them on request")
    e2e.check(e2e.assay("help", "run", "all", cwd=folder).stdout == full, "the same by the other way")


def slips(folder):
    e2e.expect(e2e.assay("veiw", "--help", cwd=folder), 1, 'no command "veiw"')
    e2e.expect(e2e.assay("run", "a.yml", "--concurrency", "4", cwd=folder), 1, "it is -j, --max-in-flight here")
    wrong = e2e.assay("list", "checks", cwd=folder, env={"ASSAY_MAX_RETRY": "3"})
    e2e.expect(wrong, 0, "warning: ASSAY_MAX_RETRY has no effect; did you mean ASSAY_MAX_RETRIES?")
    right = e2e.assay("list", "checks", cwd=folder, env={"ASSAY_MAX_RETRIES": "3", "ASSAY_SOMETHING_OF_MINE": "x",
                                                         "ASSAY_UNITY": "ON"})
    e2e.check(not right.stderr, "other names are nobody's business", right)
    version = e2e.assay("--version", cwd=folder).stdout
    e2e.check(re.match(r"assay \d+\.\d+\.\d+\ncommit \w+\nwith .*SQLite \d", version), version)


def named(folder):
    """What somebody meant, of runs, cases and variants."""
    inside = Path(folder, "a folder")
    for words, *fragments in (
            (["show", "lastest"], "did you mean latest?"),
            (["show", "latest", "--case", "vote-by-txt"], 'no case "vote-by-txt", did you mean "vote-by-text"?'),
            (["compare", "latest#carefull", "latest#hasty"], "demo:careful"),
            (["run", "civic-knowledge.yml", "--select", "vote"], 'has the id "vote", did you mean "vote-by-text"?'),
            (["run", "civic-knowledge.yml", "--filter", "loop"], 'matches the filter "loop"; there are')):
        e2e.expect(e2e.assay(*words, cwd=inside), 1, *fragments)
    e2e.expect(e2e.assay("init", "infibench", "suite", cwd=folder), 0)
    inside = Path(folder, "suite")
    for words in (["--select", "undo"], ["--filter", "und*"], ["--select", "cases/undo.yaml"]):
        e2e.expect(e2e.assay("run", "suite.yaml", "-m", "echo:a", *words, cwd=inside), 0)
    e2e.expect(e2e.assay("run", "suite.yaml", "-m", "echo:a", "--select", "undoo", cwd=inside), 1,
               'did you mean "cases/undo.yaml"?')
    shown = e2e.assay("show", "latest", "--case", "undo", cwd=inside)
    e2e.check(shown.returncode == 0 and "case cases/undo.yaml" in shown.stdout, "a case by its name alone", shown)
    Path(inside, "two.yml").write_text("models: [echo:a]\nsystems: [null, Be brief.]\ntemperatures: [0, 0.5]\n---\n"
                                       "prompt: say x\nshould: [$contains: x]\n")
    ran = e2e.assay("run", "two.yml", cwd=inside)
    e2e.check(ran.returncode == 0 and "[sp_idx:" not in ran.stdout and "system prompt “Be brief.”" in ran.stdout,
              "parameters are words", ran)


def words_stay_whole():
    """Pages and tables are folded at blanks alone."""
    pages = [["help", page.stem] for page in PAGES]
    pages += [["list", "models"], ["list", "providers"], ["run", "--help", "all"]]
    for words in pages:
        whole = set(e2e.assay(*words, cwd=e2e.ROOT).stdout.split())
        for columns in (60, 80):
            shown = on_a_screen(columns, *words, cwd=e2e.ROOT, env={"NO_COLOR": "1"})
            kept = set(shown.split())
            broken = [word for word in whole if len(word) <= columns and word not in kept]
            e2e.check(len(whole) > 50 and not broken, f"{words} at {columns} columns breaks {broken[:5]}")
    listed = on_a_screen(60, "help", "cli", cwd=e2e.ROOT, env={"NO_COLOR": "1"})
    e2e.check("write a commented starter:\n" + " " * 34 + "blueprint," in listed, f"words fold:\n{listed[:3000]}")


def screens(folder):
    inside = Path(folder, "a folder")
    for words in (["show", "latest"], ["show", "latest", "--failed"], ["list", "providers"], ["run", "--help", "all"]):
        shown = on_a_screen(72, *words, cwd=inside)
        table = shown if words[0] != "show" else shown.partition("rank")[2].partition("\n\n")[0]
        widest = max(map(len, COLOR.sub("", table).splitlines()), default=0)
        e2e.check(widest <= 72, f"{words} is {widest} wide:\n{shown}")
    shown = on_a_screen(72, "show", "latest", cwd=inside)
    e2e.check("\x1b[32m✓" in shown and "\x1b[31m✗" in shown, f"states have colours:\n{shown}")
    plain = on_a_screen(72, "show", "latest", cwd=inside, env={"NO_COLOR": "1"})
    e2e.check("\x1b[3" not in plain, f"not with NO_COLOR:\n{plain}")
    never = on_a_screen(72, "show", "latest", "--color", "never", cwd=inside)
    e2e.check("\x1b[3" not in never, f"nor with --color never:\n{never}")
    e2e.check("\x1b[32m" in e2e.assay("show", "latest", "--color", "always", cwd=inside).stdout, "--color always")
    e2e.check("\x1b" not in e2e.assay("show", "latest", cwd=inside).stdout, "files have none")


with e2e.scratch() as scratch:
    demo(scratch)
    init_and_doctor(scratch)
    helped(scratch)
    slips(scratch)
    named(scratch)
    words_stay_whole()
    screens(scratch)
