// DialectOption: a command-line option that only one dialect has. Each dialect lists its own rows; the
// command line offers them beside the common options.
#pragma once

#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "spec/run/run_spec.h"

namespace assay {

// Which folder the dialect may read because the user names it there. kFolderOfNamedFile: NAME=FILE.
enum class OptionReads { kNothing, kFolder, kFolderOfFile, kFolderOfNamedFile };

struct DialectOption {
  std::string_view name;   // "mock-web": `--mock-web`, and a member of OwnOptions
  std::string_view value;  // what follows it, "FILE"; "" for a switch
  std::string_view help;
  std::string_view commands;     // names of the commands that take it, between blanks: " run plan "
  std::string_view behind = {};  // the option that it is listed after, "--matrix"; "": the row before it
  bool repeatable = false;
  bool shapes_run = true;  // part of RunSpec; else it only says where something is
  bool narrows = false;    // the run is of a part of the suite
  OptionReads reads = OptionReads::kNothing;
  // What is kept of a text, or why it is none; null: any text is kept as it is.
  Result<std::string> (*read)(std::string_view text) = nullptr;
};

// As the command line has it; a switch gets "true" or "false", and an empty text is none.
Status SetOwn(const DialectOption& option, std::string_view text, OwnOptions& own);

}  // namespace assay
