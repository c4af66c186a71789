// Formats the attempts of a case: answer, points with their items, votes and reasons, thoughts and traces.
#include "cli/terminal/views/case_view.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "base/errors/near_id.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/ui.h"
#include "cli/terminal/views/passages_view.h"
#include "cli/terminal/views/results_view.h"
#include "cli/terminal/views/turn_view.h"
#include "report/decide/factors.h"
#include "report/fold/cell_counts.h"
#include "report/values/cells.h"
#include "report/values/failures.h"
#include "report/values/held_bytes.h"
#include "report/values/points.h"
#include "report/values/words/case_names.h"
#include "spec/score/item_words.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentence_parts.h"
#include "text/found.h"

namespace assay {

namespace {

constexpr std::size_t kAnswerColumnsMax = 60;

std::string ScoreText(const Score& score) {
  if (score.state == ScoreState::kScored)
    return score.max == 1 ? ScorePoints(score.value) : fmt::format("{:g} of {:g}", score.value, score.max);
  return std::string(ScoreStateName(score.state));
}

AttemptIndex AttemptsOf(const Suite& suite, CaseIndex index) {
  return suite.cases[index].attempts.value_or(suite.attempts);
}

// "1 of 2": what an item gave.
std::string ItemScore(const ScoreItem& item) {
  return item.is_alone() || item.is_remark() ? std::string()
                                             : fmt::format("{:g} of {:g}", item.points, item.weight);
}

std::string ItemReason(const ScoreItem& item) {
  const std::string found = FoundText(item);
  if (found.empty() || item.sentence.empty()) return found + item.sentence;
  return found + "; " + item.sentence;
}

// "[25, 50, 100; 1 against its words] ": what a judge gave each time, and what of it is strange.
std::string VotesText(const Evidence& voice) {
  std::string text;
  for (const double vote : voice.votes) text += (text.empty() ? "" : ", ") + ScorePoints(vote);
  if (voice.against > 0)
    text += fmt::format("{}{} against its words", text.empty() ? "" : "; ", voice.against);
  return text.empty() ? text : fmt::format("[{}] ", text);
}

// The criteria of one attempt; below each what it is made of, and what every judge said of it.
std::string PointTable(const Pair& alone, const Suite& suite, const Screen& screen) {
  const Case& the_case = alone.GradedCase(suite);
  TextTable table({{"score", Align::kRight}, {"criterion"}, {"reason"}});
  for (std::size_t i = 0; i < alone.shown->scores.size(); ++i) {
    const Score& score = alone.shown->scores[i];
    // What several judges say is below the criterion, each on a line of its own.
    const std::string reason = score.failed() ? score.error
                               : score.evidence.size() > 1 && !JudgesWords(score).empty()
                                   ? fmt::format("{} judges:", score.evidence.size())
                                   : score.explanation;
    table.Add({ScoreText(score),
               fmt::format("{}{}", the_case.checks[i].invert ? "not: " : "",
                           Printable(PointText(the_case.checks[i]))),
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
  return table.empty() ? std::string() : table.Text(screen);
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

// What tools of its service found for the answer.
std::string SourcesText(const Transcript& transcript) {
  std::string text;
  for (const Value& citation : transcript.citations) {
    text += text.empty() ? "sources:\n" : "";
    std::string line;
    for (const std::string_view name : {"title", "url"}) {
      if (const std::string* part = FindText(citation, name))
        line += (line.empty() ? "" : " · ") + Printable(*part);
    }
    text += fmt::format("  {}\n", line);
  }
  return text;
}

// Indents all lines after the first by two spaces, which sets the question apart from the answer.
std::string Indented(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::string lines;
  for (const char c : text) {
    lines += c;
    if (c == '\n') lines += "  ";
  }
  return lines;
}

// What was sent where that is not the case's own turns: a program's or an agent's question with its
// documents, or one of several ways to ask.
std::string AskedAsText(const Transcript& transcript, const Case& the_case) {
  std::string text;
  std::size_t own = 0;
  for (const Message& message : transcript.history) {
    if (message.role != Role::kUser) continue;
    while (own < the_case.turns.size() && the_case.turns[own].role != Role::kUser) ++own;
    const bool is_own = own < the_case.turns.size() && the_case.turns[own].text == message.text;
    if (own < the_case.turns.size()) ++own;
    if (!is_own) text += fmt::format("asked as: {}\n", Indented(PrintableLines(message.text)));
  }
  return text;
}

// What the first request contained, where it is not what the transcript says: an agent's own prompt, its
// question with what it gathered, and its tools.
std::string SentText(const SentWords& sent) {
  std::string text;
  for (const Message& message : sent.messages) {
    if (message.role == Role::kUser) {
      text += fmt::format("asked as: {}\n", Indented(PrintableLines(message.text)));
    } else {
      text += fmt::format("{}: {}\n", RoleName(message.role), PrintableLines(message.text));
    }
  }
  std::string tools;
  for (const std::string& tool : sent.tools) tools += (tools.empty() ? "" : ", ") + Printable(tool);
  return text + fmt::format("tools: {}\n", tools.empty() ? "none" : tools);
}

std::string AskedWords(AttemptIndex attempt, const Pair& alone, const Case& the_case,
                       const ShownCells& shown) {
  const Transcript& transcript = alone.shown->transcript;
  if (shown.sent != nullptr) {
    const auto sent = shown.sent->find({alone.variant, attempt});
    if (sent != shown.sent->end() && !IsSaidIn(sent->second, transcript)) return SentText(sent->second);
  }
  return AskedAsText(transcript, the_case);
}

// Who answered, where the reply says so: "answered by gpt-4o-2024-11-20 (fp_1), not gpt-4o".
std::string ServedText(const AttemptRecord& record) {
  std::string text;
  for (const ServedAs& served : record.served) {
    if (served.by.model.empty()) continue;
    std::string line = Printable(served.by.model);
    if (!served.by.fingerprint.empty()) line += fmt::format(" ({})", Printable(served.by.fingerprint));
    if (!served.by.via.empty()) line += " at " + Printable(served.by.via);
    const std::string_view asked = std::string_view(served.by.asked).substr(served.by.asked.find(':') + 1);
    if (served.by.is_other) line += fmt::format(", which is not {}", Printable(asked));
    text += fmt::format("{} by {}\n",
                        served.role == RequestRole::kCandidate
                            ? std::string("answered")
                            : std::string(RequestRoleName(served.role)) + " answered",
                        line);
  }
  return text;
}

// `name`: of the variant.
Result<std::string> AttemptText(AttemptIndex attempt, const Pair& alone, const std::string& name,
                                const Suite& suite, const ShownCells& shown, DocumentTexts& texts) {
  std::string text = fmt::format("\n{}", Printable(name));
  const AttemptIndex attempts = AttemptsOf(suite, alone.case_index);
  if (attempts > 1) text += fmt::format(" · attempt {} of {}", attempt + 1, attempts);
  text += fmt::format(" · {}\n", InColorOfState(PairText(alone, suite, shown.pass), shown.screen));
  const Transcript& transcript = alone.shown->transcript;
  ASSAY_TRY(const std::string passages,
            PassagesText(*alone.shown, suite.cases[alone.case_index], texts, shown.all_thoughts));
  if (!alone.answered()) {
    const std::string& cause = transcript.error_class;
    return text +
           fmt::format("no answer{}: {}\n", cause.empty() ? "" : fmt::format(" ({})", Printable(cause)),
                       Printable(transcript.error)) +
           AskedWords(attempt, alone, suite.cases[alone.case_index], shown) +
           TraceText(transcript.told, shown.all_thoughts) + passages;
  }
  if (const std::string& by = transcript.answered_by; !by.empty())
    text += fmt::format("answered by {}, which stood in\n", Printable(by));
  text += ServedText(*alone.shown);
  text += AskedWords(attempt, alone, suite.cases[alone.case_index], shown);
  text += ThoughtsText(transcript, shown.all_thoughts);
  text += PrintableLines(transcript.SubjectText()) + "\n" + SourcesText(transcript);
  if (transcript.is_cut) text += "cut here: the answer came to its limit of tokens\n";
  if (!alone.shown->grading_error.empty())
    text += fmt::format("not graded: {}\n", Printable(alone.shown->grading_error));
  return text + PointTable(alone, suite, shown.screen) + TraceText(transcript.told, shown.all_thoughts) +
         passages;
}

}  // namespace

std::string CaseCell(const Case& the_case) {
  constexpr std::size_t kColumnsMax = 48;
  if (!IsMadeId(the_case.id)) return Printable(the_case.id);
  return CutToWidth(Printable(SpokenCase(the_case)), kColumnsMax);
}

Result<CaseIndex> FindCase(const Report& report, const std::string& id) {
  std::vector<std::string_view> ids;
  for (CaseIndex index = 0; index < report.suite->cases.size(); ++index) {
    if (report.suite->cases[index].id == id) return index;
    ids.push_back(report.suite->cases[index].id);
  }
  // People know "cases/loop.yaml" as "loop".
  const auto is_named = [&id](std::string_view each) { return NameOfId(each) == id; };
  const auto named = std::find_if(ids.begin(), ids.end(), is_named);
  if (named != ids.end() && std::none_of(named + 1, ids.end(), is_named))
    return static_cast<CaseIndex>(named - ids.begin());
  return Error{ErrorCode::kNotFound, fmt::format("the run has no case {}{}", Quoted(id), IdHint(id, ids))};
}

Result<std::string> CaseText(const Report& report, CaseIndex index, const ShownCells& shown) {
  const Suite& suite = *report.suite;
  const Case& the_case = suite.cases[index];
  std::string text = fmt::format("case {}\n", Printable(SpokenCase(the_case)));
  if (const std::string cited = CitationText(the_case.citation); !cited.empty())
    text += fmt::format("citation: {}\n", Printable(cited));
  for (const Turn& turn : the_case.turns) {
    if (turn.kind == TurnKind::kText)
      text += fmt::format("{}: {}\n", RoleName(turn.role), PrintableLines(turn.text));
  }
  ASSAY_TRY(const std::string answers, AnswersText(report, index, shown));
  return text + answers;
}

Result<std::string> AnswersText(const Report& report, CaseIndex index, const ShownCells& shown) {
  const Suite& suite = *report.suite;
  std::string text;
  DocumentTexts texts(report);
  GatheredBytes gathered(suite.cases[index].id);
  const std::vector<std::string> names = SpokenNames(suite);
  const CellRange range = CellRange::OfCase(index);
  ASSAY_CHECK_OK(ForEachAttemptIn(
      report, range, CellParts::kAll, [&](AttemptIndex attempt, const Pair& alone) -> Status {
        const bool is_meant = !shown.variant || alone.variant == *shown.variant;
        if (!is_meant || (shown.only_failed && PairPassed(alone, suite, shown.pass))) return Ok();
        ASSAY_TRY(const std::string of_attempt,
                  AttemptText(attempt, alone, names[alone.variant], suite, shown, texts));
        text += of_attempt;
        return gathered.Add(of_attempt.size());
      }));
  return text;
}

Result<std::string> AttemptTable(const Report& report, const PassRule& pass, const Screen& screen) {
  const Suite& suite = *report.suite;
  const std::vector<std::string> names = SpokenNames(suite);
  TextTable table({{"case"}, {"variant"}, {"attempt", Align::kRight}, {"score", Align::kRight}, {"answer"}});
  for (CaseIndex index = 0; index < suite.cases.size(); ++index) {
    const CellRange range = CellRange::OfCase(index);
    ASSAY_CHECK_OK(
        ForEachAttemptIn(report, range, CellParts::kAll, [&](AttemptIndex attempt, const Pair& alone) {
          const Transcript& said = alone.shown->transcript;
          table.Add(
              {CaseCell(suite.cases[index]), Printable(names[alone.variant]), std::to_string(attempt + 1),
               PairText(alone, suite, pass),
               CutToWidth(Printable(alone.answered() ? said.SubjectText() : said.error), kAnswerColumnsMax)});
          return Ok();
        }));
  }
  return table.Text(screen) + PassMarkText(suite, pass);
}

}  // namespace assay
