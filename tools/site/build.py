#!/usr/bin/env python3
"""Builds the documents as a site for the browser, which needs no server and no network: mkdocs with mkdocs-material.

usage: tools/site/build.py FOLDER [--if-possible]
       FOLDER is made anew. --if-possible: exit 77 where the packages of requirements.txt cannot be had

The packages are installed into .cache/site, again when requirements.txt changes. A link or a heading that is not there
is an error. Links to files that are no part of the site, such as sources, become plain text.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CACHE = ROOT / ".cache" / "site"
REQUIREMENTS = HERE / "requirements.txt"
SKIPPED = 77
# Pages by their place on the site. README.md is the first page.
MOVED = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md",
         "examples/README.md": "examples.md"}
FOLDERS = ("docs", "docs/coming-from", "docs/formats", "docs/howto", "docs/reference", "docs/tutorials", "docs/viewer")
FENCE = re.compile(r"^ *```")
MARKER = re.compile(r"([-*] +|\d+\. +)\S")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
FENCED = re.compile(r"(?ms)(^ *```.*?^ *```$)")
CODE = re.compile(r"(`+)(?:(?!\1|\n\n).)+?\1(?!`)", re.S)
# The offline plugin names this script on another host; worker.js takes its place.
SHIM, WORKER = "https://unpkg.com/iframe-worker/shim", "assets/javascripts/worker.js"
FROM_ELSEWHERE = re.compile(r"<(?:script|img|iframe|source|video)[^>]*\ssrc=[\"']?https?:|"
                            r"<link[^>]*rel=[\"']?(?:stylesheet|preconnect)[^>]*https?:")
LEFT_OUT = re.compile(r"sitemap\.xml(\.gz)?|404\.html|.*\.map|assets/javascripts/lunr/.*")


class CannotBuild(Exception):
    """What is missing to build the site."""


def installed_mkdocs():
    """The program, installed again when a pin changes."""
    program, stamp = CACHE / "bin" / "mkdocs", CACHE / "stamp"
    pins = REQUIREMENTS.read_text()
    if program.exists() and stamp.exists() and stamp.read_text() == pins:
        return program
    print("installing mkdocs-material (a minute, once)", file=sys.stderr)
    shutil.rmtree(CACHE, ignore_errors=True)
    for words in ([sys.executable, "-m", "venv", CACHE],
                  [CACHE / "bin/pip", "install", "--quiet", "--no-deps", "--retries", "1", "-r", REQUIREMENTS]):
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            reason = (done.stderr or done.stdout).strip().split("\n")[-1]
            raise CannotBuild(f"pip could not install mkdocs-material, which needs the network once: {reason}")
    stamp.write_text(pins)
    return program


def pages():
    """The place of each page on the site, by its path in the checkout."""
    found = dict(MOVED)
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).glob("*.md")):
            found[str(path.relative_to(ROOT))] = str(path.relative_to(ROOT / "docs"))
    return found


def relinked(text, path, places):
    """The text with links as they are on the site."""
    def replace(link):
        target, _, heading = link[3].partition("#")
        if "://" in target or not target:
            return link[0]
        source = os.path.normpath(os.path.join(os.path.dirname(path), target))
        if not (ROOT / source).exists():
            return link[0]  # mkdocs reports it
        if source not in places and not (link[1] and source.startswith("docs/")):
            return link[2]
        place = places.get(source, source.removeprefix("docs/"))
        place = os.path.relpath(place, os.path.dirname(places[path]) or ".")
        return f"{link[1]}[{link[2]}]({place}{'#' + heading if heading else ''})"

    codes = []

    def hidden(code):
        codes.append(code[0])
        return f"\0{len(codes) - 1}\0"

    text = LINK.sub(replace, CODE.sub(hidden, text))
    return re.sub("\0(\\d+)\0", lambda at: codes[int(at[1])], text)


def site_text(path, places):
    """A page as it is on the site."""
    lines = as_python_markdown((ROOT / path).read_text(encoding="utf-8"))
    text = "\n".join(CODE.sub(lambda code: code[0].replace("\\|", "|"), line) if line.startswith("|") else line
                     for line in lines)
    parts = FENCED.split(text)
    parts[::2] = [relinked(part, path, places) for part in parts[::2]]
    return "".join(parts)


def as_python_markdown(text):
    """The lines of a page as Python's Markdown reads them: lists are nested by four spaces, and a blank line precedes a
    list. In fences, only the indent changes. Comments are left out."""
    lines, levels, is_fence, before = [], [], False, ""
    for line in re.sub(r"(?m)^ *<!--.*?-->\n?", "", text, flags=re.S).split("\n"):
        bare = line.lstrip(" ")
        indent = len(line) - len(bare)
        if FENCE.match(line):
            is_fence = not is_fence
        if bare and not is_fence or FENCE.match(line):
            is_lazy = before and not FENCE.match(line) and not MARKER.match(bare) and indent == 0
            while levels and indent < levels[-1] and not is_lazy:
                levels.pop()
        base = levels[-1] if levels else 0
        marker = None if is_fence or FENCE.match(line) else MARKER.match(bare)
        if marker and before and not MARKER.match(before) and not (levels or before.startswith("    ")):
            lines.append("")
        if FENCE.match(line):
            bare = bare.partition(" ")[0]  # the language; other words are for tests
        lines.append((" " * (4 * len(levels) + max(indent - base, 0)) + bare) if bare else "")
        if marker:
            levels.append(indent + len(marker[1]))
        before = lines[-1] if not is_fence else ""
    return lines


def stage(folder):
    """Writes what mkdocs reads: the pages, their pictures, and mkdocs.yml."""
    places = pages()
    for path, place in places.items():
        target = folder / "pages" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(site_text(path, places), encoding="utf-8")
    for picture in (ROOT / "docs/viewer").glob("*.png"):
        shutil.copy(picture, folder / "pages/viewer")
    shutil.copy(HERE / "mkdocs.yml", folder)


def build(folder):
    """Builds the site in a folder that is made anew."""
    program = installed_mkdocs()
    epoch = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": epoch.stdout.strip() or "1704067200",
                   "PYTHONDONTWRITEBYTECODE": "1", "NO_MKDOCS_2_WARNING": "1"}
    with tempfile.TemporaryDirectory(prefix="assay-site-") as scratch:
        stage(Path(scratch))
        done = subprocess.run([program, "build", "--strict"], cwd=scratch, env=environment, capture_output=True,
                              text=True)
        if done.returncode != 0:
            raise SystemExit(f"mkdocs failed:\n{done.stdout}{done.stderr}")
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(Path(scratch, "html"), folder)
    shutil.copy(HERE / "worker.js", folder / WORKER)
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8").replace(SHIM, os.path.relpath(folder / WORKER, path.parent))
        if FROM_ELSEWHERE.search(text):
            raise SystemExit(f"{path.relative_to(folder)} needs another host: {FROM_ELSEWHERE.search(text)[0]}")
        path.write_text(text, encoding="utf-8")
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_file() and LEFT_OUT.fullmatch(str(path.relative_to(folder))):
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def main(words):
    folders = [word for word in words if not word.startswith("--")]
    if len(folders) != 1 or set(words) - {*folders, "--if-possible"}:
        raise SystemExit(__doc__)
    try:
        build(Path(folders[0]).resolve())
    except CannotBuild as problem:
        print(f"skipped: {problem}" if "--if-possible" in words else problem)
        return SKIPPED if "--if-possible" in words else 1
    print(Path(folders[0], "index.html"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
