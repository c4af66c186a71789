#!/usr/bin/env python3
"""One answer has one score, whichever way it came in: each row of the table of thoughts (src/text/thoughts.cc) is taken
off answers that are asked for, streamed, replayed, in fixtures, folders, tables and results of other tools, and off the
words of judges. A row that is added to the table is tried here in every way; ways are counted."""
import io
import json
import re
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from mock_server import MockServer  # noqa: E402

TABLE = re.search(r"kThoughtTags\[\] = \{\n(.*?)\n\};", (e2e.ROOT / "src/text/thoughts.cc").read_text(), re.S)[1]
ROWS = re.findall(r'\{"(.+?)", "(.+?)"\}', TABLE)
MARK = "instead-of-thoughts"
VERDICT = "<reflection>{}</reflection><classification>CLASS_{}</classification>"
WAYS = []  # that were tried


def thoughts(i):
    return f"{ROWS[i][0]}Lyon? No.{ROWS[i][1]}"


def suite(expectation):
    return json.dumps({"id": "cities", "models": ["openai-compatible:m"], "prompts": [
        {"id": f"r{i}", "prompt": f"say {i}", "should": expectation} for i in range(len(ROWS))]})


def whole(way, result):
    run = e2e.one_run(result)
    is_whole = all(variant["scored"] == len(ROWS) for variant in run["variants"])
    e2e.check(run["mean"] == 1 and is_whole, f"{way}: {run['mean']}", result)
    WAYS.append(way)


def asked(folder):
    """Live, streamed, replayed."""
    with MockServer(answer=lambda text: thoughts(int(text.removeprefix("say "))) + "Paris") as mock:
        base = f"--base-url=openai-compatible={mock.url}/v1"
        live = e2e.assay("run", "suite.json", "--json", base, "--record", "raw.jsonl", cwd=folder)
        whole("live", live)
        whole("stream", e2e.assay("run", "suite.json", "--json", base, "--fresh", "--stream", cwd=folder))
    # A recording of a program that does not part them.
    raw = folder / "raw.jsonl"
    lines = [json.loads(line) for line in raw.read_text().splitlines()]
    e2e.check(len(lines) == len(ROWS), "each answer is recorded", live)
    for line in lines:
        i = int(line["request"]["messages"][-1]["user"].removeprefix("say "))
        line["reply"]["text"] = thoughts(i) + "Paris"
        e2e.check(line["reply"].pop("reasoning") == "Lyon? No.", f"thoughts stand apart: {line}")
    raw.write_text("".join(json.dumps(line) + "\n" for line in lines))
    fixtures = {"responses": {f"r{i}": {"default": thoughts(i) + "Paris"} for i in range(len(ROWS))}}
    (folder / "fix.json").write_text(json.dumps(fixtures))
    whole("fixtures", e2e.assay("run", "suite.json", "--json", "--fixtures", "fix.json", "--fixtures-strict", "--store",
                                "fixtures.db", cwd=folder))
    whole("replay", e2e.assay("run", "suite.json", "--json", "--replay", "raw.jsonl", "--store", "replay.db",
                              cwd=folder))


def judged(folder):
    """The class that a judge only thought of is none."""
    (folder / "judged.json").write_text(suite(["Says Paris"]))
    (folder / "plain.json").write_text(json.dumps(
        {"responses": {f"r{i}": {"default": f"Paris {i}"} for i in range(len(ROWS))}}))

    def judge(text):
        i = int(re.findall(r"Paris (\d+)", text)[-1])
        no = VERDICT.format("Lyon", "UNMET")
        return f"{ROWS[i][0]}{no}{ROWS[i][1]}" + VERDICT.format("It does.", "EXACT")

    with MockServer(answer=judge) as mock:
        whole("judge", e2e.assay("run", "judged.json", "--json", "--fixtures", "plain.json", "--judge",
                                 "openai-compatible:judge", f"--base-url=openai-compatible={mock.url}/v1", "--store",
                                 "judged.db", cwd=folder))


def folders_and_tables(folder):
    texts = folder / "texts/m"
    texts.mkdir(parents=True)
    for i in range(len(ROWS)):
        (texts / f"r{i}.txt").write_text(thoughts(i) + "Paris")
    whole("texts", e2e.assay("grade", "suite.json", "texts", "--json", "--store", "texts.db", cwd=folder))

    bench = folder / "bench"
    (bench / "answers").mkdir(parents=True)
    table, paths = io.StringIO(), ""
    table.write("filename,completion\n")
    for i in range(len(ROWS)):
        (bench / f"r{i}.yaml").write_text(f"id: r{i}\nprompt_path: p.txt\ntype: knowledge question-answering\nlang: x\n"
                                          "grading:\n  keywords:\n  - Paris\n  - {content: Lyon, neg: true}\n")
        answer = thoughts(i) + "Paris"
        (bench / f"answers/r{i}.txt").write_text(answer)
        table.write(f'r{i}.yaml,"{answer}"\n')
        paths += f"  r{i}.yaml: [r{i}.txt]\n"
    (bench / "p.txt").write_text("Which?\n")
    (bench / "answers/params.yaml").write_text("answer_paths:\n" + paths)
    (bench / "table.csv").write_text(table.getvalue())
    (bench / "suite.yaml").write_text("cases:\n" + "".join(f"- r{i}.yaml\n" for i in range(len(ROWS))))
    for way in ("answers", "table.csv"):
        whole(way, e2e.assay("grade", "suite.yaml", way, "--json", "--out", "out", cwd=bench))


def in_file(path, change):
    """Every text of a file of results, and of each member of an archive."""
    if not zipfile.is_zipfile(path):
        return path.write_text(change(path.read_text()))
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name).decode() for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, change(text))


def with_thoughts(text):
    return re.sub(MARK + r"(\d+)-", lambda found: json.dumps(thoughts(int(found[1])))[1:-1], text)


def as_inspect_json(path):
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        header = json.loads(archive.read("header.json"))
        header["samples"] = [json.loads(archive.read(name)) for name in names if name.startswith("samples/")]
    Path(path).with_suffix(".json").write_text(json.dumps(header))


def sample(i):
    return json.dumps({"doc_id": i, "doc": {"question": f"q{i}"}, "target": "4", "resps": [["4"]], "filter": "none",
                       "arguments": {"gen_args_0": {"arg_0": f"r{i}"}}, "filtered_resps": [thoughts(i) + "Paris"],
                       "metrics": ["exact_match"], "exact_match": 1}) + "\n"


def comparison(folder):
    """What `run` writes as the format's own result file, with thoughts put in."""
    e2e.assay("run", "suite.json", "--fixtures", "marked.json", "-q", "--store", "two.db", "--out", "two", cwd=folder)
    (written,) = folder.glob("two/live/blueprints/*/*_comparison.json")
    (folder / "comparison.json").write_text(with_thoughts(written.read_text()))


def session_row(i):
    return json.dumps({"run_id": "one", "model_alias": "m", "source_provider": "x", "test_id": f"r{i}",
                       "query": f"r{i}", "answer": thoughts(i) + "Paris", "pass": True, "error": None}) + "\n"


def imported(folder):
    """Results of each tool whose files are read; most are written by our own exporters, with thoughts put in."""
    fixtures = {f"r{i}": {"default": f"{MARK}{i}-Paris"} for i in range(len(ROWS))}
    (folder / "marked.json").write_text(json.dumps({"responses": fixtures}))
    e2e.assay("run", "suite.json", "--fixtures", "marked.json", "-q", "--store", "marked.db", cwd=folder)
    files = {"jsonl": "own.jsonl", "promptfoo": "promptfoo.json", "inspect": "log.eval"}
    listed = e2e.assay("list", "importers", cwd=folder).stdout.splitlines()[1:]
    importers = [line.split()[0] for line in listed]
    for exporter, name in files.items():
        e2e.expect(e2e.assay("export", "latest", "--to", exporter, "-o", name, "--store", "marked.db", cwd=folder), 0)
        in_file(folder / name, with_thoughts)
    as_inspect_json(folder / "log.eval")
    (folder / "samples.jsonl").write_text("".join(sample(i) for i in range(len(ROWS))))
    files.update({"inspect-json": "log.json", "lm-eval-samples": "samples.jsonl"})
    comparison(folder)
    (folder / "results.jsonl").write_text("".join(session_row(i) for i in range(len(ROWS))))
    files.update({"blueprint": "comparison.json", "research": "results.jsonl"})
    importers.remove("infibench")  # its files hold scores and no answers
    e2e.check(sorted(importers) == sorted(files), f"every importer is tried: {importers}")
    for importer, name in files.items():
        for i in range(len(ROWS)):
            case = str(i) if importer == "lm-eval-samples" else f"r{i}"
            shown = e2e.assay("show", name, "--case", case, "--json", cwd=folder)
            e2e.expect(shown, 0)
            (attempt,) = json.loads(shown.stdout)["attempts"]
            e2e.check(attempt["answer"] == "Paris" and attempt["reasoning"] == "Lyon? No.", f"{name}: {attempt}", shown)
        WAYS.append(importer)


with e2e.scratch() as name:
    place = Path(name)
    e2e.check(len(ROWS) >= 11, f"the table is read: {ROWS}")
    (place / "suite.json").write_text(suite([{"$matches": "^Paris$"}]))
    asked(place)
    judged(place)
    folders_and_tables(place)
    imported(place)
    e2e.check(len(WAYS) == 15, f"fifteen ways in: {WAYS}")
