// IndexedMap and YamlMapBuilder: build one mapping from its entries and merges, with duplicate keys,
// precedence and order, in time linear in its size.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/errors/diagnostics.h"
#include "text/value.h"
#include "text/yaml/schema.h"

namespace assay {

// A map with a hash index once it is large; Map itself searches linearly.
class IndexedMap {
 public:
  static constexpr std::size_t kNotFound = static_cast<std::size_t>(-1);
  std::size_t Find(std::string_view key) const;
  void Append(std::string key, Value value, Span key_span);
  Member& At(std::size_t index) { return map_.begin()[index]; }
  Map& Content() { return map_; }

 private:
  Map map_;
  std::unordered_map<std::string, std::size_t>
      index_;  // empty while the map is small; only looked up, never walked
};

class YamlMapBuilder {
 public:
  YamlMapBuilder(const YamlSchema& schema, Diagnostics& diagnostics)
      : schema_(schema), diagnostics_(diagnostics) {}
  // A key of the mapping's own. A second one is reported with both places.
  void Add(std::string key, Value value, Span key_span);
  // The members of a mapping behind `<<`; own keys win over them, earlier merges over later ones of one list.
  void Merge(const Map& source);
  Map Finish();

 private:
  const YamlSchema& schema_;
  Diagnostics& diagnostics_;
  IndexedMap own_;
  // By index of own_, as far as the last one of a merge: came from a merge and may be replaced.
  std::vector<bool> is_merged_;
  IndexedMap merged_first_;  // where the schema puts merges first
};

}  // namespace assay
