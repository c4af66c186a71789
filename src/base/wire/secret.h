// Secret: an API key or token that cannot be printed or serialised by accident; only Reveal() gives its text.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace assay {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}
  Secret(const Secret&) = default;
  Secret& operator=(const Secret&) = default;
  Secret(Secret&&) = default;
  Secret& operator=(Secret&&) = default;
  ~Secret();  // overwrites the bytes

  bool empty() const { return value_.empty(); }
  // For the header of a request to the key's own host only.
  std::string_view Reveal() const { return value_; }

 private:
  std::string value_;
};

// Takes as long wherever they differ.
bool AreEqualSecrets(std::string_view a, std::string_view b);

}  // namespace assay
