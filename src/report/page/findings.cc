// What checks of several items found, item by item: keywords, blanks, tests, metrics. One row of kForms for
// each kind of check.
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "report/page/html_text.h"
#include "report/page/parts.h"

namespace assay {
namespace {

constexpr std::size_t kNameBytes = 120;

// One item: what was wanted, what came of it.
struct Finding {
  std::string wanted;
  std::string found = {};    // "" for nothing to say
  std::string program = {};  // "" for none
  double share = 0;          // of its points, 0 to 1
  double points = 0;
  double weight = 1;
};

double NumberOr(const Value* value, double otherwise) {
  if (value == nullptr || !value->is_number()) return otherwise;
  return value->AsNumber();
}

std::string TextOr(const Value* value, std::string_view otherwise) {
  return std::string(value != nullptr && value->is_string() ? value->AsString() : otherwise);
}

double WeightOf(const Value& rule) { return NumberOr(rule.Find("weight"), 1); }

Finding MadeOf(std::string wanted, double share, const Value& rule) {
  const double weight = WeightOf(rule);
  return {.wanted = std::move(wanted), .share = share, .points = share * weight, .weight = weight};
}

std::string Joined(const Value& list, std::string_view word, bool is_pattern);

// “word”, “pattern”, “a” or “b”: what a rule accepts, in words.
std::string Accepted(const Value& rule, bool is_pattern) {
  if (rule.is_string()) return fmt::format("{}“{}”", is_pattern ? "the pattern " : "", rule.AsString());
  if (rule.is_list()) return Joined(rule, "or", is_pattern);
  if (const Value* regex = rule.Find("regex")) is_pattern = regex->Truthy();
  std::string text;
  for (const std::string_view word : {"or", "and", "content"}) {
    const Value* part = rule.Find(word);
    if (part == nullptr) continue;
    text = word == "content" ? Accepted(*part, is_pattern) : Joined(*part, word, is_pattern);
    break;
  }
  const Value* condition = rule.Find("cond");
  if (condition != nullptr && condition->is_string()) text += " if " + condition->AsString();
  return text;
}

std::string Joined(const Value& list, std::string_view word, bool is_pattern) {
  if (!list.is_list()) return Accepted(list, is_pattern);
  std::string text;
  for (const Value& each : list.AsList()) {
    if (!text.empty()) text += fmt::format(" {} ", word);
    const bool is_group = each.Find("or") != nullptr || each.Find("and") != nullptr;
    const std::string part = Accepted(each, is_pattern);
    text += is_group ? "(" + part + ")" : part;
  }
  return text;
}

Finding KeywordFinding(const Value& rule, const Value& result) {
  const bool is_there = result.is_string() && result.AsString() == "match";
  const Value* negative = rule.Find("neg");
  const bool is_unwanted = negative != nullptr && negative->Truthy();
  // Attributes of the rule itself that have no effect are not told here.
  const Value* content = rule.Find("content");
  std::string wanted = Accepted(content == nullptr ? rule : *content, false);
  Finding finding = MadeOf(is_unwanted ? "not: " + wanted : std::move(wanted), is_there ? 1 : 0, rule);
  finding.found = is_there ? "it is there" : "it is not there";
  if (is_unwanted) {
    finding.share = is_there ? 0 : 1;
    finding.points = is_there ? -finding.weight : 0;
    finding.weight = 0;
  }
  return finding;
}

// The line of a blank: "matched: response string: TEXT, ans: ANSWER".
Finding BlankFinding(const Value& rule, const Value& result) {
  constexpr std::string_view kMatched = "matched: ";
  constexpr std::string_view kText = "response string: ";
  const std::string line = TextOr(&result, "");
  const Value* content = rule.Find("content");
  Finding finding =
      MadeOf(Accepted(content == nullptr ? rule : *content, false), line.starts_with(kMatched), rule);
  const std::size_t at = line.find(kText);
  const std::size_t end = line.rfind(", ans: ");
  if (at == std::string::npos || end == std::string::npos || end < at + kText.size()) {
    finding.found = line.substr(std::min(line.find(": ") + 2, line.size()));
  } else {
    finding.found = fmt::format("given: “{}”", line.substr(at + kText.size(), end - at - kText.size()));
  }
  return finding;
}

Finding TestFinding(const Value& rule, const Value& result) {
  std::string name = TextOr(rule.Find("path"), TextOr(rule.Find("content"), TextOr(&rule, "test")));
  name.erase(0, std::min(name.find_first_not_of(" \t\n"), name.size()));
  name.resize(std::min(name.find('\n'), name.size()));
  const Value* passed = result.Find("passed");
  Finding finding =
      MadeOf(std::string(CutToBytes(name, kNameBytes)), passed != nullptr && passed->Truthy() ? 1 : 0, rule);
  const Value* lines = result.Find("result");
  if (lines != nullptr && lines->is_list() && !lines->AsList().empty())
    finding.found = TextOr(&lines->AsList()[0], "");
  finding.program = TextOr(result.Find("code"), "");
  return finding;
}

Finding MetricFinding(const Value& rule, const Value& result) {
  const std::string metric = TextOr(rule.Find("metric"), "");
  Finding finding = MadeOf(metric, NumberOr(result.Find("normalized_score"), 0), rule);
  finding.found = fmt::format("{:.3f} with the closest reference", NumberOr(result.Find(metric), 0));
  return finding;
}

struct Form {
  std::string_view kind;     // of the check
  std::string_view rules;    // where its arguments have one rule an item; "" for the arguments themselves
  std::string_view results;  // where its answer has one result an item
  std::string_view template_text;  // an argument that the items stand in; "" for none
  Finding (*read)(const Value& rule, const Value& result);
};

constexpr auto kForms = std::to_array<Form>({
    {"keywords", "", "keywords", "", KeywordFinding},
    {"blank_filling", "targets", "blank_filling_detail", "template", BlankFinding},
    {"unit_test", "tests", "unit_test_detail", "", TestFinding},
    {"similarity", "", "similarity_detail", "", MetricFinding},
});

std::vector<Finding> FindingsOf(const Form& form, const Check& check, const Score& score) {
  const Value* rules = form.rules.empty() ? &check.args : check.args.Find(form.rules);
  const Value* results = score.answer.Find(form.results);
  if (rules == nullptr || !rules->is_list() || results == nullptr || !results->is_list()) return {};
  std::vector<Finding> findings;
  for (const Value& rule : rules->AsList()) {
    if (rule.Find("post_handler") != nullptr) continue;
    if (findings.size() >= results->AsList().size()) return {};
    findings.push_back(form.read(rule, results->AsList()[findings.size()]));
  }
  return findings.size() == results->AsList().size() ? findings : std::vector<Finding>();
}

void WriteFinding(HtmlWriter& page, const TextLimits& limits, const Finding& finding) {
  page.Raw("<li>").Raw(ScoreChip(Score::Of(finding.share), finding.share));
  page.CutText(finding.wanted, limits.reason);
  page.Raw(fmt::format(" <small>{:g} of {:g}</small>", finding.points, finding.weight));
  if (!finding.found.empty()) page.Raw("<p>").CutText(finding.found, limits.reason).Raw("</p>");
  if (!finding.program.empty()) {
    page.Raw("<details class=more><summary>the program</summary><pre class=t>");
    page.CutText(finding.program, limits.answer).Raw("</pre></details>");
  }
}

}  // namespace

bool WriteFindings(HtmlWriter& page, const TextLimits& limits, const Check& check, const Score& score) {
  const auto* const form =
      std::find_if(kForms.begin(), kForms.end(), [&](const Form& each) { return each.kind == check.kind; });
  if (form == kForms.end()) return false;
  const std::vector<Finding> findings = FindingsOf(*form, check, score);
  if (findings.empty()) return false;
  page.Raw("<ul>");
  for (const Finding& finding : findings) WriteFinding(page, limits, finding);
  for (const std::string_view key : {"post_handler_detail", "blank_filling_post_handler_detail"}) {
    const std::string said = TextOr(score.answer.Find(key), "");
    if (!said.empty()) page.Raw("<li>the suite's own handler: ").CutText(said, limits.reason);
  }
  page.Raw("</ul>");
  const std::string text =
      form->template_text.empty() ? "" : TextOr(check.args.Find(form->template_text), "");
  if (!text.empty()) {
    page.Raw("<details class=more><summary>the template</summary><pre class=t>");
    page.CutText(text, limits.answer).Raw("</pre></details>");
  }
  return true;
}

}  // namespace assay
