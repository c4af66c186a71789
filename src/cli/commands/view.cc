// The command `assay view`: shows stored runs in the browser, live while they go on.
#include <fmt/core.h>

#include <filesystem>

#include "base/files/file_reader.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/pages.h"
#include "engine/state/known_stores.h"
#include "store/location.h"
#include "store/store.h"

namespace assay {

namespace {

// A folder is shown with the store in it; a file is a store. "": it is neither.
std::string StoreAt(const std::string& argument, const Options& options) {
  std::error_code failed;
  const std::filesystem::path path(argument);
  if (std::filesystem::is_directory(path, failed)) {
    const std::filesystem::path own(options.granted.store);
    const bool is_elsewhere = own.is_absolute() || IsServer(options.granted.store);
    return (path / (is_elsewhere ? std::filesystem::path(Granted().store) : own)).string();
  }
  return std::filesystem::is_regular_file(path, failed) ? argument : std::string();
}

Result<std::vector<LabelRow>> LabelsIn(const std::string& path) {
  ASSAY_TRY(const std::string csv, DiskFileReader().Read(path));
  Result<std::vector<LabelRow>> labels = ReadLabels(csv);
  if (!labels)
    return Error{labels.error().code, fmt::format("{}: {}", Printable(path), labels.error().message)};
  if (labels->empty())
    return Error{ErrorCode::kInvalidInput, fmt::format("{}: no line has a label", Printable(path))};
  return labels;
}

Result<PagesAsk> AskOf(const Options& options) {
  PagesAsk ask;
  std::vector<std::string> runs;
  for (const std::string& argument : options.arguments) {
    const std::string store = StoreAt(argument, options);
    if (store.empty()) {
      runs.push_back(argument);
    } else {
      ask.stores.push_back(store);
    }
  }
  if (!options.command.labels.empty()) {
    ASSAY_TRY(ask.labels, LabelsIn(options.command.labels));
  }
  if (ask.stores.empty() || !runs.empty()) ask.stores.insert(ask.stores.begin(), options.granted.store);
  if (runs.empty()) return ask;
  ASSAY_TRY(const std::unique_ptr<Store> store, OpenForReading({.path = ask.stores.front()}));
  for (const std::string& run : runs) {
    ASSAY_TRY(const RunRecord record, store->FindRun(run));
    ask.runs.push_back(record.context.run_id);
  }
  return ask;
}

}  // namespace

ExitCode ViewCommand(const Options& options, Ui& ui) {
  const Result<PagesAsk> ask = AskOf(options);
  if (!ask) return FailWith(ui, ask.error());
  return ServePages(*ask, options, ui);
}

}  // namespace assay
