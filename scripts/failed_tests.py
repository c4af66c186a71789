#!/usr/bin/env python3
"""What the tests that failed said last, a few lines each; nothing where all passed.

usage: failed_tests.py RESULTS.xml...     (ctest --output-junit; a file that is not there is passed over)
"""
import os
import sys
import xml.etree.ElementTree as tree

LINES = 15


def main() -> int:
    for results in filter(os.path.exists, sys.argv[1:]):
        for case in tree.parse(results).getroot().iter("testcase"):
            if case.get("status") == "run" or case.find("skipped") is not None:
                continue
            print(f"--- {case.get('name')} failed after {float(case.get('time', 0)):.0f} s")
            for line in (case.findtext("system-out") or "").splitlines()[-LINES:]:
                print("  " + line[:300])
    return 0


if __name__ == "__main__":
    sys.exit(main())
