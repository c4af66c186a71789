// Measures how fast a model streams its replies: time to the first token, and tokens a second after it.
// Bounded in size.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>

#include "base/wire/wire.h"
#include "spec/exchange/request.h"

namespace assay {

// Numbers above 0, of which only quantiles are wanted: counted in classes that are 2 % wide.
class Quantiles {
 public:
  void Add(double value);
  std::uint64_t count() const { return count_; }
  // Of a share `q` in [0, 1] the largest, to within 1 %; 0 if there are none.
  double At(double q) const;

 private:
  std::map<int, std::uint64_t> classes_;
  std::uint64_t count_ = 0;
};

struct StreamPace {
  Quantiles first_token_ms;
  Quantiles tokens_per_s;  // of streams that say how many tokens they took, and took time for them

  // `first` and `whole` are counted from sending. Tokens that were thought and not shown came before the
  // first one, so they are none of the rate's.
  void Add(std::chrono::microseconds first, std::chrono::microseconds whole, const ModelReply& reply);
};

}  // namespace assay
