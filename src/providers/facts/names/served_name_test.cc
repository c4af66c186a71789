// Tests of which names of models are those of one model.
#include "providers/facts/names/served_name.h"

#include <doctest/doctest.h>

#include <optional>

#include "providers/facts/model_facts.h"

namespace assay {
namespace {

struct NamesRow {
  const char* provider;
  const char* asked;
  const char* served;
  bool is_same;
};

TEST_CASE("dates, versions, brokers and files make no other model") {
  const NamesRow rows[] = {
      {"openai", "gpt-4o", "gpt-4o-2024-11-20", true},
      {"openai", "gpt-4o", "gpt-4o", true},
      {"openai", "gpt-4o-2024-08-06", "gpt-4o", true},
      {"openai", "gpt-4o-2024-08-06", "gpt-4o-2024-11-20", false},
      {"openai", "gpt-4o", "gpt-4o-mini-2024-07-18", false},
      {"openai", "gpt-3.5-turbo", "gpt-3.5-turbo-0125", true},
      {"openai", "gpt-4-turbo-preview", "gpt-4-0125-preview", true},
      {"openai", "gpt-5", "gpt-5.2", false},
      {"openai", "gpt-5", "gpt-5-mini", false},
      {"google", "gemini-2.5-flash", "gemini-3.5-flash-lite", false},
      {"google", "gemini-2.5-flash", "gemini-2.5-flash-lite", false},
      {"google", "gemini-2.0-flash", "models/gemini-2.0-flash-001", true},
      {"google", "gemini-flash-latest", "gemini-3.6-flash", true},
      {"google", "gemini-pro-latest", "gemini-3.6-flash", false},
      {"anthropic", "claude-opus-4-0", "claude-opus-4-20250514", true},
      {"anthropic", "claude-haiku-4-5", "claude-haiku-4-5-20251001", true},
      {"anthropic", "claude-opus-4", "claude-opus-4-5-20251101", false},
      {"vertex", "claude-haiku-4-5@20251001", "claude-haiku-4-5-20251001", true},
      {"openrouter", "anthropic/claude-opus-4.8", "anthropic/claude-opus-4-8", true},
      {"openrouter", "openai/gpt-4o:free", "openai/gpt-4o", true},
      {"openai-compatible", "small-2", "tiny-3-lite", false},
      {"openai-compatible", "llama-3", "/srv/models/Llama-3.gguf", true},
      {"ollama", "llama3.2", "llama3.2:latest", true},
      {"azure-openai", "our-deployment", "gpt-4o-2024-11-20", true},
      {"azure-openai", "gpt-4o", "gpt-4.1-2025-04-14", false},
      {"openai", "gpt-4o", "", true},
  };
  for (const NamesRow& row : rows) {
    CAPTURE(row.asked);
    CAPTURE(row.served);
    CHECK(IsSameModel(row.provider, row.asked, row.served) == row.is_same);
  }
}

TEST_CASE("days of retirement are found through the maker's and a broker's name") {
  REQUIRE(FindRetirement("openai", "gpt-4o-mini"));
  CHECK(FindRetirement("openai", "gpt-4o-mini")->on == "2027-01-14");
  CHECK(FindRetirement("openai-responses", "gpt-4o-mini")->successor == "gpt-6-luna");
  CHECK(FindRetirement("openrouter", "google/gemini-2.5-flash")->on == "2026-12-01");
  CHECK(!FindRetirement("vertex", "gemini-2.5-flash"));
  CHECK(!FindRetirement("google", "gemini-2.5-flash-lite"));
  CHECK(!FindRetirement("openrouter", "nobody"));
}

}  // namespace
}  // namespace assay
