// Exports Markdown: who leads, the ranking, and what failed; for people, and for the step summary of GitHub
// Actions, which holds at most a mebibyte.
#include <fmt/core.h>

#include <memory>

#include "base/text/printable.h"
#include "base/text/utf8.h"

#include "report/decide/factors.h"
#include "report/decide/groups/group_tables.h"
#include "report/decide/run_statistics.h"
#include "report/decide/until/last_looks.h"
#include "report/export/cells.h"
#include "report/export/markdown_text.h"
#include "report/values/words/served.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentence_parts.h"
#include "statistics/decisions/sentences.h"
#include "statistics/sequential/stop_sentences.h"

namespace assay {

std::string MarkdownCell(std::string_view text) {
  constexpr std::string_view kMarks = "|\\`*_<>[]&#~$";
  std::string cell;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    const std::string_view bytes = text.substr(at, next.size_bytes);
    at += next.size_bytes;
    if (const char32_t c = next.code_point; c < U' ' || c == 0x7f) {
      cell += ' ';
    } else if ((c > 0x7f && c < 0xa0) || (IsInvisible(c) && !IsJoiner(c))) {
      AppendPrintable(c, cell);
    } else {
      if (bytes.size() == 1 && kMarks.find(bytes[0]) != std::string_view::npos) cell += '\\';
      cell += bytes;
    }
  }
  return cell;
}

namespace {

constexpr std::size_t kLongListMax = 1000;
constexpr std::size_t kSummaryListMax = 50;
constexpr std::size_t kReasonBytesMax = 300;

std::string IntervalCell(const MeanEstimate& estimate) {
  if (!estimate.interval) return "–";
  return IntervalPoints(*estimate.interval);
}

// " 66.7 |": the mean over all attempts of each case, where the ranking is by another value.
std::string PlainMeanCell(const CaseScores& scores, std::size_t variant) {
  const std::optional<double> mean = EstimateMean(scores.plain[variant], scores.design()).mean;
  return fmt::format(" {} |", mean ? MeanPoints(*mean) : "–");
}

std::string PassedCell(const RunStatistics& statistics, VariantNumber variant) {
  return PercentText(PassRateOf(statistics, std::span(&variant, 1)).mean);
}

std::string RankingTable(const Report& report, const RunStatistics& statistics, const ExportAsk& ask) {
  const Standings& standings = statistics.standings;
  const Ranking& ranking = standings.ranking;
  const CaseScores& scores = standings.scores;
  const bool is_reduced = scores.is_reduced();
  const std::vector<std::string> names = TableNames(*report.suite);
  std::string text = fmt::format(
      "| rank | variant | {} | {} |{} passed | scored | partial | errors | unscored | skipped |\n"
      "|---:|---|---:|---:|{}---:|---:|---:|---:|---:|---:|\n",
      scores.title, statistics.is_early ? "95 %, whole suite" : "95 %", is_reduced ? " mean |" : "",
      is_reduced ? "---:|" : "");
  const auto add = [&](std::size_t variant, const std::string& rank, const std::string& mean,
                       const std::string& interval) {
    if (ask.variant && *ask.variant != variant) return;
    const VariantSummary& summary = report.variants[variant];
    text += fmt::format("| {} | {} | {} | {} |{} {} | {} | {} | {} | {} | {} |\n", rank,
                        MarkdownCell(names[variant]), mean, interval,
                        is_reduced ? PlainMeanCell(scores, variant) : "", PassedCell(statistics, variant),
                        summary.scored, summary.partial, summary.errors, summary.unscored, summary.skipped);
  };
  for (const RankPlace& place : ranking.places)
    add(place.variant, RankText(place), MeanPoints(place.estimate.mean.value_or(0)),
        IntervalCell(place.estimate));
  for (const VariantNumber variant : ranking.unranked) add(variant, "–", "–", "–");
  return text;
}

// "75.0 | 30 to 95 | 61 %" and what the row counts.
std::string GroupRow(std::string_view group, const std::string& name, const std::string& cases,
                     const std::optional<double>& mean, const std::optional<Interval>& interval,
                     const std::optional<double>& passed) {
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n", MarkdownCell(group), MarkdownCell(name), cases,
                     mean ? MeanPoints(*mean) : "–", interval ? IntervalPoints(*interval) : "–",
                     PercentText(passed));
}

std::string GroupRows(const GroupTable& table, const std::vector<VariantIndex>& variants,
                      const std::vector<std::string>& names) {
  std::string text;
  const auto add = [&](std::string_view group, const std::string& name, const PartMean& part) {
    std::string cases = std::to_string(part.score.cases);
    if (part.left_out > 0) cases += fmt::format(" ({} left out)", part.left_out);
    text += GroupRow(group, name, cases, part.score.mean, part.score.interval, part.passes.mean);
  };
  for (std::size_t g = 0; g < table.split.names.size(); ++g) {
    for (const VariantIndex v : variants) add(table.split.names[g], names[v], table.variants[v].groups[g]);
  }
  for (const VariantIndex v : variants) add("micro (all cases)", names[v], table.variants[v].micro);
  for (const VariantIndex v : variants) {
    const MacroMean& macro = *table.variants[v].macro;
    text += GroupRow("macro (mean of groups)", names[v], fmt::format("{} groups", macro.score.groups),
                     macro.score.mean, macro.score.interval, macro.passes.mean);
  }
  return text;
}

// The suite's own groups, as far as there is room.
std::string GroupsTables(const Report& report, const RunStatistics& statistics, const ExportAsk& ask,
                         std::size_t rows_max) {
  std::string text;
  const std::vector<std::string> names = TableNames(*report.suite);
  const std::vector<VariantIndex> variants = VariantsOf(report, ask);
  for (const GroupTable& table : GroupTablesOf(*report.suite, statistics, GroupBy::kGroup)) {
    if (table.variants.empty() || table.split.names.size() * variants.size() > rows_max) continue;
    text += fmt::format("\n| {} | variant | cases | {} | 95 % | passed |\n|---|---|---:|---:|---:|---:|\n{}",
                        table.split.by, statistics.standings.scores.title, GroupRows(table, variants, names));
  }
  return text;
}

// How often one of k attempts passes; "" where neither suite nor user names a k.
std::string TriesTable(const Report& report, const RunStatistics& statistics, const ExportAsk& ask) {
  const Suite& suite = *report.suite;
  const std::vector<std::uint64_t> tries = TriesToTell(suite, {});
  if (tries.empty()) return {};
  std::string head = "\n| variant |";
  std::string line = "|---|";
  for (const std::uint64_t k : tries) {
    head += fmt::format(" pass@{} |", k);
    line += "---:|";
  }
  std::string text = head + "\n" + line + "\n";
  const std::vector<std::string> names = TableNames(suite);
  for (const VariantIndex v : VariantsOf(report, ask)) {
    text += fmt::format("| {} |", MarkdownCell(names[v]));
    for (const std::uint64_t k : tries) {
      const PassesAtK at =
          PassesAt(suite, statistics.reliability.passes, v, k, statistics.standings.scores.design());
      text += fmt::format(" {}{} |", PercentText(at.passes.any.mean),
                          at.left_out > 0 ? fmt::format(", {} left out", at.left_out) : "");
    }
    text += "\n";
  }
  return text;
}

// What a run that ended early saw last of each pair; "" of any other.
std::string LastLooksTable(const Report& report, const RunStatistics& statistics) {
  const std::vector<LastLook> looks =
      statistics.is_early ? LastLooksOf(*report.until) : std::vector<LastLook>();
  if (looks.empty()) return {};
  std::string text =
      "\n| difference | cases | 95 %, whole suite | 95 %, cases of this kind | state |\n"
      "|---|---:|---:|---:|---|\n";
  for (const LastLook& each : looks) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", MarkdownCell(each.pair), each.cases,
                        LimitsText(each.suite), LimitsText(each.world), PairStateName(each.state));
  }
  return text;
}

// Each gate that was asked for, in a line.
std::string GateList(std::span<const GateResult> gates) {
  std::string text;
  for (const GateResult& gate : gates) {
    text += fmt::format("\n- **{} gate**{} against {}: {}", MarkdownCell(gate.kind),
                        gate.variant.empty() ? "" : ", " + MarkdownCell(gate.variant),
                        MarkdownCell(gate.base), MarkdownCell(gate.line));
  }
  return text.empty() ? text : text + "\n";
}

// A line for each model that another one answered for; of one variant, its own.
std::string ServedList(const Report& report, const ExportAsk& ask) {
  RunTotals totals = report.totals;
  std::erase_if(totals.served, [&ask](const ServedCount& served) {
    return ask.variant && served.role == RequestRole::kCandidate && served.variant != *ask.variant;
  });
  std::string text;
  for (const std::string& line : OtherModelLines(totals))
    text += fmt::format("\n- **another model**: {}", MarkdownCell(line));
  if (const std::string line = UnnamedLine(totals); !line.empty())
    text += fmt::format("\n- **models**: {}", MarkdownCell(line));
  for (const std::string& line : ProgramModelLines(*report.suite, totals))
    text += fmt::format("\n- **model**: {}", MarkdownCell(line));
  return text.empty() ? text : text + "\n";
}

// From which score on an attempt passes and, where there are several, how many of them have to.
std::string PassLine(const Suite& suite, const PassRule& pass) {
  const std::string attempts =
      HasSeveralAttempts(suite) ? fmt::format(" A case passes if {}.", ShareWords(pass)) : std::string();
  return fmt::format("\nAn answer passes with {}.{}\n", MarkWords(pass, suite), attempts);
}

struct FailedList {
  std::string rows;
  std::size_t count = 0;
};

Result<FailedList> FailedGroups(const Report& report, const ExportAsk& ask, std::size_t rows_max) {
  FailedList failed;
  const std::vector<std::string> names = TableNames(*report.suite);
  ASSAY_CHECK_OK(ForEachGroup(report, ask, CellParts::kScores, [&](const CellGroup& group) {
    const GroupVerdict verdict = VerdictOfGroup(*report.suite, group, ask.pass);
    const bool is_bad =
        verdict.state == CellState::kError || (verdict.state == CellState::kScored && !verdict.is_passed);
    if (!is_bad || failed.count++ >= rows_max) return Ok();
    std::string why;
    for (const Cell& cell : group.attempts) {
      if (why.empty() && !IsPassed(*report.suite, cell, ask.pass)) why = WhyOf(*report.suite, cell);
    }
    const bool is_error = verdict.state == CellState::kError;
    failed.rows +=
        fmt::format("| {} | {} | {} | {} |\n", MarkdownCell(report.suite->cases[group.case_index].id),
                    MarkdownCell(names[group.variant]), is_error ? "error" : ScorePoints(verdict.mean),
                    MarkdownCell(CutToBytes(why, kReasonBytesMax)));
    return Ok();
  }));
  return failed;
}

// Of one variant what it scores.
std::string HeadlineOf(const Report& report, const Standings& standings, const ExportAsk& ask) {
  const bool is_early = report.until != nullptr && report.until->is_early();
  if (!ask.variant || is_early) return standings.verdict();
  const MeanEstimate estimate =
      EstimateMean(standings.scores.samples[*ask.variant], standings.scores.design());
  return MeanSentence(SpokenNames(*report.suite)[*ask.variant], estimate);
}

Result<std::string> Text(const Report& report, const ExportAsk& ask, std::string_view title_mark,
                         std::size_t rows_max) {
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> statistics, StatisticsOf(report, ask.pass));
  const Suite& suite = *report.suite;
  std::string text = fmt::format(
      "{} {}\n\n**{}**\n\n{}", title_mark, MarkdownCell(suite.title.empty() ? suite.id : suite.title),
      MarkdownCell(HeadlineOf(report, statistics->standings, ask)), RankingTable(report, *statistics, ask));
  text += LastLooksTable(report, *statistics);
  text += GroupsTables(report, *statistics, ask, rows_max) + TriesTable(report, *statistics, ask);
  text += PassLine(suite, ask.pass) + ServedList(report, ask) + GateList(ask.gates);
  ASSAY_TRY(const FailedList failed, FailedGroups(report, ask, rows_max));
  if (failed.count > 0) {
    text += fmt::format("\nFailed: {} (they do not pass, or are errors)\n\n", failed.count);
    text += "| case | variant | score | why |\n|---|---|---:|---|\n" + failed.rows;
    if (failed.count > rows_max) text += fmt::format("\n… and {} more\n", failed.count - rows_max);
  }
  const std::size_t variants = VariantsOf(report, ask).size();
  const std::uint64_t foreign = report.totals.foreign_replies;
  const std::string theirs = foreign == 0 ? std::string()
                                          : fmt::format(" · {} {} that this user did not make", foreign,
                                                        foreign == 1 ? "reply" : "replies");
  const std::string part = report.until != nullptr ? AskedPartText(*report.until) : std::string();
  return text + fmt::format("\nrun {} · {} {} × {} {}{}{}{}\n", MarkdownCell(report.run.run_id),
                            suite.cases.size(), suite.cases.size() == 1 ? "case" : "cases", variants,
                            variants == 1 ? "variant" : "variants", part.empty() ? "" : " · ", part, theirs);
}

}  // namespace

Status ExportMarkdown(const Report& report, const ExportAsk& ask, Sink& sink) {
  ASSAY_TRY(const std::string text, Text(report, ask, "#", kLongListMax));
  return sink.Write(text);
}

Status ExportGithubSummary(const Report& report, const ExportAsk& ask, Sink& sink) {
  ASSAY_TRY(const std::string text, Text(report, ask, "##", kSummaryListMax));
  return sink.Write(text);
}

}  // namespace assay
