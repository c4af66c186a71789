// The table of factors (temperature, system prompt, effort, token limit), and the pairs of variants that
// differ in one alone.
#include "report/decide/factors.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text/utf8.h"
#include "spec/report/profile_names.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentences.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::size_t kPromptBytesMax = 48;

std::string TemperatureOf(const Variant& variant) {
  const std::optional<double>& value = variant.params.temperature;
  return value ? fmt::format("temperature {:g}", *value) : std::string("no temperature");
}

std::string SystemOf(const Variant& variant) {
  if (!variant.system || variant.system->empty()) return "no system prompt";
  const std::string& text = *variant.system;
  const std::string_view cut = CutToBytes(text, kPromptBytesMax);
  return fmt::format("system prompt “{}{}”", cut, cut.size() < text.size() ? "…" : "");
}

std::string EffortOf(const Variant& variant) {
  return variant.params.effort.empty() ? std::string("no effort")
                                       : fmt::format("effort {}", variant.params.effort);
}

std::string LimitOf(const Variant& variant) {
  const std::optional<std::int64_t>& value = variant.params.max_tokens;
  return value ? fmt::format("max_tokens {}", *value) : std::string("no max_tokens");
}

constexpr std::string_view kNone = "–";

std::string ShortTemperature(const Variant& variant) {
  const std::optional<double>& value = variant.params.temperature;
  return value ? fmt::format("{:g}", *value) : std::string(kNone);
}
std::string ShortSystem(const Variant& variant) {
  return variant.system.value_or("").empty() ? std::string(kNone) : std::string();
}
std::string ShortEffort(const Variant& variant) {
  return variant.params.effort.empty() ? std::string(kNone) : variant.params.effort;
}
std::string ShortLimit(const Variant& variant) {
  const std::optional<std::int64_t>& value = variant.params.max_tokens;
  return value ? std::to_string(*value) : std::string(kNone);
}

struct FactorRow {
  std::string_view name;
  std::string (*word)(const Variant& variant);
  std::string (*short_word)(const Variant& variant);  // "": a letter
  bool (*are_equal)(const Variant& a, const Variant& b);
};
constexpr FactorRow kFactors[] = {
    {"temperature", TemperatureOf, ShortTemperature,
     [](const Variant& a, const Variant& b) { return a.params.temperature == b.params.temperature; }},
    {"system prompt", SystemOf, ShortSystem,
     [](const Variant& a, const Variant& b) { return a.system.value_or("") == b.system.value_or(""); }},
    {"effort", EffortOf, ShortEffort,
     [](const Variant& a, const Variant& b) { return a.params.effort == b.params.effort; }},
    {"max_tokens", LimitOf, ShortLimit,
     [](const Variant& a, const Variant& b) { return a.params.max_tokens == b.params.max_tokens; }},
};

// Whether two profiles of a matrix have the same settings under whatever names.
bool HaveSameSettings(const Variant& a, const Variant& b) {
  if (!a.profile || !b.profile) return a.profile == b.profile;
  Profile other = *b.profile;
  other.id = a.profile->id;
  other.model_alias = a.profile->model_alias;
  return *a.profile == other && a.asking == b.asking;
}

// The same model, asked in the same way but for the factors above.
bool IsSameModel(const Variant& a, const Variant& b) {
  return a.provider == b.provider && a.model == b.model && a.base_url == b.base_url &&
         SameValue(a.custom, b.custom) && a.params.top_p == b.params.top_p &&
         a.params.seed == b.params.seed && a.params.stop == b.params.stop &&
         a.params.thinking_tokens == b.params.thinking_tokens &&
         a.params.shows_thoughts == b.params.shows_thoughts && a.answers_freely == b.answers_freely &&
         HaveSameSettings(a, b);
}

bool AreEqualBut(const FactorRow& factor, const Variant& a, const Variant& b) {
  return IsSameModel(a, b) &&
         std::all_of(std::begin(kFactors), std::end(kFactors),
                     [&](const FactorRow& row) { return &row == &factor || row.are_equal(a, b); });
}

// One variant for each level of the factor, in suite order.
std::vector<const Variant*> LevelsOf(const FactorRow& factor, const Suite& suite) {
  std::vector<const Variant*> levels;
  for (const Variant& variant : suite.variants) {
    const bool is_known = std::any_of(levels.begin(), levels.end(), [&](const Variant* level) {
      return factor.are_equal(*level, variant);
    });
    if (!is_known) levels.push_back(&variant);
  }
  return levels;
}

using VariantPairs = std::vector<std::pair<VariantNumber, VariantNumber>>;

VariantPairs PairsOf(const FactorRow& factor, const Suite& suite, const Variant& level, const Variant& base) {
  VariantPairs pairs;
  for (VariantNumber a = 0; a < suite.variants.size(); ++a) {
    if (!factor.are_equal(suite.variants[a], level)) continue;
    for (VariantNumber b = 0; b < suite.variants.size(); ++b) {
      const bool is_base = factor.are_equal(suite.variants[b], base);
      if (is_base && AreEqualBut(factor, suite.variants[a], suite.variants[b])) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

void Describe(const Suite& suite, const CaseScores& scores, const VariantPairs& pairs, FactorEffect& effect) {
  const auto sentence = [&](const PairedEstimate& paired) {
    return PairedSentence(effect.level, effect.base, paired, paired.p.value_or(1));
  };
  effect.pairs = pairs.size();
  effect.paired = CompareFactor(scores.samples, pairs, scores.design());
  effect.sentence = sentence(effect.paired);
  const Models models = ModelsOf(suite);
  std::vector<VariantPairs> of_model(models.names.size());
  for (const auto& pair : pairs) of_model[models.of[pair.first]].push_back(pair);
  for (std::size_t m = 0; m < of_model.size(); ++m) {
    if (of_model[m].empty() || of_model[m].size() == pairs.size()) continue;
    ModelEffect& one = effect.by_model.emplace_back();
    one.model = models.names[m];
    one.pairs = of_model[m].size();
    one.paired = CompareFactor(scores.samples, of_model[m], scores.design());
    one.sentence = sentence(one.paired);
  }
}

}  // namespace

std::vector<FactorLevels> FactorsOf(const Suite& suite) {
  std::vector<FactorLevels> factors;
  for (const FactorRow& row : kFactors) {
    const std::vector<const Variant*> levels = LevelsOf(row, suite);
    if (levels.size() < 2) continue;
    FactorLevels& factor = factors.emplace_back();
    factor.name = row.name;
    char letter = 'A';
    for (const Variant* level : levels) {
      factor.levels.push_back(row.word(*level));
      std::string word = row.short_word(*level);
      if (word.empty())
        word = letter <= 'Z' ? std::string(1, letter++) : std::to_string(factor.levels.size());
      factor.short_levels.push_back(std::move(word));
    }
    for (const Variant& variant : suite.variants) {
      const auto found = std::find_if(levels.begin(), levels.end(),
                                      [&](const Variant* level) { return row.are_equal(*level, variant); });
      factor.of.push_back(static_cast<std::size_t>(found - levels.begin()));
    }
  }
  return factors;
}

std::vector<FactorEffect> FactorEffects(const Suite& suite, const CaseScores& scores) {
  std::vector<FactorEffect> effects;
  for (const FactorRow& factor : kFactors) {
    const std::vector<const Variant*> levels = LevelsOf(factor, suite);
    for (std::size_t i = 1; i < levels.size(); ++i) {
      const VariantPairs pairs = PairsOf(factor, suite, *levels[i], *levels[0]);
      if (pairs.empty()) continue;
      FactorEffect& effect = effects.emplace_back();
      effect.factor = factor.name;
      effect.level = factor.word(*levels[i]);
      effect.base = factor.word(*levels[0]);
      Describe(suite, scores, pairs, effect);
    }
  }
  return effects;
}

std::vector<std::string> SpokenNames(const Suite& suite) {
  const bool are_profiles = std::any_of(suite.variants.begin(), suite.variants.end(),
                                        [](const Variant& variant) { return variant.profile.has_value(); });
  if (are_profiles) return ProfileNames(suite);
  const std::vector<std::string> parameters = VaryingParameters(suite);
  std::map<std::string_view, std::size_t> labelled;
  for (const Variant& variant : suite.variants) ++labelled[variant.label];
  std::vector<std::string> names;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < suite.variants.size(); ++i) {
    const Variant& variant = suite.variants[i];
    ids.push_back(variant.id);
    const bool has_label = !variant.label.empty();
    const bool tells_all = has_label && labelled[variant.label] == 1;
    const bool has_words = !variant.model_id.empty() && !parameters[i].empty() && !tells_all;
    const std::string_view shown =
        has_label ? std::string_view(variant.label) : SpokenId(has_words ? variant.model_id : variant.id);
    names.push_back(has_words ? fmt::format("{} ({})", shown, parameters[i]) : std::string(shown));
  }
  const std::set<std::string_view> different(names.begin(), names.end());
  return different.size() == names.size() ? names : ids;
}

std::vector<std::string> TableNames(const Suite& suite) {
  std::vector<std::string> names = SpokenNames(suite);
  for (std::size_t v = 0; v < names.size(); ++v) {
    if (!suite.variants[v].profile) names[v] = suite.variants[v].id;
  }
  return names;
}

std::vector<std::string> VaryingParameters(const Suite& suite) {
  std::vector<std::string> texts(suite.variants.size());
  for (const FactorRow& factor : kFactors) {
    if (LevelsOf(factor, suite).size() < 2) continue;
    for (std::size_t i = 0; i < texts.size(); ++i)
      texts[i] += fmt::format("{}{}", texts[i].empty() ? "" : ", ", factor.word(suite.variants[i]));
  }
  return texts;
}

}  // namespace assay
