// Looks models up in the table: by provider, through brokers' names and deployments, with the user's own
// facts on top.
#include "providers/facts/model_facts.h"

#include <algorithm>
#include <cmath>

#include "providers/facts/context_window.h"
#include "providers/facts/model_kinds.h"
#include "providers/facts/service_prices.h"
#include "spec/run/run_cost.h"
#include "text/found.h"

namespace assay {

namespace {

// Vendors as brokers name them, and as the table does.
struct VendorRow {
  std::string_view broker_name;
  std::string_view provider;
  bool dots_are_dashes = false;  // "claude-opus-4.8" of the broker is the vendor's "claude-opus-4-8"
};
constexpr VendorRow kVendors[] = {
    {"anthropic", "anthropic", true},
    {"google", "google"},
    {"mistralai", "mistral"},
    {"openai", "openai"},
    {"x-ai", "xai"},
};

// "anthropic/claude-opus-4.8:thinking"
std::optional<ModelFacts> FindAtBroker(std::string_view model) {
  const std::size_t slash = model.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto* vendor = std::find_if(std::begin(kVendors), std::end(kVendors), [&](const VendorRow& row) {
    return row.broker_name == model.substr(0, slash);
  });
  if (vendor == std::end(kVendors)) return std::nullopt;
  const std::size_t colon = model.find(':', slash);
  std::string name(model.substr(slash + 1, colon == std::string_view::npos ? colon : colon - slash - 1));
  if (vendor->dots_are_dashes) std::replace(name.begin(), name.end(), '.', '-');
  std::optional<ModelFacts> facts = FindModelFacts(vendor->provider, name);
  if (!facts) return facts;
  facts->responses_only = false;
  facts->cache_min_tokens = 0;  // its protocol is another one
  if (colon != std::string_view::npos) facts->price.reset();
  return facts;
}

// A deployment that has a model's name is taken for this model; what it costs is between Azure and its user.
std::optional<ModelFacts> FindAtAzure(std::string_view deployment) {
  std::optional<ModelFacts> facts = FindModelFacts("openai", deployment);
  if (facts) facts->price.reset();
  return facts;
}

// "claude-haiku-4-5@20251001" of Google Cloud is the maker's "claude-haiku-4-5-20251001", at his price where
// no region is chosen.
std::optional<ModelFacts> FindAtVertex(std::string_view model) {
  std::string name(model);
  std::replace(name.begin(), name.end(), '@', '-');
  return FindModelFacts(name.starts_with("claude") ? "anthropic" : "google", name);
}

// "us.anthropic.claude-haiku-4-5-20251001-v1:0" of Amazon is the maker's "claude-haiku-4-5-20251001"; where
// a region is chosen it costs another price.
std::optional<ModelFacts> FindAtBedrock(std::string_view model) {
  constexpr std::string_view kMaker = "anthropic.";
  const std::size_t at = model.find(kMaker);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view place = model.substr(0, at);
  std::string_view name = model.substr(at + kMaker.size());
  name = name.substr(0, std::min(name.rfind("-v"), name.find(':')));
  std::optional<ModelFacts> facts = FindModelFacts("anthropic", name);
  if (!facts) return facts;
  facts->cache_min_tokens = 0;  // its protocol is another one
  if (!place.empty() && place != "global.") facts->price.reset();
  return facts;
}

// What a maker takes for that holds for all its prices that say nothing of it.
void AddHourWrites(std::string_view provider, ModelFacts& facts) {
  if (facts.price && facts.price->hour_write_factor == 0)
    facts.price->hour_write_factor = HourWriteFactor(provider);
}

template <class Field>
void Take(const std::optional<Field>& own, Field& field) {
  if (own) field = *own;
}

void TakeOwn(const OwnFacts& own, ModelFacts& facts) {
  Take(own.temperature, facts.sampling.temperature);
  Take(own.top_p, facts.sampling.top_p);
  Take(own.top_k, facts.sampling.top_k);
  Take(own.output_max, facts.output_max);
  Take(own.effort, facts.effort);
  Take(own.responses_only, facts.responses_only);
  Take(own.keeps_think_tags, facts.keeps_think_tags);
  if (own.takes) facts.takes = own.takes;
  if (own.takes_schema) facts.takes_schema = own.takes_schema;
  if (own.price) facts.price = own.price;
  if (!own.thinking_room) return;
  facts.thinking_room = *own.thinking_room;
  if (*own.thinking_room > 0 && !facts.ThinksUnasked()) facts.thinking = Thinking::kByDefault;
}

// Who makes a model, and what it is called there.
struct MakersName {
  std::string_view provider;
  std::string model;
};

// Of a broker's "vendor/model" the vendor's own name; nothing if nobody knows the vendor.
std::optional<MakersName> MakerOf(std::string_view provider, std::string_view model) {
  if (provider != "openrouter") return MakersName{provider, std::string(model)};
  const std::size_t slash = model.find('/');
  const auto* vendor = std::find_if(std::begin(kVendors), std::end(kVendors), [&](const VendorRow& row) {
    return row.broker_name == model.substr(0, slash);
  });
  if (slash == std::string_view::npos || vendor == std::end(kVendors)) return std::nullopt;
  std::string name(model.substr(slash + 1, std::min(model.find(':', slash), model.size()) - slash - 1));
  if (vendor->dots_are_dashes) std::replace(name.begin(), name.end(), '.', '-');
  return MakersName{vendor->provider, std::move(name)};
}

}  // namespace

std::optional<Retirement> FindRetirement(std::string_view provider, std::string_view model) {
  const std::optional<MakersName> maker = MakerOf(provider, model);
  return maker ? FindMakersRetirement(maker->provider, maker->model) : std::nullopt;
}

std::int64_t FindContextWindow(std::string_view provider, std::string_view model) {
  const std::optional<MakersName> maker = MakerOf(provider, model);
  return maker ? FindMakersWindow(maker->provider, maker->model) : 0;
}

std::string_view OtherKindIn(std::string_view model) {
  constexpr std::string_view kKinds[] = {"-tts", "-image", "-live", "-audio", "-realtime", "-transcribe"};
  const auto* kind = std::find_if(std::begin(kKinds), std::end(kKinds), [model](std::string_view each) {
    return model.find(each) != std::string_view::npos;
  });
  return kind == std::end(kKinds) ? std::string_view() : *kind;
}

bool FitsName(std::string_view pattern, std::string_view name) {
  const bool is_start = pattern.ends_with('*');
  const std::size_t size = pattern.size() - (is_start ? 1 : 0);
  if (name.size() < size || (!is_start && name.size() != size)) return false;
  // Asked for every row at each call: models of a provider begin alike, so that most differ here.
  return size == 0 || (name[size - 1] == pattern[size - 1] &&
                       std::equal(name.begin(), name.begin() + size, pattern.begin()));
}

bool IsNarrower(std::string_view a, std::string_view b) {
  const auto weight = [](std::string_view pattern) {
    return pattern.ends_with('*') ? 2 * (pattern.size() - 1) : 2 * pattern.size() + 1;
  };
  return weight(a) > weight(b);
}

std::optional<ModelFacts> FindModelFacts(std::string_view provider, std::string_view model) {
  if (provider == "openai-responses") provider = "openai";  // another protocol, the same models
  if (provider == "openrouter") return FindAtBroker(model);
  if (provider == "azure-openai") return FindAtAzure(model);
  if (provider == "vertex") return FindAtVertex(model);
  if (provider == "bedrock") {
    if (std::optional<ModelFacts> facts = FindAtBedrock(model)) return facts;
  }
  // Such a variant has neither the price nor the habits of its model, unless a row names it.
  const std::string_view kind = OtherKindIn(model);
  const ModelRow* best = nullptr;
  for (const ModelRow& row : ModelRowsOf(provider)) {
    if (!FitsName(row.model, model)) continue;
    if (!kind.empty() && row.model.find(kind) == std::string_view::npos) continue;
    if (best == nullptr || IsNarrower(row.model, best->model)) best = &row;
  }
  if (best == nullptr) return std::nullopt;
  ModelFacts facts = best->facts;
  facts.takes = FindMediaTaken(provider, model);
  facts.takes_schema = FindSchemaTaken(provider, model);
  AddHourWrites(provider, facts);
  return facts;
}

std::optional<ModelFacts> ModelBook::WithOwn(std::optional<ModelFacts> facts, std::string_view provider,
                                             std::string_view model) const {
  for (const OwnFacts* own : Fitting(provider, model)) {
    if (!facts) facts.emplace();
    TakeOwn(*own, *facts);
  }
  if (facts && !own_.empty()) AddHourWrites(provider, *facts);
  return facts;
}

// What is said of more models first, so that what is said of fewer has the last word.
std::vector<const OwnFacts*> ModelBook::Fitting(std::string_view provider, std::string_view model) const {
  if (own_.empty()) return {};
  std::string id(provider);
  id += ':';
  id += model;
  std::vector<const OwnFacts*> fitting;
  for (const OwnFacts& own : own_) {
    if (FitsName(own.model, id)) fitting.push_back(&own);
  }
  std::stable_sort(fitting.begin(), fitting.end(),
                   [](const OwnFacts* a, const OwnFacts* b) { return IsNarrower(b->model, a->model); });
  return fitting;
}

OwnShares ModelBook::Shares(OwnShares OwnFacts::*shares, std::string_view provider,
                            std::string_view model) const {
  OwnShares all;
  for (const OwnFacts* own : Fitting(provider, model)) {
    for (const auto& [name, share] : own->*shares) all[name] = share;
  }
  return all;
}

double ModelBook::TierFactor(std::string_view provider, std::string_view model, std::string_view tier) const {
  const OwnShares own = Shares(&OwnFacts::tiers, provider, model);
  const auto share = own.find(tier);
  return share != own.end() ? share->second : assay::TierFactor(provider, tier);
}

std::int64_t ModelBook::ToolNanoUsd(const ToolUse& use, std::string_view provider,
                                    std::string_view model) const {
  const OwnShares own = Shares(&OwnFacts::tools_usd, provider, model);
  const auto usd = own.find(use.tool);
  return usd != own.end() ? std::llround(usd->second * kNanoPerUsd)
                          : assay::ToolNanoUsd(use.seller, use.tool);
}

OwnShares ModelBook::TiersOf(std::string_view provider, std::string_view model) const {
  OwnShares tiers = Shares(&OwnFacts::tiers, provider, model);
  for (const auto& [name, share] : assay::TiersOf(provider)) tiers.emplace(name, share);
  return tiers;
}

OwnShares ModelBook::ToolsOf(std::string_view provider, std::string_view model) const {
  OwnShares tools = Shares(&OwnFacts::tools_usd, provider, model);
  for (const auto& [name, usd] : assay::ToolsOf(provider)) tools.emplace(name, usd);
  return tools;
}

void ModelBook::PriceTools(std::string_view provider, std::string_view model, Usage& usage) const {
  if (own_.empty() || usage.billing.tool_uses.empty()) return;
  constexpr double kMost = 1e15;  // a million dollars: what is more is no count of a service
  double nano_usd = 0;
  for (const ToolUse& use : usage.billing.tool_uses)
    nano_usd += static_cast<double>(use.calls) * static_cast<double>(ToolNanoUsd(use, provider, model));
  usage.billing.tools_nano_usd = std::llround(std::clamp(nano_usd, 0.0, kMost));
}

std::optional<ModelFacts> ModelBook::Find(std::string_view provider, std::string_view model) const {
  if (const Remembered* found = FindRemembered(provider, model)) return found->facts;
  return WithOwn(FindModelFacts(provider, model), provider, model);
}

void ModelBook::Remember(std::string_view provider, std::string_view model) {
  constexpr std::size_t kMost = 256;
  if (remembered_.size() == kMost || FindRemembered(provider, model) != nullptr) return;
  remembered_.push_back({std::string(provider), std::string(model), Find(provider, model)});
}

const ModelBook::Remembered* ModelBook::FindRemembered(std::string_view provider,
                                                       std::string_view model) const {
  const auto found = std::find_if(remembered_.begin(), remembered_.end(), [&](const Remembered& each) {
    return each.model == model && each.provider == provider;
  });
  return found == remembered_.end() ? nullptr : &*found;
}

std::optional<ModelFacts> ModelBook::FactsOf(const ModelRef& ref) const {
  const std::string* family = FindText(ref.custom, "inherit");
  if (family == nullptr) return Find(ref.provider, ref.model);
  std::optional<ModelFacts> facts = FindModelFacts(*family, ref.model);
  if (facts) facts->price.reset();  // another service's
  if (facts) facts->cache_min_tokens = 0;
  return WithOwn(std::move(facts), ref.provider, ref.model);
}

std::optional<Price> ModelBook::PriceOf(std::string_view provider, std::string_view model) const {
  const std::optional<ModelFacts> facts = Find(provider, model);
  return facts ? facts->price : std::nullopt;
}

}  // namespace assay
