// CheckRow: a check, one rule of grading. Each is one file and one row of table.cc; a row either grades at
// once (pure) or is a step that asks (judges, services, programs).
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "spec/run/step.h"
#include "spec/run/worker_state.h"
#include "spec/score/score.h"
#include "spec/suite/outside.h"
#include "spec/suite/suite_rules.h"
#include "text/javascript/regex.h"
#include "text/script/modules.h"
#include "text/value.h"

namespace assay {

struct Case;
struct CaseAsking;
struct Check;
struct Variant;
struct JudgePanel;  // checks/judge/judge.h

// The text that is graded, with the derived forms that several checks share, each made at most once. Borrowed
// text must outlive it; one thread.
class AnswerView {
 public:
  explicit AnswerView(std::string_view text) : text_(text), subject_(text) {}
  std::string_view text() const { return text_; }
  const std::string& js_lower();  // JavaScript toLowerCase
  // Where in the text a range of `js_lower` stands; empty where the two are not alike byte by byte.
  TextRange OfLower(TextRange range);
  RegexSubject& subject() { return subject_; }
  std::size_t js_words();  // words by JavaScript's \s
  // What scripts have taken of limits::kScriptAnswerTime.
  std::chrono::nanoseconds script_time{0};
  // What code of the suite made of the answer before its assertions look at it; nothing: nobody has asked.
  std::optional<Result<Value>> transformed = {};

 private:
  std::string_view text_;
  std::optional<std::string> js_lower_;
  std::optional<std::size_t> js_words_;
  RegexSubject subject_;
};

struct GradeInput {
  AnswerView& answer;
  const Transcript& transcript;
  std::string_view variant_id;
  const Case& the_case;
  ScriptWorld world = {};  // the run's time and seed
  AttemptUse use = {};     // what the answer took; nothing for rows that do not say `reads_use`
  // The whole answer, where `answer` is a part that was extracted.
  std::optional<std::string_view> whole = {};
  const Variant* variant = nullptr;   // who answered; null: nobody of a suite
  const CaseAsking* asked = nullptr;  // what it was asked by name; null: the case's turns
};

// Checked and compiled arguments: whatever the row's `parse` made, immutable, shared by all workers.
using CheckArgs = std::shared_ptr<const void>;

struct ParseInput {
  const Check& check;
  GradingRules grading = {};
  std::span<const Service> services = {};
  std::shared_ptr<const ScriptFiles> scripts = nullptr;  // Suite::scripts; null: it has none
  std::span<const Toolchain> toolchains = {};
  ProgramRules programs = {};
  const Value* answer_schema = nullptr;  // Case::answer_schema of the case; null: it has none
  const Value* row = nullptr;            // Case::row, for checks that name judges; null: it has none
  bool refuses_broken = false;  // what does not compile is an error; else a warning, and one of each answer
};

// What a row that asks knows: all of GradeInput, and whose request it makes.
struct AskInput {
  const GradeInput& grade;
  std::span<const Exchange> so_far;  // the replies to what it has asked for, in order
  RequestTag tag;                    // of its requests
  WorkerState& worker;
  const JudgePanel* panel = nullptr;  // never null for rows that ask judges
};

// How a row that asks does so: judges, services, programs, documents.
struct Asking {
  RequestRole role = RequestRole::kService;  // of its requests: kService, kProgram, kJudge, kTool
  // How many requests one answer needs at most; 0: `grade` alone says it. Null for rows that ask models.
  std::uint32_t (*most_requests)(const CheckArgs& args) = nullptr;
  // The step: Need in as many rounds as it takes, then Done{Score} before inversion.
  Action (*next)(const AskInput& input, const CheckArgs& args) = nullptr;
  // Rows that ask models, in place of `most_requests`: whom one answer may be shown to.
  std::vector<StepParty> (*parties)(const JudgePanel& panel, const CheckArgs& args) = nullptr;
};

struct CheckRow {
  std::string_view name = {};  // canonical name, as written after `$`
  std::span<const std::string_view> aliases = {};
  // What other tools call such a check ("levenshtein"): whoever writes that is asked whether this was meant.
  std::span<const std::string_view> elsewhere = {};
  std::string_view help = {};     // one line for `assay list checks`
  std::string_view example = {};  // YAML, one line
  // Null with an error in `diagnostics` (at the argument's place) if the arguments are no good. In a
  // compatible mode a bad argument is what the original makes of it: mostly an error of each answer, then
  // `parse` succeeds with a warning.
  CheckArgs (*parse)(const ParseInput& input, Diagnostics& diagnostics) = nullptr;
  // The score before inversion, of rows that can say it without asking. Null for rows that always ask.
  Score (*grade)(const GradeInput& input, const CheckArgs& args, WorkerState& worker) = nullptr;
  // Only suites that offer it may name it (Suite::offered_checks): a kind of grading that one format defines.
  bool is_offered = false;
  bool is_own = false;              // no format's own tool knows it: a compatible mode does not, either
  std::optional<Asking> asks = {};  // nothing: it never asks
  bool reads_use = false;           // it looks at GradeInput::use: what the answer took
  bool reads_whole = false;         // the whole answer, whatever a suite extracts from it

  // Whether it grades what a suite extracts from an answer.
  bool ReadsExtracted() const { return !reads_whole && !reads_use && !AsksFor(RequestRole::kJudge); }

  // How many requests one answer needs at most, of rows that ask no model.
  std::uint32_t MostRequests(const CheckArgs& args) const {
    return asks && asks->most_requests != nullptr ? asks->most_requests(args) : 0;
  }
  bool AsksFor(RequestRole role) const { return asks && asks->role == role; }
};

// All rows, in the order of `assay list checks`.
std::span<const CheckRow> CheckTable();
// By name or alias, of those that a suite with these offers may name; null if there is none.
const CheckRow* FindCheck(std::string_view name, const std::vector<std::string>& offered = {});
// The row whose check other tools call so: "levenshtein", "not-equals". Null if there is none.
const CheckRow* CheckNamedElsewhere(std::string_view name);
// Their names and aliases, for suggestions.
std::vector<std::string_view> CheckNames(const std::vector<std::string>& offered = {});

// score -> 1 - score for inverted checks; errors and unscored stay as they are.
Score Invert(Score score);

}  // namespace assay
