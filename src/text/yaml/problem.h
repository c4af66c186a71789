// Our messages for libyaml's problems, each with a hint for people who are new to YAML.
#pragma once

#include <string_view>

namespace assay {

struct YamlMessage {
  std::string_view message;
  std::string_view hint;
};

// `reason` is libyaml's name of the problem, `found` the source from the problem's place to the end of its
// line.
YamlMessage YamlMessageFor(std::string_view reason, std::string_view found);

// A tab where indentation is expected.
YamlMessage TabMessage();

}  // namespace assay
