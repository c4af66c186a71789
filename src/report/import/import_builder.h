// ImportBuilder, which every reader of result files fills, and what the readers of JSON share.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors/result.h"
#include "base/files/byte_source.h"
#include "base/hash.h"
#include "report/import/budget.h"
#include "report/import/imported_run.h"

namespace assay {

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
std::optional<double> ScoreAt(const Value& map, std::string_view key);  // a number; true is 1
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
