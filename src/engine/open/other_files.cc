// Asks the readers of results, then the table of other files.
#include "engine/open/other_files.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/shell_words.h"
#include "dialects/other_files/other_files.h"
#include "engine/words.h"
#include "report/import/import.h"
#include "report/import/limits.h"
#include "text/yaml/keys.h"

namespace assay {

namespace {

// A reader of results knows a file by words in it, which a blueprint may have as well.
bool AsksSomething(std::string_view text) {
  bool asks = false;
  for (const std::string& key : TopLevelKeys(text)) {
    if (key == "results") return false;
    asks = asks || key == "prompts" || key == "prompt" || key == "should";
  }
  return asks;
}

// The remedy with the file's own name.
std::string WithName(std::string_view remedy, std::string_view path) {
  constexpr std::string_view kFile = "FILE";
  std::string text(remedy);
  const std::string name = QuoteWord(Printable(path));
  for (std::size_t at = text.find(kFile); at != std::string::npos; at = text.find(kFile, at + name.size()))
    text.replace(at, kFile.size(), name);
  return text;
}

}  // namespace

bool TellOtherFile(std::string_view path, FileId file, std::string_view text, Diagnostics& diagnostics) {
  const Span start{.file = file, .offset = 0, .length = 0};
  const bool is_other_archive = text.starts_with("PK") && !path.ends_with(".eval");
  const ImportRow* results =
      is_other_archive ? nullptr : FindImport(text.substr(0, limits::kImportedHeadBytes));
  if (results != nullptr && !AsksSomething(text)) {
    diagnostics.Error("suite.results", fmt::format("this is a file of results: {}", results->help), start,
                      fmt::format("show it: `assay show {}`", QuoteWord(Printable(path))));
    return true;
  }
  const OtherFileRow* row = FindOtherFile(path, text);
  if (row == nullptr) return false;
  diagnostics.Error(row->code.empty() ? "suite.other-tool" : std::string(row->code), std::string(row->is),
                    start, WithName(row->instead, path));
  return true;
}

}  // namespace assay
