"""What every package carries: the stripped program, its documents, completions, licences and the list of its parts.

A tree is a dict: path below the prefix -> File. Nothing in it depends on the clock, the user or the folder, so that two
builds of one commit are the same bytes.
"""
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import uuid
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SKIPPED = 77
LIBRARIES = json.loads((ROOT / "packaging/libraries.json").read_text(encoding="utf-8"))["libraries"]
DOCUMENTS = ["README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", "docs/compatibility.md"]
APPARMOR = "share/doc/assay/apparmor/assay"    # where doctor looks for it, below the program's prefix
SITE = "share/doc/assay/html"                  # the documents for the browser, in tarball and Debian package
COMPLETIONS = {"bash": "share/bash-completion/completions/assay", "zsh": "share/zsh/site-functions/_assay",
               "fish": "share/fish/vendor_completions.d/assay.fish", "man": "share/man/man1/assay.1"}


@dataclass(frozen=True)
class File:
    data: bytes
    mode: int = 0o644


@dataclass(frozen=True)
class Release:
    version: str
    epoch: int        # seconds: the time that every packed file is given
    machine: str      # as uname says it


def output_of(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def release(machine: str) -> Release:
    version = re.search(r"project\(assay VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    try:
        epoch = int(output_of("git", "-C", str(ROOT), "log", "-1", "--format=%ct"))
    except (OSError, subprocess.CalledProcessError):
        epoch = 1_704_067_200  # an unpacked archive has no commit
    return Release(version, epoch, machine)


def stripped(program: Path) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "assay")
        subprocess.run(["strip", "--strip-all", "-o", copy, program], check=True)
        return copy.read_bytes()


def version_of(library: dict) -> str:
    if "debian" in library:
        return output_of("dpkg-query", "-W", "-f", "${source:Version}", library["debian"])
    if "python" in library:
        pins = (ROOT / "tools/site/requirements.txt").read_text(encoding="utf-8")
        return re.search(rf"(?m)^{library['python']}==(\S+)$", pins)[1]
    if "crate" in library:
        for lock in sorted(ROOT.glob("third_party/*/Cargo.lock")):
            found = re.search(rf'name = "{library["crate"]}"\nversion = "([^"]+)"', lock.read_text(encoding="utf-8"))
            if found:
                return found[1]
    return library["version"]


def licence_text(library: dict) -> str:
    if "python" in library:
        return next((ROOT / ".cache/site").glob(library["text"])).read_text(encoding="utf-8")
    path = ROOT / library["text"] if "text" in library else Path("/usr/share/doc", library["debian"], "copyright")
    return path.read_text(encoding="utf-8", errors="replace")


def parts_in(form: str) -> list[dict]:
    """The rows of what is inside the program, and of what this form of package has beside it."""
    return [library for library in LIBRARIES if library.get("only", form) == form]


def licences(libraries: list[dict]) -> dict[str, File]:
    """A text for each part, and those that Debian's texts refer to."""
    files, common = {}, set()
    for library in libraries:
        text = licence_text(library)
        common |= set(re.findall(r"/usr/share/common-licenses/([A-Za-z]+-[\d.]*\d)", text))
        files[re.sub(r"\W+", "-", library["name"].partition(" (")[0]).strip("-") + ".txt"] = File(text.encode())
    for name in sorted(common):
        files[f"common/{name}.txt"] = File(Path("/usr/share/common-licenses", name).read_bytes())
    return files


def package_url(library: dict, version: str) -> str:
    if "crate" in library:
        return f"pkg:cargo/{library['crate']}@{version}"
    if "python" in library:
        return f"pkg:pypi/{library['python']}@{version}"
    source = library.get("source") or output_of("dpkg-query", "-W", "-f", "${source:Package}", library["debian"])
    return f"pkg:deb/debian/{source}@{version}?arch=source"


def bill_of_materials(about: Release, program: bytes, libraries: list[dict]) -> bytes:
    """CycloneDX 1.5; its serial number is drawn from what it says."""
    parts = []
    for library in libraries:
        version = version_of(library)
        licence = {"expression": library["licence"]} if " WITH " in library["licence"] else {
            "license": {"id": library["licence"]}}
        parts.append({"type": "library", "bom-ref": library["name"], "name": library["name"], "version": version,
                      "licenses": [licence], "purl": package_url(library, version)})
    own = {"type": "application", "bom-ref": "assay", "name": "assay", "version": about.version,
           "licenses": [{"license": {"id": "Apache-2.0"}}],
           "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(program).hexdigest()}]}
    text = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": own},
            "components": parts,
            "dependencies": [{"ref": "assay", "dependsOn": [library["name"] for library in libraries]}]}
    text["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(text, sort_keys=True))}"
    return (json.dumps(text, indent=2) + "\n").encode()


def told_parts(about: Release, program: bytes, form: str) -> dict[str, File]:
    """What a form of package says of all that is in it: the list, and the licences."""
    libraries = parts_in(form)
    files = {"share/doc/assay/assay.cdx.json": File(bill_of_materials(about, program, libraries))}
    for name, file in licences(libraries).items():
        files[f"share/doc/assay/licences/{name}"] = file
    return files


def site() -> dict[str, File]:
    """The documents as a site, below the prefix; none where mkdocs-material cannot be had, which is said."""
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder, "html")
        done = subprocess.run([sys.executable, str(ROOT / "tools/site/build.py"), str(built), "--if-possible"],
                              stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, SKIPPED):
            raise SystemExit(done.stdout)
        if done.returncode == SKIPPED:
            print(f"{done.stdout.strip()}; the packages have no {SITE}")
            return {}
        return {f"{SITE}/{path.relative_to(built)}": File(path.read_bytes())
                for path in sorted(built.rglob("*")) if path.is_file()}


def tree(about: Release, program: Path) -> dict[str, File]:
    """All files that every package has, below its prefix."""
    binary = stripped(program)
    files = {"bin/assay": File(binary, 0o755)}
    for shell, path in COMPLETIONS.items():
        files[path] = File(output_of(str(program), "completion", shell).encode())
    for path in DOCUMENTS:
        files[f"share/doc/assay/{Path(path).name}"] = File((ROOT / path).read_bytes())
    files[APPARMOR] = File((ROOT / "packaging/apparmor/assay").read_bytes())
    return {**files, **told_parts(about, binary, "every")}


def with_site(about: Release, files: dict[str, File], pages: dict[str, File]) -> dict[str, File]:
    """The files of a package that has the site, if there is one."""
    if not pages:
        return files
    return {**files, **pages, **told_parts(about, files["bin/assay"].data, "site")}
