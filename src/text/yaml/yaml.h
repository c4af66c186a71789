// Reads YAML (libyaml's parser, our composer) by the typing rules of js-yaml or of PyYAML.
#pragma once

#include <string_view>
#include <vector>

#include "base/errors/diagnostics.h"
#include "text/value.h"

namespace assay {

enum class YamlRules {
  kJsYaml,  // js-yaml 4.1 default schema (blueprint 24.1); duplicate keys are errors; keys become strings
  kPyYaml,  // PyYAML SafeLoader: YAML 1.1; duplicate keys: last wins with a warning
};

// All documents of a stream, in order, null documents included. On any problem: diagnostics with places
// ("yaml.syntax", "yaml.duplicate-key", "yaml.limit", "yaml.encoding", ...) and the documents read so far.
// Limits: kInputFileBytesMax, kYamlDepthMax, kYamlNodesMax, kYamlDocumentsMax. `text` is the content of
// `file`.
std::vector<Value> ReadYaml(FileId file, std::string_view text, YamlRules rules, Diagnostics& diagnostics);

}  // namespace assay
