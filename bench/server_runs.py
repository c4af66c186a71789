"""What benches of runs on a PostgreSQL store share: rows of a table, folders of suites, and CPU of processes."""
import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def row(what, goal, found):
    print(f"| {what} | {goal} | {found} |", flush=True)


def make(folder, name, text):
    place = Path(folder, name)
    place.mkdir()
    (place / "suite.yml").write_text(text)
    return place


def cpu_of(pid, *fields):
    text = Path(f"/proc/{pid}/stat").read_text()
    values = text[text.rindex(")") + 2:].split()
    return sum(int(values[i - 3]) for i in fields) / TICKS


def server_cpu(server):
    """Of all backends, those that have ended too."""
    main = server.process.pid
    total = cpu_of(main, 14, 15, 16, 17)
    for child in Path(f"/proc/{main}/task/{main}/children").read_text().split():
        try:
            total += cpu_of(child, 14, 15)
        except OSError:
            pass
    return total
