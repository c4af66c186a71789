// Writes the report page's head, ranking, map and foot.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/text/utf8.h"
#include "report/aggregate.h"
#include "report/fold/cell_counts.h"
#include "report/page/html/html_text.h"
#include "report/page/parts.h"
#include "text/javascript/number.h"

namespace assay {
namespace {

constexpr std::size_t kDescriptionBytesMax = 8'000;
constexpr std::size_t kSystemBytesInFilter = 40;
constexpr std::size_t kReferencesShown = 50;
constexpr std::size_t kMapColumnsMax = 60;
constexpr std::size_t kWideColumnsMax = 7;  // so few that names need no turning

// "2026-11-21 20:40 UTC"
std::string DateText(std::int64_t ms) {
  std::string text = JsIsoDate(ms);
  if (text.size() < 16) return text;
  text.resize(16);
  std::replace(text.begin(), text.end(), 'T', ' ');
  return text + " UTC";
}

void WriteFact(HtmlWriter& page, std::string_view name, std::string_view value, std::string_view note) {
  page.Raw("<div><dt>").Text(name).Raw("<dd>").Text(value);
  if (!note.empty()) page.Raw(" <small>").Text(note).Raw("</small>");
  page.Raw("</div>");
}

void WriteUsage(HtmlWriter& page, std::string_view name, const Usage& usage) {
  if (!usage.known) return;
  const auto in = static_cast<std::uint64_t>(std::max<std::int64_t>(usage.input_tokens, 0));
  const auto out = static_cast<std::uint64_t>(std::max<std::int64_t>(usage.output_tokens, 0));
  WriteFact(page, name, GroupDigits(in + out),
            fmt::format("{} in, {} out", GroupDigits(in), GroupDigits(out)));
}

std::string Histogram(const std::vector<std::uint8_t>& classes) {
  std::string svg = "<svg class=spark width=62 height=18 viewBox=\"0 0 62 18\" aria-hidden=true>";
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] == 0) continue;
    const int height = std::max(1, classes[i] * 17 / 100);
    svg += fmt::format("<rect x={} y={} width=5 height={} />", 1 + i * 6, 18 - height, height);
  }
  return svg + "</svg>";
}

// "0.78 to 0.91"
std::string IntervalText(const MeanEstimate& estimate) {
  if (!estimate.interval) return "–";
  return fmt::format("{} to {}", ScoreText(estimate.interval->low, kTableDigits),
                     ScoreText(estimate.interval->high, kTableDigits));
}

void WriteRankingRow(HtmlWriter& page, const PageModel& model, std::uint32_t rank, const CellCounts& total) {
  const VariantIndex index = model.by_rank[rank];
  const Variant& variant = model.suite->variants[index];
  const VariantSummary summary =
      index < model.report->variants.size() ? model.report->variants[index] : VariantSummary{};
  const std::vector<RankPlace>& places = model.statistics->standings.ranking.places;
  const RankPlace* place = rank < places.size() ? &places[rank] : nullptr;
  page.Raw(fmt::format("<tr data-v={} data-t={} data-s={} data-name=\"", rank,
                       model.temperatures.value_of[index], model.systems.value_of[index]));
  page.Attribute(variant.id);
  page.Raw(fmt::format("\"><td class=n data-k={}>{}<td class=name data-k=\"", rank,
                       place == nullptr ? "–" : std::to_string(place->rank)))
      .Attribute(variant.id)
      .Raw("\">");
  WriteVariantName(page, model, index);
  if (place != nullptr && place->estimate.mean) {
    const double mean = *place->estimate.mean;
    page.Raw(
        fmt::format("<td data-k={}><div class=mean>{}<span class=bar><i style=\"width:{:.1f}%\"></i></span>"
                    "</div><td class=\"n opt\">{}",
                    mean, ScoreText(mean, kTableDigits), std::clamp(mean, 0.0, 1.0) * 100,
                    IntervalText(place->estimate)));
  } else {
    page.Raw("<td data-k=-1>no score<td class=\"n opt\">–");
  }
  page.Raw(fmt::format("<td class=\"n opt\">{}", summary.sd ? ScoreText(*summary.sd, kTableDigits) : "–"));
  page.Raw("<td class=opt data-k=0>" + Histogram(model.histograms[rank]));
  page.Raw(fmt::format("<td class=n>{}", GroupDigits(summary.scored)));
  const std::string_view fault = summary.errors > 0 ? " fault" : "";
  page.Raw(fmt::format("<td class=\"n{}\">{}", fault, GroupDigits(summary.errors)));
  if (total.unscored > 0) page.Raw(fmt::format("<td class=n>{}", GroupDigits(summary.unscored)));
  if (total.partial > 0) page.Raw(fmt::format("<td class=n>{}", GroupDigits(summary.partial)));
  if (total.skipped > 0) page.Raw(fmt::format("<td class=n>{}", GroupDigits(summary.skipped)));
  page.Raw("\n");
}

// What all names start with, up to a ':' or '/': it tells nothing and takes the room of what does.
std::size_t CommonPrefix(const Suite& suite) {
  if (suite.variants.size() < 2) return 0;
  std::string_view common = suite.variants.front().id;
  for (const Variant& variant : suite.variants) {
    const auto [end, other] =
        std::mismatch(common.begin(), common.end(), variant.id.begin(), variant.id.end());
    common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
  }
  const std::size_t last = common.find_last_of(":/");
  return last == std::string_view::npos ? 0 : last + 1;
}

void WriteMapHead(HtmlWriter& page, const PageModel& model, std::size_t columns) {
  page.Raw("<thead><tr><td>");
  const std::size_t common = CommonPrefix(*model.suite);
  for (std::size_t rank = 0; rank < columns; ++rank) {
    const Variant& variant = model.suite->variants[model.by_rank[rank]];
    const auto [base, suffix] = SplitVariantName(variant);
    page.Raw("<th scope=col title=\"").Attribute(variant.id).Raw("\"><span>");
    page.CutText(base.substr(std::min(common, base.size())), kNameBytesMax)
        .Raw(suffix.empty() ? "" : "<br>")
        .CutText(suffix.empty() ? suffix : ParametersOf(model, model.by_rank[rank]), kNameBytesMax)
        .Raw("</span>");
  }
  page.Raw("<th scope=col class=m><span>mean</span></thead>");
}

void WriteMapRow(HtmlWriter& page, const PageModel& model, const MapRow& row, std::size_t columns) {
  const Case& first = model.suite->cases[row.first];
  page.Raw(fmt::format("<tr data-case={} data-mean={:.4f}><th scope=row>", row.first, row.mean.value_or(2)));
  if (row.first == row.last) {
    page.Raw(fmt::format("<a href=#c{}>", row.first)).CutText(first.id, kNameBytesMax).Raw("</a>");
  } else {
    page.Raw(fmt::format("{}–{} ", row.first + 1, row.last + 1)).CutText(first.id, kNameBytesMax).Raw(" …");
  }
  for (std::size_t rank = 0; rank < columns; ++rank) {
    const MapField& field = row.fields[rank];
    page.Raw("<td").Raw(FieldMarkup({.mean = field.mean(),
                                     .any_error = field.errors > 0,
                                     .any_partial = field.partial > 0,
                                     .any_unscored = field.unscored > 0}));
  }
  page.Raw(fmt::format("<td class=m>{}\n", row.mean ? ScoreText(*row.mean, kFieldDigits) : "–"));
}

void WriteLegend(HtmlWriter& page) {
  page.Raw("<div class=legend><span>0<span class=ramp>");
  for (int i = 0; i <= 10; ++i) page.Raw(fmt::format("<i class=s{}></i>", i));
  page.Raw(
      "</span>1</span><span><span class=\"box e\">err</span>no answer, or no check could be "
      "evaluated</span>"
      "<span><span class=\"box p\">◐</span>graded in part: a point has no verdict</span>"
      "<span><span class=\"box u\">–</span>nothing to score</span></div>");
}

void WriteDefinition(HtmlWriter& page, std::string_view name, std::string_view text) {
  if (!text.empty()) page.Raw("<dt>").Text(name).Raw("<dd>").Text(text);
}

// Who wrote the suite, and what it rests on.
void WriteSources(HtmlWriter& page, const Suite& suite) {
  if (!suite.author.is_nullish()) {
    page.Raw("<p class=meta>by ");
    WriteCitation(page, suite.author);
    page.Raw("</p>");
  }
  if (!suite.references.is_list()) return;
  const List& references = suite.references.AsList();
  page.Raw("<ul class=refs>");
  for (std::size_t i = 0; i < std::min(references.size(), kReferencesShown); ++i) {
    page.Raw("<li>");
    WriteCitation(page, references[i]);
  }
  page.Raw("</ul>");
}

// A filter by one axis, if the variants differ in it.
void WriteChoice(HtmlWriter& page, std::string_view name, std::string_view label, const VariantAxis& axis) {
  if (!axis.several()) return;
  page.Raw(fmt::format("<select data-axis={} aria-label=\"Filter by {}\"><option value=\"\">any {}", name,
                       label, label));
  const bool is_system = name == "s";
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    page.Raw(fmt::format("<option value={}>{}", i, is_system ? fmt::format("{}: ", i) : std::string()));
    if (axis.values[i].empty()) {
      page.Raw("none");
    } else {
      page.Text(CutToBytes(axis.values[i], kSystemBytesInFilter));
      if (axis.values[i].size() > kSystemBytesInFilter) page.Raw("…");
    }
  }
  page.Raw("</select>");
}

}  // namespace

void WriteHeader(HtmlWriter& page, const PageModel& model) {
  const Suite& suite = *model.suite;
  const Report& report = *model.report;
  page.Raw("<header class=top><p class=eyebrow>assay report · ").Text(suite.dialect).Raw(" · ");
  page.Text(DateText(report.run.started_ms))
      .Raw("</p><h1>")
      .Text(suite.title.empty() ? suite.id : suite.title);
  page.Raw("</h1>");
  if (!suite.description.empty()) {
    page.Raw("<div class=lede>").Markdown(suite.description, kDescriptionBytesMax).Raw("</div>");
  }
  WriteSources(page, suite);
  if (!suite.tags.empty()) {
    page.Raw("<p class=tags>");
    for (const std::string& tag : suite.tags) page.Raw("<span>").CutText(tag, kNameBytesMax).Raw("</span> ");
    page.Raw("</p>");
  }
  const CellCounts total = CountCells(report);
  page.Raw("<dl class=facts>");
  WriteFact(page, "Cases", GroupDigits(suite.cases.size()), "");
  WriteFact(page, "Variants", GroupDigits(suite.variants.size()), "");
  if (suite.attempts > 1) WriteFact(page, "Attempts each", GroupDigits(suite.attempts), "");
  WriteFact(page, "Scored", GroupDigits(total.scored),
            fmt::format("of {} {}", GroupDigits(total.cells), total.cells == 1 ? "answer" : "answers"));
  if (total.errors > 0) WriteFact(page, "Errors", GroupDigits(total.errors), "not counted in any mean");
  if (total.partial > 0) WriteFact(page, "Graded in part", GroupDigits(total.partial), "in no mean");
  if (total.unscored > 0) WriteFact(page, "Unscored", GroupDigits(total.unscored), "");
  if (total.skipped > 0) WriteFact(page, "Skipped", GroupDigits(total.skipped), "");
  if (const std::uint64_t foreign = report.totals.foreign_replies; foreign > 0)
    WriteFact(page, "Made elsewhere", GroupDigits(foreign),
              foreign == 1 ? "reply that this user did not make" : "replies that this user did not make");
  WriteUsage(page, "Tokens", report.totals.usage.OfAnswers());
  WriteUsage(page, "Judge tokens", report.totals.usage.OfJudging());
  WriteUsage(page, "Embedding tokens", report.totals.usage.Of({RequestRole::kEmbedding}));
  page.Raw("</dl></header>\n");
}

// What works only with the page's script; without it all of this is hidden.
void WriteTools(HtmlWriter& page, const PageModel& model) {
  page.Raw(
      "<div class=tools role=search><input id=find-variants type=search placeholder=\"Filter variants\" "
      "aria-label=\"Filter variants\"><input id=find-cases type=search placeholder=\"Filter cases\" "
      "aria-label=\"Filter cases\">");
  WriteChoice(page, "t", "temperature", model.temperatures);
  WriteChoice(page, "s", "system prompt", model.systems);
  page.Raw(
      "<button id=hardest type=button aria-pressed=false>Hardest first</button>"
      "<button id=open-all type=button aria-pressed=false>Open all</button></div>\n");
}

void WriteRanking(HtmlWriter& page, const PageModel& model) {
  const CellCounts total = CountCells(*model.report);
  page.Raw("<section><h2>Ranking</h2><p class=verdict>").Text(model.statistics->standings.verdict());
  page.Raw(
      "</p><p>Mean score of each variant over the cases that could be scored, from 0 to 1, and the range in "
      "which it lies with 95 % certainty. Variants of equal rank cannot be told apart."
      "</p><div class=scroll><table class=rank><thead><tr><th scope=col class=n>#<th scope=col>Variant<th "
      "scope=col>Mean<th scope=col class=\"n opt\">95 %<th scope=col class=\"n opt\">Spread<th scope=col "
      "class=opt>Cases by score<th scope=col "
      "class=n>Scored<th scope=col class=n>Errors");
  if (total.unscored > 0) page.Raw("<th scope=col class=n>Unscored");
  if (total.partial > 0) page.Raw("<th scope=col class=n>◐ In part");
  if (total.skipped > 0) page.Raw("<th scope=col class=n>Skipped");
  page.Raw("</thead><tbody>\n");
  for (std::uint32_t rank = 0; rank < model.by_rank.size(); ++rank) WriteRankingRow(page, model, rank, total);
  page.Raw("</tbody></table></div>");
  for (const FactorEffect& effect : model.factors) {
    page.Raw("<p>").Text(effect.sentence);
    page.Raw(fmt::format(" <small>Over {} {} of variants.</small></p>", GroupDigits(effect.pairs),
                         effect.pairs == 1 ? "pair" : "pairs"));
  }
  page.Raw("</section>\n");
}

void WriteMap(HtmlWriter& page, const PageModel& model) {
  const std::size_t columns = std::min(model.by_rank.size(), kMapColumnsMax);
  page.Raw("<section><h2>Cases × variants</h2><p>");
  page.Raw(
      model.large
          ? "Each row is a group of cases in suite order, each field the mean of its scores."
          : "Each field is one score from 0 to 1<span class=js>; a click opens the answer behind it</span>.");
  if (columns < model.by_rank.size()) page.Raw(fmt::format(" The best {} variants are drawn.", columns));
  page.Raw("</p>");
  WriteLegend(page);
  page.Raw("<div class=\"scroll tall\" role=region tabindex=0 aria-label=\"Cases and variants\">");
  page.Raw("<table class=\"map").Raw(model.large ? "" : " cells");
  page.Raw(columns <= kWideColumnsMax ? " wide\">" : "\">");
  WriteMapHead(page, model, columns);
  page.Raw("<tbody>\n");
  for (const MapRow& row : model.rows) WriteMapRow(page, model, row, columns);
  page.Raw("</tbody></table></div></section>\n");
}

void WriteFooter(HtmlWriter& page, const PageModel& model) {
  const Suite& suite = *model.suite;
  const RunContext& run = model.report->run;
  page.Raw("<footer><dl>");
  if (const AggregationRow* row = FindAggregation(suite.aggregation.formula))
    WriteDefinition(page, "Score", row->help);
  std::string judges;
  for (const Judge& judge : suite.judges) judges += (judges.empty() ? "" : ", ") + judge.label;
  WriteDefinition(page, "Judges", judges);
  WriteDefinition(page, "Run", run.run_id);
  WriteDefinition(page, "Label", run.run_label);
  const RunTotals& totals = model.report->totals;
  WriteDefinition(page, "Requests",
                  fmt::format("{} used, {} asked for by this run, {} failed", GroupDigits(totals.requests),
                              GroupDigits(totals.requests_sent), GroupDigits(totals.request_errors)));
  for (const SourceFile& file : suite.files) {
    WriteDefinition(page, "File", file.path + (file.sha256.empty() ? "" : "  sha256 " + file.sha256));
  }
  WriteDefinition(page, "Made by", "assay " + run.assay_version);
  page.Raw("</dl></footer>\n");
}

}  // namespace assay
