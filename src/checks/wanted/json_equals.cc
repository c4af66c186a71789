// Grades `$json_equals`: whether the answer is a JSON value. Pure; any thread.
//   args    {value, partial, any_order, anywhere}
//   answer  JSON as a whole; with `anywhere` also within its words (text/json/find_json.h)
//   score   1 if it equals the wanted value, else 0. Numbers are compared by value, and the order of keys
//           never counts. `partial` allows objects to have more members, and `any_order` ignores the
//           order of lists
//   limits  lists in any order are matched within limits::kAnyOrderStepsMax comparisons; beyond that they are
//           not equal
//   source  assay's own; known deviations: none
#include <algorithm>

#include "checks/graders.h"
#include "checks/limits.h"
#include "checks/wanted/arguments.h"
#include "text/json/find_json.h"
#include "text/json/json.h"

namespace assay {
namespace {

struct WantedJson {
  Value value;
  bool partial = false;
  bool any_order = false;
  bool anywhere = false;
};

class JsonComparison {
 public:
  explicit JsonComparison(const WantedJson& rules) : rules_(rules) {}

  bool Same(const Value& found, const Value& wanted) {
    if (steps_ == 0) return false;
    --steps_;
    if (found.is_number() && wanted.is_number()) return found.AsNumber() == wanted.AsNumber();
    if (found.is_list() && wanted.is_list()) return SameLists(found.AsList(), wanted.AsList());
    if (found.is_map() && wanted.is_map()) return SameMaps(found.AsMap(), wanted.AsMap());
    return SameValue(found, wanted);
  }

 private:
  bool SameMaps(const Map& found, const Map& wanted) {
    if (found.size() != wanted.size() && !rules_.partial) return false;
    return std::all_of(wanted.begin(), wanted.end(), [&](const Member& member) {
      const Value* other = found.Find(member.key);
      return other != nullptr && Same(*other, member.value);
    });
  }

  bool SameLists(const List& found, const List& wanted) {
    if (found.size() != wanted.size()) return false;
    if (!rules_.any_order) {
      return std::equal(found.begin(), found.end(), wanted.begin(),
                        [this](const Value& a, const Value& b) { return Same(a, b); });
    }
    std::vector<std::size_t> partners(found.size(), kNobody);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      std::vector<char> was_tried(found.size(), 0);
      if (!FindPartner(i, found, wanted, partners, was_tried)) return false;
    }
    return true;
  }

  // Gives the wanted item an item of its own, and others another one where that needs to be.
  bool FindPartner(std::size_t i, const List& found, const List& wanted, std::vector<std::size_t>& partners,
                   std::vector<char>& was_tried) {
    for (std::size_t j = 0; j < found.size(); ++j) {
      if (was_tried[j] != 0 || !Same(found[j], wanted[i])) continue;
      was_tried[j] = 1;
      const bool may_move = rules_.partial;  // else equal items may stand for each other
      if (partners[j] == kNobody ||
          (may_move && FindPartner(partners[j], found, wanted, partners, was_tried))) {
        partners[j] = i;
        return true;
      }
    }
    return false;
  }

  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
  const WantedJson& rules_;
  std::size_t steps_ = limits::kAnyOrderStepsMax;
};

Result<WantedJson> ReadWantedJson(const Value& args) {
  WantedJson wanted;
  ASSAY_CHECK_OK(OnlyMembers(args, {"value", "partial", "any_order", "anywhere"}));
  const Value* value = args.Find("value");
  if (value == nullptr) return BadMember("a JSON value", args, "value");
  wanted.value = *value;
  ASSAY_TRY(wanted.partial, FlagMember(args, "partial", false));
  ASSAY_TRY(wanted.any_order, FlagMember(args, "any_order", false));
  ASSAY_TRY(wanted.anywhere, FlagMember(args, "anywhere", false));
  return wanted;
}

Score Grade(const GradeInput& input, const WantedJson& wanted, WorkerState&) {
  std::optional<Value> found;
  if (wanted.anywhere) {
    found = FindJson(input.answer.text());
  } else if (Result<Value> whole = ParseJson(input.answer.text())) {
    found = *std::move(whole);
  }
  Score score = Score::Of(found && JsonComparison(wanted).Same(*found, wanted.value) ? 1 : 0);
  if (!found) score.explanation = wanted.anywhere ? "no JSON found" : "the answer is no JSON";
  return score;
}

}  // namespace

CheckArgs ParseJsonEquals(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadWantedJson(input.check.args), diagnostics);
}

Score GradeJsonEquals(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<WantedJson, Grade>(input, args, worker);
}

}  // namespace assay
