// Overwrites the bytes of a secret when it is destroyed, and compares secrets.
#include "base/wire/secret.h"

#include <strings.h>

#include <cstring>

namespace assay {

Secret::~Secret() {
  // A moved-from or shortened string may still hold the old bytes in its spare capacity.
  value_.resize(value_.capacity());
  explicit_bzero(value_.data(), value_.size());
}

bool AreEqualSecrets(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differing = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    differing |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return differing == 0;
}

}  // namespace assay
