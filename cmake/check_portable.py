#!/usr/bin/env python3
"""Fails where a program needs more of a machine than glibc 2.35; a step of the portable build (portable.cmake).

usage: check_portable.py PROGRAM
"""
import re
import subprocess
import sys

NEWEST = (2, 35)                                                   # of Ubuntu 22.04
ALLOWED = re.compile(r"(libc\.so\.6|libm\.so\.6|ld-linux-[a-z0-9_-]+\.so\.[12])$")


def problems(dynamic: str, versions: str) -> list[str]:
    """What is wrong, by the output of readelf: its dynamic section, and the versions that symbols have to have."""
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic)
    found = [f"it needs the library {name}" for name in needed if not ALLOWED.match(name)]
    if not needed:
        found.append("it names no library at all, so this is no check")
    for name in sorted(set(re.findall(r"Name: (\S+)", versions))):
        number = re.fullmatch(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?", name)
        if not number or (int(number[1]), int(number[2])) > NEWEST:
            found.append(f"it needs symbols of {name}, and glibc {NEWEST[0]}.{NEWEST[1]} has to be enough")
    return found


def main() -> int:
    def readelf(what: str) -> str:
        return subprocess.run(["readelf", "-W", what, sys.argv[1]], capture_output=True, text=True, check=True).stdout

    found = problems(readelf("--dynamic"), readelf("--version-info"))
    for line in found:
        print(f"{sys.argv[1]}: {line}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
