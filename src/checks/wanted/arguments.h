// Reads the arguments of checks that compare an answer with wanted texts, numbers or rules. Every error is
// kInvalidInput with the place of what is wrong: "expected a text, found a list".
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/args.h"
#include "spec/suite/check.h"
#include "text/prose/normal.h"
#include "text/value.h"

namespace assay {

Error BadArgument(std::string_view expected, const Value& found);
// The same of a member, or of the map where it lacks it.
Error BadMember(std::string_view expected, const Value& map, std::string_view key);

// A text, or a number or truth value as it is written.
Result<std::string> WrittenText(const Value& value);
// One of these, or a list of them. An empty list is taken only where `may_be_empty`.
enum class Emptiness { kRefused, kAllowed };
Result<std::vector<std::string>> WrittenTexts(const Value& value, Emptiness emptiness = Emptiness::kRefused);

// The map has no member but these.
Status OnlyMembers(const Value& map, std::initializer_list<std::string_view> known);
Result<bool> FlagMember(const Value& map, std::string_view key, bool otherwise);
// A finite number within the bounds; nothing if there is no such member.
Result<std::optional<double>> BoundedMember(const Value& map, std::string_view key, double least,
                                            double most);
// The place of a word in the list; 0 if there is no such member.
Result<std::size_t> WordMember(const Value& map, std::string_view key,
                               std::initializer_list<std::string_view> words);
// The members `ignore`, `drop` and `trim`, over rules that hold without them.
Result<NormalRules> ReadNormalRules(const Value& map, NormalRules otherwise = {});

// What is read as the arguments of a check; an error stops the suite at its place.
template <class T>
CheckArgs ArgsOf(const ParseInput& input, Result<T> read, Diagnostics& diagnostics) {
  if (read) return MakeArgs(*std::move(read));
  return UnusableArgs<T>(TellBadArgument(input, read.error(), diagnostics));
}

// 1 or 0, or the error of a limit that ran out for this answer, which gets no point.
Score YesOrNo(const Result<bool>& holds, bool is_turned_around);

}  // namespace assay
