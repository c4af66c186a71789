// Formats agreement of judges, spread of attempts, flaky cases and effects of parameters as tables and
// sentences.
#include "cli/terminal/views/statistics_view.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/terminal/text_table.h"
#include "cli/terminal/views/results_view.h"
#include "engine/words.h"
#include "report/values/words/case_names.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentence_parts.h"
#include "statistics/estimates/bootstrap.h"

namespace assay {

namespace {

constexpr std::size_t kFlakyShown = 10;
constexpr std::size_t kVariantsShown = 12;
constexpr std::size_t kIdColumns = 48;
constexpr std::string_view kNone = "–";

std::string TwoDigits(std::optional<double> value) {
  return value ? fmt::format("{:.2f}", *value) : std::string(kNone);
}

bool HasVotes(const Reliability& reliability) {
  return std::any_of(reliability.judges.begin(), reliability.judges.end(),
                     [](const JudgeReliability& judge) { return judge.self.units > 0 || judge.against > 0; });
}

// α of a judge's own votes says how alike they are against how far points differ.
std::string JudgeTable(const Reliability& reliability, const Screen& screen) {
  TextTable table({{"judge"},
                   {"votes", Align::kRight},
                   {"same again", Align::kRight},
                   {"α with itself", Align::kRight},
                   {"α without it", Align::kRight},
                   {"against its words", Align::kRight}});
  for (const JudgeReliability& judge : reliability.judges) {
    table.Add({Printable(judge.judge), CountText(judge.votes), PercentText(judge.self.equal_pairs),
               TwoDigits(judge.self.alpha), TwoDigits(judge.without.alpha), CountText(judge.against)});
  }
  std::string text = table.Text(screen);
  const bool any_against = std::any_of(reliability.judges.begin(), reliability.judges.end(),
                                       [](const JudgeReliability& judge) { return judge.against > 0; });
  if (any_against)
    text += "against its words: the reasons name classes of the scale, but not the one that was given\n";
  return text;
}

// Which number of tries the table is about, and why, where it is not the one that was asked for or not of all
// cases.
std::string TriesText(const Reliability& reliability, const std::vector<std::string>& names) {
  const Tries& tries = reliability.tries;
  std::string text;
  if (tries.scarce)
    text = fmt::format(
        "tries: {}, not the {} that were asked for: fewer than half of the cases of {} have {} scored "
        "attempts\n",
        CountText(tries.used), CountText(tries.asked), Printable(names[*tries.scarce]),
        CountText(tries.asked));
  const bool leaves_any_out = std::any_of(reliability.variants.begin(), reliability.variants.end(),
                                          [](const VariantReliability& each) { return each.left_out > 0; });
  if (leaves_any_out)
    text += fmt::format("left out: cases with fewer than {}\n", Counted(tries.used, "scored attempt"));
  return text;
}

// "73 % (17 to 97)", with how many cases it leaves out.
std::string PassAtKCell(const PassesAtK& each) {
  std::string text = PercentText(each.passes.any.mean);
  if (const std::optional<Interval>& interval = each.passes.any.interval)
    text += fmt::format(" ({:.0f} to {:.0f})", 100 * interval->low, 100 * interval->high);
  return text + (each.left_out > 0 ? fmt::format(", {} left out", CountText(each.left_out)) : std::string());
}

std::string AttemptsTable(const Suite& suite, const Reliability& reliability, const Screen& screen) {
  const bool has_judges =
      std::any_of(reliability.variants.begin(), reliability.variants.end(),
                  [](const VariantReliability& each) { return each.spread.of_judge.has_value(); });
  std::vector<TextTable::Column> columns = {{"#", Align::kRight},          {"variant"},
                                            {"tries", Align::kRight},      {"any passes", Align::kRight},
                                            {"all pass", Align::kRight},   {"flaky cases", Align::kRight},
                                            {"left out", Align::kRight},   {"spread by cases", Align::kRight},
                                            {"by attempts", Align::kRight}};
  if (has_judges) columns.push_back({"by judges", Align::kRight});
  TextTable table(std::move(columns));
  const std::vector<std::string> names = SpokenNames(suite);
  for (const VariantReliability& each : reliability.variants) {
    std::vector<std::string> row = {std::to_string(each.variant + 1),
                                    Printable(names[each.variant]),
                                    CountText(reliability.tries.used),
                                    PercentText(each.passes.any.mean),
                                    PercentText(each.passes.all.mean),
                                    fmt::format("{} of {}", each.passes.flaky, each.passes.cases),
                                    CountText(each.left_out),
                                    PercentText(each.spread.of_case),
                                    PercentText(each.spread.of_sampling)};
    if (has_judges) row.push_back(PercentText(each.spread.of_judge));
    table.Add(std::move(row));
  }
  return table.Text(screen) + TriesText(reliability, names);
}

std::string FlakyTable(const Suite& suite, const Reliability& reliability, const Screen& screen) {
  const std::vector<std::string> names = SpokenNames(suite);
  TextTable table({{"flaky case"}, {"variant"}, {"passed", Align::kRight}});
  for (std::size_t i = 0; i < std::min(reliability.flaky.size(), kFlakyShown); ++i) {
    const FlakyCase& flaky = reliability.flaky[i];
    table.Add({CutToWidth(Printable(SpokenCase(suite.cases[flaky.case_index])), kIdColumns),
               Printable(names[flaky.variant]),
               flaky.judge.empty()
                   ? fmt::format("{} of {} attempts", flaky.passed, flaky.of)
                   : fmt::format("{} of {} votes of {}", flaky.passed, flaky.of, Printable(flaky.judge))});
  }
  const std::uint64_t more =
      reliability.flaky_more + reliability.flaky.size() - std::min(reliability.flaky.size(), kFlakyShown);
  return table.Text(screen) + (more > 0 ? fmt::format("and {} more\n", CountText(more)) : std::string());
}

}  // namespace

IntervalRule IntervalRuleOf(const Shown& shown) {
  return {.bootstrap_seed = shown.bootstrap ? std::optional(shown.bootstrap_seed) : std::nullopt};
}

std::string IntervalNote(const IntervalRule& rule) {
  if (!rule.bootstrap_seed) return {};
  return fmt::format("95 %: bootstrap (BCa; {} draws of cases, seed {})\n", CountText(kResamples),
                     *rule.bootstrap_seed);
}

std::string ReliabilityText(const Suite& suite, const Reliability& reliability, const PassRule& pass,
                            const Screen& screen) {
  std::string text;
  if (!reliability.sentence.empty()) text += "\n" + reliability.sentence + "\n";
  if (reliability.asks_judges && reliability.judged_cases < suite.cases.size())
    text += fmt::format("(votes on the first {})\n", Counted(reliability.judged_cases, "case"));
  if (HasVotes(reliability)) text += "\n" + JudgeTable(reliability, screen);
  if (!reliability.variants.empty() && suite.variants.size() <= kVariantsShown)
    text += "\n" + AttemptsTable(suite, reliability, screen) + PassMarkText(suite, pass);
  if (!reliability.flaky.empty()) text += "\n" + FlakyTable(suite, reliability, screen);
  return text;
}

std::string AttemptMeansText(std::span<const AttemptMeans> variants, const Screen& screen) {
  std::vector<TextTable::Column> columns = {{"attempt"}};
  std::size_t attempts = 0;
  for (std::size_t v = 0; v < variants.size(); ++v) {
    columns.push_back({std::to_string(v + 1), Align::kRight});
    attempts = std::max(attempts, variants[v].means.size());
  }
  const auto text = [](std::optional<double> score) {
    return score ? MeanPoints(*score) : std::string(kNone);
  };
  // Where attempts are of different cases, each says of how many.
  std::size_t most = 0;
  for (const AttemptMeans& each : variants) {
    for (const MeanEstimate& mean : each.means) most = std::max(most, mean.cases);
  }
  const auto mean_text = [&](const MeanEstimate& mean) {
    return text(mean.mean) + (mean.mean && mean.cases < most ? fmt::format(" on {}", mean.cases) : "");
  };
  bool are_of_all = true;
  TextTable table(std::move(columns));
  for (std::size_t i = 0; i < attempts; ++i) {
    std::vector<std::string> row = {std::to_string(i + 1)};
    for (const AttemptMeans& each : variants) {
      const bool is_there = i < each.means.size();
      are_of_all = are_of_all && is_there && each.means[i].cases == most;
      row.push_back(is_there ? mean_text(each.means[i]) : text(std::nullopt));
    }
    table.Add(std::move(row));
  }
  std::vector<std::string> deviations = {"standard deviation"};
  for (const AttemptMeans& each : variants) deviations.push_back(text(each.deviation));
  table.Add(std::move(deviations));
  if (are_of_all) return table.Text(screen);
  return table.Text(screen) + fmt::format(
                                  "on N: of N cases, the others of {}; the standard deviation is of "
                                  "attempts that every case has\n",
                                  most);
}

std::string PassAtKText(const Suite& suite, const PassCounts& counts, std::span<const std::uint64_t> ks,
                        const Screen& screen) {
  if (ks.empty()) return {};
  std::vector<TextTable::Column> columns = {{"#", Align::kRight}, {"variant"}};
  for (const std::uint64_t k : ks)
    columns.push_back(
        {k == 1 ? std::string("passes in 1 try") : fmt::format("in one of {}", k), Align::kRight});
  TextTable table(std::move(columns));
  const std::vector<std::string> names = SpokenNames(suite);
  const std::vector<PassesAtK> passes = PassesAtEach(suite, counts, ks);
  std::vector<std::string> row;
  bool leaves_any_out = false;
  for (const PassesAtK& each : passes) {
    if (row.empty()) row = {std::to_string(each.variant + 1), Printable(names[each.variant])};
    row.push_back(PassAtKCell(each));
    leaves_any_out = leaves_any_out || each.left_out > 0;
    if (row.size() < ks.size() + 2) continue;
    table.Add(std::move(row));
    row.clear();
  }
  return "\n" + table.Text(screen) +
         (leaves_any_out ? "left out: cases with fewer scored attempts than tries\n" : "");
}

std::string FactorText(const Suite& suite, const CaseScores& scores) {
  std::string text;
  for (const FactorEffect& effect : FactorEffects(suite, scores))
    text +=
        fmt::format("{} Over {} of variants.\n", Printable(effect.sentence), Counted(effect.pairs, "pair"));
  return text;
}

}  // namespace assay
