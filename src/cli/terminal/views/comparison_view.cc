// Builds the sentences and tables of a comparison, once for text and Markdown.
#include "cli/terminal/views/comparison_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "cli/terminal/text_table.h"
#include "cli/terminal/views/statistics_view.h"
#include "engine/words.h"
#include "report/export/markdown_text.h"
#include "report/values/words/case_names.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentence_parts.h"

namespace assay {

namespace {

constexpr std::size_t kFlipsShown = 10;
constexpr std::size_t kIdsShown = 5;
constexpr std::size_t kNameColumnsMax = 48;
constexpr std::string_view kNoValue = "–";

// A profile of a matrix has one name everywhere; ids of other variants are explained by ParameterLines.
const std::string& TableName(const Contender& contender) {
  return contender.suite->variants[contender.variant].profile ? contender.shown() : contender.name;
}

// A table that is written as aligned text or as Markdown.
struct Rows {
  std::vector<TextTable::Column> columns;
  std::vector<std::vector<std::string>> rows;
};

std::string AsText(const Rows& rows, const Screen& screen) {
  TextTable table(rows.columns);
  for (const std::vector<std::string>& row : rows.rows) table.Add(row);
  return table.Text(screen);
}

std::string AsMarkdown(const Rows& rows) {
  std::string head = "|";
  std::string line = "|";
  for (const TextTable::Column& column : rows.columns) {
    head += fmt::format(" {} |", MarkdownCell(column.title));
    line += column.align == Align::kRight ? "---:|" : "---|";
  }
  std::string text = head + "\n" + line + "\n";
  for (const std::vector<std::string>& row : rows.rows) {
    text += "|";
    for (const std::string& cell : row) text += fmt::format(" {} |", MarkdownCell(cell));
    text += "\n";
  }
  return text;
}

// Points: hundredths of a score, signed.
std::string SignedPoints(double score) {
  const double points = 100 * score;
  return fmt::format("{}{:.1f}", points < 0 ? "−" : points > 0 ? "+" : "", std::abs(points));
}

std::string PointsOf(double score) {
  return fmt::format("{}{:.1f}", score < 0 ? "−" : "", std::abs(100 * score));
}

std::string PointsText(const Interval& interval) {
  return fmt::format("{} to {}", SignedPoints(interval.low), SignedPoints(interval.high));
}

std::string IntervalText(const PairedEstimate& paired) {
  return paired.interval ? PointsText(*paired.interval) : std::string(kNoValue);
}

std::string DrawnText(const Comparison& comparison) {
  return comparison.drawn ? PointsText(*comparison.drawn) : std::string(kNoValue);
}

// Both over the cases that the row counts.
std::string MeansText(const Comparison& comparison) {
  if (!comparison.mean_a.mean || !comparison.mean_b.mean) return std::string(kNoValue);
  return fmt::format("{} against {}", PointsOf(*comparison.mean_a.mean), PointsOf(*comparison.mean_b.mean));
}

std::string PassedText(const Comparison& comparison) {
  if (!comparison.pass_rate_a || !comparison.pass_rate_b) return std::string(kNoValue);
  return fmt::format("{} against {}", PercentText(comparison.pass_rate_a),
                     PercentText(comparison.pass_rate_b));
}

std::vector<std::string> EstimateCells(std::string name, const PairedEstimate& paired) {
  return {std::move(name),
          paired.difference ? SignedPoints(*paired.difference) : std::string(kNoValue),
          IntervalText(paired),
          std::to_string(paired.wins),
          std::to_string(paired.losses),
          std::to_string(paired.ties),
          std::to_string(paired.cases)};
}

std::vector<TextTable::Column> EstimateColumns(std::string first) {
  return {{std::move(first)},      {"points", Align::kRight}, {"95 %", Align::kRight},
          {"wins", Align::kRight}, {"losses", Align::kRight}, {"ties", Align::kRight},
          {"cases", Align::kRight}};
}

Rows DifferenceRows(const ComparedWith& question, const IntervalRule& rule) {
  Rows rows{.columns = EstimateColumns(fmt::format("{} against", Printable(TableName(question.first)))),
            .rows = {}};
  rows.columns.insert(rows.columns.begin() + 1, {{"means", Align::kRight}, {"passed", Align::kRight}});
  rows.columns.push_back({"p", Align::kRight});
  for (std::size_t i = 0; i < question.others.size(); ++i) {
    const Comparison& comparison = question.comparisons[i];
    rows.rows.push_back(EstimateCells(Printable(TableName(question.others[i])), comparison.paired));
    std::vector<std::string>& row = rows.rows.back();
    if (rule.bootstrap_seed) row[2] = DrawnText(comparison);
    row.insert(row.begin() + 1, {MeansText(comparison), PassedText(comparison)});
    row.push_back(comparison.paired.p ? fmt::format("{:.3g}", comparison.p) : std::string(kNoValue));
  }
  return rows;
}

Rows FlipRows(const ComparedWith& question, std::size_t at) {
  const Comparison& comparison = question.comparisons[at];
  Rows rows{.columns = {{"case"},
                        {Printable(TableName(question.first)), Align::kRight},
                        {Printable(TableName(question.others[at])), Align::kRight},
                        {"points", Align::kRight}},
            .rows = {}};
  for (const Flip& flip : comparison.flips) {
    if (rows.rows.size() == kFlipsShown) break;
    rows.rows.push_back(
        {CutToWidth(Printable(SpokenCase(question.first.suite->cases[flip.at.a])), kNameColumnsMax),
         ScorePoints(flip.a), ScorePoints(flip.b), SignedPoints(flip.a - flip.b)});
  }
  return rows;
}

Rows TagRows(const Comparison& comparison) {
  Rows rows{.columns = EstimateColumns("tag"), .rows = {}};
  for (const TagDifference& each : comparison.tags)
    rows.rows.push_back(EstimateCells(Printable(each.tag), each.paired));
  return rows;
}

// "75.0 against 50.0"
std::string AgainstText(std::optional<double> a, std::optional<double> b,
                        const std::function<std::string(double)>& text) {
  return a && b ? fmt::format("{} against {}", text(*a), text(*b)) : std::string(kNoValue);
}

std::vector<std::string> GroupCells(std::string name, const GroupDifference& group) {
  std::vector<std::string> row = EstimateCells(std::move(name), group.paired);
  row.insert(row.begin() + 1, {AgainstText(group.mean_a.mean, group.mean_b.mean, PointsOf),
                               AgainstText(group.pass_rate_a, group.pass_rate_b, PercentText)});
  row.push_back(group.p ? fmt::format("{:.3g}", *group.p) : std::string(kNoValue));
  return row;
}

Rows GroupRows(const GroupDifferences& table) {
  Rows rows{.columns = EstimateColumns(table.by), .rows = {}};
  rows.columns.insert(rows.columns.begin() + 1, {{"means", Align::kRight}, {"passed", Align::kRight}});
  rows.columns.push_back({"p", Align::kRight});
  for (const GroupDifference& each : table.groups)
    rows.rows.push_back(GroupCells(CutToWidth(Printable(each.group), kNameColumnsMax), each));
  rows.rows.push_back(GroupCells("micro (all cases)", table.micro));
  if (!table.macro) return rows;
  const MacroEstimate& macro = table.macro->difference;
  const std::string none(kNoValue);
  rows.rows.push_back(
      {"macro (mean of groups)", AgainstText(table.macro->mean_a, table.macro->mean_b, PointsOf),
       AgainstText(table.macro->pass_rate_a, table.macro->pass_rate_b, PercentText),
       macro.mean ? SignedPoints(*macro.mean) : none, macro.interval ? PointsText(*macro.interval) : none,
       none, none, none, Counted(macro.groups, "group"), none});
  return rows;
}

// Why the macro difference has no interval, and what p is.
std::string GroupNote(const GroupDifferences& table) {
  std::string text;
  if (table.macro && !table.macro->difference.interval)
    text += fmt::format("macro: no interval, since a group has too little: {}\n",
                        WhyText(table.macro->difference.why));
  if (table.groups.size() > 1)
    text += fmt::format("p of a group is corrected for {} (Holm)\n", Counted(table.groups.size(), "group"));
  return text;
}

// "2 cases only in A: x, y"
std::string OnlyText(const Suite& suite, const std::vector<CaseIndex>& cases, std::string_view name) {
  if (cases.empty()) return {};
  std::string text = fmt::format("{} only in {}:", Counted(cases.size(), "case"), Printable(name));
  for (std::size_t i = 0; i < cases.size() && i < kIdsShown; ++i)
    text += fmt::format("{} {}", i == 0 ? "" : ",", Printable(suite.cases[cases[i]].id));
  return text + (cases.size() > kIdsShown ? ", …\n" : "\n");
}

// What does not pair; empty if all does.
std::string UnpairedText(const ComparedWith& question, std::size_t at) {
  const CasePairing& cases = question.comparisons[at].cases;
  std::string text = OnlyText(*question.first.suite, cases.only_a, TableName(question.first)) +
                     OnlyText(*question.others[at].suite, cases.only_b, TableName(question.others[at]));
  if (cases.by_question > 0) {
    text += fmt::format("{} compared by {} alone: a file does not tell the checks\n",
                        Counted(cases.by_question, "case"),
                        cases.by_question == 1 ? "its question" : "their questions");
  }
  if (cases.changed.empty()) return text;
  std::vector<CaseIndex> changed;
  for (const CasePair& pair : cases.changed) changed.push_back(pair.a);
  std::string line = OnlyText(*question.first.suite, changed, "");
  line.replace(line.find(" only in :"), std::string_view(" only in :").size(), " changed, not compared:");
  return text + line + "(--by-question compares cases whose questions are the same)\n";
}

// The same of all others is said once.
std::string UnpairedTexts(const ComparedWith& question) {
  std::vector<std::pair<std::string, std::string>> told;  // what, and against whom
  for (std::size_t i = 0; i < question.others.size(); ++i) {
    std::string what = UnpairedText(question, i);
    if (what.empty()) continue;
    const std::string name = Printable(TableName(question.others[i]));
    const auto same =
        std::find_if(told.begin(), told.end(), [&what](const auto& each) { return each.first == what; });
    if (same != told.end()) {
      same->second += ", " + name;
    } else {
      told.emplace_back(std::move(what), name);
    }
  }
  std::string text;
  for (const auto& [what, names] : told)
    text += question.others.size() == 1 ? "\n" + what : fmt::format("\nagainst {}:\n{}", names, what);
  return text;
}

std::string SectionTitle(const ComparedWith& question, std::size_t at, std::string_view what) {
  return question.others.size() == 1
             ? fmt::format("{}:", what)
             : fmt::format("{}, {} against {}:", what, Printable(TableName(question.first)),
                           Printable(TableName(question.others[at])));
}

using WriteRows = std::function<std::string(const Rows& rows)>;

// What the parameters of each contender are, where its suite varies them; a line each.
std::string ParameterLines(std::span<const ComparedWith> questions) {
  std::vector<std::string> lines;
  std::set<std::string> told;
  std::map<const Suite*, std::vector<std::string>> known;
  const auto add = [&](const Contender& contender) {
    auto [found, is_new] = known.try_emplace(contender.suite);
    if (is_new) found->second = VaryingParameters(*contender.suite);
    const std::string& words = found->second[contender.variant];
    std::string line = fmt::format("{}: {}\n", Printable(TableName(contender)), Printable(words));
    if (!words.empty() && told.insert(line).second) lines.push_back(std::move(line));
  };
  for (const ComparedWith& question : questions) {
    add(question.first);
    for (const Contender& other : question.others) add(other);
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text.empty() ? text : "\n" + text;
}

std::string FactorLines(std::span<const ComparedRun> runs) {
  std::string text;
  for (const ComparedRun& run : runs) {
    const std::string factors = FactorText(*run.suite, *run.scores);
    if (factors.empty()) continue;
    text += runs.size() > 1 ? fmt::format("\nin {}:\n{}", Printable(run.name), factors) : "\n" + factors;
  }
  return text;
}

// "only in latest, not in 2026…: echo:c, echo:d", a line for each two runs.
std::string AloneText(std::span<const LeftVariant> left) {
  std::vector<std::pair<std::string, std::string>> lines;  // what, and who
  for (const LeftVariant& each : left) {
    const std::string what = fmt::format("only in {}, not in {}", Printable(each.run), Printable(each.other));
    const std::string name = Printable(each.name);
    const auto same =
        std::find_if(lines.begin(), lines.end(), [&what](const auto& line) { return line.first == what; });
    if (same != lines.end()) {
      same->second += ", " + name;
    } else {
      lines.emplace_back(what, name);
    }
  }
  std::string text;
  for (const auto& [what, who] : lines) text += fmt::format("{}: {}\n", what, who);
  return text.empty() ? text : "\n" + text;
}

std::string WholeText(const ComparisonPage& page, const WriteRows& write) {
  const std::span<const ComparedWith> questions = page.questions;
  std::string text;
  for (const ComparedWith& question : questions) {
    for (const Comparison& comparison : question.comparisons) {
      text += Printable(comparison.sentence) + "\n";
      if (comparison.served)
        text += fmt::format("They were answered by different models: {} and {}.\n",
                            Printable(comparison.served->fresh), Printable(comparison.served->base));
    }
  }
  for (const std::string& run : page.stopped) {
    text += fmt::format("{} was stopped as soon as it was decided: this difference is likely too large.\n",
                        Printable(run));
  }
  for (const OtherModelNote& each : page.others) {
    const std::string where = each.run.empty() ? "" : fmt::format("In {}, ", Printable(each.run));
    text += fmt::format("{}{}.\n", where, Printable(each.line));
  }
  for (const ComparedWith& question : questions) {
    text += "\n" + write(DifferenceRows(question, page.interval)) + IntervalNote(page.interval);
    if (&question == &questions.back()) text += ParameterLines(questions) + FactorLines(page.runs);
    text += UnpairedTexts(question);
    for (std::size_t i = 0; i < question.others.size(); ++i) {
      const Comparison& comparison = question.comparisons[i];
      if (!comparison.flips.empty()) {
        const std::string what = fmt::format("{} {}", Counted(comparison.flips.size(), "case"),
                                             comparison.flips.size() == 1 ? "differs" : "differ");
        text += fmt::format("\n{}\n\n{}", SectionTitle(question, i, what), write(FlipRows(question, i)));
        if (comparison.flips.size() > kFlipsShown) text += "…\n";
      }
      for (std::size_t t = 0; !question.groups.empty() && t < question.groups[i].size(); ++t) {
        const GroupDifferences& table = question.groups[i][t];
        text += fmt::format("\n{}\n\n{}{}", SectionTitle(question, i, "by " + table.by),
                            write(GroupRows(table)), GroupNote(table));
      }
      if (!comparison.tags.empty() && page.by != GroupBy::kTag)
        text += fmt::format("\n{}\n\n{}", SectionTitle(question, i, "by tag"), write(TagRows(comparison)));
    }
  }
  const bool has_groups = std::any_of(questions.begin(), questions.end(), [](const ComparedWith& question) {
    return std::any_of(question.groups.begin(), question.groups.end(),
                       [](const auto& tables) { return !tables.empty(); });
  });
  if (page.by && !has_groups) text += fmt::format("\n{}\n", NoGroupsText(*page.by));
  return text + AloneText(page.left);
}

}  // namespace

std::string ComparisonText(const ComparisonPage& page, const Screen& screen) {
  return WholeText(page, [&screen](const Rows& rows) { return AsText(rows, screen); });
}
std::string ComparisonMarkdown(const ComparisonPage& page) { return WholeText(page, AsMarkdown); }

}  // namespace assay
