// Tests of splitting ids of variants into model, maker and parameters.
#include "dialects/blueprint/lower/model_names.h"

#include <doctest/doctest.h>

namespace assay::blueprint {
namespace {

TEST_CASE("a model has one name by whatever route it is asked") {
  const struct {
    const char* id;
    const char* base;
    const char* maker;
  } rows[] = {
      {"openai:gpt-4o[temp:0]", "openai:gpt-4o", "OPENAI"},
      {"openrouter:openai/gpt-4o", "openai:gpt-4o", "OPENAI"},
      {"gpt-4o", "openai:gpt-4o", "UNKNOWN"},
      {"openrouter:x-ai/grok-4-0709", "xai:grok-4", "XAI"},
      {"together:moonshotai/Kimi-K2[sp_idx:1]", "together:moonshotai/Kimi-K2", "MOONSHOT"},
      {"openrouter:new-lab/thing", "openrouter:new-lab/thing", "NEW-LAB"},
      {"openrouter:thing", "openrouter:thing", "UNKNOWN"},
      {"x-ai/grok-3", "xai:grok-3", "UNKNOWN"},
      {"a:b:c", "a:b:c", "UNKNOWN"},
      {" plain ", "plain", "UNKNOWN"},
      {"", "Unknown", ""},
      {"IDEAL_BENCHMARK", "IDEAL_MODEL_ID", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.id);
    const ModelName name = ParseModelName(row.id);
    CHECK(name.base == row.base);
    CHECK(name.maker == row.maker);
  }
}

TEST_CASE("suffixes are found wherever they stand, if they are well formed") {
  const ModelName name = ParseModelName("lab:m[sys:12][temp:0.30][sp_idx:2]");
  CHECK(name.base == "lab:m");
  CHECK(name.temperature == 0.3);
  CHECK(name.system_index == 12);  // a hash of digits is an index
  CHECK(name.system_hash == "[sys:12]");
  for (const char* id : {"lab:m[temp:-1]", "lab:m[temp:1e2]", "lab:m[temp:]", "lab:m[temp:1.2.3]",
                         "lab:m[sp_idx:x]", "lab:m[temp:1"}) {
    CAPTURE(id);
    CHECK(ParseModelName(id).base == id);
  }
  CHECK(ParseModelName("lab:m[temp:5.]").temperature == 5);
}

TEST_CASE("names for people") {
  CHECK(ShortModelName("openai:gpt-4o", NameStyle::kPlain) == "gpt-4o");
  CHECK(ShortModelName("together:moonshotai/Kimi-K2", NameStyle::kPlain) == "Kimi-K2");
  CHECK(ShortModelName("openai:gpt-4o", NameStyle::kTitle) == "GPT 4o");
  CHECK(ShortModelName("openai:gpt-oss-120b", NameStyle::kTitle) == "GPT OSS 120b");
  CHECK(ShortModelName("anthropic:claude-3-5-haiku", NameStyle::kTitle) == "Claude 3.5 Haiku");
  CHECK(MakerTitle("OPENAI") == "OpenAI");
  CHECK(MakerTitle("MISTRAL") == "Mistral");
  CHECK(MakerTitle("").empty());
}

}  // namespace
}  // namespace assay::blueprint
