// Every prompt text of the research agent: system prompts, demands for an answer, fallback answers, and the
// prompts of the summariser. docs/research.md explains them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/tool.h"
#include "spec/run/step.h"

namespace assay {

// What decides the system text of a turn.
struct SystemPromptParts {
  bool research_mode = true;
  bool has_corpus = false;  // documents or pages are at hand before the first request
  bool sums_up = false;     // the question wants the documents summed up
  std::string time = {};    // "2026-11-22 10:45 (UTC+01:00)"; "" if prompts tell no time
  std::span<const ToolRow* const> tools = {};
};
std::string SystemPrompt(const SystemPromptParts& parts);
// Of the last request, where no tools are offered and an answer is demanded.
std::string FinalSystemPrompt();

// User messages in the agent's own name.
std::string_view EmptyReplyNudge();
std::string_view FinalAnswerDemand();
// Answers where the model gave none.
std::string_view EmptyReplyApology();
std::string_view NoAnswerFallback();

// Who shortens a text, and what for.
std::string SummarySystemPrompt(std::string_view of);
std::string PartSystemPrompt(std::size_t part, std::size_t parts);

// Text that others wrote, between two lines that nothing in it can forge: they name a hash of the text.
std::string Fenced(std::string_view source, std::string_view text);

// "2026-11-22 10:45 (UTC+01:00)"
std::string PromptTime(const PromptClock& clock);

}  // namespace assay
