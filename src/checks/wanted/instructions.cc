// The table of IFEval's instructions: a row has the id and what makes its test. Patterns of the file are
// Python's; what is ours is read by hand, in linear time.
//   source  IFEval (Zhou 2023) as lm-eval's tasks/ifeval computes it (spec: datasets 6.4); known deviations:
//           sentences, capital words, all capitals, all small letters and languages need no models
#include "checks/wanted/instructions.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/errors/diagnostics.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/prose/countable.h"
#include "text/prose/letters_of.h"
#include "text/prose/normal.h"
#include "text/prose/sentences.h"
#include "text/python/regex.h"

namespace assay {
namespace {

using Pattern = std::shared_ptr<const PythonRegex>;

Error Lacks(std::string_view key, std::string_view expected, const Value& kwargs) {
  return {.code = ErrorCode::kInvalidInput,
          .message = fmt::format("expected {} among the kwargs: {}", key, expected),
          .where = kwargs.span};
}

Result<std::string> TextArg(const Value& kwargs, std::string_view key) {
  const std::string& text = kwargs.TextAt(key);
  if (text.empty()) return Lacks(key, "a text", kwargs);
  return text;
}

Result<double> CountArg(const Value& kwargs, std::string_view key) {
  const std::optional<double> number = kwargs.NumberAt(key);
  if (!number || !(*number > 0)) return Lacks(key, "a number above 0", kwargs);
  return *number;
}

Result<std::vector<std::string>> ListArg(const Value& kwargs, std::string_view key) {
  std::vector<std::string> texts;
  for (const Value& item : kwargs.ListAt(key)) {
    if (!item.is_string()) return Lacks(key, "a list of texts", kwargs);
    texts.push_back(item.AsString());
  }
  if (texts.empty()) return Lacks(key, "a list of texts", kwargs);
  return texts;
}

// A number and whether a count has to be below it, or at least so large.
struct Relation {
  double number = 0;
  bool is_below = false;
  bool Holds(std::size_t count) const {
    return is_below ? static_cast<double>(count) < number : static_cast<double>(count) >= number;
  }
};

Result<Relation> RelationArg(const Value& kwargs, std::string_view number, std::string_view relation) {
  Relation made;
  ASSAY_TRY(made.number, CountArg(kwargs, number));
  const std::string& words = kwargs.TextAt(relation);
  if (words != "less than" && words != "at least")
    return Lacks(relation, "\"less than\" or \"at least\"", kwargs);
  made.is_below = words == "less than";
  return made;
}

Result<Pattern> PatternOf(const std::string& pattern, const Value& kwargs) {
  Result<Pattern> regex = PythonRegex::Compile(pattern);
  if (!regex) {
    return Error{.code = ErrorCode::kInvalidInput, .message = regex.error().message, .where = kwargs.span};
  }
  return regex;
}

// Counts something in an answer.
using Counting = std::size_t (*)(std::string_view);

Instruction CountTest(Relation relation, Counting count) {
  return [relation, count](std::string_view answer) -> Result<bool> { return relation.Holds(count(answer)); };
}

std::size_t WordRuns(std::string_view text) { return CountOf("word_runs", text); }
std::size_t Sentences(std::string_view text) { return SentencesOf(text).size(); }
std::size_t Placeholders(std::string_view text) { return CountOf("placeholders", text); }
std::size_t CapitalWords(std::string_view text) { return CountOf("capital_words", text); }

std::vector<std::string_view> PartsBy(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0;;) {
    const std::size_t end = text.find(separator, start);
    if (end == std::string_view::npos) return parts.push_back(text.substr(start)), parts;
    parts.push_back(text.substr(start, end - start));
    start = end + separator.size();
  }
}

// The parts that are not blank; nothing where one between two others is.
std::optional<std::vector<std::string_view>> FilledParts(std::string_view text, std::string_view separator) {
  const std::vector<std::string_view> parts = PartsBy(text, separator);
  std::vector<std::string_view> filled;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view part = JsTrim(parts[i]);
    if (!part.empty()) filled.push_back(part);
    if (part.empty() && i != 0 && i + 1 != parts.size()) return {};
  }
  return filled;
}

Result<Instruction> MakeExistence(const Value& kwargs) {
  ASSAY_TRY(const std::vector<std::string> keywords, ListArg(kwargs, "keywords"));
  std::vector<Pattern> patterns;
  for (const std::string& keyword : keywords) {
    ASSAY_TRY(Pattern pattern, PatternOf("(?i)" + keyword, kwargs));
    patterns.push_back(std::move(pattern));
  }
  return Instruction([patterns](std::string_view answer) -> Result<bool> {
    for (const Pattern& pattern : patterns) {
      ASSAY_TRY(const bool found, pattern->Search(answer));
      if (!found) return false;
    }
    return true;
  });
}

Result<Instruction> MakeForbiddenWords(const Value& kwargs) {
  ASSAY_TRY(const std::vector<std::string> words, ListArg(kwargs, "forbidden_words"));
  std::vector<Pattern> patterns;
  for (const std::string& word : words) {
    ASSAY_TRY(Pattern pattern, PatternOf("(?i)\\b" + word + "\\b", kwargs));
    patterns.push_back(std::move(pattern));
  }
  return Instruction([patterns](std::string_view answer) -> Result<bool> {
    for (const Pattern& pattern : patterns) {
      ASSAY_TRY(const bool found, pattern->Search(answer));
      if (found) return false;
    }
    return true;
  });
}

Result<Instruction> MakeFrequency(const Value& kwargs) {
  ASSAY_TRY(const std::string keyword, TextArg(kwargs, "keyword"));
  ASSAY_TRY(const Relation relation, RelationArg(kwargs, "frequency", "relation"));
  ASSAY_TRY(const Pattern pattern, PatternOf("(?i)" + keyword, kwargs));
  return Instruction([relation, pattern](std::string_view answer) -> Result<bool> {
    ASSAY_TRY(const std::size_t count, pattern->Count(answer));
    return relation.Holds(count);
  });
}

Result<Instruction> MakeLetterFrequency(const Value& kwargs) {
  ASSAY_TRY(const std::string letter, TextArg(kwargs, "letter"));
  ASSAY_TRY(const Relation relation, RelationArg(kwargs, "let_frequency", "let_relation"));
  return Instruction([relation, letter = JsToLower(letter)](std::string_view answer) -> Result<bool> {
    return relation.Holds(CountText(letter, JsToLower(answer), Whereabouts::kAnywhere));
  });
}

Result<Instruction> MakeNumberWords(const Value& kwargs) {
  ASSAY_TRY(const Relation relation, RelationArg(kwargs, "num_words", "relation"));
  return CountTest(relation, WordRuns);
}
Result<Instruction> MakeNumberSentences(const Value& kwargs) {
  ASSAY_TRY(const Relation relation, RelationArg(kwargs, "num_sentences", "relation"));
  return CountTest(relation, Sentences);
}
Result<Instruction> MakeCapitalWords(const Value& kwargs) {
  ASSAY_TRY(const Relation relation, RelationArg(kwargs, "capital_frequency", "capital_relation"));
  return CountTest(relation, CapitalWords);
}
Result<Instruction> MakePlaceholders(const Value& kwargs) {
  ASSAY_TRY(const double least, CountArg(kwargs, "num_placeholders"));
  return CountTest({.number = least}, Placeholders);
}

Result<Instruction> MakeParagraphs(const Value& kwargs) {
  ASSAY_TRY(const double number, CountArg(kwargs, "num_paragraphs"));
  return Instruction([number](std::string_view answer) -> Result<bool> {
    const auto parts = FilledParts(answer, "***");
    return parts && static_cast<double>(parts->size()) == number;
  });
}

// The first word as IFEval reads it, in small letters.
std::string FirstIfevalWord(std::string_view paragraph) {
  constexpr std::string_view kEnds = ".,?!'\"";
  const std::vector<std::string_view> words = BlankWords(paragraph);
  if (words.empty()) return {};
  std::string_view word = words.front();
  while (word.starts_with('\'')) word.remove_prefix(1);
  while (word.starts_with('"')) word.remove_prefix(1);
  return JsToLower(word.substr(0, word.find_first_of(kEnds)));
}

Result<Instruction> MakeFirstWord(const Value& kwargs) {
  ASSAY_TRY(const double number, CountArg(kwargs, "num_paragraphs"));
  ASSAY_TRY(const double nth, CountArg(kwargs, "nth_paragraph"));
  ASSAY_TRY(const std::string first, TextArg(kwargs, "first_word"));
  return Instruction([number, nth, first = JsToLower(first)](std::string_view answer) -> Result<bool> {
    const std::vector<std::string_view> parts = PartsBy(answer, "\n\n");
    const auto is_filled = [](std::string_view part) { return !JsTrim(part).empty(); };
    const auto filled = static_cast<double>(std::count_if(parts.begin(), parts.end(), is_filled));
    if (filled != number || nth > filled) return false;
    return FirstIfevalWord(parts[static_cast<std::size_t>(nth) - 1]) == first;
  });
}

Result<Instruction> MakePostscript(const Value& kwargs) {
  ASSAY_TRY(const std::string marker, TextArg(kwargs, "postscript_marker"));
  const std::string written = marker == "P.P.S"  ? "p\\.\\s?p\\.\\s?s"
                              : marker == "P.S." ? "p\\.\\s?s\\."
                                                 : "(?i)" + JsToLower(marker);
  ASSAY_TRY(const Pattern pattern, PatternOf(written, kwargs));
  return Instruction([pattern](std::string_view answer) { return pattern->Search(JsToLower(answer)); });
}

// Lines that begin with the mark, behind white space; with `*`, no second one may follow, and what does
// belongs to the line even if it is a line end.
std::size_t CountMarkedLines(std::string_view text, char mark) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t start = at;
    while (start < text.size() && std::string_view(" \t\r\n\v\f").find(text[start]) != std::string_view::npos)
      ++start;
    const bool is_star = mark == '*';
    std::size_t behind = start + 1;
    const bool is_marked = start < text.size() && text[start] == mark &&
                           (!is_star || (behind < text.size() && text[behind] != '*'));
    if (is_marked) ++count;
    if (is_marked && is_star) ++behind;
    at = std::min(text.find('\n', is_marked ? std::min(behind, text.size()) : start), text.size());
    const bool is_line_start = is_marked && at == behind && text[at - 1] == '\n';
    if (!is_line_start) ++at;
  }
  return count;
}

Result<Instruction> MakeBullets(const Value& kwargs) {
  ASSAY_TRY(const double number, CountArg(kwargs, "num_bullets"));
  return Instruction([number](std::string_view answer) -> Result<bool> {
    return static_cast<double>(CountMarkedLines(answer, '*') + CountMarkedLines(answer, '-')) == number;
  });
}

// Parts of a line between two marks of so many stars, that are not blank.
std::size_t CountHighlights(std::string_view text, std::string_view stars) {
  std::size_t count = 0;
  for (std::size_t at = text.find(stars); at != std::string_view::npos; at = text.find(stars, at)) {
    const std::size_t from = at + stars.size();
    const std::size_t to = std::min(text.find_first_of("*\n", from), text.size());
    if (text.substr(to, stars.size()) != stars) {
      ++at;
      continue;
    }
    if (!JsTrim(text.substr(from, to - from)).empty()) ++count;
    at = to + stars.size();
  }
  return count;
}

Result<Instruction> MakeHighlights(const Value& kwargs) {
  ASSAY_TRY(const double least, CountArg(kwargs, "num_highlights"));
  return Instruction([least](std::string_view answer) -> Result<bool> {
    return static_cast<double>(CountHighlights(answer, "*") + CountHighlights(answer, "**")) >= least;
  });
}

Result<Instruction> MakeSections(const Value& kwargs) {
  ASSAY_TRY(const std::string word, TextArg(kwargs, "section_spliter"));
  ASSAY_TRY(const double least, CountArg(kwargs, "num_sections"));
  ASSAY_TRY(const Pattern pattern, PatternOf("\\s?" + word + "\\s?\\d+\\s?", kwargs));
  return Instruction([least, pattern](std::string_view answer) -> Result<bool> {
    ASSAY_TRY(const std::size_t count, pattern->Count(answer));
    return static_cast<double>(count) >= least;
  });
}

bool IsJsonFormat(std::string_view text) {
  constexpr std::string_view kFence = "```";
  text = JsTrim(text);
  for (const std::string_view start : {"```json", "```Json", "```JSON", "```"}) {
    if (text.starts_with(start)) text.remove_prefix(start.size());
  }
  if (text.ends_with(kFence)) text.remove_suffix(kFence.size());
  return ParseJson(JsTrim(text)).has_value();
}

bool HasTitle(std::string_view text) {
  for (const std::string_view line : PartsBy(text, "\n")) {
    const std::size_t open = line.find("<<");
    const std::size_t close = line.rfind(">>");
    if (open == std::string_view::npos || close == std::string_view::npos || close < open + 3) continue;
    const std::string_view title = line.substr(open, close + 2 - open);
    const std::size_t first = title.find_first_not_of('<');
    const std::size_t last = title.find_last_not_of('>');
    if (first <= last && last != std::string_view::npos &&
        !JsTrim(title.substr(first, last - first + 1)).empty())
      return true;
  }
  return false;
}

bool IsConstrained(std::string_view text) {
  constexpr std::string_view kAnswers[] = {"My answer is yes.", "My answer is no.", "My answer is maybe."};
  return std::any_of(std::begin(kAnswers), std::end(kAnswers),
                     [text](std::string_view answer) { return text.find(answer) != std::string_view::npos; });
}

bool HasTwoResponses(std::string_view text) {
  const auto parts = FilledParts(text, "******");
  return parts && parts->size() == 2 && parts->front() != parts->back();
}

bool IsQuoted(std::string_view text) {
  text = JsTrim(text);
  return text.size() > 1 && text.front() == '"' && text.back() == '"';
}

bool HasNoComma(std::string_view text) { return text.find(',') == std::string_view::npos; }
bool IsAllCapitals(std::string_view text) { return HasCase(text, LetterCase::kUpper); }
bool IsAllSmall(std::string_view text) { return HasCase(text, LetterCase::kLower); }

template <bool (*test)(std::string_view)>
Result<Instruction> MakePlain(const Value&) {
  return Instruction([](std::string_view answer) -> Result<bool> { return test(answer); });
}

Result<Instruction> MakeRepeatPrompt(const Value& kwargs) {
  ASSAY_TRY(const std::string prompt, TextArg(kwargs, "prompt_to_repeat"));
  return Instruction([start = JsToLower(JsTrim(prompt))](std::string_view answer) -> Result<bool> {
    return JsToLower(JsTrim(answer)).starts_with(start);
  });
}

Result<Instruction> MakeEndChecker(const Value& kwargs) {
  ASSAY_TRY(const std::string phrase, TextArg(kwargs, "end_phrase"));
  return Instruction([end = JsToLower(JsTrim(phrase))](std::string_view answer) -> Result<bool> {
    answer = JsTrim(answer);
    while (answer.starts_with('"')) answer.remove_prefix(1);
    while (answer.ends_with('"')) answer.remove_suffix(1);
    return JsToLower(answer).ends_with(end);
  });
}

// The languages that their script decides.
struct ScriptOfLanguage {
  std::string_view language;
  std::vector<std::string_view> scripts;
};
const std::vector<ScriptOfLanguage>& ScriptsOfLanguages() {
  static const std::vector<ScriptOfLanguage> kScripts = {
      {"ar", {"Arab"}}, {"bn", {"Beng"}}, {"bg", {"Cyrl"}},
      {"el", {"Grek"}}, {"fa", {"Arab"}}, {"gu", {"Gujr"}},
      {"he", {"Hebr"}}, {"hi", {"Deva"}}, {"ja", {"Hira", "Kana", "Hani"}},
      {"kn", {"Knda"}}, {"ko", {"Hang"}}, {"mr", {"Deva"}},
      {"ne", {"Deva"}}, {"pa", {"Guru"}}, {"ru", {"Cyrl"}},
      {"ta", {"Taml"}}, {"te", {"Telu"}}, {"th", {"Thai"}},
      {"uk", {"Cyrl"}}, {"ur", {"Arab"}}, {"zh", {"Hani"}}};
  return kScripts;
}

Result<Instruction> MakeLanguage(const Value& kwargs) {
  constexpr double kLeastShare = 0.9;
  ASSAY_TRY(const std::string language, TextArg(kwargs, "language"));
  const auto& rows = ScriptsOfLanguages();
  const auto row = std::find_if(rows.begin(), rows.end(), [&language](const ScriptOfLanguage& each) {
    return each.language == language;
  });
  if (row == rows.end()) {
    return Instruction([language](std::string_view) -> Result<bool> {
      return Error{
          ErrorCode::kInvalidInput,
          fmt::format("ifeval.language: no script alone tells {} from other languages", Quoted(language))};
    });
  }
  std::vector<int> scripts;
  for (const std::string_view name : row->scripts) scripts.push_back(ScriptOf(name).value_or(-1));
  return Instruction([scripts](std::string_view answer) -> Result<bool> {
    return ShareInScripts(answer, scripts).value_or(0) >= kLeastShare;
  });
}

struct InstructionRow {
  std::string_view id;
  Result<Instruction> (*make)(const Value& kwargs);
};
constexpr InstructionRow kInstructions[] = {
    {"keywords:existence", MakeExistence},
    {"keywords:frequency", MakeFrequency},
    {"keywords:forbidden_words", MakeForbiddenWords},
    {"keywords:letter_frequency", MakeLetterFrequency},
    {"language:response_language", MakeLanguage},
    {"length_constraints:number_sentences", MakeNumberSentences},
    {"length_constraints:number_paragraphs", MakeParagraphs},
    {"length_constraints:number_words", MakeNumberWords},
    {"length_constraints:nth_paragraph_first_word", MakeFirstWord},
    {"detectable_content:number_placeholders", MakePlaceholders},
    {"detectable_content:postscript", MakePostscript},
    {"detectable_format:number_bullet_lists", MakeBullets},
    {"detectable_format:constrained_response", MakePlain<IsConstrained>},
    {"detectable_format:number_highlighted_sections", MakeHighlights},
    {"detectable_format:multiple_sections", MakeSections},
    {"detectable_format:json_format", MakePlain<IsJsonFormat>},
    {"detectable_format:title", MakePlain<HasTitle>},
    {"combination:two_responses", MakePlain<HasTwoResponses>},
    {"combination:repeat_prompt", MakeRepeatPrompt},
    {"startend:end_checker", MakeEndChecker},
    {"startend:quotation", MakePlain<IsQuoted>},
    {"change_case:capital_word_frequency", MakeCapitalWords},
    {"change_case:english_capital", MakePlain<IsAllCapitals>},
    {"change_case:english_lowercase", MakePlain<IsAllSmall>},
    {"punctuation:no_comma", MakePlain<HasNoComma>},
};

}  // namespace

Result<Instruction> MakeInstruction(std::string_view id, const Value& kwargs) {
  std::vector<std::string_view> ids;
  for (const InstructionRow& row : kInstructions) {
    if (row.id == id) return row.make(kwargs);
    ids.push_back(row.id);
  }
  const std::string_view near = DidYouMean(id, ids);
  return Error{ErrorCode::kInvalidInput,
               fmt::format("expected an id of IFEval, found {}{}", Quoted(id),
                           near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near))};
}

}  // namespace assay
