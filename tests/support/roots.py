"""Running a program as on another system: a folder becomes the root of the child alone. Only root may do so.

The folder itself is never written to. The child finds it read-only but for /tmp, or, with `changes`, writes what it
changes there."""
import ctypes
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

import e2e

_PRIVATE, _RECURSIVE, _BIND, _REMOUNT, _READ_ONLY, _DETACH = 1 << 18, 1 << 14, 1 << 12, 1 << 5, 1, 2
_NEW_MOUNTS = 0x00020000
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_LIBC = ctypes.CDLL(None, use_errno=True)
ROOTS = e2e.ROOT / "build/roots"    # what debootstrap made, kept for the next time


def _must(result, what):
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def _mount(source, target, flags, kind=None, words=None):
    texts = [text and str(text).encode() for text in (source, target, kind, words)]
    _must(_LIBC.mount(*texts[:3], flags, texts[3]), f"mount {target}")


def _enter(root, scratch, folder, changes, user, kernel):
    """In the child, before it becomes the program."""
    _must(_LIBC.unshare(_NEW_MOUNTS), "unshare")
    _mount(None, "/", _RECURSIVE | _PRIVATE)
    if changes:
        upper, work = Path(changes, "upper"), Path(changes, "work")
        upper.mkdir(exist_ok=True)
        work.mkdir(exist_ok=True)
        _mount("overlay", root, 0, "overlay", f"lowerdir={root},upperdir={upper},workdir={work}")
    else:
        _mount(root, root, _BIND)
        _mount(None, root, _BIND | _REMOUNT | _READ_ONLY)
    for name in ("dev", "proc", "sys"):
        if Path(root, name).is_dir():
            _mount(f"/{name}", Path(root, name), _BIND | _RECURSIVE)
    _mount(scratch, Path(root, "tmp"), _BIND)
    os.chdir(root)
    if kernel:
        _mount(kernel, Path(root, "proc/sys/kernel"), _BIND)
        os.chroot(".")
    else:
        _must(_LIBC.syscall(_PIVOT_ROOT[platform.machine()], b".", b"."), "pivot_root")
        _must(_LIBC.umount2(b".", _DETACH), "umount")
    os.chdir(folder)
    if user:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)


def run(root, scratch, *words, env=None, folder="/tmp", changes=None, user=0, kernel=None):
    """Runs words[0], a path below the new root, where `scratch` is /tmp, and nothing is known of this environment.

    `kernel` stands for /proc/sys/kernel, and no namespace of users can be made then."""
    surroundings = {"PATH": "/usr/bin:/bin", "HOME": "/tmp/home", "LANG": "C.UTF-8", "CI": "1", **(env or {})}
    return subprocess.run(list(map(str, words)), env=surroundings, capture_output=True, text=True,
                          timeout=e2e.SECONDS_MAX,
                          preexec_fn=lambda: _enter(root, scratch, folder, changes, user, kernel))


def may_be_entered():
    """None, or why roots cannot be entered here."""
    if os.geteuid() != 0:
        return "only root may enter another root"
    tried = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
    return None if tried.returncode == 0 else "no namespace of mounts can be had here"


def with_glibc_alone(folder, program):
    """A root that holds the files of glibc that the program is linked to, and nothing else."""
    folder = Path(folder)
    for name in ("dev", "proc", "tmp", "etc", "home"):
        folder.joinpath(name).mkdir(parents=True)
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    for path in re.findall(r"(/\S+) \(0x", linked):
        target = folder / path[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return folder


def debian(suite, *packages):
    """(root, None) of an empty Debian with these packages by debootstrap, or (None, why there is none)."""
    root = ROOTS / "-".join([suite, *packages])
    if (root / "made").exists():
        return root, None
    if shutil.which("debootstrap") is None:
        return None, "debootstrap is not installed"
    sources = [*Path("/etc/apt/sources.list.d").glob("*.sources"), Path("/etc/apt/sources.list")]
    found = [re.search(r"^(?:URIs:|deb) +(\S+)", file.read_text(), re.M) for file in sources if file.is_file()]
    mirrors = [match[1] for match in found if match and "debian" in match[1]]
    shutil.rmtree(root, ignore_errors=True)
    ROOTS.mkdir(parents=True, exist_ok=True)
    script = [] if Path("/usr/share/debootstrap/scripts", suite).exists() else ["/usr/share/debootstrap/scripts/sid"]
    more = [f"--include={','.join(packages)}"] if packages else []
    with open(f"{root}.log", "w", encoding="utf-8") as log:
        # In a view of its own: what it mounts is gone with it, however it ends.
        words = ["unshare", "--mount", "debootstrap", "--variant=minbase", *more, suite, str(root), *mirrors[:1],
                 *script]
        made = subprocess.run(words, stdout=log, stderr=log, stdin=subprocess.DEVNULL, check=False, timeout=1800)
    if made.returncode != 0:
        return None, f"debootstrap has no {suite} here"
    (root / "made").write_text("")
    return root, None
