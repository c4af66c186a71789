// Fills the cases in, and reads each as a case file is read. What is wrong with all of them is told once.
#include "dialects/infibench/cases_from.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "dialects/rows_from/rows_from.h"
#include "dialects/rows_from/selection.h"
#include "text/template/written.h"

namespace assay::infibench {

namespace {

// Functions of Python are code: no row fills them in, or puts one in place of a template.
constexpr std::string_view kCodeKeys[] = {"customized", "post_handler"};
constexpr std::string_view kPowerfulKeys[] = {"customized", "post_handler", "unit_test", "module", "func"};
// A text that is a number becomes one there.
constexpr std::string_view kNumberKeys[] = {"full_score", "null_score", "max_score",
                                            "min_score",  "weight",     "timeout"};
// Numbers become texts there.
constexpr std::string_view kTextKeys[] = {"prompt", "type", "lang", "cluster", "content", "prefix"};

template <class Keys>
bool IsAmong(std::string_view key, const Keys& keys) {
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

void SetKinds(Value& value, const SourceFiles& sources) {
  if (value.is_list()) {
    for (Value& item : value.AsList()) SetKinds(item, sources);
  }
  if (!value.is_map()) return;
  for (Member& member : value.AsMap()) {
    const Span span = member.value.span;
    if (member.value.is_string() && IsAmong(member.key, kNumberKeys)) {
      if (const std::optional<double> number = PlainNumber(member.value.AsString()))
        member.value = Value(*number);
    } else if ((member.value.is_number() || member.value.is_bool()) && IsAmong(member.key, kTextKeys)) {
      member.value = Value(*WrittenText(member.value, sources));
    } else {
      SetKinds(member.value, sources);
    }
    member.value.span = span;
  }
}

void RefuseCode(const Value& taken, Span place, dataset::Problems& problems) {
  if (taken.is_list()) {
    for (const Value& item : taken.AsList()) RefuseCode(item, place, problems);
  }
  if (!taken.is_map()) return;
  for (const Member& member : taken.AsMap()) {
    if (IsAmong(member.key, kPowerfulKeys)) {
      problems.Add({.code = "template.function",
                    .message = fmt::format("a row may not name code: {}", Quoted(member.key)),
                    .hint = "write it into the suite, with a template for its texts",
                    .where = taken.span.file == FileId::kNone ? place : taken.span,
                    .name = member.key});
    }
    RefuseCode(member.value, place, problems);
  }
}

// The conversation begins with the examples.
void AddShots(const FilledTree& filled, Case& the_case) {
  std::vector<Turn> turns;
  for (const Value& message : filled.shots) {
    const bool is_user = message.TextAt("role") == "user";
    turns.push_back({.role = is_user ? Role::kUser : Role::kAssistant,
                     .text = message.TextAt("content"),
                     .span = message.span});
  }
  the_case.turns.insert(the_case.turns.begin(), turns.begin(), turns.end());
  if (!filled.is_shown) the_case.unshown_turns = static_cast<std::uint32_t>(turns.size());
}

// Hands on what was not told of another row.
class EachOnce {
 public:
  explicit EachOnce(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void Tell(const Diagnostics& found, const std::string& id) {
    for (const Diagnostic& each : found.All()) {
      if (!told_.emplace(each.code, each.message, each.where.offset).second) continue;
      Diagnostic named = each;
      named.message = fmt::format("case {}: {}", Quoted(id), each.message);
      diagnostics_.Add(std::move(named));
    }
  }

 private:
  Diagnostics& diagnostics_;
  std::set<std::tuple<std::string, std::string, std::uint32_t>> told_;
};

}  // namespace

CasesFrom ReadCasesFrom(const Member& list, const SuiteDefaults& defaults, const ReadInput& input) {
  CasesFrom out;
  if (input.options.compat == Compat::kInfibench) {
    input.diagnostics.Error("dataset.compat", "the original has no key `cases_from`", list.key_span,
                            "run the suite without --compat, or write a file for each case");
    return out;
  }
  dataset::Problems problems;
  RowsFrom rows = ExpandRowsFrom(
      list.value, {.key = "cases_from",
                   .tree = "case",
                   .question = "prompt",
                   .takes_turns = true,
                   .folder = defaults.folder,
                   .files = input.files,
                   .sources = input.sources,
                   .problems = problems,
                   .overrides = RowOverridesOf(input.options.own),
                   .keeps = [](const Map&, const Member& member) { return IsAmong(member.key, kCodeKeys); },
                   .takes = [&](const Value& taken, Span place) { RefuseCode(taken, place, problems); }});
  problems.TellTo(input.diagnostics);
  EachOnce once(input.diagnostics);
  for (FilledTree& filled : rows.trees) {
    SetKinds(filled.tree, input.sources);
    Diagnostics of_row;
    const ReadInput row_input{input.path, input.options, input.files, input.sources, of_row};
    std::optional<Case> the_case = ReadInlineCase(std::move(filled.tree), filled.id, defaults, row_input);
    once.Tell(of_row, filled.id);
    if (!the_case) continue;
    AddShots(filled, *the_case);
    if (!filled.kept.empty()) the_case->details.AsMap().Set("row", std::move(filled.kept));
    out.cases.push_back(*std::move(the_case));
  }
  for (const dataset::TableFile& file : rows.files)
    out.files.push_back({.path = file.path, .file = file.file, .sha256 = file.sha256});
  out.summaries = std::move(rows.summaries);
  return out;
}

}  // namespace assay::infibench
