// The YAML reader under both sets of rules: any bytes end in values or in a diagnostic with a place.
#include "text/yaml/yaml.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "tests/fuzz/places.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(yaml)(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const assay::YamlRules rules : {assay::YamlRules::kJsYaml, assay::YamlRules::kPyYaml}) {
    assay::Diagnostics diagnostics;
    for (const assay::Value& document : assay::ReadYaml(assay::FileId{0}, text, rules, diagnostics)) {
      assay::CheckPlaces(document, size);
    }
    for (const assay::Diagnostic& diagnostic : diagnostics.All()) {
      ASSAY_ASSERT(diagnostic.where.offset <= size);
    }
  }
  return 0;
}
