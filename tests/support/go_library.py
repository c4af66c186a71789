"""Go's library for programs in a sandbox. `go run` compiles what a program imports, which takes 16 s of CPU where no
cache is filled; a program in a sandbox begins with the cache of its toolchains and keeps nothing."""
import os
import shutil
import subprocess
from pathlib import Path

INSTALLED = Path.home() / ".local" / "share" / "assay" / "toolchains"
# Below /tmp it would be a program's own folder, where landlock marks what it refuses.
OF_TESTS = Path(__file__).resolve().parents[2] / ".cache" / "toolchains"
# What the programs of honest_programs.py and of the attacks import.
IMPORTS = ("fmt", "net", "os", "os/exec", "runtime", "sort", "strconv", "strings", "syscall", "time")
SETTINGS = {"CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOPROXY": "off", "GOFLAGS": "-modcacherw",
            "GO111MODULE": "off", "GOCACHE": str(OF_TESTS / "go" / "cache")}


def toolchains():
    """A folder of toolchains: the named or the installed one, else one in .cache/ that has Go's library alone."""
    given = os.environ.get("ASSAY_TOOLCHAINS") or (str(INSTALLED) if INSTALLED.is_dir() else "")
    go = shutil.which("go", path="/usr/local/go/bin:" + os.environ["PATH"])
    if given or not go:
        return given
    Path(SETTINGS["GOCACHE"]).mkdir(parents=True, exist_ok=True)
    subprocess.run([go, "build", *IMPORTS], check=True, env={**os.environ, **SETTINGS})
    return str(OF_TESTS)
