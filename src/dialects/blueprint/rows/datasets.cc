// Expands prompts with templates into prompts without.
#include "dialects/blueprint/rows/datasets.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "dataset/limits.h"
#include "dataset/select/ids.h"
#include "dialects/blueprint/keys/documents.h"
#include "dialects/blueprint/read/js_values.h"
#include "dialects/blueprint/rows/filled_points.h"
#include "text/template/braces.h"
#include "text/template/fill.h"
#include "text/template/written.h"

namespace assay::blueprint {

namespace {

using dataset::Problem;
using dataset::Row;
using dataset::Table;

constexpr std::string_view kKey = "dataset";

// The keys of a prompt whose texts may be templates; all names of each.
constexpr std::string_view kFilledKeys[] = {"prompt",  "messages",    "system",   "ideal",
                                            "should",  "should_not",  "citation", "tags",
                                            "cluster", "description", "weight",   "group"};

bool IsFilledKey(std::string_view key) {
  if (IsMediaKey(key)) return true;
  return std::any_of(std::begin(kFilledKeys), std::end(kFilledKeys), [key](std::string_view name) {
    if (key == name) return true;
    const KeyRow* row = FindKey(kPrompt, name);
    return row != nullptr && row->IsNamed(key);
  });
}

bool IsNamed(std::string_view key, std::string_view name) {
  const KeyRow* row = FindKey(kPrompt, name);
  return key == name || (row != nullptr && row->IsNamed(key));
}

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
  std::unique_ptr<TreeFiller> filler;
  std::size_t cases = 0;
};

class Expansion {
 public:
  Expansion(Map& header, DatasetReading& reading) : header_(header), reading_(reading) {}

  std::vector<PromptEntry> Expand(List entries) {
    Value of_header = Take(header_, kKey);
    header_.Erase(kKey);
    if (!of_header.is_nullish()) header_source_ = Load(of_header);
    has_lost_header_ = !of_header.is_nullish() && header_source_ == nullptr;
    RefuseSystems();
    std::vector<PromptEntry> out;
    std::size_t position = 0;
    for (Value& entry : entries) ExpandOne(std::move(entry), ++position, out);
    for (auto& source : sources_) reading_.read.push_back({std::move(source->table), source->cases});
    return out;
  }

 private:
  Source* Load(const Value& value) {
    const std::optional<dataset::Options> options = dataset::ReadOptions(value, reading_.problems);
    if (!options) return nullptr;
    std::optional<Table> table = dataset::Load(
        *options, reading_.overrides, {reading_.folder, reading_.files, reading_.sources, reading_.problems});
    if (!table) return nullptr;
    Source& source = *sources_.emplace_back(std::make_unique<Source>());
    source.table = *std::move(table);
    source.filler = std::make_unique<TreeFiller>(
        BracesEngine(), source.table.columns, IsCode, [this](const Value& taken, Span place) {
          RefuseFunctions(taken, place, is_in_points_, reading_.problems);
        });
    NoteLeftOut(source.table, value.span);
    return &source;
  }

  // Rows that are no cases, so that nobody misses them unawares.
  void NoteLeftOut(const Table& table, Span where) {
    std::string left_out;
    const auto add = [&](std::size_t count, std::string_view how) {
      if (count > 0) left_out += fmt::format("{}{} {}", left_out.empty() ? "" : ", ", count, how);
    };
    add(table.by_where, "by where");
    add(table.unchosen, "by sample or limit");
    add(table.dropped, "as duplicates");
    add(table.blank_rows, "as blank");
    if (left_out.empty()) return;
    reading_.problems.Add(
        {.code = "dataset.left-out",
         .message = fmt::format("{} of {} rows are cases; the others are left out: {}", table.rows.size(),
                                table.read_rows + table.blank_rows, left_out),
         .hint = "compare the numbers with the table",
         .where = where,
         .severity = Severity::kNote});
  }

  // A list of system prompts is a list of variants, which rows do not change.
  void RefuseSystems() {
    const Value* systems = header_.Find("systems");
    const Value* system = SystemOf(header_);
    if (systems == nullptr && system != nullptr && system->is_list()) systems = system;
    if (systems == nullptr || !systems->is_list() || header_source_ == nullptr) return;
    for (const Value& text : systems->AsList()) {
      if (!text.is_string() || !HasBraces(text.AsString())) continue;
      reading_.problems.Add(
          {.code = "template.systems",
           .message = "systems: a list of system prompts is sent unchanged; found a template",
           .hint = "write the template as `system`, or put it into the prompt",
           .where = text.span});
    }
  }

  void ExpandOne(Value entry, std::size_t position, std::vector<PromptEntry>& out) {
    if (!entry.is_map()) return out.push_back({std::move(entry)});
    Map& members = entry.AsMap();
    const bool has_own = members.Find(kKey) != nullptr;
    const Value own = has_own ? *members.Find(kKey) : Value();
    members.Erase(kKey);
    Source* source = has_own ? (own.is_null() ? nullptr : Load(own)) : header_source_;
    // What a table that cannot be read would fill in is no plain prompt.
    if (source == nullptr && (has_own ? !own.is_null() : has_lost_header_)) return;
    if (source == nullptr) return out.push_back({std::move(entry)});
    // The header's system prompt is a text of each prompt that has none.
    const Value* system = SystemOf(header_);
    if (system != nullptr && system->is_string() && members.Find("system") == nullptr &&
        source->filler->HasTemplates(*system) && header_.Find("systems") == nullptr)
      members.Append("system", *system);
    const std::string name = fmt::format("prompt {}", position);
    const std::size_t errors_before = reading_.problems.ErrorCount();
    LintTexts(members, name);
    if (reading_.problems.ErrorCount() > errors_before) return;
    if (!IsTemplated(members, *source)) {
      reading_.problems.Add({.code = "dataset.unused",
                             .message = fmt::format("{} has no template, and is asked once", name),
                             .hint = "write {{COLUMN}} where a value of the row belongs",
                             .where = entry.span,
                             .severity = Severity::kNote});
      return out.push_back({std::move(entry)});
    }
    CheckId(members, entry.span);
    ExpandRows(entry, name, *source, out);
  }

  bool IsTemplated(const Map& members, Source& source) const {
    return std::any_of(members.begin(), members.end(), [&](const Member& member) {
      return (IsFilledKey(member.key) || member.key == "id") && source.filler->HasTemplates(member.value);
    });
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

  void ExpandRows(const Value& entry, const std::string& name, Source& source,
                  std::vector<PromptEntry>& out) {
    const std::size_t errors_before = reading_.problems.ErrorCount();
    auto described = std::make_shared<FilledPrompt>(FilledPrompt{name, {}});
    for (const Member& member : entry.AsMap()) {
      if (IsNamed(member.key, "should") || IsNamed(member.key, "should_not"))
        AddCalls(member.value, described->calls);
    }
    const std::shared_ptr<const FilledPrompt> prompt = std::move(described);
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
      std::optional<Value> filled = Filled(entry, row, source);
      if (filled && !source.table.kept.empty())
        reading_.kept[filled->TextAt("id")] = dataset::KeptCells(source.table, row, reading_.sources);
      if (filled) out.push_back({*std::move(filled), prompt});
      // What is wrong with a template is wrong with it in every row.
      if (reading_.problems.ErrorCount() > errors_before && is_template_wrong_) return;
    }
    source.cases += source.table.rows.size();
  }

  void Complain(const TemplateProblem& problem, const Row& row, Span where) {
    constexpr std::string_view kOfRows[] = {
        "template.null",        "template.kind",        "template.path",    "template.limit",
        "template.filter-kind", "template.filter-none", "template.function"};
    const bool is_of_row =
        std::find(std::begin(kOfRows), std::end(kOfRows), problem.code) != std::end(kOfRows);
    is_template_wrong_ = !is_of_row;
    reading_.problems.Add(dataset::RowProblem(problem, is_of_row ? row : Row(), where, reading_.sources));
  }

  std::optional<Value> Filled(const Value& entry, const Row& row, Source& source) {
    const TemplateScope scope{row.cells, reading_.sources, row.number, row.id};
    Map members;
    std::optional<FillProblem> problem;
    Value id = CaseId(entry.AsMap(), row, scope, source, problem);
    members.Append("id", std::move(id));
    for (const Member& member : entry.AsMap()) {
      if (problem) break;
      if (member.key == "id") continue;
      if (!IsFilledKey(member.key)) {
        members.Append(member.key, member.value, member.key_span);
        continue;
      }
      Value value = FilledMember(member, scope, source, problem);
      if (!problem && !value.is_undefined()) members.Append(member.key, std::move(value), member.key_span);
    }
    if (problem) {
      Complain(problem->problem, row, problem->where);
      return std::nullopt;
    }
    Value filled(std::move(members));
    filled.span = entry.span;
    return filled;
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

  Value FilledMember(const Member& member, const TemplateScope& scope, Source& source,
                     std::optional<FillProblem>& problem) {
    is_in_points_ = IsNamed(member.key, "should") || IsNamed(member.key, "should_not");
    Value value = source.filler->Fill(member.value, scope, problem);
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
      Warn("template.tag", fmt::format("{}: {{% … %}} is sent unchanged", name), value.span,
           "there are no conditions and loops: add a column to the table");
    }
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
  Source* header_source_ = nullptr;
  bool has_lost_header_ = false;
  bool has_prompt_without_id_ = false;
  bool is_in_points_ = false;
  bool is_template_wrong_ = false;
  std::size_t cases_ = 0;
};

}  // namespace

std::vector<PromptEntry> ExpandDatasets(Map& header, List entries, DatasetReading& reading) {
  return Expansion(header, reading).Expand(std::move(entries));
}

bool NamesDataset(const Map& header, const List& entries) {
  return header.Find(kKey) != nullptr || std::any_of(entries.begin(), entries.end(), [](const Value& entry) {
           return entry.is_map() && entry.Find(kKey) != nullptr;
         });
}

}  // namespace assay::blueprint
