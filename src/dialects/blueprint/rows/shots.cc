// Fills examples in, and puts them before questions.
#include "dialects/blueprint/rows/shots.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "dataset/limits.h"
#include "dataset/select/ids.h"
#include "dataset/select/where.h"
#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/read/js_values.h"
#include "text/object.h"
#include "text/template/braces.h"

namespace assay::blueprint {

namespace {

using dataset::Row;
using dataset::ShotOptions;

constexpr std::string_view kShotsName = "shots";

bool IsOfSystem(const Value& message) {
  return message.TextAt("role") == "system" || message.Find("system") != nullptr;
}

// What the user says in a message; null: it is not the user's.
const Value* WordsOfUser(const Value& message) {
  if (message.is_string()) return &message;
  if (const Value* user = message.Find("user")) return user;
  return message.TextAt("role") == "user" ? message.Find("content") : nullptr;
}

// The prompt's own text: its question, or what the user says where that happens once. Null: nobody can tell.
const Value* OwnText(const Map& entry) {
  if (const Value* text = FirstTruthy(entry, RowOf(kPromptKeys, "prompt")); IsTruthy(text)) return text;
  const Value* own = nullptr;
  for (const Value& message : entry.ListAt("messages")) {
    const Value* words = WordsOfUser(message);
    if (words == nullptr) continue;
    if (own != nullptr) return nullptr;
    own = words;
  }
  return own;
}

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

Value MessageOf(std::string_view role, Value content) {
  const Span span = content.span;
  Value message(Object{{"role", role}, {"content", std::move(content)}});
  message.span = span;
  return message;
}

}  // namespace

PromptShots::PromptShots(const ShotOptions& options, const ShotSource& source, Value user,
                         std::span<const std::string> question_columns, DatasetReading& reading)
    : options_(options),
      source_(source),
      user_(std::move(user)),
      reading_(reading),
      question_columns_(WithName(question_columns)),
      example_columns_(WithName(source.columns)),
      question_filler_(BracesEngine(), question_columns_, nullptr),
      example_filler_(BracesEngine(), example_columns_, source.members) {}

std::unique_ptr<PromptShots> PromptShots::Make(const ShotOptions& options, const ShotSource& source,
                                               const Map& entry,
                                               std::span<const std::string> question_columns,
                                               DatasetReading& reading) {
  const std::size_t errors_before = reading.problems.ErrorCount();
  Value user = options.user;
  const Value* own = OwnText(entry);
  if (user.is_undefined() && own != nullptr) user = *own;
  if (user.is_undefined() && !options.is_text) {
    reading.problems.Add({.code = "shots.user",
                          .message = "shots: the prompt has no one text of the user's to repeat in examples",
                          .hint = "write user: \"{{question}}\" beside assistant",
                          .where = options.where,
                          .name = "user"});
  }
  HasColumns(options, source, question_columns, reading.problems);
  dataset::Where where;
  if (options.filter.is_map() && !options.pool) {
    where =
        dataset::Where::Compile(options.filter.AsMap(), source.columns, reading.sources, reading.problems);
  }
  if (reading.problems.ErrorCount() > errors_before) return nullptr;
  auto shots = std::make_unique<PromptShots>(options, source, std::move(user), question_columns, reading);
  std::vector<dataset::ShotRow> rows;
  std::vector<Row> kept;
  for (const Row& row : source.rows) {
    dataset::ShotRow& shot = rows.emplace_back(dataset::ShotRowOf(row, options, reading.sources));
    shot.words = shots->WordsOf(row, shots->example_filler_);
    shot.is_candidate = where.Holds(row.cells, reading.sources);
  }
  shots->pool_.emplace(std::move(rows), options);
  shots->examples_.resize(source.rows.size());
  return shots;
}

std::string PromptShots::WordsOf(const Row& row, TreeFiller& filler) {
  if (user_.is_undefined()) return {};
  std::optional<FillProblem> problem;
  const Value words =
      filler.FillText(user_, {row.cells, reading_.sources, row.number, row.id, std::string_view()}, problem);
  return problem || !words.is_string() ? std::string() : dataset::SqueezedWords(words.AsString());
}

std::optional<std::vector<std::size_t>> PromptShots::PlacesFor(const Row& row, const std::string& seed) {
  dataset::ShotRow question = dataset::ShotRowOf(row, options_, reading_.sources);
  question.words = WordsOf(row, question_filler_);
  std::vector<std::size_t> places = pool_->Pick(question, seed);
  if (places.size() == options_.count) return places;
  const std::string place = dataset::PlaceOfRow(row, reading_.sources);
  std::string of_value =
      options_.per ? fmt::format(" with {} {}", Quoted(options_.per->text), Quoted(question.per)) : "";
  reading_.problems.Add(
      {.code = "shots.few",
       .message = fmt::format("{}{}expected {} examples{}, found {}", place, place.empty() ? "" : ": ",
                              options_.count, of_value, places.size()),
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
  Value filled = example_filler_.FillText(
      text, {row.cells, reading_.sources, row.number, row.id, std::string_view()}, problem);
  if (problem) {
    problem->problem.message = "shots: " + problem->problem.message;
    is_template_wrong_ = !DependsOnRow(problem->problem);
    reading_.problems.Add(dataset::RowProblem(problem->problem, is_template_wrong_ ? Row() : row,
                                              problem->where, reading_.sources));
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

void MakeMessages(Map& members) {
  if (members.Find("messages") != nullptr) return;
  Value text = TakeFirstTruthy(members, RowOf(kPromptKeys, "prompt"));
  Value message = MessageOf("user", std::move(text));
  std::vector<std::string> moved;
  for (Member& member : members) {
    if (!IsMediaKey(member.key)) continue;
    moved.push_back(member.key);
    message.AsMap().Append(member.key, std::move(member.value), member.key_span);
  }
  for (const std::string& key : moved) members.Erase(key);
  for (const std::string_view name : {"prompt", "promptText"}) members.Erase(name);
  const Span span = message.span;
  Value messages(List{std::move(message)});
  messages.span = span;
  members.Append("messages", std::move(messages));
}

std::size_t SystemMessages(const List& messages) {
  const auto first = std::find_if_not(messages.begin(), messages.end(), IsOfSystem);
  return static_cast<std::size_t>(first - messages.begin());
}

List WithShots(const List& messages, const List& shots) {
  const auto split = static_cast<std::ptrdiff_t>(SystemMessages(messages));
  List all(messages.begin(), messages.begin() + split);
  all.insert(all.end(), shots.begin(), shots.end());
  all.insert(all.end(), messages.begin() + split, messages.end());
  return all;
}

Value SystemMessage(Value text) { return MessageOf("system", std::move(text)); }

}  // namespace assay::blueprint
