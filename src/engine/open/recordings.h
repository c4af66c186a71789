// Opens the recorded replies of a run: --responses, --fixtures, --replay, the simulated webs of its profiles,
// or the recording beside the suite.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_reader.h"
#include "engine/grants/granted.h"
#include "run/wire/router.h"

namespace assay {

class SourceFiles;
struct Loaded;

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

// Of Load, whose value is in the making: problems go to it, and recorded answers of the suite's own format
// say whose they are.
OpenedRecordings OpenRecordings(const RunSpec& spec, const Granted& granted, Loaded& loaded,
                                FileReader& files, SourceFiles& sources);

// "civic.yml" -> "civic.replay.jsonl"
std::string ReplayPathBeside(std::string_view suite_path);
// Whether recorded replies answer for the models: those of --replay, else those beside the suite.
bool IsReplayed(const RunSpec& spec, std::string_view suite_path, FileReader& files);

}  // namespace assay
