// The pieces that every section of the report page is made of, and the sections themselves.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "report/html_writer.h"
#include "report/page_model.h"

namespace assay {

// Scores are shown in percent: "87" in fields, "87.3" in tables. NaN is "NaN".
std::string PercentText(double score, int digits);
// The colour class of a score, "s0" to "s10".
std::string ScoreClass(double score);
// What a field of the map shows, as `class=… >text`.
std::string FieldMarkup(std::optional<double> mean, bool any_error, bool any_unscored);
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
// The first strong, the second soft.
void WriteVariantName(HtmlWriter& page, const Variant& variant);
// A citation as people wrote it: text, or {title|name, url}. Web addresses become links.
void WriteCitation(HtmlWriter& page, const Value& citation);

// The sections, in the page's order.
void WriteHeader(HtmlWriter& page, const PageModel& model);
void WriteTools(HtmlWriter& page, const PageModel& model);
void WriteClosing(HtmlWriter& page, const PageModel& model);
void WriteRanking(HtmlWriter& page, const PageModel& model);
void WriteSystems(HtmlWriter& page, const PageModel& model);
void WriteMap(HtmlWriter& page, const PageModel& model);
// The tables that the dialect itself made of the run (Report::suite_values, "tables").
void WriteSuiteTables(HtmlWriter& page, const PageModel& model);
void WriteFaults(HtmlWriter& page, const PageModel& model);
void WriteJudges(HtmlWriter& page, const PageModel& model);
Status WriteCases(HtmlWriter& page, const PageModel& model);
void WriteFooter(HtmlWriter& page, const PageModel& model);
// What a check of several items (keywords, blanks, tests, metrics) found, each with its points; false, and
// nothing written, if the check is none.
bool WriteFindings(HtmlWriter& page, const TextLimits& limits, const Check& check, const Score& score);
// One answer with its points, inside a case.
void WriteAnswer(HtmlWriter& page, const PageModel& model, const Pair& pair);

}  // namespace assay
