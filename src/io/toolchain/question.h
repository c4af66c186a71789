// ToolchainQuestion: the program and script that ask a toolchain about itself, and what they may see
// meanwhile: as little as the programs that it will run, and nothing of the folder in which assay was called.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/toolchain/table.h"
#include "io/toolchain/toolchain.h"

namespace assay {

struct ToolchainQuestion {
  std::vector<std::string> argv;                                 // absolute
  std::vector<std::pair<std::string, std::string>> environment;  // all of it, but for HOME and TMPDIR
  std::string home;                // HOME, where a version manager has its settings there; else ""
  std::vector<std::string> roots;  // what it may see beside /usr
  std::vector<std::string> used;   // programs and folders without which it answers something else
  // The files by which scripts in the place of the programs choose; nothing if nobody knows them.
  std::optional<std::vector<std::string>> chosen_by;
};

// Of programs that are there (FindProgram along `search_path`). `environment`: that its programs will have.
ToolchainQuestion QuestionOf(const ToolchainRow& row, const ToolchainPlaces& places,
                             const std::string& search_path,
                             std::vector<std::pair<std::string, std::string>> environment);

// The parts of `text` that are not empty.
std::vector<std::string> SplitWords(std::string_view text, char separator);

// What stands where `patterns` say, which have blanks between them.
void AddBeside(std::string_view patterns, std::vector<std::string>& roots);

// What stands below another root is shown with it.
void DropNested(std::vector<std::string>& roots);

void AddOnce(std::string text, std::vector<std::string>& list);

// Where a path leads, and the path itself where it is another name for that; nothing if nothing stands there,
// below /usr, which is shown in any case, and where it would show a home or all that stands at the top.
void AddRoot(const std::string& path, std::vector<std::string>& roots);

}  // namespace assay
