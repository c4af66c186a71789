// Suggests a column for a name that is none.
#include <algorithm>

#include "base/text/edit_distance.h"
#include "base/text/utf8.h"
#include "text/javascript/text.h"
#include "text/template/engine.h"

namespace assay {

namespace {

constexpr std::size_t kNearNameMax = 64;  // code points; longer names are no typing errors

}  // namespace

std::string_view NearName(std::string_view word, std::span<const std::string> names) {
  const std::u32string wanted = ToUtf32(JsToLower(word));
  if (wanted.empty() || wanted.size() > kNearNameMax) return {};
  std::string_view nearest;
  std::size_t least = 0;
  for (const std::string& name : names) {
    const std::u32string other = ToUtf32(JsToLower(name));
    if (other.empty() || other.size() > kNearNameMax) continue;
    const std::size_t allowed = std::max<std::size_t>(1, std::max(wanted.size(), other.size()) / 3);
    const std::size_t distance = EditDistance(wanted, other);
    if (distance > allowed || (!nearest.empty() && distance >= least)) continue;
    nearest = name;
    least = distance;
  }
  return nearest;
}

}  // namespace assay
