// Asks the model for a summary: one request for a short text; for a long one a summary of each part, then a
// summary of the summaries.
#include "agent/words/summarizer.h"

#include <fmt/core.h>

#include <algorithm>

#include "agent/words/prompts.h"
#include "agent/words/reply_text.h"
#include "base/text/utf8.h"
#include "spec/suite/model_ref.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::size_t kSingleBytesMax = 4'800;
constexpr std::size_t kInputBytesMax = 100'000;
constexpr std::size_t kPartsMax = 12;
constexpr std::size_t kOverlapBytes = 120;
constexpr std::size_t kFallbackBytes = 2'000;

std::optional<Result<ModelReply>> AskSummarizer(TurnState& turn, const std::string& system,
                                                std::string_view text) {
  const std::optional<Summarizer>& own = turn.suite().agent.summarizer;
  const ModelRef& model = own ? static_cast<const ModelRef&>(*own) : turn.context.TheVariant();
  return AskModel(
      turn, model, RequestRole::kSummarizer,
      [&] {
        ModelRequest request;
        request.params = own ? own->params : turn.context.TheVariant().params;
        if (!request.params.max_tokens) request.room = kNoLimit;
        request.messages = {{Role::kSystem, system}, {Role::kUser, Fenced("a source", text)}};
        return request;
      },
      turn.used_by_summarizer);
}

// A summary, or the beginning of the text where none came.
std::optional<std::string> AskFor(TurnState& turn, const std::string& system, std::string_view text) {
  // A turn whose limits are reached asks nobody any more.
  if (LimitReached(turn)) return std::string(CutToBytes(text, kFallbackBytes));
  ASSAY_AWAIT(const Result<ModelReply> reply, AskSummarizer(turn, system, text));
  std::string summary = reply ? StripThinking(reply->text) : std::string();
  return summary.empty() ? std::string(CutToBytes(text, kFallbackBytes)) : summary;
}

}  // namespace

std::vector<std::string> PartsToSummarize(std::string_view text, std::size_t characters) {
  std::vector<std::string> parts;
  const std::size_t least = text.size() / kPartsMax + 1 + kOverlapBytes;
  const std::size_t most = std::max(characters, least);
  for (std::size_t start = 0; start < text.size() && parts.size() < kPartsMax;) {
    std::size_t end = std::min(start + most, text.size());
    if (end < text.size()) {
      const std::size_t paragraph = text.rfind("\n\n", end);
      if (paragraph != std::string_view::npos && paragraph > start + most / 2) end = paragraph;
      end = start + CutToBytes(text.substr(start), end - start).size();
    }
    std::size_t from = start;
    if (start > 0) {
      from -= std::min(kOverlapBytes, start);
      while (from < start && (static_cast<unsigned char>(text[from]) & 0xc0) == 0x80) ++from;
    }
    parts.emplace_back(text.substr(from, end - from));
    if (end <= start) break;
    start = end;
  }
  return parts;
}

std::optional<std::string> Summarize(TurnState& turn, std::string_view of, std::string_view text) {
  text = CutToBytes(text, kInputBytesMax);
  if (text.size() < kSingleBytesMax) {
    turn.walk.TellStatus("summarizer", fmt::format("{}: {} bytes", of, text.size()));
    return AskFor(turn, SummarySystemPrompt(of), text);
  }
  const std::int64_t context = turn.suite().agent.summarizer ? turn.suite().agent.summarizer->context_tokens
                                                             : turn.context.TheVariant().agent.context_tokens;
  const std::size_t size = CharactersOfContext(context);
  const std::vector<std::string> parts = PartsToSummarize(text, size);
  turn.walk.TellStatus("summarizer", fmt::format("{}: {} bytes in {} parts", of, text.size(), parts.size()));
  if (parts.size() == 1) return AskFor(turn, SummarySystemPrompt(of), parts.front());
  std::string summaries;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    ASSAY_AWAIT(const std::string summary, AskFor(turn, PartSystemPrompt(i + 1, parts.size()), parts[i]));
    summaries += (summaries.empty() ? "" : "\n\n") + summary;
  }
  return AskFor(turn, SummarySystemPrompt(of), summaries);
}

}  // namespace assay
