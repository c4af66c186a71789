#!/usr/bin/env python3
"""Every place in the sources that opens files for reading is in this table, with what bounds it: a new one is thought
of before it is added. What a folder names is read by ScopedFileReader alone; everything else reads what the user or the
machine names."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPENS = re.compile(r"\b(DiskFileReader|ScopedFileReader|OpenFileSource)\b(?! final)|std::i?fstream|directory_iterator|"
                   r"(?<!> )(?<![.>])\bf?open(at|dir)?\(|\bfdopendir\(|sqlite3_open\w*\(|\bmmap\(|\breadlink\w*\(")
SCOPED = "scoped: "      # below named roots, links followed
NAMED = "named: "        # exactly what the command line names
OWN = "own: "            # what assay wrote itself, or the machine has
WRITES = "writes: "      # opened to be written; links are refused there
# File -> (how many places, what bounds them).
READERS = {
    "base/files/byte_source.cc": (None, "reads a file piece by piece: a regular file, up to what the caller names"),
    "base/files/byte_source.h": (None, "its declaration"),
    "base/files/open_file.cc": (None, "opens regular files only, and no longer ones than the caller names"),
    "base/files/file_bytes.cc": (None, "maps what open_file.cc or a scoped reader opened, up to what the caller names"),
    "base/files/file_reader.cc": (None, "the reader of the disk: regular files only, limits::kInputFileBytesMax"),
    "base/files/file_reader.h": (None, "its declaration"),
    "base/files/scoped_files.cc": (None, "the scoped reader itself"),
    "base/files/scoped_files.h": (None, "its declaration"),
    "base/files/out_folder.cc": (None, WRITES + "folders are opened without following links"),
    "base/files/sink.cc": (None, WRITES + "links are replaced, not followed"),
    "cli/commands/cache/adopt.cc": (1, NAMED + "recordings that are adopted"),
    "cli/commands/calibrate.cc": (1, NAMED + "--labels"),
    "cli/commands/view.cc": (1, NAMED + "--labels"),
    "cli/commands/check.cc": (2, SCOPED + "the file's folder, the current one, --allow-path; the file is named"),
    "cli/commands/demo.cc": (1, OWN + "files of its own example"),
    "cli/commands/doctor.cc": (6, SCOPED + "by Load; the suites are named; of the current folder only what lies in it"),
    "cli/commands/asked/last_days.cc": (1, SCOPED + "by Load; the suites are named"),
    "cli/commands/asked/doctor_programs.cc": (2, SCOPED + "by Load; the suite is named; one fixed file of /proc"),
    "cli/commands/init.cc": (1, OWN + "asks only whether a file is there"),
    "cli/commands/init_dataset.cc": (1, NAMED + "the table of assay init dataset"),
    "cli/commands/plan/plan.cc": (1, SCOPED + "by Load; the suites are named"),
    "cli/commands/prepare.cc": (2, SCOPED + "the dataset's folder, --allow-path; the dataset is named"),
    "cli/commands/report.cc": (2, SCOPED + "the session's folder, --allow-path"),
    "cli/commands/trust.cc": (1, OWN + "assay.toml of the folder that is named"),
    "cli/files/known_flaky.cc": (1, NAMED + "--known-flaky"),
    "engine/state/known_stores.cc": (1, NAMED + "the store, to be hashed; SQLite opened it before: a regular file"),
    "engine/state/live_note.cc": (2, OWN + "the note, and 56 bytes of the -wal, a regular file"),
    "engine/cores.cc": (1, OWN + "/proc and /sys"),
    "engine/open/imported.cc": (3, SCOPED + "the folder of answers, --allow-path; a file of results is named"),
    "engine/open/ingested.cc": (1, SCOPED + "as the suite's files"),
    "engine/open/loaded.cc": (3, SCOPED + "the suite's folder, --allow-path, what options of the dialect name"),
    "engine/open/loaded.h": (1, "declares how a suite's files are scoped"),
    "cli/commands/parts/powers_used.cc": (4, SCOPED + "by Load; the suites are named"),
    "engine/open/recordings.cc": (3, SCOPED + "answers, mock webs, recordings that nobody named; others are named"),
    "engine/run/row_stream.cc": (None, WRITES + "rows of a session, without following links"),
    "engine/plan/run_inputs.cc": (1, SCOPED + "as the suite's files"),
    "engine/write/written.cc": (1, OWN + "a result file that this run wrote"),
    "engine/shards/shared_folder.cc": (3, OWN + "empty marks of shards in the run's own folder; no link is followed"),
    "cli/files/opening_page.cc": (3, WRITES + "a page in the state folder, and deletes those of killed programs"),
    "engine/state/pinned_files.cc": (None, WRITES + "pinned documents, in a folder that is opened without links"),
    "engine/network/key_file.cc": (1, NAMED + "key files of the user's settings, or of a folder he trusts: regular "
                                            "files that nobody else can read"),
    "engine/state/state_folder.cc": (None, OWN + "the state folder, without following links"),
    "engine/state/store_seal.cc": (1, NAMED + "the seal beside the store: as many bytes as a seal may have"),
    "cli/files/watched_files.h": (1, SCOPED + "by Load; suites are named, settings the folder's and the user's"),
    "cli/commands/cluster/hand_over.cc": (1, NAMED + "--cluster-arg patch=FILE, at most limits::kInputFileBytesMax"),
    "io/http/held_port.cc": (None, OWN + "/proc/net/tcp, a line for each connection"),
    "io/launcher/room.cc": (1, OWN + "/proc/uptime"),
    "io/launcher/warm_start.cc": (None, OWN + "the warm process's folder"),
    "io/sandbox/cgroup.cc": (None, OWN + "/proc and /sys"),
    "io/sandbox_host/fence/caller.cc": (None, OWN + "/proc of a program that is held"),
    "io/sandbox_host/fence/confine.cc": (None, OWN + "/dev/null"),
    "io/sandbox_host/files/file_calls.cc": (None, OWN + "what a held program asks for, under its own rules"),
    "io/sandbox_host/files/files.cc": (None, OWN + "a program's work folder"),
    "io/sandbox_host/files/folder_use.cc": (None, OWN + "a program's work folder, to measure it"),
    "io/sandbox_host/fence/landlock.cc": (None, OWN + "paths of the view, opened without rights"),
    "io/sandbox_host/processes/processes.cc": (None, OWN + "/proc"),
    "io/sandbox_host/files/view.cc": (None, OWN + "the machine's folders, to show them to a program"),
    "io/sandbox_host/warm.cc": (None, OWN + "/proc"),
    "io/toolchain/question.cc": (None, OWN + "the toolchains' folder"),
    "store/postgres/client/pg_wait.cc": (1, OWN + "one fixed file of /proc"),
    "store/sqlite/sqlite.cc": (None, NAMED + "a store: regular files only, SQLite's own beside it too"),
    "store/sqlite/writer_lock.cc": (None, NAMED + "a store's lock, without following links"),
}

found = {}
for path in sorted([*ROOT.glob("src/**/*.cc"), *ROOT.glob("src/**/*.h")]):
    if path.name.endswith("_test.cc"):
        continue
    text = re.sub(r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", "", path.read_text(encoding="utf-8"))
    text = re.sub(r"R\"(\w*)\(.*?\)\1\"", "", text, flags=re.S)
    places = len(OPENS.findall(text))
    if places:
        found[path.relative_to(ROOT / "src").as_posix()] = places

problems = [f"{name}: opens files in {count} places and is not in the table; say what bounds it"
            for name, count in found.items() if name not in READERS]
problems += [f"{name}: the table says {READERS[name][0]} places, there are {count}"
             for name, count in found.items() if name in READERS and READERS[name][0] not in (None, count)]
problems += [f"{name}: is in the table and opens nothing" for name in READERS if name not in found]
print("\n".join(problems) or f"{sum(found.values())} places in {len(found)} files, each with what bounds it")
sys.exit(1 if problems else 0)
