#!/usr/bin/env python3
"""Before a run its documents are read, each once: PDFs by pdftotext in the sandbox, chunks embedded in batches where an
endpoint does that. What cannot be read is one warning and stops nothing; what was asked is not asked again."""
import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import research_folder as research  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-1122"}
GOLDEN = e2e.ROOT.parent / "shared/golden/research/run_artifacts/snapshots/orchard_v1/docs"
PLAIN = {"a.txt": "Valves close at 4 degrees.", "b.md": "# Storage\n\nApples keep until May.",
         "c.html": "<p>Gloves are <b>red</b>.</p><script>steal()</script>", "d.json": '{"crew": 6}',
         "e.csv": "x,y\n1,2\n"}


def run(folder, server, *words, **more):
    return e2e.assay("run", "matrix.toml", f"--base-url=openai={server.url}/v1", *words, cwd=folder, env=KEY, **more)


def warned(result):
    """Ids of documents that were warned of, with the reasons."""
    lines = [line for line in result.stderr.splitlines() if line.startswith("warning: document ")]
    return {line.split('"')[1]: line.split(" cannot be used: ", 1)[1] for line in lines}


def embedded(server):
    return [request["body"]["input"] for request in server.requests if request["path"].endswith("/embeddings")]


def expect_warned(result, **reasons):
    got = warned(result)
    e2e.check(set(got) == set(reasons), f"warned of {sorted(got)}", result)
    for ident, reason in reasons.items():
        e2e.check(reason in got[ident], f"{ident}: {got[ident]}", result)


def bad_documents_are_told():
    with e2e.scratch() as folder, MockServer() as server:
        book = Path(folder, "book.epub")
        research.epub(book, "First chapter.", "Second chapter.")
        bomb = Path(folder, "bomb.epub")
        research.epub(bomb, *["0" * 3_000_000] * 30)
        good = research.pdf("Cuts are sealed with wax.\nTools are clean.", "Appendix")
        documents = {**PLAIN, "good.pdf": good, "book.epub": book.read_bytes(), "bomb.epub": bomb.read_bytes(),
                     "hidden.bin": good, "locked.pdf": research.encrypted_pdf("secret", "Nobody reads this."),
                     "torn.pdf": good[:150], "junk.pdf": b"%PDF-1.4\n" + bytes(range(256)) * 4, "none.txt": "",
                     "blank.html": "<script>x</script>", "blob.bin": b"\0\1\2\3", "latin.txt": b"caf\xe9 au lait",
                     "deep.html": "<div>" * 1_000_000 + "seen", "noise.epub": b"PK\3\4 no archive"}
        research.write(folder, documents)
        result = run(folder, server)
        expect_warned(result, bomb="more than", locked="encrypted", torn="no whole PDF", junk="no whole PDF",
                      none="without any", blank="without any", blob="nothing reads it", noise="")
        e2e.check("terminate called" not in result.stderr, "the program was aborted", result)


def what_tools_open_is_no_ingestion():
    """An A/B of preload_local_sources: documents are read either way, and counted where they are gathered."""
    for preloads, calls in ((True, 1), (False, 0)):
        with e2e.scratch() as folder, MockServer() as server:
            research.write(folder, {"a.txt": PLAIN["a.txt"]},
                           profile=f"research_mode = true\npreload_local_sources = {str(preloads).lower()}\n")
            expect_warned(run(folder, server))
            row = json.loads(next(Path(folder).glob("runs/*/*/artifacts/results.jsonl")).read_text())
            times, asked = row["timings_ms"], json.dumps(server.requests[-1]["body"]["messages"])
            e2e.check(times["local_ingestion_calls"] == calls and (times["local_ingestion_ms"] > 0) == preloads,
                      f"{preloads}: {times}")
            e2e.check(("Valves close" in asked) == preloads, f"{preloads}: {asked}")


def pdfs_are_read_once():
    with e2e.scratch() as folder, MockServer() as server:
        good = research.pdf("Cuts are sealed with wax.", "Appendix")
        research.write(folder, {"good.pdf": good, "a.txt": PLAIN["a.txt"]},
                       questions={"one": ["good", "a"], "two": ["a", "good"]})
        recording = Path(folder, "kept.jsonl")
        result = run(folder, server, "--record", str(recording))
        expect_warned(result)
        lines = [line for line in recording.read_text().splitlines() if '"program"' in line]
        e2e.check(len(lines) == 1 and "sealed with wax" in lines[0] and "Appendix" in lines[0], f"{lines}", result)
        e2e.check("%PDF" not in recording.read_text(), "the document itself is not kept", result)
        # Where no pdftotext is, the recording answers for it, and so does the store.
        nowhere = Path(folder, "nowhere")
        nowhere.mkdir()
        without = {**KEY, "PATH": str(nowhere)}
        for words in (["--store", "other.db", "--replay", str(recording)], ["--store", "third.db"]):
            result = e2e.assay("run", "matrix.toml", f"--base-url=openai={server.url}/v1", *words, cwd=folder,
                               env=without)
            if "--replay" in words:
                expect_warned(result)
            else:
                expect_warned(result, good="poppler-utils")
        result = e2e.assay("run", "matrix.toml", "--offline", "--fresh", cwd=folder, env=KEY)
        expect_warned(result, good="not asked for")


def golden_documents_are_read():
    if not GOLDEN.exists():
        return
    with e2e.scratch() as folder, MockServer() as server:
        research.write(folder, {path.name: path.read_bytes() for path in sorted(GOLDEN.iterdir())})
        result = run(folder, server, "--record", "kept.jsonl")
        expect_warned(result, blob="")
        e2e.check("Cuts wider than 30 mm" in Path(folder, "kept.jsonl").read_text(), "the PDF was read", result)


def endpoints_embed_in_batches():
    with e2e.scratch() as folder, MockServer() as server:
        long = " ".join(f"Sentence {i} says what the one before it did not say." for i in range(3000))
        research.write(folder, {"a.txt": PLAIN["a.txt"], "long.txt": long, "p.pdf": research.pdf("Wax seals cuts.")})
        words = ("--embedder", "openai:e")
        planned = e2e.assay("plan", "matrix.toml", f"--base-url=openai={server.url}/v1", *words, cwd=folder, env=KEY)
        e2e.check("embedding" in planned.stdout and "openai:e" in planned.stdout, "the plan prices vectors", planned)
        result = run(folder, server, *words)
        expect_warned(result)
        batches = embedded(server)
        e2e.check(len(batches) > 3 and max(map(len, batches)) == 64, f"{list(map(len, batches))}", result)
        e2e.check(["Wax seals cuts."] in batches, "the text of the PDF is embedded", result)
        before = len(batches)
        expect_warned(run(folder, server, *words))
        e2e.check(len(embedded(server)) == before, "vectors are kept")
        e2e.own_settings('[research]\nembedder = "openai:other"\n')
        expect_warned(run(folder, server))
        e2e.check(len(embedded(server)) == 2 * before, "assay.toml names another embedder")
        e2e.check(len({request["body"]["model"] for request in server.requests
                       if request["path"].endswith("/embeddings")}) == 2, "it was asked")


def wrong_vectors_are_told():
    def few(path, body):
        return {"data": [{"index": 0, "embedding": [1.0, 0.0]}], "usage": {}} if path.endswith("/embeddings") else None

    def uneven(path, body):
        if not path.endswith("/embeddings"):
            return None
        size = 2 if "Valves" in body["input"][0] else 3
        return {"data": [{"index": i, "embedding": [1.0] * size} for i in range(len(body["input"]))], "usage": {}}

    long = " ".join(f"Sentence {i} says what the one before it did not say." for i in range(200))
    for reply, reasons in ((few, {"long": "vectors"}), (uneven, {"long": "of 3 numbers"})):
        with e2e.scratch() as folder, MockServer(reply=reply) as server:
            research.write(folder, {"a.txt": PLAIN["a.txt"], "long.txt": long})
            expect_warned(run(folder, server, "--embedder", "openai:e", "--max-retries", "0"), **reasons)
    with e2e.scratch() as folder, MockServer() as server:
        research.write(folder, {"a.txt": PLAIN["a.txt"]})
        e2e.expect(run(folder, server, "--embedder", "nobody"), 1, "there is no embedder", "hash, none or")
        e2e.expect(run(folder, server, "--embedder", "nowhere:e"), 2, "nowhere")
        result = e2e.assay("run", "matrix.toml", "--embedder", "openai:e", cwd=folder)
        e2e.expect(result, 1, "OPENAI_API_KEY is not set")
        expect_warned(run(folder, server, "--embedder", "none"))
        e2e.check(not embedded(server), "nobody embeds")


def nobody_reads_for_programs():
    with e2e.scratch() as folder, MockServer() as server:
        research.write(folder, {"none.txt": ""}, profile="research_mode = false\nlean = true\nsource_provider = "
                       '"local_snapshot"\n')
        expect_warned(run(folder, server))


if shutil.which("pdftotext") is None:
    e2e.skip("pdftotext is not installed (apt-get install poppler-utils)")
bad_documents_are_told()
pdfs_are_read_once()
golden_documents_are_read()
endpoints_embed_in_batches()
wrong_vectors_are_told()
what_tools_open_is_no_ingestion()
nobody_reads_for_programs()
