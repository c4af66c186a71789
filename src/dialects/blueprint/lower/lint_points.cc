// The warnings about single points: a criterion that a colon cuts off, two names for one field, a function
// that does not exist.
#include <algorithm>
#include <array>
#include <span>

#include <fmt/core.h>

#include "base/limits.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/lower/lint.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/dialect.h"

namespace assay::blueprint {

namespace {

// The names of a key are looked for in the order of its row: the first is read, the rest is lost.
void LintNames(const Map& fields, const KeyRow& key, std::string_view of, ParseContext& context) {
  const Member* used = nullptr;
  const auto look_at = [&](std::string_view name) {
    const Member* member = fields.FindMember(name);
    if (member == nullptr || !member->value.Truthy()) return;
    if (used == nullptr) {
      used = member;
      return;
    }
    context.diagnostics.Warning(
        "blueprint.two-names",
        fmt::format("{}: {} is not read beside {}, another name of the same field", of, Quoted(member->key),
                    Quoted(used->key)),
        member->key_span.file == FileId::kNone ? member->value.span : member->key_span,
        fmt::format("put both into \"{}\", or remove one", used->key));
  };
  look_at(key.name);
  for (const std::string_view alias : key.aliases) look_at(alias);
}

void LintAliases(const Map& fields, const KeyPlace& place, std::string_view of, ParseContext& context) {
  for (const std::span<const KeyRow> part : place.parts) {
    for (const KeyRow& key : part) {
      if (!key.aliases.empty()) LintNames(fields, key, of, context);
    }
  }
}

// --- a criterion and its citation ---

bool StartsWord(std::string_view text, std::size_t at) {
  return at == 0 || !(IsAsciiAlphanumeric(text[at - 1]) || static_cast<unsigned char>(text[at - 1]) >= 0x80);
}

bool HasYear(std::string_view text) {
  constexpr std::size_t kDigits = 4;
  for (std::size_t at = 0; at + kDigits <= text.size(); ++at) {
    std::size_t digits = 0;
    while (at + digits < text.size() && IsAsciiDigit(text[at + digits])) ++digits;
    if (digits == kDigits && (text[at] == '1' || text[at] == '2')) return true;
    at += digits;
  }
  return false;
}

// Words that begin with a letter: most of them with a capital one. Letters beyond ASCII count for neither.
bool IsMostlyCapitalised(std::string_view text) {
  std::size_t capitals = 0;
  std::size_t words = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char lower = AsciiLower(text[at]);
    if (lower < 'a' || lower > 'z' || !StartsWord(text, at)) continue;
    ++words;
    if (lower != text[at]) ++capitals;
  }
  return words > 0 && 2 * capitals > words;
}

bool LooksLikeCitation(std::string_view text) {
  constexpr std::string_view kAddressMarks[] = {"://", "www.", "doi:", "10."};
  const bool has_address =
      std::any_of(std::begin(kAddressMarks), std::end(kAddressMarks),
                  [text](std::string_view mark) { return text.find(mark) != std::string_view::npos; });
  if (has_address) return true;
  const bool starts_low = !text.empty() && text[0] >= 'a' && text[0] <= 'z';
  return !starts_low &&
         (HasYear(text) || text.find("\u00a7") != std::string_view::npos || IsMostlyCapitalised(text));
}

// As a list's item of YAML.
std::string QuotedItem(std::string_view text) {
  constexpr std::size_t kShownMax = 120;
  const std::string_view cut = CutToBytes(text, kShownMax);
  std::string item = "- '";
  for (const char c : cut) item += c == '\'' ? std::string("''") : std::string(1, c);
  return item + (cut.size() < text.size() ? "…'" : "'");
}

// The format whose files alone have this check; "" if there is none.
std::string_view FormatWithCheck(std::string_view name) {
  for (const DialectRow& row : DialectTable()) {
    if (std::find(row.checks.begin(), row.checks.end(), name) != row.checks.end()) return row.name;
  }
  return {};
}

// What stands here for a function that other tools have; "" if none is known to have it.
std::string_view RemedyForOtherTools(std::string_view name) {
  constexpr std::string_view kCriterion =
      "judges grade a criterion that is written as a plain text: - names the capital of France";
  constexpr std::string_view kIdeal =
      "write the reference as `ideal:` of the prompt; --eval-method embedding measures how near answers come";
  constexpr std::string_view kCost =
      "a run counts time, tokens and cost of every answer by itself: `assay show`";
  struct Row {
    std::string_view name, remedy;
  };
  constexpr Row kRows[] = {
      {"llm-rubric", kCriterion},
      {"llm_rubric", kCriterion},
      {"rubric", kCriterion},
      {"g-eval", kCriterion},
      {"g_eval", kCriterion},
      {"factuality", kCriterion},
      {"model-graded-closedqa", kCriterion},
      {"model-graded-factuality", kCriterion},
      {"model_graded_qa", kCriterion},
      {"model_graded_fact", kCriterion},
      {"answer-relevance", kCriterion},
      {"context-recall", kCriterion},
      {"context-relevance", kCriterion},
      {"context-faithfulness", kCriterion},
      {"conversation-relevance", kCriterion},
      {"select-best", kCriterion},
      {"classifier", kCriterion},
      {"moderation", kCriterion},
      {"guardrails", kCriterion},
      {"judge", kCriterion},
      {"similar", kIdeal},
      {"similarity", kIdeal},
      {"semantic_similarity", kIdeal},
      {"meteor", kIdeal},
      {"perplexity", kCost},
      {"javascript", "write $js: EXPRESSION, where r is the answer"},
      {"python", "write $js: EXPRESSION, where r is the answer; $unit_test runs programs in Python"},
      {"webhook", "write $call: {service: NAME} and describe the service under `externalServices`"},
  };
  const auto row =
      std::find_if(std::begin(kRows), std::end(kRows), [name](const Row& each) { return each.name == name; });
  return row == std::end(kRows) ? std::string_view() : row->remedy;
}

// Of a name that other tools give a check; "" if there is none.
std::string_view NameHere(std::string_view name, std::span<const CheckElsewhere> elsewhere) {
  const auto found = std::find_if(elsewhere.begin(), elsewhere.end(),
                                  [name](const CheckElsewhere& each) { return each.there == name; });
  return found == elsewhere.end() ? std::string_view() : found->here;
}

// True after an error.
bool NamesNoFunction(const Value& point, const PointScope& scope) {
  const Value* fn = point.Find("fn");
  if (fn == nullptr || !fn->is_string() || IsToldAsText(point)) return false;
  const std::span<const std::string_view> known = scope.context.check_names;
  const std::string& name = fn->AsString();
  if (std::find(known.begin(), known.end(), name) != known.end()) return false;
  // What the reader may have repaired is told of by the plan, which finds how it was written.
  if (name.starts_with("contains") || name.starts_with("matches")) return false;
  const Span at = fn->span.file == FileId::kNone ? point.span : fn->span;
  if (const std::string_view format = FormatWithCheck(name); !format.empty()) {
    scope.context.diagnostics.Error(
        "check.unknown",
        fmt::format("{}: {} is a check of {} files, not of blueprints", scope.prompt, Quoted(name), format),
        at, "`assay list checks` says which checks a blueprint has");
    return true;
  }
  const std::string_view other = RemedyForOtherTools(name);
  const bool is_shown = scope.context.diagnostics.ErrorCount() < limits::kDiagnosticsMax;
  std::string_view near = NameHere(name, scope.context.checks_elsewhere);
  const bool is_elsewhere = !near.empty();
  if (!is_elsewhere && is_shown) near = DidYouMean(name, known);
  scope.context.diagnostics.Error(
      "check.unknown", fmt::format("{}: there is no check named {}", scope.prompt, Quoted(name)), at,
      !other.empty() ? std::string(other)
      : near.empty() ? "`assay list checks` names them all"
                     : fmt::format("did you mean \"{}{}\"?", is_elsewhere ? "$" : "", near));
  return true;
}

}  // namespace

void LintHeaderAliases(const Map& header, ParseContext& context) {
  LintAliases(header, context.LikeWeval() ? kHeaderOfWeval : kHeader, kHeader.words, context);
}

void LintPromptAliases(const Map& entry, std::string_view prompt, ParseContext& context) {
  LintAliases(entry, kPrompt, prompt, context);
}

void LintPointAliases(const Map& fields, const PointScope& scope) {
  LintAliases(fields, kPoint, scope.prompt, scope.context);
}

void LintCitedText(const Member& point, const PointScope& scope) {
  const Span at = point.key_span.file == FileId::kNone ? point.value.span : point.key_span;
  const auto warn = [&](std::string code, std::string message, std::string hint) {
    scope.context.diagnostics.Warning(std::move(code), fmt::format("{}: {}", scope.prompt, message), at,
                                      std::move(hint));
  };
  const std::string& citation = point.value.AsString();
  const std::span<const std::string_view> known = scope.context.check_names;
  if (std::find(known.begin(), known.end(), point.key) != known.end()) {
    warn("blueprint.odd-citation",
         fmt::format("{} alone is read as a criterion with a citation", Quoted(point.key)),
         fmt::format("did you mean \"${}\"?", point.key));
  } else if (!LooksLikeCitation(citation)) {
    warn("blueprint.cut-criterion",
         fmt::format("the colon ends the criterion {}; {} is read as its citation, which no judge sees",
                     Quoted(point.key), Quoted(citation)),
         fmt::format("if it is one criterion, quote it: {}",
                     QuotedItem(fmt::format("{}: {}", point.key, citation))));
  }
}

void TakeOutUnknownFunctions(List& points, const PointScope& scope) {
  if (scope.context.check_names.empty() || scope.context.LikeWeval()) return;
  std::erase_if(points, [&](Value& point) {
    if (!point.is_list()) return NamesNoFunction(point, scope);
    List& path = point.AsList();
    std::erase_if(path, [&](const Value& each) { return NamesNoFunction(each, scope); });
    return path.empty();
  });
}

}  // namespace assay::blueprint
