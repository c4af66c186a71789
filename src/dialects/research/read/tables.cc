// The tables that compare the profiles of a session (pass rates, times, tools, cases on which they differ),
// for the report page and the terminal; asky itself has none of these.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text/utf8.h"
#include "dialects/research/read/row.h"
#include "dialects/research/research.h"
#include "dialects/research/write/results.h"

namespace assay {

namespace {

constexpr std::size_t kDifferencesShown = 20;
constexpr std::size_t kToolsShown = 4;
constexpr std::size_t kColumnBytesMax = 60;
constexpr double kTail = 0.95;

enum class Mark : char { kNone, kPass, kFail, kError };

struct ProfileFigures {
  std::uint64_t rows = 0;
  std::uint64_t passed = 0;
  std::uint64_t errors = 0;
  std::vector<double> turns_ms;                // of turns that answered
  Usage used;                                  // of all roles
  double usd = 0;                              // of the role that answers
  bool has_price = true;                       // of every answer that said what it used
  std::map<std::string, std::uint64_t> calls;  // by tool
  std::vector<std::uint64_t> passed_of_case;
  std::vector<std::uint64_t> rows_of_case;
  std::vector<bool> case_has_error;

  Mark MarkOf(CaseIndex index) const {
    if (rows_of_case[index] == 0) return Mark::kNone;
    if (case_has_error[index]) return Mark::kError;
    return passed_of_case[index] == rows_of_case[index] ? Mark::kPass : Mark::kFail;
  }
};

void AddCell(const Suite& suite, const Cell& cell, const CostOfAnswer& cost, ProfileFigures& figures) {
  const AttemptFacts& told = cell.record.transcript.told;
  ++figures.rows;
  ++figures.rows_of_case[cell.case_index];
  const auto [passed, is_error] = research::VerdictOf(suite.cases[cell.case_index], cell.record);
  figures.passed += passed;
  figures.passed_of_case[cell.case_index] += passed;
  if (is_error) {
    ++figures.errors;
    figures.case_has_error[cell.case_index] = true;
  } else {
    for (const auto& [name, ms] : told.timings_ms) {
      if (name == "run_turn_ms") figures.turns_ms.push_back(ms);
    }
  }
  for (const auto& [role, usage] : told.usage_by_role) {
    figures.used += usage;
    if (role != research::kMainRole) continue;
    const std::optional<double> usd = cost(suite.variants[cell.variant], usage);
    figures.has_price = figures.has_price && usd.has_value();
    figures.usd += usd.value_or(0);
  }
  for (const ToolCall& call : told.tool_calls)
    ++figures.calls[call.name.empty() ? "unknown_tool" : call.name];
}

Result<ProfileFigures> FiguresOf(const Report& report, VariantIndex variant, const CostOfAnswer& cost) {
  ProfileFigures figures;
  const std::size_t cases = report.suite->cases.size();
  figures.passed_of_case.resize(cases);
  figures.rows_of_case.resize(cases);
  figures.case_has_error.resize(cases);
  ASSAY_CHECK_OK(report.for_each_cell(CellRange::OfVariant(variant), CellParts::kAll, [&](const Cell& cell) {
    if (cell.state != CellState::kSkipped) AddCell(*report.suite, cell, cost, figures);
    return Ok();
  }));
  std::sort(figures.turns_ms.begin(), figures.turns_ms.end());
  return figures;
}

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

std::string CostText(const ProfileFigures& figures) {
  if (!figures.has_price || figures.used.input_tokens + figures.used.output_tokens == 0) return "–";
  return fmt::format("${:.4f}", figures.usd);
}

// Of cases that were asked several times: the shares of those that passed once at least, and every time.
std::pair<std::string, std::string> PassOfAttempts(const ProfileFigures& figures) {
  std::uint64_t cases = 0;
  std::uint64_t once = 0;
  std::uint64_t always = 0;
  for (std::size_t i = 0; i < figures.rows_of_case.size(); ++i) {
    if (figures.rows_of_case[i] == 0) continue;
    ++cases;
    once += figures.passed_of_case[i] > 0;
    always += figures.passed_of_case[i] == figures.rows_of_case[i];
  }
  const auto share = [cases](std::uint64_t part) {
    return cases == 0 ? std::string("–")
                      : fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(cases));
  };
  return {share(once), share(always)};
}

ReportTable ProfileTable(const Suite& suite, const std::vector<ProfileFigures>& all) {
  ReportTable table{.title = "Profiles",
                    .head = {"profile", "passed", "rate", "errors", "median ms", "p95 ms", "tokens in",
                             "tokens out", "cost", "tools"},
                    .rows = {}};
  const bool repeats = suite.attempts > 1;
  if (repeats) {
    table.head.insert(table.head.begin() + 3,
                      {fmt::format("pass@{}", suite.attempts), fmt::format("pass^{}", suite.attempts)});
  }
  for (std::size_t v = 0; v < all.size(); ++v) {
    const ProfileFigures& figures = all[v];
    const double rate =
        figures.rows == 0 ? 0 : static_cast<double>(figures.passed) / static_cast<double>(figures.rows);
    std::vector<std::string> row = {suite.variants[v].id, fmt::format("{}/{}", figures.passed, figures.rows),
                                    fmt::format("{:.1f} %", 100 * rate)};
    if (repeats) {
      auto [once, always] = PassOfAttempts(figures);
      row.push_back(std::move(once));
      row.push_back(std::move(always));
    }
    row.insert(row.end(),
               {fmt::format("{}", figures.errors), MedianOf(figures.turns_ms), TailOf(figures.turns_ms),
                fmt::format("{}", figures.used.input_tokens), fmt::format("{}", figures.used.output_tokens),
                CostText(figures), ToolMix(figures.calls)});
    table.rows.push_back(std::move(row));
  }
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
ReportTable DifferenceTable(const Suite& suite, const std::vector<ProfileFigures>& all) {
  ReportTable table{.title = "Cases on which profiles differ", .head = {"case"}, .rows = {}};
  for (const Variant& variant : suite.variants) table.head.push_back(variant.id);
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
  std::vector<ProfileFigures> all;
  for (VariantIndex v = 0; v < report.suite->variants.size(); ++v) {
    ASSAY_TRY(ProfileFigures figures, FiguresOf(report, v, cost));
    all.push_back(std::move(figures));
  }
  report.tables.push_back(ProfileTable(*report.suite, all));
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
