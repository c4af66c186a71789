// Overwrites the bytes of a secret when it is destroyed.
#include "base/wire/secret.h"

#include <strings.h>

#include <cstring>

namespace assay {

Secret::~Secret() {
  // A moved-from or shortened string may still hold the old bytes in its spare capacity.
  value_.resize(value_.capacity());
  explicit_bzero(value_.data(), value_.size());
}

}  // namespace assay
