"""occupied_ports.py: `assay view` in a network of its own (unshare -Urn) where somebody has left it eight of the ports
that it draws from. Exit 1 if it starts, or says something else than that the ports are taken."""
import os
import resource
import socket
import subprocess
import sys

import e2e

DRAWN = range(11_000, 65_536)
LEFT = range(40_000, 40_008)  # among those that the system would choose
OTHER_FILES = 64              # that a process has open besides


def occupy(ports, until):
    """Whether a process has them now; it ends when the other end of `until` is closed."""
    said = os.pipe()
    if os.fork() == 0:
        os.close(until[1])
        held = []
        for port in ports:
            held.append(socket.socket())
            held[-1].bind(("127.0.0.1", port))
        os.write(said[1], b"1")
        os.read(until[0], 1)
        os._exit(0)
    os.close(said[1])
    return os.read(said[0], 1) == b"1"


def main():
    up = subprocess.run(["ip", "link", "set", "lo", "up"], capture_output=True, text=True, check=False)
    if up.returncode != 0:
        e2e.skip(f"the network cannot be set up here: {up.stderr.strip()}")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    ports = [port for port in DRAWN if port not in LEFT]
    at_once = min(len(ports), most - OTHER_FILES)
    until = os.pipe()
    for first in range(0, len(ports), at_once):
        if not occupy(ports[first:first + at_once], until):
            e2e.skip("the ports cannot be occupied here")
    view = e2e.start("view", cwd=".")
    address = view.stdout.readline()
    if address:
        view.kill()
    said = view.communicate(timeout=e2e.SECONDS_MAX)[1]
    print(f"{view.returncode}: {address}{said}")
    is_refused = not address and view.returncode == 2 and "Somebody may occupy" in said
    sys.exit(0 if is_refused else 1)


if __name__ == "__main__":
    main()
