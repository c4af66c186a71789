// The pieces that every section of the report page is made of, and the sections themselves.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/html_writer.h"
#include "report/page_model.h"

namespace assay {

// Scores are shown in percent: "87" in fields, "87.3" in tables. NaN is "NaN".
std::string PercentText(double score, int digits);
// The colour class of a score, "s0" to "s10".
std::string ScoreClass(double score);
// What a field of the map shows, as `class=… >text`.
std::string FieldMarkup(std::optional<double> mean, bool any_error, bool any_unscored);
// <span class="chip …">…</span>
std::string PairChip(const Pair& pair);
std::string ScoreChip(const Score& score, std::optional<double> mean);

// "openai:gpt-4o" strong, its suffixes soft.
void WriteVariantName(HtmlWriter& page, const Variant& variant);
// A citation as people wrote it: text, or {title|name, url}. Web addresses become links.
void WriteCitation(HtmlWriter& page, const Value& citation);

// The sections, in the page's order.
void WriteHeader(HtmlWriter& page, const PageModel& model);
void WriteRanking(HtmlWriter& page, const PageModel& model);
void WriteMap(HtmlWriter& page, const PageModel& model);
Status WriteCases(HtmlWriter& page, const PageModel& model);
void WriteFooter(HtmlWriter& page, const PageModel& model);
// One answer with its points, inside a case.
void WriteAnswer(HtmlWriter& page, const PageModel& model, const Pair& pair);

}  // namespace assay
