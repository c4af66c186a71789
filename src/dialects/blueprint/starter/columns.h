// What the columns of a table are for, as far as their names say it: "Question", "target", "Must 1", "A".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::blueprint {

// From this rank on, the name only contains a word that says it: "Citizen's question".
inline constexpr std::size_t kContainedRank = 100;

enum class ColumnRole : std::uint8_t {
  kNone,
  kId,
  kQuestion,
  kContext,    // what the question is about
  kAnswer,     // the one that is wanted
  kChoices,    // a list of them
  kOption,     // one of them: A, B, C
  kShould,     // a criterion
  kShouldNot,  // a criterion of what may not be said
  kTopic,
  kSource,
  kStatus,  // whether the row is ready
};

struct NamedRole {
  ColumnRole role = ColumnRole::kNone;
  std::size_t rank = 0;  // 0 for the name that says it best
  char letter = 0;       // of kOption, a capital
};

// "must 1" of " Must_1 ".
std::string PlainName(std::string_view name);
NamedRole RoleOfName(std::string_view name);

}  // namespace assay::blueprint
