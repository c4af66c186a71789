// Tests of names that are slips of models in the table, and of those that are none.
#include "providers/facts/names/near_model.h"

#include <doctest/doctest.h>

namespace assay {

TEST_CASE("a slip finds the name that was meant; dates, versions and other names are none") {
  struct Row {
    std::string_view provider, model, want;
  };
  const Row rows[] = {
      {"openai", "gpt-4o-minni", "gpt-4o-mini"},
      {"openai", "gtp-4o-mini", "gpt-4o-mini"},
      {"openrouter", "openai/gpt-4o-minni", "openai/gpt-4o-mini"},
      {"openai", "gpt-4o-mini", ""},
      {"openrouter", "anthropic/claude-haiku-4.5", ""},
      {"anthropic", "claude-haiku-4-9", ""},
      {"openai", "gpt-4o-mini-2024-07-18", ""},
      {"openai", "gpt-4o-2024-11-20", ""},
      {"openai", "my-own-model", ""},
      {"openai", "ft:gpt-4o-mini:us::abc", ""},
      {"nobody", "gpt-4o-minni", ""},
      {"echo", "a", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model);
    CHECK(NearModel(row.provider, row.model) == row.want);
  }
}

}  // namespace assay
