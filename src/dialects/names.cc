// Splits model names, matches globs, and looks for a list of cases at the top of a file.
#include "dialects/names.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/errors/diagnostics.h"
#include "spec/suite/model_ref.h"
#include "spec/suite/variant.h"
#include "text/javascript/text.h"
#include "text/yaml/keys.h"

namespace assay {

ModelAddress ModelAddressOf(std::string_view id) {
  const std::size_t colon = id.find(':');
  if (colon == std::string_view::npos) return {"", std::string(id)};
  return {JsToLower(id.substr(0, colon)), std::string(id.substr(colon + 1))};
}

bool NamesProgram(std::string_view provider) { return provider == "exec"; }

SamplingParams ParamsOfJudges() { return {.temperature = 0, .max_tokens = 500, .limit_is_default = true}; }

Judge StandardJudge(std::string_view model_id) {
  ModelAddress address = ModelAddressOf(model_id);
  Judge judge;
  judge.provider = std::move(address.provider);
  judge.model = std::move(address.model);
  judge.model_id = model_id;
  judge.approach = "standard";
  judge.label = fmt::format("{}({})", judge.approach, model_id);
  judge.params = ParamsOfJudges();
  return judge;
}

bool MatchesGlob(std::string_view glob, std::string_view text) {
  std::size_t g = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      star_text = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

bool IsChosen(std::span<const std::string> selected, std::string_view filter, std::string_view id) {
  const bool is_selected =
      selected.empty() || std::find(selected.begin(), selected.end(), id) != selected.end();
  return is_selected && (filter.empty() || MatchesGlob(filter, id));
}

bool ListsCases(std::string_view text) {
  const std::vector<std::string> keys = TopLevelKeys(text);
  const auto has = [&keys](std::string_view key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  if (has("prompts")) return false;
  if (has("cases") || has("cases_from")) return true;
  // A slip for `cases`, or keys that no other format has.
  constexpr std::string_view kOthers[] = {"prompt", "messages", "models", "docs", "tests", "providers"};
  constexpr std::string_view kOwn[] = {"attempt_reduce_mode", "full_score_per_question",
                                       "null_score_per_question", "qa_system_prompt"};
  constexpr std::string_view kCases[] = {"cases"};
  const bool is_other = std::any_of(std::begin(kOthers), std::end(kOthers), has);
  return !is_other && (std::any_of(std::begin(kOwn), std::end(kOwn), has) ||
                       std::any_of(keys.begin(), keys.end(),
                                   [&](const std::string& key) { return !DidYouMean(key, kCases).empty(); }));
}

}  // namespace assay
