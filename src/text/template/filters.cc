// The table of filters and what each does.
#include "text/template/filters.h"

#include <algorithm>
#include <cmath>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/javascript/text.h"
#include "text/template/written.h"

namespace assay {

namespace {

namespace filter {

using Arguments = std::span<const Value>;

FilterOutcome Become(Value& value, Value result) {
  value = std::move(result);
  return FilterOutcome::kDone;
}

FilterOutcome Trim(Value& value, Arguments, const SourceFiles&) {
  if (!value.is_string()) return FilterOutcome::kKind;
  return Become(value, std::string(JsTrim(value.AsString())));
}

FilterOutcome Lower(Value& value, Arguments, const SourceFiles&) {
  if (!value.is_string()) return FilterOutcome::kKind;
  return Become(value, JsToLower(value.AsString()));
}

FilterOutcome Upper(Value& value, Arguments, const SourceFiles&) {
  if (!value.is_string()) return FilterOutcome::kKind;
  return Become(value, JsToUpper(value.AsString()));
}

FilterOutcome Replace(Value& value, Arguments arguments, const SourceFiles& sources) {
  const std::optional<std::string> from = WrittenText(arguments[0], sources);
  const std::optional<std::string> to = WrittenText(arguments[1], sources);
  if (!value.is_string() || !from || !to || from->empty()) return FilterOutcome::kKind;
  const std::string& text = value.AsString();
  std::string out;
  std::size_t at = 0;
  for (std::size_t found = 0; (found = text.find(*from, at)) != std::string::npos; at = found + from->size())
    out.append(text, at, found - at).append(*to);
  return Become(value, out.append(text, at));
}

FilterOutcome After(Value& value, Arguments arguments, const SourceFiles& sources) {
  const std::optional<std::string> mark = WrittenText(arguments[0], sources);
  if (!value.is_string() || !mark) return FilterOutcome::kKind;
  const std::size_t found = value.AsString().rfind(*mark);
  if (found == std::string::npos) return FilterOutcome::kNone;
  return Become(value, std::string(JsTrim(std::string_view(value.AsString()).substr(found + mark->size()))));
}

FilterOutcome Before(Value& value, Arguments arguments, const SourceFiles& sources) {
  const std::optional<std::string> mark = WrittenText(arguments[0], sources);
  if (!value.is_string() || !mark) return FilterOutcome::kKind;
  const std::size_t found = value.AsString().find(*mark);
  if (found == std::string::npos) return FilterOutcome::kNone;
  return Become(value, std::string(JsTrim(std::string_view(value.AsString()).substr(0, found))));
}

FilterOutcome Join(Value& value, Arguments arguments, const SourceFiles& sources) {
  const std::optional<std::string> mark =
      arguments.empty() ? std::optional<std::string>("") : WrittenText(arguments[0], sources);
  if (!value.is_list() || !mark) return FilterOutcome::kKind;
  std::string out;
  for (const Value& item : value.AsList()) {
    const std::optional<std::string> text = WrittenText(item, sources);
    if (!text) return FilterOutcome::kKind;
    if (&item != &value.AsList().front()) out += *mark;
    out += *text;
  }
  return Become(value, std::move(out));
}

FilterOutcome ItemAt(Value& value, double place) {
  if (!value.is_list()) return FilterOutcome::kKind;
  const auto size = static_cast<double>(value.AsList().size());
  if (place < 0) place += size;
  if (!(place >= 0 && place < size)) return FilterOutcome::kNone;
  return Become(value, Value(value.AsList()[static_cast<std::size_t>(place)]));
}

// A whole number, also one that a cell has as a text.
std::optional<double> Whole(const Value& value) {
  const std::optional<double> number = value.is_number()   ? value.AsNumber()
                                       : value.is_string() ? PlainNumber(value.AsString())
                                                           : std::nullopt;
  return number && std::floor(*number) == *number ? number : std::nullopt;
}

FilterOutcome First(Value& value, Arguments, const SourceFiles&) { return ItemAt(value, 0); }
FilterOutcome Last(Value& value, Arguments, const SourceFiles&) { return ItemAt(value, -1); }
FilterOutcome At(Value& value, Arguments arguments, const SourceFiles&) {
  const std::optional<double> place = Whole(arguments[0]);
  return place ? ItemAt(value, *place) : FilterOutcome::kKind;
}

FilterOutcome Length(Value& value, Arguments, const SourceFiles&) {
  if (value.is_list()) return Become(value, static_cast<double>(value.AsList().size()));
  if (!value.is_string()) return FilterOutcome::kKind;
  return Become(value, static_cast<double>(CountCodePoints(value.AsString())));
}

// Where the letter of a style stands: an A that is part of no word, or else the first one.
std::size_t LetterOf(std::string_view style) {
  for (std::size_t at = style.find('A'); at != std::string_view::npos; at = style.find('A', at + 1)) {
    const bool is_behind_letter = at > 0 && IsAsciiLetter(style[at - 1]);
    const bool is_before_letter = at + 1 < style.size() && IsAsciiLetter(style[at + 1]);
    if (!is_behind_letter && !is_before_letter) return at;
  }
  return style.find('A');
}

constexpr std::size_t kLetters = 26;

FilterOutcome Options(Value& value, Arguments arguments, const SourceFiles& sources) {
  std::string style = "A. ";
  if (!arguments.empty()) {
    if (!arguments[0].is_string()) return FilterOutcome::kKind;
    style = arguments[0].AsString();
  }
  const std::size_t letter = LetterOf(style);
  if (letter == std::string::npos || !value.is_list() || value.AsList().size() > kLetters)
    return FilterOutcome::kKind;
  std::string out;
  for (const Value& item : value.AsList()) {
    const std::optional<std::string> text = WrittenText(item, sources);
    if (!text) return FilterOutcome::kKind;
    if (!out.empty()) out += '\n';
    out += style + *text;
    ++style[letter];
  }
  return Become(value, std::move(out));
}

FilterOutcome Letter(Value& value, Arguments, const SourceFiles&) {
  const std::optional<double> number = Whole(value);
  if (!number || !(*number >= 0 && *number < static_cast<double>(kLetters))) return FilterOutcome::kKind;
  return Become(value, std::string(1, static_cast<char>('A' + static_cast<int>(*number))));
}

FilterOutcome Json(Value& value, Arguments, const SourceFiles& sources) {
  return Become(value, WrittenJson(value, sources));
}

FilterOutcome Default(Value& value, Arguments arguments, const SourceFiles&) {
  return value.is_null() ? Become(value, arguments[0]) : FilterOutcome::kDone;
}

}  // namespace filter

constexpr FilterRow kFilters[] = {
    {"trim", "a text", 0, 0, filter::Trim},
    {"lower", "a text", 0, 0, filter::Lower},
    {"upper", "a text", 0, 0, filter::Upper},
    {"replace", "a text, and two texts", 2, 2, filter::Replace},
    {"after", "a text, and a text", 1, 1, filter::After},
    {"before", "a text, and a text", 1, 1, filter::Before},
    {"join", "a list of texts and numbers", 0, 1, filter::Join},
    {"first", "a list", 0, 0, filter::First},
    {"last", "a list", 0, 0, filter::Last},
    {"at", "a list, and a whole number", 1, 1, filter::At},
    {"length", "a list or a text", 0, 0, filter::Length},
    {"options", "a list of at most 26 texts and numbers, and a style with an A", 0, 1, filter::Options},
    {"letter", "a whole number from 0 to 25", 0, 0, filter::Letter},
    {"json", "any value", 0, 0, filter::Json, true},
    {"default", "any value", 1, 1, filter::Default, true},
};

}  // namespace

std::span<const FilterRow> FilterTable() { return kFilters; }

const FilterRow* FindFilter(std::string_view name) {
  const auto* found = std::find_if(std::begin(kFilters), std::end(kFilters),
                                   [name](const FilterRow& row) { return row.name == name; });
  return found == std::end(kFilters) ? nullptr : found;
}

}  // namespace assay
