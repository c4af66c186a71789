// Any bytes as the reply of a model that extracts key points: some points within the limits, none of them
// blank, or an error with something to say. And as an ideal answer: the prompt fences it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors/assert.h"
#include "checks/judge/key_points.h"
#include "checks/limits.h"
#include "spec/suite/case.h"
#include "tests/fuzz/target.h"

FUZZ_TARGET(key_points)(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto points = assay::ParseKeyPoints(text);
  if (points.has_value()) {
    ASSAY_ASSERT(!points->empty() && points->size() <= assay::limits::kKeyPointsMax);
    for (const std::string& point : *points) {
      ASSAY_ASSERT(!point.empty() && text.find(point) != std::string_view::npos);
    }
  } else {
    ASSAY_ASSERT(!points.error().message.empty());
  }
  assay::Case the_case;
  the_case.ideal = std::string(text);
  const std::vector<assay::Message> prompt = assay::BuildKeyPointPrompt(the_case);
  ASSAY_ASSERT(prompt.size() == 2 && prompt[1].text.find(text) != std::string::npos);
  return 0;
}
