// Reads the `expected` of a test, and converts it to checks and their tree; one row per type.
#include "dialects/research/read/expectation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/errors/diagnostics.h"
#include "dialects/research/keys.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "text/found.h"
#include "text/object.h"
#include "text/python/regex.h"
#include "text/python/text.h"

namespace assay::research {

namespace {

constexpr int kDepthMax = 16;
constexpr std::size_t kPartsMax = 1000;

struct ExpectedName {
  std::string_view name;
  ExpectedType type;
  std::string_view field;  // of its text, or its parts
  std::string_view kind;   // of its check; "" of those that are made of parts
  const KeyPlace* place;
};
constexpr ExpectedName kTypes[] = {
    {"contains", ExpectedType::kContains, "text", "expected_contains", &kContains},
    {"regex", ExpectedType::kRegex, "pattern", "expected_regex", &kRegex},
    {"all_of", ExpectedType::kAllOf, "of", "", &kAllOf},
    {"any_of", ExpectedType::kAnyOf, "of", "", &kAnyOf},
    {"not", ExpectedType::kNot, "of", "", &kNot},
    {"judge", ExpectedType::kJudge, "criterion", kJudgeKind, &kJudge},
    {"numeric", ExpectedType::kNumeric, "value", "expected_numeric", &kNumeric},
    {"citation", ExpectedType::kCitation, "doc", "expected_citation", &kCitation},
};

const ExpectedName& RowOfType(ExpectedType type) {
  return *std::find_if(std::begin(kTypes), std::end(kTypes),
                       [type](const ExpectedName& row) { return row.type == type; });
}

class Reader {
 public:
  Reader(std::string who, Diagnostics& diagnostics) : who_(std::move(who)), diagnostics_(diagnostics) {}

  std::optional<Expectation> Read(const Value& written, int depth) {
    const Fields fields(written, who_, diagnostics_);
    if (!written.is_map() || depth > kDepthMax) {
      diagnostics_.Error("research.expected",
                         fmt::format("{}: expected a mapping with `type`, at most {} deep", who_, kDepthMax),
                         written.span, "{type: contains, text: ...}");
      return std::nullopt;
    }
    const std::optional<std::string> type = fields.Text("type");
    if (!type) return std::nullopt;
    const std::string name = PythonLower(*type);
    const auto* const row = std::find_if(std::begin(kTypes), std::end(kTypes),
                                         [&](const ExpectedName& each) { return each.name == name; });
    if (row == std::end(kTypes)) {
      std::vector<std::string_view> names;
      for (const ExpectedName& each : kTypes) names.push_back(each.name);
      const std::string_view near = DidYouMean(name, names);
      fields.Expected("type", "contains, regex, all_of, any_of, not, judge, numeric or citation",
                      near.empty() ? "" : fmt::format("did you mean {}?", near));
      return std::nullopt;
    }
    fields.WarnOfUnknown(*row->place);
    Expectation expectation;
    expectation.type = row->type;
    expectation.span = written.span;
    const bool is_read = row->kind.empty() ? ReadParts(fields, written, depth, expectation)
                                           : ReadLeaf(fields, *row, expectation);
    return is_read ? std::optional(std::move(expectation)) : std::nullopt;
  }

 private:
  // Nothing, and an error, where the value is not what its row says.
  std::optional<double> Number(const Fields& fields, const KeyPlace& place, std::string_view key) {
    if (fields.Find(key) == nullptr) return std::nullopt;
    const std::optional<double> number = fields.NumberAt(key);
    if (number && !std::isnan(*number) && Fits(FindKey(place, key)->shape, Value(*number))) return number;
    fields.Expected(key, "a number");
    is_broken_ = true;
    return std::nullopt;
  }

  // A pattern that Python refuses fails each answer; one that is too big for us could grade none.
  void CheckPattern(const Fields& fields, const std::string& pattern) {
    const auto regex = PythonRegex::Compile(pattern);
    if (regex) return;
    const Span where = fields.PlaceOf("pattern");
    const std::string message = fmt::format("{}: {}", who_, regex.error().message);
    if (regex.error().code == ErrorCode::kLimit) {
      diagnostics_.Error("research.pattern", message, where, "write it shorter, or with fewer repeats");
    } else {
      diagnostics_.Warning("research.pattern", message, where, "no answer can pass: every case fails");
    }
  }

  bool ReadLeaf(const Fields& fields, const ExpectedName& row, Expectation& expectation) {
    is_broken_ = false;
    switch (row.type) {
      case ExpectedType::kNumeric: {
        const std::optional<double> value = Number(fields, kNumeric, "value");
        if (!value && !is_broken_) fields.Expected("value", "a number");
        expectation.value = value.value_or(0);
        expectation.tolerance = Number(fields, kNumeric, "tolerance").value_or(0);
        return value && !is_broken_;
      }
      case ExpectedType::kCitation: {
        constexpr double kWordsUsual = 6;
        expectation.value = Number(fields, kCitation, "words").value_or(kWordsUsual);
        if (fields.Find("doc") == nullptr) return !is_broken_;
        break;
      }
      case ExpectedType::kJudge:
        expectation.threshold = Number(fields, kJudge, "threshold");
        break;
      default:
        break;
    }
    const std::optional<std::string> text = fields.Text(row.field);
    if (text && row.type == ExpectedType::kRegex) CheckPattern(fields, *text);
    expectation.text = text.value_or("");
    return text && !is_broken_;
  }

  bool ReadParts(const Fields& fields, const Value& written, int depth, Expectation& expectation) {
    const bool is_one = expectation.type == ExpectedType::kNot;
    const Map* one = FindMap(written, "of");
    const List parts = !is_one ? written.ListAt("of") : one != nullptr ? List{*written.Find("of")} : List();
    if (parts.empty()) {
      fields.Expected("of", is_one ? "an expectation" : "a list of expectations");
      return false;
    }
    bool are_read = true;
    for (const Value& part : parts) {
      if (++parts_ > kPartsMax) {
        fields.Expected("of", fmt::format("at most {} expectations", kPartsMax));
        return false;
      }
      std::optional<Expectation> read = Read(part, depth + 1);
      are_read = are_read && read.has_value();
      if (read) expectation.parts.push_back(std::move(*read));
    }
    return are_read;
  }

  std::string who_;
  Diagnostics& diagnostics_;
  std::size_t parts_ = 0;
  bool is_broken_ = false;
};

// The document that a citation names, else all that the test is about.
List CitedDocuments(const Expectation& expectation, const Case& the_case) {
  List ids;
  if (!expectation.text.empty()) ids.emplace_back(expectation.text);
  for (const CaseDocument& document : *the_case.documents) {
    if (expectation.text.empty()) ids.emplace_back(document.id);
  }
  return ids;
}

Value ArgumentsOf(const Expectation& expectation, const Case& the_case) {
  Map args;
  switch (expectation.type) {
    case ExpectedType::kNumeric:
      args.Append("value", Value(expectation.value));
      args.Append("tolerance", Value(expectation.tolerance));
      return Value(std::move(args));
    case ExpectedType::kCitation:
      args.Append("documents", CitedDocuments(expectation, the_case));
      args.Append("words", Value(expectation.value));
      return Value(std::move(args));
    case ExpectedType::kJudge:
      if (expectation.threshold) args.Append("threshold", Value(*expectation.threshold));
      return args.empty() ? Value() : Value(std::move(args));
    default:
      return Value(expectation.text);
  }
}

// In the words of reports.
std::string ExpectationText(const Expectation& expectation) {
  if (expectation.type == ExpectedType::kNumeric)
    return fmt::format("{} ± {}", expectation.value, expectation.tolerance);
  if (expectation.type != ExpectedType::kCitation) return expectation.text;
  return fmt::format("quotes {} words of {}", expectation.value,
                     expectation.text.empty() ? "its documents" : expectation.text);
}

// An inverted group is the other group of its inverted parts.
CheckNode NodeOf(const Expectation& expectation, bool is_inverted, Case& the_case) {
  CheckNode node;
  if (expectation.type == ExpectedType::kNot)
    return NodeOf(expectation.parts.front(), !is_inverted, the_case);
  if (!expectation.parts.empty()) {
    const bool is_all = (expectation.type == ExpectedType::kAllOf) != is_inverted;
    node.op = is_all ? CheckNode::Op::kAll : CheckNode::Op::kAny;
    for (const Expectation& part : expectation.parts)
      node.children.push_back(NodeOf(part, is_inverted, the_case));
    return node;
  }
  Check check;
  check.id = fmt::format("{}", the_case.checks.size() + 1);
  check.kind = RowOfType(expectation.type).kind;
  check.args = ArgumentsOf(expectation, the_case);
  check.text = ExpectationText(expectation);
  check.invert = is_inverted;
  check.regex_flavour = RegexFlavour::kPython;
  check.span = expectation.span;
  node.op = CheckNode::Op::kLeaf;
  node.check = static_cast<CheckIndex>(the_case.checks.size());
  the_case.checks.push_back(std::move(check));
  return node;
}

}  // namespace

Value Expectation::AsValue() const {
  const ExpectedName& row = RowOfType(type);
  Map map = Object{{"type", row.name}};
  if (type == ExpectedType::kNumeric) {
    Extend(map, {{"value", value}, {"tolerance", tolerance}});
  } else if (type == ExpectedType::kCitation) {
    Extend(map, {{"doc", UnlessEmpty(text)}, {"words", value}});
  } else if (type == ExpectedType::kNot) {
    map.Append("of", parts.front().AsValue());
  } else if (!parts.empty()) {
    map.Append("of", ArrayOf(parts, [&](const Expectation& part) { return part.AsValue(); }));
  } else {
    Extend(map, {{row.field, text}, {"threshold", threshold}});
  }
  return Value(std::move(map));
}

bool Expectation::HasJudge() const {
  return type == ExpectedType::kJudge ||
         std::any_of(parts.begin(), parts.end(), [](const Expectation& part) { return part.HasJudge(); });
}

bool Expectation::HasCitation() const {
  return type == ExpectedType::kCitation ||
         std::any_of(parts.begin(), parts.end(), [](const Expectation& part) { return part.HasCitation(); });
}

std::vector<std::pair<std::string, Span>> Expectation::UnknownDocuments(
    const std::vector<std::string>& known) const {
  std::vector<std::pair<std::string, Span>> unknown;
  const bool names_one = type == ExpectedType::kCitation && !text.empty();
  if (names_one && std::find(known.begin(), known.end(), text) == known.end())
    unknown.emplace_back(text, span);
  for (const Expectation& part : parts) {
    for (auto& each : part.UnknownDocuments(known)) unknown.push_back(std::move(each));
  }
  return unknown;
}

std::optional<Expectation> ReadExpectation(const Value& written, const std::string& who,
                                           Diagnostics& diagnostics) {
  return Reader(who, diagnostics).Read(written, 0);
}

void AddChecks(const Expectation& expectation, Case& the_case) {
  CheckNode node = NodeOf(expectation, false, the_case);
  if (node.op != CheckNode::Op::kLeaf) {
    the_case.tree = std::move(node);
    return;
  }
  the_case.tree.op = CheckNode::Op::kAll;
  the_case.tree.children.push_back(std::move(node));
}

}  // namespace assay::research
