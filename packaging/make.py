#!/usr/bin/env python3
"""Makes every package of a portable program, and the sums of all. Called by `./dev package`.

usage: make.py PROGRAM FOLDER      (FOLDER is made anew)
"""
import hashlib
import platform
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import contents  # noqa: E402
import forms  # noqa: E402


def main() -> int:
    program, folder = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    about = contents.release(platform.machine())
    files, site = contents.tree(about, program), contents.site()
    made = {"install.sh": (contents.ROOT / "packaging/install.sh").read_bytes(),
            f"assay-{about.version}.cdx.json": files["share/doc/assay/assay.cdx.json"].data}
    for form in forms.FORMS:
        made.update(form(about, contents.with_site(about, files, site) if form in forms.WITH_SITE else files))
    made["SHA256SUMS"] = "".join(
        f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(made.items())).encode()
    for name, data in sorted(made.items()):
        (folder / name).write_bytes(data)
        print(f"{len(data):>12,}  {folder / name}")
    (folder / "install.sh").chmod(0o755)
    return 0


if __name__ == "__main__":
    sys.exit(main())
