// The warnings about InfiBench cases: keys that a place does not read, and values without effect.
#include "dialects/infibench/lint/lint.h"
#include "text/place_of.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "dialects/infibench/keys.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "text/found.h"
#include "text/python/text.h"
#include "text/python/truth.h"

namespace assay::infibench {
namespace {

constexpr std::string_view kDefaultBlank = "[blank]";
constexpr std::string_view kDefaultEscape = " '\"`";

constexpr std::string_view kOtherComponents[] = {"blank_filling", "unit_test", "similarity", "customized"};
// Whether lowering changes what a pattern means: "\S", "(?P<name>".
bool ChangesWhenLowered(std::string_view pattern) {
  for (std::size_t at = 0; at + 1 < pattern.size(); ++at) {
    const char next = pattern[at + 1];
    if (pattern[at] == '\\') {
      if (next >= 'A' && next <= 'Z') return true;
      ++at;
    } else if (pattern[at] == '(' && next == '?' && at + 2 < pattern.size() && pattern[at + 2] == 'P') {
      return true;
    }
  }
  return false;
}

// Why Python could not read the text as one expression; "" where that cannot be said without Python.
std::string ConditionProblem(std::string_view text) {
  constexpr std::string_view kOpening = "([{";
  constexpr std::string_view kClosing = ")]}";
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "it is empty";
  std::string open;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\'' || c == '"') {
      const bool is_long = text.substr(at, 3) == std::string(3, c);
      const std::string mark(is_long ? 3 : 1, c);
      std::size_t end = at + mark.size();
      while (end < text.size() && text.substr(end, mark.size()) != mark) end += text[end] == '\\' ? 2 : 1;
      if (end >= text.size()) return fmt::format("a text that begins with {} does not end", mark);
      at = end + mark.size() - 1;
    } else if (kOpening.find(c) != std::string_view::npos) {
      open += c;
    } else if (const std::size_t kind = kClosing.find(c); kind != std::string_view::npos) {
      if (open.empty() || open.back() != kOpening[kind]) return fmt::format("{} closes nothing", c);
      open.pop_back();
    } else if (const std::string_view two = text.substr(at, 2); two == "&&" || two == "||") {
      return fmt::format("{} is not Python; write {}", two, two == "&&" ? "and" : "or");
    } else if (two == "==" || two == "!=" || two == "<=" || two == ">=" || two == ":=") {
      ++at;
    } else if (c == '=' && open.empty()) {
      return "= is an assignment; write ==";
    }
  }
  return open.empty() ? std::string() : fmt::format("{} is not closed", open.back());
}

class Linter {
 public:
  Linter(Diagnostics& diagnostics, Severity of_broken) : diagnostics_(diagnostics), of_broken_(of_broken) {}

  void Case(const Value& the_case) { Keys(the_case, kCase); }

  void Grading(const Value& grading) {
    AllUnwanted(grading);
    if (const Value* keywords = grading.Find("keywords")) Keywords(*keywords);
    if (const Value* blanks = grading.Find("blank_filling")) BlankFilling(*blanks);
    if (const Value* unit_test = grading.Find("unit_test")) UnitTest(*unit_test);
    if (const Value* similarity = grading.Find("similarity")) Similarity(*similarity);
    if (const Value* customized = grading.Find("customized")) Keys(*customized, kCustomized);
  }

 private:
  // Keywords that only take points away leave nothing to divide by.
  void AllUnwanted(const Value& grading) {
    const bool is_alone = std::none_of(std::begin(kOtherComponents), std::end(kOtherComponents),
                                       [&](std::string_view key) { return grading.Find(key) != nullptr; });
    const List& rules = grading.ListAt("keywords");
    if (rules.empty() || !is_alone) return;
    if (!std::all_of(rules.begin(), rules.end(),
                     [](const Value& rule) { return IsPythonTrueAt(rule, "neg"); }))
      return;
    diagnostics_.Add({.severity = of_broken_,
                      .code = "infibench.zero-total",
                      .message =
                          "every keyword is unwanted (neg: true), so that the total is 0 and no answer "
                          "has a score",
                      .hint = "add a keyword that answers should hold",
                      .where = PlaceOf(grading, "keywords")});
  }

  void Warn(std::string_view code, std::string message, Span where, std::string hint) {
    diagnostics_.Warning(fmt::format("infibench.{}", code), std::move(message), where, std::move(hint));
  }

  // What the mapping holds and its place does not read.
  void Keys(const Value& map, const KeyPlace& place) {
    if (!map.is_map()) return;
    for (const Member& member : map.AsMap()) {
      const KeyRow* key = FindKey(place, member.key);
      if (member.key == "cond") Condition(member.value);
      if (key == nullptr) {
        const std::string_view near = NearKey(place, member.key);
        Warn("unknown-key", fmt::format("{}: unknown key {}", place.words, Quoted(member.key)),
             member.key_span, near.empty() ? "it is ignored" : fmt::format("did you mean {}?", near));
        continue;
      }
      if ((key->shape.kinds & ValueShape::kTruth) != 0) TruthAt(member);
      if (!key->instead.empty()) {
        Warn("ignored", fmt::format("`{}` is ignored in {}", member.key, place.words), member.key_span,
             std::string(key->instead));
      }
    }
    if (const Value* handler = map.Find("post_handler"); handler != nullptr && &place != &kHandler) {
      Keys(*handler, kHandler);
    }
  }

  void TruthAt(const Member& member) {
    if (!member.value.is_string() || member.value.AsString().empty()) return;
    Warn("truth", fmt::format("`{}: {}` is a text, and so true", member.key, Quoted(member.value.AsString())),
         member.value.span, "write true or false without quotes");
  }

  // Every answer that comes to it would be an error.
  void Condition(const Value& condition) {
    const std::string problem = condition.is_string()
                                    ? ConditionProblem(condition.AsString())
                                    : fmt::format("expected a text, found {}", KindName(condition));
    if (problem.empty()) return;
    diagnostics_.Add({.severity = of_broken_,
                      .code = "infibench.condition",
                      .message = fmt::format("`cond` is no expression of Python: {}", problem),
                      .hint = "write one, such as: cond: 'len(match[0]) > 3'",
                      .where = condition.span});
  }

  void Pattern(const std::string& pattern, Span where) {
    if (!ChangesWhenLowered(pattern)) return;
    Warn(
        "lowered-regex",
        fmt::format("`to_lower` lowers the pattern {} too, which then means something else", Quoted(pattern)),
        where, "write [^\\s] for \\S, [^\\d] for \\D, [^\\w] for \\W; or leave `to_lower` out");
  }

  void Keywords(const Value& rules) {
    if (!rules.is_list()) return;
    for (const Value& rule : rules.AsList()) {
      Keys(rule, kRule);
      if (const Value* content = rule.Find("content"))
        Nested(*content, IsPythonTrueAt(rule, "to_lower"), false);
    }
  }

  void Nested(const Value& node, bool to_lower, bool regex) {
    if (node.is_string()) {
      if (regex && to_lower) Pattern(node.AsString(), node.span);
      return;
    }
    if (!node.is_map()) return;
    Keys(node, kNested);
    if (node.Find("regex") != nullptr) regex = IsPythonTrueAt(node, "regex");
    const std::string_view reads = node.Find("or") != nullptr    ? "or"
                                   : node.Find("and") != nullptr ? "and"
                                                                 : "content";
    for (const std::string_view key : {"and", "content"}) {
      const Member* unread = key == reads || reads == "content" ? nullptr : node.AsMap().FindMember(key);
      if (unread == nullptr) continue;
      Warn("ignored", fmt::format("`{}` is ignored beside `{}`", key, reads), unread->key_span,
           fmt::format("nest one in the other: {}: [..., {{{}: ...}}]", reads, key));
    }
    if (const List* children = FindList(node, reads)) {
      for (const Value& each : *children) Nested(each, to_lower, regex);
    } else if (const Value* child = node.Find(reads)) {
      Nested(*child, to_lower, regex);
    }
  }

  void BlankFilling(const Value& blanks) {
    Keys(blanks, kBlankFilling);
    Template(blanks);
    const std::string escape(blanks.TextAt("escape", kDefaultEscape));
    for (const Value& target : blanks.ListAt("targets")) Target(target, escape);
  }

  // Where markers stand that nothing can fill.
  void Template(const Value& blanks) {
    const Span where = PlaceOf(blanks, "template");
    const std::string marker(blanks.TextAt("blank_str", kDefaultBlank));
    const std::string& pattern = blanks.TextAt("template");
    if (marker.empty()) return;
    if (pattern.starts_with(marker)) {
      Warn("unreachable-blank",
           "the template starts with a blank, which stays empty unless the answer adds text", where,
           "put something before the first blank");
    }
    if (pattern.ends_with(marker)) {
      Warn("unreachable-blank", "the template ends with a blank: every answer is an error", where,
           "put something after the last blank, an end of line at least");
    }
    if (pattern.find(marker + marker) != std::string::npos) {
      Warn("unreachable-blank", "two blanks stand side by side: nothing says where one ends", where,
           "put something between them");
    }
  }

  void Target(const Value& target, const std::string& escape) {
    Keys(target, kTarget);
    const Value* own = target.Find("content");
    const Value& content = own != nullptr ? *own : target;
    const bool to_lower = IsPythonTrueAt(target, "to_lower");
    const bool substr_match = IsPythonTrueAt(target, "substr_match");
    if (content.is_map()) {
      std::string keys;
      for (const Member& member : content.AsMap()) {
        keys += fmt::format("{}{}", keys.empty() ? "" : ", ", Quoted(member.key));
      }
      Warn("dict-blank",
           fmt::format("`content` is a mapping: only its keys are accepted as answers, {}", keys),
           content.span, "list the accepted answers: content: [FIRST, {content: PATTERN, regex: true}]");
      return;
    }
    if (!content.is_list()) return Answer(content, to_lower, substr_match, escape);
    if (content.AsList().empty()) {
      Warn("unreachable-blank", "the target accepts no answer", content.span, "list at least one");
    }
    for (const Value& answer : content.AsList()) {
      Keys(answer, kAnswer);
      Answer(answer, to_lower, substr_match, escape);
    }
  }

  void Answer(const Value& answer, bool to_lower, bool substr_match, const std::string& escape) {
    const std::string* text = FindOwnText(answer, "content");
    if (text == nullptr) return;
    const Span where = PlaceOf(answer, "content");
    if (IsPythonTrueAt(answer, "regex")) {
      if (to_lower) Pattern(*text, where);
      return;
    }
    if (substr_match || PythonStrip(*text, escape).size() == text->size()) return;
    Warn("unreachable-answer",
         fmt::format("{} never fits: these characters are cut from both ends of a blank: {}", Quoted(*text),
                     Quoted(escape)),
         where, "cut them from the answer too, or set `escape`");
  }

  void UnitTest(const Value& unit_test) {
    Keys(unit_test, kUnitTest);
    for (const Value& test : unit_test.ListAt("tests")) {
      Keys(test, kTest);
      if (!test.is_map() || test.Find("path") == nullptr || test.Find("content") == nullptr) continue;
      Warn("ignored", "`content` is ignored beside `path`", test.AsMap().FindMember("content")->key_span,
           "keep one of them");
    }
  }

  void Similarity(const Value& metrics) {
    if (!metrics.is_list()) return;
    for (const Value& metric : metrics.AsList()) {
      Keys(metric, kMetric);
      if (FindText(metric, "references") != nullptr) {
        Warn("characters", "`references` is a text: each of its characters is a reference of its own",
             PlaceOf(metric, "references"), "make it a list: references: [TEXT]");
      }
      for (const Value& reference : metric.ListAt("references")) Keys(reference, kReference);
    }
  }

  Diagnostics& diagnostics_;
  Severity of_broken_;
};

// Hosts that stand for none, and names of formats that look like addresses.
constexpr std::string_view kHarmlessHosts[] = {"localhost",   "127.0.0.1",   "0.0.0.0",         "example.com",
                                               "example.org", "example.net", "www.example.com", "www.w3.org"};

// The first address outside in the prompt: its text and its line.
void LintPrompt(const Value& case_yaml, std::string_view prompt, Diagnostics& diagnostics) {
  for (std::size_t at = prompt.find("http"); at != std::string_view::npos; at = prompt.find("http", at + 1)) {
    const std::string_view rest = prompt.substr(at);
    const std::size_t scheme = rest.starts_with("http://") ? 7 : rest.starts_with("https://") ? 8 : 0;
    if (scheme == 0) continue;
    const std::string_view host =
        rest.substr(scheme, rest.find_first_of("/:?#\"'`<>()[]{} \n\t,;", scheme) - scheme);
    const bool is_harmless = host.empty() || std::find(std::begin(kHarmlessHosts), std::end(kHarmlessHosts),
                                                       host) != std::end(kHarmlessHosts);
    if (is_harmless) continue;
    const auto line = std::count(prompt.begin(), prompt.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    diagnostics.Warning("infibench.external-url",
                        fmt::format("line {} of the prompt points to {}", line,
                                    Quoted(rest.substr(0, rest.find_first_of(" \n\t\"'`<>)")))),
                        PlaceOf(case_yaml, "prompt_path"),
                        "a prompt has to be complete without pages or pictures outside: say what they hold");
    return;
  }
}

bool NamesWord(std::string_view text, std::string_view word) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return true;
  }
  return false;
}

// Handlers whose function their module does not even name.
void LintHandlers(const Value& args, Severity of_broken, Diagnostics& diagnostics) {
  if (args.is_list()) {
    for (const Value& item : args.AsList()) LintHandlers(item, of_broken, diagnostics);
  }
  if (!args.is_map()) return;
  if (const Value* handler = args.Find("post_handler")) LintHandlers(*handler, of_broken, diagnostics);
  const std::string source = args.TextAt("source");
  const std::string function = args.TextAt("func");
  if (source.empty() || function.empty() || NamesWord(source, function)) return;
  diagnostics.Add({.severity = of_broken,
                   .code = "infibench.handler",
                   .message = fmt::format("the module {} has no function {}", Quoted(args.TextAt("module")),
                                          Quoted(function)),
                   .hint = "name one that it defines",
                   .where = PlaceOf(args, "func")});
}

// Whether a test could fail by anything but an answer that does not run. Of other languages than these nobody
// knows: a program's exit status says it, or what it prints.
bool AssertsSomething(std::string_view code, std::string_view lang) {
  constexpr std::string_view kLanguages[] = {"python", "javascript", "js", "typescript", "ts"};
  if (std::find(std::begin(kLanguages), std::end(kLanguages), lang) == std::end(kLanguages)) return true;
  constexpr std::string_view kWays[] = {"assert", "raise", "throw",  "exit",   "expect",
                                        "fail",   "die",   "panic",  "abort",  "stop",
                                        "error",  "check", "verify", "should", "equal"};
  const std::string lower = PythonLower(code);
  return std::any_of(std::begin(kWays), std::end(kWays),
                     [&lower](std::string_view way) { return lower.find(way) != std::string::npos; });
}

// One warning per test at most: the first unnamed function tells it.
void LintTests(const Check& unit_test, std::string_view prompt, Diagnostics& diagnostics) {
  const std::string lang(unit_test.args.TextAt("lang", unit_test.args.TextAt("case_lang")));
  for (const Value& test : unit_test.args.ListAt("tests")) {
    const std::string code = test.is_string() ? test.AsString() : test.TextAt("content");
    const std::string given = test.TextAt("prefix") + "\n" + test.TextAt("prefix_text");
    if (!code.empty() && !AssertsSomething(code + given, lang)) {
      diagnostics.Warning("infibench.no-assertion",
                          "the test asserts nothing, so that every answer that runs passes it", test.span,
                          "compare what the code gives with what is wanted: assert half(4) == 2");
    }
    if (prompt.empty()) continue;  // which names nobody knows
    for (const std::string& call : FreeCalls(code, lang)) {
      if (NamesWord(prompt, call) || NamesWord(given, call)) continue;
      diagnostics.Warning(
          "infibench.unnamed-call",
          fmt::format("the test calls {}, which the prompt does not name", Quoted(call + "()")),
          PlaceOf(test, "path"),
          "an answer cannot know the name: state it in the prompt, with its signature");
      break;
    }
  }
}

}  // namespace

void LintCase(const Value& case_yaml, std::span<const Check> checks, std::string_view prompt,
              Severity of_broken, Diagnostics& diagnostics) {
  Linter(diagnostics, of_broken).Case(case_yaml);
  if (const Value* grading = case_yaml.Find("grading")) Linter(diagnostics, of_broken).Grading(*grading);
  LintPrompt(case_yaml, prompt, diagnostics);
  for (const Check& check : checks) {
    LintHandlers(check.args, of_broken, diagnostics);
    if (check.kind == "unit_test") LintTests(check, prompt, diagnostics);
  }
}

}  // namespace assay::infibench
