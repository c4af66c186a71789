// Expands prompts with templates into prompts without.
#include "dialects/blueprint/rows/datasets.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "dataset/limits.h"
#include "dataset/select/ids.h"
#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/rows/alike_rows.h"
#include "dialects/blueprint/rows/askings.h"
#include "dialects/blueprint/rows/filled_keys.h"
#include "dialects/blueprint/rows/filled_points.h"
#include "dialects/blueprint/rows/messages.h"
#include "dialects/blueprint/rows/wanted_rows.h"
#include "dialects/rows_from/shots.h"
#include "text/template/braces.h"
#include "text/template/fill.h"
#include "text/template/written.h"

namespace assay::blueprint {

namespace {

using dataset::Problem;
using dataset::Row;
using dataset::Table;

constexpr std::string_view kKey = "dataset";
constexpr std::string_view kShotsKey = "shots";

// The header's text of a system prompt, by any of its names.
const Value* SystemOf(const Map& header) {
  for (const std::string_view key : {"system", "systemPrompt"}) {
    if (const Value* system = header.Find(key); IsTruthy(system)) return system;
  }
  return nullptr;
}

// A dataset with what fills its rows in.
struct Source {
  dataset::Table table;
  std::vector<Row> all_rows = {};  // before any is left out, where examples come from them
  std::unique_ptr<TreeFiller> filler;
  std::vector<std::string> names = {};  // of columns, and "shots"
  std::unique_ptr<TreeFiller> filler_with_shots = nullptr;
  std::size_t cases = 0;
};

// `shots:` of a header or prompt.
struct Shots {
  dataset::ShotOptions options;
  std::optional<Table> pool;  // of its own
};

// What is found of rows while they pass by.
struct CountedRows {
  const Map* prompt = nullptr;  // the only one; null: nothing is counted
  std::unique_ptr<AlikeRows> alike = nullptr;
  std::unique_ptr<WantedRows> wanted = nullptr;  // null: the command line selects no cases
};

// A row on its way into a prompt, with its examples where they are a text.
struct FilledRow {
  const Row& row;
  TemplateScope scope;
  TreeFiller& question_filler;
};

class Expansion {
 public:
  Expansion(Map& header, DatasetReading& reading) : header_(header), reading_(reading) {}

  std::vector<PromptEntry> Expand(List entries) {
    Value of_header = Take(header_, kKey);
    header_.Erase(kKey);
    wants_all_rows_ = header_.Find(kShotsKey) != nullptr ||
                      std::any_of(entries.begin(), entries.end(), [](const Value& entry) {
                        return entry.is_map() && entry.Find(kShotsKey) != nullptr;
                      });
    const Value shots_of_header = Take(header_, kShotsKey);
    header_.Erase(kShotsKey);
    if (!of_header.is_nullish()) {
      if (reading_.counting != nullptr && shots_of_header.is_nullish() && AlikeRows::Can(header_, entries))
        counted_.prompt = &entries.front().AsMap();
      header_source_ = Load(of_header, counted_.prompt != nullptr);
      TakeCounts();
    }
    if (!shots_of_header.is_nullish()) {
      header_shots_ = LoadShots(shots_of_header);
      has_lost_shots_ = header_shots_ == nullptr;
    }
    if (!of_header.is_nullish()) LintHeader();
    has_lost_header_ = !of_header.is_nullish() && header_source_ == nullptr;
    FindSystems();
    std::vector<PromptEntry> out;
    std::size_t position = 0;
    for (Value& entry : entries) ExpandOne(std::move(entry), ++position, out);
    if (!shots_of_header.is_nullish() && sources_.empty() && !has_lost_header_)
      TellNoRows(shots_of_header.span);
    for (auto& source : sources_) reading_.read.push_back({std::move(source->table), source->cases});
    for (auto& shots : shots_) {
      if (shots->pool) reading_.read.push_back({*std::move(shots->pool), 0});
    }
    return out;
  }

 private:
  // Rows fill prompts in. The header is the same for all of them.
  void LintHeader() {
    for (const std::string_view key :
         {"title", "configTitle", "id", "configId", "description", "tags", "models"}) {
      const Member* member = header_.FindMember(key);
      if (member != nullptr) LintHeaderText(member->value, key);
    }
  }

  void LintHeaderText(const Value& value, std::string_view key) {
    if (value.is_list()) {
      for (const Value& item : value.AsList()) LintHeaderText(item, key);
    }
    const bool is_text = value.is_string() && HasBraces(value.AsString());
    if (!is_text) return;
    const bool is_model = key == "models";
    reading_.problems.Add(
        {.code = "template.in-header",
         .message = fmt::format("{}: {} is no template here: rows fill in prompts, not {}", key,
                                Quoted(value.AsString()), is_model ? "models" : "the header"),
         .hint = is_model ? "write the models themselves, or name them with -m"
                          : "write the words themselves, or the template into the prompt",
         .where = value.span,
         .name = std::string(key),
         .severity = is_model ? Severity::kError : Severity::kWarning});
  }

  // Says of each row that passes by whether it is counted alone.
  void Count(dataset::RowReading& how) {
    const RunSpec& spec = reading_.counting->options;
    how.goes_by_order = spec.limit.has_value();
    how.begin = [this, &spec] {
      counted_.alike = std::make_unique<AlikeRows>(header_, *counted_.prompt, *reading_.counting);
      if (WantedRows::Selects(spec)) counted_.wanted = std::make_unique<WantedRows>(*counted_.prompt, spec);
    };
    how.is_alike = [this](const std::vector<std::string>& columns, const Row& row) {
      const bool is_wanted = counted_.wanted != nullptr && counted_.wanted->Takes(row);
      return !is_wanted && counted_.alike->IsAlike(columns, row);
    };
  }

  void TakeCounts() {
    if (counted_.alike != nullptr) reading_.alike_checks = counted_.alike->checks();
    reading_.has_missed =
        header_source_ != nullptr && counted_.wanted != nullptr && counted_.wanted->HasMissed();
    counted_ = {};
  }

  // `is_counting`: rows that nobody wants and that are like others are counted alone.
  Source* Load(const Value& value, bool is_counting = false) {
    const std::optional<dataset::Options> options = dataset::ReadOptions(value, reading_.problems);
    if (!options) return nullptr;
    std::vector<Row> all_rows;
    dataset::RowReading how;
    if (reading_.reshape == nullptr) how.rows_max = reading_.rows_max.value_or(how.rows_max);
    if (is_counting) Count(how);
    std::optional<Table> table = dataset::Load(*options, reading_.overrides, Around(*options),
                                               wants_all_rows_ ? &all_rows : nullptr, how);
    if (!table) return nullptr;
    if (reading_.reshape != nullptr) reading_.reshape(*table);
    Source& source = *sources_.emplace_back(std::make_unique<Source>());
    source.all_rows = std::move(all_rows);
    source.table = *std::move(table);
    // Rows that were not read may have members that these lack.
    const MemberNames* members = source.table.is_part ? nullptr : &source.table.members;
    source.filler = std::make_unique<TreeFiller>(
        BracesEngine(), source.table.columns, members, IsCode, [this](const Value& taken, Span place) {
          RefuseFunctions(taken, place, is_in_points_, reading_.problems);
        });
    source.names = source.table.columns;
    source.names.emplace_back(kShotsKey);
    source.filler_with_shots = std::make_unique<TreeFiller>(BracesEngine(), source.names, members, IsCode);
    NoteLeftOut(source.table, value.span);
    return &source;
  }

  // A path that the command line names starts from the current folder.
  dataset::Surroundings Around(const dataset::Options& options) {
    const std::vector<std::string>& said = reading_.said_paths;
    const bool is_said = options.paths.size() == 1 &&
                         std::find(said.begin(), said.end(), options.paths.front().text) != said.end();
    return {is_said ? std::string_view() : reading_.folder, reading_.files, reading_.sources,
            reading_.problems};
  }

  const Shots* LoadShots(const Value& value) {
    std::optional<dataset::ShotOptions> options = dataset::ReadShotOptions(value, reading_.problems);
    if (!options) return nullptr;
    auto shots = std::make_unique<Shots>();
    shots->options = *std::move(options);
    if (shots->options.pool) {
      shots->pool = dataset::Load(*shots->options.pool, {}, Around(*shots->options.pool));
      if (!shots->pool) return nullptr;
    }
    return shots_.emplace_back(std::move(shots)).get();
  }

  void TellNoRows(Span where) {
    reading_.problems.Add({.code = "shots.no-dataset",
                           .message = "shots: examples need questions that rows fill in; found no dataset",
                           .hint = "write a dataset, or write the examples as messages",
                           .where = where});
  }

  // Rows that are no cases, so that nobody misses them unawares.
  void NoteLeftOut(const Table& table, Span where) {
    if (table.is_part) {
      reading_.problems.Add({.code = "dataset.part",
                             .message = fmt::format("only the first {} rows are read, and the rest is not "
                                                    "checked",
                                                    table.read_rows),
                             .hint = "`assay check` reads all rows",
                             .where = where,
                             .severity = Severity::kNote});
    }
    std::string left_out;
    const auto add = [&](std::size_t count, std::string_view how) {
      if (count > 0) left_out += fmt::format("{}{} {}", left_out.empty() ? "" : ", ", count, how);
    };
    add(table.by_where, "by where");
    add(table.unchosen, "by sample or limit");
    add(table.dropped, "as duplicates");
    add(table.blank_rows, "as blank");
    if (left_out.empty()) return;
    reading_.problems.Add({.code = "dataset.left-out",
                           .message = fmt::format("{} of {} rows are cases; the others are left out: {}",
                                                  table.rows.size() + table.alike,
                                                  table.read_rows + table.blank_rows, left_out),
                           .hint = "compare the numbers with the table",
                           .where = where,
                           .severity = Severity::kNote});
  }

  // A list of system prompts is a list of variants; those with templates differ from row to row.
  void FindSystems() {
    const Value* systems = header_.Find("systems");
    const Value* system = SystemOf(header_);
    if (systems == nullptr && system != nullptr && system->is_list()) systems = system;
    if (systems == nullptr || !systems->is_list()) return;
    const List& texts = systems->AsList();
    const bool has_templates = std::any_of(texts.begin(), texts.end(), [](const Value& text) {
      return text.is_string() && HasBraces(text.AsString());
    });
    if (has_templates) systems_ = texts;
  }

  void ExpandOne(Value entry, std::size_t position, std::vector<PromptEntry>& out) {
    if (!entry.is_map()) return out.push_back({std::move(entry)});
    Map& members = entry.AsMap();
    const bool has_own = members.Find(kKey) != nullptr;
    const Value own = has_own ? *members.Find(kKey) : Value();
    members.Erase(kKey);
    const bool has_own_shots = members.Find(kShotsKey) != nullptr;
    const Value own_shots = has_own_shots ? *members.Find(kShotsKey) : Value();
    members.Erase(kShotsKey);
    Source* source = has_own ? (own.is_null() ? nullptr : Load(own)) : header_source_;
    // What a table that cannot be read would fill in is no plain prompt.
    if (source == nullptr && (has_own ? !own.is_null() : has_lost_header_)) return;
    if (source == nullptr) {
      if (!own_shots.is_nullish()) TellNoRows(own_shots.span);
      return out.push_back({std::move(entry)});
    }
    const Shots* shots = header_shots_;
    if (has_own_shots) shots = own_shots.is_null() ? nullptr : LoadShots(own_shots);
    if (shots == nullptr && (has_own_shots ? !own_shots.is_null() : has_lost_shots_)) return;
    // The header's system prompt is a text of each prompt that has none.
    const Value* system = SystemOf(header_);
    if (system != nullptr && system->is_string() && members.Find("system") == nullptr &&
        source->filler->HasTemplates(*system) && header_.Find("systems") == nullptr)
      members.Append("system", *system);
    const std::string name = fmt::format("prompt {}", position);
    const std::size_t errors_before = reading_.problems.ErrorCount();
    LintTexts(members, name);
    if (reading_.problems.ErrorCount() > errors_before) return;
    if (!IsTemplated(members, *source, shots)) {
      reading_.problems.Add({.code = "dataset.unused",
                             .message = fmt::format("{} has no template, and is asked once", name),
                             .hint = "write {{COLUMN}} where a value of the row belongs",
                             .where = entry.span,
                             .severity = Severity::kNote});
      return out.push_back({std::move(entry)});
    }
    CheckId(members, entry.span);
    WarnOfOneQuestion(members, name, *source, shots);
    ExpandRows(entry, name, *source, shots, out);
  }

  static TreeFiller& QuestionFiller(Source& source, const Shots* shots) {
    return shots != nullptr && shots->options.is_text ? *source.filler_with_shots : *source.filler;
  }

  bool IsTemplated(const Map& members, Source& source, const Shots* shots) const {
    return std::any_of(members.begin(), members.end(), [&](const Member& member) {
      TreeFiller& filler = IsQuestion(member.key) ? QuestionFiller(source, shots) : *source.filler;
      return (IsFilledKey(member.key) || member.key == "id") && filler.HasTemplates(member.value);
    });
  }
  static bool IsQuestion(std::string_view key) { return IsNamed(key, "prompt") || IsNamed(key, "messages"); }

  // A question that no row changes, although rows fill something in. Pictures may be what is asked about.
  void WarnOfOneQuestion(const Map& members, const std::string& name, Source& source, const Shots* shots) {
    const Member* question = nullptr;
    for (const Member& member : members) {
      const bool is_question = IsQuestion(member.key);
      if (!is_question && !IsNamed(member.key, "system") && !IsMediaKey(member.key)) continue;
      TreeFiller& filler = is_question ? QuestionFiller(source, shots) : *source.filler;
      if (filler.HasTemplates(member.value)) return;
      if (is_question) question = &member;
    }
    if (question == nullptr || !systems_.empty()) return;
    std::string hint = "write {{COLUMN}} where a value of the row belongs";
    for (const std::string& column : source.table.columns) {
      const bool has_one_brace = question->value.is_string() &&
                                 question->value.AsString().find("{" + column + "}") != std::string::npos;
      if (has_one_brace) hint = fmt::format("did you mean {{{{{}}}}}?", column);
    }
    Warn("dataset.one-question", fmt::format("{} asks the same question for every row", name),
         question->value.span, std::move(hint));
  }

  // Examples as text that no part of the question takes.
  void CheckTextUsed(const Map& members, const Shots& shots, Span where) {
    if (!shots.options.is_text) return;
    const bool is_used = std::any_of(members.begin(), members.end(), [](const Member& member) {
      return IsQuestion(member.key) && NamesShots(member.value);
    });
    if (is_used) return;
    reading_.problems.Add({.code = "shots.unused",
                           .message = "shots: as: text, and the prompt has no place for the text",
                           .hint = "write {{shots}} before the question",
                           .where = where,
                           .name = std::string(kShotsKey)});
  }
  void CheckId(const Map& members, Span where) {
    const Value* id = members.Find("id");
    if (id != nullptr && id->Truthy()) return;
    if (!std::exchange(has_prompt_without_id_, true)) return;
    reading_.problems.Add(
        {.code = "dataset.prompt-id",
         .message = "two prompts with templates have no id, so that their cases would be alike",
         .hint = "give each an id: a case is then called PROMPT.ROW",
         .where = where});
  }

  std::unique_ptr<PromptShots> ShotsOf(const Value& entry, const Shots* shots, Source& source) {
    if (shots == nullptr) return nullptr;
    const ShotSource from = shots->pool
                                ? ShotSource{shots->pool->rows, shots->pool->columns, &shots->pool->members}
                                : ShotSource{source.all_rows, source.table.columns, &source.table.members};
    const bool is_each = shots->options.pick == dataset::ShotPick::kEach;
    if (is_each && source.table.rows.size() * from.rows.size() > limits::kShotRanksMax) {
      reading_.problems.Add(
          {.code = "shots.limit",
           .message = fmt::format("shots: pick: each compares {} questions with {} rows, which is too much",
                                  source.table.rows.size(), from.rows.size()),
           .hint = "pick seeded, sample the dataset, or limit the pool",
           .where = shots->options.where});
      return nullptr;
    }
    CheckTextUsed(entry.AsMap(), *shots, entry.span);
    return PromptShots::Make(shots->options, from, OwnText(entry.AsMap()), source.table.columns,
                             reading_.sources, reading_.problems);
  }

  void ExpandRows(const Value& entry, const std::string& name, Source& source, const Shots* from,
                  std::vector<PromptEntry>& out) {
    const std::size_t errors_before = reading_.problems.ErrorCount();
    const std::unique_ptr<PromptShots> shots = ShotsOf(entry, from, source);
    if (reading_.problems.ErrorCount() > errors_before) return;
    auto described = std::make_shared<FilledPrompt>(FilledPrompt{name, {}});
    for (const Member& member : entry.AsMap()) {
      if (IsNamed(member.key, "should") || IsNamed(member.key, "should_not"))
        AddCalls(member.value, described->calls);
    }
    const std::shared_ptr<const FilledPrompt> prompt = std::move(described);
    cases_ += source.table.alike;
    for (const Row& row : source.table.rows) {
      if (cases_ >= limits::kDatasetCasesMax) {
        reading_.problems.Add(
            {.code = "dataset.limit",
             .message = fmt::format("expected at most {} cases of datasets in a suite, found more",
                                    limits::kDatasetCasesMax),
             .hint = "select rows with where, sample or limit, or share them out among suites",
             .where = entry.span});
        return;
      }
      ++cases_;
      std::optional<PromptEntry> filled = Filled(entry, row, source, shots.get());
      if (filled && !source.table.kept.empty())
        reading_.kept[filled->value.TextAt("id")] = dataset::KeptCells(source.table, row, reading_.sources);
      if (filled) out.emplace_back(*std::move(filled)).filled = prompt;
      // What is wrong with a template is wrong with it in every row.
      if (reading_.problems.ErrorCount() > errors_before && is_template_wrong_) return;
    }
    source.cases += source.table.rows.size() + source.table.alike;
  }

  void Complain(const TemplateProblem& problem, const Row& row, Span where) {
    is_template_wrong_ = !dataset::DependsOnRow(problem);
    reading_.problems.Add(
        dataset::RowProblem(problem, is_template_wrong_ ? Row() : row, where, reading_.sources));
  }

  std::optional<PromptEntry> Filled(const Value& entry, const Row& row, Source& source, PromptShots* shots) {
    TemplateScope scope{row.cells, reading_.sources, row.number, row.id};
    std::optional<std::string> shots_text;
    if (shots != nullptr && shots->options().is_text) {
      shots_text = shots->Text(row, shots->options().seeds.front());
      if (!shots_text) return std::nullopt;
      scope.shots = *shots_text;
    }
    const FilledRow filled_row{row, scope, scope.shots ? *source.filler_with_shots : *source.filler};
    Map members;
    std::optional<FillProblem> problem;
    Value id = CaseId(entry.AsMap(), row, scope, source, problem);
    // What is wrong with the case as a whole is wrong with its row.
    if (row.where.file != FileId::kNone) id.span = row.where;
    members.Append("id", std::move(id));
    for (const Member& member : entry.AsMap()) {
      if (problem) break;
      if (member.key == "id") continue;
      if (!IsFilledKey(member.key)) {
        members.Append(member.key, member.value, member.key_span);
        continue;
      }
      Value value = FilledMember(member, filled_row, source, problem);
      if (!problem && !value.is_undefined()) members.Append(member.key, std::move(value), member.key_span);
    }
    if (problem) {
      Complain(problem->problem, row, problem->where);
      return std::nullopt;
    }
    PromptEntry filled{Value(std::move(members))};
    filled.value.span = entry.span;
    filled.row = &row.cells;
    if (shots != nullptr && !AddShots(entry.AsMap(), filled_row, source, *shots, filled)) return std::nullopt;
    if (!systems_.empty() && !AddSystems(filled_row, source, filled)) return std::nullopt;
    return filled;
  }

  // False after an error, which is told.
  bool AddShots(const Map& entry, const FilledRow& filled_row, Source& source, PromptShots& shots,
                PromptEntry& filled) {
    const dataset::ShotOptions& options = shots.options();
    if (options.is_text)
      return !options.has_several_seeds || AddTexts(entry, filled_row, source, shots, filled);
    MakeMessages(filled.value.AsMap());
    Value& messages = *filled.value.AsMap().Find("messages");
    if (!messages.is_list()) return true;  // an error is told of them later
    const List question = messages.AsList();
    for (const std::string& seed : options.seeds) {
      const std::optional<List> turns = shots.Turns(filled_row.row, seed);
      if (!turns) return false;
      Value asked(WithShots(question, *turns));
      asked.span = messages.span;
      if (!options.is_shown) filled.unshown = turns->size();
      filled.askings.push_back({AskingOfSeed(seed), std::move(asked)});
    }
    messages = filled.askings.front().messages;
    if (!options.has_several_seeds) filled.askings.clear();
    return true;
  }

  // The question once for each system prompt of the header.
  bool AddSystems(const FilledRow& filled_row, Source& source, PromptEntry& filled) {
    MakeMessages(filled.value.AsMap());
    const Value& own = *filled.value.AsMap().Find("messages");
    if (!own.is_list()) return true;  // an error is told of them later
    std::vector<PromptAsking> questions = std::move(filled.askings);
    if (questions.empty()) questions.push_back({"", own});
    filled.askings.clear();
    for (std::size_t i = 0; i < systems_.size(); ++i) {
      std::optional<FillProblem> problem;
      Value system = source.filler->Fill(systems_[i], filled_row.scope, problem);
      if (problem) {
        Complain(problem->problem, filled_row.row, problem->where);
        return false;
      }
      SetText(system);
      for (const PromptAsking& question : questions) {
        List messages;
        if (!system.is_nullish()) messages.push_back(SystemMessage(system));
        const List& rest = question.messages.AsList();
        messages.insert(messages.end(), rest.begin(), rest.end());
        Value asked(std::move(messages));
        asked.span = question.messages.span;
        filled.askings.push_back({AskingOfSystem(i, question.name), std::move(asked)});
      }
    }
    return true;
  }

  // The question once for each seed.
  bool AddTexts(const Map& entry, const FilledRow& filled_row, Source& source, PromptShots& shots,
                PromptEntry& filled) {
    for (const std::string& seed : shots.options().seeds) {
      const std::optional<std::string> text = shots.Text(filled_row.row, seed);
      if (!text) return false;
      FilledRow other = filled_row;
      other.scope.shots = *text;
      Map members;
      std::optional<FillProblem> problem;
      for (const Member& member : entry) {
        if (!IsQuestion(member.key) && !IsMediaKey(member.key)) continue;
        members.Append(member.key, FilledMember(member, other, source, problem), member.key_span);
      }
      if (problem) {
        Complain(problem->problem, filled_row.row, problem->where);
        return false;
      }
      MakeMessages(members);
      filled.askings.push_back({AskingOfSeed(seed), *members.Find("messages")});
    }
    return true;
  }

  Value CaseId(const Map& entry, const Row& row, const TemplateScope& scope, Source& source,
               std::optional<FillProblem>& problem) {
    const Value* id = entry.Find("id");
    if (id == nullptr || !id->Truthy()) {
      Value own(row.id);
      own.span = row.where;
      return own;
    }
    if (id->is_string() && source.filler->HasTemplates(*id))
      return source.filler->FillText(*id, scope, problem);
    Value named(JsText(*id) + "." + row.id);
    named.span = id->span;
    return named;
  }

  Value FilledMember(const Member& member, const FilledRow& filled_row, Source& source,
                     std::optional<FillProblem>& problem) {
    is_in_points_ = IsNamed(member.key, "should") || IsNamed(member.key, "should_not");
    if (member.key == "group" && member.value.is_list())
      return FilledGroups(member, filled_row.scope, source, problem);
    TreeFiller& filler = IsQuestion(member.key) ? filled_row.question_filler : *source.filler;
    // The argument of a check is the cell's fault, where it is one.
    filler.TellCells(is_in_points_);
    Value value = filler.Fill(member.value, filled_row.scope, problem);
    if (problem) return value;
    if (is_in_points_) {
      FinishPoints(member.value, reading_.sources, value);
    } else if (IsNamed(member.key, "messages")) {
      FinishMessages(member.value, value, problem);
    } else if (IsNamed(member.key, "weight")) {
      ReadFilledNumber(value);
    } else if (IsNamed(member.key, "tags")) {
      FinishTags(value);
    } else {
      FinishText(member, value, problem);
    }
    return value;
  }

  // Each dimension keeps its place, so that an empty cell moves no other group.
  Value FilledGroups(const Member& member, const TemplateScope& scope, Source& source,
                     std::optional<FillProblem>& problem) {
    List groups;
    for (const Value& item : member.value.AsList()) {
      Value group = source.filler->Fill(item, scope, problem);
      if (problem) return group;
      if (group.is_undefined()) group = Value("");
      SetText(group);
      groups.push_back(std::move(group));
    }
    Value value(std::move(groups));
    value.span = member.value.span;
    return value;
  }

  // A number or the truth becomes its text; a question needs one.
  void FinishText(const Member& member, Value& value, std::optional<FillProblem>& problem) {
    const bool is_question = IsNamed(member.key, "prompt");
    if (is_question && (value.is_undefined() || value.is_list() || value.is_map())) {
      problem = NoText(member.key, value, member.value.span);
    } else if (member.value.is_string()) {
      SetText(value);
    }
  }

  static FillProblem NoText(std::string_view key, const Value& value, Span where) {
    const bool is_empty = value.is_undefined();
    return {{.code = is_empty ? "template.null" : "template.kind",
             .message = fmt::format("{}: expected a text, found {}", key,
                                    is_empty ? "an empty cell" : KindName(value)),
             .hint = is_empty ? "fill the cell, or leave the row out with where"
                              : "join a list: {{list | join(\", \")}}",
             .name = std::string(key)},
            where};
  }

  void SetText(Value& value) {
    if (!value.is_number() && !value.is_bool()) return;
    const Span span = value.span;
    value = Value(*WrittenText(value, reading_.sources));
    value.span = span;
  }

  void FinishTags(Value& value) {
    if (value.is_undefined()) return;
    if (!value.is_list()) {
      SetText(value);
      const Span span = value.span;
      value = Value(List{std::move(value)});
      value.span = span;
      return;
    }
    for (Value& tag : value.AsList()) SetText(tag);
  }

  // A message keeps its words; numbers become texts, and nothing is no text.
  void FinishMessages(const Value& written, Value& value, std::optional<FillProblem>& problem) {
    if (value.is_undefined()) problem = NoText("messages", value, written.span);
    if (!value.is_list()) return;
    for (Value& message : value.AsList()) {
      if (!message.is_map()) continue;
      for (Member& member : message.AsMap()) SetText(member.value);
    }
    if (!written.is_list() || written.AsList().size() != value.AsList().size()) return;
    for (std::size_t i = 0; i < written.AsList().size(); ++i) {
      if (!written.AsList()[i].is_map() || !value.AsList()[i].is_map()) continue;
      for (const Member& member : written.AsList()[i].AsMap()) {
        if (value.AsList()[i].Find(member.key) == nullptr && !IsMediaKey(member.key))
          problem = NoText(member.key, Value(), member.value.span);
      }
    }
  }

  // What a template language of another tool would do, and code, which no row fills in.
  void LintTexts(const Map& members, const std::string& name) {
    for (const Member& member : members) {
      if (!IsFilledKey(member.key)) continue;
      const bool is_question = IsNamed(member.key, "prompt");
      if (is_question && member.value.is_map() && member.value.AsMap().size() == 1) {
        reading_.problems.Add(
            {.code = "template.unquoted",
             .message = fmt::format("{}: {{{{…}}}} without quotes is a mapping of YAML", name),
             .hint = "put it in quotes: prompt: \"{{question}}\"",
             .where = member.value.span,
             .name = member.key});
      }
      LintTree(members, member, name);
    }
  }

  void LintTree(const Map& owner, const Member& member, const std::string& name) {
    const Value& value = member.value;
    if (IsCode(owner, member)) return WarnOfCode(value, name);
    LintValue(value, name);
  }

  void LintValue(const Value& value, const std::string& name) {
    if (value.is_list()) {
      for (const Value& item : value.AsList()) LintValue(item, name);
    } else if (value.is_map()) {
      for (const Member& member : value.AsMap()) LintTree(value.AsMap(), member, name);
    } else if (value.is_string()) {
      const std::string& text = value.AsString();
      const std::size_t tag = text.find("{%");
      if (tag == std::string::npos || text.find("%}", tag) == std::string::npos) return;
      Warn("template.tag", fmt::format("{}: {{% … %}} is sent unchanged", name), PlaceOf("{%", value.span),
           "there are no conditions and loops: add a column to the table");
    }
  }

  // Of the words within a text, where the source has them as they are.
  Span PlaceOf(std::string_view words, Span text) const {
    const std::string_view file = reading_.sources.Text(text.file);
    if (text.offset > file.size()) return text;
    const std::size_t found = file.substr(text.offset, text.length).find(words);
    if (found == std::string_view::npos) return text;
    return {text.file, text.offset + static_cast<std::uint32_t>(found),
            static_cast<std::uint32_t>(words.size())};
  }

  void WarnOfCode(const Value& value, const std::string& name) {
    if (!value.is_string() || !HasBraces(value.AsString())) return;
    Warn("template.in-code", fmt::format("{}: {{{{…}}}} in code is not filled in", name), value.span,
         "compare with a check that takes a text, such as $contains: \"{{answer}}\"");
  }

  void Warn(std::string code, std::string message, Span where, std::string hint) {
    reading_.problems.Add({.code = std::move(code),
                           .message = std::move(message),
                           .hint = std::move(hint),
                           .where = where,
                           .severity = Severity::kWarning});
  }

  Map& header_;
  DatasetReading& reading_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<std::unique_ptr<Shots>> shots_;
  CountedRows counted_;
  Source* header_source_ = nullptr;
  const Shots* header_shots_ = nullptr;
  bool wants_all_rows_ = false;
  bool has_lost_shots_ = false;
  bool has_lost_header_ = false;
  bool has_prompt_without_id_ = false;
  bool is_in_points_ = false;
  bool is_template_wrong_ = false;
  std::size_t cases_ = 0;
  List systems_;  // of the header, where some have templates
};

}  // namespace

std::vector<PromptEntry> ExpandDatasets(Map& header, List entries, DatasetReading& reading) {
  return Expansion(header, reading).Expand(std::move(entries));
}

const Member* DatasetKeyIn(const Map& header, const List& entries) {
  const auto find = [](const Map& map) -> const Member* {
    for (const std::string_view key : {kKey, kShotsKey}) {
      if (const Member* member = map.FindMember(key)) return member;
    }
    return nullptr;
  };
  if (const Member* member = find(header)) return member;
  for (const Value& entry : entries) {
    const Member* member = entry.is_map() ? find(entry.AsMap()) : nullptr;
    if (member != nullptr) return member;
  }
  return nullptr;
}

}  // namespace assay::blueprint
