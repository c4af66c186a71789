// Fills examples in, for each question those of its own.
#include "dialects/rows_from/shots.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "dataset/limits.h"
#include "dataset/read/read.h"
#include "dataset/select/ids.h"
#include "dataset/select/where.h"
#include "text/object.h"
#include "text/template/braces.h"

namespace assay {

namespace {

using dataset::Row;
using dataset::ShotOptions;

std::vector<std::string> WithName(std::span<const std::string> columns) {
  std::vector<std::string> names(columns.begin(), columns.end());
  names.emplace_back(kShotsName);
  return names;
}

bool HasColumns(const ShotOptions& options, const ShotSource& source,
                std::span<const std::string> question_columns, dataset::Problems& problems) {
  bool has_all = true;
  const auto check = [&](const std::optional<dataset::Name>& name, std::span<const std::string> columns) {
    if (!name) return;
    dataset::Table table;
    table.columns.assign(columns.begin(), columns.end());
    has_all = dataset::HasColumn(table, *name, problems) && has_all;
  };
  check(options.per, source.columns);
  check(options.spread, source.columns);
  if (options.per && has_all) check(options.per, question_columns);
  return has_all;
}

}  // namespace

Value MessageOf(std::string_view role, Value content) {
  const Span span = content.span;
  Value message(Object{{"role", role}, {"content", std::move(content)}});
  message.span = span;
  return message;
}

bool NamesShots(const Value& tree) {
  if (tree.is_list()) return std::any_of(tree.AsList().begin(), tree.AsList().end(), NamesShots);
  if (tree.is_map()) {
    return std::any_of(tree.AsMap().begin(), tree.AsMap().end(),
                       [](const Member& member) { return NamesShots(member.value); });
  }
  if (!tree.is_string() || !HasBraces(tree.AsString())) return false;
  const std::vector<std::string> names{std::string(kShotsName)};
  const auto compiled = BracesEngine().Compile(tree.AsString(), names);
  // What names columns, too, does not compile with this name alone: the word itself decides then.
  if (const auto* text = std::get_if<0>(&compiled)) return (*text)->Names(kShotsName);
  return tree.AsString().find(kShotsName) != std::string::npos;
}

PromptShots::PromptShots(const ShotOptions& options, const ShotSource& source, Value user,
                         std::span<const std::string> question_columns, const SourceFiles& sources,
                         dataset::Problems& problems)
    : options_(options),
      source_(source),
      user_(std::move(user)),
      sources_(sources),
      problems_(problems),
      question_columns_(WithName(question_columns)),
      example_columns_(WithName(source.columns)),
      question_filler_(BracesEngine(), question_columns_, nullptr),
      example_filler_(BracesEngine(), example_columns_, source.members) {}

std::unique_ptr<PromptShots> PromptShots::Make(const ShotOptions& options, const ShotSource& source,
                                               const Value& own_text,
                                               std::span<const std::string> question_columns,
                                               const SourceFiles& sources, dataset::Problems& problems) {
  const std::size_t errors_before = problems.ErrorCount();
  Value user = options.user.is_undefined() ? own_text : options.user;
  if (user.is_undefined() && !options.is_text) {
    problems.Add({.code = "shots.user",
                  .message = "shots: the prompt has no one text of the user's to repeat in examples",
                  .hint = "write user: \"{{question}}\" beside assistant",
                  .where = options.where,
                  .name = "user"});
  }
  HasColumns(options, source, question_columns, problems);
  dataset::Where where;
  if (options.filter.is_map() && !options.pool) {
    where = dataset::Where::Compile(options.filter.AsMap(), source.columns, sources, problems);
  }
  if (problems.ErrorCount() > errors_before) return nullptr;
  auto shots =
      std::make_unique<PromptShots>(options, source, std::move(user), question_columns, sources, problems);
  std::vector<dataset::ShotRow> rows;
  std::vector<Row> kept;
  for (const Row& row : source.rows) {
    dataset::ShotRow& shot = rows.emplace_back(dataset::ShotRowOf(row, options, sources));
    shot.words = shots->WordsOf(row, shots->example_filler_);
    shot.is_candidate = where.Holds(row.cells, sources);
  }
  shots->pool_.emplace(std::move(rows), options);
  shots->examples_.resize(source.rows.size());
  return shots;
}

std::string PromptShots::WordsOf(const Row& row, TreeFiller& filler) {
  if (user_.is_undefined()) return {};
  std::optional<FillProblem> problem;
  const Value words =
      filler.FillText(user_, {row.cells, sources_, row.number, row.id, std::string_view()}, problem);
  return problem || !words.is_string() ? std::string() : dataset::SqueezedWords(words.AsString());
}

std::optional<std::vector<std::size_t>> PromptShots::PlacesFor(const Row& row, const std::string& seed) {
  dataset::ShotRow question = dataset::ShotRowOf(row, options_, sources_);
  question.words = WordsOf(row, question_filler_);
  std::vector<std::size_t> places = pool_->Pick(question, seed);
  if (places.size() == options_.count) return places;
  const std::string place = dataset::PlaceOfRow(row, sources_);
  std::string of_value =
      options_.per ? fmt::format(" with {} {}", Quoted(options_.per->text), Quoted(question.per)) : "";
  problems_.Add({.code = "shots.few",
                 .message = fmt::format("{}{}expected {} examples{}, found {}", place,
                                        place.empty() ? "" : ": ", options_.count, of_value, places.size()),
                 .hint = "a row is no example of itself: lower n, or add rows to the pool",
                 .where = options_.where,
                 .expected = options_.count,
                 .found = places.size()});
  return std::nullopt;
}

Value PromptShots::Filled(const Value& text, const Row& row, bool& is_told) {
  std::optional<FillProblem> problem;
  if (is_template_wrong_) {
    is_told = true;
    return Value();
  }
  Value filled =
      example_filler_.FillText(text, {row.cells, sources_, row.number, row.id, std::string_view()}, problem);
  if (problem) {
    problem->problem.message = "shots: " + problem->problem.message;
    is_template_wrong_ = !dataset::DependsOnRow(problem->problem);
    problems_.Add(
        dataset::RowProblem(problem->problem, is_template_wrong_ ? Row() : row, problem->where, sources_));
    is_told = true;
  }
  return filled;
}

const PromptShots::Example& PromptShots::ExampleAt(std::size_t place) {
  std::optional<Example>& known = examples_[place];
  if (known) return *known;
  const Row& row = source_.rows[place];
  bool is_told = false;
  List example;
  if (options_.is_text) {
    example.push_back(Filled(options_.text, row, is_told));
  } else {
    example.push_back(MessageOf("user", Filled(user_, row, is_told)));
    example.push_back(MessageOf("assistant", Filled(options_.assistant, row, is_told)));
  }
  known.emplace(is_told ? Example() : Example(std::move(example)));
  return *known;
}

std::optional<List> PromptShots::Turns(const Row& row, const std::string& seed) {
  const std::optional<std::vector<std::size_t>> places = PlacesFor(row, seed);
  if (!places) return std::nullopt;
  List turns;
  for (const std::size_t place : *places) {
    const Example& example = ExampleAt(place);
    if (!example) return std::nullopt;
    turns.insert(turns.end(), example->begin(), example->end());
  }
  return turns;
}

std::optional<std::string> PromptShots::Text(const Row& row, const std::string& seed) {
  const std::optional<List> parts = Turns(row, seed);
  if (!parts) return std::nullopt;
  std::string text;
  for (const Value& part : *parts) {
    if (&part != &parts->front()) text += options_.separator;
    text += part.AsString();
  }
  return text;
}

}  // namespace assay
