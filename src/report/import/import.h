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
#include "base/files/byte_source.h"
#include "base/files/file_reader.h"
#include "base/hash.h"
#include "report/import/budget.h"
#include "report/import/limits.h"
#include "spec/report/report.h"
#include "spec/suite/suite.h"

namespace assay {

// A file of results, which is read piece by piece.
using SharedBytes = std::shared_ptr<const ByteSource>;

// What a person should know of a file before reading its numbers.
struct ImportRemark {
  bool is_warning = false;
  std::string text;
};

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
  std::vector<ImportRemark> remarks;
  std::vector<std::string> parts;  // what ImportAsk::part may name here
  bool is_part = false;            // ImportAsk::part chose what is read; else it means something else
  bool has_answers = true;         // false: the file holds scores alone
};

// Which file is read, and which part of it.
struct ImportAsk {
  std::string_view name;       // of the file, for variants that it does not name
  std::string_view part = {};  // of FILE#PART; "": whatever comes first
};

struct ImportRow {
  std::string_view name;                  // "inspect"
  std::string_view help;                  // one line for `assay list importers`
  bool (*is_own)(std::string_view head);  // the file's first limits::kImportedHeadBytes
  // kInvalidInput, kCorrupt: what is wrong with the file. kLimit: it takes too much memory.
  Result<std::shared_ptr<const ImportedRun>> (*read)(const SharedBytes& bytes, const ImportAsk& ask);
};
std::span<const ImportRow> ImportTable();

// A folder of answers that nobody has scored: one with params.yaml (docs/infibench.md), or of texts, a file
// each case; or with a folder of texts for each model. kInvalidInput: there are none.
Result<std::shared_ptr<const ImportedRun>> ReadAnswersFolder(FileReader& files, const std::string& folder);

// The reader of a file that begins with these bytes; null: nobody knows it.
const ImportRow* FindImport(std::string_view head);
// By its first bytes; kInvalidInput: nobody knows it. The ask's name is the path that it came from.
Result<std::shared_ptr<const ImportedRun>> ImportRun(const SharedBytes& bytes, const ImportAsk& ask);
// The same of bytes in memory, which stay with the caller.
Result<std::shared_ptr<const ImportedRun>> ImportRun(std::string_view bytes, const ImportAsk& ask);

Result<std::shared_ptr<const ImportedRun>> ReadInspectLog(const SharedBytes& bytes, const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadInspectJson(const SharedBytes& bytes, const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadPromptfooResults(const SharedBytes& bytes,
                                                                const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadLmEvalSamples(const SharedBytes& bytes, const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadOwnLines(const SharedBytes& bytes, const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadComparison(const SharedBytes& bytes, const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadResearchRows(const SharedBytes& bytes, const ImportAsk& ask);
Result<std::shared_ptr<const ImportedRun>> ReadInfibenchFile(const SharedBytes& bytes, const ImportAsk& ask);

// The files of rows in the folder of a research session, or of one of its runs; none if it is no such folder.
std::vector<std::string> ResearchRowFiles(FileReader& files, const std::string& folder);
Result<std::shared_ptr<const ImportedRun>> ReadResearchFolder(FileReader& files, const std::string& folder,
                                                              const std::vector<std::string>& paths);

// What a reader knows of the case of a row.
struct RowIdentity {
  std::string label;        // what people call it: the id, as long as no other case is called so
  std::string detail = {};  // what tells it from others of its label, for people
  std::string asked = {};   // all that was asked: rows of one label that differ here are several cases
};

// Gathers what readers find, in any order.
class ImportBuilder {
 public:
  explicit ImportBuilder(std::string_view dialect, ImportBudget budget = {});

  ImportBudget& budget() { return budget_; }
  Suite& suite() { return run_->suite; }
  // The case of this row; `make` describes it where it is new. It gets its id in Finish.
  template <class Make>
  CaseIndex CaseOf(RowIdentity row, const Make& make) {
    const auto [found, is_new] = cases_.emplace(DigestOf(row), static_cast<CaseIndex>(names_.size()));
    if (is_new) {
      run_->suite.cases.push_back(make());
      names_.push_back(
          {.label = std::move(row.label), .detail = std::move(row.detail), .digest = found->first});
    }
    return found->second;
  }
  // What the case was, where the file tells it (CaseDigest).
  void SetDigest(CaseIndex index, std::string digest);
  VariantIndex VariantOf(const std::string& id, const std::string& model);
  // An attempt behind those that the pair has. Scores beyond the case's checks are left out. kLimit: the
  // budget is used up.
  Status Add(CaseIndex case_index, VariantIndex variant, Cell cell);
  void Remark(ImportRemark remark) { run_->remarks.push_back(std::move(remark)); }
  void SetParts(std::vector<std::string> parts, bool is_part) {
    run_->parts = std::move(parts);
    run_->is_part = is_part;
  }
  void LacksAnswers() { run_->has_answers = false; }

  // kInvalidInput: there is nothing in it.
  Result<std::shared_ptr<const ImportedRun>> Finish(std::string_view run_id);

 private:
  struct CaseName {
    std::string label;
    std::string detail;
    Digest digest;
  };
  static Digest DigestOf(const RowIdentity& row);
  std::uint64_t BytesOfNewRows();
  void NameCases();
  void RemarkOnScores();

  ImportBudget budget_;
  std::size_t known_cases_ = 0;  // by the budget
  std::size_t known_variants_ = 0;
  std::shared_ptr<ImportedRun> run_ = std::make_shared<ImportedRun>();
  std::map<Digest, CaseIndex> cases_;
  std::vector<CaseName> names_;  // by case
  std::map<std::string, VariantIndex> variants_;
};

// What the readers of JSON share.
std::string TextAt(const Value& map, std::string_view key);              // "" if there is no such text
std::optional<double> NumberAt(const Value& map, std::string_view key);  // true is 1
// The turns of a chat, the last of them the model's own; `value` is a text or a list of {role, content}.
std::vector<Turn> TurnsOf(const Value& value);
// What a content of a message says: a text, or the texts of a list of parts.
std::string ContentText(const Value& content);
// What the turns before the answer say, for RowIdentity::asked.
std::string AskedText(const std::vector<Turn>& turns);
// The start of a text, on one line, as the label of a case that nobody named.
std::string LabelOfText(std::string_view text);
// One line of JSON after the other. kInvalidInput with the line that is none; kLimit: a line takes more than
// the budget has.
Status ForEachJsonLine(const ByteSource& bytes, ImportBudget& budget,
                       const std::function<Status(const Value&)>& visit);
// All of a file, if the budget has it.
Result<std::string> WholeText(const ByteSource& bytes, ImportBudget& budget);
// A JSON text as a tree, if the budget has it.
Result<Value> ParseWithin(std::string_view json, ImportBudget& budget);
// A scored cell, or an unscored one where there is no finite number.
Cell CellOfScore(std::optional<double> score);

}  // namespace assay
