"""A PostgreSQL server for end-to-end tests, in a temporary folder, at a private socket. Tests import it by path."""
import glob
import os
import pwd
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import e2e

WAIT_S = e2e.SECONDS_MAX


def programs():
    """The folder of initdb, or None."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    path = found[-1] if found else shutil.which("initdb")
    return Path(path).resolve().parent if path else None


class PostgresServer:
    """With `with`; ends the test, aloud, where PostgreSQL is not installed."""

    def __init__(self, *settings):
        self.bin = programs()
        if self.bin is None:
            e2e.skip("initdb is not installed (package postgresql)")
        self.settings = settings
        self.folder = tempfile.TemporaryDirectory(prefix="assay-pg-")
        self.user = "postgres" if os.geteuid() == 0 else None  # a server does not run as root
        if self.user:
            os.chown(self.folder.name, pwd.getpwnam(self.user).pw_uid, pwd.getpwnam(self.user).pw_gid)
        self.data = Path(self.folder.name, "data")
        self.process = None
        self._run("initdb", "-D", self.data, "-U", "assay", "-E", "UTF8", "--no-locale", "-A", "trust", "-N")

    def _options(self):
        quiet = {"cwd": "/", "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        if self.user is None:
            return quiet
        return {**quiet, "user": self.user, "group": pwd.getpwnam(self.user).pw_gid, "extra_groups": []}

    def _run(self, name, *words):
        subprocess.run([self.bin / name, *map(str, words)], check=True, **self._options())

    def start(self):
        more = [word for setting in self.settings for word in ("-c", setting)]
        self.process = subprocess.Popen(
            [self.bin / "postgres", "-D", self.data, "-k", self.folder.name, "-c", "listen_addresses=",
             "-c", "fsync=off", "-c", "max_connections=40", "-c", "shared_buffers=32MB", *more], **self._options())
        end = time.monotonic() + WAIT_S
        while subprocess.run([self.bin / "pg_isready", "-q", "-h", self.folder.name], check=False).returncode != 0:
            e2e.check(time.monotonic() < end, "the server did not start")
            time.sleep(0.1)

    def stop(self, how=signal.SIGINT):
        """SIGINT: its connections are ended; SIGQUIT: at once, as a crash does."""
        self.process.send_signal(how)
        self.process.wait(timeout=WAIT_S)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop(signal.SIGQUIT)
        self.folder.cleanup()

    def url(self, database="postgres"):
        return f"postgresql://assay@/{database}?host={self.folder.name}"

    def new(self, name):
        """A new database; its address."""
        self.sql(f"CREATE DATABASE {name}")
        return self.url(name)

    def sql(self, statement, database="postgres"):
        """Its rows, as text."""
        words = ["-qAtX", "-v", "ON_ERROR_STOP=1", "-c", statement, self.url(database)]
        result = subprocess.run([self.bin / "psql", *words], capture_output=True, text=True, check=False)
        e2e.check(result.returncode == 0, f"psql: {statement}", result)
        return result.stdout.splitlines()


class CuttingProxy:
    """Stands before a server, and ends the connection of every `each`-th COMMIT, when the server has done it and
    before its reply is passed on."""

    def __init__(self, server, each):
        self.each, self.commits, self.cuts = each, 0, 0
        self.lock = threading.Lock()
        self.folder = tempfile.TemporaryDirectory(prefix="assay-pg-proxy-")
        self.there = f"{server.folder.name}/.s.PGSQL.5432"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{self.folder.name}/.s.PGSQL.5432")
        self.listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, database):
        return f"postgresql://assay@/{database}?host={self.folder.name}"

    def _accept(self):
        while True:
            try:
                here, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=(here,), daemon=True).start()

    def _is_cut(self, data):
        if data != b"Q\0\0\0\x0bCOMMIT\0":
            return False
        with self.lock:
            self.commits += 1
            self.cuts += self.commits % self.each == 0
            return self.commits % self.each == 0

    def _pass_on(self, here):
        with here, socket.socket(socket.AF_UNIX) as there:
            there.connect(self.there)
            while True:
                for side in select.select([here, there], [], [])[0]:
                    try:
                        data = side.recv(1 << 16)
                    except OSError:
                        return
                    if not data:
                        return
                    (there if side is here else here).sendall(data)
                    if side is here and self._is_cut(data):
                        there.recv(1 << 16)
                        return

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.folder.cleanup()


class StallingProxy(CuttingProxy):
    """Passes everything on, and for a while nothing, as a network does that has lost its way."""

    def __init__(self, server):
        self.flows = threading.Event()
        self.flows.set()
        super().__init__(server, 1)

    def stall(self):
        self.flows.clear()

    def go_on(self):
        self.flows.set()

    def _is_cut(self, data):
        self.flows.wait()
        return False


class Pooler:
    """pgbouncer in transaction mode before a server, with so many connections to it."""

    def __init__(self, server, connections):
        program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
        if program is None:
            e2e.skip("pgbouncer is not installed")
        self.server = server
        self.folder = tempfile.TemporaryDirectory(prefix="assay-pooler-")
        settings = Path(self.folder.name, "pgbouncer.ini")
        users = Path(self.folder.name, "users.txt")
        users.write_text('"assay" ""\n')
        settings.write_text(
            f"[databases]\n* = host={server.folder.name}\n[pgbouncer]\nlisten_addr =\nunix_socket_dir = "
            f"{self.folder.name}\nlisten_port = 5432\nauth_type = trust\nauth_file = {users}\npool_mode = "
            f"transaction\ndefault_pool_size = {connections}\nmax_client_conn = 100\n")
        if server.user:
            for path in (self.folder.name, settings, users):
                os.chown(path, pwd.getpwnam(server.user).pw_uid, pwd.getpwnam(server.user).pw_gid)
        self.words = [program, "-q", settings]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.words, **self.server._options())
        end = time.monotonic() + WAIT_S
        while not self.socket().exists():
            e2e.check(time.monotonic() < end and self.process.poll() is None, "pgbouncer did not start")
            time.sleep(0.05)

    def socket(self):
        return Path(self.folder.name, ".s.PGSQL.5432")

    def kill(self):
        """As a crash does; `start` starts it again, at the same address."""
        self.process.kill()
        self.process.wait()
        self.socket().unlink()

    def url(self, database):
        return f"postgresql://assay@/{database}?host={self.folder.name}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # A shell's background job ignores SIGQUIT, and pgbouncer would inherit that.
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()
