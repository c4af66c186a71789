// CheckProbe: whether checks of a case could be bound without a word to say, before there is a suite. What
// depends on the suite is taken for a word.
#pragma once

#include <memory>

#include "spec/suite/case.h"

namespace assay {

class CheckProbe {
 public:
  CheckProbe();
  ~CheckProbe();
  bool BindsQuietly(const Case& the_case);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace assay
