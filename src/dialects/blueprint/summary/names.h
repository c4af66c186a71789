// Opaque names for makers, models, system prompts and temperatures, so that the model that summarises a run
// cannot favour any; and their replacement in its reply. Source: weval 51dc4d3 (spec: blueprint 16).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialects/blueprint/lower/model_names.h"

namespace assay::blueprint {

class OpaqueNames {
 public:
  struct Entry {
    std::string variant_id;
    ModelName real;
    std::string maker, model;         // "MK_5000", "MD_6000"
    std::string system, temperature;  // "S_7000", "T_8000"; "" where the variant has none
    std::string Joined() const;       // "MK_5000_MD_6000_S_7000_T_8000"
  };

  explicit OpaqueNames(const std::vector<std::string>& variant_ids);

  const std::vector<Entry>& entries() const { return entries_; }
  // Sorted as JavaScript sorts; the name of each is its prefix with its position added.
  const std::vector<std::string>& makers() const { return makers_; }
  const std::vector<std::string>& models() const { return models_; }
  const std::vector<double>& systems() const { return systems_; }
  const std::vector<double>& temperatures() const { return temperatures_; }
  static std::string MakerId(std::size_t position);
  static std::string ModelId(std::size_t position);
  static std::string SystemId(std::size_t position);
  static std::string TemperatureId(std::size_t position);

  // The first variant of a model by opaque names; null if there is none.
  const Entry* FindModel(std::string_view maker, std::string_view model) const;
  // The text with each `<ref ... />` turned into a name or a Markdown link; those that name nothing stay.
  std::string Reveal(std::string_view text) const;

 private:
  std::string RevealOne(std::string_view tag, std::string_view attributes) const;

  std::vector<Entry> entries_;
  std::vector<std::string> makers_, models_;
  std::vector<double> systems_, temperatures_;
};

// name="value" pairs of a tag, in the order of their first mention; the last value of a name counts.
using TagAttributes = std::vector<std::pair<std::string, std::string>>;
TagAttributes ParseTagAttributes(std::string_view text);
std::string_view AttributeOf(const TagAttributes& attributes, std::string_view name);  // "" if absent

}  // namespace assay::blueprint
