// Helpers that the exporters share: which cells are written, and reasons, messages and texts of a cell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/export.h"
#include "report/fold/cell_counts.h"
#include "text/value.h"

namespace assay {

// Bytes gathered before they are written.
inline constexpr std::size_t kExportPieceBytes = 64u << 10;

// Lines that go to the sink by pieces.
class PieceWriter {
 public:
  explicit PieceWriter(Sink& sink) : sink_(sink) {}
  std::string& out() { return out_; }
  // After a line, without its line end.
  Status EndLine();
  Status Finish();

 private:
  Sink& sink_;
  std::string out_;
};

// The cells that are asked for.
CellRange CellsOf(const ExportAsk& ask, CellRange::Order order = CellRange::Order::kByCase);
// The variants that are asked for, in suite order.
std::vector<VariantIndex> VariantsOf(const Report& report, const ExportAsk& ask);

bool IsPassed(const Suite& suite, const Cell& cell, const PassRule& pass);
// Whether nobody asked for it because the run's questions were decided.
bool IsLeftByDecision(const Report& report, const Cell& cell);
inline constexpr std::string_view kDecided = "decided";  // why such a cell is skipped
// Why a cell is what it is, in a line: its error, else the first point that it misses; "" if there is none.
std::string WhyOf(const Suite& suite, const Cell& cell);
// The user's and the fixed turns of a case: [{role, content}].
std::string CompactJson(const Value& value);  // on one line
Value MessagesValue(const std::vector<Message>& messages);
std::vector<Message> FixedTurns(const Case& the_case);

// By variant the parameters of its requests in JSON: {"temperature":0.7,"seed":"1"}; "{}" where it sets none.
std::vector<std::string> ParametersTexts(const Suite& suite);

// What an answer took.
struct AnswerTook {
  CaseIndex case_index = 0;
  VariantIndex variant = 0;
  AttemptIndex attempt = 0;
  bool has_tokens = false;
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::optional<double> seconds = {};  // absent: nobody measured
  std::optional<double> usd = {};      // absent: some price is not known
};

// The same of all answers of a report, small, since a run may have a million; nothing of cells whose answers
// needed no request, and of files.
class AnswerUses {
 public:
  static Result<AnswerUses> Of(const Report& report, const ExportAsk& ask);
  const AnswerTook* Find(const Cell& cell) const;  // null: nobody knows

 private:
  std::vector<AnswerTook> took_;  // by case, variant and attempt
};

// "2026-11-22T18:50:12+00:00"
std::string IsoText(std::int64_t ms);
// All attempts of one variant at one case, as they stream by.
struct CellGroup {
  CaseIndex case_index = 0;
  VariantIndex variant = 0;
  std::vector<Cell> attempts;  // at least one
};
// In the order of variants.
Status ForEachGroup(const Report& report, const ExportAsk& ask, CellParts parts,
                    const std::function<Status(const CellGroup&)>& visit);

// What a group is for those who count tests: kScored stands for passed or failed.
struct GroupVerdict {
  CellState state = CellState::kSkipped;
  double mean = 0;         // kScored
  bool is_passed = false;  // enough of its scored attempts pass (PassRule)
  std::size_t passed = 0;  // attempts that do
  std::size_t scored = 0;  // attempts
};
// Scored if any attempt is; else an error if any is an error or partial; else unscored or skipped.
GroupVerdict VerdictOfGroup(const Suite& suite, const CellGroup& group, const PassRule& pass);
// "33 points, expected 50 or more"; of several attempts "1 of 3 attempts passed with 50 points or more,
// expected at least half; …".
std::string ShortfallText(const Suite& suite, const CellGroup& group, const GroupVerdict& verdict,
                          const PassRule& pass);

}  // namespace assay
