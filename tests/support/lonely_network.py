"""A network namespace in which every address leads to this machine and every packet that leaves a program is seen: what
a program tries to reach, names that it asks for included, cannot stay hidden. Needs unprivileged user namespaces."""
import os
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time

import e2e

INSIDE = "ASSAY_TEST_IS_INSIDE"
EVERY_PROTOCOL = 3
IPV4, IPV6 = 0x0800, 0x86DD
TCP, UDP = 6, 17
SYN, ACK = 0x02, 0x10
SETTLE_S = 0.2


def enter():
    """Goes on in a namespace of its own: runs this script again in it, or skips the test where that is not allowed."""
    if INSIDE not in os.environ:
        for tool in ("unshare", "ip"):
            if shutil.which(tool) is None:
                e2e.skip(f"{tool} is not installed")
        tried = subprocess.run(["unshare", "-Urn", "true"], capture_output=True, text=True)
        if tried.returncode != 0:
            e2e.skip(f"no network namespace may be made here: {tried.stderr.strip()}")
        os.environ[INSIDE] = "1"
        os.execvp("unshare", ["unshare", "-Urn", sys.executable, *sys.argv])
    for words in ("link set lo up", "route add local 0.0.0.0/0 dev lo", "-6 route add local ::/0 dev lo"):
        done = subprocess.run(["ip", *words.split()], capture_output=True, text=True)
        if done.returncode != 0 and not words.startswith("-6"):
            e2e.skip(f"the network cannot be set up here: ip {words}: {done.stderr.strip()}")


def target_of(packet, protocol):
    """("tcp", "192.0.2.1", 443) of the first packet of a connection and ("udp", ...) of a datagram, else None."""
    if protocol == IPV4:
        start, kind, to = (packet[0] & 15) * 4, packet[9], socket.inet_ntop(socket.AF_INET, packet[16:20])
    elif protocol == IPV6:
        start, kind, to = 40, packet[6], socket.inet_ntop(socket.AF_INET6, packet[24:40])
    else:
        return ("other", hex(protocol), 0)
    if kind not in (TCP, UDP):
        return None     # what the kernel says of the others: unreachable ports, neighbours
    port = struct.unpack("!H", packet[start + 2:start + 4])[0]
    if kind == UDP:
        return ("udp", to, port)
    return ("tcp", to, port) if packet[start + 13] & (SYN | ACK) == SYN else None


class Recorder:
    """What was reached for since the last `taken()`, as a set."""

    def __init__(self):
        try:
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(EVERY_PROTOCOL))
        except OSError as error:
            e2e.skip(f"packets cannot be seen here: {error}")
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 20)
        self.lock = threading.Lock()
        self.targets = set()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            packet, (_, protocol, direction, *_) = self.socket.recvfrom(65536)
            if direction != socket.PACKET_OUTGOING:
                continue
            target = target_of(packet, protocol)
            if target is not None:
                with self.lock:
                    self.targets.add(target)

    def taken(self):
        time.sleep(SETTLE_S)
        with self.lock:
            taken, self.targets = self.targets, set()
        return taken
