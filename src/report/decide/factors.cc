// The table of factors (temperature, system prompt, effort, token limit, examples, prompt), and the pairs of
// variants that differ in one alone.
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

// The seed of the examples before its questions, where variants differ in it.
std::string ShotsSeedOf(const Variant& variant) { return variant.details.TextAt("shotsSeed"); }
std::string ShotsOf(const Variant& variant) {
  const std::string seed = ShotsSeedOf(variant);
  return seed.empty() ? std::string("no seed of examples") : fmt::format("examples of seed {}", seed);
}

// The prompt that a variant asks its cases with, where variants differ in it.
std::string PromptKey(const Variant& variant) { return variant.details.TextAt("promptName"); }
std::string PromptWords(const Variant& variant) {
  const std::string name = PromptKey(variant);
  return name.empty() ? std::string("no prompt of its own") : fmt::format("prompt “{}”", name);
}

constexpr std::string_view kNone = "–";

std::string ShortShots(const Variant& variant) {
  const std::string seed = ShotsSeedOf(variant);
  return seed.empty() ? std::string(kNone) : seed;
}

std::string ShortPrompt(const Variant& variant) {
  return PromptKey(variant).empty() ? std::string(kNone) : std::string();
}

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

// What is equal of variants that are equal in the factor, and of no others.
std::string TemperatureKey(const Variant& variant) {
  const std::optional<double>& value = variant.params.temperature;
  return value ? fmt::format("{}", *value + 0.0) : std::string();  // -0 is 0
}
std::string SystemKey(const Variant& variant) { return variant.system.value_or(""); }
std::string EffortKey(const Variant& variant) { return variant.params.effort; }
std::string LimitKey(const Variant& variant) {
  const std::optional<std::int64_t>& value = variant.params.max_tokens;
  return value ? std::to_string(*value) : std::string();
}

struct FactorRow {
  std::string_view name;
  std::string (*word)(const Variant& variant);
  std::string (*short_word)(const Variant& variant);  // "": a letter
  std::string (*key)(const Variant& variant);
};
constexpr FactorRow kFactors[] = {
    {"temperature", TemperatureOf, ShortTemperature, TemperatureKey},
    {"system prompt", SystemOf, ShortSystem, SystemKey},
    {"effort", EffortOf, ShortEffort, EffortKey},
    {"max_tokens", LimitOf, ShortLimit, LimitKey},
    {"examples", ShotsOf, ShortShots, ShotsSeedOf},
    {"prompt", PromptWords, ShortPrompt, PromptKey},
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

// A text with its length, so that no two lists of texts become one key.
void AppendPart(std::string_view part, std::string& key) { key += fmt::format("{}:{}", part.size(), part); }

// Equal of values that SameValue, in whatever order their members stand; nearly never of others.
void AppendKey(const Value& value, std::string& key) {
  if (value.is_list()) {
    for (const Value& each : value.AsList()) AppendKey(each, key);
    key += ']';
  } else if (value.is_map()) {
    std::map<std::string_view, const Value*> members;
    for (const Member& each : value.AsMap()) members.emplace(each.key, &each.value);
    for (const auto& [name, member] : members) {
      AppendPart(name, key);
      AppendKey(*member, key);
    }
    key += '}';
  } else {
    key += static_cast<char>('a' + static_cast<int>(value.kind()));
    AppendPart(WriteJson(value, JsonStyle::kJavaScript), key);
  }
}

// Equal of variants for which IsSameModel holds; of few others.
std::string ModelKey(const Variant& variant) {
  std::string key;
  for (const std::string* part : {&variant.provider, &variant.model, &variant.base_url})
    AppendPart(*part, key);
  // Of others the asking follows from a factor.
  const bool is_of_factor = !ShotsSeedOf(variant).empty() || !PromptKey(variant).empty();
  AppendPart(variant.profile || !is_of_factor ? variant.asking : std::string(), key);
  AppendKey(variant.custom, key);
  const SamplingParams& params = variant.params;
  key += fmt::format("{} {} {}", params.top_p.value_or(-1) + 0.0, params.seed.value_or(-1),
                     params.thinking_tokens.value_or(-1));
  for (const std::string& stop : params.stop) AppendPart(stop, key);
  if (!variant.profile) return key;
  const Profile& profile = *variant.profile;
  for (const std::string& tool : profile.disabled_tools) AppendPart(tool, key);
  for (const auto* text : {&profile.additional_source_context, &profile.query_prefix, &profile.query_suffix})
    AppendPart(text->value_or(""), key);
  return key;
}

// Groups of variants: by variant the number of its group, and of each group its first variant.
struct Groups {
  std::vector<std::size_t> of;
  std::vector<VariantNumber> first;

  std::size_t size() const { return first.size(); }
  std::vector<std::vector<VariantNumber>> Members() const {
    std::vector<std::vector<VariantNumber>> members(size());
    for (VariantNumber v = 0; v < of.size(); ++v) members[of[v]].push_back(v);
    return members;
  }
};

// In suite order. Without a pass over all pairs of variants, of which a suite may have very many.
template <typename Key>
Groups GroupsBy(std::size_t variants, const Key& key_of) {
  Groups groups;
  std::map<decltype(key_of(VariantNumber())), std::size_t> known;
  for (VariantNumber v = 0; v < variants; ++v) {
    const auto [found, is_new] = known.emplace(key_of(v), groups.size());
    if (is_new) groups.first.push_back(v);
    groups.of.push_back(found->second);
  }
  return groups;
}

// One for each level of the factor.
Groups LevelsOf(const FactorRow& factor, const Suite& suite) {
  return GroupsBy(suite.variants.size(), [&](VariantNumber v) { return factor.key(suite.variants[v]); });
}

// Those that are the same model. Of models with one key, each is compared with those that came before.
Groups SameModels(const Suite& suite) {
  std::map<std::string, std::vector<VariantNumber>> firsts;
  return GroupsBy(suite.variants.size(), [&](VariantNumber v) {
    std::vector<VariantNumber>& with_key = firsts[ModelKey(suite.variants[v])];
    const auto found = std::find_if(with_key.begin(), with_key.end(), [&](VariantNumber first) {
      return IsSameModel(suite.variants[first], suite.variants[v]);
    });
    return found == with_key.end() ? with_key.emplace_back(v) : *found;
  });
}

using VariantPairs = std::vector<std::pair<VariantNumber, VariantNumber>>;

// What FactorEffects looks at again and again.
struct FactorWork {
  const Suite& suite;
  const CaseScores& scores;
  Models models = ModelsOf(suite);
  Groups same = SameModels(suite);
  std::vector<Groups> levels = {};  // by factor

  explicit FactorWork(const Suite& of_suite, const CaseScores& of_scores)
      : suite(of_suite), scores(of_scores) {
    for (const FactorRow& row : kFactors) levels.push_back(LevelsOf(row, suite));
  }
  // Those that are equal in everything but the factor.
  Groups EqualBut(std::size_t factor) const {
    return GroupsBy(suite.variants.size(), [&](VariantNumber v) {
      std::vector<std::size_t> key = {same.of[v]};
      for (std::size_t i = 0; i < levels.size(); ++i) {
        if (i != factor) key.push_back(levels[i].of[v]);
      }
      return key;
    });
  }
};

// Of each of these variants with each of the base level that equals it in the rest, as many as may be.
VariantPairs PairsOf(std::span<const VariantNumber> variants, const Groups& equal,
                     std::span<const std::vector<VariantNumber>> bases) {
  constexpr std::size_t kPairsMax = 125'000;  // beyond that there are many variants that nothing tells apart
  VariantPairs pairs;
  for (const VariantNumber a : variants) {
    for (const VariantNumber b : bases[equal.of[a]]) {
      if (pairs.size() == kPairsMax) return pairs;
      pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

void Describe(const FactorWork& work, const VariantPairs& pairs, FactorEffect& effect) {
  const std::vector<Sample>& samples = work.scores.samples;
  const auto sentence = [&](const PairedEstimate& paired) {
    return PairedSentence(effect.level, effect.base, paired, paired.p.value_or(1));
  };
  effect.pairs = pairs.size();
  effect.paired = CompareFactor(samples, pairs, work.scores.design());
  effect.sentence = sentence(effect.paired);
  std::map<std::size_t, VariantPairs> of_model;
  for (const auto& pair : pairs) of_model[work.models.of[pair.first]].push_back(pair);
  if (of_model.size() < 2) return;
  for (const auto& [model, own] : of_model) {
    ModelEffect& one = effect.by_model.emplace_back();
    one.model = work.models.names[model];
    one.pairs = own.size();
    one.paired = CompareFactor(samples, own, work.scores.design());
    one.sentence = sentence(one.paired);
  }
}

}  // namespace

std::vector<FactorLevels> FactorsOf(const Suite& suite) {
  std::vector<FactorLevels> factors;
  for (const FactorRow& row : kFactors) {
    Groups levels = LevelsOf(row, suite);
    if (levels.size() < 2) continue;
    FactorLevels& factor = factors.emplace_back();
    factor.name = row.name;
    char letter = 'A';
    for (const VariantNumber first : levels.first) {
      const Variant& level = suite.variants[first];
      factor.levels.push_back(row.word(level));
      std::string word = row.short_word(level);
      if (word.empty())
        word = letter <= 'Z' ? std::string(1, letter++) : std::to_string(factor.levels.size());
      factor.short_levels.push_back(std::move(word));
    }
    factor.of = std::move(levels.of);
  }
  return factors;
}

std::vector<FactorEffect> FactorEffects(const Suite& suite, const CaseScores& scores) {
  std::vector<FactorEffect> effects;
  const FactorWork work(suite, scores);
  for (std::size_t f = 0; f < std::size(kFactors); ++f) {
    const FactorRow& factor = kFactors[f];
    const Groups& levels = work.levels[f];
    if (levels.size() < 2) continue;
    const Groups equal = work.EqualBut(f);
    const std::vector<std::vector<VariantNumber>> of_level = levels.Members();
    std::vector<std::vector<VariantNumber>> bases(equal.size());
    for (const VariantNumber v : of_level[0]) bases[equal.of[v]].push_back(v);
    const std::string base = factor.word(suite.variants[levels.first[0]]);
    for (std::size_t i = 1; i < levels.size(); ++i) {
      const VariantPairs pairs = PairsOf(of_level[i], equal, bases);
      if (pairs.empty()) continue;
      FactorEffect& effect = effects.emplace_back();
      effect.factor = factor.name;
      effect.level = factor.word(suite.variants[levels.first[i]]);
      effect.base = base;
      Describe(work, pairs, effect);
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
  for (std::size_t v = 0; v < names.size(); ++v) names[v] = TableNameOf(suite.variants[v], names[v]);
  return names;
}

const std::string& TableNameOf(const Variant& variant, const std::string& spoken) {
  return variant.profile ? spoken : variant.id;
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
