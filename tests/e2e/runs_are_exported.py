#!/usr/bin/env python3
"""assay export writes a stored run again as what the run wrote, from the store alone, where it is told to."""
import json
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

EXAMPLE = e2e.ROOT / "examples/infibench-small"


def page_of(run, folder):
    return (folder / next(path for path in run["files"] if path.endswith("report.html"))).read_text()


def a_blueprint_after_its_file_is_gone():
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        (folder / "suite.yml").write_text(e2e.suite(3))
        page = page_of(e2e.one_run(e2e.assay("run", "suite.yml", "--json", cwd=folder)), folder)
        (folder / "suite.yml").unlink()
        written = e2e.assay("export", "latest", "--to", "html", "-o", "deep/page.html", cwd=folder)
        e2e.expect(written, 0, "wrote deep/page.html")
        e2e.check((folder / "deep/page.html").read_text() == page, "expected the page of the run")
        result = e2e.assay("export", "latest", "--to", "html", cwd=folder)
        e2e.check(result.returncode == 0 and result.stdout == page, "expected the page on standard output")

        (folder / "old.html").write_text("old")
        (folder / "link.html").symlink_to("old.html")
        for name in ("page.html", "link.html"):
            (folder / "page.html").write_text("something else")
            e2e.expect(e2e.assay("export", "latest", "--to", "html", "-o", name, "-q", cwd=folder), 0)
            e2e.check((folder / name).read_text() == page, "expected the page in place of what was there")
        e2e.check((folder / "old.html").read_text() == "old" and not (folder / "link.html").is_symlink(),
                  "a link is replaced, not followed")
        left = [name for name in os.listdir(folder) if name.endswith((".new", ".part"))]
        e2e.check(not left, f"files were left behind: {left}")


def the_page_of_a_large_run_is_the_same():
    """Which is made beside the other files, over a connection of its own."""
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        (folder / "suite.yml").write_text(e2e.suite(2_100))
        page = page_of(e2e.one_run(e2e.assay("run", "suite.yml", "--json", cwd=folder)), folder)
        result = e2e.assay("export", "latest", "--to", "html", cwd=folder)
        e2e.check(result.returncode == 0 and result.stdout == page, "expected the page of the run")


def tables_of_a_dialect_are_there():
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        shutil.copytree(EXAMPLE, folder / "suite")
        ran = e2e.assay("run", "suite/suite.yaml", "--responses", "suite/responses/finch-1", "--json", cwd=folder)
        page = page_of(e2e.one_run(ran), folder)
        shutil.rmtree(folder / "suite")
        result = e2e.assay("export", "latest", "--to", "html", cwd=folder, env={"PATH": "/nowhere"})
        e2e.check("Scores of " in e2e.page_text(page) and result.stdout == page, "expected the same page", result)


def what_is_wrong_is_said():
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        words = ("export", "latest", "--to", "html")
        e2e.expect(e2e.assay(*words, cwd=folder), 1, "store")
        (folder / "suite.yml").write_text(e2e.suite(1))
        e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
        e2e.expect(e2e.assay("export", "latest", cwd=folder), 1, "--to", "html")
        e2e.expect(e2e.assay("export", "latest", "--to", "htlm", cwd=folder), 1, "did you mean html?")
        e2e.expect(e2e.assay("export", "2031", "--to", "html", cwd=folder), 1, "2031")
        (folder / "taken").mkdir()
        e2e.expect(e2e.assay(*words, "-o", "taken", cwd=folder), 2, "taken")


def what_is_listed_can_be_reached():
    with e2e.scratch() as scratch:
        folder = Path(scratch)
        (folder / "suite.yml").write_text(e2e.suite(1))
        e2e.expect(e2e.assay("run", "suite.yml", cwd=folder), 0)
        for row in json.loads(e2e.assay("list", "exporters", "--json", cwd=folder).stdout):
            words = row["example"].split()
            e2e.expect(e2e.assay(*words[1:], cwd=folder), 0)
            e2e.check((folder / words[-1]).stat().st_size > 0, f"expected a file of {row['name']}")


a_blueprint_after_its_file_is_gone()
the_page_of_a_large_run_is_the_same()
tables_of_a_dialect_are_there()
what_is_wrong_is_said()
what_is_listed_can_be_reached()
