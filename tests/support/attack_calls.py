"""Hostile programs that use one system call or one gap of the accounting, and honest ones that need the same calls.
Rows are keyword arguments of Attack in tests/sandbox/attacks.py. Names in braces are filled in, but not in C."""

C_HEADERS = ("errno", "fcntl", "pthread", "sched", "signal", "stdio", "stdlib", "string", "sys/inotify", "sys/ioctl",
             "sys/ipc", "sys/mman", "sys/mount", "sys/prctl", "sys/ptrace", "sys/resource", "sys/shm", "sys/socket",
             "sys/stat", "sys/syscall", "sys/time", "sys/wait", "sys/xattr", "unistd")
C_BEGIN = "#define _GNU_SOURCE\n" + "".join(f"#include <{name}.h>\n" for name in C_HEADERS) + (
    '#define TRY(x) if ((long)(x) >= 0) puts("WON"); return 0\n'
    '#define ALSO(x) if ((long)(x) >= 0) puts("WON " #x)\n'
    '#define MUST(x) if ((long)(x) < 0) { perror(#x); return 1; }\n')


def c(body, before=""):
    return C_BEGIN + before + "int main(int argc, char** argv) {\n" + body + "\n}\n"


def python(body):
    """Each line by itself; what fails is blocked."""
    return "import ctypes, os, resource, signal, time\nlibc = ctypes.CDLL(None, use_errno=True)\n" + "".join(
        f"try:\n    {line}\n    print('WON')\nexcept (OSError, AttributeError): pass\n"
        for line in body.strip().splitlines())


HOG = 'sleep(2); if (waitpid(-1, 0, WNOHANG) > 0) return 1; puts("WON"); return 0;'
SMALL = {"memory_bytes": 128 << 20}
# Other processes: the supervisor is the parent, the test runner stands for everything else of the user.
PROCESSES = [
    dict(name="limit the supervisor's processor time", code=c(
        "struct rlimit none = {0, 0};\nALSO(prlimit(getppid(), RLIMIT_CPU, &none, 0));\n"
        "ALSO(syscall(SYS_prlimit64, 0x700000000L | getppid(), RLIMIT_CPU, &none, 0));\n"
        'return 0;')),
    dict(name="take the supervisor's descriptors and memory", code=c(
        "struct rlimit none = {0, 0};\nALSO(prlimit(getppid(), RLIMIT_NOFILE, &none, 0));\n"
        "ALSO(prlimit(getppid(), RLIMIT_AS, &none, 0)); return 0;")),
    dict(name="slow the supervisor down", code=c(
        "cpu_set_t one; CPU_ZERO(&one); CPU_SET(0, &one);\nstruct sched_param none = {0};\n"
        "char attributes[48] = {48};\n"
        "ALSO(sched_setaffinity(getppid(), sizeof one, &one));\n"
        "ALSO(sched_setscheduler(getppid(), SCHED_IDLE, &none));\n"
        "ALSO(sched_setparam(getppid(), &none));\nALSO(syscall(SYS_sched_setattr, getppid(), attributes, 0));\n"
        "ALSO(setpriority(PRIO_PROCESS, getppid(), 19));\nALSO(setpriority(PRIO_USER, 0, 19));\n"
        "ALSO(setpriority(PRIO_USER, getuid(), 19));\nALSO(setpriority(PRIO_PGRP, getpgid(getppid()), 19) == 0 && "
        "getpgid(getppid()) != 0 ? 0 : -1);\n"
        "ALSO(syscall(SYS_ioprio_set, 1, getppid(), 3 << 13));\nALSO(syscall(SYS_ioprio_set, 3, getuid(), 3 << 13));\n"
        "return 0;")),
    dict(name="signal the supervisor", code=c(
        "siginfo_t info; memset(&info, 0, sizeof info); info.si_signo = SIGCHLD; info.si_code = SI_QUEUE;\n"
        "ALSO(kill(getppid(), SIGSTOP));\nALSO(syscall(SYS_tkill, getppid(), SIGCHLD));\n"
        "ALSO(syscall(SYS_tgkill, getppid(), getppid(), SIGCHLD));\n"
        "ALSO(syscall(SYS_rt_sigqueueinfo, getppid(), SIGCHLD, &info));\n"
        "ALSO(syscall(SYS_rt_tgsigqueueinfo, getppid(), getppid(), SIGCHLD, &info)); return 0;")),
    dict(name="signal the supervisor by a pipe", code=c(
        "int ends[2]; MUST(pipe(ends)); struct f_owner_ex owner = {F_OWNER_PID, getppid()}; int pid = getppid();\n"
        "ALSO(fcntl(ends[0], F_SETOWN, getppid()));\nALSO(fcntl(ends[0], F_SETOWN_EX, &owner));\n"
        "ALSO(ioctl(ends[0], 0x8901, &pid)); return 0;")),
    dict(name="write to the supervisor's files in /proc", language="python", code=python(
        "\n".join(f"os.write(os.open(f'/proc/{{os.getppid()}}/{name}', os.O_WRONLY), b'0')" for name in
                  ("oom_score_adj", "coredump_filter", "autogroup", "timerslack_ns", "mem", "comm", "clear_refs")))),
    dict(name="write to the supervisor's files in /proc, warm", language="warm", landlock="not covered", code=python(
        "\n".join(f"os.write(os.open('/proc/1/{name}', os.O_WRONLY), b'0')" for name in
                  ("oom_score_adj", "coredump_filter", "autogroup", "timerslack_ns", "mem", "comm")))),
    dict(name="change the supervisor, warm", language="warm", landlock="not covered", code=python(
        "resource.prlimit(1, resource.RLIMIT_CPU, (0, 0))\nos.sched_setaffinity(1, {{0}})\n"
        "os.setpriority(os.PRIO_PROCESS, 1, 19)\nos.kill(1, signal.SIGCHLD)")),
    dict(name="change the test runner", language="python", code=python(
        "resource.prlimit({runner}, resource.RLIMIT_CORE, (0, 0))\nos.sched_setaffinity({runner}, "
        "os.sched_getaffinity({runner}))\nos.setpriority(os.PRIO_PROCESS, {runner}, 1)\n"
        "os.sched_setscheduler({runner}, os.SCHED_BATCH, os.sched_param(0))\nos.kill({runner}, signal.SIGCONT)\n"
        "os.kill(-os.getpgid({runner}), signal.SIGCONT)\n"
        "signal.pidfd_send_signal(os.pidfd_open({runner}), signal.SIGCONT)")),
    dict(name="look into the test runner's memory", language="python", code=python(
        "open('/proc/{runner}/mem', 'rb')\n"
        "open('/proc/{runner}/environ', 'rb').read()\n"
        "os.listdir('/proc/{runner}/fd')")),
]

MEMORY = [
    dict(name="memory in a file without a name", code=c("ALSO(memfd_create(\"m\", 0)); ALSO(syscall(447, 0)); "
        "return 0;")),
    dict(name="memory in a shared segment", code=c("TRY(shmget(IPC_PRIVATE, 1 << 20, IPC_CREAT | 0600));")),
    dict(name="memory in a message queue of System V", code=c("TRY(syscall(SYS_msgget, 0, 01000 | 0600));")),
    dict(name="a file that never had a name", code=c(
        'ALSO(open(".", O_TMPFILE | O_RDWR, 0600)); ALSO(syscall(SYS_open, ".", O_TMPFILE | O_RDWR, 0600));\n'
        "unsigned long how[3] = {O_TMPFILE | O_RDWR, 0600, 0}; ALSO(syscall(437, AT_FDCWD, \".\", how, sizeof how)); "
        "return 0;")),
    dict(name="hide in /proc", code=c("ALSO(prctl(PR_SET_DUMPABLE, 0)); ALSO(prctl(PR_SET_DUMPABLE, 2)); return 0;")),
    dict(name="memory shared by each child with nobody", ns="contained", landlock="contained",
         limit=("memory", "folder size"),
         request=SMALL, code=c(
             "for (int i = 0; i < 4; ++i) if (fork() == 0) {\n"
             "  char* p = mmap(0, 64 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);\n"
             "  memset(p, 1, 64 << 20); sleep(20); _exit(0); }\n" + HOG)),
    dict(name="shared memory that children fill in turn", ns="contained", landlock="contained", limit="memory",
         request=SMALL, code=c(
             "char* p = mmap(0, 512 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);\n"
             "for (int i = 0; i < 8; ++i) { if (fork() == 0) { memset(p + (i << 26), 1, 64 << 20); _exit(0); }\n"
             "  int status; wait(&status); if (status) return 1; }\n" + HOG)),
    dict(name="time of threads that wait for each other", ns="contained", landlock="contained", limit="wall time",
         request={"wall_ms": 1500, "cpu_ms": 60000}, most_ms=2300, code=c(
             "pthread_t t; for (int i = 0; i < 56; ++i) pthread_create(&t, 0, spin, 0); spin(0);",
             "void* spin(void* p) { for (volatile long i = 0;; ++i); return p; }\n")),
]

# A first thread that has ended before the others: the process looks dead in /proc.
HEADLESS = ("void* rest(void* p) { sleep(1);\n%s\nsleep(3); puts(\"WON\"); exit(0); }\n")
START = "pthread_t t; pthread_create(&t, 0, rest, 0); pthread_exit(0);"
BURN = "static void burn(double s) { while (clock() < s * CLOCKS_PER_SEC); }\n"
ACCOUNTS = [
    dict(name="processor time of children that nobody waits for", ns="contained", landlock="contained",
         limit="CPU time", request={"cpu_ms": 1500, "wall_ms": 30000}, code=c(
             "signal(SIGCHLD, SIG_IGN); for (int i = 0; i < 40; ++i) { if (fork() == 0) { burn(0.3); _exit(0); }\n"
             'usleep(330000); } puts("WON"); return 0;', "#include <time.h>\n" + BURN)),
    dict(name="processor time of children whose parent wants no status", ns="contained", landlock="contained",
         limit="CPU time", request={"cpu_ms": 1500, "wall_ms": 30000}, code=c(
             "struct sigaction a = {0}; a.sa_flags = SA_NOCLDWAIT; sigaction(SIGCHLD, &a, 0);\n"
             "for (int i = 0; i < 40; ++i) { if (fork() == 0) { burn(0.3); _exit(0); }\n"
             'usleep(330000); } puts("WON"); return 0;', "#include <time.h>\n" + BURN)),
    dict(name="memory behind a first thread that has ended", ns="contained", landlock="contained", limit="memory",
         request=SMALL, code=c(START, HEADLESS % "char* q = malloc(512 << 20); memset(q, 1, 512 << 20);")),
    dict(name="files behind a first thread that has ended", ns="contained", landlock="contained", code=c(
        START, HEADLESS % 'int f = open("f", O_CREAT | O_RDWR, 0600); unlink("f"); static char b[1 << 20]; '
                          "memset(b, 1, sizeof b);\nfor (int i = 0; i < 20; ++i) { for (int j = 0; j < 16; ++j) "
                          'if (write(f, b, sizeof b) < 0) exit(1);\nf = open("f", O_CREAT | O_RDWR, 0600); '
                          'unlink("f"); }')),
    dict(name="memory of a child that the kernel ends", language="python", ns="contained", landlock="contained",
         limit="memory", request=SMALL, code="""import subprocess
subprocess.run(['python3', '-c', 'b = []\\nwhile True: b.append(bytearray(b"x" * (1 << 22)))'])
"""),
    dict(name="memory behind a program that nobody may read", ns="contained", landlock="contained", limit="memory",
         request=SMALL, code=c(
             'if (argc > 1) { char* p = malloc(512 << 20); memset(p, 1, 512 << 20); sleep(4);\n'
             'puts("WON"); return 0; }\n'
             'system("cp main hidden; chmod 111 hidden"); execl("./hidden", "hidden", "x", (char*)0); return 1;')),
    dict(name="go on where the supervisor stopped it", language="python", ns="contained", landlock="contained", code="""
import os, signal, time
os.makedirs('p/q'), os.mkdir('r')
if os.fork() == 0:
    while True:
        try: os.kill(os.getppid(), signal.SIGCONT)
        except OSError: os._exit(0)
if os.fork() == 0:
    while True: os.rename('p/q', 'r/q'), os.rename('r/q', 'p/q')
b = bytes(1 << 24)
for i in range(20): open(f'r/f{{i}}', 'wb').write(b)
time.sleep(5)
print('WON')
"""),
]

PAIR = "int p[2]; MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, p)); struct sockaddr_un a = {AF_UNIX, \"@socket@\"};\n"
SOCKETS = [
    dict(name=f"{what}, on a pair", fills="@", ns="contained", code=c(PAIR + body, "#include <sys/un.h>\n"))
    for what, body in {
        "connect": "TRY(connect(p[0], (void*)&a, sizeof a));",
        "bind": "struct sockaddr_un b = {AF_UNIX, \"s\"}; ALSO(bind(p[0], (void*)&b, sizeof b)); return 0;",
        "bind without a name": "ALSO(bind(p[0], (void*)&a, 2)); return 0;",
        "listen": "ALSO(listen(p[0], 1)); return 0;",
        "accept": "ALSO(accept(p[0], 0, 0)); ALSO(syscall(SYS_accept4, p[0], 0, 0, 0)); return 0;",
        "send to an address": "ALSO(sendto(p[0], \"x\", 1, 0, (void*)&a, sizeof a)); return 0;",
        "send a descriptor": "char x = 1; struct iovec v = {&x, 1}; char s[64] = {0}; "
                             "struct msghdr m = {0, 0, &v, 1, s, "
                             "CMSG_SPACE(4), 0}; struct cmsghdr* h = CMSG_FIRSTHDR(&m); h->cmsg_len = CMSG_LEN(4); "
                             "h->cmsg_level = SOL_SOCKET; h->cmsg_type = SCM_RIGHTS; "
                             "ALSO(sendmsg(p[0], &m, 0)); return 0;",
    }.items()]
KINDS = "struct sockaddr_un a = {AF_UNIX, \"@datagrams@\"}; int p[2];\n"
SOCKETS += [
    dict(name=f"a pair of {what} that sends to a socket file", fills="@", code=c(
        KINDS + f"if ({call} == 0) ALSO(sendto(p[0], \"x\", 1, 0, (void*)&a, sizeof a)); return 0;",
        "#include <sys/un.h>\n"))
    for what, call in {
        "datagrams": "socketpair(AF_UNIX, SOCK_DGRAM, 0, p)", "raw sockets": "socketpair(AF_UNIX, SOCK_RAW, 0, p)",
        "datagrams that close": "socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, p)",
        "datagrams, by a wide number": "syscall(SYS_socketpair, AF_UNIX, 0x700000002L, 0, p)",
        "streams": "socketpair(AF_UNIX, SOCK_STREAM, 0, p)", "packets": "socketpair(AF_UNIX, SOCK_SEQPACKET, 0, p)",
    }.items()]
for row in SOCKETS:   # what ends inside its own namespaces is nobody else's
    if row["name"].endswith(("on a pair", "pair of packets that sends to a socket file")):
        row["code"] = row["code"].replace('puts("WON " #x)', 'if (access("/sandbox", F_OK)) puts("WON " #x)')
SOCKETS += [
    dict(name="a socket for a name service that reaches others", fills="@", code=c(
        "int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); struct sockaddr_un a = {AF_UNIX, "
        "\"@socket@\"}, b = {AF_UNIX, \"\"}; memcpy(b.sun_path + 1, \"@abstract@\", strlen(\"@abstract@\"));\n"
        "ALSO(connect(s, (void*)&a, sizeof a)); ALSO(connect(s, (void*)&b, 3 + strlen(\"@abstract@\"))); return 0;",
        "#include <sys/un.h>\n")),
    dict(name="an address that changes while it is judged", fills="@", code=c(
        "struct sockaddr_un n = {AF_UNIX, \"/run/nscd/socket\"}; strcpy(a.sun_path, \"@socket@\"); b = n; pthread_t t; "
        "pthread_create(&t, 0, swap, 0);\nfor (int i = 0; i < 2000; ++i) { int s = socket(AF_UNIX, SOCK_STREAM | "
        "SOCK_CLOEXEC | SOCK_NONBLOCK, 0); if (connect(s, (void*)&b, sizeof b) == 0) puts(\"WON\"); "
        "close(s); } return 0;",
        "#include <sys/un.h>\nstruct sockaddr_un a = {AF_UNIX}, b, o; "
        "void* swap(void* p) { for (;;) { o = b; b = a; b = o; } "
        "return p; }\n")),
    dict(name="a file outside that changes while it is judged", language="python", code="""import os, threading
name = ['{folder}/new', '/tmp/new']
def make(path):
    for _ in range(300):
        try: os.close(os.open(path, os.O_CREAT | os.O_WRONLY)); print('WON' if path.startswith('{folder}') else '')
        except OSError: pass
t = [threading.Thread(target=make, args=(each,)) for each in name]
[each.start() for each in t], [each.join() for each in t]
"""),
    dict(name="empty a file as it is made", fills="@", code=c(
        'ALSO(open("@secret@", O_CREAT | O_TRUNC | O_RDONLY, 0600));  '
        'ALSO(open("@secret@", O_CREAT | O_WRONLY, 0600));\n'
        'ALSO(open("@folder@", O_TMPFILE | O_CREAT | O_RDWR, 0600)); ALSO(creat("@secret@", 0600)); return 0;')),
]

# What an honest program does with the calls above: prints DONE.
ALLOWED = [
    dict(name="limits, priority and signals of one's own", code=c(
        "struct rlimit l; cpu_set_t own; int pid;\n"
        "MUST(getrlimit(RLIMIT_NOFILE, &l)); l.rlim_cur = 100; MUST(setrlimit(RLIMIT_NOFILE, &l));\n"
        "MUST(setpriority(PRIO_PROCESS, 0, 5)); MUST(setpriority(PRIO_PROCESS, getpid(), 6));\n"
        "MUST(sched_getaffinity(0, sizeof own, &own)); MUST(sched_setaffinity(0, sizeof own, &own));\n"
        "MUST(sched_setaffinity(getpid(), sizeof own, &own));\nsignal(SIGUSR1, SIG_IGN); MUST(raise(SIGUSR1));\n"
        "MUST(kill(getpid(), SIGUSR1)); MUST(kill(0, SIGUSR1));\n"
        "if ((pid = fork()) == 0) { for (;;) pause(); }\nMUST(prlimit(pid, RLIMIT_CPU, 0, &l));\n"
        "MUST(setpriority(PRIO_PROCESS, pid, 9));\n"
        "if (getpriority(PRIO_PROCESS, pid) != 9) return 2;\nMUST(sched_setaffinity(pid, sizeof own, &own));\n"
        "MUST(kill(pid, SIGTERM)); if (wait(0) != pid) return 3;\n"
        "MUST(getrlimit(RLIMIT_CORE, &l)); MUST(prlimit(getpid(), RLIMIT_CORE, &l, 0));\n"
        "MUST(prctl(PR_SET_DUMPABLE, 1)); puts(\"DONE\"); return 0;")),
    dict(name="affinity of a thread", code=c(
        "pthread_t t; cpu_set_t own; MUST(sched_getaffinity(0, sizeof own, &own));\n"
        "pthread_create(&t, 0, rest, 0); if (pthread_setaffinity_np(t, sizeof own, &own)) return 1;\n"
        "if (pthread_kill(t, SIGUSR1)) return 2; pthread_join(t, 0); puts(\"DONE\"); return 0;",
        "volatile int heard; void on(int s) { heard = 1; }\nvoid* rest(void* p) { while (!heard) usleep(1000); "
        "return p; }\n"
        "__attribute__((constructor)) void start(void) { signal(SIGUSR1, on); }\n")),
    dict(name="a handler runs once for each signal", code=c(
        "signal(SIGUSR1, on); for (int i = 0; i < 50; ++i) { raise(SIGUSR1); kill(getpid(), SIGUSR1); }\n"
        "if (count != 100) return count; puts(\"DONE\"); return 0;",
        "volatile int count; void on(int s) { ++count; }\n")),
    dict(name="modes, owners and times of one's own files", language="python", code="""
import os, shutil, stat, subprocess
open('a', 'w').write('x')
os.chmod('a', 0o640)
assert stat.S_IMODE(os.stat('a').st_mode) == 0o640
with open('a', 'r+') as file:
    os.fchmod(file.fileno(), 0o600)
    os.fchown(file.fileno(), os.getuid(), os.getgid())
    os.utime(file.fileno(), (5, 6))
assert os.stat('a').st_mtime == 6
os.chown('a', -1, os.getgid())
os.utime('a', (1, 2))
os.utime('a')
os.mkdir('d')
os.chmod(os.path.join(os.getcwd(), 'd'), 0o700)
folder = os.open('d', os.O_RDONLY)
open('d/b', 'w').close()
os.chmod('b', 0o600, dir_fd=folder)
os.utime('b', (3, 4), dir_fd=folder)
os.symlink('d/b', 'link')
os.chmod('link', 0o644)
assert stat.S_IMODE(os.stat('d/b').st_mode) == 0o644
os.utime('link', (7, 8), follow_symlinks=False)
assert os.lstat('link').st_mtime == 8 and os.stat('d/b').st_mtime == 4
os.lchown('link', os.getuid(), os.getgid())
os.truncate('a', 10)
assert os.path.getsize('a') == 10
try:
    os.chmod('absent', 0o600)
except FileNotFoundError:
    pass
shutil.copy2('a', 'c')
shutil.copytree('d', 'e')
os.chmod('d', 0)
try:
    os.listdir('d')
    print('root?')
except PermissionError:
    pass
os.chmod('d', 0o755)
subprocess.run('cp -p a f && touch -d 2001-01-01 f && tar cf x.tar a d && mkdir y && tar xpf x.tar -C y && '
               'install -m 755 a g && chmod -R go-rwx y && mktemp && rm -r y', shell=True, check=True)
os.chmod(os.environ['TMPDIR'] + '/../tmp', 0o700)
print('DONE')
"""),
    dict(name="build a library and a program", language="bash", code="""set -e
printf 'int two(void) { return 2; }' > two.c
printf '#include <stdio.h>\\nint two(void); int main(void) {{ puts(two() == 2 ? "DONE" : "no"); }}' > main.c
gcc -c two.c; ar rcs libtwo.a two.o; ranlib libtwo.a; gcc -shared -fPIC -o libtwo.so two.c
gcc main.c -L. -l:libtwo.a -o main; strip main; chmod 700 main; ./main
"""),
]

BIG = "b = bytes(1 << 24)\n"
FULL = dict(ns="contained", landlock="contained")
REACH = ("os.chmod({secret!r}, 0o600)", "os.chown({secret!r}, os.getuid(), os.getgid())",
         "os.utime({secret!r}, (1, 2))", "os.utime({secret!r})", "os.setxattr({secret!r}, 'user.x', b'y')",
         "os.lchown({secret!r}, os.getuid(), os.getgid())", "os.removexattr({secret!r}, 'user.x')",
         "os.utime({secret!r}, (1, 2), follow_symlinks=False)", "os.truncate({secret!r}, 0)",
         "os.chmod({folder!r}, 0o700)", "os.chmod('secret', 0o600, dir_fd=os.open({folder!r}, os.O_PATH))")
FILES = [
    dict(name="change a file outside by name", language="python",
         code=python("\n".join(REACH))),
    dict(name="change a file outside by its folder", language="python", code=python(
         "os.utime('secret', (1, 2), dir_fd=os.open({folder!r}, os.O_PATH))\n"
        "os.chmod(os.path.relpath({secret!r}), 0o600)\n"
        "os.chmod('/proc/self/fd/%d' % os.open({secret!r}, os.O_PATH), 0)\n"
         "os.utime('/proc/self/fd/%d' % os.open({secret!r}, os.O_PATH), (1, 2))\nos.fchmod(os.open({secret!r}, "
         "os.O_PATH), 0)\nos.chmod('/proc/self/cwd/' + os.path.relpath({secret!r}), 0o600)\n")),
    dict(name="change a file outside through a symbolic link", language="python",
         code="import os\nos.symlink({secret!r}, 'out')\nos.symlink({folder!r}, 'way')\n" + python(
             "os.chmod('out', 0o600)\nos.utime('out', (1, 2))\nos.chown('out', os.getuid(), -1)\n"
             "os.chmod('way/secret', 0o600)\nos.utime('way/secret')\nos.setxattr('out', 'user.x', b'y')")),
    dict(name="change a file outside while its name is exchanged", language="python", code="""import os, threading, time
open('own', 'w').close()
os.symlink('own', 'a'), os.symlink({secret!r}, 'b')
try: before = os.stat({secret!r})
except OSError: before = None
def swap():
    for _ in range(4000):
        os.rename('a', 'c'), os.rename('b', 'a'), os.rename('c', 'b')
threading.Thread(target=swap, daemon=True).start()
for _ in range(3000):
    try:
        os.chmod('a', 0o600), os.utime('a', (1, 2))
    except OSError: pass
try:
    after = os.stat({secret!r})
    print('WON' if (after.st_mode, after.st_mtime) != (before.st_mode, before.st_mtime) else '')
except OSError: pass
"""),
    dict(name="change a file outside by calls that are new", language="python", code=python(
        "assert libc.syscall(452, -100, {secret!r}.encode(), 0o600, 0) == 0 or open('/absent')\n"
        "assert libc.syscall(463, -100, {secret!r}.encode(), 0, b'user.x', ctypes.create_string_buffer(16), 16) == 0 "
        "or open('/absent')\n"
        "assert libc.syscall(469, -100, {secret!r}.encode(), ctypes.create_string_buffer(32), 32, 0) == 0 "
        "or open('/absent')")),
    dict(name="flags of files", ns="not covered", code=c(
        'int f = open("own", O_CREAT | O_RDWR, 0600); long flags = 0x80; char x[28] = {0};\n'
        "ALSO(ioctl(f, 0x40086602, &flags)); ALSO(ioctl(f, 0x401c5820, x)); "
        "ALSO(fcntl(f, F_SETLEASE, F_RDLCK)); return 0;")),
    dict(name="guess the name of a neighbour's folder", language="python", code="""import os, re
name = os.path.basename(os.path.dirname(os.getcwd()))
print('WON' if re.fullmatch(r'run-?\\d*', name) else '')
try:
    os.listdir('../..'); os.listdir(os.path.realpath('../..')); print('WON' if len(os.getcwd()) > 20 else '')
except OSError: pass
"""),
    dict(name="disk in files without a name", language="python", **FULL, code=BIG + """import time
held = []
for i in range(20):
    import os
    held.append(open('f', 'wb')); os.unlink('f'); held[-1].write(b); held[-1].flush()
time.sleep(3)
print('WON')
"""),
    dict(name="disk in files that are only mapped", language="python", **FULL, code=BIG + """import mmap, os, time
held = []
for i in range(20):
    with open('f', 'w+b') as file:
        file.write(b); file.flush(); held.append(mmap.mmap(file.fileno(), 1 << 24))
    os.unlink('f')
time.sleep(3)
print('WON')
"""),
    dict(name="disk in files that a socket holds", language="python", **FULL, code=BIG + """import os, socket, time
ends = socket.socketpair(socket.AF_UNIX)
for i in range(20):
    with open('f', 'wb') as file:
        file.write(b); file.flush(); socket.send_fds(ends[0], [b'x'], [file.fileno()])
    os.unlink('f')
time.sleep(3)
print('WON')
"""),
    dict(name="disk behind a program that nobody may read", landlock="contained", ns="contained", code=c(
        'if (argc > 1) { for (int i = 0; i < 20; ++i) { int f = open("f", O_CREAT | O_RDWR, 0600); unlink("f");\n'
        'static char b[1 << 20]; memset(b, 1, sizeof b); for (int j = 0; j < 16; ++j) if (write(f, b, sizeof b) < 0) '
        'return 1; }\nsleep(4); puts("WON"); return 0; }\nsystem("cp main hidden; chmod 111 hidden");\n'
        'execl("./hidden", "hidden", "x", (char*)0); return 1;')),
    dict(name="disk below a path that is too long", language="python", **FULL, code=BIG + """import os, time
for i in range(20):
    os.mkdir('d' * 250)
    os.chdir('d' * 250)
for i in range(20):
    open(f'f{{i}}', 'wb').write(b)
time.sleep(3)
print('WON')
"""),
    dict(name="disk in a folder that cannot be read", language="python", **FULL, code=BIG + """import os, time
os.mkdir('d')
os.chmod('d', 0o300)
for i in range(20):
    open(f'd/f{{i}}', 'wb').write(b)
time.sleep(3)
print('WON')
"""),
    dict(name="disk in folders that are never still", language="python", **FULL, code=BIG + """
import os, threading, time
os.makedirs('p/q'), os.mkdir('r')
def move():
    while True:
        os.rename('p/q', 'r/q'), os.rename('r/q', 'p/q')
threading.Thread(target=move, daemon=True).start()
for i in range(20):
    open(f'r/f{{i}}', 'wb').write(b)
time.sleep(4)
print('WON')
"""),
    dict(name="150,000 names", language="python", **FULL, code="""import os, time
for i in range(150000):
    os.symlink('x', f'l{{i}}')
time.sleep(30)
print('WON')
"""),
    dict(name="leave folders that are locked", language="python", **FULL, code="""import os
os.makedirs('a/b/c/d')
open('a/b/c/d/e', 'w').close()
for path in ('a/b/c/d', 'a/b/c', 'a/b', 'a'):
    os.chmod(path, 0)
for path in (os.getcwd(), os.environ['TMPDIR'], os.path.dirname(os.getcwd())):
    try: os.chmod(path, 0)
    except OSError: pass
"""),
    dict(name="see the machine's sockets in /proc", language="python", code="""import os
for path in ('net', 'self/net', 'thread-self/net', f'self/task/{{os.getpid()}}/net', f'{{os.getppid()}}/net'):
    for name in ('tcp', 'unix', 'tcp6', 'udp'):
        try:
            text = open(f'/proc/{{path}}/{{name}}').read()
            print('WON' if f':{port:04X} ' in text or '{abstract}' in text or len(text.splitlines()) > 1 else '')
        except OSError: pass
"""),
    dict(name="watch a folder outside", language="python", code=python(
        "watch = libc.inotify_init1(0); "
        "assert watch >= 0 and libc.inotify_add_watch(watch, {folder!r}.encode(), 0xfff) "
        ">= 0 or open('/absent')")),
    dict(name="empty a file of the toolchain", code=c('TRY(open("/usr/bin/true", O_RDONLY | O_TRUNC));')),
]
for row in (*PROCESSES, *MEMORY, *ALLOWED, *FILES, *ACCOUNTS, *SOCKETS):
    row.setdefault("language", "c")
