// Reads members of arguments, each with what was expected and the place of what was found.
#include "checks/wanted/arguments.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/errors/diagnostics.h"
#include "text/found.h"
#include "text/javascript/number.h"

namespace assay {

namespace {

struct IgnoredRow {
  std::string_view name;
  bool NormalRules::*rule;
};
constexpr IgnoredRow kIgnored[] = {
    {"case", &NormalRules::lower},
    {"accents", &NormalRules::no_accents},
    {"punctuation", &NormalRules::no_punctuation},
    {"all_punctuation", &NormalRules::no_symbols},
    {"digits", &NormalRules::no_digits},
    {"articles", &NormalRules::no_articles},
    {"whitespace", &NormalRules::one_blank},
};

std::string ListOf(std::initializer_list<std::string_view> words) {
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "" : ", ") + std::string(word);
  return list;
}

Status ReadIgnored(const Value& ignored, NormalRules& rules) {
  constexpr std::string_view kExpected =
      "ignore: a list of case, accents, punctuation, all_punctuation, digits, articles, whitespace";
  if (!ignored.is_list()) return BadArgument(kExpected, ignored);
  for (const IgnoredRow& row : kIgnored) rules.*row.rule = false;
  for (const Value& item : ignored.AsList()) {
    const auto* row = std::find_if(std::begin(kIgnored), std::end(kIgnored), [&item](const IgnoredRow& each) {
      return item.is_string() && item.AsString() == each.name;
    });
    if (row == std::end(kIgnored)) return BadArgument(kExpected, item);
    rules.*row->rule = true;
  }
  return Ok();
}

Status ReadDropped(const Value& dropped, NormalRules& rules) {
  constexpr std::string_view kExpected = "drop: a list of JavaScript regular expressions";
  if (!dropped.is_list()) return BadArgument(kExpected, dropped);
  for (const Value& item : dropped.AsList()) {
    if (!item.is_string()) return BadArgument(kExpected, item);
    Result<std::shared_ptr<const JsRegex>> regex = JsRegex::Compile(item.AsString(), JsRegexFlags::kNone);
    if (!regex) {
      return Error{.code = ErrorCode::kInvalidInput,
                   .message = fmt::format("drop: {}: {}", Quoted(item.AsString()), regex.error().message),
                   .where = item.span};
    }
    rules.drop.push_back(*std::move(regex));
  }
  return Ok();
}

}  // namespace

Error BadArgument(std::string_view expected, const Value& found) {
  const std::string what = found.is_undefined() ? "no argument"
                           : found.is_string()  ? Quoted(found.AsString())
                                                : std::string(KindName(found));
  return {.code = ErrorCode::kInvalidInput,
          .message = fmt::format("expected {}, found {}", expected, what),
          .where = found.span};
}

Error BadMember(std::string_view expected, const Value& map, std::string_view key) {
  const Value* member = map.Find(key);
  if (member != nullptr) return BadArgument(fmt::format("{}: {}", key, expected), *member);
  return {.code = ErrorCode::kInvalidInput,
          .message = fmt::format("expected {}: {}, found no \"{}\"", key, expected, key),
          .where = map.span};
}

Result<std::string> WrittenText(const Value& value) {
  if (value.is_string()) return value.AsString();
  if (value.is_bool()) return std::string(value.AsBool() ? "true" : "false");
  if (value.kind() == ValueKind::kInt) return std::to_string(value.AsInt());
  if (value.is_number()) return JsNumberText(value.AsNumber());
  return BadArgument("a text or a number", value);
}

Result<std::vector<std::string>> WrittenTexts(const Value& value, Emptiness emptiness) {
  std::vector<std::string> texts;
  if (!value.is_list()) {
    ASSAY_TRY(std::string text, WrittenText(value));
    texts.push_back(std::move(text));
    return texts;
  }
  if (value.AsList().empty() && emptiness == Emptiness::kRefused)
    return Error{.code = ErrorCode::kInvalidInput,
                 .message = "expected at least one text, found an empty list",
                 .where = value.span};
  for (const Value& item : value.AsList()) {
    ASSAY_TRY(std::string text, WrittenText(item));
    texts.push_back(std::move(text));
  }
  return texts;
}

Status OnlyMembers(const Value& map, std::initializer_list<std::string_view> known) {
  if (!map.is_map()) return BadArgument(fmt::format("a mapping with {}", ListOf(known)), map);
  for (const Member& member : map.AsMap()) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    return Error{
        .code = ErrorCode::kInvalidInput,
        .message = fmt::format("expected the members {}, found {}", ListOf(known), Quoted(member.key)),
        .where = member.value.span};
  }
  return Ok();
}

Result<bool> FlagMember(const Value& map, std::string_view key, bool otherwise) {
  if (map.Find(key) == nullptr) return otherwise;
  const std::optional<bool> flag = map.BoolAt(key);
  if (!flag) return BadMember("true or false", map, key);
  return *flag;
}

Result<std::optional<double>> BoundedMember(const Value& map, std::string_view key, double least,
                                            double most) {
  const std::optional<double> number = map.NumberAt(key);
  if (map.Find(key) == nullptr) return number;
  if (number && *number >= least && *number <= most && std::isfinite(*number)) return number;
  return BadMember(std::isfinite(most) ? fmt::format("a number from {:g} to {:g}", least, most)
                                       : fmt::format("a number of {:g} or more", least),
                   map, key);
}

Result<std::size_t> WordMember(const Value& map, std::string_view key,
                               std::initializer_list<std::string_view> words) {
  if (map.Find(key) == nullptr) return std::size_t{0};
  const std::string* word = FindText(map, key);
  const auto* found = word == nullptr ? words.end() : std::find(words.begin(), words.end(), *word);
  if (found == words.end()) return BadMember(fmt::format("one of {}", ListOf(words)), map, key);
  return static_cast<std::size_t>(found - words.begin());
}

Result<NormalRules> ReadNormalRules(const Value& map, NormalRules otherwise) {
  NormalRules rules = std::move(otherwise);
  if (const Value* ignored = map.Find("ignore")) ASSAY_CHECK_OK(ReadIgnored(*ignored, rules));
  if (const Value* dropped = map.Find("drop")) ASSAY_CHECK_OK(ReadDropped(*dropped, rules));
  ASSAY_TRY(rules.trim, FlagMember(map, "trim", rules.trim));
  return rules;
}

Score YesOrNo(const Result<bool>& holds, bool is_turned_around) {
  if (!holds) return LostScore("no credit: " + holds.error().message, is_turned_around);
  return Score::Of(*holds ? 1 : 0);
}

}  // namespace assay
