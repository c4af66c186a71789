// Splits a reply's text at its leading <think>…</think>.
#include "providers/shapes/reply/think_tags.h"

#include <algorithm>
#include <string_view>

#include "text/javascript/text.h"

namespace assay {

void SeparateThoughts(ModelReply& reply) {
  constexpr std::string_view kOpen = "<think>";
  constexpr std::string_view kClose = "</think>";
  const std::string_view text = JsTrim(reply.text);
  if (!text.starts_with(kOpen)) return;
  const std::size_t close = text.find(kClose);
  if (close == std::string_view::npos && reply.finish_reason != "length") return;
  const std::size_t end = std::min(close, text.size());
  const std::string_view thoughts = JsTrim(text.substr(kOpen.size(), end - kOpen.size()));
  if (!thoughts.empty()) {
    if (!reply.reasoning.empty()) reply.reasoning += "\n\n";
    reply.reasoning += thoughts;
  }
  reply.text =
      close == std::string_view::npos ? std::string_view() : JsTrim(text.substr(close + kClose.size()));
}

}  // namespace assay
