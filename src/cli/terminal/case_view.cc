// Attempts as text and as values.
#include "cli/terminal/case_view.h"

#include <fmt/core.h>

#include "base/diagnostics.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/results_view.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/turn_view.h"
#include "cli/terminal/ui.h"
#include "report/cell_counts.h"
#include "report/export/cells.h"
#include "spec/item_words.h"

namespace assay {

namespace {

constexpr std::size_t kAnswerColumnsMax = 60;

bool Passed(const Pair& pair, double pass_at) {
  if (pair.partial > 0 || pair.marks.point_errors > 0) return false;
  return pair.state == CellState::kUnscored ||
         (pair.state == CellState::kScored && pair.mean().value_or(0) >= pass_at);
}

std::string ScoreText(const Score& score) {
  if (score.state == ScoreState::kScored) return fmt::format("{:.2f}", score.value);
  return std::string(ScoreStateName(score.state));
}

AttemptIndex AttemptsOf(const Suite& suite, CaseIndex index) {
  return suite.cases[index].attempts.value_or(suite.attempts);
}

// "1 of 2": what an item gave.
std::string ItemScore(const ScoreItem& item) {
  return item.is_alone() ? std::string() : fmt::format("{:g} of {:g}", item.points, item.weight);
}

std::string ItemReason(const ScoreItem& item) {
  const std::string found = FoundText(item);
  if (found.empty() || item.sentence.empty()) return found + item.sentence;
  return found + "; " + item.sentence;
}

// "[0.25, 0.5, 1; 1 against its words] ": what a judge gave each time, and what of it is strange.
std::string VotesText(const Evidence& voice) {
  std::string text;
  for (const double vote : voice.votes) text += fmt::format("{}{:g}", text.empty() ? "" : ", ", vote);
  if (voice.against > 0)
    text += fmt::format("{}{} against its words", text.empty() ? "" : "; ", voice.against);
  return text.empty() ? text : fmt::format("[{}] ", text);
}

// A citation as people wrote it: a text, or {title | name, url}; "" if there is none.
std::string CitationText(const Value& citation) {
  if (citation.is_string()) return citation.AsString();
  std::string text;
  for (const std::string_view key : {"title", "name", "url"}) {
    const Value* part = citation.Find(key);
    if (part != nullptr && part->is_string())
      text += fmt::format("{}{}", text.empty() ? "" : ", ", part->AsString());
  }
  return text;
}

// The points of one attempt; below each what it is made of, and what every judge said of it.
std::string PointTable(const Pair& alone, const Suite& suite) {
  const Case& the_case = alone.GradedCase(suite);
  TextTable table({{"score", Align::kRight}, {"point"}, {"reason"}});
  for (std::size_t i = 0; i < alone.shown.scores.size(); ++i) {
    const Score& score = alone.shown.scores[i];
    const std::string& reason = score.failed() ? score.error : score.explanation;
    table.Add(
        {ScoreText(score),
         fmt::format("{}{}", the_case.checks[i].invert ? "not: " : "", Printable(the_case.checks[i].text)),
         Printable(reason)});
    if (const std::string cited = CitationText(the_case.checks[i].citation); !cited.empty())
      table.Add({"", "  citation: " + Printable(cited), ""});
    for (const ScoreItem& item : score.items)
      table.Add({ItemScore(item), "  " + Printable(item.wanted), Printable(ItemReason(item))});
    for (const Evidence& voice : score.evidence) {
      table.Add({ScoreText(Score::Of(voice.value)), "  " + Printable(voice.source),
                 VotesText(voice) + Printable(voice.text)});
    }
  }
  return table.empty() ? std::string() : table.Text();
}

// What the model thought before each of its turns, joined as the turns are.
std::string ThoughtsOf(const Transcript& transcript) {
  std::string text;
  for (const std::string& thoughts : transcript.generated_reasoning) {
    if (!thoughts.empty()) text += (text.empty() ? "" : "\n\n") + thoughts;
  }
  return text;
}

// In a line, or in full.
std::string ThoughtsText(const Transcript& transcript, bool in_full) {
  const std::string thoughts = ThoughtsOf(transcript);
  if (thoughts.empty()) return {};
  if (in_full) return fmt::format("thoughts:\n{}\n", PrintableLines(thoughts));
  const std::string start = CutToWidth(Printable(thoughts.substr(0, thoughts.find('\n'))), kAnswerColumnsMax);
  return fmt::format("▸ thoughts ({} bytes, all of them with --verbose): {}\n", CountText(thoughts.size()),
                     start);
}

std::string AttemptText(AttemptIndex attempt, const Pair& alone, const Suite& suite,
                        const ShownCells& shown) {
  std::string text = fmt::format("\n{}", Printable(suite.variants[alone.variant].id));
  const AttemptIndex attempts = AttemptsOf(suite, alone.case_index);
  if (attempts > 1) text += fmt::format(" · attempt {} of {}", attempt + 1, attempts);
  text += fmt::format(" · {}\n", PairText(alone, shown.pass_at));
  const Transcript& transcript = alone.shown.transcript;
  if (!alone.answered()) {
    const std::string& name = transcript.error_class;
    return text +
           fmt::format("no answer{}: {}\n", name.empty() ? "" : fmt::format(" ({})", Printable(name)),
                       Printable(transcript.error)) +
           TraceText(transcript.told, shown.all_thoughts);
  }
  if (const std::string& by = transcript.answered_by; !by.empty())
    text += fmt::format("answered by {}, which stood in\n", Printable(by));
  text += ThoughtsText(transcript, shown.all_thoughts);
  text += PrintableLines(transcript.SubjectText()) + "\n";
  if (transcript.is_cut) text += "cut here: the answer came to its limit of tokens\n";
  if (!alone.shown.grading_error.empty())
    text += fmt::format("not graded: {}\n", Printable(alone.shown.grading_error));
  return text + PointTable(alone, suite) + TraceText(transcript.told, shown.all_thoughts);
}

Value ItemValues(const std::vector<ScoreItem>& items) {
  List values;
  for (const ScoreItem& item : items) {
    Map value;
    value.Append("wanted", TextOrNull(item.wanted));
    value.Append("found", TextOrNull(FoundText(item)));
    value.Append("note", TextOrNull(item.sentence));
    value.Append("share", item.is_alone() ? Value(Null{}) : NumberOrNull(item.share));
    value.Append("points", item.is_alone() ? Value(Null{}) : NumberOrNull(item.points));
    value.Append("weight", item.is_alone() ? Value(Null{}) : NumberOrNull(item.weight));
    value.Append("program", TextOrNull(item.program));
    values.emplace_back(std::move(value));
  }
  return Value(std::move(values));
}

Value PointValue(const Check& check, const Score& score) {
  Map point = PointMap(check, score);
  point.Append("items", ItemValues(score.items));
  point.Append("citation", TextOrNull(CitationText(check.citation)));
  return point;
}

Value CellValue(AttemptIndex attempt, const Pair& alone, const Suite& suite) {
  const Case& the_case = alone.GradedCase(suite);
  const AttemptRecord& record = alone.shown;
  Map cell;
  cell.Append("case", suite.cases[alone.case_index].id);
  cell.Append("variant", suite.variants[alone.variant].id);
  cell.Append("attempt", static_cast<double>(attempt + 1));
  cell.Append("state", CellStateName(alone.state));
  cell.Append("score", NumberOrNull(alone.mean()));
  cell.Append("missing", static_cast<double>(alone.missing));
  cell.Append("answered_by", TextOrNull(record.transcript.answered_by));
  cell.Append("cut", record.transcript.is_cut);
  cell.Append("answer", alone.answered() ? Value(record.transcript.SubjectText()) : Value(Null{}));
  cell.Append("reasoning", TextOrNull(ThoughtsOf(record.transcript)));
  cell.Append("error_class", TextOrNull(record.transcript.error_class));
  cell.Append("error", TextOrNull(alone.answered() ? record.grading_error : record.transcript.error));
  List points;
  for (std::size_t i = 0; i < record.scores.size(); ++i)
    points.push_back(PointValue(the_case.checks[i], record.scores[i]));
  cell.Append("points", std::move(points));
  cell.Append("trace", TraceValue(record.transcript.told));
  return cell;
}

// Why a pair is where it is, in a line.
std::string WhyNotPassed(const Pair& pair, const Suite& suite) {
  if (!pair.answered()) return pair.shown.transcript.error;
  if (!pair.shown.grading_error.empty()) return pair.shown.grading_error;
  const Case& the_case = pair.GradedCase(suite);
  for (std::size_t i = 0; i < pair.shown.scores.size(); ++i) {
    const Score& score = pair.shown.scores[i];
    if (score.failed() || (score.state == ScoreState::kScored && score.value < score.max))
      return MissedPoint(the_case.checks[i], score);
  }
  return "";
}

}  // namespace

Result<CaseIndex> FindCase(const Report& report, const std::string& id) {
  std::vector<std::string_view> ids;
  for (CaseIndex index = 0; index < report.suite->cases.size(); ++index) {
    if (report.suite->cases[index].id == id) return index;
    ids.push_back(report.suite->cases[index].id);
  }
  const std::string_view near = DidYouMean(id, ids);
  return Error{ErrorCode::kNotFound, fmt::format("the run has no case {}{}", Quoted(id),
                                                 near.empty() ? "; `assay show RUN` lists them"
                                                              : fmt::format(", did you mean {}?", near))};
}

Result<std::string> CaseText(const Report& report, CaseIndex index, const ShownCells& shown) {
  const Suite& suite = *report.suite;
  const Case& the_case = suite.cases[index];
  std::string text = fmt::format("case {}\n", Printable(the_case.id));
  if (const std::string cited = CitationText(the_case.citation); !cited.empty())
    text += fmt::format("citation: {}\n", Printable(cited));
  for (const Turn& turn : the_case.turns) {
    if (turn.kind == TurnKind::kText)
      text += fmt::format("{}: {}\n", RoleName(turn.role), PrintableLines(turn.text));
  }
  ASSAY_CHECK_OK(
      ForEachAttemptOf(report, index, CellParts::kAll, [&](AttemptIndex attempt, const Pair& alone) {
        if (!shown.only_failed || !Passed(alone, shown.pass_at))
          text += AttemptText(attempt, alone, suite, shown);
        return Ok();
      }));
  return text;
}

Result<Value> CellsValue(const Report& report, CaseIndex index, const ShownCells& shown) {
  List cells;
  ASSAY_CHECK_OK(
      ForEachAttemptOf(report, index, CellParts::kAll, [&](AttemptIndex attempt, const Pair& alone) {
        if (!shown.only_failed || !Passed(alone, shown.pass_at))
          cells.push_back(CellValue(attempt, alone, *report.suite));
        return Ok();
      }));
  return Value(std::move(cells));
}

namespace {

// The pairs that fail by the outcomes of their cells: found without reading any scores, so that a point that
// is an error beside others goes unseen.
Result<std::vector<CellAddress>> PairsBelow(const Report& report, CellRange cells, double pass_at) {
  // Who fails has an attempt that does; a mean of attempts that all pass may be rounded down.
  constexpr double kRounding = 1e-9;
  std::vector<CellAddress> pairs;
  ASSAY_CHECK_OK(report.find_cells({.cells = cells,
                                    .states = {CellState::kScored, CellState::kError, CellState::kPartial},
                                    .below = pass_at + kRounding},
                                   [&pairs](const CellRow& row) {
                                     const CellAddress pair{row.address.case_index, row.address.variant, 0};
                                     if (pairs.empty() || !(pairs.back() == pair)) pairs.push_back(pair);
                                     return Ok();
                                   }));
  return pairs;
}

}  // namespace

Result<std::vector<FailedPair>> FailedPairs(const Report& report, std::optional<CaseIndex> only,
                                            double pass_at) {
  constexpr std::uint64_t kReadCellsMax = 20'000;  // of larger runs only the outcomes are looked at
  std::vector<FailedPair> failed;
  const PairVisitor add = [&](const Pair& pair) {
    if (Passed(pair, pass_at)) return Ok();
    failed.push_back({.case_index = pair.case_index,
                      .variant = pair.variant,
                      .state = pair.state,
                      .score = pair.mean(),
                      .missing = pair.missing,
                      .error_class = pair.shown.transcript.error_class,
                      .reason = WhyNotPassed(pair, *report.suite)});
    return Ok();
  };
  const CellRange cells = only ? CellRange::OfCase(*only) : CellRange::All();
  if (only || report.find_cells == nullptr || CountCells(report).cells <= kReadCellsMax) {
    ASSAY_CHECK_OK(ForEachPairIn(report, cells, CellParts::kScores, add));
    return failed;
  }
  ASSAY_TRY(const std::vector<CellAddress> pairs, PairsBelow(report, cells, pass_at));
  for (const CellAddress& pair : pairs) {
    const CellRange range = CellRange::OfPair(pair.case_index, pair.variant);
    ASSAY_CHECK_OK(ForEachPairIn(report, range, CellParts::kScores, add));
  }
  return failed;
}

Result<std::string> AttemptTable(const Report& report, double pass_at) {
  const Suite& suite = *report.suite;
  TextTable table({{"case"}, {"variant"}, {"attempt", Align::kRight}, {"score", Align::kRight}, {"answer"}});
  for (CaseIndex index = 0; index < suite.cases.size(); ++index) {
    ASSAY_CHECK_OK(
        ForEachAttemptOf(report, index, CellParts::kAll, [&](AttemptIndex attempt, const Pair& alone) {
          const Transcript& said = alone.shown.transcript;
          table.Add(
              {Printable(suite.cases[index].id), Printable(suite.variants[alone.variant].id),
               std::to_string(attempt + 1), PairText(alone, pass_at),
               CutToWidth(Printable(alone.answered() ? said.SubjectText() : said.error), kAnswerColumnsMax)});
          return Ok();
        }));
  }
  return table.Text() + PassMarkText(pass_at);
}

}  // namespace assay
