"""The warm Python of a sandbox host: loads a prelude once, then forks a child into the namespaces of each run.

Runs as `python3 -c THIS PRELUDE` beside the host. Descriptor 3: packets from supervisors (sandbox_host/warm.cc);
4: the filter of system calls. The child does what confine.cc does for a program that starts cold, then executes the
named file as __main__, as `python3 FILE` would, with the modules of the prelude loaded already.
"""
import atexit
import ctypes
import gc
import os
import resource
import select
import signal
import socket
import struct
import sys
import threading
import types

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_CAPBSET_DROP, SECCOMP_MODE_FILTER = 38, 22, 24, 2
CAPSET = {"x86_64": 126, "aarch64": 91}[os.uname().machine]
CAPABILITY_VERSION_3, CAPABILITIES = 0x20080522, 41
# Descriptors of a packet: the namespaces of the run, then these; the proof and cgroups follow.
PID_PLACE, STATUS = 0, 8
PLACES = (CLONE_NEWPID, CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS)

libc = ctypes.CDLL(None, use_errno=True)


class FilterProgram(ctypes.Structure):
    _fields_ = [("count", ctypes.c_ushort), ("rules", ctypes.c_void_p)]


def must(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "a step of the sandbox failed")


def confine(filter_bytes, fields, descriptors):
    """From here on the process is as little trusted as any program."""
    places, (output, errors, _, *rest) = descriptors[:len(PLACES)], descriptors[len(PLACES):]
    has_proof = fields[0] == b"1"
    cgroups = rest[1:] if has_proof else rest
    for cgroup in cgroups:
        os.write(cgroup, b"0")
    for place, kind in zip(places[1:], PLACES[1:]):
        must(libc.setns(place, kind))
    os.setsid()
    os.umask(0o22)
    os.chdir("/sandbox/folder")
    os.dup2(output, 1)
    os.dup2(errors, 2)
    if has_proof:
        os.dup2(rest[0], 3)
    os.closerange(4 if has_proof else 3, 1024)
    cpu, file_bytes, processes = int(fields[1]), int(fields[2]), int(fields[3])
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 2))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    open_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    open_files = 4096 if open_files < 0 else min(4096, open_files)
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
    if processes:
        resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    for each in range(CAPABILITIES):
        libc.prctl(PR_CAPBSET_DROP, each, 0, 0, 0)
    must(libc.syscall(CAPSET, struct.pack("Ii", CAPABILITY_VERSION_3, 0), bytes(24)))
    must(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    rules = ctypes.create_string_buffer(filter_bytes, len(filter_bytes))
    program = FilterProgram(len(filter_bytes) // 8, ctypes.addressof(rules))
    must(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0))


def exit_status(code):
    """What `python3 FILE` makes of SystemExit(code)."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def run_main(argv, environment):
    """Executes argv[1] as __main__; the exit status."""
    os.environ.clear()
    os.environ.update(pair.split("=", 1) for pair in environment)
    folder = os.getcwd()
    path = os.path.join(folder, argv[1])
    sys.argv[:] = argv[1:]
    sys.path[0] = os.path.dirname(path)
    main = types.ModuleType("__main__")
    main.__file__ = path
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()
    status = 0
    try:
        with open(path, "rb") as file:
            source = file.read()
        exec(compile(source, path, "exec", dont_inherit=True), main.__dict__)
    except SystemExit as error:
        status = exit_status(error.code)
    except BaseException as error:
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next   # without the frame of this function
        sys.excepthook(type(error), error, error.__traceback__)
        status = 1
    return status


def finish():
    """What the interpreter does at its end and a program may notice."""
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.modules["__main__"].__dict__.clear()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            pass


def child(filter_bytes, packet, descriptors):
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    status = 120
    try:
        fields = packet.split(b"\0")
        words = int(fields[4])
        argv = [os.fsdecode(word) for word in fields[5:5 + words]]
        environment = [os.fsdecode(word) for word in fields[5 + words:]]
        confine(filter_bytes, fields, descriptors)
        status = run_main(argv, environment)
        finish()
    finally:
        os._exit(status)


def start(filter_bytes, packet, descriptors, own_place, living):
    """Forks into the pid namespace of the run; the child cannot see us."""
    must(libc.setns(descriptors[PID_PLACE], CLONE_NEWPID))
    pid = os.fork()
    if pid == 0:
        child(filter_bytes, packet, descriptors)
    must(libc.setns(own_place, CLONE_NEWPID))
    living[pid] = os.dup(descriptors[STATUS])


def reap(living):
    while living:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        if pid in living:
            pipe = living.pop(pid)
            try:
                os.write(pipe, struct.pack("i", status))
            except OSError:
                pass
            os.close(pipe)


def serve():
    with os.fdopen(4, "rb", closefd=True) as file:
        filter_bytes = file.read()
    own_place = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    requests = socket.socket(fileno=3)
    living = {}
    requests.send(b"ready")
    while True:
        readable, _, _ = select.select([requests, woken], [], [])
        if woken in readable:
            os.read(woken, 4096)
            reap(living)
        if requests in readable:
            packet, descriptors, _, _ = socket.recv_fds(requests, 1 << 20, 20)
            if not packet:
                return
            try:
                start(filter_bytes, packet, descriptors, own_place, living)
            except OSError:
                pass   # the run has ended already; its supervisor sees the closed pipe
            for descriptor in descriptors:
                os.close(descriptor)


exec(compile(sys.argv[1], "<prelude>", "exec", dont_inherit=True), {"__name__": "prelude"})
gc.collect()
gc.freeze()
serve()
