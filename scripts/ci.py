#!/usr/bin/env python3
"""Continuous integration: builds and tests everything once, in phases that print the time.

usage: ./dev ci [--measure]

The plain tree has the program, conformance, approved outputs, the simulation, end-to-end scripts, the replay of fuzz
corpora and the unit tests of cli/. The sanitized tree (AddressSanitizer and UndefinedBehaviorSanitizer) has the other
unit tests, which run there alone, and the simulation again. It compiles with whatever time the tests of the plain
tree leave. The simulation kills at each eleventh step in the plain tree and at each 181st in the sanitized one;
`./dev test` kills at every step. An end-to-end script that fails beside others runs once more, alone: if it passes
then, it counts as passed, and CI names it as unsteady and shows what it said (docs/decisions/0109). The last line is
a closing line in the words of ctest, over both trees.

--measure ends with a table of what each phase took, for docs/testing.md.
"""
import os
import pathlib
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as tree

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLAIN, SANITIZED = ROOT / "build" / "dev", ROOT / "build" / "asan"
LABELS = ["rules", "conformance", "golden", "fuzz", "printing", "sim", "e2e"]  # of the plain tree, the longest last
SANITIZED_LABELS = ["unit", "sim"]
PRINTING = "^printing$"  # unit tests that run in the plain tree (cmake/assay_module.cmake)
MAY_BE_UNSTEADY = re.compile(r"e2e_|viewer_")  # several processes or a browser; no attack on the sandbox is tried twice
# Checks of use after scope are a quarter of a sanitized unit, and inline checks cost more to compile than calls.
# ./dev test --all has both.
ADDRESS_FLAGS = "-fno-sanitize-address-use-after-scope --param asan-instrumentation-with-call-threshold=0"
# Tests take cycles of 2, 4 and 5 from their seeds: a stride that divides one would see a part of the cycle alone.
PLAIN_ENVIRONMENT = {"ASSAY_SIM_SEEDS": "30", "ASSAY_SIM_STRIDE": "11"}
SANITIZED_ENVIRONMENT = {"UBSAN_OPTIONS": "print_stacktrace=1", "ASAN_OPTIONS": "detect_stack_use_after_return=1",
                         "ASSAY_SIM_SEEDS": "3", "ASSAY_SIM_STRIDE": "181"}
STARTED = time.monotonic()


def say(text):
    seconds = int(time.monotonic() - STARTED)
    print(f"[{seconds // 60:02}:{seconds % 60:02}] {text}", flush=True)


class Phase:
    """A command that goes on until it is waited for; its output goes to a file of .cache/."""

    def __init__(self, name, command, idle=False, environment=None):
        self.name, self.wall, self.cpu = name, 0.0, 0.0
        self.log = ROOT / ".cache" / ("ci-" + re.sub(r"[^a-z]+", "-", name) + ".log")
        say(f"{name} …")
        self.begun = time.monotonic()
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})}, preexec_fn=yield_to_others if idle else None)

    def wait(self):
        """The exit status."""
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.wall = time.monotonic() - self.begun
        self.cpu = usage.ru_utime + usage.ru_stime
        end = "" if self.process.returncode == 0 else f", exit code {self.process.returncode}"
        say(f"{self.name}: {self.wall:.0f} s, {self.cpu:.0f} s of CPU{end}")
        return self.process.returncode

    def fail(self):
        """Prints the end of the output and ends the program."""
        print("\n".join(self.log.read_text(errors="replace").splitlines()[-60:]))
        say(f"{self.name} failed; all of its output: {self.log.relative_to(ROOT)}")
        sys.exit(1)


def yield_to_others():
    """Runs on time that nobody else wants."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def run(phases, name, command, **more):
    phase = Phase(name, command, **more)
    phases.append(phase)
    if phase.wait() != 0:
        phase.fail()


def ctest(phases, folder, label, environment=None, only=None, but=None):
    """Runs the tests of a label that have no label `but`, or `only` those of them, one by one; the path of the
    results."""
    results = folder / f"results-{label}{'-alone' if only else ''}.xml"
    results.unlink(missing_ok=True)
    chosen = (["-R", f"^({'|'.join(only)})$"] if only else []) + (["-LE", but] if but else [])
    phase = Phase(f"test {label}{' alone' if only else ''}", [
        "ctest", "--test-dir", folder, "-L", f"^{label}$", *chosen, "-j", "1" if only else str(os.cpu_count()),
        "--output-on-failure", "--no-tests=error", "--output-junit", results], environment=environment)
    phases.append(phase)
    phase.wait()
    if not results.exists():
        phase.fail()
    return results


def cases_of(results):
    return list(tree.parse(results).getroot().iter("testcase"))


def failed_of(results):
    return [case.get("name") for case in cases_of(results)
            if case.get("status") != "run" and case.find("skipped") is None]


def summarize(label, results):
    """Prints counts and skips of a label; the number of tests that ran, and the names of those that failed."""
    names = [case.get("name") for case in cases_of(results)]
    subprocess.run([sys.executable, ROOT / "scripts" / "summarize_tests.py", results, label, *names], check=True)
    return len(names), failed_of(results)


def unsteady(phases, failed):
    """Runs scripts that failed once more, alone; those that pass now."""
    if not failed:
        return []
    again = ctest(phases, PLAIN, "e2e", only=failed)
    return sorted(set(failed) - set(failed_of(again)))


def print_table(phases):
    print("\n| part | CPU s | wall s |\n|---|---:|---:|")
    for phase in phases:
        print(f"| {phase.name} | {phase.cpu:.0f} | {phase.wall:.0f} |")
    print(f"| all | {sum(phase.cpu for phase in phases):.0f} | {time.monotonic() - STARTED:.0f} |\n")


def main():
    if sys.argv[1:] not in ([], ["--measure"]):
        sys.exit(__doc__)
    (ROOT / ".cache").mkdir(exist_ok=True)
    slowness = subprocess.run([sys.executable, ROOT / "scripts" / "slowness.py"], check=True, capture_output=True,
                              text=True).stdout.strip()
    os.environ["ASSAY_SLOWNESS"] = slowness
    say(f"limits of time in tests × {slowness}")
    os.environ["ASSAY_UNITY"] = "ON"  # a build from nothing: files compiled together (docs/decisions/0032)
    os.environ["ASSAY_ADDRESS_FLAGS"] = ADDRESS_FLAGS
    phases = []
    run(phases, "install", ["./dev", "setup-tests"])
    run(phases, "configure", ["cmake", "--preset", "dev"])
    run(phases, "configure sanitized", ["cmake", "--preset", "asan"])
    run(phases, "compile", ["ninja", "-C", PLAIN, "plain_tests"])
    sanitized = Phase("compile sanitized", ["ninja", "-C", SANITIZED, "sanitized_tests_of_ci"], idle=True)
    phases.append(sanitized)
    results = [(label, ctest(phases, PLAIN, label, PLAIN_ENVIRONMENT)) for label in LABELS]
    if sanitized.wait() != 0:
        sanitized.fail()
    results += [(label, ctest(phases, SANITIZED, label, SANITIZED_ENVIRONMENT, but=PRINTING))
                for label in SANITIZED_LABELS]
    counts = [summarize(label, path) for label, path in results]
    if sys.argv[1:]:
        print_table(phases)
    # What failed stands last, where whoever sees no more than the end of this finds it.
    subprocess.run([sys.executable, ROOT / "scripts" / "failed_tests.py", *(path for _, path in results)], check=True)
    failed = [name for _, names in counts for name in names]
    passed_alone = unsteady(phases, [name for name in failed if MAY_BE_UNSTEADY.match(name)])
    for name in passed_alone:
        print(f"unsteady: {name} failed beside other tests, as shown above, and passed alone")
    ran, failed = sum(count for count, _ in counts), len(failed) - len(passed_alone)
    print(f"{100 * (ran - failed) // max(ran, 1)}% tests passed, {failed} tests failed out of {ran}", flush=True)
    sys.exit(1 if failed or not ran else 0)


if __name__ == "__main__":
    main()
