// ImportRow: a reader that turns result files of one other tool into reports; one row each in import.cc.
// Tables, comparisons and exporters treat what is read like any other run; nothing of it enters the store.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "base/files/file_reader.h"
#include "spec/report/report.h"

namespace assay {

// A run that was read from a file. `report` borrows the rest, so it stays where it is.
struct ImportedRun {
  ImportedRun() = default;
  ImportedRun(const ImportedRun&) = delete;
  ImportedRun& operator=(const ImportedRun&) = delete;

  Suite suite;
  std::vector<Cell> cells;              // in plan order
  std::vector<std::size_t> by_variant;  // places in `cells`, variant by variant
  std::vector<std::string> digests;     // by case (CaseDigest); "" where the file tells none
  Report report;
};

struct ImportRow {
  std::string_view name;  // "inspect"
  std::string_view help;  // one line for `assay list importers`
  bool (*is_own)(std::string_view bytes);
  // `name`: what the file is called, for variants that it does not name. kInvalidInput, kCorrupt: what is
  // wrong with it.
  Result<std::shared_ptr<const ImportedRun>> (*read)(std::string_view bytes, std::string_view name);
};
std::span<const ImportRow> ImportTable();

// A folder of answers that nobody has scored: one with params.yaml (docs/infibench.md), or of texts, a file
// each case; or with a folder of texts for each model. kInvalidInput: there are none.
Result<std::shared_ptr<const ImportedRun>> ReadAnswersFolder(FileReader& files, const std::string& folder);

// By its content; kInvalidInput: nobody knows it. `path` is where it came from.
Result<std::shared_ptr<const ImportedRun>> ImportRun(std::string_view bytes, std::string_view path);

Result<std::shared_ptr<const ImportedRun>> ReadInspectLog(std::string_view bytes, std::string_view name);
Result<std::shared_ptr<const ImportedRun>> ReadInspectJson(std::string_view bytes, std::string_view name);
Result<std::shared_ptr<const ImportedRun>> ReadPromptfooResults(std::string_view bytes,
                                                                std::string_view name);
Result<std::shared_ptr<const ImportedRun>> ReadLmEvalSamples(std::string_view bytes, std::string_view name);
Result<std::shared_ptr<const ImportedRun>> ReadOwnLines(std::string_view bytes, std::string_view name);

// Gathers what readers find, in any order.
class ImportBuilder {
 public:
  explicit ImportBuilder(std::string_view dialect);

  Suite& suite() { return run_->suite; }
  // The case of this id; `make` describes it where it is new.
  template <class Make>
  CaseIndex CaseOf(const std::string& id, const Make& make) {
    const auto [found, is_new] = cases_.emplace(id, static_cast<CaseIndex>(run_->suite.cases.size()));
    if (is_new) {
      run_->suite.cases.push_back(make());
      run_->suite.cases.back().id = id;
    }
    return found->second;
  }
  // What the case was, where the file tells it (CaseDigest).
  void SetDigest(CaseIndex index, std::string digest);
  VariantIndex VariantOf(const std::string& id, const std::string& model);
  // An attempt behind those that the pair has. Scores beyond the case's checks are left out.
  void Add(CaseIndex case_index, VariantIndex variant, Cell cell);

  // kInvalidInput: there is nothing in it.
  Result<std::shared_ptr<const ImportedRun>> Finish(std::string_view run_id);

 private:
  std::shared_ptr<ImportedRun> run_ = std::make_shared<ImportedRun>();
  std::map<std::string, CaseIndex> cases_;
  std::map<std::string, VariantIndex> variants_;
};

// What the readers of JSON share.
std::string TextAt(const Value& map, std::string_view key);              // "" if there is no such text
std::optional<double> NumberAt(const Value& map, std::string_view key);  // true is 1
// The turns of a chat, the last of them the model's own; `value` is a text or a list of {role, content}.
std::vector<Turn> TurnsOf(const Value& value);
// What a content of a message says: a text, or the texts of a list of parts.
std::string ContentText(const Value& content);
// One line of JSON after the other. kInvalidInput with the line that is none.
Status ForEachJsonLine(std::string_view bytes, const std::function<Status(const Value&)>& visit);
// A scored cell, or an unscored one where there is no finite number.
Cell CellOfScore(std::optional<double> score);

}  // namespace assay
