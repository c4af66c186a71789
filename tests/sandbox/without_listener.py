#!/usr/bin/env python3
"""Where somebody else listens to system calls already, no listener is to be had: programs run, and it is said."""
import ctypes
import json
import os
import subprocess
import sys

RUNNER = os.environ["ASSAY_RUN_PROGRAMS"]
SECCOMP, SET_MODE_FILTER, NEW_LISTENER, NO_NEW_RIGHTS = {"x86_64": 317, "aarch64": 277}[os.uname().machine], 1, 8, 38
PROGRAM = ("touch x; chmod 600 x; stat -c %a x; printf 'int main(void) { return 0; }' > m.c; "
           "gcc m.c -o m && ./m && echo built")


class Program(ctypes.Structure):
    _fields_ = [("count", ctypes.c_ushort), ("rules", ctypes.c_char_p)]


def listen():
    """A filter of our own that allows everything; its listener stays open in the program that we become."""
    libc = ctypes.CDLL(None, use_errno=True)
    allow = (0x06).to_bytes(2, "little") + bytes(2) + (0x7fff0000).to_bytes(4, "little")
    libc.prctl(NO_NEW_RIGHTS, 1, 0, 0, 0)
    listener = libc.syscall(SECCOMP, SET_MODE_FILTER, NEW_LISTENER, ctypes.byref(Program(1, allow)))
    if listener < 0:
        os._exit(78)
    os.set_inheritable(listener, True)


def reply_of(before):
    runner = subprocess.Popen([RUNNER, "landlock"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              preexec_fn=before, close_fds=False, env={"PATH": "/usr/bin:/bin", "HOME": "/"})
    request = {"toolchain": "cpp", "argv": ["sh", "-c", PROGRAM], "files": {}, "wall_ms": 60000, "cpu_ms": 60000}
    said, _ = runner.communicate(json.dumps(request) + "\n")
    if runner.returncode == 78 or said.startswith("skipped:"):
        print(f"skipped: {said.strip() or 'a listener cannot be made here at all'}")
        sys.exit(77)
    return json.loads(said)


def main():
    for before, sandbox in ((None, "landlock"), (listen, "landlock, unwatched")):
        reply = reply_of(before)
        if "no toolchain" in reply.get("error", ""):
            print("skipped: no compiler is here")
            sys.exit(77)
        assert reply["out"].split() == ["600", "built"], reply
        assert reply["sandbox"].partition(", waited")[0] == sandbox, reply


if __name__ == "__main__":
    main()
