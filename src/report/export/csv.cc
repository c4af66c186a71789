// Exports CSV tables for spreadsheets and data frames (RFC 4180, UTF-8, a header line): cells, answers,
// checks. A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay
// numbers.
#include <fmt/core.h>

#include <algorithm>

#include "report/decide/groups/group_tables.h"
#include "report/export/cells.h"
#include "report/export/csv_fields.h"
#include "report/export/kept_columns.h"
#include "report/fold/named_shares.h"
#include "report/values/points.h"
#include "report/values/words/served.h"
#include "spec/score/item_words.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::string_view kBegin = "run,case,variant,model,attempt";

// Lines that begin and end as all of them do: run, case, variant, model, attempt, and how far a run came that
// was stopped when it was decided.
class Lines {
 public:
  // `head`: the columns behind those with which all lines begin.
  Lines(const Report& report, std::string_view head, Sink& sink)
      : suite_(*report.suite),
        sink_(sink),
        run_(CsvField(report.run.run_id)),
        end_("," + CsvField(report.stopped) + "\n"),
        out_(fmt::format("{},{},stopped\n", kBegin, head)) {
    for (const Variant& variant : suite_.variants)
      variants_.push_back(fmt::format("{},{}", CsvField(variant.id), CsvField(variant.model_id)));
  }

  std::string& out() { return out_; }

  void Begin(const Cell& cell) {
    if (case_.empty() || cell.case_index != case_index_) {
      case_index_ = cell.case_index;
      case_ = fmt::format("{},{},", run_, CsvField(suite_.cases[case_index_].id));
    }
    out_ += case_;
    out_ += variants_[cell.variant];
    fmt::format_to(std::back_inserter(out_), ",{}", cell.attempt + 1);
  }
  Status End() {
    out_ += end_;
    return out_.size() < kExportPieceBytes ? Ok() : Flush();
  }
  Status Flush() {
    const Status written = sink_.Write(out_);
    out_.clear();
    return written;
  }

 private:
  const Suite& suite_;
  Sink& sink_;
  std::string run_;
  std::string end_;  // of each line
  std::vector<std::string> variants_;
  CaseIndex case_index_ = 0;
  std::string case_;  // what lines of the case begin with
  std::string out_;
};

void AppendState(const Suite& suite, const Cell& cell, const PassRule& pass, std::string& out) {
  out += ',';
  out += CellStateName(cell.state);
  out += ',';
  if (cell.state == CellState::kScored) AppendNumber(cell.score, out);
  out += cell.state != CellState::kScored ? "," : IsPassed(suite, cell, pass) ? ",true" : ",false";
}

// What the check says, and of what is missed why. Of several judges what each of them says.
std::string ReasonWords(const Score& score) {
  if (score.evidence.size() > 1) {
    if (std::string words = JudgesWords(score); !words.empty()) return words;
  }
  const std::string reason = score.failed() ? std::string() : ReasonOf(score);
  return reason.empty() ? score.explanation : reason;
}

// Whether some answer may be of another model than the variant's own; else no cell's record is read for it.
bool MayStandIn(const Report& report) {
  const std::vector<ServedCount>& served = report.totals.served;
  const std::vector<Variant>& variants = report.suite->variants;
  return std::any_of(served.begin(), served.end(), [](const ServedCount& each) { return each.is_other; }) ||
         std::any_of(variants.begin(), variants.end(),
                     [](const Variant& variant) { return !variant.fallbacks.empty(); });
}

constexpr std::string_view kUseColumns = "seconds,cost_usd,input_tokens,output_tokens,parameters";

// "group,group.2,cluster": at least one group, so that the columns of a suite without any are the same.
std::string GroupColumns(std::size_t dimensions) {
  std::string columns;
  for (std::size_t d = 0; d < dimensions; ++d) columns += DimensionName(d) + ",";
  return columns + "cluster";
}

// In which groups the case is reported, and which cases were drawn together.
void AppendGroups(const Case& the_case, std::size_t dimensions, std::string& out) {
  const std::vector<std::string>& groups = the_case.groups;
  for (std::size_t d = 0; d < dimensions; ++d) {
    out += ',';
    if (d < groups.size()) AppendField(groups[d], out);
  }
  out += ',';
  AppendField(*the_case.cluster, out);
}

// A column for each name of criteria; empty where the cell has no score of it.
void AppendShares(const std::vector<std::string>& names, const Case& the_case, const Cell& cell,
                  std::string& out) {
  if (names.empty()) return;
  const std::vector<NamedShare> shares = NamedSharesOf(the_case.checks, cell.record.scores);
  for (const std::string& name : names) {
    out += ',';
    const auto found = std::find_if(shares.begin(), shares.end(),
                                    [&name](const NamedShare& each) { return each.name == name; });
    if (found != shares.end()) AppendNumber(found->share, out);
  }
}

// What the answer took, and how its variant asks.
void AppendUse(const AnswerTook* took, std::string_view parameters, std::string& out) {
  out += ',';
  if (took != nullptr && took->seconds) AppendNumber(*took->seconds, out);
  out += ',';
  if (took != nullptr && took->usd) AppendNumber(*took->usd, out);
  const bool has_tokens = took != nullptr && took->has_tokens;
  out += has_tokens ? fmt::format(",{},{},", took->input_tokens, took->output_tokens) : ",,,";
  AppendField(parameters, out);
}

}  // namespace

Status ExportCsv(const Report& report, const ExportAsk& ask, Sink& sink) {
  const Suite& suite = *report.suite;
  const std::size_t dimensions = std::max<std::size_t>(CountDimensions(suite), 1);
  const std::vector<std::string> kept = KeptColumns(suite);
  std::string kept_columns;
  for (const std::string& column : kept) kept_columns += "," + CsvField("row." + column);
  const std::vector<std::string> names = NamesOfShares(report);
  for (const std::string& name : names) kept_columns += "," + CsvField("score." + name);
  Lines lines(report,
              fmt::format("state,score,passed,weight,{},{},answered_by{}", kUseColumns,
                          GroupColumns(dimensions), kept_columns),
              sink);
  ASSAY_TRY(const AnswerUses uses, AnswerUses::Of(report, ask));
  const std::vector<std::string> parameters = ParametersTexts(suite);
  const bool may_stand_in = MayStandIn(report);
  const CellParts of_models = may_stand_in ? CellParts::kGrades : CellParts::kOutcome;
  const CellParts parts = names.empty() ? of_models : CellParts::kScores;
  ASSAY_CHECK_OK(report.for_each_cell(CellsOf(ask), parts, [&](const Cell& cell) {
    lines.Begin(cell);
    AppendState(suite, cell, ask.pass, lines.out());
    const Case& the_case = suite.cases[cell.case_index];
    lines.out() += ',';
    AppendNumber(the_case.weight * the_case.full_score.value_or(1), lines.out());
    AppendUse(uses.Find(cell), parameters[cell.variant], lines.out());
    AppendGroups(the_case, dimensions, lines.out());
    lines.out() += ',';
    if (may_stand_in) AppendField(AnsweredBy(cell.record), lines.out());
    for (const std::string& column : kept) {
      lines.out() += ',';
      AppendField(KeptText(column, the_case), lines.out());
    }
    AppendShares(names, the_case, cell, lines.out());
    return lines.End();
  }));
  return lines.Flush();
}

Status ExportAnswersCsv(const Report& report, const ExportAsk& ask, Sink& sink) {
  Lines lines(report, "state,score,passed,answer,error,reason", sink);
  ASSAY_CHECK_OK(report.for_each_cell(CellsOf(ask), CellParts::kAll, [&](const Cell& cell) {
    lines.Begin(cell);
    std::string& out = lines.out();
    AppendState(*report.suite, cell, ask.pass, out);
    const Transcript& transcript = cell.record.transcript;
    const bool has_answer = cell.state != CellState::kSkipped && transcript.error.empty();
    out += ',';
    if (has_answer) AppendField(transcript.SubjectText(), out);
    out += ',';
    AppendField(transcript.error, out);
    out += ',';
    if (has_answer) AppendField(WhyOf(*report.suite, cell), out);
    if (IsLeftByDecision(report, cell)) out += kDecided;
    return lines.End();
  }));
  return lines.Flush();
}

Status ExportItemsCsv(const Report& report, const ExportAsk& ask, Sink& sink) {
  Lines lines(report, "check,kind,text,item,wanted,found,unwanted,share,points,weight,sentence", sink);
  ASSAY_CHECK_OK(report.for_each_cell(CellsOf(ask), CellParts::kScores, [&](const Cell& cell) -> Status {
    Case extracted;
    const Case& the_case = CheckedCase(*report.suite, cell, extracted);
    for (std::size_t i = 0; i < std::min(cell.record.scores.size(), the_case.checks.size()); ++i) {
      const Check& check = the_case.checks[i];
      std::size_t number = 0;
      for (const ScoreItem& item : cell.record.scores[i].items) {
        if (item.is_remark()) continue;
        lines.Begin(cell);
        std::string& out = lines.out();
        fmt::format_to(std::back_inserter(out), ",{},{},{},{},{},{},{},", i + 1, CsvField(check.kind),
                       CsvField(check.text), ++number, CsvField(item.wanted), CsvField(item.found),
                       item.is_unwanted);
        for (const double value : {item.share, item.points, item.weight}) {
          AppendNumber(value, out);
          out += ',';
        }
        AppendField(item.sentence, out);
        ASSAY_CHECK_OK(lines.End());
      }
    }
    return Ok();
  }));
  return lines.Flush();
}

Status ExportCheckCsv(const Report& report, const ExportAsk& ask, Sink& sink) {
  Lines lines(report, "check,kind,text,not,weight,state,score,max,votes,reason,error", sink);
  ASSAY_CHECK_OK(report.for_each_cell(CellsOf(ask), CellParts::kScores, [&](const Cell& cell) -> Status {
    Case extracted;
    const Case& the_case = CheckedCase(*report.suite, cell, extracted);
    for (std::size_t i = 0; i < std::min(cell.record.scores.size(), the_case.checks.size()); ++i) {
      const Score& score = cell.record.scores[i];
      const Check& check = the_case.checks[i];
      const bool is_scored = score.state == ScoreState::kScored;
      lines.Begin(cell);
      std::string& out = lines.out();
      fmt::format_to(std::back_inserter(out), ",{},{},{},{},", i + 1, CsvField(check.kind),
                     CsvField(check.text), check.invert);
      AppendNumber(check.weight, out);
      out += fmt::format(",{},", ScoreStateName(score.state));
      if (is_scored) AppendNumber(score.value, out);
      out += ',';
      AppendNumber(score.max, out);
      fmt::format_to(std::back_inserter(out), ",{},{},{}", score.evidence.size(),
                     CsvField(ReasonWords(score)), CsvField(score.error));
      ASSAY_CHECK_OK(lines.End());
    }
    return Ok();
  }));
  return lines.Flush();
}

}  // namespace assay
