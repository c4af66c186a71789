// Our words for what a YAML parser stumbles over, with a hint for those who see YAML for the first time.
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
