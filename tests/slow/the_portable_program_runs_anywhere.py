#!/usr/bin/env python3
"""The portable program in systems that have nothing: an empty Debian 12 and 13, glibc alone, a home that cannot be
written to. Each makes one call over TLS, runs an example and the doctor; stores on a server want the machine's libpq;
and an ordinary program is refused by the build's own check."""
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import portable  # noqa: E402
import e2e  # noqa: E402
import roots  # noqa: E402
from certificates import Authority  # noqa: E402
from mock_server import MockServer  # noqa: E402

KEY = {"OPENAI_API_KEY": "sk-test-anywhere-4711"}
PLACES = ["etc/ssl/certs/ca-certificates.crt", "etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
          "etc/pki/tls/certs/ca-bundle.crt", "var/lib/ca-certificates/ca-bundle.pem", "etc/ssl/ca-bundle.pem",
          "etc/ssl/cert.pem"]


def new_scratch(folder, name):
    """What the root sees as /tmp: the program, the example, a suite that asks a service."""
    scratch = Path(folder, name)
    (scratch / "home").mkdir(parents=True)
    shutil.copy(portable.PROGRAM, scratch / "assay")
    shutil.copytree(e2e.ROOT / "examples/civic-knowledge", scratch / "civic")
    (scratch / "suite.yml").write_text(e2e.suite(1, model="openai:gpt-4o-mini"))
    return scratch


def ask(mock, root, scratch, env):
    before = len(mock.requests)
    asked = roots.run(root, scratch, "/tmp/assay", "run", "suite.yml", "--fresh", f"--base-url=openai={mock.url}/v1",
                      env={**KEY, **env})
    e2e.expect(asked, 0)
    e2e.check(len(mock.requests) == before + 1, "the service was not asked", asked)


def try_root(mock, name, root, scratch, authority, env=None):
    shutil.copy(authority.file, scratch / "authority.pem")
    ask(mock, root, scratch, {"SSL_CERT_FILE": "/tmp/authority.pem", **(env or {})})
    example = roots.run(root, scratch, "/tmp/assay", "run", "civic/civic-knowledge.yml", "--offline", env=env)
    e2e.expect(example, 0)
    e2e.check("civic" in example.stdout + example.stderr, "the example was not run", example)
    doctor = roots.run(root, scratch, "/tmp/assay", "doctor", env=env)
    e2e.expect(doctor, 0)
    print(f"{name}: a call over TLS, the example, the doctor")


def check_the_check():
    checked = subprocess.run([sys.executable, e2e.ROOT / "cmake/check_portable.py", portable.ORDINARY],
                             capture_output=True, text=True, check=False)
    e2e.check(checked.returncode == 1 and "libicuuc" in checked.stderr, "an ordinary program passed", checked)


def try_apparmor(root, scratch):
    """Where AppArmor grants no namespaces, the doctor says so; where they lack for another reason, it does not."""
    kernel = scratch / "kernel"
    kernel.mkdir()
    for rule, is_told in (("1", True), ("0", False)):
        (kernel / "apparmor_restrict_unprivileged_userns").write_text(f"{rule}\n")
        doctor = roots.run(root, scratch, "/tmp/assay", "doctor", user=65532, kernel=kernel)
        e2e.check("no ns: " in doctor.stdout, "namespaces can be made", doctor)
        e2e.check(("AppArmor" in doctor.stdout) == is_told, f"AppArmor's rule is {rule}", doctor)
    # As each package lays it: beside the folder of the program.
    (kernel / "apparmor_restrict_unprivileged_userns").write_text("1\n")
    profile = scratch / "prefix/share/doc/assay/apparmor/assay"
    for path in (profile, scratch / "prefix/bin/assay"):
        path.parent.mkdir(parents=True)
    shutil.copy(e2e.ROOT / "packaging/apparmor/assay", profile)
    shutil.copy(portable.PROGRAM, scratch / "prefix/bin/assay")
    doctor = roots.run(root, scratch, "/tmp/prefix/bin/assay", "doctor", user=65532, kernel=kernel)
    e2e.check(" /tmp/prefix/share/doc/assay/apparmor/assay says" in doctor.stdout, "the path of the profile", doctor)
    print("AppArmor's rule about namespaces is told, and where the profile lies")


def try_server_store(root, scratch):
    """libpq is the machine's (docs/decisions/0087): used where it is, named where it is not."""
    shown = roots.run(root, scratch, "/tmp/assay", "runs", "--store", "postgresql://eve@127.0.0.1:9/runs")
    e2e.check(shown.returncode != 0 and "install the package libpq5" in shown.stderr, "a root without libpq", shown)
    used = subprocess.run([sys.executable, e2e.ROOT / "tests/e2e/a_server_holds_the_store.py"], capture_output=True,
                          text=True, check=False)
    e2e.check(used.returncode in (0, 77), "a store on a server", used)
    print(f"libpq: {'told where it is missing, used where it is' if used.returncode == 0 else used.stdout.strip()}")


check_the_check()
words = subprocess.run([portable.BUILD / "src/text_test"], cwd=e2e.ROOT, capture_output=True, text=True, check=False)
e2e.check(words.returncode == 0, "text_test fails with the cut data of ICU", words)
why = roots.may_be_entered()
if why:
    e2e.skip(why)
with e2e.scratch() as folder:
    Path(folder, "keys").mkdir()
    authority = Authority(Path(folder, "keys"))
    with MockServer(tls=authority.certificate("here", ["DNS:localhost", "IP:127.0.0.1"])) as mock:
        alone = roots.with_glibc_alone(Path(folder, "alone"), portable.PROGRAM)
        scratch = new_scratch(folder, "alone-tmp")
        try_root(mock, "glibc alone", alone, scratch, authority)
        for place in PLACES:
            target = alone / place
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(authority.file, target)
            ask(mock, alone, scratch, {})
            target.unlink()
        print(f"glibc alone: {len(PLACES)} places of certificates")
        try_apparmor(alone, scratch)
        try_server_store(alone, scratch)
        for suite in ("bookworm", "trixie"):
            root, why = roots.debian(suite)
            if why:
                print(f"skipped: Debian {suite}: {why}")
                continue
            try_root(mock, f"Debian {suite}", root, new_scratch(folder, suite), authority)
            if suite == "bookworm":
                try_root(mock, "a home that cannot be written to", root, new_scratch(folder, "read-only"), authority,
                         {"HOME": "/root"})
