"""What a folder or the environment puts in the way of the programs that assay starts itself: probes and graded ones."""
import functools
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import e2e

from . import Absent, Attack

SYSTEM = "/usr/local/bin:/usr/bin:/bin"
OTHER_USER = 1_000_123
USERS = ("root", "another") if os.geteuid() == 0 else ("own",)
MARK = "EVIL"
PY = "import os\nprint('version EVIL')\ntry:\n    open('{mark}', 'w')\nexcept OSError:\n    pass\n"
SH = "#!/bin/sh\n: > '{mark}'\necho version EVIL\n"
JS = "console.log('version EVIL');try{{require('fs').writeFileSync('{mark}','')}}catch(e){{}}\n"

# language: (answer, test) of an honest program
HONEST = {"python": ("import json, sys", "assert sys.version_info[0] == 3 and json.loads('1') == 1"),
          "bash": ("x=1", '[ "$x" = 1 ]'),
          "javascript": ("let ok = false", "try { require('evil') } catch (e) { ok = true }\nif (!ok) throw 1"),
          "rust": ("fn f() -> i32 { 1 }", "fn main() { assert_eq!(f(), 1) }"),
          "java": ("public class Main { public static void main(String[] a) {", "} }"),
          "csharp": ("class P { static void Main() {} }", "")}
# name: (language, files below the folder, environment, words of `check` that name what is ignored)
TRAPS = {
    "sysconfig.py": ("python", {"sysconfig.py": PY}, {}, ""),
    "sitecustomize.py": ("python", {"sitecustomize.py": PY}, {}, ""),
    "usercustomize.py": ("python", {"usercustomize.py": PY}, {}, ""),
    "json.py": ("python", {"json.py": PY}, {}, ""),
    "importlib as a folder": ("python", {"importlib/__init__.py": PY}, {}, ""),
    "os.py and encodings": ("python", {"os.py": PY, "encodings/__init__.py": PY}, {}, ""),
    "a .pth file": ("python", {"evil.pth": "import os; print('version EVIL')\n"}, {}, ""),
    "a distribution of its own": ("python", {"EVIL-1.dist-info/METADATA": "Name: EVIL\nVersion: 1\n"}, {}, ""),
    "pyvenv.cfg": ("python", {"pyvenv.cfg": "home = {folder}/bin\n", "bin/python3": SH}, {}, ""),
    "a python3 in a relative part of PATH": ("python", {"bin/python3": SH}, {"PATH": "bin:{path}"}, ""),
    "a python3 in . of PATH": ("python", {"python3": SH}, {"PATH": ".:{path}"}, ""),
    "a python3 in an empty part of PATH": ("python", {"python3": SH}, {"PATH": ":{path}:"}, ""),
    "a bash in a relative part of PATH": ("bash", {"bin/bash": SH, "bin/sh": SH}, {"PATH": "./bin:{path}"}, ""),
    "a node in a relative part of PATH": ("javascript", {"bin/node": SH}, {"PATH": "bin:{path}"}, ""),
    "toolchains at a relative path": ("python", {"t/python/bin/python3": SH}, {"ASSAY_TOOLCHAINS": "t"}, ""),
    "rust-toolchain.toml": ("rust", {"rust-toolchain.toml": "[toolchain]\npath = '{folder}/rust'\n",
                                     "rust/bin/rustc": SH, "rust/lib/x": ""}, {}, "rust-toolchain.toml"),
    "rust-toolchain": ("rust", {"rust-toolchain": "nightly\n"}, {}, "rust-toolchain"),
    ".python-version": ("python", {".python-version": "2.7.18\n"}, {}, ".python-version"),
    ".tool-versions": ("python", {".tool-versions": "python 2.7.18\n"}, {}, ".tool-versions"),
    "mise.toml": ("bash", {"mise.toml": "[tools]\nbash = '1'\n"}, {}, "mise.toml"),
    ".nvmrc": ("javascript", {".nvmrc": "4\n"}, {}, ".nvmrc"),
    "global.json": ("csharp", {"global.json": '{{"sdk": {{"version": "1.0.0"}}}}'}, {}, "global.json"),
    "node_modules": ("javascript", {"node_modules/evil/index.js": JS, "node_modules/fs/index.js": JS}, {}, ""),
    "package.json": ("javascript", {"package.json": '{{"type": "module"}}'}, {}, ""),
    "PYTHONPATH": ("python", {"p/json.py": PY, "p/sitecustomize.py": PY}, {"PYTHONPATH": "{folder}/p"}, ""),
    "PYTHONSTARTUP and PYTHONHOME": ("python", {"p.py": PY}, {"PYTHONSTARTUP": "{folder}/p.py",
                                                              "PYTHONHOME": "{folder}"}, ""),
    "NODE_OPTIONS": ("javascript", {"e.js": JS}, {"NODE_OPTIONS": "--require={folder}/e.js"}, ""),
    "NODE_PATH": ("javascript", {"n/evil/index.js": JS}, {"NODE_PATH": "{folder}/n"}, ""),
    "JAVA_TOOL_OPTIONS": ("java", {}, {"JAVA_TOOL_OPTIONS": "-XshowSettings:EVIL", "JDK_JAVAC_OPTIONS": "-EVIL"}, ""),
    "BASH_ENV and ENV": ("bash", {"e.sh": SH}, {"BASH_ENV": "{folder}/e.sh", "ENV": "{folder}/e.sh"}, ""),
    "RUSTUP_TOOLCHAIN and RUSTC_WRAPPER": ("rust", {"r": SH}, {"RUSTUP_TOOLCHAIN": "{folder}", "RUSTC_WRAPPER":
                                                               "{folder}/r"}, ""),
}
UNSEEN = ("LD_PRELOAD", "LD_LIBRARY_PATH", "PERL5OPT", "PERL5LIB", "RUBYOPT", "DOTNET_STARTUP_HOOKS", "DOTNET_ROOT",
          "MONO_PATH", "GOFLAGS", "GOROOT", "R_PROFILE_USER", "PHPRC", "OPENAI_API_KEY")
for _name in UNSEEN:
    TRAPS[_name] = ("bash unseen", {}, {_name: "/EVIL"}, "")


def write_suite(folder, language):
    answer, test = HONEST[language.split()[0]]
    if language == "bash unseen":
        test = " && ".join(f'[ -z "${{{name}+x}}" ]' for name in UNSEEN)
    (folder / "a").mkdir()
    (folder / "case.yaml").write_text(
        f"id: case\nprompt_path: p.txt\ntype: code completion\nlang: {language.split()[0]}\n"
        f"grading:\n  unit_test:\n    tests:\n    - {json.dumps(test)}\n")
    (folder / "p.txt").write_text("Write it.\n")
    (folder / "a/case.txt").write_text(f"```\n{answer}\n```")
    (folder / "a/params.yaml").write_text("answer_paths:\n  case.yaml: [case.txt]\n")
    (folder / "suite.yaml").write_text("cases:\n- case.yaml\n")


def path_of(language, level, user):
    """Runtimes of root's home are for root alone, and at landlock for nobody."""
    own = language == "rust" or (user == "root" and level != "landlock")
    return os.environ["PATH"] if own and user != "another" else SYSTEM


def call(words, folder, user, environment):
    env = {**os.environ, "HOME": str(folder.parent), "XDG_CACHE_HOME": str(folder.parent / "cache"),
           "XDG_STATE_HOME": str(folder.parent / "state"), "ASSAY_TOOLCHAINS": "/nonexistent", **environment}
    if user == "root":
        env["HOME"] = os.environ.get("HOME", "/root")
    command = [e2e.PROGRAM, *words]
    if user == "another":
        command = ["setpriv", "--reuid", str(OTHER_USER), "--regid", str(OTHER_USER), "--clear-groups", *command]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False)


def give(top, user):
    if user == "another":
        for each in (top, *top.rglob("*")):
            os.chown(each, OTHER_USER, OTHER_USER)


def graded(folder, level, user, environment):
    """The score of the one case, or None."""
    result = call(["grade", "suite.yaml", "a", "--sandbox", level, "--out", "out"], folder, user, environment)
    found = folder / "out/suite_a.yaml"
    text = found.read_text() if found.exists() else ""
    score = re.search(r"now_score: (\S+)", text)
    is_graded = score and "error encountered" not in text
    return float(score[1]) if is_graded else None, result.stdout + result.stderr + text


@functools.cache
def works(language, level, user):
    """Whether an honest folder gets its point here; else why not."""
    with tempfile.TemporaryDirectory(prefix="assay-honest-") as top:
        folder = Path(top, "suite")
        folder.mkdir()
        write_suite(folder, language)
        give(Path(top), user)
        score, said = graded(folder, level, user, {"PATH": path_of(language, level, user)})
        return "" if score == 1.0 else f"an honest program in {language} gets {score} at {level} as {user}"


def tries(name, level, user):
    language, files, environment, ignored = TRAPS[name]

    def attack(top):
        if user == "another" and shutil.which("setpriv") is None:
            raise Absent("setpriv")
        if why := works(language, level, user):
            raise Absent(why)
        folder, mark = top / "suite", top / "marks" / "mark"
        folder.mkdir()
        mark.parent.mkdir(mode=0o777)
        mark.parent.chmod(0o777)
        write_suite(folder, language)
        names = {"folder": folder, "mark": mark, "path": path_of(language, level, user)}
        for path, text in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text.format(**names))
            target.chmod(0o755)
        give(top, user)
        env = {"PATH": names["path"], **{key: value.format(**names) for key, value in environment.items()}}
        checked = call(["check", "suite.yaml"], folder, user, env)
        doctored = call(["doctor", "suite.yaml"], folder, user, env)
        score, said = graded(folder, level, user, env)
        for what, text in (("check", checked.stdout + checked.stderr), ("doctor", doctored.stdout), ("grade", said)):
            if "version EVIL" in text or "EVIL 1" in text:
                return f"{what} took its word: {text[:300]}"
        if mark.exists():
            return "its program ran with the user's rights"
        if ignored and not re.search(rf'{re.escape(ignored)}"? is ignored', checked.stderr):
            return f"nobody said that {ignored} is ignored: {checked.stderr}"
        if score is None and "programs cannot use" in said:  # the machine's own toolchains, for another user only
            return None
        return None if score == 1.0 else f"an honest program gets {score}: {said[:400]}"
    return attack


ATTACKS = [Attack(f"{name} at {level} as {user}", "the environment stays outside" if environment and not files else
                  "version managers' files are ignored" if ignored else "nothing of the folder runs",
                  tries(name, level, user))
           for level in ("ns", "landlock", "none") for user in USERS
           for name, (_, files, environment, ignored) in TRAPS.items()]
