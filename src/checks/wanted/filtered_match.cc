// Grades `filtered_match`: the answer, cut and filtered, is the wanted text. Only lm-eval's tasks offer it.
// Pure; any thread.
//   args    {name, target, choices?, until?, filters, listed?, ignore_case, ignore_punctuation,
//           ignore_numbers, regexes_to_ignore}; target is a text, a list of texts (any), or with choices
//           their index from 0
//   filters [{function: regex | multi_choice_regex | take_first | lowercase | uppercase | remove_whitespace |
//           map | majority_vote, …}], applied in order; `listed` are the choices of multi_choice_regex
//   score   1 or 0; 0 and "no answer found" where a filter finds nothing and has no fallback of its own
//   source  lm-eval 0.4.9, filters and exact_match; known deviations: what finds nothing never equals
//           "[invalid]"
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "base/text/utf8.h"
#include "checks/graders.h"
#include "checks/wanted/arguments.h"
#include "text/found.h"
#include "text/javascript/text.h"
#include "text/prose/normal.h"
#include "text/python/regex.h"
#include "text/python/text.h"

namespace assay {
namespace {

constexpr int kSelectMost = 1'000;

using Filtered = std::optional<std::string>;  // nothing: no answer was found

// What a comparison ignores, applied in the order of the members.
struct IgnoredParts {
  std::vector<std::shared_ptr<const PythonRegex>> drop;
  NormalRules rules;

  Result<std::string> Without(std::string_view given) const {
    std::string text(given);
    for (const auto& regex : drop) {
      ASSAY_TRY(text, regex->Without(text));
    }
    return NormalForm(text, rules);
  }
};

struct PatternFilter {
  std::shared_ptr<const PythonRegex> regex;
  int select = 0;
  Filtered fallback;
};

// The choices that a multi_choice_regex looks for where its own pattern finds nothing.
struct ChoiceFilter {
  PatternFilter pattern;
  IgnoredParts rules;                                      // in choices and answer
  std::vector<std::pair<std::string, std::string>> texts;  // a choice's normal form, "(A)"
  std::shared_ptr<const PythonRegex> letter;               // ": A"
};

struct MapFilter {
  std::vector<std::pair<std::string, std::string>> entries;
  Filtered otherwise;
};

enum class WordFilter { kLower, kUpper, kFirstBlank, kNone };
using AnswerFilter = std::variant<WordFilter, PatternFilter, ChoiceFilter, MapFilter>;

struct FilteredMatch {
  std::vector<std::string> wanted;  // in their normal forms
  IgnoredParts rules;
  std::vector<std::string> until;
  std::vector<AnswerFilter> filters;
};

Result<IgnoredParts> ReadIgnored(const Value& map) {
  IgnoredParts ignored{.drop = {}, .rules = {.trim = false}};
  NormalRules& rules = ignored.rules;
  ASSAY_TRY(rules.lower, FlagMember(map, "ignore_case", false));
  ASSAY_TRY(rules.no_punctuation, FlagMember(map, "ignore_punctuation", false));
  ASSAY_TRY(rules.no_digits, FlagMember(map, "ignore_numbers", false));
  if (const Value* patterns = map.Find("regexes_to_ignore"); patterns != nullptr && !patterns->is_null()) {
    ASSAY_TRY(const std::vector<std::string> texts, WrittenTexts(*patterns, Emptiness::kAllowed));
    for (const std::string& text : texts) {
      Result<std::shared_ptr<const PythonRegex>> compiled = PythonRegex::Compile(text);
      if (!compiled) return BadArgument("a pattern of Python: " + compiled.error().message, *patterns);
      ignored.drop.push_back(*std::move(compiled));
    }
  }
  return ignored;
}

Result<PatternFilter> ReadPattern(const Value& filter) {
  constexpr std::string_view kUsual = R"(#### (\-?[0-9\.\,]+))";
  PatternFilter pattern;
  const Value* text = filter.Find("regex_pattern");
  if (text != nullptr && !text->is_string()) return BadArgument("a pattern", *text);
  Result<std::shared_ptr<const PythonRegex>> compiled =
      PythonRegex::Compile(filter.TextAt("regex_pattern", kUsual));
  if (!compiled)
    return BadArgument("a pattern of Python: " + compiled.error().message, text ? *text : filter);
  pattern.regex = *std::move(compiled);
  ASSAY_TRY(const std::optional<double> select,
            BoundedMember(filter, "group_select", -kSelectMost, kSelectMost));
  pattern.select = static_cast<int>(select.value_or(0));
  if (const Value* fallback = filter.Find("fallback"); fallback != nullptr && !fallback->is_null()) {
    ASSAY_TRY(pattern.fallback, WrittenText(*fallback));
  }
  return pattern;
}

Result<ChoiceFilter> ReadChoices(const Value& filter, const Value& args) {
  constexpr std::size_t kLettersMax = 26;
  ChoiceFilter choices;
  ASSAY_TRY(choices.pattern, ReadPattern(filter));
  ASSAY_TRY(choices.rules, ReadIgnored(filter));
  const Value* listed = args.Find("listed");
  if (listed == nullptr) return BadMember("the choices of the row as `choices`", args, "listed");
  ASSAY_TRY(const std::vector<std::string> texts, WrittenTexts(*listed));
  if (texts.size() > kLettersMax) return BadArgument("at most 26 choices", *listed);
  std::string letters;
  for (const std::string& text : texts) {
    const std::string letter(1, static_cast<char>('A' + choices.texts.size()));
    ASSAY_TRY(std::string normal, choices.rules.Without(JsTrim(text)));
    choices.texts.emplace_back(std::move(normal), fmt::format("({})", letter));
    letters += (letters.empty() ? "" : "|") + letter;
  }
  ASSAY_TRY(choices.letter, PythonRegex::Compile(fmt::format(":[\\s]*({})", letters)));
  return choices;
}

Result<MapFilter> ReadMap(const Value& filter) {
  MapFilter map;
  const Map* entries = FindMap(filter, "mapping_dict");
  if (entries == nullptr) return BadMember("a mapping of texts", filter, "mapping_dict");
  for (const Member& member : *entries) {
    ASSAY_TRY(std::string to, WrittenText(member.value));
    map.entries.emplace_back(member.key, std::move(to));
  }
  if (const Value* otherwise = filter.Find("default_value"); otherwise != nullptr && !otherwise->is_null()) {
    ASSAY_TRY(map.otherwise, WrittenText(*otherwise));
  }
  return map;
}

Result<AnswerFilter> ReadFilter(const Value& filter, const Value& args) {
  const std::string& name = filter.TextAt("function");
  if (name == "regex") {
    ASSAY_TRY(PatternFilter pattern, ReadPattern(filter));
    return AnswerFilter(std::move(pattern));
  }
  if (name == "multi_choice_regex") {
    ASSAY_TRY(ChoiceFilter choices, ReadChoices(filter, args));
    return AnswerFilter(std::move(choices));
  }
  if (name == "map") {
    ASSAY_TRY(MapFilter map, ReadMap(filter));
    return AnswerFilter(std::move(map));
  }
  if (name == "lowercase") return AnswerFilter(WordFilter::kLower);
  if (name == "uppercase") return AnswerFilter(WordFilter::kUpper);
  if (name == "remove_whitespace") return AnswerFilter(WordFilter::kFirstBlank);
  if (name == "take_first" || name == "majority_vote") return AnswerFilter(WordFilter::kNone);
  return BadMember("a filter", filter, "function");
}

// With choices a target is an index into them.
Result<std::vector<std::string>> ReadTargets(const Value& args) {
  const Value* target = args.Find("target");
  if (target == nullptr) return BadMember("the wanted text", args, "target");
  ASSAY_TRY(std::vector<std::string> texts, WrittenTexts(*target));
  const Value* choices = args.Find("choices");
  if (choices == nullptr) return texts;
  ASSAY_TRY(const std::vector<std::string> known, WrittenTexts(*choices));
  for (std::string& text : texts) {
    const bool is_index = !text.empty() && text.size() < 6 &&
                          std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!is_index) continue;
    const std::size_t index = std::stoul(text);
    if (index >= known.size())
      return BadArgument(fmt::format("the index of one of {} choices, from 0", known.size()), *target);
    text = known[index];
  }
  return texts;
}

Result<FilteredMatch> ReadFilteredMatch(const Value& args) {
  FilteredMatch match;
  ASSAY_TRY(match.rules, ReadIgnored(args));
  ASSAY_TRY(const std::vector<std::string> targets, ReadTargets(args));
  for (const std::string& target : targets) {
    ASSAY_TRY(std::string normal, match.rules.Without(target));
    match.wanted.push_back(std::move(normal));
  }
  if (const Value* until = args.Find("until")) {
    ASSAY_TRY(match.until, WrittenTexts(*until, Emptiness::kAllowed));
  }
  for (const Value& filter : args.ListAt("filters")) {
    ASSAY_TRY(AnswerFilter read, ReadFilter(filter, args));
    match.filters.push_back(std::move(read));
  }
  return match;
}

std::string_view CutAt(std::string_view answer, const std::vector<std::string>& until) {
  for (const std::string& end : until) {
    if (!end.empty()) answer = answer.substr(0, answer.find(end));
  }
  return answer;
}

Result<Filtered> Apply(const PatternFilter& filter, const std::string& text) {
  ASSAY_TRY(const Filtered found, filter.regex->PickMatch(text, filter.select));
  return found ? Filtered(std::string(JsTrim(*found))) : filter.fallback;
}

// The choice whose text stands at place `select` among all that occur, the longest reading of each place last
// in question: as alternatives of a pattern, the first one that fits counts.
std::string ChoiceIn(std::string_view text, const ChoiceFilter& filter) {
  std::vector<std::string_view> found;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t size = 1;
    for (const auto& [choice, letter] : filter.texts) {
      if (choice.empty() || !text.substr(at).starts_with(choice)) continue;
      found.push_back(letter);
      size = choice.size();
      break;
    }
    at += size;
  }
  const auto count = static_cast<int>(found.size());
  const int place = filter.pattern.select < 0 ? count + filter.pattern.select : filter.pattern.select;
  return place >= 0 && place < count ? std::string(found[static_cast<std::size_t>(place)]) : std::string();
}

Result<Filtered> Apply(const ChoiceFilter& filter, const std::string& text) {
  ASSAY_TRY(const Filtered own, filter.pattern.regex->PickMatch(text, filter.pattern.select));
  if (own && !JsTrim(*own).empty()) return Filtered(std::string(JsTrim(*own)));
  ASSAY_TRY(const std::string normal, filter.rules.Without(text));
  if (std::string choice = ChoiceIn(normal, filter); !choice.empty()) return Filtered(std::move(choice));
  ASSAY_TRY(const Filtered letter, filter.letter->PickMatch(text, filter.pattern.select));
  return letter ? Filtered(fmt::format("({})", *letter)) : filter.pattern.fallback;
}

Result<Filtered> Apply(const MapFilter& filter, const std::string& text) {
  for (const auto& [from, to] : filter.entries) {
    if (from == text) return Filtered(to);
  }
  return filter.otherwise;
}

Result<Filtered> Apply(WordFilter filter, const std::string& text) {
  switch (filter) {
    case WordFilter::kLower:
      return Filtered(JsToLower(text));
    case WordFilter::kUpper:
      return Filtered(JsToUpper(text));
    case WordFilter::kFirstBlank:
      return Filtered(text.starts_with(' ') ? text.substr(1) : text);
    case WordFilter::kNone:
      break;
  }
  return Filtered(text);
}

Result<Filtered> AnswerOf(const FilteredMatch& match, std::string_view answer) {
  Filtered text = std::string(CutAt(answer, match.until));
  for (const AnswerFilter& filter : match.filters) {
    Result<Filtered> next = std::visit([&](const auto& each) { return Apply(each, *text); }, filter);
    if (!next || !*next) return next;
    text = **std::move(next);
  }
  return text;
}

Score GradeFiltered(const GradeInput& input, const FilteredMatch& match, WorkerState&) {
  const Result<Filtered> found = AnswerOf(match, input.answer.text());
  if (!found) return LostScore(found.error().message, false);
  Score score = Score::Of(0);
  if (!*found) {
    score.explanation = "no answer found";
    return score;
  }
  const Result<std::string> normal = match.rules.Without(**found);
  if (!normal) return LostScore(normal.error().message, false);
  score.value = std::find(match.wanted.begin(), match.wanted.end(), *normal) != match.wanted.end() ? 1 : 0;
  constexpr std::size_t kShownMax = 200;
  score.explanation = (*found)->size() > kShownMax ? "" : fmt::format("found {}", Quoted(**found));
  return score;
}

}  // namespace

CheckArgs ParseFilteredMatch(const ParseInput& input, Diagnostics& diagnostics) {
  return ArgsOf(input, ReadFilteredMatch(input.check.args), diagnostics);
}
Score GradeFilteredMatch(const GradeInput& input, const CheckArgs& args, WorkerState& worker) {
  return GradeWith<FilteredMatch, GradeFiltered>(input, args, worker);
}

}  // namespace assay
