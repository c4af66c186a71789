// SHA-256 of texts that begin as the one before: each request of an agent repeats the conversation so far.
// Only what is new is hashed, so a conversation costs the bytes of its last request, not the sum of all.
#pragma once

#include <memory>
#include <string_view>

#include "base/hash.h"

namespace assay {

class SequelHasher {
 public:
  SequelHasher();
  ~SequelHasher();
  SequelHasher(SequelHasher&&) noexcept;
  SequelHasher& operator=(SequelHasher&&) noexcept;

  // Equal to Sha256Of. A text of 32 KB or more is kept until the next one.
  Digest Of(std::string_view text);

 private:
  struct Last;
  std::unique_ptr<Last> last_;  // null: no long text yet
};

}  // namespace assay
