"""A server that speaks PostgreSQL's protocol as nobody should. Tests import it by path."""
import socket
import struct
import tempfile
import threading

INT8, TEXT, BYTEA, FLOAT8 = 20, 25, 17, 701


def message(kind, body=b""):
    return kind + struct.pack(">I", len(body) + 4) + body


def fields(kind, *parts):
    return message(kind, b"".join(part + b"\0" for part in parts))


WELCOME = message(b"R", struct.pack(">I", 0)) + fields(b"S", b"server_encoding", b"UTF8") + \
    fields(b"S", b"server_version", b"15.0") + message(b"K", struct.pack(">II", 1, 1))
READY = message(b"Z", b"I")
NOTICE = message(b"N", b"SNOTICE\0C00000\0M" + b"\x1b[2Jnotice " * 20 + b"\0\0")


def description(*types):
    return message(b"T", struct.pack(">H", len(types)) + b"".join(
        b"c\0" + struct.pack(">IhIhih", 0, 0, kind, -1, -1, 1) for kind in types))


def row(*values):
    return message(b"D", struct.pack(">H", len(values)) + b"".join(
        struct.pack(">i", -1) if value is None else struct.pack(">i", len(value)) + value for value in values))


def answer(types, *rows):
    return message(b"1") + message(b"2") + description(*types) + b"".join(row(*each) for each in rows) + \
        message(b"C", b"SELECT 1\0") + READY


def number(value):
    return struct.pack(">q", value)


class HostilePostgres:
    """Sends what `greets()` yields after the first message, and what `answers(count)` yields to each that follows,
    until the other side is gone."""

    def __init__(self, greets=lambda: [WELCOME, READY], answers=lambda count: []):
        self.greets, self.answers = greets, answers
        self.folder = tempfile.TemporaryDirectory(prefix="assay-hostile-pg-")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(f"{self.folder.name}/.s.PGSQL.5432")
        self.listener.listen(16)
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self):
        return f"postgresql://assay@/runs?host={self.folder.name}&connect_timeout=3"

    def _accept(self):
        while True:
            try:
                here, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(here,), daemon=True).start()

    def _serve(self, here):
        try:
            with here:
                here.recv(1 << 16)
                self._send(here, self.greets())
                count = 0
                while here.recv(1 << 16):
                    self._send(here, self.answers(count))
                    count += 1
        except OSError:
            return

    @staticmethod
    def _send(here, parts):
        for part in parts:
            here.sendall(part)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.folder.cleanup()
