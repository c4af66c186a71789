#!/usr/bin/env python3
"""assay prepare downloads a dataset's documents side by side, survives what servers do, goes on with what is cut off,
and vouches for every file in a manifest."""
import hashlib
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
from document_server import DocumentServer, cut, failing_first, redirect, slow, stalled  # noqa: E402

BIG = bytes(range(256)) * 2000
TESTS = "tests:\n  - {id: t, doc_id: plain, query: What?, expected: {type: contains, text: x}}\n"


def write(folder, docs):
    lines = ["id: pinned_v1", "docs:"]
    lines += [f'  - {{id: {name}, title: "T", url: "{url}"}}' for name, url in docs.items()]
    Path(folder, "set.yaml").write_text("\n".join(lines) + "\n" + TESTS)


def prepare(folder, *words, allow=True):
    granted = ["--allow-host", "127.0.0.1"] if allow else []
    return e2e.assay("prepare", "--dataset", "set.yaml", "--snapshot-root", "snaps", *granted, *words, cwd=folder)


def sha(data):
    return hashlib.sha256(data).hexdigest()


def manifest(folder):
    return json.loads(Path(folder, "snaps/pinned_v1/manifest.json").read_text())


def whole_set(folder, server):
    Path(folder, "own.md").write_text("mine")
    docs = {"plain": server.url + "/a.TXT?v=1.pdf", "moved": server.url + "/moved.pdf", "shaky": server.url + "/shaky",
            "cut": server.url + "/cut.bin.gz", "own": "file:own.md"}
    write(folder, docs)
    result = prepare(folder)
    e2e.expect(result, 0, "cut: downloaded from byte 1000 on", "own: downloaded, 4 bytes")
    want = {"plain.txt": b"plain", "moved.pdf": b"moved here", "shaky.bin": b"at last", "cut.gz": BIG,
            "own.md": b"mine"}
    found = {path.name: path.read_bytes() for path in Path(folder, "snaps/pinned_v1/docs").iterdir()}
    e2e.check(found == want, f"other files: { {name: len(data) for name, data in found.items()} }", result)
    told = manifest(folder)
    text = Path(folder, "snaps/pinned_v1/manifest.json").read_text()
    e2e.check(text == json.dumps(told, indent=2, sort_keys=True) + "\n", "the manifest's layout", result)
    e2e.check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00", told["created_at"]), told["created_at"])
    e2e.check(told["dataset_id"] == "pinned_v1" and told["dataset_source"] == str(Path(folder, "set.yaml").resolve()),
              "whose manifest it is", result)
    e2e.check(told["timings_ms"]["downloaded_docs"] == 5.0 and told["timings_ms"]["reused_docs"] == 0.0, str(told))
    entry = told["docs"]["cut"]
    e2e.check(entry["sha256"] == sha(BIG) and entry["bytes"] == len(BIG) and entry["path"] == "docs/cut.gz"
              and entry["prepare_action"] == "downloaded" and entry["url"] == docs["cut"], str(entry))
    root = Path(folder).resolve() / "snaps/pinned_v1"
    lines = result.stdout.splitlines()
    e2e.check(lines[:3] == [f"Prepared dataset 'pinned_v1' snapshots at: {root}", f"Manifest: {root}/manifest.json",
                            "Documents: 5"], "what is told", result)
    e2e.check(re.fullmatch(r"Prepare timing: total=\d+\.\dms downloaded=5 reused=0", lines[3]), lines[3], result)
    names = [re.fullmatch(r"- (\w+): downloaded \(\d+\.\d ms\)", line).group(1) for line in lines[5:]]
    e2e.check(lines[4] == "Document timings:" and names == sorted(docs), "documents by their ids", result)


with e2e.scratch() as folder, DocumentServer({
        "/a.TXT?v=1.pdf": b"plain", "/moved.pdf": redirect("/hop"), "/hop": redirect("sub/there"),
        "/sub/there": b"moved here", "/shaky": failing_first(2, b"at last"), "/cut.bin.gz": cut(BIG, 1000)}) as server:
    whole_set(folder, server)
    asked = len(server.requests)
    again = prepare(folder)
    e2e.expect(again, 0)
    is_quiet = len(server.requests) == asked
    e2e.check("downloaded=0 reused=5" in again.stdout and is_quiet, "nothing is asked again", again)

    plain = Path(folder, "snaps/pinned_v1/docs/plain.txt")
    before = Path(folder, "snaps/pinned_v1/manifest.json").read_bytes()
    plain.write_bytes(b"pla")
    changed = prepare(folder)
    e2e.expect(changed, 1, 'document "plain"', "plain.txt has changed since it was downloaded", "--refresh")
    manifest_path = Path(folder, "snaps/pinned_v1/manifest.json")
    e2e.check(manifest_path.read_bytes() == before, "the older manifest stays", changed)
    fresh = prepare(folder, "--refresh")
    e2e.expect(fresh, 0)
    e2e.check(plain.read_bytes() == b"plain" and "downloaded=5 reused=0" in fresh.stdout, "all anew", fresh)

    manifest_path.write_bytes(before[:100])
    e2e.expect(prepare(folder), 1, "is no manifest", "--refresh")

with e2e.scratch() as folder, DocumentServer({"/plain.txt": b"x", "/loop": redirect("/loop"), "/stalled": stalled(4),
                                              "/away": redirect("http://localhost:1/x"),
                                              "/ftp": redirect("ftp://127.0.0.1/x")}) as server:
    write(folder, {"plain": server.url + "/plain.txt", "absent": server.url + "/absent", "loop": server.url + "/loop",
                   "stalled": server.url + "/stalled", "away": server.url + "/away", "ftp": server.url + "/ftp",
                   "outside": "file:///etc/hostname", "odd": "gopher://x/y"})
    result = prepare(folder, "--timeout", "1", "--max-retries", "0")
    e2e.expect(result, 1, "status 404", "redirected more than 10 times", "did not begin to reply for 1 s",
               "--allow-host localhost", "no http or https URL", "--allow-path", "expected an http, https or file URL",
               "7 documents of 8 failed")
    left = sorted(path.name for path in Path(folder, "snaps").rglob("*") if path.is_file())
    e2e.check(left == ["plain.txt"] and result.stdout == "", f"one failure stops no other, no manifest: {left}", result)

with e2e.scratch() as folder, DocumentServer({"/plain.txt": b"x"}) as server:
    write(folder, {"plain": server.url + "/plain.txt"})
    e2e.expect(prepare(folder, allow=False), 1, "--allow-host 127.0.0.1")
    e2e.check(server.requests == [], "nothing may have been asked")

with e2e.scratch() as folder, DocumentServer({"/big.pdf": cut(BIG, 5000)}) as server:
    write(folder, {"plain": server.url + "/big.pdf"})
    e2e.expect(prepare(folder, "--max-retries", "0"), 1, "was cut off", "5000 bytes are kept for the next time")
    result = prepare(folder, "--max-retries", "0")
    e2e.expect(result, 0, "downloaded from byte 5000 on")
    e2e.check(server.requests[-1][1]["range"] == "bytes=5000-", str(server.requests[-1]))
    files = {path.name for path in Path(folder, "snaps/pinned_v1/docs").iterdir()}
    e2e.check(files == {"plain.pdf"} and manifest(folder)["docs"]["plain"]["sha256"] == sha(BIG), f"{files}", result)

with e2e.scratch() as folder, DocumentServer({f"/{i}.txt": slow(b"x", 0.5) for i in range(6)}) as server:
    write(folder, {"plain" if i == 0 else f"d{i}": f"{server.url}/{i}.txt" for i in range(6)})
    e2e.expect(prepare(folder, "-j", "4"), 0)
    e2e.check(server.most_at_once == 4, f"{server.most_at_once} at once")

with e2e.scratch() as folder:
    e2e.expect(e2e.assay("prepare", cwd=folder), 1, "needs a dataset")
    Path(folder, "set.yaml").write_text("id: ../x\ndocs: [{id: a/b, title: T, urll: u}]\ntests: []\n")
    e2e.expect(prepare(folder), 1, "set.yaml:1:5", "set.yaml:2:13", "did you mean url?", "`tests`")
    e2e.nothing_written(folder, "set.yaml")
