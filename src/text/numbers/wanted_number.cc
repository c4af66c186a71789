// Reads what is wanted, and picks the number that is held against it.
#include "text/numbers/wanted_number.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/errors/diagnostics.h"

namespace assay {

namespace {

Error Expected(std::string_view what) { return {ErrorCode::kInvalidInput, fmt::format("expected {}", what)}; }

double InFractions(const FoundNumber& number, const WantedNumber& wanted) {
  return number.is_percent && wanted.percents_are_fractions ? number.value / 100 : number.value;
}

Result<double> ReadRoom(const Value& argument, std::string_view key) {
  const Value* room = argument.Find(key);
  if (room == nullptr) return 0;
  if (room->is_number() && room->AsNumber() >= 0 && std::isfinite(room->AsNumber())) return room->AsNumber();
  return Expected(fmt::format("{}: a number of 0 or more", key));
}

// One of the words of a member; the first where there is no such member.
Result<std::size_t> ReadWord(const Value& argument, std::string_view key,
                             std::initializer_list<std::string_view> words) {
  const Value* word = argument.Find(key);
  if (word == nullptr) return std::size_t{0};
  const auto found =
      word->is_string() ? std::find(words.begin(), words.end(), word->AsString()) : words.end();
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  std::string list;
  for (const std::string_view each : words) list += (list.empty() ? "" : ", ") + std::string(each);
  return Expected(fmt::format("{}: one of {}", key, list));
}

Status ReadValue(const Value& value, WantedNumber& wanted) {
  if (value.is_number() && std::isfinite(value.AsNumber())) {
    wanted.value = value.AsNumber();
    return Ok();
  }
  const std::vector<FoundNumber> numbers =
      value.is_string() ? FindNumbers(value.AsString(), wanted.mark) : std::vector<FoundNumber>();
  if (numbers.size() != 1)
    return Expected(fmt::format("a number, or a text with exactly one; found {}",
                                value.is_string()
                                    ? fmt::format("{} in {}", numbers.size(), Quoted(value.AsString()))
                                    : std::string("no text")));
  wanted.value = InFractions(numbers.front(), wanted);
  return Ok();
}

}  // namespace

bool WantedNumber::Matches(double found) const {
  // What decimal fractions lose as doubles decides nothing.
  constexpr double kRounding = 1e-12;
  const double room = std::max(tolerance, relative * std::abs(value));
  return std::abs(found - value) <= room + kRounding * std::max(std::abs(found), std::abs(value));
}

Result<WantedNumber> ReadWantedNumber(const Value& argument) {
  WantedNumber wanted;
  if (!argument.is_map()) {
    ASSAY_CHECK_OK(ReadValue(argument, wanted));
    return wanted;
  }
  constexpr std::string_view kMembers[] = {"value", "tolerance", "relative", "pick", "percent", "decimal"};
  for (const Member& member : argument.AsMap()) {
    if (std::find(std::begin(kMembers), std::end(kMembers), member.key) == std::end(kMembers))
      return Expected(fmt::format(
          "the members value, tolerance, relative, pick, percent and decimal; found \"{}\"", member.key));
  }
  ASSAY_TRY(wanted.tolerance, ReadRoom(argument, "tolerance"));
  ASSAY_TRY(wanted.relative, ReadRoom(argument, "relative"));
  ASSAY_TRY(const std::size_t pick, ReadWord(argument, "pick", {"last", "first", "only", "any"}));
  ASSAY_TRY(const std::size_t percent, ReadWord(argument, "percent", {"ignore", "fraction"}));
  ASSAY_TRY(const std::size_t decimal, ReadWord(argument, "decimal", {"point", "comma"}));
  wanted.pick = static_cast<WantedNumber::Pick>(pick);
  wanted.percents_are_fractions = percent == 1;
  wanted.mark = decimal == 1 ? DecimalMark::kComma : DecimalMark::kPoint;
  const Value* value = argument.Find("value");
  if (value == nullptr) return Expected("a member \"value\"");
  ASSAY_CHECK_OK(ReadValue(*value, wanted));
  return wanted;
}

std::optional<FoundNumber> PickNumber(std::string_view text, const WantedNumber& wanted) {
  std::vector<FoundNumber> numbers = FindNumbers(text, wanted.mark);
  for (FoundNumber& number : numbers) number.value = InFractions(number, wanted);
  if (numbers.empty() || (wanted.pick == WantedNumber::Pick::kOnly && numbers.size() > 1))
    return std::nullopt;
  if (wanted.pick == WantedNumber::Pick::kFirst) return numbers.front();
  if (wanted.pick == WantedNumber::Pick::kAny) {
    const auto passes = [&wanted](const FoundNumber& number) { return wanted.Matches(number.value); };
    const auto found = std::find_if(numbers.begin(), numbers.end(), passes);
    if (found != numbers.end()) return *found;
  }
  return numbers.back();
}

}  // namespace assay
