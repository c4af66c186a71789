// The first pass, files -> Loaded: the suite that a file holds, and the recorded replies that go with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/file_reader.h"
#include "base/scoped_files.h"
#include "cli/passes/problems.h"
#include "cli/settings/options.h"
#include "dialects/dialect.h"
#include "run/wire/router.h"

namespace assay {

// Which recorded replies a run uses: --responses, --fixtures, --replay, or the recording beside the suite.
// The recording beside a suite, which answers although nobody named it; this user has not adopted it.
struct UnaskedRecording {
  std::string path;
  std::string digest = {};  // SHA-256 of its text, in hex
  std::size_t replies = 0;
};

struct OpenedRecordings {
  std::vector<Recording> recordings;  // the first that has a reply wins
  std::vector<std::string> notes;     // what the user should know, one line each
  std::optional<UnaskedRecording> unasked = {};
};

struct Loaded {
  Problems problems;
  const DialectRow* dialect = nullptr;  // null if the file could not be read or nobody claims it
  std::optional<Suite> suite;           // absent after an error
  Value normal_form;                    // of the suite, if it is wanted
  OpenedRecordings recorded;
  ProgramInputs program_inputs = {};  // of whoever the suite asks through a program
};

// `files` is asked for the suite itself and for recordings; what the suite names is read only below its own
// folder and the folders of --allow-path and --collections-repo-path.
enum class NormalForm { kDropped, kKept };
Loaded Load(const std::string& path, const Options& options, FileReader& files, SourceFiles& sources,
            NormalForm normal_form = NormalForm::kDropped);

ReadOptions ReadOptionsOf(const Options& options);
// The least score of a cell that passed: what the user says, else what the dialect has.
double PassAtOf(const Options& options, std::string_view dialect);
// The same of a run that is shown again: what the command line says now, else the run's own words, else
// assay.toml. `made_with`: null where nobody knows them.
double PassAtOfRun(const Options& asked, const Options* made_with, std::string_view dialect);
// What a suite may read: files below its own folder and the folders that the user grants; with `reads_widely`
// below the current folder, and where options put a dataset, as well.
ScopedFileReader FilesOf(const Options& options, std::string_view suite_path, bool reads_widely,
                         FileReader& files);
// The folders that --allow-path and assay.toml grant.
std::vector<std::string> AllowedPaths(const Options& options);

}  // namespace assay
