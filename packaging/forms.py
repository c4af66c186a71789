"""The forms in which the files of contents.py are handed out: tarball, Debian package, wheel, OCI image layout.

Each is written by hand from a tree of files, in the order of their names and with one time, so that nothing of the
machine that packs enters it.
"""
import base64
import csv
import gzip
import hashlib
import io
import json
import lzma
import re
import tarfile
import tempfile
import zipfile
from pathlib import Path

from contents import APPARMOR, ROOT, File, Release, output_of, told_parts

HERE = ROOT / "packaging"
SUMMARY = "Evaluations of language models: blueprints, research matrices, InfiBench suites"
DEBIAN_NAMES = {"x86_64": "amd64", "aarch64": "arm64"}


def tar(files: dict[str, File], epoch: int, top: str = "") -> bytes:
    """An archive whose files and folders belong to root."""
    buffer = io.BytesIO()
    folders = {top} if top else set()
    for path in files:
        folders |= {f"{top}{parent}/" for parent in map(str, Path(path).parents) if parent != "."}
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name in sorted([*folders, *(top + path for path in files)]):
            file = files.get(name.removeprefix(top))
            entry = tarfile.TarInfo(name.rstrip("/"))
            entry.mtime, entry.uname, entry.gname = epoch, "root", "root"
            if file is None:
                entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if name in ("tmp/", "data/") else 0o755
                archive.addfile(entry)
            else:
                entry.mode, entry.size = file.mode, len(file.data)
                archive.addfile(entry, io.BytesIO(file.data))
    return buffer.getvalue()


def tarball(about: Release, files: dict[str, File]) -> dict[str, bytes]:
    name = f"assay-{about.version}-{about.machine}-linux"
    files = {**files, "install.sh": File((HERE / "install.sh").read_bytes(), 0o755)}
    return {f"{name}.tar.gz": gzip.compress(tar(files, about.epoch, f"{name}/"), 6, mtime=0)}


def ar(members: dict[str, bytes], epoch: int) -> bytes:
    written = b"!<arch>\n"
    for name, data in members.items():
        written += f"{name:<16}{epoch:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode()
        written += data + b"\n" * (len(data) % 2)
    return written


def debian(about: Release, files: dict[str, File]) -> dict[str, bytes]:
    """The package by Debian's own format (deb(5)), with the AppArmor profile that its script installs where it can."""
    architecture = DEBIAN_NAMES[about.machine]
    below = {f"usr/{path.replace('zsh/site-functions', 'zsh/vendor-completions')}": file
             for path, file in files.items()}
    below["usr/share/doc/assay/copyright"] = File((HERE / "deb/copyright").read_bytes())
    size = sum(len(file.data) for file in below.values()) // 1024
    control = (HERE / "deb/control").read_text(encoding="utf-8").format(
        version=about.version, architecture=architecture, size=size, summary=SUMMARY)
    sums = "".join(f"{hashlib.md5(file.data).hexdigest()}  {path}\n" for path, file in sorted(below.items()))
    scripts = {name: File((HERE / "deb" / name).read_bytes(), 0o755) for name in ("postinst", "postrm")}
    about_it = {"control": File(control.encode()), "md5sums": File(sums.encode()), **scripts}
    members = {"debian-binary": b"2.0\n", "control.tar.xz": lzma.compress(tar(about_it, about.epoch, "./")),
               "data.tar.xz": lzma.compress(tar(below, about.epoch, "./"), preset=6)}
    return {f"assay_{about.version}_{architecture}.deb": ar(members, about.epoch)}


def wheel(about: Release, files: dict[str, File]) -> dict[str, bytes]:
    """The program as a Python wheel: its scripts are what installers put beside Python."""
    name, tag = f"assay-{about.version}", f"py3-none-manylinux_2_35_{about.machine}"
    readme = files["share/doc/assay/README.md"].data.decode()
    metadata = (f"Metadata-Version: 2.1\nName: assay\nVersion: {about.version}\nSummary: {SUMMARY}\n"
                f"License: Apache-2.0\nRequires-Python: >=3.7\nDescription-Content-Type: text/markdown\n\n{readme}")
    packed = {f"{name}.data/scripts/assay": files["bin/assay"], f"{name}.data/data/{APPARMOR}": files[APPARMOR],
              f"{name}.dist-info/METADATA": File(metadata.encode()),
              f"{name}.dist-info/WHEEL": File(f"Wheel-Version: 1.0\nGenerator: assay\nRoot-Is-Purelib: false\n"
                                              f"Tag: {tag}\n".encode())}
    for path, file in files.items():
        if re.search(r"/(licences/.*|LICENSE|assay\.cdx\.json)$", path):
            packed[f"{name}.dist-info/licenses/{path.removeprefix('share/doc/assay/')}"] = file
    rows = io.StringIO()
    record = csv.writer(rows, lineterminator="\n")
    for path, file in sorted(packed.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(file.data).digest()).rstrip(b"=").decode()
        record.writerow([path, f"sha256={digest}", len(file.data)])
    record.writerow([f"{name}.dist-info/RECORD", "", ""])
    packed[f"{name}.dist-info/RECORD"] = File(rows.getvalue().encode())
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, file in packed.items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.external_attr, entry.compress_type = (0o100000 | file.mode) << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.data)
    return {f"{name}-{tag}.whl": buffer.getvalue()}


def glibc(program: File) -> list[Path]:
    """The files of glibc that the program needs, as the loader finds them."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "assay")
        copy.write_bytes(program.data)
        copy.chmod(program.mode)
        return [Path(path) for path in re.findall(r"(/\S+) \(0x", output_of("ldd", str(copy)))]


def image(about: Release, files: dict[str, File]) -> dict[str, bytes]:
    """An OCI image layout: the program, glibc, the authorities of Debian's package; no shell, no root."""
    files = {**files, **told_parts(about, files["bin/assay"].data, "image")}
    root = {f"usr/{path}": file for path, file in files.items() if path.startswith(("bin/", "share/doc/"))}
    for library in glibc(files["bin/assay"]):
        root[str(library)[1:]] = File(library.read_bytes(), 0o755)
    trusted = sorted(Path("/usr/share/ca-certificates/mozilla").glob("*.crt"))
    root["etc/ssl/certs/ca-certificates.crt"] = File(b"".join(path.read_bytes() for path in trusted))
    root["etc/passwd"] = File(b"assay:x:65532:65532:assay:/data:/nonexistent\n")
    root["etc/group"] = File(b"assay:x:65532:\n")
    root["etc/nsswitch.conf"] = File(b"hosts: files dns\n")
    root["tmp/.keep"] = root["data/.keep"] = File(b"")
    layer = tar(root, about.epoch)
    packed = gzip.compress(layer, 6, mtime=0)
    blobs = {}

    def blob(data: bytes, kind: str) -> dict:
        digest = hashlib.sha256(data).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = File(data)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

    architecture = DEBIAN_NAMES[about.machine]
    configuration = {"architecture": architecture, "os": "linux",
                     "config": {"User": "65532:65532", "Entrypoint": ["/usr/bin/assay"], "WorkingDir": "/data",
                                "Env": ["PATH=/usr/bin:/bin", "HOME=/data"]},
                     "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]}}
    manifest = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                "config": blob(json.dumps(configuration).encode(), "config.v1+json"),
                "layers": [blob(packed, "layer.v1.tar+gzip")]}
    entry = blob(json.dumps(manifest).encode(), "manifest.v1+json")
    entry.update(platform={"architecture": architecture, "os": "linux"},
                 annotations={"org.opencontainers.image.ref.name": about.version})
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}
    layout = {"oci-layout": File(b'{"imageLayoutVersion": "1.0.0"}'), "index.json": File(json.dumps(index).encode()),
              **blobs}
    return {f"assay-{about.version}-{about.machine}-oci.tar": tar(layout, about.epoch)}


FORMS = [tarball, debian, wheel, image]
WITH_SITE = [tarball, debian]  # the others are for the program alone
