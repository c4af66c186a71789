"""Names that mean one address when they are checked and another when they are connected to (DNS rebinding)."""
import shutil
import subprocess
import sys
from pathlib import Path

from . import Absent, Attack

SCRIPT = Path(__file__).resolve().parents[1] / "rebinding.py"
PUBLIC, OTHER = "93.184.216.34", "93.184.216.35"   # of a network of the row's own
# What a name server answers, one list of addresses for each time that it is asked, the last again and again; an address
# that is not public must never be connected to. What the public server says: "answer", "redirect" (to the same name),
# "drop" (the connection), "refuse" (nobody listens).
CASES = {
    "a public address, then this machine": ([[PUBLIC], ["127.0.0.1"]], "drop"),
    "a public address, then this machine by IPv6": ([[PUBLIC], ["::1"]], "drop"),
    "a public address, then a mapped one": ([[PUBLIC], ["::ffff:127.0.0.1"]], "drop"),
    "a public address, then a metadata service": ([[PUBLIC], ["169.254.169.254"]], "drop"),
    "a public address, then the private network": ([[PUBLIC], ["10.0.0.1"]], "drop"),
    "a public address, then no address": ([[PUBLIC], ["0.0.0.0"]], "drop"),
    "a public address, then a translated one": ([[PUBLIC], ["64:ff9b::7f00:1"]], "drop"),
    "two addresses at once, the private one first": ([["127.0.0.1", PUBLIC]], "answer"),
    "two addresses at once, the public one dead": ([[OTHER, "127.0.0.1"]], "refuse"),
    "two families at once": ([[OTHER, "::1"]], "refuse"),
    "a redirect to the same name, looked up again": ([[PUBLIC], ["127.0.0.1"]], "redirect"),
    "a private address from the first": ([["127.0.0.1"]], "answer"),
    "an address that is on and off": ([[PUBLIC], ["127.0.0.1"], [PUBLIC], ["127.0.0.1"]], "drop"),
}


def tries(case):
    def run(folder):
        if shutil.which("unshare") is None or shutil.which("ip") is None:
            raise Absent("unshare and ip make a network of the row's own")
        told = subprocess.run(["unshare", "-Urnm", sys.executable, str(SCRIPT), case], cwd=folder, capture_output=True,
                              text=True, timeout=100, check=False)
        if told.returncode == 77 or "unshare:" in told.stderr:
            raise Absent(told.stdout + told.stderr)
        return None if told.returncode == 0 else f"{told.stdout}{told.stderr}"
    return run


ATTACKS = [Attack(f"a name of {case}", "the address that was checked is the one connected to", tries(case),
                  fast=case == "a public address, then this machine") for case in CASES]
