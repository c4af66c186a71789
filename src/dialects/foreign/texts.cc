// Walks the points of prompts.
#include "dialects/foreign/texts.h"

#include <algorithm>

#include "text/template/written.h"

namespace assay::foreign {
namespace {

class NumberWalk {
 public:
  NumberWalk(std::initializer_list<std::string_view> keys, const SourceFiles& sources)
      : keys_(keys), sources_(sources) {}

  void Through(Value& value, bool is_below) {
    if (value.is_list()) {
      for (Value& item : value.AsList()) Through(item, is_below);
    } else if (value.is_map()) {
      for (Member& member : value.AsMap()) {
        const bool is_named = std::find(keys_.begin(), keys_.end(), member.key) != keys_.end();
        // The places of a path are numbers.
        if (member.key != "path") Through(member.value, is_below || is_named);
      }
    } else if (is_below && (value.is_number() || value.is_bool())) {
      const Span span = value.span;
      value = Value(*WrittenText(value, sources_));
      value.span = span;
    }
  }

 private:
  std::initializer_list<std::string_view> keys_;
  const SourceFiles& sources_;
};

}  // namespace

void WriteOutNumbers(std::vector<blueprint::PromptEntry>& entries,
                     std::initializer_list<std::string_view> keys, const SourceFiles& sources) {
  NumberWalk walk(keys, sources);
  for (blueprint::PromptEntry& entry : entries) {
    Value* points = entry.value.is_map() ? entry.value.AsMap().Find("should") : nullptr;
    if (points != nullptr) walk.Through(*points, false);
  }
}

}  // namespace assay::foreign
