// The table of assertion types, and what its functions share: thresholds, verdicts, lists.
#include "checks/promptfoo/table.h"

#include <fmt/core.h>

#include <algorithm>

#include "checks/promptfoo/families.h"
#include "text/javascript/text.h"
#include "text/javascript/values.h"

namespace assay::promptfoo {
namespace {

constexpr AssertionRow kRows[] = {
    {"contains", RunContains},
    {"icontains", RunIcontains},
    {"contains-any", RunContainsAny},
    {"icontains-any", RunIcontainsAny},
    {"contains-all", RunContainsAll},
    {"icontains-all", RunIcontainsAll},
    {"equals", RunEquals},
    {"starts-with", RunStartsWith},
    {"regex", RunRegex},
    {"is-refusal", RunIsRefusal},
    {"levenshtein", RunLevenshtein},
    {"rouge-n", RunRougeN},
    {"bleu", RunBleu},
    {"gleu", RunGleu},
    {"meteor", RunMeteor},
    {"word-count", RunWordCount},
    {"latency", RunLatency},
    {"cost", RunCost},
    {"perplexity", RunPerplexity},
    {"perplexity-score", RunPerplexityScore},
    {"is-json", RunIsJson},
    {"contains-json", RunContainsJson},
    {"is-xml", RunIsXml},
    {"contains-xml", RunContainsXml},
    {"is-html", RunIsHtml},
    {"contains-html", RunContainsHtml},
    {"finish-reason", RunFinishReason},
    {"guardrails", RunGuardrails},
    {"tool-call-f1", RunToolCallF1},
    {"similar", RunSimilar},
    {"similar:cosine", RunSimilar},
    {"similar:dot", RunSimilar},
    {"similar:euclidean", RunSimilar},
    {"classifier", RunClassifier},
    {"javascript", RunJavaScript},
    {.type = "llm-rubric", .asks = true},
    {.type = "factuality", .asks = true},
    {.type = "model-graded-factuality", .asks = true},
    {.type = "model-graded-closedqa", .asks = true},
    {.type = "g-eval", .asks = true},
    {.type = "context-recall", .asks = true},
    {.type = "context-relevance", .asks = true},
    {.type = "context-faithfulness", .asks = true},
    {.type = "answer-relevance", .asks = true},
    {.type = "conversation-relevance", .asks = true},
    {.type = "select-best", .compares_columns = true},
    {.type = "max-score", .compares_columns = true},
    {.type = "python"},
    {.type = "ruby"},
    {.type = "webhook"},
    {.type = "is-sql"},
    {.type = "contains-sql"},
    {.type = "is-valid-function-call"},
    {.type = "is-valid-openai-function-call"},
    {.type = "is-valid-openai-tools-call"},
    {.type = "skill-used"},
    {.type = "agent-rubric"},
    {.type = "search-rubric"},
    {.type = "moderation"},
    {.type = "pi"},
};

// Types that are known by how they begin.
constexpr AssertionRow kFamilies[] = {{.type = "trajectory:"}, {.type = "trace-"}};

// Reads the items of a comma text, as assertions of several texts have it.
class CommaText {
 public:
  explicit CommaText(std::string_view text) : rest_(text) {}

  Result<std::vector<std::string>> Read() {
    std::vector<std::string> items;
    while (true) {
      rest_ = TrimStart(rest_);
      std::string item;
      if (rest_.starts_with('"')) {
        ASSAY_TRY(item, Quoted());
      } else {
        const std::size_t end = std::min(rest_.find(','), rest_.size());
        item = JsTrim(rest_.substr(0, end));
        rest_.remove_prefix(end);
      }
      if (!item.empty()) items.push_back(std::move(item));
      if (rest_.empty()) return items;
      rest_.remove_prefix(1);  // the comma
    }
  }

 private:
  static std::string_view TrimStart(std::string_view text) {
    const std::string_view trimmed = JsTrim(text);
    return trimmed.empty() ? trimmed : text.substr(static_cast<std::size_t>(trimmed.data() - text.data()));
  }

  Result<std::string> Quoted() {
    std::string item;
    rest_.remove_prefix(1);
    while (true) {
      if (rest_.empty())
        return Error{ErrorCode::kInvalidInput, "a text in quotes has no end: close it with \""};
      const char c = rest_.front();
      const char next = rest_.size() > 1 ? rest_[1] : '\0';
      if ((c == '"' && next == '"') || (c == '\\' && (next == '"' || next == '\\'))) {
        item += next;
        rest_.remove_prefix(2);
        continue;
      }
      rest_.remove_prefix(1);
      if (c == '"') break;
      item += c;
    }
    rest_ = TrimStart(rest_);
    if (!rest_.empty() && rest_.front() != ',')
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("expected a comma behind the text in quotes, found \"{}\"", rest_)};
    return item;
  }

  std::string_view rest_;
};

}  // namespace

std::span<const AssertionRow> AssertionTable() { return kRows; }

const AssertionRow* FindAssertionRow(std::string_view type) {
  for (const AssertionRow& row : kRows) {
    if (row.type == type) return &row;
  }
  for (const AssertionRow& family : kFamilies) {
    if (type.starts_with(family.type)) return &family;
  }
  return nullptr;
}

std::optional<Threshold> ThresholdOf(const Assertion& assertion) {
  const Value& threshold = assertion.threshold;
  if (threshold.is_nullish()) return std::nullopt;
  return Threshold{JsNumber(threshold), JsString(threshold)};
}

Threshold ThresholdOr(const Assertion& assertion, double otherwise) {
  return ThresholdOf(assertion).value_or(Threshold{otherwise, JsString(Value(otherwise))});
}

AssertionResult Verdict(const AssertionCall& call, bool holds, std::string_view reason) {
  const bool pass = holds != call.negated();
  return {pass, pass ? 1.0 : 0.0, std::string(pass ? kPassed : reason)};
}

AssertionResult ShareVerdict(const AssertionCall& call, double share, bool holds, std::string_view reason) {
  const bool pass = holds != call.negated();
  return {pass, call.negated() ? 1 - share : share, std::string(pass ? kPassed : reason)};
}

Error BadValue(const AssertionCall& call, std::string_view expected) {
  const Value& written = call.assertion.value;
  return {ErrorCode::kInvalidInput,
          fmt::format("the value of \"{}\" is {}: expected {}", call.assertion.type,
                      written.is_undefined() ? "missing" : KindName(written), expected),
          written.span};
}

Result<std::vector<std::string>> CommaListOf(const AssertionCall& call) {
  constexpr std::string_view kExpected = "a list, or a text of items with commas between them";
  std::vector<std::string> items;
  if (call.value.is_list()) {
    for (const Value& item : call.value.AsList()) items.push_back(JsString(item));
    return items;
  }
  if (!call.value.is_string() || call.value.AsString().empty()) return BadValue(call, kExpected);
  Result<std::vector<std::string>> read = CommaText(call.value.AsString()).Read();
  if (!read) return BadValue(call, fmt::format("{} ({})", kExpected, read.error().message));
  return read;
}

Result<std::vector<std::string>> TextsOf(const AssertionCall& call) {
  if (call.value.is_string()) return std::vector<std::string>{call.value.AsString()};
  std::vector<std::string> texts;
  for (const Value& item : call.value.is_list() ? call.value.AsList() : List()) {
    if (!item.is_string()) return BadValue(call, "a text, or a list of texts");
    texts.push_back(item.AsString());
  }
  if (texts.empty()) return BadValue(call, "a text, or a list of texts");
  return texts;
}

}  // namespace assay::promptfoo
