// Takes labels as names as long as they tell all profiles apart.
#include "spec/report/profile_names.h"

#include <set>
#include <string_view>

namespace assay {

std::vector<std::string> ProfileNames(const Suite& suite) {
  std::vector<std::string> names;
  std::vector<std::string> ids;
  for (const Variant& variant : suite.variants) {
    ids.push_back(variant.id);
    names.push_back(variant.label.empty() ? variant.id : variant.label);
  }
  const std::set<std::string_view> different(names.begin(), names.end());
  return different.size() == names.size() ? names : ids;
}

}  // namespace assay
