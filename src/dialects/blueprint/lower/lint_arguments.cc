// The warnings about arguments of functions: what no answer can hold, what every answer holds, and a text
// where a pattern is wanted or the reverse. Patterns are JavaScript's without flags.
#include <algorithm>
#include <array>
#include <span>

#include <fmt/core.h>

#include "base/text/ascii.h"
#include "dialects/blueprint/lower/lint.h"
#include "dialects/blueprint/read/js_values.h"

namespace assay::blueprint {

namespace {

constexpr std::string_view kNever = "blueprint.never-holds";
constexpr std::string_view kAlways = "blueprint.always-holds";
constexpr std::string_view kOdd = "blueprint.odd-argument";

// What is wrong with an argument; an empty message: nothing.
struct Finding {
  std::string_view code = kNever;
  std::string message = {};
  std::string hint = {};
};

bool IsPatternFunction(std::string_view name) { return name.find("match") != std::string_view::npos; }

bool IsTextFunction(std::string_view name) {
  return name.find("contain") != std::string_view::npos || name.find("start") != std::string_view::npos ||
         name.find("end") != std::string_view::npos;
}

Finding ControlCharacter(std::string_view text) {
  struct Row {
    char c;
    std::string_view name, written;
  };
  constexpr Row kRows[] = {{'\b', "backspace", "\\b"},    {'\f', "form feed", "\\f"},
                           {'\v', "vertical tab", "\\v"}, {'\a', "bell", "\\a"},
                           {'\0', "zero byte", "\\0"},    {'\x1b', "escape", "\\e"}};
  for (const Row& row : kRows) {
    if (text.find(row.c) == std::string_view::npos) continue;
    return {.message = fmt::format("holds a control character ({}), which no answer has", row.name),
            .hint = fmt::format("double quotes turn {} into one: put the argument in single quotes",
                                row.written)};
  }
  return {};
}

// --- patterns ---

Finding SlashesAround(std::string_view pattern) {
  const std::size_t last = pattern.rfind('/');
  if (pattern.size() < 3 || pattern.front() != '/' || last < 2) return {};
  const std::string_view flags = pattern.substr(last + 1);
  if (flags.find_first_not_of("dgimsuy") != std::string_view::npos) return {};
  const std::string inner(pattern.substr(1, last - 1));
  const bool folds = flags.find('i') != std::string_view::npos;
  return {.message = fmt::format("the slashes around it{} are part of the pattern",
                                 flags.empty() ? "" : " and the letters behind"),
          .hint = fmt::format("write ${}: '{}'", folds ? "imatches" : "matches", inner)};
}

// Escapes of other languages, which mean the letter itself in JavaScript.
Finding ForeignEscape(std::string_view pattern) {
  struct Row {
    char letter;
    std::string_view remedy;
  };
  constexpr Row kRows[] = {{'A', "^ is the start of the answer"},
                           {'Z', "$ is the end of the answer"},
                           {'z', "$ is the end of the answer"},
                           {'h', "write [ \\t] for a blank"},
                           {'G', "leave it out"},
                           {'K', "leave it out"},
                           {'R', "write \\r?\\n for a line end"},
                           {'X', "write . for a character"},
                           {'Q', "put a backslash before each sign in place of \\Q and \\E"},
                           {'p', "list the letters: [A-Za-z\u00c0-\u024f]"},
                           {'P', "list the characters: [^A-Za-z\u00c0-\u024f]"},
                           {'<', "write \\b where a word begins"},
                           {'>', "write \\b where a word ends"}};
  for (std::size_t at = 0; at + 1 < pattern.size(); ++at) {
    if (pattern[at] != '\\') continue;
    const char letter = pattern[++at];
    for (const Row& row : kRows) {
      if (row.letter != letter) continue;
      return {.message = fmt::format("\\{} means no more than {} in JavaScript", letter, letter),
              .hint = std::string(row.remedy)};
    }
  }
  return {};
}

Finding PosixClass(std::string_view pattern) {
  struct Row {
    std::string_view name, remedy;
  };
  constexpr Row kRows[] = {
      {"alpha", "[A-Za-z]"},     {"digit", "\\d"},   {"alnum", "[A-Za-z0-9]"},        {"space", "\\s"},
      {"upper", "[A-Z]"},        {"lower", "[a-z]"}, {"punct", "[!-\\/:-@\\[-`{-~]"}, {"blank", "[ \\t]"},
      {"xdigit", "[0-9A-Fa-f]"}, {"word", "\\w"},    {"cntrl", "\\x00-\\x1f"},        {"print", "[ -~]"},
      {"graph", "[!-~]"}};
  for (const Row& row : kRows) {
    if (pattern.find(fmt::format("[:{}:]", row.name)) == std::string_view::npos) continue;
    return {.message = fmt::format("[:{}:] is a list of these letters in JavaScript", row.name),
            .hint = fmt::format("write {}", row.remedy)};
  }
  return {};
}

// Signs of a pattern outside of classes, whatever is escaped left out: '$' and '^' where they cannot match.
Finding AnchorWithin(std::string_view pattern) {
  bool in_class = false;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern[at];
    if (c == '\\') {
      ++at;
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
    } else if (c == '$' && at + 1 < pattern.size() && IsAsciiAlphanumeric(pattern[at + 1])) {
      return {.message = "$ is the end of the answer, and nothing can follow it",
              .hint = "write \\$ for the sign, or take $contains for a text"};
    } else if (c == '^' && at > 0 && IsAsciiAlphanumeric(pattern[at - 1])) {
      return {.message = "^ is the start of the answer, and nothing can precede it",
              .hint = "write \\^ for the sign, or take $contains for a text"};
    }
  }
  return {};
}

// A sentence that ends with its question mark.
Finding SentenceAsPattern(std::string_view pattern) {
  const bool is_question = pattern.size() > 2 && pattern.back() == '?' &&
                           IsAsciiAlphanumeric(pattern[pattern.size() - 2]) &&
                           pattern.find(' ') != std::string_view::npos &&
                           pattern.find_first_of("\\[](){}|*+^$") == std::string_view::npos;
  if (!is_question) return {};
  return {.code = kOdd,
          .message = "looks like a text: as a pattern, ? makes the letter before it optional",
          .hint = "take $contains for a text, or write \\? for the sign"};
}

// --- texts ---

bool HasClassEscape(std::string_view text) {
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] != '\\') continue;
    const char letter = text[at + 1];
    const bool is_class = std::string_view("dswDSWB.").find(letter) != std::string_view::npos;
    const bool goes_on = at + 2 < text.size() && IsAsciiAlphanumeric(text[at + 2]);
    if (is_class && !goes_on) return true;
    if (letter == 'b' && (at == 0 || at + 2 == text.size())) return true;
    ++at;
  }
  return false;
}

bool IsListOfWords(std::string_view text) {
  const bool are_words =
      std::all_of(text.begin(), text.end(), [](char c) { return IsAsciiAlphanumeric(c) || c == '|'; });
  return are_words && text.find('|') != std::string_view::npos && text.front() != '|' && text.back() != '|' &&
         text.find("||") == std::string_view::npos;
}

// ".*" or ".+" with something behind it; "t.* FROM" is SQL.
bool HasRunOfAny(std::string_view text) {
  for (std::size_t at = 0; at + 2 < text.size(); ++at) {
    const bool is_run = text[at] == '.' && (text[at + 1] == '*' || text[at + 1] == '+');
    if (is_run && std::string_view(" ,;)").find(text[at + 2]) == std::string_view::npos) return true;
  }
  return false;
}

Finding PatternAsText(std::string_view text) {
  const bool is_anchored = text.size() > 2 && text.front() == '^' && text.back() == '$';
  const bool has_any = HasRunOfAny(text);
  const bool has_group =
      text.find("(?") != std::string_view::npos && text.find("(?)") == std::string_view::npos;
  if (!is_anchored && !has_any && !has_group && !HasClassEscape(text) && !IsListOfWords(text)) return {};
  return {.code = kOdd,
          .message = "looks like a pattern: this function looks for these very characters",
          .hint = "take $matches for a pattern"};
}

Finding EmptyText(std::string_view name, std::string_view text) {
  if (!text.empty()) return {};
  const bool is_never = name.starts_with("not_");
  return {.code = is_never ? kNever : kAlways,
          .message = is_never ? "is empty, and every answer holds an empty text"
                              : "is empty, so that every answer holds it",
          .hint = "write what an answer should hold, or remove it"};
}

Finding EmptyScript(std::string_view script) {
  if (script.find_first_not_of(" \t\r\n") != std::string_view::npos) return {};
  return {.message = "is empty and gives no value", .hint = "write an expression: r.includes('yes')"};
}

using Look = Finding (*)(std::string_view text);
constexpr Look kOfPatterns[] = {ControlCharacter, SlashesAround, ForeignEscape,
                                PosixClass,       AnchorWithin,  SentenceAsPattern};
constexpr Look kOfTexts[] = {ControlCharacter, PatternAsText};

Finding FindingOf(std::string_view name, std::string_view text) {
  if (name == "js" || name == "expr") return EmptyScript(text);
  const bool is_pattern = IsPatternFunction(name);
  if (!is_pattern && !IsTextFunction(name)) return {};
  if (Finding empty = EmptyText(name, text); !empty.message.empty()) return empty;
  const std::span<const Look> looks =
      is_pattern ? std::span<const Look>(kOfPatterns) : std::span<const Look>(kOfTexts);
  for (const Look look : looks) {
    if (Finding finding = look(text); !finding.message.empty()) return finding;
  }
  return {};
}

void LintTexts(const std::string& name, const Value& argument, Span of_point, const PointScope& scope) {
  if (argument.is_list()) {
    for (const Value& each : argument.AsList()) LintTexts(name, each, of_point, scope);
  }
  if (!argument.is_string()) return;
  Finding finding = FindingOf(name, argument.AsString());
  if (finding.message.empty()) return;
  scope.context.diagnostics.Warning(
      std::string(finding.code), fmt::format("{}: ${}: {}", scope.prompt, name, finding.message),
      argument.span.file == FileId::kNone ? of_point : argument.span, std::move(finding.hint));
}

void LintPointArguments(const Value& point, const PointScope& scope) {
  const Value* fn = point.Find("fn");
  const Value* args = fn == nullptr || !fn->is_string() ? nullptr : point.Find("fnArgs");
  if (args == nullptr || fn->AsString() == "matches_schema") return;
  LintTexts(fn->AsString(), *args, point.span, scope);
}

}  // namespace

void LintArguments(const List& points, const PointScope& scope) {
  for (const Value& point : points) {
    if (point.is_list()) {
      LintArguments(point.AsList(), scope);
    } else {
      LintPointArguments(point, scope);
    }
  }
}

void LintQuestion(const Value& text, std::string_view of, ParseContext& context) {
  // What a row put in is data: its braces are letters.
  if (context.filled != nullptr) return;
  if (text.is_list()) {
    for (const Value& each : text.AsList()) LintQuestion(each, of, context);
  } else if (text.is_map()) {
    for (const Member& member : text.AsMap()) LintQuestion(member.value, of, context);
  }
  if (!text.is_string()) return;
  const std::string& words = text.AsString();
  const std::size_t open = words.find("{{");
  const std::size_t close = open == std::string::npos ? open : words.find("}}", open);
  if (close != std::string::npos && words.find('\n', open) >= close) {
    const std::string shown = Quoted(std::string_view(words).substr(open, close + 2 - open));
    context.diagnostics.Warning(
        context.LikeWeval() ? "blueprint.placeholder" : "template.no-dataset",
        fmt::format("{}: {} is sent unchanged: nothing is filled in", of, shown), text.span,
        context.LikeWeval()
            ? "write an entry of `prompts` for each value, with the value in its text"
            : "write dataset: FILE, whose columns fill the braces in, or an entry for each value");
  } else if (words.starts_with("file://")) {
    context.diagnostics.Warning("blueprint.placeholder",
                                fmt::format("{}: {} is sent unchanged: no file is read", of, Quoted(words)),
                                text.span, "write here what the file holds");
  }
}

}  // namespace assay::blueprint
