"""An authority of a test's own and the certificates that it signs, made by openssl; a test without it is skipped."""
import shutil
import subprocess
from pathlib import Path

import e2e

DAYS = "2"


def _openssl(folder, *words):
    done = subprocess.run(["openssl", *words], cwd=folder, capture_output=True, text=True)
    e2e.check(done.returncode == 0, f"openssl {words[0]}", done)


def _new_key(path):
    return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path]


class Authority:
    """`file` is what a client that trusts it names."""

    def __init__(self, folder):
        if shutil.which("openssl") is None:
            e2e.skip("openssl is not installed")
        self.folder = Path(folder)
        self.file = str(self.folder / "authority.pem")
        _openssl(folder, "req", "-x509", *_new_key("authority.key"), "-out", "authority.pem", "-days", DAYS,
                 "-subj", "/CN=Authority of a test")

    def certificate(self, name, hosts):
        """Files of a certificate and its key; `hosts` as openssl writes them: DNS:localhost, IP:127.0.0.1."""
        Path(self.folder, f"{name}.ext").write_text(f"subjectAltName={','.join(hosts)}\n")
        _openssl(self.folder, "req", *_new_key(f"{name}.key"), "-out", f"{name}.csr", "-subj", f"/CN={name}")
        _openssl(self.folder, "x509", "-req", "-in", f"{name}.csr", "-CA", "authority.pem", "-CAkey",
                 "authority.key", "-CAcreateserial", "-out", f"{name}.pem", "-days", DAYS, "-extfile", f"{name}.ext")
        return str(self.folder / f"{name}.pem"), str(self.folder / f"{name}.key")
