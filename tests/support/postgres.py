"""A PostgreSQL server for end-to-end tests, in a temporary folder, at a private socket. Tests import it by path."""
import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import e2e

WAIT_S = 30


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
