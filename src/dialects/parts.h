// The table of files that belong to an evaluation but are no suite (datasets, matrices): one row each, with
// the function that checks such a file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/errors/diagnostics.h"
#include "base/files/file_reader.h"
#include "dialects/dialect.h"

namespace assay {

struct PartInput {
  std::string path;      // as the user named it
  std::string absolute;  // the same, without links
  std::string cwd;       // absolute
  std::string home;      // "" if there is none
  std::string dataset;   // --dataset, of a matrix; "" if nobody says
  std::string mock_web;  // --mock-web, likewise
  OwnOptions own;        // what else the command line says
  FileReader& files;
  SourceFiles& sources;
  Diagnostics& diagnostics;
  const ModelAliases& aliases;  // names that the user's settings give models
  // Tells of a model, "provider:model", that no provider has, or that looks like a slip.
  void (*tell_model)(std::string_view model, Span where, Diagnostics& diagnostics) = nullptr;
  // Tells of one that ends soon, or has ended.
  void (*tell_last_day)(std::string_view model, Span where, Diagnostics& diagnostics) = nullptr;
};

struct PartRow {
  std::string_view name;  // "research dataset"
  // What is said where a suite is wanted, and what to do instead; "": such a file can be run as well.
  std::string_view no_suite = {};
  std::string_view instead = {};
  bool (*claims)(std::string_view path, std::string_view text);
  // Tells every problem; what the file holds, in words, unless one is an error. `text` is the content of
  // `file`.
  std::optional<std::string> (*check)(const PartInput& input, FileId file, std::string_view text);
};

// The row that claims the file; null if none does.
const PartRow* FindPart(std::string_view path, std::string_view text);

}  // namespace assay
