// Formats a trace: one line for each round, below it one for each tool call, below that one for each passage.
#include "cli/terminal/views/turn_view.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/terminal/text_table.h"
#include "cli/terminal/ui.h"
#include "engine/words.h"

namespace assay {

namespace {

constexpr std::size_t kArgumentsColumnsMax = 100;
constexpr std::size_t kCallsShownMax = 200;

struct NamedTime {
  std::string_view name;  // of AttemptFacts::timings_ms
  std::string_view words;
};
constexpr NamedTime kTimes[] = {{"run_turn_ms", "the turn"},
                                {"llm_total_ms", "models"},
                                {"tool_total_ms", "tools"},
                                {"local_ingestion_ms", "documents"},
                                {"shortlist_ms", "pages"}};

std::string MsText(double ms) { return fmt::format("{:.0f} ms", ms); }

std::string TimesText(const TurnTrace& trace) {
  std::string text;
  for (const NamedTime& row : kTimes) {
    for (const auto& [name, ms] : trace.timings_ms) {
      if (name == row.name && ms > 0)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", row.words, MsText(ms));
    }
  }
  return text;
}

std::string SentAndGotText(std::int64_t input, std::int64_t output) {
  return fmt::format("{} → {} tokens",
                     CountText(static_cast<std::uint64_t>(std::max<std::int64_t>(input, 0))),
                     CountText(static_cast<std::uint64_t>(std::max<std::int64_t>(output, 0))));
}

std::string UsageText(const TurnTrace& trace) {
  std::string text;
  for (const auto& [role, usage] : trace.usage_by_role) {
    if (usage.input_tokens == 0 && usage.output_tokens == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", Printable(role),
                        SentAndGotText(usage.input_tokens, usage.output_tokens));
  }
  return text;
}

std::string EvidenceLine(const TraceEvidence& each, std::string_view indent) {
  std::string line = fmt::format("{}{}  {}", indent, Printable(each.relevance), Printable(each.source));
  if (!each.place.empty()) line += fmt::format("  {}", Printable(each.place));
  return line + "\n";
}

std::string CallText(const TraceCall& call, bool in_full) {
  const std::string name = call.call.name.empty() ? "(no name)" : Printable(call.call.name);
  const std::string arguments = Printable(call.call.arguments);
  std::string text =
      fmt::format("    {} {}", name, in_full ? arguments : CutToWidth(arguments, kArgumentsColumnsMax));
  text += call.took_ms ? fmt::format(" · {}\n", MsText(*call.took_ms)) : std::string(" · never ended\n");
  if (!call.problem.empty()) text += fmt::format("      error: {}\n", Printable(call.problem));
  for (const TraceEvidence& each : call.evidence) text += EvidenceLine(each, "      ");
  return text;
}

std::string RoundText(const TraceRound& round, bool in_full, std::size_t& calls_left) {
  std::string text = round.number ? fmt::format("  round {}", *round.number) : std::string("  calls");
  if (round.took_ms) text += fmt::format(" · {}", MsText(*round.took_ms));
  if (round.input_tokens && round.output_tokens)
    text += fmt::format(" · {}", SentAndGotText(*round.input_tokens, *round.output_tokens));
  text += "\n";
  for (const TraceCall& call : round.calls) {
    if (calls_left == 0) break;
    --calls_left;
    text += CallText(call, in_full);
  }
  return text;
}

}  // namespace

std::string TraceText(const AttemptFacts& told, bool in_full) {
  const TurnTrace trace = TraceOf(told);
  if (trace.empty()) return {};
  const std::string times = TimesText(trace);
  std::string text = fmt::format("trace:{}{}\n", times.empty() ? "" : " ", times);
  if (const std::string usage = UsageText(trace); !usage.empty()) text += fmt::format("  {}\n", usage);
  if (!trace.gathered.empty()) text += "  beforehand\n";
  for (const TraceEvidence& each : trace.gathered) text += EvidenceLine(each, "      ");
  std::size_t calls_left = in_full ? told.tool_calls.size() : kCallsShownMax;
  for (const TraceRound& round : trace.rounds) text += RoundText(round, in_full, calls_left);
  if (!in_full && told.tool_calls.size() > kCallsShownMax)
    text += fmt::format("  and {} more calls, all of them with --verbose\n",
                        CountText(told.tool_calls.size() - kCallsShownMax));
  return text;
}

}  // namespace assay
