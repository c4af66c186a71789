// Finds who grades an assertion.
#include "dialects/promptfoo/lower/graders.h"

#include <fmt/core.h>

#include "dialects/promptfoo/lower/models.h"
#include "spec/suite/variant.h"
#include "text/json/json.h"

namespace assay::promptfoo {
namespace {

constexpr std::string_view kText = "text";
constexpr std::string_view kEmbedding = "embedding";
constexpr std::string_view kOfKinds[] = {kText, kEmbedding, "classification", "moderation"};

// {text: …, embedding: …} names a provider for each kind.
bool IsByKind(const Value& provider) {
  if (!provider.is_map() || provider.Find("id") != nullptr) return false;
  for (const std::string_view kind : kOfKinds) {
    if (provider.Find(kind) != nullptr) return true;
  }
  return false;
}

bool Embeds(const Value& provider) {
  const std::string& id = provider.is_string() ? provider.AsString() : provider.TextAt("id");
  return id.find("embedding") != std::string::npos || id.starts_with("echo");
}

// What a `provider` names for the kind; null: nothing.
const Value* ProviderFor(const Value* provider, std::string_view kind) {
  if (provider == nullptr || provider->is_null()) return nullptr;
  if (IsByKind(*provider)) return provider->Find(kind);
  return kind == kText || Embeds(*provider) ? provider : nullptr;
}

}  // namespace

std::optional<JudgeIndex> Graders::ForTexts(const Value& assertion, const Map& options_of_test) {
  if (!input_.options.judges.empty()) return Add(input_.options.judges.front(), Map(), {});
  for (const Value* provider : {assertion.Find("provider"), options_of_test.Find("provider")}) {
    if (const Value* named = ProviderFor(provider, kText)) return Named(*named);
  }
  const std::string& grader = options_.grader;
  if (!grader.empty()) return Add(grader, Map(), {});
  return std::nullopt;
}

std::optional<JudgeIndex> Graders::ForEmbeddings(const Value& assertion, const Map& options_of_test) {
  for (const Value* provider : {assertion.Find("provider"), options_of_test.Find("provider")}) {
    if (const Value* named = ProviderFor(provider, kEmbedding)) return Named(*named);
  }
  return std::nullopt;
}

std::optional<JudgeIndex> Graders::Named(const Value& provider) {
  const std::string& id = provider.is_string() ? provider.AsString() : provider.TextAt("id");
  if (id.empty()) {
    input_.diagnostics.Error("promptfoo.grader", "provider: expected the id of a model that grades",
                             provider.span, "write an id, or {id: …, config: …}");
    return std::nullopt;
  }
  return Add(id, provider.MapAt("config"), provider.span);
}

std::optional<JudgeIndex> Graders::Add(const std::string& id, const Map& config, Span where) {
  const auto [known, is_new] =
      known_.try_emplace(fmt::format("{}\n{}", id, WriteJson(Value(config), JsonStyle::kCanonical)));
  if (!is_new) return known->second;
  NamedModel asked = ModelNamed(id, config, options_);
  if (!asked.problem.empty() || !asked.generator.empty()) {
    input_.diagnostics.Error(
        "promptfoo.grader",
        asked.problem.empty() ? fmt::format("{}: a service of http cannot grade", id) : asked.problem, where,
        "`assay list providers` names the providers");
    return std::nullopt;
  }
  Judge judge;
  static_cast<ModelRef&>(judge) = std::move(asked.ref);
  judge.span = where;
  judge.model_id = asked.model_id;
  judge.label = asked.model_id;
  judge.approach = "standard";
  judge.params = std::move(asked.params);
  known->second = static_cast<JudgeIndex>(suite_.named_judges.size());
  suite_.named_judges.push_back(std::move(judge));
  return known->second;
}

}  // namespace assay::promptfoo
