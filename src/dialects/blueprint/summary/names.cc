// Gives makers, models, prompts and temperatures opaque names, and replaces these in a reply by links with
// the real ones.
#include "dialects/blueprint/summary/names.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/javascript/number.h"
#include "text/javascript/text.h"

namespace assay::blueprint {
namespace {

void AddNew(std::vector<std::string>& texts, const std::string& text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

void AddNew(std::vector<double>& numbers, const std::optional<double>& number) {
  if (number && std::find(numbers.begin(), numbers.end(), *number) == numbers.end())
    numbers.push_back(*number);
}

// Numbers sort as texts, as they do in the original.
void SortAsTexts(std::vector<double>& numbers) {
  std::sort(numbers.begin(), numbers.end(),
            [](double a, double b) { return CompareUtf16(JsNumberText(a), JsNumberText(b)) < 0; });
}

void SortAsTexts(std::vector<std::string>& texts) {
  std::sort(texts.begin(), texts.end(),
            [](const std::string& a, const std::string& b) { return CompareUtf16(a, b) < 0; });
}

template <class T>
std::size_t PositionOf(const std::vector<T>& sorted, const T& item) {
  return static_cast<std::size_t>(std::find(sorted.begin(), sorted.end(), item) - sorted.begin());
}

// The one that has this opaque id; null if there is none.
template <class T>
const T* Named(const std::vector<T>& sorted, std::string (*id_of)(std::size_t), std::string_view id) {
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (id_of(i) == id) return &sorted[i];
  }
  return nullptr;
}

std::string LinkTo(const OpaqueNames::Entry& entry, std::string_view label) {
  return fmt::format("[{}](#model-perf:{})", label, entry.variant_id);
}

std::string ModelLink(const OpaqueNames::Entry& entry) {
  return LinkTo(entry, ShortModelName(entry.real.base, NameStyle::kPlain));
}

std::string VariantLink(const OpaqueNames::Entry& entry) {
  std::string parts;
  if (entry.real.system_index) parts += fmt::format("System {}", JsNumberText(*entry.real.system_index));
  if (entry.real.temperature.value_or(0) != 0) {
    parts +=
        fmt::format("{}Temperature {}", parts.empty() ? "" : ", ", JsNumberText(*entry.real.temperature));
  }
  std::string label = ShortModelName(entry.real.base, NameStyle::kTitle);
  if (!parts.empty()) label += fmt::format(" ({})", parts);
  return LinkTo(entry, label);
}

std::string TagText(const TagAttributes& attributes) {
  std::string text = "<ref ";
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    text += fmt::format("{}{}=\"{}\"", i == 0 ? "" : " ", attributes[i].first, attributes[i].second);
  }
  return text + " />";
}

bool IsWordChar(char c) { return IsAsciiAlphanumeric(c) || c == '_'; }

}  // namespace

TagAttributes ParseTagAttributes(std::string_view text) {
  TagAttributes attributes;
  constexpr std::string_view kOpening = "=\"";
  std::size_t start = 0;  // what is before it is taken
  for (std::size_t at = text.find(kOpening); at != std::string_view::npos; at = text.find(kOpening, at + 1)) {
    std::size_t name_start = at;
    while (name_start > start && IsWordChar(text[name_start - 1])) --name_start;
    const std::size_t value_start = at + kOpening.size();
    const std::size_t value_end = text.find('"', value_start);
    if (at < start || name_start == at || value_end == std::string_view::npos || value_end == value_start) {
      continue;
    }
    const std::string name(text.substr(name_start, at - name_start));
    const std::string value(text.substr(value_start, value_end - value_start));
    const auto known = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const auto& attribute) { return attribute.first == name; });
    if (known == attributes.end()) {
      attributes.emplace_back(name, value);
    } else {
      known->second = value;
    }
    start = value_end + 1;
  }
  return attributes;
}

std::string_view AttributeOf(const TagAttributes& attributes, std::string_view name) {
  for (const auto& [key, value] : attributes) {
    if (key == name) return value;
  }
  return {};
}

std::string OpaqueNames::MakerId(std::size_t position) { return fmt::format("MK_{}", 5000 + position); }
std::string OpaqueNames::ModelId(std::size_t position) { return fmt::format("MD_{}", 6000 + position); }
std::string OpaqueNames::SystemId(std::size_t position) { return fmt::format("S_{}", 7000 + position); }
std::string OpaqueNames::TemperatureId(std::size_t position) { return fmt::format("T_{}", 8000 + position); }

std::string OpaqueNames::Entry::Joined() const {
  std::string joined = maker + "_" + model;
  for (const std::string& part : {system, temperature}) {
    if (!part.empty()) joined += "_" + part;
  }
  return joined;
}

OpaqueNames::OpaqueNames(const std::vector<std::string>& variant_ids) {
  for (const std::string& id : variant_ids) {
    Entry& entry = entries_.emplace_back();
    entry.variant_id = id;
    entry.real = ParseModelName(id);
    AddNew(makers_, entry.real.maker);
    AddNew(models_, entry.real.base);
    AddNew(systems_, entry.real.system_index);
    AddNew(temperatures_, entry.real.temperature);
  }
  SortAsTexts(makers_);
  SortAsTexts(models_);
  SortAsTexts(systems_);
  SortAsTexts(temperatures_);
  for (Entry& entry : entries_) {
    entry.maker = MakerId(PositionOf(makers_, entry.real.maker));
    entry.model = ModelId(PositionOf(models_, entry.real.base));
    if (entry.real.system_index) entry.system = SystemId(PositionOf(systems_, *entry.real.system_index));
    if (entry.real.temperature) {
      entry.temperature = TemperatureId(PositionOf(temperatures_, *entry.real.temperature));
    }
  }
}

const OpaqueNames::Entry* OpaqueNames::FindModel(std::string_view maker, std::string_view model) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return (maker.empty() || entry.maker == maker) && entry.model == model;
  });
  return found == entries_.end() ? nullptr : &*found;
}

std::string OpaqueNames::RevealOne(std::string_view tag, std::string_view attributes) const {
  const TagAttributes given = ParseTagAttributes(attributes);
  const std::string_view maker = AttributeOf(given, "maker");
  const std::string_view model = AttributeOf(given, "model");
  const std::string_view system = AttributeOf(given, "sys");
  const std::string_view temperature = AttributeOf(given, "temp");
  if (!maker.empty() && !model.empty() && !(system.empty() && temperature.empty())) {
    for (const Entry& entry : entries_) {
      const bool fits = entry.maker == maker && entry.model == model &&
                        (system.empty() || entry.system == system) &&
                        (temperature.empty() || entry.temperature == temperature);
      if (fits) return VariantLink(entry);
    }
  }
  if (!model.empty()) {
    const Entry* entry = FindModel(maker, model);
    if (entry != nullptr) return ModelLink(*entry);
    return maker.empty() ? TagText({{"model", std::string(model)}}) : TagText(given);
  }
  if (!maker.empty()) {
    const std::string* real = Named(makers_, MakerId, maker);
    return real != nullptr ? MakerTitle(*real) : TagText({{"maker", std::string(maker)}});
  }
  if (!system.empty()) {
    const double* real = Named(systems_, SystemId, system);
    if (real == nullptr) return TagText({{"sys", std::string(system)}});
    return fmt::format("[System {0}](#system-prompt:{0})", JsNumberText(*real));
  }
  if (!temperature.empty()) {
    const double* real = Named(temperatures_, TemperatureId, temperature);
    return real != nullptr ? fmt::format("temperature {}", JsNumberText(*real))
                           : TagText({{"temp", std::string(temperature)}});
  }
  const std::string_view prompt = AttributeOf(given, "prompt");
  return prompt.empty() ? std::string(tag) : fmt::format("[{0}](#prompt-detail:{0})", prompt);
}

std::string OpaqueNames::Reveal(std::string_view text) const {
  constexpr std::string_view kOpening = "<ref";
  std::string revealed;
  std::size_t copied = 0;
  for (std::size_t at = text.find(kOpening); at != std::string_view::npos; at = text.find(kOpening, at)) {
    const std::size_t start = at + kOpening.size();
    const std::size_t end = text.find('>', start);
    if (end == std::string_view::npos) break;
    const bool is_tag = start < end && IsJsSpace(DecodeUtf8(text, start).code_point) && text[end - 1] == '/';
    if (!is_tag) {
      at = start;
      continue;
    }
    revealed += text.substr(copied, at - copied);
    revealed += RevealOne(text.substr(at, end + 1 - at), text.substr(start, end - 1 - start));
    at = copied = end + 1;
  }
  revealed += text.substr(copied);
  return revealed;
}

}  // namespace assay::blueprint
