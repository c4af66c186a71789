// Looks for texts and patterns in the answer: `keywords: [rule, ...]`.
//   rule    a text; {post_handler}; or {content, weight, to_lower, neg}. `content` is a node: a text, or
//           {or | and | content, regex, cond}, in which or comes before and, and before content
//   score   the weights of the rules that match, less those of the negated ones; the total is the weights of
//           the others. A post_handler replaces both
//   items   a rule each; what a post_handler tells is the score's remark
//   source  InfiBench's evaluator (spec infibench 5), with what its code ignores: regex and cond of a rule,
//           to_lower, weight and neg of a node inside. `to_lower` lowers patterns too, so that \S becomes \s
//   known deviations: an answer that a search takes too long for, or that makes a condition on it or the
//           post_handler fail, has no point (but with --compat); of arguments that make every answer an error
//           the user is warned
#include <fmt/core.h>

#include <memory>
#include <optional>
#include <vector>

#include "checks/code/wanted.h"
#include "checks/graders.h"
#include "checks/program/python_condition.h"
#include "checks/program/python_row.h"
#include "spec/suite/check.h"
#include "text/object.h"
#include "text/python/regex.h"
#include "text/python/text.h"
#include "text/python/truth.h"

namespace assay {
namespace {

struct Node {
  enum class Kind { kText, kPattern, kAny, kAll };
  Kind kind = Kind::kText;
  std::string text = {};                          // kText: in lower case where the rule says so
  std::shared_ptr<const PythonRegex> regex = {};  // kPattern
  std::vector<Node> children = {};                // kAny, kAll
  std::optional<PythonCondition> condition = {};
  Value as_written = {};  // what a condition sees as `rule`; undefined without a condition
  bool is_regex = false;  // what it sees as `regex`
};

struct Rule {
  Node node;
  std::string wanted;  // in words
  double weight = 1;
  bool to_lower = false;
  bool is_negated = false;
};

}  // namespace

struct Keywords {
  std::vector<Rule> rules;
  std::optional<PythonHandler> handler;
  PythonHost python;
  bool fails_like_original = false;
  std::uint32_t calls_max = 0;

  double Total() const;
  // What a handler is called with for an answer in which nothing is found.
  List OfNothing() const;
  Score Grade(const GradeInput& input, PythonCalls& calls) const;
};

namespace {

// ---- arguments
// --------------------------------------------------------------------------------------------------

Error BadKeyword(std::string message, const Value& at) {
  return {.code = ErrorCode::kInvalidInput, .message = std::move(message), .where = at.span};
}

struct NodeRules {
  bool to_lower = false;
  bool is_regex = false;
};

Result<Node> ReadNode(const Value& value, NodeRules rules);

Result<Node> ReadText(const Value& value, NodeRules rules) {
  Node node{.is_regex = rules.is_regex};
  node.text = rules.to_lower ? PythonLower(value.AsString()) : value.AsString();
  if (!rules.is_regex) return node;
  node.kind = Node::Kind::kPattern;
  Result<std::shared_ptr<const PythonRegex>> regex = PythonRegex::Compile(node.text);
  if (!regex) return BadKeyword(regex.error().message, value);
  node.regex = std::move(regex).value();
  return node;
}

Result<Node> ReadChildren(const Value& value, Node::Kind kind, NodeRules rules) {
  const std::optional<List> items = PythonItems(value);
  if (!items)
    return BadKeyword(fmt::format("expected a list of alternatives, found {}", KindName(value)), value);
  Node node{.kind = kind, .is_regex = rules.is_regex};
  for (const Value& item : *items) {
    ASSAY_TRY(Node child, ReadNode(item, rules));
    node.children.push_back(std::move(child));
  }
  return node;
}

Result<Node> ReadNode(const Value& value, NodeRules rules) {
  if (value.is_string()) return ReadText(value, rules);
  if (!value.is_map())
    return BadKeyword(fmt::format("expected a text or a mapping, found {}", KindName(value)), value);
  if (const Value* regex = value.Find("regex")) rules.is_regex = PythonTruth(*regex);
  Result<Node> node = BadKeyword("expected one of or, and, content", value);
  if (const Value* any = value.Find("or")) {
    node = ReadChildren(*any, Node::Kind::kAny, rules);
  } else if (const Value* all = value.Find("and")) {
    node = ReadChildren(*all, Node::Kind::kAll, rules);
  } else if (const Value* content = value.Find("content")) {
    node = ReadChildren(List{*content}, Node::Kind::kAll, rules);
  }
  if (!node || value.Find("cond") == nullptr) return node;
  node->is_regex = rules.is_regex;
  node->as_written = value;
  // What is no text raises only where it is evaluated; an expression that is none raises there as well.
  node->condition.emplace(value.TextAt("cond"));
  return node;
}

Result<Rule> ReadRule(const Value& value) {
  Rule rule;
  if (value.is_string()) {
    ASSAY_TRY(rule.node, ReadNode(value, {}));
    rule.wanted = WantedText(value);
    return rule;
  }
  const Value* content = value.Find("content");
  if (content == nullptr)
    return BadKeyword(fmt::format("expected a text or a rule with content, found {}", KindName(value)),
                      value);
  if (const Value* weight = value.Find("weight")) {
    const std::optional<double> number = PythonFloat(*weight);
    if (!number)
      return BadKeyword(fmt::format("a weight must be a number, found {}", KindName(*weight)), *weight);
    rule.weight = *number;
  }
  rule.to_lower = IsPythonTrueAt(value, "to_lower");
  rule.is_negated = IsPythonTrueAt(value, "neg");
  ASSAY_TRY(rule.node, ReadNode(*content, {.to_lower = rule.to_lower}));
  rule.wanted = (rule.is_negated ? "not: " : "") + WantedText(*content);
  return rule;
}

std::uint32_t ConditionsForPython(const Node& node) {
  std::uint32_t count = node.condition && !node.condition->is_understood() ? 1 : 0;
  for (const Node& child : node.children) count += ConditionsForPython(child);
  return count;
}

Result<Keywords> ReadKeywords(const Value& args) {
  const std::optional<List> items = PythonItems(args);
  if (!items) return BadKeyword(fmt::format("expected a list of rules, found {}", KindName(args)), args);
  Keywords keywords;
  for (const Value& item : *items) {
    if (const Value* handler = item.Find("post_handler")) {
      Result<PythonHandler> read = ReadHandler(*handler);
      if (!read) return BadKeyword(read.error().message, *handler);
      keywords.handler = std::move(read).value();
      continue;
    }
    ASSAY_TRY(Rule rule, ReadRule(item));
    keywords.calls_max += ConditionsForPython(rule.node);
    keywords.rules.push_back(std::move(rule));
  }
  if (keywords.handler) keywords.calls_max += 2;  // the second one where the first fails
  return keywords;
}

// What stands in the original's result file where a rule is neither a text nor a mapping: Python's own words.
std::optional<std::string> OriginalError(const Value& args) {
  const auto type_of = [](const Value& value) -> std::string_view {
    if (value.is_null()) return "NoneType";
    if (value.is_bool()) return "bool";
    if (value.kind() == ValueKind::kInt) return "int";
    return value.kind() == ValueKind::kDouble ? "float" : "";
  };
  if (!args.is_list()) return std::nullopt;
  for (const Value& rule : args.AsList()) {
    const std::string_view type = type_of(rule);
    if (!type.empty()) return fmt::format("argument of type '{}' is not iterable", type);
  }
  return std::nullopt;
}

// ---- grading
// ----------------------------------------------------------------------------------------------------

// One rule against one answer.
class RuleMatcher {
 public:
  RuleMatcher(const Rule& rule, std::string_view answer, std::string_view searched, const List& context,
              PythonCalls& calls)
      : rule_(rule), answer_(answer), searched_(searched), context_(context), calls_(calls) {}

  Result<bool> Match() { return Match(rule_.node); }
  // Where the texts and patterns of the rule are, those alone that are in both forms alike.
  std::vector<TextRange> marks() const {
    std::vector<TextRange> marks;
    for (const TextRange& range : found_) {
      const bool is_alike = searched_.data() == answer_.data() ||
                            (searched_.size() == answer_.size() &&
                             PythonLower(answer_.substr(range.from, range.to - range.from)) ==
                                 searched_.substr(range.from, range.to - range.from));
      if (is_alike) AddMark(range, marks);
    }
    return marks;
  }

 private:
  // Every child is looked at, so that the error of any is the error of all.
  Result<bool> Match(const Node& node) {
    bool matches = node.kind == Node::Kind::kAll;
    switch (node.kind) {
      case Node::Kind::kText: {
        const std::size_t at = searched_.find(node.text);
        matches = at != std::string_view::npos;
        if (matches) found_.push_back({at, at + node.text.size()});
        break;
      }
      case Node::Kind::kPattern: {
        ASSAY_TRY(const std::optional<TextRange> found, node.regex->Find(searched_));
        matches = found.has_value();
        if (matches) found_.push_back(*found);
        break;
      }
      case Node::Kind::kAny:
      case Node::Kind::kAll:
        for (const Node& child : node.children) {
          ASSAY_TRY(const bool does, Match(child));
          matches = node.kind == Node::Kind::kAny ? matches || does : matches && does;
        }
        break;
    }
    if (!matches || !node.condition) return matches;
    return Holds(node);
  }

  Result<bool> Holds(const Node& node) {
    Map names = Object{{"context", context_},     {"ans", true},
                       {"rule", node.as_written}, {"to_lower", rule_.to_lower},
                       {"regex", node.is_regex},  {"response", answer_}};
    const Result<bool> holds = node.condition->is_understood() ? node.condition->Evaluate(names)
                                                               : calls_.Test(node.condition->text(), names);
    if (!holds) return node.condition->BlamedOn(holds.error());
    return holds;
  }

  const Rule& rule_;
  std::string_view answer_;
  std::string_view searched_;
  const List& context_;
  PythonCalls& calls_;
  std::vector<TextRange> found_;
};

// A rule that is negated takes points and gives none.
ScoreItem KeywordsItemOf(const Rule& rule, bool is_there) {
  ScoreItem item{.wanted = rule.wanted, .found = is_there ? "it is there" : "it is not there"};
  item.is_unwanted = rule.is_negated;
  item.share = is_there != rule.is_negated ? 1 : 0;
  if (is_there) item.points = rule.is_negated ? -rule.weight : rule.weight;
  item.weight = rule.is_negated ? 0 : rule.weight;
  return item;
}

}  // namespace

double Keywords::Total() const {
  double total = 0;
  for (const Rule& rule : rules) total += rule.is_negated ? 0 : rule.weight;
  return total;
}

List Keywords::OfNothing() const { return {0.0, Total(), List(rules.size(), Value("unmatch"))}; }

Score Keywords::Grade(const GradeInput& input, PythonCalls& calls) const {
  const std::string_view answer = input.answer.text();
  std::optional<std::string> lower;
  List statuses;
  std::vector<ScoreItem> items;
  std::vector<TextRange> marks;
  double score = 0;
  const double total = Total();
  for (const Rule& rule : rules) {
    if (rule.to_lower && !lower) lower = PythonLower(answer);
    const std::string_view searched = rule.to_lower ? std::string_view(*lower) : answer;
    RuleMatcher matcher(rule, answer, searched, statuses, calls);
    const Result<bool> matches = matcher.Match();
    if (!matches) {
      const bool is_lost = matches.error().code == ErrorCode::kLimit && !fails_like_original && Total() > 0;
      return is_lost ? LostComponent(Total(), matches.error().message) : ComponentFailure(matches.error());
    }
    if (*matches) {
      for (const TextRange& range : matcher.marks()) AddMark(range, marks);
    }
    statuses.emplace_back(*matches ? "match" : "unmatch");
    items.push_back(KeywordsItemOf(rule, *matches));
    if (*matches) score += rule.is_negated ? -rule.weight : rule.weight;
  }
  const std::optional<List> of_nothing = fails_like_original ? std::nullopt : std::optional(OfNothing());
  Score graded = handler
                     ? HandledScore(*handler, {score, total, statuses}, calls, std::move(items), of_nothing)
                     : ComponentScore(score, total, std::move(items));
  graded.marks = std::move(marks);
  return graded;
}

CheckArgs ParseKeywords(const ParseInput& input, Diagnostics& diagnostics) {
  Result<Keywords> keywords = ReadKeywords(input.check.args);
  if (!keywords) {
    const auto problem_of = [](const Value& args) { return ProblemIn(ReadKeywords(args)); };
    std::string problem = TellEachBroken(input, "", Value("x"), keywords.error(), problem_of, diagnostics);
    if (input.grading.python_words) problem = OriginalError(input.check.args).value_or(problem);
    return UnusableArgs<Keywords>(std::move(problem));
  }
  keywords->python = FindPython(input);
  keywords->fails_like_original = input.grading.python_words;
  return MakeArgs(std::move(keywords).value());
}

template struct PythonRow<Keywords>;

}  // namespace assay
