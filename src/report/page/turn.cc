// Writes what a turn tells on the report page: the query in the words of its profile, why the turn stopped,
// and its rounds and tool calls in time.
#include <fmt/core.h>

#include <algorithm>

#include "report/page/parts.h"
#include "spec/turn/turn_details.h"
#include "spec/turn/turn_trace.h"

namespace assay {
namespace {

constexpr std::size_t kCallsShown = 200;
constexpr std::size_t kArgumentsBytesMax = 400;

constexpr std::size_t kRoundsShown = 200;

std::string MsOf(const std::optional<double>& ms) {
  return ms ? fmt::format("{:.0f}", *ms) : std::string("–");
}

std::string TokensOf(std::int64_t input, std::int64_t output) {
  return fmt::format("{} → {} tokens",
                     GroupDigits(static_cast<std::uint64_t>(std::max<std::int64_t>(input, 0))),
                     GroupDigits(static_cast<std::uint64_t>(std::max<std::int64_t>(output, 0))));
}

void WriteEvidence(HtmlWriter& page, const std::vector<TraceEvidence>& evidence) {
  for (const TraceEvidence& each : evidence) {
    page.Raw("<br><span class=meta>").CutText(each.relevance, kNameBytesMax).Raw(" ");
    page.CutText(each.source, kNameBytesMax).Raw(" ").CutText(each.place, kNameBytesMax).Raw("</span>");
  }
}

void WriteCall(HtmlWriter& page, const TraceCall& traced) {
  const ToolCall& call = traced.call;
  page.Raw(
      fmt::format("<tr><td class=n>{}<td class=n>{}<td>", MsOf(traced.started_ms), MsOf(traced.took_ms)));
  page.CutText(call.name.empty() ? std::string_view("(no name)") : call.name, kNameBytesMax).Raw("<td>");
  page.CutText(call.arguments, kArgumentsBytesMax);
  if (!traced.problem.empty())
    page.Raw("<br><span class=fault>").CutText(traced.problem, kArgumentsBytesMax).Raw("</span>");
  WriteEvidence(page, traced.evidence);
  page.Raw("\n");
}

void WriteRound(HtmlWriter& page, const TraceRound& round) {
  page.Raw(fmt::format("<tr><td class=n>{}<td class=n>{}<td>", MsOf(round.started_ms), MsOf(round.took_ms)));
  page.Raw(round.number ? fmt::format("round {}<td>", *round.number) : std::string("<td>"));
  if (round.input_tokens && round.output_tokens)
    page.Raw(fmt::format("<span class=meta>{}</span>", TokensOf(*round.input_tokens, *round.output_tokens)));
  page.Raw("\n");
}

// "2 rounds, 1 tool call": what the table holds.
std::string TraceTitle(const TurnTrace& trace, std::size_t calls) {
  std::string title;
  const auto rounds = static_cast<std::size_t>(
      std::count_if(trace.rounds.begin(), trace.rounds.end(),
                    [](const TraceRound& round) { return round.number.has_value(); }));
  if (rounds > 0) title = fmt::format("{} {}, ", GroupDigits(rounds), rounds == 1 ? "round" : "rounds");
  return title + fmt::format("{} {}", GroupDigits(calls), calls == 1 ? "tool call" : "tool calls");
}

void WriteTrace(HtmlWriter& page, const TurnTrace& trace, std::size_t calls) {
  page.Raw(
      fmt::format("<details class=more><summary>{}</summary><div class=scroll><table class=side><thead><tr>"
                  "<th scope=col class=n>At, ms<th scope=col class=n>Took, ms<th scope=col>Tool<th "
                  "scope=col>Arguments</thead><tbody>\n",
                  TraceTitle(trace, calls)));
  if (!trace.gathered.empty()) {
    page.Raw("<tr><td class=n>–<td class=n>–<td>beforehand<td>");
    WriteEvidence(page, trace.gathered);
    page.Raw("\n");
  }
  std::size_t shown = 0;
  for (std::size_t i = 0; i < std::min(trace.rounds.size(), kRoundsShown); ++i) {
    WriteRound(page, trace.rounds[i]);
    for (const TraceCall& call : trace.rounds[i].calls) {
      if (shown < kCallsShown) WriteCall(page, call);
      shown += shown < kCallsShown ? 1 : 0;
    }
  }
  page.Raw("</tbody></table></div>");
  if (calls > shown) page.Raw(fmt::format("<p class=meta>and {} more</p>", GroupDigits(calls - shown)));
  std::string_view separator = "<p class=meta>";
  for (const auto& [role, usage] : trace.usage_by_role) {
    page.Raw(separator).CutText(role, kNameBytesMax);
    page.Raw(fmt::format(" {}", TokensOf(usage.input_tokens, usage.output_tokens)));
    separator = ", ";
  }
  page.Raw(trace.usage_by_role.empty() ? "</details>" : "</p></details>");
}

}  // namespace

void WriteTurnFacts(HtmlWriter& page, const PageModel& model, const Pair& pair) {
  const Transcript& transcript = pair.shown.transcript;
  if (const std::optional<std::string> halt = HaltOf(transcript.told))
    page.Raw("<p class=meta>stopped before its end: ").CutText(*halt, model.limits.reason).Raw("</p>");
  if (model.suite->variants[pair.variant].profile && !transcript.history.empty()) {
    page.Raw("<details class=more><summary>as it was asked</summary><p class=t>");
    page.CutText(transcript.history.front().text, model.limits.prompt).Raw("</p></details>");
  }
  if (const TurnTrace trace = TraceOf(transcript.told); !trace.empty())
    WriteTrace(page, trace, transcript.told.tool_calls.size());
}

}  // namespace assay
