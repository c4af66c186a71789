// The building blocks of the report page (scores, chips, names), and the functions that write its sections.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "report/page/html/html_writer.h"
#include "report/page/model.h"

namespace assay {

// Scores are shown as everywhere, from 0 to 1: "0.87" in fields, "0.873" in tables. NaN is "NaN".
std::string ScoreText(double score, int digits);
inline constexpr int kFieldDigits = 2;
inline constexpr int kTableDigits = 3;
// The colour class of a score, "s0" to "s10".
std::string ScoreClass(double score);
// What a field of the map shows, as `class=… >text`; the rest is looked at where there is no mean, but for
// the mark of what is graded in part.
struct FieldState {
  std::optional<double> mean = {};
  bool any_error = false;
  bool any_partial = false;
  bool any_unscored = false;
};
std::string FieldMarkup(const FieldState& state);
// <i class=s9>87</i> and its kin.
std::string PairMark(const Pair& pair);
// <span class="chip …">…</span>
std::string ScoreChip(const Score& score, std::optional<double> mean);

// Which child of a node of alternatives counts for a pair: the first of those with the highest weighted mean
// of their points, and that mean; nothing if no point has a score.
struct BestPath {
  std::size_t child = 0;
  double mean = 0;
};
std::optional<BestPath> BestPathOf(const CheckNode& any, const Case& the_case, const Pair& pair);
// The weighted mean of the points below a node.
std::optional<double> MeanOfPath(const CheckNode& path, const Case& the_case, const Pair& pair);

inline constexpr std::size_t kNameBytesMax = 60;  // of a case or a variant where room is scarce

// "openai:gpt-4o" and its suffixes "[temp:0]"; the whole id and "" if it has no known parts.
std::pair<std::string_view, std::string_view> SplitVariantName(const Variant& variant);
// What stands for the suffixes: the parameters that vary, in words; the suffixes where none is known.
std::string_view ParametersOf(const PageModel& model, VariantIndex index);
// The first strong, the parameters soft.
void WriteVariantName(HtmlWriter& page, const PageModel& model, VariantIndex index);
// A citation as people wrote it: text, or {title|name, url}. Web addresses become links.
void WriteCitation(HtmlWriter& page, const Value& citation);

// The sections, in the page's order.
void WriteHeader(HtmlWriter& page, const PageModel& model);
void WriteTools(HtmlWriter& page, const PageModel& model);
void WriteClosing(HtmlWriter& page, const PageModel& model);
void WriteRanking(HtmlWriter& page, const PageModel& model);
void WriteSystems(HtmlWriter& page, const PageModel& model);
void WriteMap(HtmlWriter& page, const PageModel& model);
// The tables that the dialect itself made of the run (Report::tables).
void WriteSuiteTables(HtmlWriter& page, const PageModel& model);
void WriteFaults(HtmlWriter& page, const PageModel& model);
void WriteJudges(HtmlWriter& page, const PageModel& model);
Status WriteCases(HtmlWriter& page, const PageModel& model);
void WriteFooter(HtmlWriter& page, const PageModel& model);
// The items of a score, each with its points; false, and nothing written, if it has none.
bool WriteFindings(HtmlWriter& page, const TextLimits& limits, const Check& check, const Score& score);
// What a system under test tells of its turn, beside its answer; nothing of a bare model.
void WriteTurnFacts(HtmlWriter& page, const PageModel& model, const Pair& pair);
// All attempts of a pair that the page shows, inside a case: each answer with its points. Without any in
// `attempts` the pair was asked once and stands for itself.
struct NumberedAttempt {
  AttemptIndex attempt = 0;
  Pair alone;
};
void WriteAnswer(HtmlWriter& page, const PageModel& model, const Pair& pair,
                 const std::vector<NumberedAttempt>& attempts);

}  // namespace assay
