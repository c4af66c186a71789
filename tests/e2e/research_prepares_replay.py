#!/usr/bin/env python3
"""The recorded preparations of the original, replayed against a server of its documents: manifest and standard
output are the same but for times and addresses. A document that is not there ends as the original's, but the others
are kept and named."""
import json
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from document_server import DocumentServer  # noqa: E402

GOLDEN = e2e.ROOT.parent / "shared" / "golden" / "research" / "run_artifacts"
DATA = e2e.ROOT.parent / "shared" / "data" / "research"
ADDRESS = "http://127.0.0.1:38431"
LOCAL = ["--allow-host", "127.0.0.1"]


def without_times(value, key=""):
    if isinstance(value, dict):
        return {name: without_times(item, name) for name, item in value.items()}
    is_time = key == "created_at" or key.endswith("_ms")
    return "TIME" if is_time and not isinstance(value, dict) else value


def comparable(text, *places):
    """Lines without times, with FOLDER for where the snapshots are."""
    for place in places:
        text = text.replace(place, "FOLDER")
    lines = [re.sub(r"\d+\.\d+ ?ms", "N ms", line) for line in text.splitlines()]
    return [line for line in lines if not line.startswith("Created default configuration")]


def dataset(folder, name, server):
    text = (GOLDEN / "inputs" / name).read_text().replace(ADDRESS, server.url)
    folder.joinpath(name).write_text(text)


def same_manifest(folder, server, actions):
    ours = json.loads((folder / "snapshots/orchard_v1/manifest.json").read_text().replace(server.url, ADDRESS))
    theirs = json.loads((GOLDEN / "snapshots/orchard_v1/manifest.json").read_text())
    theirs["dataset_source"] = str(folder.resolve() / "dataset.yaml")
    for entry in list(theirs["docs"].values()):
        entry["prepare_action"] = actions
    for entry in theirs["doc_prepare_timings_ms"].values():
        entry["action"] = actions
    counts = (5.0, 0.0) if actions == "downloaded" else (0.0, 5.0)
    theirs["timings_ms"].update(zip(("downloaded_docs", "reused_docs"), counts))
    got, want = (json.dumps(without_times(each), indent=1) for each in (ours, theirs))
    e2e.check(got == want, f"another manifest:\n{got}\nexpected\n{want}")
    count = ours["timings_ms"]["downloaded_docs"]
    e2e.check(isinstance(count, float), "counts are floats")


def replay(folder, server):
    dataset(folder, "dataset.yaml", server)
    for name, words, actions in (("prepare1", [], "downloaded"), ("prepare2", [], "reused"),
                                 ("prepare3_refresh", ["--refresh", "--timeout", "5"], "downloaded")):
        before = len(server.requests)
        words = ["--dataset", "dataset.yaml", "--snapshot-root", "snapshots", *words, *LOCAL]
        result = e2e.assay("prepare", *words, cwd=folder)
        e2e.expect(result, int((GOLDEN / name / "exit_code.txt").read_text()))
        got = comparable(result.stdout, f"{folder.resolve()}/snapshots", f"{folder}/snapshots")
        want = comparable((GOLDEN / name / "stdout.txt").read_text(), "{WORK}/sess/snapshots")
        e2e.check(got == want, f"{name} says\n" + "\n".join(got) + "\nexpected\n" + "\n".join(want), result)
        e2e.check(len(server.requests) - before == (0 if actions == "reused" else 5), f"{name}: other requests")
        same_manifest(folder, server, actions)


def one_is_missing(folder, server):
    dataset(folder, "dataset_404.yaml", server)
    result = e2e.assay("prepare", "--dataset", "dataset_404.yaml", "--snapshot-root", "lacking", *LOCAL, cwd=folder)
    e2e.expect(result, int((GOLDEN / "prepare4_404/exit_code.txt").read_text()), "404", "blob")
    kept = {path.name for path in (folder / "lacking/orchard_404").rglob("*") if path.is_file()}
    e2e.check({"irrigation.txt", "storage.md", "safety.html", "pruning.pdf"} <= kept and "manifest.json" not in kept,
              f"the others are kept, and there is no manifest: {kept}", result)


def real_data(folder, server):
    """The dataset of the original's own evaluation: it parses, is planned, and its copy is prepared from here."""
    text = (DATA / "rfc_http_nist_v1.yaml").read_text()
    shutil.copy(DATA / "default.toml", folder)
    folder.joinpath("rfc.yaml").write_text(text)
    e2e.expect(e2e.assay("check", "rfc.yaml", cwd=folder), 0)
    names = re.findall(r"https?://[^\s\"']+", text)
    for number, url in enumerate(names):
        text = text.replace(url, f"{server.url}/rfc/{number}.pdf")
        server.pages[f"/rfc/{number}.pdf"] = f"document {number}".encode()
    folder.joinpath("local.yaml").write_text(text)
    prepared = e2e.assay("prepare", "--dataset", "local.yaml", "--snapshot-root", "pinned", *LOCAL, cwd=folder)
    e2e.expect(prepared, 0)
    planned = e2e.assay("plan", "default.toml", "--dataset", "local.yaml", "--snapshot-root", "pinned",
                        "-m", "exec:python3 agent.py", cwd=folder)
    e2e.expect(planned, 0)
    e2e.check("10" in planned.stdout, "ten cases are planned", planned)


def main():
    if not GOLDEN.exists():
        e2e.skip("the recorded sessions are not here")
    pages = {"/docs/" + path.name: path.read_bytes() for path in (GOLDEN / "inputs/docs").iterdir()}
    pages["/docs/storage.md?v=2"] = pages["/docs/storage.md"]
    with e2e.scratch() as scratch, DocumentServer(pages) as server:
        folder = Path(scratch)
        replay(folder, server)
        one_is_missing(folder, server)
        real_data(folder, server)


main()
