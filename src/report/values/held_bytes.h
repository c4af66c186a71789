// About how much memory JSON values and words of answers take. Whoever gathers them for a page or a line
// stops in time: the cells of a small store may name one long answer again and again.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/errors/result.h"
#include "spec/score/score.h"
#include "text/value.h"

namespace assay {

inline constexpr std::size_t kGatheredBytesMax = 64u << 20;

std::size_t HeldBytes(const Value& value);
std::size_t HeldBytes(const Transcript& transcript);

// What somebody gathers of one case.
class GatheredBytes {
 public:
  explicit GatheredBytes(std::string_view case_id) : case_id_(case_id) {}
  // kLimit: there is more than fits.
  Status Add(std::size_t bytes);
  std::size_t bytes() const { return bytes_; }

 private:
  std::string_view case_id_;
  std::size_t bytes_ = 0;
};

}  // namespace assay
