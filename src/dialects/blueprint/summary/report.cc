// Writes the report of a run, without real names, that the summarising model reads.
#include <fmt/core.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "dialects/blueprint/summary/request.h"
#include "spec/report/pair.h"
#include "spec/suite/suite.h"

namespace assay::blueprint {
namespace {

constexpr std::size_t kReportUnitsMax = 500'000;
constexpr std::size_t kAnswerBytesMax = 1'500;  // of each answer: enough to quote from, and many fit
constexpr std::size_t kPointBytesMax = 240;
constexpr std::string_view kCut = " [...]";
constexpr std::string_view kReportCut = "\n\n(The report is longer; the rest is left out.)\n";

// At most so many bytes, never inside a character.
std::string Shortened(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return std::string(text);
  while (bytes_max > 0 && (static_cast<unsigned char>(text[bytes_max]) & 0xc0) == 0x80) --bytes_max;
  return std::string(text.substr(0, bytes_max)) + std::string(kCut);
}

// Text of others as a Markdown quotation: no line of it is taken for a heading of ours.
std::string Quotation(std::string_view text) {
  std::string quotation = "> ";
  for (const char c : text) {
    quotation += c;
    if (c == '\n') quotation += "> ";
  }
  return quotation + "\n\n";
}

class ReportWriter {
 public:
  ReportWriter(const Report& report, const OpaqueNames& names)
      : report_(report), suite_(*report.suite), names_(names) {}

  Result<std::string> Write() {
    WriteHead();
    for (CaseIndex i = 0; i < suite_.cases.size() && !IsFull(); ++i) ASSAY_CHECK_OK(WriteCase(i));
    if (!IsFull()) return std::move(text_);
    std::u16string units = ToUtf16(text_);
    units.resize(std::min(units.size(), kReportUnitsMax - kReportCut.size()));
    if (!units.empty() && (units.back() & 0xfc00) == 0xd800) units.pop_back();
    return ToUtf8(units) + std::string(kReportCut);
  }

 private:
  // A character takes at most three bytes per unit, so a text below is surely short enough.
  bool IsFull() const { return text_.size() > kReportUnitsMax && CountUtf16(text_) > kReportUnitsMax; }

  std::string NameOf(VariantIndex variant) const { return names_.entries()[variant].Joined(); }

  void WriteHead() {
    text_ = fmt::format("# {}\n\n", suite_.title);
    if (!suite_.description.empty()) text_ += Quotation(suite_.description);
    text_ += "## Candidates and their mean scores (0 to 1)\n\n";
    for (const VariantSummary& summary : report_.variants) {
      text_ += fmt::format("- {}: ", NameOf(summary.variant));
      text_ += summary.scored > 0 ? fmt::format("{:.2f} over {} prompts", summary.mean, summary.scored)
                                  : std::string("no score");
      if (summary.errors > 0) text_ += fmt::format(", {} without an answer", summary.errors);
      if (summary.partial > 0) text_ += fmt::format(", {} graded in part", summary.partial);
      text_ += '\n';
    }
    std::vector<std::string> told;
    for (VariantIndex v = 0; v < suite_.variants.size(); ++v) {
      const std::string& id = names_.entries()[v].system;
      if (id.empty() || std::find(told.begin(), told.end(), id) != told.end()) continue;
      told.push_back(id);
      const std::optional<std::string>& system = suite_.variants[v].system;
      text_ += fmt::format("\nSystem prompt {}:\n\n{}", id, Quotation(system ? *system : "(none)"));
    }
    text_ += '\n';
  }

  Status WriteCase(CaseIndex index) {
    const Case& the_case = suite_.cases[index];
    text_ += fmt::format("## Prompt {}\n\n", the_case.id);
    if (!the_case.description->empty()) text_ += *the_case.description + "\n\n";
    for (const Turn& turn : the_case.turns) {
      if (turn.kind == TurnKind::kGenerate) continue;
      text_ += fmt::format("{}:\n\n{}", RoleName(turn.role), Quotation(turn.text));
    }
    if (the_case.ideal)
      text_ += "An ideal answer:\n\n" + Quotation(Shortened(*the_case.ideal, kAnswerBytesMax));
    return ForEachPairOf(report_, index, CellParts::kShown, [&](const Pair& pair) -> Status {
      if (!IsFull()) WritePair(the_case, pair);
      return Ok();
    });
  }

  void WritePair(const Case& the_case, const Pair& pair) {
    const std::optional<double> mean = pair.mean();
    text_ += fmt::format("### {} on {}: {}\n\n", NameOf(pair.variant), the_case.id,
                         mean ? fmt::format("{:.2f}", *mean) : "no score");
    if (!pair.answered()) {
      text_ += "No answer.\n\n";
      return;
    }
    text_ += Quotation(Shortened(pair.shown->transcript.answer, kAnswerBytesMax));
    for (CheckIndex i = 0; i < the_case.checks.size() && i < pair.points.size(); ++i) {
      const Check& check = the_case.checks[i];
      text_ += fmt::format("- {} {}{}", pair.points[i] ? fmt::format("{:.2f}", *pair.points[i]) : "error",
                           check.invert ? "(must not) " : "", Shortened(check.text, kPointBytesMax));
      const std::string& why = pair.shown->scores[i].explanation;
      if (!why.empty()) text_ += ": " + Shortened(why, kPointBytesMax);
      text_ += '\n';
    }
    text_ += '\n';
  }

  const Report& report_;
  const Suite& suite_;
  const OpaqueNames& names_;
  std::string text_;
};

}  // namespace

Result<std::string> SummaryReport(const Report& report, const OpaqueNames& names) {
  return ReportWriter(report, names).Write();
}

}  // namespace assay::blueprint
