#!/usr/bin/env python3
"""Packs files into a ZIP archive that is the same bytes wherever it is made; a build step of assay_embed_packed.

usage: pack.py ARCHIVE FOLDER PATH...      (paths count from the folder, and are the names in the archive)
"""
import sys
import zipfile
from pathlib import Path


def main() -> int:
    archive, folder, *paths = sys.argv[1:]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(paths):
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, Path(folder, path).read_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
