#!/usr/bin/env python3
"""Hostile programs against each level of the sandbox: a table attack x level {blocked, contained, not covered}.

blocked     the attempt itself failed: the program prints WON only where it reached what it must not
contained   it did its worst inside its own sandbox, or a limit ended it (`limit`); nothing outside changed
not covered the level does not claim to stop it; such rows are not run there
After every attack a plain program must still run as if nothing had been. docs/sandbox.md has the same table. All this
happens at ns, at landlock, and at landlock as Linux 5.13 had it; as the user who runs it and, if that is root, as
another. One row of each cause is tried, and where root attacks beside another, or at the old landlock, each third of
these, others at each level; with --all (tests/slow/all_attacks_on_the_sandbox.sh) every row. A word tries the rows with
it in their names; --count counts. --real runs the rows of the languages with no sandbox, as another user:
one that neither wins there nor comes to its end (it does not compile, say) proves nothing elsewhere.
"""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import go_library  # noqa: E402
from attack_calls import ACCOUNTS, ALLOWED, FILES, MEMORY, PROCESSES, SOCKETS  # noqa: E402
from attack_languages import ROWS as LANGUAGES  # noqa: E402
from attack_own_ways import REFUSED, ROWS as OWN_WAYS  # noqa: E402
from attack_programs import BOMB, OUTSIDE  # noqa: E402

RUNNER = os.environ["ASSAY_RUN_PROGRAMS"]
SLOWNESS = int(os.environ.get("ASSAY_SLOWNESS", "1"))  # scripts/slowness.py
SECRET = "sk-secret-of-this-machine"
BLOCKED, CONTAINED, NOT_COVERED = "blocked", "contained", "not covered"
DONE = "allowed"    # no attack: prints DONE
OLD = "landlock:1"  # what the first version of Landlock leaves to us
LEVELS = ("ns", "landlock", OLD)
SAMPLED = 3         # without --all, of as many rows one is tried where others try all
OTHER_USER = 1_000_123
REAL_USER = 1_000_124   # of --real: what a row kills is nobody else's
# Their runtimes stand where everybody may read them.
SMALL = ("bash", "python", "perl", "node", "sql", "php", "ruby", "cpp")
COMMANDS = {
    "bash": ("bash", "main.sh", ["bash", "main.sh"]),
    "python": ("python", "main.py", ["python3", "main.py"]),
    "warm": ("python", "main.py", ["python3", "main.py"]),
    "node": ("node", "main.js", ["node", "main.js"]),
    "perl": ("bash", "main.pl", ["perl", "main.pl"]),
    "c": ("cpp", "main.c", ["sh", "-c", "gcc -w -pthread -o main main.c && exec ./main"]),
    "java": ("java", "Main.java", ["sh", "-c", "javac Main.java && exec java Main"]),
    "ruby": ("ruby", "main.rb", ["ruby", "main.rb"]),
    "cpp": ("cpp", "main.cpp", ["sh", "-c", "g++ main.cpp -o main && exec ./main"]),
    "go": ("go", "main.go", ["go", "run", "main.go"]),
    "rust": ("rust", "main.rs", ["sh", "-c", "rustc --edition 2021 main.rs -o main && exec ./main"]),
    "csharp": ("csharp", "main.cs", ["sh", "-c", "mcs -out:main.exe main.cs && exec mono main.exe"]),
    "typescript": ("typescript", "test.ts", ["sh", "-c", "tsc test.ts --outfile test.js; exec node test.js"]),
    "r": ("r", "main.r", ["Rscript", "main.r"]),
    "php": ("php", "main.php", ["php", "main.php"]),
    "sql": ("sqlite", "main.sql", ["sqlite3", ":memory:", ".read main.sql"]),
}


@dataclass
class Attack:
    name: str
    language: str
    code: str                       # prints WON if it got what it wanted
    ns: str = BLOCKED
    landlock: str = BLOCKED
    limit: str = ""                 # that ends it, at any level
    most_ms: int = 0                # that it may take
    request: dict = field(default_factory=dict)
    cause: str = ""                 # what holds it; of the rows with one, the first is tried without --all
    fills: str = "{"                # what names stand in: {secret} or @secret@
    has_end: bool = False           # it prints "tried" at its end: a program that was not tried is no attack


FORK_BOMB = """import os, time
for _ in range(100000):
    try:
        os.fork()
    except OSError:
        time.sleep(0.01)
"""
C_HEADERS = ("errno", "fcntl", "sched", "signal", "stdio", "stdlib", "string", "sys/mount", "sys/ptrace", "sys/socket",
             "sys/stat", "sys/syscall", "sys/wait", "unistd")
C_TRY = "#define _GNU_SOURCE\n" + "".join(f"#include <{name}.h>\n" for name in C_HEADERS) + (
    '#define TRY(x) if ((long)(x) >= 0) puts("WON"); return 0\nint main(void) {\n')


def c(body):
    return C_TRY + body + "\n}\n"


ATTACKS = [
    # Secrets.
    Attack("read a secret file", "bash", "cat {secret} && echo WON"),
    Attack("read the password file", "python", "t = open('/etc/shadow').read()\nprint('WON')"),
    Attack("find the user's home", "node",
           "for (const f of [{home!r}, '/root', '/home']) { try { if (require('fs').readdirSync(f).length) "
           "console.log('WON') }"
           " catch (e) {} }"),
    Attack("read keys from the environment", "bash", "env | grep -q sk-secret && echo WON"),
    Attack("read the environment of others in /proc", "python",
           "import glob\nfor f in glob.glob('/proc/[0-9]*/environ'):\n    try:\n"
           "        if b'sk-secret' in open(f, 'rb').read(): print('WON')\n    except OSError: pass"),
    Attack("read the memory of the parent", "c",
           c('char p[64]; sprintf(p, "/proc/%d/mem", getppid()); TRY(open(p, O_RDWR));')),
    Attack("see other processes by name", "bash",
           "for p in /proc/[0-9]*; do grep -aq assay_run_programs $p/cmdline 2>/dev/null && echo WON; done; true"),
    Attack("look into the parent's folder of files", "bash", "ls /proc/$PPID/fd 2>/dev/null | grep -q . && echo WON"),
    Attack("read a neighbour's work folder", "bash",
           "(find / -maxdepth 3 -name main.sh; find /tmp /var/tmp /dev/shm {work} -name main.sh) 2>/dev/null | "
           "grep -v \"^$HOME/\" | grep -q . && echo WON"),
    Attack("find what an earlier program left", "bash",
           "cat /tmp/left ../tmp/left /dev/shm/left $TMPDIR/left 2>/dev/null | grep -q left && echo WON; echo "
           "left > $TMPDIR/left"),
    # Writing outside.
    Attack("write beside the secret", "bash", "echo x > {folder}/new && echo WON"),
    Attack("write into a system folder", "perl", "open(my $f, '>', '/usr/bin/evil') and print 'WON'"),
    Attack("replace a file of the toolchain", "node",
           "try { require('fs').appendFileSync(process.execPath, 'x'); console.log('WON') } catch (e) {}"),
    Attack("write through a symbolic link", "bash", "ln -s {folder} out; echo x > out/new && echo WON"),
    Attack("link hard to a secret", "python", "import os\nos.link({secret!r}, "
           "'mine')\nprint(open('mine').read(), 'WON')"),
    Attack("climb out by ..", "python", "import os\nos.chdir('../' * 40)\nopen('tmp/assay-escape', 'w')\n"
           "print('WON') if os.path.exists({secret!r}) else None", ns=BLOCKED, landlock=BLOCKED),
    Attack("write a sysctl", "bash", "echo 0 > /proc/sys/kernel/randomize_va_space && echo WON"),
    Attack("write to a disk device", "c", c('TRY(mknod("disk", S_IFBLK | 0600, 8 << 8));')),
    # Sockets.
    Attack("connect to this machine over TCP", "python",
           "import socket\ns = socket.create_connection(('127.0.0.1', {port}), 2)\nprint('WON')"),
    Attack("connect over TCP from Java", "java",
           "public class Main {{ public static void main(String[] a) throws Exception {{"
           " new java.net.Socket(\"127.0.0.1\", {port}); System.out.println(\"WON\"); }} }}"),
    Attack("send UDP", "node",
           "const s = require('dgram').createSocket('udp4'); s.on('error', () => process.exit(1));"
           "s.send('x', {udp}, '127.0.0.1', () => process.exit())", ns=CONTAINED),
    Attack("resolve a name", "python", "import socket\nsocket.getaddrinfo('example.com', 80)\nprint('WON')"),
    Attack("connect to a socket file", "python",
           "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect({socket!r})\nprint('WON')"),
    Attack("connect to an abstract socket", "python",
           "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('\\0{abstract}')\nprint('WON')"),
    Attack("open a packet socket", "c", c("TRY(socket(AF_PACKET, SOCK_RAW, 3));")),
    Attack("open a netlink socket", "c", c("TRY(socket(AF_NETLINK, SOCK_RAW, 0));")),
    Attack("open a socket to the hypervisor", "c", c("TRY(socket(40, SOCK_STREAM, 0));")),
    Attack("open a kernel crypto socket", "c", c("TRY(socket(38, SOCK_SEQPACKET, 0));")),
    # Bombs.
    Attack("fork bomb", "python", FORK_BOMB, ns=CONTAINED, landlock=CONTAINED, limit="wall time",
           request={"wall_ms": 700, "cpu_ms": 20000}),
    Attack("fork bomb of the shell", "bash", "b() {{ b | b & b; }}; b; wait", ns=CONTAINED, landlock=CONTAINED,
           request={"wall_ms": 700, "cpu_ms": 20000}),
    Attack("memory bomb", "python", "a = []\nwhile True: a.append(bytearray(1 << 22))", ns=CONTAINED,
           landlock=CONTAINED,
           limit="memory", request={"memory_bytes": 128 << 20}),
    Attack("memory bomb in a child", "bash", "perl -e 'push @a, \"x\" x 4000000 while 1' ; exit 1", ns=CONTAINED,
           landlock=CONTAINED, limit="memory", request={"memory_bytes": 128 << 20}),
    Attack("disk bomb of one file", "bash", "exec head -c 200M /dev/zero > big", ns=CONTAINED, landlock=CONTAINED,
           limit="file size"),
    # Without namespaces the folder is measured every now and then: the bomb wins if it lives on, not if it is fast.
    Attack("disk bomb of many files", "bash",
           "for i in $(seq 40); do head -c 16M /dev/zero > f$i || exit 1; done; sleep 30; echo WON", ns=CONTAINED,
           landlock=CONTAINED),
    Attack("output bomb", "bash", "exec yes 0123456789012345678901234567890123456789", ns=CONTAINED, landlock=CONTAINED,
           limit="output", request={"wall_ms": 30000, "cpu_ms": 30000}),
    Attack("endless loop", "perl", "1 while 1", ns=CONTAINED, landlock=CONTAINED, limit="CPU time",
           request={"cpu_ms": 300}),
    Attack("10,000 files", "python", "for i in range(10000): open(f'f{i}', 'w').close()", ns=CONTAINED,
           landlock=CONTAINED),
    Attack("a folder 3,000 levels deep", "python",
           "import os\nfor i in range(3000):\n    os.mkdir('d')\n    os.chdir('d')", ns=CONTAINED, landlock=CONTAINED),
    # Outliving.
    Attack("ignore SIGTERM", "bash", "trap '' TERM INT HUP QUIT; while :; do sleep 0.1; done", ns=CONTAINED,
           landlock=CONTAINED,
           limit="wall time", request={"wall_ms": 400}),
    Attack("leave a daemon behind", "perl",
           "use POSIX; if (fork == 0) {{ setsid(); if (fork == 0) {{ close STDOUT; close STDERR;"
           " while (1) {{ sleep 1 }} }} exit }} wait; print 'done'", ns=CONTAINED, landlock=CONTAINED),
    Attack("hold the output open in a daemon", "bash", "(setsid sleep 1000 &) ; exit 0", ns=CONTAINED,
           landlock=CONTAINED),
    # Rights.
    Attack("ptrace the parent", "c", c("TRY(ptrace(PTRACE_ATTACH, getppid(), 0, 0));")),
    Attack("trace a child", "c", c("TRY(ptrace(PTRACE_TRACEME, 0, 0, 0));")),
    Attack("mount", "c", c('TRY(mount("none", "/tmp", "tmpfs", 0, 0));')),
    Attack("unmount /proc", "c", c('TRY(umount2("/proc", MNT_DETACH));')),
    Attack("chroot", "c", c('TRY(chroot("."));')),
    Attack("become root by setuid", "c", c("TRY(setuid(0));")),
    Attack("run a set-user-id program", "bash",
           "for p in su mount passwd; do command -v $p >/dev/null && [ \"$($p --help 2>&1; id -u)\" = 0 ] && "
           "echo WON; done; id -u |"
           " grep -qx 0 && echo WON"),
    Attack("a user namespace of one's own", "c", c("TRY(unshare(CLONE_NEWUSER));")),
    Attack("a user namespace by clone", "c", c("TRY(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));")),
    Attack("a user namespace by clone3", "c", c("char a[88] = {{0}}; TRY(syscall(435, a, sizeof a));").replace("{{",
           "{").replace("}}", "}")),
    Attack("load a BPF program", "c", c("char a[128]; memset(a, 0, 128); TRY(syscall(SYS_bpf, 0, a, 128));")),
    Attack("io_uring", "c", c("char a[120]; memset(a, 0, 120); TRY(syscall(425, 4, a));")),
    Attack("kernel keys", "c", c('TRY(syscall(SYS_add_key, "user", "x", "y", 1, -3));')),
    Attack("kill the parent", "bash", "kill -9 $PPID && [ $PPID != 1 ] && echo WON"),
    Attack("kill everybody", "c", c("signal(SIGTERM, SIG_IGN); kill(-1, SIGTERM); return 0;"), ns=CONTAINED,
           landlock=CONTAINED),
    Attack("kill the test runner", "python", "import os, signal\nos.kill({runner}, signal.SIGTERM)\nprint('WON')"),
    # Forged results.
    Attack("write to inherited descriptors", "c",
           c("int i; for (i = 4; i < 1024; i++) if (write(i, \"x\", 1) > 0) puts(\"WON\"); return 0;")),
    Attack("guess the nonce", "bash", "printf 0123456789abcdef0123456789abcdef >&3; exit 0\n", ns=CONTAINED,
           landlock=CONTAINED,
           request={"epilogue": {"path": "main.sh", "text": "printf @NONCE@ >&3\n"}}),
    Attack("leave before the test", "python", "import os\nos._exit(0)\n", ns=CONTAINED, landlock=CONTAINED,
           request={"epilogue": {"path": "main.py", "text": "import os\nos.write(3, b'@NONCE@')\n"}}),
    Attack("escapes for a terminal", "bash", "printf '\\033]0;owned\\007\\033[2J'; head -c 100 /dev/urandom",
           ns=CONTAINED,
           landlock=CONTAINED),
    Attack("push input into a terminal", "c", c('char x = 10; TRY(syscall(SYS_ioctl, 0, 0x5412, &x));')),
    # The warm process.
    Attack("poison a module for the next program", "warm", "import math\nprint('WON') if getattr(math, "
           "'poison', 0) else None\n"
           "math.poison = 1", ns=CONTAINED),
    Attack("reach the warm process by number", "warm",
           "import os, signal\nfor p in range(1, 200):\n    try:\n        os.kill(p, signal.SIGKILL) if p != "
           "os.getpid() else None\n"
           "        print('WON') if p not in (1, os.getpid()) else None\n    except OSError: pass"),
    Attack("talk to the warm process's socket", "warm",
           "import os\nfor i in range(3, 1024):\n    try:\n        os.write(i, b'x')\n        print('WON')\n    "
           "except OSError: pass"),
    Attack("rights that the warm process left", "warm",
           "import ctypes\nl = ctypes.CDLL(None)\nprint('WON') if l.unshare(0x10000000) == 0 or l.setuid(0) == 0 "
           "or l.mount(b'none', b'/tmp', b'tmpfs', 0, 0) == 0 else None"),
    Attack("memory bomb in a warm start", "warm", "a = []\nwhile True: a.append(bytearray(1 << 22))", ns=CONTAINED,
           limit="memory", request={"memory_bytes": 256 << 20}),
]
ATTACKS += [Attack(**row) for row in (*PROCESSES, *MEMORY, *FILES, *ACCOUNTS, *SOCKETS)]
ATTACKS += [Attack(ns=DONE, landlock=DONE, **row) for row in ALLOWED]
SLOW = {"wall_ms": 120000, "cpu_ms": 120000}   # where nobody may read the toolchains, Go compiles its library first
for language, code in OUTSIDE.items():
    ATTACKS.append(Attack(f"secrets, sockets and files outside, in {language}", language, code, request=SLOW,
                          fills="@"))
for language, code in BOMB.items():
    ends = {"limit": "wall time", "request": {"wall_ms": 1500}} if language == "ruby" else {"request": SLOW}
    ATTACKS.append(Attack(f"fork bomb in {language}", language, code, ns=CONTAINED, landlock=CONTAINED,
                          fills="@", **ends))
ATTACKS += [Attack(request=SLOW, has_end=True, **row) for row in LANGUAGES]
ATTACKS += [Attack(request=SLOW, **row) for row in OWN_WAYS]
for each in ATTACKS:
    if each.language == "warm":
        each.request = {"prelude": "import math\n", **each.request}
        each.landlock = each.landlock if each.name.startswith("rights") or each.landlock != BLOCKED else CONTAINED


class Runner:
    def __init__(self, level, names, toolchains="", who=None):
        environment = {**os.environ, "OPENAI_API_KEY": SECRET, "ASSAY_PROGRAM_FOLDER": names["work"],
            "PATH": "/usr/lib/jvm/default/bin:/usr/local/bin:/usr/bin:/bin:" + os.environ.get("PATH", ""),
                       "ASSAY_TOOLCHAINS": toolchains}
        self.process = subprocess.Popen([names["runs"], level], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env=environment, **(who or {}))

    def run(self, request):
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = self.process.stdout.readline()
        if line.startswith("skipped:"):
            return line.strip()
        return json.loads(line)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def request_of(attack, names):
    toolchain, path, argv = COMMANDS[attack.language]
    code = attack.code
    if attack.fills == "@":
        for name, value in names.items():
            code = code.replace(f"@{name}@", str(value))
    elif attack.language != "c":
        for name, value in names.items():
            code = code.replace("{%s}" % name, str(value)).replace("{%s!r}" % name, repr(value))
        code = code.replace("{{", "{").replace("}}", "}")
    request = {"toolchain": toolchain, "argv": argv, "files": {path: code}, "wall_ms": 60000, "cpu_ms": 20000}
    request.update(attack.request)
    if "epilogue" in request:
        request["files"][path] = code
    return request


def longest_ms(attack, reply):
    """Beside its limit of time, the rest of what it may take grows with the machine's slowness. Time in which others
    held it up does not count."""
    wall_ms = attack.request.get("wall_ms", 0)
    waited = re.search(r"waited ([\d.]+) s for processors", reply["sandbox"])
    waited_ms = 1000 * float(waited[1]) if waited else 0
    return wall_ms + waited_ms + (attack.most_ms - wall_ms) * SLOWNESS


def problem_of(attack, expected, reply):
    # Whatever a program does, it is judged.
    if "error" in reply:
        return f"not started: {reply['error']}"
    if "WON" in reply["out"]:
        return "the attack won"
    if SECRET in reply["out"] + reply["err"]:
        return "the secret is shown"
    if (attack.request is SLOW and not attack.cause or attack.has_end) and "tried" not in reply["out"]:
        return "the program did not come to its end"
    if expected == DONE:
        return "" if "DONE" in reply["out"] else "an honest program could not do its work"
    if attack.most_ms and reply["us"] > 1000 * longest_ms(attack, reply):
        return f"it took {reply['us'] / 1e6:.1f} s"
    allowed = attack.limit if isinstance(attack.limit, tuple) else (attack.limit,)  # whichever is measured first
    if attack.limit and reply["limit"] not in allowed and not reply["limit"].startswith("hidden "):
        return f"limit {reply['limit']!r} instead of {attack.limit!r}"
    if reply.get("reached_end"):
        return "the end was proved without being reached"
    if expected == BLOCKED and reply["limit"]:
        return f"ended by a limit: {reply['limit']}"
    return ""


def cannot_start(reply):
    said = reply["out"] + reply["err"]
    return reply["exit"] != 0 and "tried" not in reply["out"] and "ermission denied" in said


def heard_at(place):
    """What was sent to it; nothing may be."""
    try:
        return place.recv(100, socket.MSG_DONTWAIT)
    except OSError:
        return None


def look_at_machine(names):
    """What an attack may not change: contents, modes, owners, times, attributes; and what nobody may send."""
    looks = [heard_at(place) for place in names["hears"]]
    for path in (names["folder"], names["secret"]):
        found = os.stat(path)
        looks.append((found.st_mode, found.st_uid, found.st_gid, found.st_mtime_ns, found.st_size, os.listxattr(path)))
    return looks, os.listdir(names["folder"]), open(names["secret"]).read()


def left_behind(names):
    return [path for folder in Path(names["work"]).iterdir() for path in folder.iterdir()]


def may_read(level, toolchains):
    """What lies in root's home is no runtime for the programs' user at landlock; those of the machine are tried."""
    parts = (Path(toolchains), *Path(toolchains).parents) if toolchains else ()
    return level == "ns" or os.geteuid() != 0 or all(part.stat().st_mode & 0o001 for part in parts)


def is_tried(number, attack, level, only, is_sampled):
    """Whether a level tries the attack that stands at this place of the table."""
    if getattr(attack, level.partition(":")[0]) == NOT_COVERED or only not in attack.name:
        return False
    return bool(only) or not is_sampled or (number + LEVELS.index(level)) % SAMPLED == 0


def run_level(level, names, only, slow, who, every, is_sampled):
    runner = Runner(level, names)
    toolchains = names["toolchains"]
    with_toolchains = Runner(level, names, toolchains if may_read(level, toolchains) else "")
    who = f"{level}, {who}"
    plain = {"toolchain": "bash", "argv": ["bash", "-c", "echo fine; ls -a | wc -l"], "files": {}}
    failures, rows, absent, causes = 0, 0, set(), set()
    with_toolchains.run(plain)   # its folder of the first try is gone then
    # Node used to end at once where it might not read its settings of OpenSSL, and no attack in it was tried.
    node = runner.run({"toolchain": "node", "argv": ["node", "-e", "console.log('fine')"], "files": {}})
    if not isinstance(node, str) and "error" not in node and node["out"] != "fine\n":
        failures += 1
        print(f"{who} | node does not run: {node}")
    for number, attack in enumerate(ATTACKS):
        expected = getattr(attack, level.partition(":")[0])
        of_language = attack.code in (*OUTSIDE.values(), *BOMB.values())
        if not is_tried(number, attack, level, only, is_sampled) or of_language and not slow:
            continue
        if attack.cause in causes and not every:
            continue
        if attack.cause:
            of_language = True
            if not slow and attack.language not in SMALL:
                continue
        causes.update([attack.cause] if attack.cause else [])
        machine = look_at_machine(names)
        reply = (with_toolchains if of_language else runner).run(request_of(attack, names))
        if isinstance(reply, str):
            print(f"{who}: {reply}")
            return 0, 0
        # It is not installed, or in a folder that nobody else may enter, or needs what the level does not give.
        if "no toolchain" in reply.get("error", "") or of_language and cannot_start(reply):
            absent.add(attack.language)
            continue
        problem = problem_of(attack, expected, reply)
        after = runner.run(plain)
        if not problem and after.get("out") != "fine\n2\n":
            problem = f"the next program is disturbed: {after}"
        if not problem and look_at_machine(names) != machine:
            problem = f"the machine was changed: {look_at_machine(names)}"
        if not problem and left_behind(names):
            problem = f"something stayed: {left_behind(names)}"
        rows += 1
        if problem:
            failures += 1
            print(f"{who} | {attack.name} ({attack.language}): expected {expected}: {problem}\n    {reply}")
    missing = f"; without {', '.join(sorted(absent))}" if absent else ""
    print(f"{who}: {rows} programs, {failures} unexpected{missing}", flush=True)
    runner.end(), with_toolchains.end()
    if list(Path(names["work"]).iterdir()):
        failures += 1
        print(f"{who}: its own folder stayed: {list(Path(names['work']).rglob('*'))[:9]}")
    return rows, failures


def show_real(names, only):
    """[(rows, failures)]: at level none each row runs, and most win. What it may kill is no process of ours."""
    who = {"user": REAL_USER, "group": REAL_USER, "extra_groups": [], "cwd": "/"}
    place = tempfile.mkdtemp(prefix="attacked-runner-")
    os.chmod(place, 0o755), os.chmod(names["work"], 0o777)
    names = {**names, "runs": shutil.copy(RUNNER, place)}
    victim = subprocess.Popen(["sleep", "100000"], **who)
    runner = Runner("none", names, who=who)
    rows, wins, dead, absent = 0, 0, [], set()
    for attack in ATTACKS:
        if not attack.cause or attack.request is not SLOW or only not in attack.name:
            continue
        Path(names["secret"]).write_text(SECRET)
        if victim.poll() is not None:
            victim = subprocess.Popen(["sleep", "100000"], **who)
        late = threading.Timer(200, runner.process.kill)   # a supervisor that is traced says nothing any more
        late.start()
        try:
            reply = runner.run(request_of(attack, {**names, "runner": victim.pid}))
        except ValueError:   # it ended whoever started it
            runner, rows, wins = Runner("none", names, who=who), rows + 1, wins + 1
            continue
        finally:
            late.cancel()
        if isinstance(reply, str):
            print(f"none: {reply}")
            break
        if "no toolchain" in reply.get("error", "") or cannot_start(reply):
            absent.add(attack.language)
            continue
        rows += 1
        text = reply["out"] + reply["err"]
        has_won = "WON" in reply["out"] or SECRET in text or sorted(os.listdir(names["folder"])) != ["secret"] or \
            "supervisor was lost" in reply["limit"]
        wins += has_won
        for path in Path(names["folder"]).iterdir():
            if path.name != "secret":
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        if not has_won and "tried" not in reply["out"] and attack.name not in REFUSED:
            dead.append(attack.name)
            print(f"none | {attack.name}: it does not come to its end\n    {reply}")
    missing = f"; without {', '.join(sorted(absent))}" if absent else ""
    print(f"none: {rows} programs, {wins} win, {len(dead)} do not run{missing}", flush=True)
    runner.end(), victim.kill(), victim.wait(), shutil.rmtree(place)
    return [(rows, len(dead))]


def attack_all(toolchains, only, slow, every, who="as ourselves", is_beside_another=False):
    """(rows, failures) of each level, as the user who we are."""
    folder = tempfile.mkdtemp(prefix="attacked-")
    os.chmod(folder, 0o777)   # so that only the sandbox stands in the way
    names = {"folder": folder, "secret": folder + "/secret", "home": os.path.expanduser("~"), "runner": os.getpid(),
             "work": tempfile.mkdtemp(prefix="attacked-work-"), "runs": RUNNER, "toolchains": toolchains}
    os.chmod(names["work"], 0o711)
    with open(names["secret"], "w") as file:
        file.write(SECRET)
    os.chmod(names["secret"], 0o666)
    tcp = socket.create_server(("127.0.0.1", 0))
    names["port"] = tcp.getsockname()[1]
    sockets = tempfile.mkdtemp(prefix="attacked-sockets-")
    os.chmod(sockets, 0o777)
    names["socket"], names["abstract"] = sockets + "/s", f"attacked-{os.getpid()}"
    names["datagrams"] = sockets + "/d"
    datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    datagrams.bind(names["datagrams"])
    os.chmod(names["datagrams"], 0o777)
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    names["udp"], names["hears"] = udp.getsockname()[1], (udp, datagrams)
    unix, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    unix.bind(names["socket"])
    os.chmod(names["socket"], 0o777)
    abstract.bind("\0" + names["abstract"])
    for each in (unix, abstract):
        each.listen()
    try:
        if "--real" in sys.argv:
            return show_real(names, only)
        return [run_level(level, names, only, slow and level != OLD, who, every,
                          not every and (is_beside_another or level == OLD)) for level in LEVELS]
    finally:
        for path in (folder, sockets, names["work"]):
            shutil.rmtree(path)


def attack_as_another(toolchains, only, every):
    """The same by a user without rights, beside us: what returns its results waits for them. None where that cannot
    be."""
    global RUNNER
    if os.geteuid() != 0:
        return None
    place = tempfile.mkdtemp(prefix="attacked-runner-")
    os.chmod(place, 0o755)
    RUNNER = shutil.copy(RUNNER, place)   # out of folders that the other may not enter
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        results = []
        try:
            os.setgroups([]), os.setgid(OTHER_USER), os.setuid(OTHER_USER)
            os.chdir("/")
            os.environ.update({"HOME": place, "PATH": "/usr/bin:/bin"})
            results = attack_all(toolchains, only, False, every, who="as another user")
        finally:
            os.write(write, json.dumps(results).encode())
            os._exit(0)
    os.close(write)

    def results_of_another():
        with os.fdopen(read) as file:
            results = json.load(file)
        os.waitpid(pid, 0)
        shutil.rmtree(place)
        return results
    return results_of_another


def main():
    every = "--all" in sys.argv
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    only = words[0] if words else ""
    if "--count" in sys.argv:
        print(f"{len([attack for attack in ATTACKS if attack.ns != DONE])} attacks")
        return
    if "--real" in sys.argv and os.geteuid() != 0:
        sys.exit("--real needs root, who becomes another user")
    toolchains = go_library.toolchains()
    if "--real" in sys.argv:
        sys.exit(any(failures for _, failures in attack_all(toolchains, only, True, every)))
    another = attack_as_another(toolchains, only, every)
    results = attack_all(toolchains, only, True, every, is_beside_another=another is not None)
    others = another() if another else []
    if another is None:
        print("skipped: only root can attack as another user too")
    if not any(rows for rows, _ in results):
        print("skipped: no level of the sandbox works here")
        sys.exit(77)
    sys.exit(any(failures for _, failures in results + others) or bool(another and not others))


if __name__ == "__main__":
    main()
