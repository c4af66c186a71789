// JUnit XML, as CI servers read it: a suite for each variant, a test for each case, and one for each gate;
// repeated attempts are properties of it. Failures (too few attempts reach the pass mark), errors (no score)
// and skipped ones are apart.
// Source of the form: the schema that Jenkins and GitLab read, with properties of tests as pytest has them.
#include <fmt/core.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "report/decide/groups/group_tables.h"
#include "report/export/cells.h"
#include "report/values/points.h"
#include "report/values/words/served.h"
#include "spec/score/item_words.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentence_parts.h"

namespace assay {

namespace {

// What XML 1.0 may hold.
bool IsXml(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0xd800) || (c > 0xdfff && c < 0xfffe) ||
         c > 0xffff;
}

std::string Xml(std::string_view text) {
  std::string xml;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(text, at);
    at += decoded.size_bytes;
    switch (decoded.code_point) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      case '\n':
        xml += "&#10;";
        break;
      case '\t':
        xml += "&#9;";
        break;
      case '\r':
        xml += "&#13;";
        break;
      default:
        AppendUtf8(IsXml(decoded.code_point) ? decoded.code_point : U'\ufffd', xml);
    }
  }
  return xml;
}

// Seconds of the answers of a group's attempts, of those that came at once none; nothing where none was
// asked.
std::optional<double> SecondsOf(const CellGroup& group, const AnswerUses& uses) {
  std::optional<double> seconds;
  for (const Cell& cell : group.attempts) {
    const AnswerTook* took = uses.Find(cell);
    if (took != nullptr) seconds = seconds.value_or(0) + took->seconds.value_or(0);
  }
  return seconds;
}

std::string TimeAttribute(const std::optional<double>& seconds) {
  return seconds ? fmt::format(" time=\"{:.3f}\"", *seconds) : std::string();
}

struct SuiteCounts {
  std::uint64_t tests = 0, failures = 0, errors = 0, skipped = 0;
  std::optional<double> seconds = {};
  void Add(const GroupVerdict& verdict) {
    ++tests;
    if (verdict.state == CellState::kScored) {
      failures += verdict.is_passed ? 0 : 1;
    } else if (verdict.state == CellState::kError) {
      ++errors;
    } else {
      ++skipped;
    }
  }
  std::string Attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"{}", tests, failures, errors,
                       skipped, TimeAttribute(seconds));
  }
  SuiteCounts& operator+=(const SuiteCounts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
    if (other.seconds) seconds = seconds.value_or(0) + *other.seconds;
    return *this;
  }
};

// Every point that a cell misses, one a line.
std::string PointLines(const Suite& suite, const Cell& cell) {
  Case extracted;
  const Case& the_case = CheckedCase(suite, cell, extracted);
  std::string text;
  for (std::size_t i = 0; i < std::min(cell.record.scores.size(), the_case.checks.size()); ++i) {
    const Score& score = cell.record.scores[i];
    if (score.state == ScoreState::kScored && !MissesPoints(score)) continue;
    const std::string what = score.state == ScoreState::kScored
                                 ? score.max == 1 ? ScorePoints(score.value) + " of 100"
                                                  : fmt::format("{:g} of {:g}", score.value, score.max)
                                 : std::string(ScoreStateName(score.state));
    text += fmt::format("{}: {}", what, PointText(the_case.checks[i]));
    const std::string reason = ReasonOf(score);
    text += reason.empty() ? "\n" : fmt::format(" ({})\n", reason);
  }
  return text;
}

std::string AttemptsText(const Suite& suite, const CellGroup& group, const PassRule& pass) {
  std::string text;
  for (const Cell& cell : group.attempts) {
    if (IsPassed(suite, cell, pass)) continue;
    if (group.attempts.size() > 1) text += fmt::format("attempt {}:\n", cell.attempt + 1);
    const AttemptRecord& record = cell.record;
    if (!record.transcript.error.empty()) text += record.transcript.error + "\n";
    if (!record.grading_error.empty()) text += record.grading_error + "\n";
    text += PointLines(suite, cell);
  }
  return text;
}

// The models that answered for the variant's own, each once.
std::string AnsweredByNames(const CellGroup& group) {
  std::vector<std::string> names;
  for (const Cell& cell : group.attempts) {
    std::string name = AnsweredBy(cell.record);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// The groups in which the case is reported, a property each.
std::string GroupProperties(const Case& the_case) {
  std::string text;
  for (std::size_t d = 0; d < the_case.groups->size(); ++d) {
    const std::string& group = (*the_case.groups)[d];
    if (!group.empty())
      text += fmt::format("<property name=\"{}\" value=\"{}\"/>", DimensionName(d), Xml(group));
  }
  return text;
}

std::string Properties(const Case& the_case, const CellGroup& group, const GroupVerdict& verdict) {
  std::string scores;
  for (const Cell& cell : group.attempts) {
    scores += scores.empty() ? "" : " ";
    scores += cell.state == CellState::kScored ? fmt::format("{:g}", cell.score)
                                               : std::string(CellStateName(cell.state));
  }
  std::string text =
      fmt::format("<property name=\"attempts\" value=\"{}\"/><property name=\"passed\" value=\"{}\"/>",
                  group.attempts.size(), verdict.passed);
  text += fmt::format("<property name=\"scores\" value=\"{}\"/>", scores);
  if (verdict.state == CellState::kScored)
    text += fmt::format("<property name=\"score\" value=\"{:g}\"/>", verdict.mean);
  if (const std::string names = AnsweredByNames(group); !names.empty())
    text += fmt::format("<property name=\"answered_by\" value=\"{}\"/>", Xml(names));
  return text + GroupProperties(the_case);
}

// Which point failed and why, then the score.
std::string FailureText(const Suite& suite, const CellGroup& group, const GroupVerdict& verdict,
                        const PassRule& pass) {
  std::string why;
  for (const Cell& cell : group.attempts) {
    if (why.empty() && !IsPassed(suite, cell, pass)) why = WhyOf(suite, cell);
  }
  const std::string score = ShortfallText(suite, group, verdict, pass);
  return why.empty() ? score : fmt::format("{} ({})", why, score);
}

std::string TestCase(const Suite& suite, const CellGroup& group, const std::optional<double>& seconds,
                     const PassRule& pass, bool is_stopped) {
  const GroupVerdict verdict = VerdictOfGroup(suite, group, pass);
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\"{}><properties>{}</properties>",
                                 Xml(fmt::format("{}.{}", suite.id, suite.variants[group.variant].id)),
                                 Xml(suite.cases[group.case_index].id), TimeAttribute(seconds),
                                 Properties(suite.cases[group.case_index], group, verdict));
  if (verdict.state == CellState::kScored && !verdict.is_passed) {
    text += fmt::format("<failure message=\"{}\" type=\"assertion\">{}</failure>",
                        Xml(FailureText(suite, group, verdict, pass)), Xml(AttemptsText(suite, group, pass)));
  } else if (verdict.state == CellState::kError) {
    std::string why;
    for (const Cell& cell : group.attempts) {
      if (why.empty()) why = WhyOf(suite, cell);
    }
    text += fmt::format("<error message=\"{}\" type=\"error\">{}</error>", Xml(why),
                        Xml(AttemptsText(suite, group, pass)));
  } else if (verdict.state != CellState::kScored) {
    text += fmt::format("<skipped message=\"{}\"/>", verdict.state == CellState::kUnscored
                                                         ? "no check gave a score"
                                                     : is_stopped ? kDecided
                                                                  : "never asked");
  }
  return text + "</testcase>\n";
}

// A gate that was asked for, as a test of its own: a regression fails, what cannot be told is an error.
std::string GateTest(const Suite& suite, const GateResult& gate) {
  const std::string owner = gate.variant.empty() ? suite.id : fmt::format("{}.{}", suite.id, gate.variant);
  std::string text = fmt::format(
      "    <testcase classname=\"{}\" name=\"{} gate\"><properties><property name=\"base\" value=\"{}\"/>"
      "<property name=\"state\" value=\"{}\"/></properties>",
      Xml(owner), Xml(gate.kind), Xml(gate.base), GateStateName(gate.state));
  const std::string line = Xml(fmt::format("against {}: {}", gate.base, gate.line));
  if (gate.state == GateState::kNone) {
    text += fmt::format("<system-out>{}</system-out>", line);
  } else if (gate.state == GateState::kRegression) {
    text += fmt::format("<failure message=\"{}\" type=\"gate\"></failure>", line);
  } else {
    text += fmt::format("<error message=\"{}\" type=\"gate\"></error>", line);
  }
  return text + "</testcase>\n";
}

SuiteCounts CountGates(std::span<const GateResult> gates) {
  SuiteCounts counts{.tests = gates.size()};
  for (const GateResult& gate : gates) {
    counts.failures += gate.state == GateState::kRegression ? 1 : 0;
    counts.errors += gate.state == GateState::kCannotTell || gate.state == GateState::kNotDefined ? 1 : 0;
  }
  return counts;
}

std::string GatesSuite(const Suite& suite, std::span<const GateResult> gates) {
  if (gates.empty()) return {};
  std::string text = fmt::format("  <testsuite name=\"{}\" {}>\n", Xml(suite.id + " [gates]"),
                                 CountGates(gates).Attributes());
  for (const GateResult& gate : gates) text += GateTest(suite, gate);
  return text + "  </testsuite>\n";
}

}  // namespace

Status ExportJunit(const Report& report, const ExportAsk& ask, Sink& sink) {
  const Suite& suite = *report.suite;
  std::vector<SuiteCounts> counts(suite.variants.size());
  ASSAY_TRY(const AnswerUses uses, AnswerUses::Of(report, ask));
  ASSAY_CHECK_OK(ForEachGroup(report, ask, CellParts::kOutcome, [&](const CellGroup& group) {
    counts[group.variant].Add(VerdictOfGroup(suite, group, ask.pass));
    counts[group.variant] += SuiteCounts{.seconds = SecondsOf(group, uses)};
    return Ok();
  }));
  SuiteCounts total;
  for (const SuiteCounts& each : counts) total += each;
  total += CountGates(ask.gates);
  std::string out = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n",
                                Xml(suite.title.empty() ? suite.id : suite.title), total.Attributes());
  std::optional<VariantIndex> open;
  const auto open_suite = [&](VariantIndex variant) {
    if (open) out += "  </testsuite>\n";
    open = variant;
    const std::string started = IsoText(report.run.started_ms);
    const std::uint64_t foreign = report.totals.foreign_replies;
    const std::string counted =
        foreign == 0 ? std::string()
                     : fmt::format("<property name=\"foreign_replies\" value=\"{}\"/>", foreign);
    const std::string stopped =
        report.stopped.empty()
            ? std::string()
            : fmt::format("<property name=\"stopped\" value=\"{}\"/>", Xml(report.stopped));
    out += fmt::format(
        "  <testsuite name=\"{}\" {} timestamp=\"{}\">\n"
        "    <properties><property name=\"pass_at\" value=\"{:g}\"/><property name=\"pass_attempts\" "
        "value=\"{:g}\"/>{}{}</properties>\n",
        Xml(fmt::format("{} [{}]", suite.id, suite.variants[variant].id)), counts[variant].Attributes(),
        started.substr(0, started.find('+')), ask.pass.UsualMark(suite), ask.pass.share, counted, stopped);
  };
  ASSAY_CHECK_OK(ForEachGroup(report, ask, CellParts::kScores, [&](const CellGroup& group) {
    if (!open || *open != group.variant) open_suite(group.variant);
    out += TestCase(suite, group, SecondsOf(group, uses), ask.pass, !report.stopped.empty());
    if (out.size() < kExportPieceBytes) return Ok();
    const Status written = sink.Write(out);
    out.clear();
    return written;
  }));
  if (open) out += "  </testsuite>\n";
  return sink.Write(out + GatesSuite(suite, ask.gates) + "</testsuites>\n");
}

}  // namespace assay
