"""What one run of a program takes: exit code, CPU and wall seconds, peak memory in MiB, as bench/spent.c sees it."""
import functools
import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Spent:
    code: int
    cpu: float
    wall: float
    peak: float


@functools.cache
def runner():
    folder = tempfile.TemporaryDirectory(prefix="assay-spent-")
    program = Path(folder.name, "spent")
    subprocess.run(["cc", "-O1", "-o", program, Path(__file__).with_name("spent.c")], check=True)
    return folder, program


class Running:
    """A program that was started; what it prints goes into the file `log`, or nowhere."""

    def __init__(self, words, folder, env=None, log=subprocess.DEVNULL):
        self.told = tempfile.NamedTemporaryFile(mode="r", prefix="assay-spent-")
        self.process = subprocess.Popen([runner()[1], self.told.name, *map(str, words)], cwd=folder, env=env,
                                        stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def kill(self):
        """It alone: whoever measures it stays."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)

    def end(self):
        if self.process.wait() != 0:
            raise RuntimeError(f"{self.process.args[2:]} was not measured")
        code, cpu, wall, kib = self.told.read().split()
        self.told.close()
        return Spent(int(code), float(cpu), float(wall), int(kib) / 1024)


def spent(words, folder, **more):
    return Running(words, folder, **more).end()
