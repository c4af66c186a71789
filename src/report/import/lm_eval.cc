// Imports samples of lm-evaluation-harness: one JSON object for each document and filter. A document is a
// case; one filter and one metric of it make the scores.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "report/import/import.h"
#include "report/import/import_builder.h"
#include "spec/suite/suite.h"
#include "text/found.h"
#include "text/json/json.h"

namespace assay {

namespace {

constexpr std::size_t kViewsMax = 100;  // filters, or metrics, that are told apart
constexpr std::size_t kViewNameBytesMax = 1'000;

// The prompt of a document, as it was sent: messages as JSON, or a text.
std::vector<Turn> TurnsOfDocument(const Value& line) {
  const List& listed = line.ListAt("arguments");
  const Value* first = listed.empty() ? line.MapAt("arguments").Find("gen_args_0") : &listed.front();
  const Value* prompt = first == nullptr ? nullptr : first->Find("arg_0");
  if (prompt == nullptr) return TurnsOf(Value(""));
  const std::string text = ContentText(*prompt);
  const Result<Value> parsed = text.starts_with("[{") ? ParseJson(text) : Result<Value>(Value());
  return parsed && parsed->is_list() ? TurnsOf(*parsed) : TurnsOf(Value(text));
}

// A document is its number, its own id and what was asked of it: documents may share an id, and files that
// are joined their numbers.
RowIdentity DocumentIdentity(const Value& line) {
  const std::string number = fmt::format("{}", ScoreAt(line, "doc_id").value_or(0));
  const std::string& own = line.MapAt("doc").TextAt("id");
  RowIdentity row{.label = own.empty() ? number : own,
                  .asked = fmt::format("{} {}", number, AskedText(TurnsOfDocument(line)))};
  if (!own.empty()) row.detail = fmt::format("doc {}", number);
  return row;
}

// Members of a line that are no metric, for files that do not list their metrics.
bool IsOwnMember(std::string_view name) {
  constexpr std::string_view kOwn[] = {
      "doc_id",   "doc",         "target", "arguments",   "resps",  "filtered_resps", "filter",    "metrics",
      "doc_hash", "prompt_hash", "state",  "target_hash", "schema", "doc_count",      "task_name", "error"};
  return std::find(std::begin(kOwn), std::end(kOwn), name) != std::end(kOwn);
}

std::vector<std::string> MetricsOf(const Value& line) {
  std::vector<std::string> names;
  if (const List* metrics = FindList(line, "metrics")) {
    for (const Value& metric : *metrics) {
      if (metric.is_string()) names.push_back(metric.AsString());
    }
  } else if (line.is_map()) {
    for (const Member& member : line.AsMap()) {
      if (!IsOwnMember(member.key) && ScoreAt(line, member.key)) names.push_back(member.key);
    }
  }
  return names;
}

// Which of the filters and metrics of a file is read.
struct View {
  std::string filter;
  std::string metric;
};

// The filters of a file and the metrics of its documents, each in the order of the file.
class Views {
 public:
  void Add(const Value& line) {
    const std::string filter = line.TextAt("filter");
    AddTo(filters_, filter);
    for (const std::string& metric : MetricsOf(line)) {
      AddTo(metrics_, metric);
      // Of some metrics a document has no number: only all documents together have one.
      if (ScoreAt(line, metric)) AddTo(numbers_, metric);
    }
  }

  // The first ones, or those that `part` names: FILTER, METRIC or FILTER#METRIC. Nothing: it names none.
  std::optional<View> Chosen(std::string_view part) const {
    View view{.filter = filters_.empty() ? std::string() : filters_.front(),
              .metric = !numbers_.empty()   ? numbers_.front()
                        : !metrics_.empty() ? metrics_.front()
                                            : std::string()};
    while (!part.empty()) {
      const std::size_t end = std::min(part.find('#'), part.size());
      const std::string name(part.substr(0, end));
      part.remove_prefix(std::min(end + 1, part.size()));
      if (Has(filters_, name)) {
        view.filter = name;
      } else if (Has(metrics_, name)) {
        view.metric = name;
      } else {
        return std::nullopt;
      }
    }
    return view;
  }

  // What there is beside a view; each can be named behind FILE#.
  std::vector<std::string> OtherFilters(const View& view) const { return Without(filters_, view.filter); }
  std::vector<std::string> OtherMetrics(const View& view) const { return Without(metrics_, view.metric); }
  std::vector<std::string> Names() const {
    std::vector<std::string> names = filters_;
    names.insert(names.end(), metrics_.begin(), metrics_.end());
    return names;
  }

 private:
  static bool Has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }
  static void AddTo(std::vector<std::string>& names, const std::string& name) {
    if (name.empty() || name.size() > kViewNameBytesMax || names.size() >= kViewsMax) return;
    if (!Has(names, name)) names.push_back(name);
  }
  static std::vector<std::string> Without(const std::vector<std::string>& names, const std::string& name) {
    std::vector<std::string> others = names;
    std::erase(others, name);
    return others;
  }

  std::vector<std::string> filters_;
  std::vector<std::string> metrics_;
  std::vector<std::string> numbers_;  // of `metrics_`, those that a document has a number of
};

std::string ViewText(const View& view) {
  return fmt::format("{}{}{}", view.metric.empty() ? "no metric" : view.metric,
                     view.filter.empty() ? "" : ", filter ", view.filter);
}

// "scores are exact_match, filter strict-match; also there: filter flexible-extract …"; "" if that is all.
std::string OthersText(const View& view, const Views& views, std::string_view file) {
  const std::vector<std::string> filters = views.OtherFilters(view);
  const std::vector<std::string> metrics = views.OtherMetrics(view);
  if (filters.empty() && metrics.empty()) return {};
  std::string others;
  for (const auto& [what, names] : {std::pair("filter", &filters), std::pair("metric", &metrics)}) {
    for (const std::string& name : *names)
      others += fmt::format("{}{} {}", others.empty() ? "" : ", ", what, name);
  }
  const std::string& example = filters.empty() ? metrics.front() : filters.front();
  return fmt::format("scores are {}; also in the file: {} (choose with {}#{})", ViewText(view), others, file,
                     example);
}

std::string FirstReply(const Value& line) {
  const List& replies = line.ListAt("filtered_resps");
  if (replies.empty()) return {};
  const Value& first = replies.front();
  return first.is_string() ? first.AsString() : ContentText(first);
}

// lm-eval writes OUTPUT/MODEL/samples_TASK_TIME.jsonl, with "__" in place of "/" in the model's name.
std::string ModelOfFolder(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || !path.substr(slash + 1).starts_with("samples_")) return {};
  std::string model(path.substr(0, slash));
  model.erase(0, model.rfind('/') + 1);
  if (model.empty() || model == "." || model == "..") return {};
  for (std::size_t at = model.find("__"); at != std::string::npos; at = model.find("__", at + 1))
    model.replace(at, 2, "/");
  return model;
}

Cell SampleCell(const Value& line, const std::string& metric) {
  Cell cell = CellOfScore(ScoreAt(line, metric));
  cell.record.transcript.answer = FirstReply(line);
  if (const std::string error = line.TextAt("error"); !error.empty() && cell.state != CellState::kScored) {
    cell.state = CellState::kError;
    cell.record.transcript.error = error;
  }
  return cell;
}

}  // namespace

Result<std::shared_ptr<const ImportedRun>> ReadLmEvalSamples(const SharedBytes& bytes, const ImportAsk& ask) {
  Views views;
  ImportBuilder builder("lm-eval", ImportBudget(bytes->size_bytes()));
  ASSAY_CHECK_OK(ForEachJsonLine(*bytes, builder.budget(), [&views](const Value& line) {
    views.Add(line);
    return Ok();
  }));
  const std::optional<View> chosen = views.Chosen(ask.part);
  const View view = chosen ? *chosen : *views.Chosen("");
  builder.SetParts(views.Names(), !ask.part.empty() && chosen.has_value());
  const std::size_t folder = ask.name.rfind('/');
  const std::string file(folder == std::string_view::npos ? ask.name : ask.name.substr(folder + 1));
  builder.suite().id = file;
  builder.suite().title = fmt::format("{}: {}", file, ViewText(view));
  if (std::string others = OthersText(view, views, ask.name); !others.empty())
    builder.Remark({.text = std::move(others)});
  // The samples do not name their model: the folder that lm-eval writes them to does.
  const std::string model = ModelOfFolder(ask.name);
  const VariantIndex variant = builder.VariantOf(model.empty() ? file : model, model.empty() ? file : model);
  ASSAY_CHECK_OK(ForEachJsonLine(*bytes, builder.budget(), [&](const Value& line) -> Status {
    if (line.TextAt("filter") != view.filter) return Ok();  // the same documents, seen another way
    const CaseIndex index = builder.CaseOf(DocumentIdentity(line), [&line] {
      Case the_case;
      the_case.turns = TurnsOfDocument(line);
      if (const Value* target = line.Find("target")) the_case.ideal = ContentText(*target);
      return the_case;
    });
    return builder.Add(index, variant, SampleCell(line, view.metric));
  }));
  return builder.Finish(ask.name);
}

}  // namespace assay
