// The first pass, files -> Loaded: the suite that a file holds, its problems, and the recorded replies that
// go with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/files/file_reader.h"
#include "base/files/scoped_files.h"
#include "dialects/dialect.h"
#include "engine/grants/granted.h"
#include "engine/open/problems.h"
#include "engine/open/recordings.h"
#include "run/wire/router.h"
#include "spec/suite/suite.h"

namespace assay {

struct Loaded {
  Problems problems;
  const DialectRow* dialect = nullptr;  // null if the file could not be read or nobody claims it
  std::optional<Suite> suite;           // to find more problems by, where one is an error; else to run
  Value normal_form;                    // of the suite, if it is wanted
  OpenedRecordings recorded;
  ProgramInputs program_inputs = {};  // of whoever the suite asks through a program

  bool may_run() const { return suite && !problems.HasErrors(); }
};

enum class NormalForm { kDropped, kKept };
// What becomes of the rows of datasets: those that the spec asks for are cases; or all are read, and those
// that are like others are counted alone.
enum class RowsRead { kAsked, kAll };
// Reads RunSpec::file. `files` is asked for the suite itself and for recordings; what the suite names is read
// only below its own folder and what is granted.
Loaded Load(const RunSpec& spec, const Granted& granted, FileReader& files, SourceFiles& sources,
            NormalForm normal_form = NormalForm::kDropped, RowsRead rows = RowsRead::kAsked);

ReadOptions ReadOptionsOf(const RunSpec& spec, const Granted& granted);
// What a suite may read: files below its own folder, the folders that the user grants, and those where
// options of its dialect put something; of a dialect that reads widely below the current folder as well.
// `dialect` may be null.
ScopedFileReader FilesOf(const RunSpec& spec, const Granted& granted, const DialectRow* dialect,
                         FileReader& files);
// Where what is unpacked lies meanwhile: beside the store, if that is a file here and its folder is there,
// else in $TMPDIR.
std::string SpoolFolderOf(const Granted& granted);
// The folders that --allow-path and assay.toml grant.
std::vector<std::string> AllowedPaths(const Granted& granted);

}  // namespace assay
