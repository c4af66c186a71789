// Tables as JSON.
//
// Version 1: {"v":1,"tables"?:[{"title","head":[text...],"rows":[[text...]...]}...],
// "closing"?:{"model","text","parts":[{"title","items":[text...]}...]}}.
#include "report/fold/stored_tables.h"

#include "text/json/json.h"
#include "text/json/stored.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr int kTablesVersion = 1;

Value TextsValue(const std::vector<std::string>& texts) { return ArrayOf(texts); }

Value TableValue(const ReportTable& table) {
  return Object{
      {"title", table.title}, {"head", TextsValue(table.head)}, {"rows", ArrayOf(table.rows, TextsValue)}};
}

Value ClosingValue(const ClosingSummary& closing) {
  return Object{{"model", closing.model_id},
                {"text", closing.text},
                {"parts", ArrayOf(closing.parts, [&](const ClosingSummary::Part& part) {
                   return Object{{"title", part.title}, {"items", TextsValue(part.items)}};
                 })}};
}

// Reads what a store says, which may be anything; the first member of another kind spoils the whole.
class TablesReader {
 public:
  std::string Text(const Value* value) {
    good_ = good_ && value != nullptr && value->is_string();
    return good_ ? value->AsString() : std::string();
  }
  const List& Items(const Value* value) {
    static const List kNone;
    good_ = good_ && value != nullptr && value->is_list();
    return good_ ? value->AsList() : kNone;
  }
  std::vector<std::string> Texts(const Value* value) {
    std::vector<std::string> texts;
    for (const Value& item : Items(value)) texts.push_back(Text(&item));
    return texts;
  }
  ReportTable Table(const Value& value) {
    ReportTable table{.title = Text(value.Find("title")), .head = Texts(value.Find("head")), .rows = {}};
    for (const Value& row : Items(value.Find("rows"))) table.rows.push_back(Texts(&row));
    return table;
  }
  ClosingSummary Closing(const Value& value) {
    ClosingSummary closing;
    closing.model_id = Text(value.Find("model"));
    closing.text = Text(value.Find("text"));
    for (const Value& part : Items(value.Find("parts")))
      closing.parts.push_back({.title = Text(part.Find("title")), .items = Texts(part.Find("items"))});
    return closing;
  }
  bool good() const { return good_; }

 private:
  bool good_ = true;
};

}  // namespace

std::string EncodeTables(const Report& report) {
  return WriteJson(Object{{"v", kTablesVersion},
                          {"tables", UnlessEmpty(ArrayOf(report.tables, TableValue))},
                          {"closing", report.closing ? ClosingValue(*report.closing) : Value()}},
                   JsonStyle::kJavaScript);
}

bool AddStoredTables(const RunRecord& run, Report& report) {
  if (run.state != RunState::kFinished || run.tables.empty()) return false;
  const Result<Value> map = ParseStoredIn(run.tables.size(), run.tables);
  if (!map || map->NumberAt("v") != kTablesVersion) return false;
  TablesReader reader;
  std::vector<ReportTable> tables;
  if (const Value* list = map->Find("tables")) {
    for (const Value& table : reader.Items(list)) tables.push_back(reader.Table(table));
  }
  std::optional<ClosingSummary> closing;
  if (const Value* said = map->Find("closing")) closing = reader.Closing(*said);
  if (!reader.good()) return false;
  report.tables = std::move(tables);
  report.closing = std::move(closing);
  return true;
}

}  // namespace assay
