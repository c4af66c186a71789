// Builds the tables of variants and cases, and the marks for pass, fail, partial and error.
#include "cli/terminal/views/results_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "cli/terminal/progress.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/ui.h"
#include "cli/terminal/views/case_view.h"
#include "cli/terminal/views/statistics_view.h"
#include "engine/local_time.h"
#include "engine/words.h"
#include "report/decide/run_statistics.h"
#include "report/decide/until/last_looks.h"
#include "report/decide/until/until_run.h"
#include "report/values/words/case_names.h"
#include "report/values/words/served.h"
#include "spec/report/pair.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentence_parts.h"
#include "statistics/decisions/sentences.h"
#include "statistics/sequential/stop_sentences.h"

namespace assay {

namespace {

constexpr std::size_t kCasesShownMax = 40;
constexpr std::size_t kVariantsShownMax = 12;
constexpr std::size_t kIdColumnsMax = 48;
constexpr std::size_t kNamedColumnsMax = 6;
constexpr std::string_view kNothing = "–";

std::string Heading(const Report& report) {
  const Suite& suite = *report.suite;
  std::string text =
      fmt::format("{}\nrun {} · {} × {}", Printable(suite.title), Printable(report.run.run_id),
                  Counted(suite.cases.size(), "case"), Counted(suite.variants.size(), "variant"));
  if (report.until != nullptr && report.until->is_early()) text += " · " + AskedPartText(*report.until);
  if (suite.attempts > 1) text += " × " + Counted(suite.attempts, "attempt");
  if (const std::uint64_t foreign = report.totals.foreign_replies; foreign > 0)
    text += fmt::format(" · {} that this user did not make", Counted(foreign, "reply"));
  text += "\n";
  return text + WhoAnsweredText(report);
}

// The last look at each pair, with bounds that hold whenever a run ends; "" if no pair was looked at.
std::string LookedAtText(const UntilRun& run, const Screen& screen) {
  const std::vector<LastLook> looks = LastLooksOf(run);
  if (looks.empty()) return {};
  TextTable table({{"difference"},
                   {"cases", Align::kRight},
                   {"95 %, whole suite", Align::kRight},
                   {"95 %, cases of this kind", Align::kRight},
                   {"state"}});
  for (const LastLook& each : looks) {
    table.Add({Printable(each.pair), CountText(each.cases), LimitsText(each.suite), LimitsText(each.world),
               std::string(PairStateName(each.state))});
  }
  return "\n" + table.Text(screen);
}

// What the intervals of the table of variants are, who was dropped after how many cases, and how many other
// orders were tried; a line each.
std::string EarlyNote(const UntilRun& run) {
  std::string text = "95 %: holds whenever the run ends\n";
  for (const QuestionCourse& course : run.course.questions()) {
    if (!course.race) continue;
    for (const DroppedVariant& dropped : course.race->dropped()) {
      text += fmt::format("#{}: {} after {}\n", dropped.variant + 1, dropped.by ? "dropped" : "given up",
                          Counted(run.rule.table.CasesBefore(dropped.after), "case"));
    }
  }
  if (run.other_orders > 0) {
    text += fmt::format("{} of this suite {} tried\n", Counted(run.other_orders, "other order"),
                        run.other_orders == 1 ? "was" : "were");
  }
  return text;
}

bool HasAny(const Report& report, std::uint64_t VariantSummary::*count) {
  return std::any_of(report.variants.begin(), report.variants.end(),
                     [count](const VariantSummary& summary) { return summary.*count > 0; });
}

// "79 to 96", "–" where the data say nothing about chance.
std::string IntervalText(const std::optional<Interval>& interval) {
  return interval ? IntervalPoints(*interval) : std::string(kNothing);
}

// How the scores of its cases lie between the ends of their range: a bar for each eighth of it, the tallest
// for the fullest; "" if the range is not known.
std::string Sparkline(const Sample& sample, const Design& design) {
  constexpr std::size_t kBars = 8;
  constexpr std::string_view kHeights[] = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (!design.range || design.range->high <= design.range->low) return {};
  std::array<std::size_t, kBars> counts{};
  for (std::size_t i = 0; i < sample.cases.size(); ++i) {
    const CaseValue& value = sample.cases[i];
    if (!design.IsUsed(value, i)) continue;
    const double place = (value.value - design.range->low) / (design.range->high - design.range->low) * kBars;
    ++counts[static_cast<std::size_t>(std::clamp(place, 0.0, kBars - 1.0))];
  }
  const std::size_t most = std::max<std::size_t>(*std::max_element(counts.begin(), counts.end()), 1);
  std::string text;
  for (const std::size_t count : counts) text += kHeights[(count * kBars + most - 1) / most];
  return text;
}

std::string AboveWholeText(const CaseScores& scores) {
  if (scores.above_whole == 0) return {};
  return fmt::format("{} above 100 {} as 100: a check gave more than its total\n",
                     Counted(scores.above_whole, "score"), scores.above_whole == 1 ? "counts" : "count");
}

constexpr std::ptrdiff_t kAfterInterval = 5;  // the column of plain means

// The mean over all attempts of each case, where the ranking is by another value.
std::string PlainMeanText(const CaseScores& scores, std::size_t variant) {
  const std::optional<double> mean = PlainMeanOf(scores, variant);
  return mean ? MeanPoints(*mean) : std::string(kNothing);
}

// "83 %" of the attempts.
std::string PassedText(const RunStatistics& statistics, VariantNumber variant) {
  return PercentText(PassRateOf(statistics, std::span(&variant, 1)).mean);
}

// The names of criteria that have scores of their own, in the order in which they first come.
std::vector<std::string> NamesOfScores(const Report& report) {
  std::vector<std::string> names;
  for (const VariantSummary& summary : report.variants) {
    for (const NamedMean& each : summary.named) {
      if (std::find(names.begin(), names.end(), each.name) == names.end()) names.push_back(each.name);
    }
  }
  if (names.size() > kNamedColumnsMax) names.resize(kNamedColumnsMax);
  return names;
}

std::string NamedText(const VariantSummary& summary, const std::string& name) {
  const auto found = std::find_if(summary.named.begin(), summary.named.end(),
                                  [&](const NamedMean& each) { return each.name == name; });
  return found == summary.named.end() ? std::string(kNothing) : MeanPoints(found->mean);
}

// "no answer found: 12 of 200", of those in which a part was looked for.
std::string NoAnswerText(const RunTotals& totals) {
  if (totals.no_answer_found == 0) return {};
  return fmt::format("no answer found: {} of {}; functions give them 0\n", CountText(totals.no_answer_found),
                     CountText(totals.extracted));
}

// In the order of the means, with the ranks that each may have. `#` is the column in tables of cases.
std::string VariantTable(const Report& report, const RunStatistics& statistics, const ViewOptions& options) {
  const Standings& standings = statistics.standings;
  const IntervalRule& rule = options.interval;
  const Ranking& ranking = standings.ranking;
  const CaseScores& scores = standings.scores;
  const bool has_partial = HasAny(report, &VariantSummary::partial);
  const bool has_skipped = HasAny(report, &VariantSummary::skipped);
  const std::string title = statistics.is_early ? "95 %, whole suite" : "95 %";
  std::vector<TextTable::Column> columns = {
      {"rank", Align::kRight},       {"#", Align::kRight},        {"variant"},
      {scores.title, Align::kRight}, {title, Align::kRight},      {"passed", Align::kRight},
      {"scored", Align::kRight},     {"unscored", Align::kRight}, {"errors", Align::kRight}};
  if (scores.is_reduced()) columns.insert(columns.begin() + kAfterInterval, {"mean", Align::kRight});
  if (has_partial) columns.push_back({"partial", Align::kRight});
  if (has_skipped) columns.push_back({"skipped", Align::kRight});
  const std::vector<std::string> named = NamesOfScores(report);
  for (const std::string& name : named) columns.push_back({Printable(name), Align::kRight});
  const bool has_bars = standings.scores.range && report.suite->cases.size() > 1;
  if (has_bars) columns.push_back({"scores 0…100"});
  TextTable table(std::move(columns));
  const std::vector<std::string> names = SpokenNames(*report.suite);
  const auto add = [&](std::size_t variant, std::string rank, std::string mean, std::string interval) {
    const VariantSummary& summary = report.variants[variant];
    std::vector<std::string> row = {
        std::move(rank),           std::to_string(variant + 1), Printable(names[variant]),
        std::move(mean),           std::move(interval),         PassedText(statistics, variant),
        CountText(summary.scored), CountText(summary.unscored), CountText(summary.errors)};
    if (scores.is_reduced()) row.insert(row.begin() + kAfterInterval, PlainMeanText(scores, variant));
    if (has_partial) row.push_back(CountText(summary.partial));
    if (has_skipped) row.push_back(CountText(summary.skipped));
    for (const std::string& name : named) row.push_back(NamedText(summary, name));
    if (has_bars) row.push_back(Sparkline(standings.scores.samples[variant], standings.scores.design()));
    table.Add(std::move(row));
  };
  for (const RankPlace& place : ranking.places) {
    add(place.variant, RankText(place), MeanPoints(place.estimate.mean.value_or(0)),
        IntervalText(IntervalOf(standings.scores, place, rule)));
  }
  const std::string nothing(kNothing);
  for (const VariantNumber variant : ranking.unranked)
    add(variant, nothing, MeanText(report.variants[variant]), nothing);
  const std::string note = statistics.is_early ? EarlyNote(*report.until) : IntervalNote(rule);
  const std::string text =
      table.Text(options.screen) + note + AboveWholeText(scores) + NoAnswerText(report.totals);
  if (!has_partial) return text;
  return text + "◐ graded in part: this many criteria have no verdict, and the answer enters no mean\n";
}

struct MarkRow {
  std::uint32_t PairMarks::*count;
  std::string_view mark;
  std::string_view meaning;
};
constexpr MarkRow kMarks[] = {
    {&PairMarks::point_errors, "!", "some of its criteria are errors: `assay show RUN --failed` says why"},
    {&PairMarks::lost_votes, "~", "a judge gave no verdict; the others' count"},
    {&PairMarks::no_answer, "∅", "no answer was found in it, and functions give it 0"},
    {&PairMarks::cut, "…", "the answer was cut at its limit of tokens"},
    {&PairMarks::stood_in, "°", "another model stood in for this one"},
};

std::string MarksText(const PairMarks& marks) {
  std::string text;
  for (const MarkRow& row : kMarks) {
    if (marks.*row.count > 0) text += row.mark;
  }
  return text;
}

// A line for each mark that is there.
std::string LegendText(const PairMarks& marks) {
  std::string text;
  for (const MarkRow& row : kMarks) {
    if (marks.*row.count > 0) text += fmt::format("{} {}\n", row.mark, row.meaning);
  }
  return text;
}

std::vector<std::string> IdsOf(const Suite& suite) {
  std::vector<std::string> ids;
  for (const Variant& variant : suite.variants) ids.push_back(variant.id);
  return ids;
}

// Ids name parameters by numbers; what they stand for, in the order of the table.
std::string ParameterText(const Report& report, const Ranking& ranking) {
  const Suite& suite = *report.suite;
  if (suite.variants.size() > kVariantsShownMax) return {};
  if (SpokenNames(suite) != IdsOf(suite)) return {};  // the names tell it
  const std::vector<std::string> words = VaryingParameters(suite);
  std::string text;
  const auto add = [&](VariantNumber variant) {
    if (!words[variant].empty()) text += fmt::format("#{}: {}\n", variant + 1, Printable(words[variant]));
  };
  for (const RankPlace& place : ranking.places) add(place.variant);
  for (const VariantNumber variant : ranking.unranked) add(variant);
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string PairText(const Pair& pair, const Suite& suite, const PassRule& pass) {
  switch (pair.state) {
    case CellState::kScored: {
      const double mean = pair.mean().value_or(0);
      return fmt::format("{}{} {}{}", pair.partial > 0 ? PartialText(pair.missing) + " " : "",
                         pass.CasePasses(suite.cases[pair.case_index], pair.values) ? "✓" : "✗",
                         ScorePoints(mean), MarksText(pair.marks));
    }
    case CellState::kPartial:
      return PartialText(pair.missing) + MarksText(pair.marks);
    case CellState::kError:
      return "error";
    case CellState::kUnscored:
      return "unscored" + MarksText(pair.marks);
    case CellState::kSkipped:
      return std::string(kNothing);
  }
  return {};
}

namespace {

Result<std::string> CaseTable(const Report& report, const PassRule& pass, const Screen& screen) {
  const Suite& suite = *report.suite;
  std::vector<TextTable::Column> columns = {{"case"}};
  for (std::size_t i = 0; i < suite.variants.size(); ++i) {
    columns.push_back({std::to_string(i + 1), Align::kRight});
  }
  TextTable table(std::move(columns));
  PairMarks marks;
  for (CaseIndex index = 0; index < suite.cases.size(); ++index) {
    std::vector<std::string> row = {CutToWidth(Printable(SpokenCase(suite.cases[index])), kIdColumnsMax)};
    row.resize(suite.variants.size() + 1, std::string(kNothing));
    ASSAY_CHECK_OK(ForEachPairOf(report, index, CellParts::kScores, [&](const Pair& pair) {
      row[pair.variant + 1] = PairText(pair, suite, pass);
      if (pair.state != CellState::kError) marks += pair.marks;
      return Ok();
    }));
    table.Add(std::move(row));
  }
  const std::string title = ValueTitleOf(suite);
  const std::string value =
      title == "mean" ? std::string() : fmt::format("numbers: {}; ✓ and ✗ count attempts that pass\n", title);
  return table.Text(screen) + PassMarkText(suite, pass) + value + LegendText(marks);
}

}  // namespace

std::string MeanText(const VariantSummary& summary) {
  return summary.scored == 0 ? std::string(kNothing) : MeanPoints(summary.mean);
}

std::string PassMarkText(const Suite& suite, const PassRule& pass) {
  const std::string cases =
      HasSeveralAttempts(suite) ? fmt::format("; a case: {}", ShareWords(pass)) : std::string();
  return fmt::format("✓ passed: {}{}\n", MarkWords(pass, suite), cases);
}

std::string PartialText(std::size_t missing) { return fmt::format("◐ {} missing", missing); }

std::string WhoAnsweredText(const Report& report) {
  std::string text;
  for (const std::string& line : OtherModelLines(report.totals)) text += Printable(line) + "\n";
  for (const std::string& line : ProgramModelLines(*report.suite, report.totals))
    text += Printable(line) + "\n";
  return text;
}

std::string StartText(const RunContext& run) { return LocalTimeOf(run.started_ms).whole(); }

Result<std::string> VerdictText(const Report& report, std::string_view money) {
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> statistics, StatisticsOf(report));
  return fmt::format("{}{}\n", Printable(statistics->standings.verdict()), money);
}

Result<std::string> RunTables(const Report& report, const ViewOptions& options) {
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> statistics, StatisticsOf(report, options.pass));
  const Standings& standings = statistics->standings;
  const std::string verdict = options.verdict_first
                                  ? fmt::format("{}{}\n\n", Printable(standings.verdict()), options.money)
                                  : std::string();
  std::string text = Heading(report) + "\n" + verdict + VariantTable(report, *statistics, options);
  const Suite& suite = *report.suite;
  if (statistics->is_early) text += LookedAtText(*report.until, options.screen);
  text += ParameterText(report, standings.ranking);
  std::string beside;  // what no question was about
  if (const std::string factors = FactorText(suite, standings.scores); !factors.empty())
    beside += "\n" + factors;
  beside += ReliabilityText(suite, statistics->reliability, options.pass, options.screen);
  beside += PassAtKText(suite, statistics->reliability.passes, options.pass_at_k, options.screen);
  if (statistics->is_early && !beside.empty()) text += "\nof a run that was stopped early:\n";
  text += beside;
  const bool is_small = suite.cases.size() <= kCasesShownMax && suite.variants.size() <= kVariantsShownMax;
  if (!is_small && !options.every_case) return text;
  ASSAY_TRY(const std::string cases, CaseTable(report, options.pass, options.screen));
  text += "\n" + cases;
  if (!options.every_case || !HasSeveralAttempts(suite)) return text;
  ASSAY_TRY(const std::string attempts, AttemptTable(report, options.pass, options.screen));
  return text + "\n" + attempts;
}

}  // namespace assay
