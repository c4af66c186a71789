#!/usr/bin/env python3
"""What `./dev package` makes: the same bytes twice, sums that hold, a licence and a version for all that is inside, and
each form installed by its users' own client in an empty root, where it runs the example."""
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import portable  # noqa: E402
import e2e  # noqa: E402
import interop  # noqa: E402
import roots  # noqa: E402

LIBRARIES = json.loads((e2e.ROOT / "packaging/libraries.json").read_text(encoding="utf-8"))["libraries"]
PROFILE = "share/doc/assay/apparmor/assay"    # below the prefix, where doctor looks for it
BYTES_MAX = 25_000_000    # of the stripped program
FIRST_MINUTE_S = 60
EXAMPLE = e2e.ROOT / "examples/civic-knowledge"
SITE_MADE = e2e.ROOT / ".cache/site/stamp"    # of the mkdocs-material that builds the site


def must(*words, cwd=None, env=None, code=0):
    done = subprocess.run(list(map(str, words)), cwd=cwd, env={**e2e.clean_environment(), **(env or {})},
                          capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=600)
    e2e.check(done.returncode == code, f"{words[0]} ended in {done.returncode}", done)
    return done


def make(folder):
    must(sys.executable, e2e.ROOT / "packaging/make.py", portable.PROGRAM, folder)
    return {path.name: path for path in sorted(Path(folder).iterdir())}


def check_same(first, second):
    e2e.check(list(first) == list(second) and len(first) == 7, f"{list(first)} {list(second)}")
    for name, path in first.items():
        e2e.check(path.read_bytes() == second[name].read_bytes(), f"{name} was made of other bytes the second time")


def words_of_linker(rules, target):
    """The flags and libraries of a target's rule."""
    rule = re.search(rf"^build {target}: .*?\n\n", rules, re.M | re.S)[0]
    return " ".join(re.findall(r"^  (?:LINK_FLAGS|LINK_LIBRARIES) = (.*)", rule, re.M)).split()


def check_linked(words, archives):
    """Each archive is in the table; by name nothing is linked but glibc."""
    foreign = {Path(word).name for word in words if word.endswith(".a") and not word.startswith("src/")}
    e2e.check(not foreign - archives, f"packaging/libraries.json has no row for {sorted(foreign - archives)}")
    named = {word for word in words if word.startswith("-l")}
    e2e.check(named <= {"-lm", "-ldl", "-lrt", "-lpthread"}, f"libraries by name: {named}")
    return foreign


def check_parts(packages):
    """What the linkers of the program and of the launcher's helper in it were given is in the table, and what the build
    depends on; each row has version and licence, and --version names those that are no part of the compiler."""
    archives = {name for row in LIBRARIES for name in row["archives"]}
    rules = (portable.BUILD / "build.ninja").read_text(encoding="utf-8")
    foreign = check_linked(words_of_linker(rules, "assay"), archives)
    e2e.check(len(foreign) > 10, f"the link line was not understood: {foreign}")
    helper = words_of_linker(rules, "src/sandbox_host")
    e2e.check("-static" in helper and not check_linked(helper, archives), f"the helper has more than glibc: {helper}")
    e2e.check({"libc.a", "libgcc.a", "libgcc_eh.a", "libstdc++.a"} <= archives, "no row for what the compiler adds")
    version = must(portable.PROGRAM, "--version").stdout.lower()
    for row in LIBRARIES:
        if foreign & set(row["archives"]):
            e2e.check(f"{row['name'].lower()} " in version, f"--version does not name {row['name']}: {version}")
    wanted = (e2e.ROOT / "cmake/deps.cmake").read_text(encoding="utf-8").partition("if(ASSAY_TESTS)")[0]
    names = set(re.findall(r"^ *(?:assay_dependency|find_package|pkg_check_modules)\((\w+)", wanted, re.M))
    rows = {row["dependency"] for row in LIBRARIES if "dependency" in row}
    names -= {"PkgConfig", "target", "PQ"}    # libpq is the machine's, opened by whoever names a store on a server
    e2e.check(len(names) > 10 and names == rows, f"deps.cmake has {sorted(names)}, the table {sorted(rows)}")
    bill = json.loads(next(path for name, path in packages.items() if name.endswith(".cdx.json")).read_bytes())
    check_bill(bill, "every")


def check_size(packages):
    with zipfile.ZipFile(one(packages, ".whl")) as archive:
        size = next(entry.file_size for entry in archive.infolist() if entry.filename.endswith("/scripts/assay"))
    e2e.check(size <= BYTES_MAX, f"the program has {size:,} bytes")


def parts_in(form):
    return {row["name"] for row in LIBRARIES if row.get("only", form) == form}


def check_bill(bill, form):
    e2e.check({part["name"] for part in bill["components"]} == parts_in(form), f"{form}: parts are missing")
    e2e.check(all(part["version"] and part["licenses"] and part["purl"] for part in bill["components"]), "no version")


def check_told(names, read, form):
    """What a package says of itself: the list of its parts, a licence of each; the profile is below its prefix."""
    check_bill(json.loads(read(next(name for name in names if name.endswith("/assay.cdx.json")))), form)
    profiles = [name for name in names if name.endswith(PROFILE)]
    e2e.check(len(profiles) == 1, f"{form}: {len(profiles)} profiles")
    e2e.check(read(profiles[0]) == (e2e.ROOT / "packaging/apparmor/assay").read_bytes(), "another profile")
    texts = {Path(name).name: name for name in names if re.search(r"/licences/[^/]+\.txt$", name)}
    e2e.check(len(texts) == len(parts_in(form)), f"{len(texts)} licences of {len(parts_in(form))} parts in {form}")
    for name in texts.values():
        text = read(name).decode(errors="replace")
        e2e.check(re.search(r"copyright|public domain|licen[cs]e", text, re.I), f"{name} is no licence")
        for common in re.findall(r"/usr/share/common-licenses/([A-Za-z]+-[\d.]*\d)", text):
            e2e.check(any(other.endswith(f"/common/{common}.txt") for other in names), f"{name} refers to {common}")


def try_program(program, where):
    version = must(program, "--version").stdout
    e2e.check(re.match(r"assay \d+\.\d+\.\d+", version), f"{where}: {version!r}")
    with e2e.scratch() as folder:
        shutil.copytree(EXAMPLE, Path(folder, "civic"))
        must(program, "run", "civic/civic-knowledge.yml", "--offline", cwd=folder)
    print(f"{where}: --version, the example")


def one(packages, ending):
    found = [path for name, path in packages.items() if name.endswith(ending)]
    e2e.check(len(found) == 1, f"{len(found)} packages end in {ending}")
    return found[0]


def check_archive(tarball, form):
    with tarfile.open(tarball) as archive:
        names = [entry.name for entry in archive if entry.isfile()]
        has_site = any(name.endswith("share/doc/assay/html/index.html") for name in names)
        wants_site = form in ("tarball", "deb") and SITE_MADE.exists()    # left out where mkdocs-material cannot be had
        e2e.check(has_site == wants_site, f"{form}: the site is there: {has_site}, expected: {wants_site}")
        form = "site" if has_site else form
        check_told(names, lambda name: archive.extractfile(name).read(), form)
        return archive.getnames()


def try_tarball(packages, folder):
    tarball = one(packages, ".tar.gz")
    names = check_archive(tarball, "tarball")
    prefix = Path(folder, "below here")
    script = packages["install.sh"]
    said = must("sh", script, env={"PREFIX": prefix})
    e2e.check("is not in PATH yet" in said.stdout, "PATH is not spoken of", said)
    try_program(prefix / "bin/assay", "install.sh")
    must("sh", script, env={"PREFIX": prefix})     # over an earlier one
    must("tar", "-xzf", tarball, cwd=folder)
    must("sh", Path(folder, names[0], "install.sh"), env={"PREFIX": Path(folder, "unpacked")})
    e2e.check(Path(folder, "unpacked/bin/assay").exists(), "the unpacked tarball was not installed")
    old = Path(folder, "old")
    old.mkdir()
    Path(old, "getconf").write_text("#!/bin/sh\necho glibc 2.31\n")
    Path(old, "getconf").chmod(0o755)
    said = must("sh", script, env={"PREFIX": Path(folder, "no"), "PATH": f"{old}:{os.environ['PATH']}"}, code=1)
    e2e.check(said.stderr.count("\n") == 1 and "this machine has glibc 2.31" in said.stderr, "glibc 2.31", said)
    e2e.check(not Path(folder, "no").exists(), "it installed all the same")
    broken = Path(folder, "broken")
    shutil.copytree(tarball.parent, broken)
    with open(broken / tarball.name, "ab") as file:
        file.write(b"x")
    must("sh", broken / "install.sh", env={"PREFIX": Path(folder, "no")}, code=1)


class Machine:
    """An empty Debian that keeps what is changed in it until the test ends; /tmp has the packages and the example."""

    def __init__(self, folder, packages, suite, *included):
        self.root, self.why = None, roots.may_be_entered()
        if not self.why:
            self.root, self.why = roots.debian(suite, *included)
        if self.why:
            print(f"skipped: {suite}: {self.why}")
        self.scratch, self.changes = Path(folder, suite, "tmp"), Path(folder, suite, "changes")
        shutil.copytree(packages["SHA256SUMS"].parent, self.scratch)
        shutil.copytree(EXAMPLE, self.scratch / "civic")
        self.changes.mkdir()

    def must(self, *words, code=0, **env):
        done = roots.run(self.root, self.scratch, *words, changes=self.changes, env=env)
        e2e.check(done.returncode == code, f"{words[0]} ended in {done.returncode}", done)
        return done

    def try_program(self, program, where):
        self.must(program, "--version")
        self.must(program, "run", "civic/civic-knowledge.yml", "--offline")
        print(f"{where}: --version, the example")


def check_deb(packages, folder):
    package, files = one(packages, ".deb"), Path(folder, "deb.tar")
    fields = must("dpkg-deb", "--field", package).stdout
    e2e.check("\nDepends: libc6 (>= 2.35)\n" in fields, fields)
    suggested = re.search(r"(?m)^Suggests: (.*)", fields)[1].split(", ")
    e2e.check({"poppler-utils", "libpq5", "python3"} <= set(suggested), fields)
    with open(files, "wb") as file:
        subprocess.run(["dpkg-deb", "--fsys-tarfile", package], stdout=file, check=True)
    check_archive(files, "deb")


def try_deb(packages, folder):
    package = one(packages, ".deb")
    machine = Machine(Path(folder, "deb"), packages, "bookworm")
    if machine.why:
        return
    everywhere = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}
    alone = ["--yes", "--no-install-recommends", "-o", "APT::Sandbox::User=root"]
    machine.must("/usr/bin/apt-get", "install", *alone, f"/tmp/{package.name}", **everywhere)
    machine.try_program("/usr/bin/assay", "apt in an empty Debian 12")
    machine.must("/usr/bin/apt-get", "remove", "--yes", "assay", **everywhere)
    machine.must("/usr/bin/dpkg", "--install", f"/tmp/{package.name}", **everywhere)
    machine.try_program("/usr/bin/assay", "dpkg in an empty Debian 12")
    machine.must("/usr/bin/test", "-e", "/etc/apparmor.d/assay", code=1)    # where AppArmor does not know the rule
    machine.must("/bin/mkdir", "-p", "/etc/apparmor.d/abi/4.0")
    machine.must("/usr/bin/dpkg", "--install", f"/tmp/{package.name}", **everywhere)
    machine.must("/usr/bin/cmp", "/etc/apparmor.d/assay", "/usr/share/doc/assay/apparmor/assay")
    machine.must("/usr/bin/dpkg", "--purge", "assay", **everywhere)
    for path in ("/usr/bin/assay", "/etc/apparmor.d/assay"):
        machine.must("/usr/bin/test", "-e", path, code=1)


def try_profile(packages, folder):
    machine = Machine(Path(folder, "profile"), packages, "trixie", "apparmor")
    if not machine.why:
        shutil.copy(e2e.ROOT / "packaging/apparmor/assay", machine.scratch / "profile")
        machine.must("/usr/sbin/apparmor_parser", "--skip-kernel-load", "--skip-cache", "/tmp/profile")
        print("AppArmor 4 reads the profile")


def try_tarball_in_root(packages, folder):
    machine = Machine(Path(folder, "tarball"), packages, "bookworm")
    if not machine.why:
        machine.must("/bin/sh", "/tmp/install.sh")    # below the home, which is not there yet
        machine.try_program("/tmp/home/.local/bin/assay", "install.sh in an empty Debian 12")
        machine.must("/bin/sh", "/tmp/install.sh", PREFIX="/opt/assay")
        machine.must("/usr/bin/test", "-e", f"/opt/assay/{PROFILE}")


def try_old_glibc(packages, folder):
    machine = Machine(Path(folder, "old-glibc"), packages, "bullseye", "python3-venv")
    if not machine.why:
        said = machine.must("/bin/sh", "/tmp/install.sh", code=1)
        e2e.check(said.stderr.count("\n") == 1 and "this machine has glibc 2.31" in said.stderr, "glibc 2.31", said)
        machine.must("/usr/bin/python3", "-m", "venv", "/tmp/venv")
        wheel = one(packages, ".whl")
        said = machine.must("/tmp/venv/bin/pip", "install", "--no-index", f"/tmp/{wheel.name}", code=1)
        e2e.check(f"{wheel.name} is not a supported wheel on this platform" in said.stderr, "pip takes it", said)
        print("install.sh and pip in an empty Debian 11: refused")


def try_wheel_in_root(packages, folder):
    machine = Machine(Path(folder, "pip"), packages, "bookworm", "pipx")
    if machine.why:
        return
    wheel = f"/tmp/{one(packages, '.whl').name}"
    machine.must("/usr/bin/python3", "-m", "venv", "/tmp/venv")
    machine.must("/tmp/venv/bin/pip", "install", "--no-index", wheel)
    machine.try_program("/tmp/venv/bin/assay", "pip in an empty Debian 12 with Python")
    machine.must("/usr/bin/test", "-e", f"/tmp/venv/{PROFILE}")
    # What pipx's own environment lacks stands beside the package.
    machine.must("/usr/bin/pipx", "install", "--pip-args=--no-index --find-links=/usr/share/python-wheels", wheel)
    machine.try_program("/tmp/home/.local/bin/assay", "pipx in the same")
    place, why = interop.tried("installers")
    if why:
        print(f"skipped: uvx: {why}")
        return
    for name in ("uv", "uvx"):
        shutil.copy(place / "bin" / name, machine.scratch / name)
    machine.must("/tmp/uvx", "--offline", "--from", wheel, "assay", "--version")
    machine.must("/tmp/uvx", "--offline", "--from", wheel, "assay", "run", "civic/civic-knowledge.yml", "--offline")
    print("uvx in the same: --version, the example")


def try_wheel(packages, folder):
    wheel = one(packages, ".whl")
    with zipfile.ZipFile(wheel) as archive:
        check_told(archive.namelist(), archive.read, "wheel")
    environment = Path(folder, "venv")
    must(sys.executable, "-m", "venv", environment)
    started = time.monotonic()
    must(environment / "bin/pip", "install", "--no-index", wheel)
    must(environment / "bin/assay", "demo", cwd=folder)
    seconds = time.monotonic() - started
    e2e.check(Path(folder, "assay-demo").exists() and seconds < FIRST_MINUTE_S, f"pip and demo took {seconds:.0f} s")
    print(f"pip, then demo: {seconds:.1f} s")
    try_program(environment / "bin/assay", "pip")
    e2e.check((environment / PROFILE).exists(), "the profile is not below the environment")
    listed = must(environment / "bin/pip", "show", "--files", "assay").stdout
    e2e.check("bin/assay" in listed, listed)
    must(environment / "bin/pip", "check")
    refused = must(environment / "bin/pip", "download", "--no-index", "--no-deps", "--only-binary", ":all:",
                   "--platform", "manylinux_2_31_x86_64", "--find-links", wheel.parent, "-d", folder, "assay", code=1)
    e2e.check("No matching distribution" in refused.stderr, "glibc 2.31 is offered the wheel", refused)


def check_image_files(names):
    """Beside our own files: the C library, of a package that the table has a row for, and the authorities."""
    packages = {row["debian"] for row in LIBRARIES if row.get("only") == "image"}
    own = re.compile(r"usr/(bin/assay|share/doc/assay(/.*)?)|(tmp|data)/\.keep|etc/(passwd|group|nsswitch\.conf)")
    for path in names:
        if own.fullmatch(path) or Path("/", path).is_dir() or path == "data":
            continue
        if path == "etc/ssl/certs/ca-certificates.crt":
            owner = "ca-certificates"
        else:
            # Debian's own list may know it from before /lib became a link to /usr/lib.
            file = str(Path("/", path).resolve())
            said = subprocess.run(["dpkg", "-S", file, file.removeprefix("/usr")], capture_output=True, text=True,
                                  check=False)
            owner = said.stdout.partition(":")[0]
        e2e.check(owner in packages, f"the image has {path} of {owner}, which packaging/libraries.json does not know")


def try_image(packages, folder):
    layout = Path(folder, "image")
    layout.mkdir()
    must("tar", "-xf", one(packages, "-oci.tar"), "-C", layout)

    def blob(entry):
        data = (layout / "blobs" / entry["digest"].replace(":", "/")).read_bytes()
        e2e.check(len(data) == entry["size"], f"{entry} has {len(data)} bytes")
        return data

    manifest = json.loads(blob(json.loads((layout / "index.json").read_bytes())["manifests"][0]))
    configuration = json.loads(blob(manifest["config"]))
    e2e.check(configuration["config"]["User"] == "65532:65532", "the image runs as root")
    root = Path(folder, "root")
    root.mkdir()
    Path(folder, "layer.tar.gz").write_bytes(blob(manifest["layers"][0]))
    check_image_files(check_archive(Path(folder, "layer.tar.gz"), "image"))
    must("tar", "-xzf", Path(folder, "layer.tar.gz"), "-C", root)
    e2e.check(not list(root.glob("**/sh")) and not list(root.glob("**/bash")), "the image has a shell")
    why = roots.may_be_entered()
    if why:
        print(f"skipped: image: {why}")
        return
    scratch = Path(folder, "image-tmp")
    shutil.copytree(EXAMPLE, scratch / "civic")
    scratch.chmod(0o777)
    words = ["run", "civic/civic-knowledge.yml", "--offline"]
    ran = roots.run(root, scratch, *configuration["config"]["Entrypoint"], *words, user=65532)
    e2e.check(ran.returncode == 0, "the image's program", ran)
    doctor = roots.run(root, scratch, *configuration["config"]["Entrypoint"], "doctor", user=65532)
    e2e.check(doctor.returncode == 0, "the image's doctor", doctor)
    print("image: the example and the doctor, as user 65532")


def try_podman(packages, folder):
    if not (shutil.which("podman") and shutil.which("runc")):
        print("skipped: podman and runc are not installed")
        return
    podman = ["podman", "--root", Path(folder, "podman"), "--runroot", Path(folder, "podman-run"),
              "--storage-driver=vfs", "--cgroup-manager=cgroupfs", "--events-backend=none", "--runtime=runc"]
    loaded = must(*podman, "load", "--input", one(packages, "-oci.tar")).stdout.split()[-1]
    scratch = Path(folder, "podman-data")
    shutil.copytree(EXAMPLE, scratch / "civic")
    for path in [scratch, *scratch.glob("**/*")]:
        os.chown(path, 65532, 65532)
    # More processes and files than the machine allows are podman's usual wish.
    settings = Path(folder, "containers.conf")
    settings.write_text("[containers]\ndefault_ulimits = []\n")
    run = [*podman, "run", "--rm", "--network=none", "-v", f"{scratch}:/data", loaded]
    try:
        for words in (["--version"], ["run", "civic/civic-knowledge.yml", "--offline"], ["doctor"]):
            said = must(*run, *words, env={"CONTAINERS_CONF": settings})
        e2e.check("sandbox" in said.stdout, "the doctor is silent about the sandbox", said)
    finally:
        must(*podman, "rmi", "--all", "--force")
    print("podman: --version, the example and the doctor")


with e2e.scratch() as folder:
    packages = make(Path(folder, "first"))
    check_same(packages, make(Path(folder, "second")))
    must("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=packages["SHA256SUMS"].parent)
    check_parts(packages)
    check_size(packages)
    e2e.check(str(e2e.ROOT).encode() not in portable.PROGRAM.read_bytes(), "it names the folder of its build")
    try_tarball(packages, folder)
    check_deb(packages, folder)
    try_deb(packages, folder)
    try_profile(packages, folder)
    try_tarball_in_root(packages, folder)
    try_old_glibc(packages, folder)
    try_wheel(packages, folder)
    try_wheel_in_root(packages, folder)
    try_image(packages, folder)
    try_podman(packages, folder)
