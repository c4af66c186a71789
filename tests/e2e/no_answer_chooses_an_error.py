#!/usr/bin/env python3
"""A wrong answer used to be an error where it opened a socket at landlock, or hid from being measured, and so left the
mean. Whatever an answer does to be an error in place of wrong, it is 0 at every level."""
import json
import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

LEVELS = ("ns", "landlock")
REFUSED = "refused"
HIDDEN = "cp $(command -v sleep) hidden && chmod 111 hidden && "
HIDDEN_DISK = "hidden disk use"   # found by several looks, which take longer on a busy machine than other rows last
# name: (language, answer, what its mark says at landlock; "" for nothing)
CASES = {
    "socket": ("bash", "exec 5<>/dev/tcp/127.0.0.1/9", REFUSED),
    "socket_behind": ("bash", "(exec 5<>/dev/tcp/127.0.0.1/9) 2>/dev/null", REFUSED),
    "python_socket": ("python", "import socket\ntry: socket.socket().connect(('127.0.0.1', 9))\n"
                                "except OSError: pass\ndef half(x): return 0", REFUSED),
    "temporary": ("bash", "echo x >/var/tmp/assay-$$", REFUSED),
    "shared_memory": ("bash", "echo x >/dev/shm/assay-$$ || exit 3", REFUSED),
    "waits_for_socket": ("bash", "(exec 5<>/dev/tcp/127.0.0.1/9); sleep 60", REFUSED),
    "hidden_disk": ("bash", HIDDEN + "./hidden 600", HIDDEN_DISK),
    "hidden_child": ("bash", HIDDEN + "(./hidden 600 &) ; sleep 600", HIDDEN_DISK),
    "status_126": ("bash", "exit 126", ""),
    "status_127": ("bash", "no_such_command_anywhere; exit 127", ""),
    "status_77": ("bash", "exit 77", ""),
    "status_255": ("bash", "exit 255", ""),
    "killed": ("bash", "kill -KILL $$", ""),
    "bad_call": ("bash", "kill -SYS $$", ""),
    "limit_signal": ("bash", "kill -XCPU $$", ""),
    "stopped": ("bash", "kill -STOP $$", ""),
    "kills_parent": ("bash", "kill -KILL $PPID; kill -KILL 1; kill -KILL -1", ""),
    "group": ("bash", "kill -KILL 0", ""),
    "output": ("bash", "yes", ""),
    "control_output": ("bash", "head -c 2000000 /dev/zero | tr '\\0' '\\1'; head -c 2000000 /dev/zero >&2", ""),
    "bytes": ("bash", "head -c 300000 /bin/bash; head -c 300000 /bin/bash >&2; echo '\x1e' >&2", ""),
    "closed": ("bash", "exec 0<&- 1>&- 2>&- 3>&-; exit 1", ""),
    "forks": ("bash", "f() { f | f & }; f; sleep 60", ""),
    "pids": ("python", "import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(60)", ""),
    "files": ("python", "import os\nkept = []\nwhile True: kept.append(os.open('.', os.O_RDONLY))", ""),
    "names": ("python", "import os\ni = 0\nwhile True:\n    open(f'f{i}', 'w').close()\n    i += 1", ""),
    "disk": ("bash", "i=0; while head -c 60000000 /dev/zero >f$i; do i=$((i + 1)); done; sleep 60", ""),
    "one_file": ("bash", "head -c 100000000 /dev/zero >f", ""),
    "memory": ("python", "kept = []\nwhile True: kept.append(bytearray(b'x' * (1 << 24)))", ""),
    "time": ("bash", "while :; do :; done", ""),
    "daemon": ("bash", "(sleep 60 &) ; exit 1", ""),
    "locked": ("bash", "mkdir a; echo x >a/b; chmod 0 a .; exit 1", ""),
    "deep": ("python", "import os\nfor i in range(3000): os.mkdir('d'); os.chdir('d')\nraise SystemExit(1)", ""),
    "own_files": ("bash", "rm -rf ./* 2>/dev/null; rm -rf /tmp/*; exit 1", ""),
    "namespaces": ("bash", "unshare -Ur true; mount -t tmpfs x . ; chroot . true; exit 1", ""),
    "import": ("python", "import no_such_package_anywhere", ""),
    "syntax": ("python", "def half(x: return", ""),
    "recursion": ("python", "def half(x): return half(x)", ""),
    "frame": ("python", "import os\nos.write(2, b'\\x1e{\"error\": \"the sandbox is gone\"}')\nos._exit(1)", ""),
    "empty": ("bash", "", ""),
}


def write_suite(folder):
    Path(folder, "answers").mkdir()
    paths = ""
    for name, (language, answer, mark) in CASES.items():
        test = "assert half(4) == 2" if language == "python" else "[ $(half 4) = 2 ]"
        Path(folder, f"{name}.yaml").write_text(
            f"id: {name}\nprompt_path: {name}.txt\ntype: code completion\nlang: {language}\ngrading:\n  unit_test:\n"
            f"    tests:\n    - {{content: {json.dumps(test)}, "
            f"timeout: {20 if mark == HIDDEN_DISK else 4 if mark else 2}}}\n")
        Path(folder, f"{name}.txt").write_text("Write half.\n")
        Path(folder, f"answers/{name}.txt").write_text(f"```{language}\n{answer}\n```\n")
        paths += f"  {name}.yaml: [{name}.txt]\n"
    Path(folder, "answers/params.yaml").write_text("answer_paths:\n" + paths)
    Path(folder, "suite.yaml").write_text("cases:\n" + "".join(f"- {name}.yaml\n" for name in CASES))


def grade(folder, level):
    """now_score by case, None for an error; null where the level does not work."""
    result = e2e.assay("grade", "suite.yaml", "answers", "--sandbox", level, "--store", f"{level}.db", "--out", level,
                       "--json", cwd=folder, env={"PATH": "/usr/bin:/bin:" + os.environ.get("PATH", "")})
    if f"programs ran in the sandbox at level {level}" not in result.stderr:
        return None, result
    text = next(Path(folder, level).glob("**/suite_answers.yaml")).read_text()
    cases = re.split(r"(?m)^(\w+)\.yaml:$", text)[1:]
    return {name: None if "error encountered" in body else float(re.search(r"now_score: (\S+)", body)[1])
            for name, body in zip(cases[::2], cases[1::2])}, result


def mark_of(folder, level, name):
    shown = e2e.assay("show", "latest", "--store", f"{level}.db", "--case", f"{name}.yaml", "--json", cwd=folder)
    return json.dumps(json.loads(shown.stdout)["attempts"][0]["points"])


with e2e.scratch() as folder:
    if not (shutil.which("bash") and shutil.which("python3")):
        print("skipped: no bash or no python3 here")
        sys.exit(77)
    write_suite(folder)
    worked = 0
    for level in LEVELS:
        scores, result = grade(folder, level)
        if scores is None:
            print(f"{level} does not work here: {result.stderr[-300:]}")
            continue
        worked += 1
        errors = sorted(name for name in CASES if scores.get(name) is None)
        e2e.check(not errors, f"{level}: errors in place of 0: {errors}", result)
        passed = sorted(name for name in CASES if scores[name] != 0)
        e2e.check(not passed, f"{level}: more than 0: {passed}", result)
        if level != "landlock" or "unwatched" in result.stderr:
            continue
        for name, (_, _, mark) in CASES.items():
            shown = mark_of(folder, level, name)
            e2e.check(mark in shown, f"{name} is not marked {mark!r}: {shown}")
    if not worked:
        print("skipped: no level of the sandbox works here")
        sys.exit(77)
