// Fence: marker lines around foreign material in a prompt, so that a model can tell data from instructions.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace assay {

// The markers carry a code computed from all contents that one prompt fences: equal contents give equal
// prompts, and no content holds its own closing marker.
class Fence {
 public:
  explicit Fence(std::initializer_list<std::string_view> contents);
  // "[[LABEL code]]", the content, "[[END OF LABEL code]]", each on lines of its own. The content has no
  // token of a chat template (text/chat_tokens.h).
  std::string Around(std::string_view label, std::string_view content) const;
  const std::string& code() const { return code_; }

 private:
  std::string code_;
};

}  // namespace assay
