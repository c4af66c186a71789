// The tables that compare the profiles of a session (pass rates, times, tools, cases on which they differ),
// for the report page and the terminal; asky itself has none of these.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text/utf8.h"
#include "dialects/research/research.h"
#include "dialects/research/write/session_cells.h"
#include "spec/report/profile_names.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::size_t kDifferencesShown = 20;
constexpr std::size_t kToolsShown = 4;
constexpr std::size_t kColumnBytesMax = 60;
constexpr double kTail = 0.95;

using research::Mark;
using research::ProfileFigures;

std::string Ms(double ms) { return fmt::format("{:.0f}", ms); }

std::string MedianOf(const std::vector<double>& sorted) {
  if (sorted.empty()) return "–";
  const std::size_t half = sorted.size() / 2;
  return Ms(sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2);
}

// The least time within which so many turns were through.
std::string TailOf(const std::vector<double>& sorted) {
  if (sorted.empty()) return "–";
  const auto rank = static_cast<std::size_t>(std::ceil(kTail * static_cast<double>(sorted.size())));
  return Ms(sorted[std::max<std::size_t>(rank, 1) - 1]);
}

std::string ToolMix(const std::map<std::string, std::uint64_t>& calls) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(calls.begin(), calls.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(sorted.size(), kToolsShown); ++i)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", sorted[i].first, sorted[i].second);
  if (sorted.size() > kToolsShown) text += fmt::format(", {} more", sorted.size() - kToolsShown);
  return text.empty() ? "–" : text;
}

// Of the role that answers; "–" where a price is not known.
std::string CostText(const ProfileFigures& figures, const Variant& variant, const CostOfAnswer& cost) {
  if (figures.used.input_tokens + figures.used.output_tokens == 0) return "–";
  double usd = 0;
  for (const Usage& usage : figures.answering) {
    const std::optional<double> of_turn = cost(variant, usage);
    if (!of_turn) return "–";
    usd += *of_turn;
  }
  return fmt::format("${:.4f}", usd);
}

// Errors are in no rate, and it is rounded as in the ranking: one profile shows one rate.
ReportTable ProfileTable(const Suite& suite, std::span<const ProfileFigures> all, const CostOfAnswer& cost) {
  ReportTable table{.title = "Profiles",
                    .head = {"profile", "passed of scored", "rate", "errors", "median ms", "p95 ms",
                             "tokens in", "tokens out", "cost", "tools"},
                    .rows = {}};
  const std::vector<std::string> names = ProfileNames(suite);
  for (std::size_t v = 0; v < all.size(); ++v) {
    const ProfileFigures& figures = all[v];
    const std::uint64_t scored = figures.rows - figures.errors;
    const double rate =
        static_cast<double>(figures.passed) / static_cast<double>(std::max<std::uint64_t>(scored, 1));
    std::vector<std::string> row = {
        names[v], fmt::format("{}/{}", figures.passed, scored),
        scored == 0 ? std::string("–") : fmt::format("{:.0f} %", std::floor(100 * rate + 0.5))};
    std::vector<double> turns_ms = figures.turns_ms;
    std::sort(turns_ms.begin(), turns_ms.end());
    row.insert(row.end(),
               {fmt::format("{}", figures.errors), MedianOf(turns_ms), TailOf(turns_ms),
                fmt::format("{}", figures.used.input_tokens), fmt::format("{}", figures.used.output_tokens),
                CostText(figures, suite.variants[v], cost), ToolMix(figures.calls)});
    table.rows.push_back(std::move(row));
  }
  const bool has_errors =
      std::any_of(all.begin(), all.end(), [](const ProfileFigures& each) { return each.errors > 0; });
  if (has_errors)
    table.title += " (errors are in no rate; report.md, as in the original, counts them as failed)";
  return table;
}

std::string_view MarkText(Mark mark) {
  switch (mark) {
    case Mark::kPass:
      return "pass";
    case Mark::kFail:
      return "fail";
    case Mark::kError:
      return "error";
    case Mark::kNone:
      break;
  }
  return "–";
}

// Those that one profile passes and another does not.
ReportTable DifferenceTable(const Suite& suite, std::span<const ProfileFigures> all) {
  ReportTable table{.title = "Cases on which profiles differ", .head = {"case"}, .rows = {}};
  for (std::string& name : ProfileNames(suite)) table.head.push_back(std::move(name));
  std::size_t unshown = 0;
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    const auto index = static_cast<CaseIndex>(i);
    const Mark first = all.front().MarkOf(index);
    const bool differs = std::any_of(all.begin(), all.end(),
                                     [&](const ProfileFigures& each) { return each.MarkOf(index) != first; });
    if (!differs) continue;
    if (table.rows.size() == kDifferencesShown) {
      ++unshown;
      continue;
    }
    std::vector<std::string> row = {suite.cases[i].id};
    for (const ProfileFigures& each : all) row.emplace_back(MarkText(each.MarkOf(index)));
    table.rows.push_back(std::move(row));
  }
  if (unshown > 0) table.title += fmt::format(" (and {} more)", unshown);
  return table;
}

std::string CutCell(const std::string& text) {
  const std::string_view shown = CutToBytes(text, kColumnBytesMax);
  return shown.size() == text.size() ? text : fmt::format("{}…", shown);
}

// The first and the last column to the left, numbers to the right.
std::string TableText(const ReportTable& table, bool last_is_text) {
  std::vector<std::vector<std::string>> lines = {table.head};
  lines.insert(lines.end(), table.rows.begin(), table.rows.end());
  std::vector<std::size_t> widths(table.head.size());
  for (std::vector<std::string>& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      line[i] = CutCell(line[i]);
      widths[i] = std::max(widths[i], CountCodePoints(line[i]));
    }
  }
  std::string text = table.title + "\n";
  for (const std::vector<std::string>& line : lines) {
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string gap(widths[i] - CountCodePoints(line[i]), ' ');
      const bool is_left = i == 0 || (last_is_text && i + 1 == line.size());
      out += "  " + (is_left ? line[i] + gap : gap + line[i]);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    text += out + "\n";
  }
  return text;
}

}  // namespace

Status AddResearchTables(Report& report, const CostOfAnswer& cost) {
  ASSAY_TRY(const std::shared_ptr<const research::SessionCells> cells, research::SessionCells::Of(report));
  const std::span<const ProfileFigures> all = cells->figures();
  report.tables.push_back(ProfileTable(*report.suite, all, cost));
  if (all.size() < 2) return Ok();
  ReportTable differences = DifferenceTable(*report.suite, all);
  if (!differences.rows.empty()) report.tables.push_back(std::move(differences));
  return Ok();
}

Result<std::string> ResearchTables(std::span<const Report> reports) {
  std::string text;
  for (const Report& report : reports) {
    for (std::size_t i = 0; i < report.tables.size(); ++i)
      text += (text.empty() ? "" : "\n") + TableText(report.tables[i], i == 0);
  }
  return text;
}

}  // namespace assay
