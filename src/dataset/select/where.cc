// Compiles and tests conditions.
#include "dataset/select/where.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "dataset/read/read.h"
#include "text/template/engine.h"
#include "text/template/written.h"

namespace assay::dataset {

namespace {

constexpr std::size_t kShownValues = 5;

std::optional<double> NumberOf(const Value& value) {
  if (value.is_number()) return value.AsNumber();
  return value.is_string() ? PlainNumber(value.AsString()) : std::nullopt;
}

RowPath PathOf(const std::string& text, std::span<const std::string> columns) {
  RowPath exact;
  exact.name = text;
  if (std::find(columns.begin(), columns.end(), text) != columns.end()) return exact;
  std::size_t at = 0;
  std::optional<RowPath> path = ReadRowPath(text, at);
  return path && at == text.size() ? *std::move(path) : exact;
}

}  // namespace

struct Where::Compiler {
  Problems& problems;

  void Complain(std::string message, std::string hint, Span where, std::string name) {
    problems.Add({.code = "dataset.where",
                  .message = std::move(message),
                  .hint = std::move(hint),
                  .where = where,
                  .name = std::move(name)});
  }

  std::vector<Condition> Conditions(const Value& value) {
    std::vector<Condition> conditions;
    if (value.is_map()) {
      for (const Member& member : value.AsMap()) Add(member, conditions);
    } else {
      conditions.push_back({.test = value.is_list() ? Test::kOneOf : Test::kEquals, .wanted = value});
    }
    return conditions;
  }

  void Add(const Member& member, std::vector<Condition>& conditions) {
    struct Word {
      std::string_view name;
      Test test;
    };
    constexpr Word kWords[] = {{"not", Test::kNot},           {"at_least", Test::kLeast},
                               {"at_most", Test::kMost},      {"above", Test::kAbove},
                               {"below", Test::kBelow},       {"matches", Test::kMatches},
                               {"contains", Test::kContains}, {"exists", Test::kExists}};
    const Word* word = std::find_if(std::begin(kWords), std::end(kWords),
                                    [&](const Word& each) { return each.name == member.key; });
    if (word == std::end(kWords)) {
      std::vector<std::string> names;
      for (const Word& each : kWords) names.emplace_back(each.name);
      const std::string_view near = NearName(member.key, names);
      return Complain(fmt::format("there is no condition {}", Quoted(member.key)),
                      near.empty()
                          ? fmt::format("the conditions are {}; a value alone is compared: {{column: value}}",
                                        fmt::join(names, ", "))
                          : fmt::format("did you mean {}?", near),
                      member.key_span, member.key);
    }
    Condition condition{.test = word->test, .wanted = member.value};
    if (word->test == Test::kNot) condition.inner = Conditions(member.value);
    if (IsComplete(member, condition)) conditions.push_back(std::move(condition));
  }

  bool IsComplete(const Member& member, Condition& condition) {
    const Value& wanted = condition.wanted;
    if (condition.test >= Test::kLeast && condition.test <= Test::kBelow) {
      const std::optional<double> number = NumberOf(wanted);
      if (!number)
        Complain(fmt::format("{}: expected a number, found {}", member.key, KindName(wanted)), "",
                 wanted.span, member.key);
      condition.number = number.value_or(0);
      return number.has_value();
    }
    if (condition.test == Test::kExists && !wanted.is_bool()) {
      Complain(fmt::format("exists: expected true or false, found {}", KindName(wanted)), "", wanted.span,
               member.key);
      return false;
    }
    if (condition.test != Test::kMatches) return true;
    const Result<std::shared_ptr<const JsRegex>> pattern =
        wanted.is_string() ? JsRegex::Compile(wanted.AsString(), JsRegexFlags::kUnicode)
                           : Result<std::shared_ptr<const JsRegex>>(
                                 Error{ErrorCode::kInvalidInput, "expected a pattern in quotes"});
    if (!pattern) {
      Complain(fmt::format("matches: {}", pattern.error().message),
               "a pattern is a regular expression of JavaScript", wanted.span, member.key);
      return false;
    }
    condition.pattern = *pattern;
    return true;
  }
};

Where Where::Compile(const Map& conditions, std::span<const std::string> columns, const SourceFiles&,
                     Problems& problems) {
  Where where;
  Compiler compiler{problems};
  for (const Member& member : conditions) {
    RowPath path = PathOf(member.key, columns);
    if (std::find(columns.begin(), columns.end(), path.name) == columns.end()) {
      problems.Add({.code = "dataset.column",
                    .message = fmt::format("where: the dataset has no column {}", Quoted(path.name)),
                    .hint = HintOfColumns(path.name, columns),
                    .where = member.key_span,
                    .name = path.name});
    }
    where.clauses_.push_back({member.key, std::move(path), compiler.Conditions(member.value)});
  }
  return where;
}

bool Where::IsSame(const Value& value, const Value& wanted, const SourceFiles& sources) {
  if (wanted.is_nullish() || value.is_nullish()) return wanted.is_nullish() && value.is_nullish();
  if (value.is_list()) {
    return std::any_of(value.AsList().begin(), value.AsList().end(),
                       [&](const Value& item) { return IsSame(item, wanted, sources); });
  }
  const std::optional<std::string> have = WrittenText(value, sources);
  const std::optional<std::string> want = WrittenText(wanted, sources);
  if (!have || !want) return false;
  if (*have == *want) return true;
  const std::optional<double> number = NumberOf(value);
  return number && number == NumberOf(wanted);
}

bool Where::Holds(const Condition& condition, const Value& value, const SourceFiles& sources) {
  const std::optional<double> number = NumberOf(value);
  switch (condition.test) {
    case Test::kEquals:
      return IsSame(value, condition.wanted, sources);
    case Test::kOneOf:
      return std::any_of(condition.wanted.AsList().begin(), condition.wanted.AsList().end(),
                         [&](const Value& each) { return IsSame(value, each, sources); });
    case Test::kNot:
      return !std::all_of(condition.inner.begin(), condition.inner.end(),
                          [&](const Condition& inner) { return Holds(inner, value, sources); });
    case Test::kLeast:
      return number && *number >= condition.number;
    case Test::kMost:
      return number && *number <= condition.number;
    case Test::kAbove:
      return number && *number > condition.number;
    case Test::kBelow:
      return number && *number < condition.number;
    case Test::kMatches: {
      const std::optional<std::string> text = WrittenText(value, sources);
      if (!text) return false;
      RegexSubject subject(*text);
      const Result<bool> is_found = condition.pattern->Search(subject);
      return is_found && *is_found;
    }
    case Test::kContains: {
      if (value.is_list()) return IsSame(value, condition.wanted, sources);
      const std::optional<std::string> text = WrittenText(value, sources);
      const std::optional<std::string> part = WrittenText(condition.wanted, sources);
      return text && part && text->find(*part) != std::string::npos;
    }
    case Test::kExists:
      return value.is_nullish() != condition.wanted.AsBool();
  }
  return false;
}

const Value& Where::Clause::ValueIn(const Map& row) const {
  static const Value nothing(Null{});
  return *FindAt(row, path).value_or(&nothing);
}

bool Where::Holds(const Clause& clause, const Value& value, const SourceFiles& sources) {
  return std::all_of(clause.conditions.begin(), clause.conditions.end(),
                     [&](const Condition& condition) { return Holds(condition, value, sources); });
}

bool Where::Holds(const Map& row, const SourceFiles& sources) const {
  return std::all_of(clauses_.begin(), clauses_.end(),
                     [&](const Clause& clause) { return Holds(clause, clause.ValueIn(row), sources); });
}

void Where::Note(const Map& row, const SourceFiles& sources, Unmet& unmet) const {
  unmet.clauses.resize(clauses_.size());
  for (std::size_t i = 0; i < clauses_.size(); ++i) {
    Unmet::Clause& seen = unmet.clauses[i];
    const Value& value = clauses_[i].ValueIn(row);
    seen.is_met = seen.is_met || Holds(clauses_[i], value, sources);
    if (seen.is_met || seen.has_more) continue;
    std::optional<std::string> text = WrittenText(value, sources);
    if (!text || std::find(seen.values.begin(), seen.values.end(), *text) != seen.values.end()) continue;
    seen.has_more = seen.values.size() == kShownValues;
    if (!seen.has_more) seen.values.push_back(*std::move(text));
  }
}

std::string Where::UnmetWords(const Unmet& unmet, const SourceFiles& sources) const {
  for (std::size_t i = 0; i < clauses_.size(); ++i) {
    const Clause& clause = clauses_[i];
    const Unmet::Clause seen = i < unmet.clauses.size() ? unmet.clauses[i] : Unmet::Clause();
    if (seen.is_met) continue;
    const Condition* only = clause.conditions.size() == 1 ? &clause.conditions.front() : nullptr;
    const std::optional<std::string> wanted =
        only != nullptr && only->test == Test::kEquals ? WrittenText(only->wanted, sources) : std::nullopt;
    std::string words = wanted ? fmt::format("no row has {} as {}", Quoted(*wanted), Quoted(clause.written))
                               : fmt::format("no row meets the condition of {}", Quoted(clause.written));
    for (const std::string& value : seen.values)
      words += fmt::format("{}{}", &value == seen.values.data() ? "; there are " : ", ", Quoted(value));
    return seen.has_more ? words + ", and others" : words;
  }
  return "each condition is met by some row, and no row meets all of them";
}

}  // namespace assay::dataset
