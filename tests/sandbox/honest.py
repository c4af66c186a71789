#!/usr/bin/env python3
"""Honest programs grade alike: each ends with the same verdict at ns, landlock and none, as root and as another user,
or fails at landlock, marked, because it needs what landlock refuses. 60 of them; with no sandbox, and as root beside
another user, each third of these, others at each level. With --all (tests/slow/all_honest_programs.sh) 300,
everywhere."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import go_library  # noqa: E402
from honest_programs import PROGRAMS  # noqa: E402

OTHER_USER = 1_000_123
WALL_MS = {"too slow": 3000}
NEEDS = {"csharp": "its runtime"}   # of every program of a language
COMMANDS = {
    "bash": ("bash", "main.sh", ["bash", "main.sh"]),
    "python": ("python", "main.py", ["python3", "main.py"]),
    "javascript": ("node", "main.js", ["node", "main.js"]),
    "cpp": ("cpp", "main.cpp", ["sh", "-c", "g++ -std=c++20 -w -pthread main.cpp -o main && exec ./main"]),
    "java": ("java", "Main.java", ["sh", "-c", "javac Main.java && exec java Main"]),
    "ruby": ("ruby", "main.rb", ["ruby", "main.rb"]),
    "go": ("go", "main.go", ["go", "run", "main.go"]),
    "rust": ("rust", "main.rs", ["sh", "-c", "rustc --edition 2021 main.rs -o main && exec ./main"]),
    "csharp": ("csharp", "main.cs", ["sh", "-c", "mcs -out:main.exe main.cs && exec mono main.exe"]),
    "typescript": ("typescript", "test.ts", ["sh", "-c", "tsc test.ts --outfile test.js; exec node test.js"]),
    "r": ("r", "main.r", ["Rscript", "main.r"]),
    "php": ("php", "main.php", ["php", "main.php"]),
    "sql": ("sqlite", "main.sql", ["sqlite3", "-bail", ":memory:", ".read main.sql"]),
}


def chosen(every):
    """All, or of each language what a sandbox can disturb and a wrong answer: 60."""
    if every:
        return PROGRAMS
    kept = [row for row in PROGRAMS if ": a " in row[0] or ": files" in row[0] or row[1] in ("python", "bash")]
    by_language = {}
    for row in kept:
        by_language.setdefault(row[1], []).append(row)
    picked = []
    for number in range(60):
        for rows in by_language.values():
            if number < len(rows) and len(picked) < 60 and rows[-1 - number] not in picked:
                picked.append(rows[-1 - number])
    return picked


def rows_of(plan, rows, is_all, is_root):
    """What a level runs as a user."""
    levels = ["ns", "landlock", "none"]
    level, user = plan
    is_sampled = not is_all and (level == "none" or is_root and not user)
    return rows[levels.index(level)::3] if is_sampled else rows


def request_of(row, own):
    name, language, code, _, _ = row
    toolchain, path, argv = COMMANDS[language]
    code = code.replace("@own@", own)
    wall = WALL_MS.get(name.split(": ")[1], 60000)
    return {"toolchain": toolchain, "argv": argv, "files": {path: code}, "wall_ms": wall, "cpu_ms": 4 * wall,
            "memory_bytes": 1 << 30, "processes": 256}


def toolchains_at(level, user, toolchains):
    """What lies in root's home is no runtime for the programs' user at landlock; those of the machine are tried."""
    parts = (Path(toolchains), *Path(toolchains).parents) if toolchains else ()
    is_everybodys = all(part.exists() and part.stat().st_mode & 0o001 for part in parts)
    return "" if level == "landlock" and not user and os.geteuid() == 0 and not is_everybodys else toolchains


def run_level(runner, toolchains, level, rows, work, user):
    """One reply a program; None where the level does not work."""
    def become():
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    folder = tempfile.mkdtemp(prefix="level-", dir=work)
    os.chmod(folder, 0o777)
    Path(folder, "go.mod").write_text("what another user left above the work folders\n")
    environment = {**os.environ, "ASSAY_PROGRAM_FOLDER": folder, "HOME": folder,
                   "ASSAY_TOOLCHAINS": toolchains_at(level, user, toolchains),
                   "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/go/bin:" + os.environ.get("PATH", "")}
    own = f"honest-{os.getpid()}-{level}-{user}"   # where /tmp is everybody's
    lines = "".join(json.dumps(request_of(row, own)) + "\n" for row in rows)
    done = subprocess.run([runner, level], input=lines, text=True, capture_output=True, env=environment, cwd="/",
                          preexec_fn=become if user else None, check=False)
    Path(tempfile.gettempdir(), own).unlink(missing_ok=True)
    lines = done.stdout.splitlines()
    if not lines or lines[0].startswith("skipped:"):
        print(f"{level}: {lines[:1]} {done.stderr[-200:]}")
        return None
    return [json.loads(line) for line in lines]


def problem_of(row, reply, level):
    _, language, _, verdict, needs = row
    needs = needs or NEEDS.get(language, "")
    error = reply.get("error", "")
    if ", refused " in reply["sandbox"]:
        return "" if level == "landlock" and needs and reply["exit"] != 0 else f"refused: {reply['sandbox']}"
    if error:
        return f"not judged: {error}"
    passed = reply["exit"] == 0 and reply["signal"] == 0 and not reply["timed_out"]
    if passed != verdict:
        return f"{'passed' if passed else 'failed'}, and should not: {reply['limit']} {reply['err'][-300:]!r}"
    return ""


def absent_words(reply):
    said = reply.get("error", "")
    if "MODULE_NOT_FOUND" in reply["err"] and "/main" not in reply["err"].replace("internal/main", ""):
        return True   # a compiler that stands where this user may not read
    return "no toolchain" in said or ("ermission denied" in reply["err"] + said or "cannot be started" in said) and \
        not reply["out"] and "main" not in reply["err"]


def main():
    is_all = "--all" in sys.argv
    rows = chosen(is_all)
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    rows = [row for row in rows if not words or words[0] in row[0]]
    work = tempfile.mkdtemp(prefix="honest-")
    os.chmod(work, 0o755)
    runner = shutil.copy(os.environ["ASSAY_RUN_PROGRAMS"], work)
    is_root = os.geteuid() == 0
    users = (0, OTHER_USER) if is_root else (0,)
    plans = [(level, user, rows_of((level, user), rows, is_all, is_root))
             for user in users for level in ("ns", "landlock", "none")]
    failures, works = 0, 0
    try:
        toolchains = go_library.toolchains()
        with ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda plan: run_level(runner, toolchains, plan[0], plan[2], work, plan[1]), plans))
        for (level, user, tried), replies in zip(plans, results):
            if replies is None:
                continue
            works += 1
            who = "as another user" if user else "as ourselves"
            absent, judged = set(), 0
            for row, reply in zip(tried, replies):
                problem = problem_of(row, reply, level)
                if problem and absent_words(reply):
                    absent.add(row[1])
                    continue
                judged += 1
                if problem:
                    failures += 1
                    print(f"{level}, {who} | {row[0]}: {problem}")
            print(f"{level}, {who}: {judged} programs" + (f"; without {', '.join(sorted(absent))}" if absent else ""))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if not works:
        print("skipped: no level of the sandbox works here")
        sys.exit(77)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
