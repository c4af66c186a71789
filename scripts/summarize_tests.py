#!/usr/bin/env python3
"""One line of counts for the tests of a label, and one for everything that they report as skipped.

usage: summarize_tests.py RESULTS.xml LABEL TEST...     (ctest --output-junit; the tests are those of the label)
"""
import re
import sys
import xml.etree.ElementTree as tree

SKIPPED = re.compile(r"\s*(\S+: )?skipped\b")  # "skipped: reason", or "file: skipped …" of assay_conformance


def main() -> int:
    results, label, names = sys.argv[1], sys.argv[2], set(sys.argv[3:])
    passed, failed, skipped = 0, [], []
    for case in tree.parse(results).getroot().iter("testcase"):
        name = case.get("name")
        if name not in names:
            continue
        output = case.findtext("system-out") or ""
        reasons = [line.strip() for line in output.splitlines() if SKIPPED.match(line)]
        if case.get("status") == "run":
            passed += 1
            skipped += [f"{name}: {reason}" for reason in reasons]
        elif case.find("skipped") is not None:
            skipped.append(f"{name}: " + (reasons[0] if reasons else "skipped"))
        else:
            failed.append(name)
    print(f"{label}: {passed} passed" + (f", {len(failed)} failed ({' '.join(failed)})" if failed else "")
          + (f", {len(skipped)} skipped" if skipped else ""))
    for line in skipped:
        print(f"  {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
