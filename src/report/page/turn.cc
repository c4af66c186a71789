// What a system under test tells of a turn: what it was asked in the words of its profile, why it stopped,
// and its calls of tools in time.
#include <fmt/core.h>

#include "report/page/parts.h"
#include "spec/turn_details.h"

namespace assay {
namespace {

constexpr std::size_t kCallsShown = 200;
constexpr std::size_t kArgumentsBytesMax = 400;

std::string MsOf(const Value& event, std::string_view name) {
  const Value* ms = event.is_map() ? event.Find(name) : nullptr;
  return ms != nullptr && ms->is_number() ? fmt::format("{:.0f}", ms->AsNumber()) : std::string("–");
}

void WriteCalls(HtmlWriter& page, const AttemptFacts& told) {
  const std::size_t count = told.tool_calls.size();
  page.Raw(fmt::format(
      "<details class=more><summary>{} {}</summary><div class=scroll><table class=side><thead><tr>"
      "<th scope=col class=n>At, ms<th scope=col class=n>Took, ms<th scope=col>Tool<th "
      "scope=col>Arguments</thead><tbody>\n",
      GroupDigits(count), count == 1 ? "tool call" : "tool calls"));
  for (std::size_t i = 0; i < std::min(count, kCallsShown); ++i) {
    const Value event = i < told.events.size() ? told.events[i] : Value();
    page.Raw(fmt::format("<tr><td class=n>{}<td class=n>{}<td>", MsOf(event, "t_ms"), MsOf(event, "ms")));
    const ToolCall& call = told.tool_calls[i];
    page.CutText(call.name.empty() ? std::string_view("(no name)") : call.name, kNameBytesMax).Raw("<td>");
    page.CutText(call.arguments, kArgumentsBytesMax).Raw("\n");
  }
  page.Raw("</tbody></table></div>");
  if (count > kCallsShown)
    page.Raw(fmt::format("<p class=meta>and {} more</p>", GroupDigits(count - kCallsShown)));
  page.Raw("</details>");
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
  if (!transcript.told.tool_calls.empty()) WriteCalls(page, transcript.told);
}

}  // namespace assay
