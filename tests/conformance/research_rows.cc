// Golden rows of the research harness: datasets, matrices, assertions, summaries, reports, and its small
// functions. What belongs to the agent under test is skipped.
#include <fmt/core.h>

#include <filesystem>

#include "base/files/file_reader.h"
#include "checks/text/assertion.h"
#include "dialects/research/read/dataset.h"
#include "dialects/research/read/matrix.h"
#include "dialects/research/read/query.h"
#include "dialects/research/session/session.h"
#include "dialects/research/session/snapshot.h"
#include "dialects/research/write/results.h"
#include "tests/conformance/conformance.h"
#include "text/json/json.h"
#include "text/packed/base64.h"
#include "text/python/json.h"
#include "text/python/repr.h"

namespace assay::conformance {
namespace {

namespace fs = std::filesystem;
using research::BuildQuery;
using research::BuiltQuery;
using research::CompactText;
using research::Dataset;
using research::Document;
using research::EscapedCell;
using research::ExtensionFromUrl;
using research::Matrix;
using research::ParseToolArguments;
using research::ReadDataset;
using research::ReadMatrix;
using research::RunProfile;
using research::RunSummary;
using research::SplitRunIds;
using research::TestCase;
using research::ToolArgumentsCell;

constexpr std::string_view kBeyond64Bits = "a whole number beyond 64 bits: ours are doubles";
constexpr std::string_view kLeavesFolder = "an id that would leave its folder: refused here";

// The rows of these files are JSON by Python's rules: whole numbers are no floats.
Outcome ForEachPythonLine(const std::string& path, void (*run)(const Value& row, Outcome& outcome)) {
  Outcome outcome;
  DiskFileReader reader;
  const Result<std::string> text = reader.Read(path);
  if (!text) {
    outcome.Fail("the file cannot be read: " + text.error().message);
    return outcome;
  }
  std::size_t number = 0;
  for (std::size_t start = 0; start < text->size();) {
    const std::size_t end = std::min(text->find('\n', start), text->size());
    const Result<Value> row = ParsePythonJson(std::string_view(*text).substr(start, end - start));
    start = end + 1;
    outcome.place = fmt::format("row {}", ++number);
    if (!row) {
      outcome.Fail("the row is no JSON: " + row.error().message);
      continue;
    }
    const std::string name = row->Find("name") != nullptr ? GetText(*row, "name") : GetText(*row, "kind");
    if (!name.empty()) outcome.place += fmt::format(" ({})", name);
    run(*row, outcome);
  }
  outcome.place.clear();
  return outcome;
}

// In Python's own notation: 1 and 1.0 differ, and so does the order of members.
Value ResearchPrinted(const Value& value) { return Value(WritePythonJson(value).value_or("(no JSON)")); }

std::string ContentOf(const Value& row) {
  const Value* coded = row.Find("content_base64");
  return coded == nullptr ? GetText(row, "content") : DecodeBase64(coded->AsString()).value_or("");
}

bool HasFolderParts(const Value& id) {
  return id.is_string() && id.AsString().find('/') != std::string::npos;
}

std::string FirstProblem(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.All()) {
    if (diagnostic.severity == Severity::kError) return diagnostic.message;
  }
  return "no error";
}

Value DatasetValue(const Dataset& dataset) {
  Map map;
  map.Append("id", Value(dataset.id));
  map.Append("source_path", Value(dataset.path));
  List docs, tests;
  for (const Document& document : dataset.docs) {
    Map entry;
    entry.Append("key", Value(document.id));
    entry.Append("id", Value(document.id));
    entry.Append("title", Value(document.title));
    entry.Append("url", Value(document.url));
    docs.emplace_back(std::move(entry));
  }
  for (const TestCase& test : dataset.tests) {
    Map entry;
    entry.Append("id", Value(test.id));
    entry.Append("doc_ids", List(test.doc_ids.begin(), test.doc_ids.end()));
    entry.Append("query", Value(test.query));
    entry.Append("expected", test.expected.AsValue());
    tests.emplace_back(std::move(entry));
  }
  map.Append("docs", Value(std::move(docs)));
  map.Append("tests", Value(std::move(tests)));
  return map;
}

void RunDataset(const Value& row, Outcome& outcome) {
  if (Get(row, "content").is_null()) {
    outcome.Skip("a file that is missing is the command line's business");
    return;
  }
  Diagnostics diagnostics;
  const std::string path = "{DIR}/" + GetText(row, "file_name");
  const std::optional<Dataset> dataset = ReadDataset(FileId{0}, path, ContentOf(row), diagnostics);
  const Value* ok = row.Find("ok");
  if (ok != nullptr && !dataset && HasFolderParts(Get(*ok, "id"))) {
    outcome.Skip(std::string(kLeavesFolder));
  } else if (ok != nullptr && !dataset) {
    outcome.Fail("want success, got: " + FirstProblem(diagnostics));
  } else if (ok != nullptr) {
    outcome.Same("dataset", ResearchPrinted(*ok), ResearchPrinted(DatasetValue(*dataset)));
  } else if (dataset) {
    outcome.Fail("want an error, got success");
  } else {
    outcome.Pass();
  }
}

Value TextOrNull(const std::optional<std::string>& text) { return text ? Value(*text) : Value(Null{}); }

// Dates of TOML as the golden rows have them: {"$datetime": ISO}. `text` is the matrix.
Value ParameterValue(const Value& value, std::string_view text) {
  Map coded;
  if (value.is_date()) {
    std::string moment(text.substr(value.span.offset, value.span.length));
    if (moment.ends_with('Z')) moment.replace(moment.size() - 1, 1, "+00:00");
    coded.Append("$datetime", Value(moment));
    return coded;
  }
  if (value.kind() == ValueKind::kDouble && !(value.AsNumber() - value.AsNumber() == 0)) {
    coded.Append("$float", Value(PythonRepr(value)));  // "inf": no JSON
    return coded;
  }
  if (value.is_map()) {
    for (const Member& member : value.AsMap()) coded.Append(member.key, ParameterValue(member.value, text));
    return coded;
  }
  if (!value.is_list()) return value;
  List list;
  for (const Value& item : value.AsList()) list.push_back(ParameterValue(item, text));
  return list;
}

Value RunProfileValue(const RunProfile& run, std::string_view text) {
  const Profile& profile = run.profile;
  Map map;
  map.Append("id", Value(run.id));
  map.Append("model_alias", Value(profile.model_alias));
  map.Append("research_mode", Value(profile.research_mode));
  map.Append("lean", Value(profile.lean));
  map.Append("preload_local_sources", Value(profile.preload_local_sources));
  map.Append("preload_shortlist", Value(profile.preload_shortlist));
  map.Append("save_history", Value(profile.save_history));
  map.Append("source_provider", Value(run.source_provider));
  map.Append("resolved_source_provider", Value(profile.source_provider));
  map.Append("disabled_tools_sorted", List(profile.disabled_tools.begin(), profile.disabled_tools.end()));
  map.Append("parameters", ParameterValue(Value(run.parameters), text));
  map.Append("additional_source_context", TextOrNull(profile.additional_source_context));
  map.Append("query_prefix", TextOrNull(profile.query_prefix));
  map.Append("query_suffix", TextOrNull(profile.query_suffix));
  return map;
}

void RunMatrix(const Value& row, Outcome& outcome) {
  // The rows' folders begin with a name in braces; ours have to be absolute.
  const auto absolute = [](std::string path) { return "/" + path; };
  const auto relative = [](const std::optional<std::string>& path) {
    if (!path) return Value(Null{});
    const bool is_of_row = path->starts_with("/{DIR}") || path->starts_with("/{HOME}");
    return Value(is_of_row ? path->substr(1) : *path);
  };
  const std::string path = absolute(GetText(row, "matrix_path"));
  const PathRoots roots{.matrix_folder = FolderOfFile(path),
                        .cwd = absolute(GetText(row, "cwd")),
                        .home = absolute(GetText(row, "home"))};
  Diagnostics diagnostics;
  const std::string text = ContentOf(row);
  const std::optional<Matrix> matrix = ReadMatrix(FileId{0}, path, text, roots, diagnostics);
  const Value* ok = row.Find("ok");
  if (ok == nullptr) {
    if (matrix) {
      outcome.Fail("want an error, got success");
    } else {
      outcome.Pass();
    }
    return;
  }
  if (!matrix) {
    if (HasFolderParts(Get(Get(*ok, "runs").AsList().front(), "id"))) {
      outcome.Skip(std::string(kLeavesFolder));
    } else {
      outcome.Fail("want success, got: " + FirstProblem(diagnostics));
    }
    return;
  }
  Map map;
  map.Append("source_path", relative(matrix->path));
  map.Append("dataset_path", relative(matrix->dataset));
  map.Append("snapshot_root", relative(matrix->snapshot_root));
  map.Append("output_root", relative(matrix->output_root));
  List runs;
  for (const RunProfile& run : matrix->runs) runs.push_back(RunProfileValue(run, text));
  map.Append("runs", Value(std::move(runs)));
  outcome.Same("matrix", ResearchPrinted(*ok), ResearchPrinted(Value(std::move(map))));
}

void RunAssertion(const Value& row, Outcome& outcome) {
  const Value& expected = Get(row, "expected");
  const std::string type = GetText(expected, "type");
  const Value& text = Get(expected, type == "regex" ? "pattern" : "text");
  if ((type != "contains" && type != "regex") || !text.is_string()) {
    outcome.Skip("expectations that no dataset can hold");
    return;
  }
  const std::string answer = GetText(row, "answer");
  const Result<Assertion> got =
      type == "regex" ? AssertRegex(text.AsString(), answer) : AssertContains(text.AsString(), answer);
  Map map;
  if (got) {
    map.Append("pass", Value(got->passed));
    map.Append("detail", Value(got->detail));
  } else {
    map.Append("error", Value(got.error().message));
  }
  Map want = Get(row, "result").AsMap();
  want.Erase("python_warnings");
  // What ends the original's whole session is a failure of the case here, in the same words.
  if (const Value* raised = want.Find("message")) {
    const std::string detail = "regex assertion failed to compile pattern: " + raised->AsString();
    want = Map();
    want.Append("pass", Value(false));
    want.Append("detail", Value(detail));
  }
  outcome.Same(text.AsString(), ResearchPrinted(Value(want)), ResearchPrinted(Value(map)));
}

void RunSummaryRow(const Value& row, Outcome& outcome) {
  const Value& told = Get(row, "run");
  RunProfile run;
  run.id = GetText(told, "id");
  run.profile.model_alias = GetText(told, "model_alias");
  run.profile.research_mode = Get(told, "research_mode").Truthy();
  run.profile.source_provider = GetText(Get(row, "summary"), "source_provider");
  for (const Value& tool : Get(told, "disabled_tools").AsList())
    run.profile.disabled_tools.push_back(tool.AsString());
  run.parameters = Get(told, "parameters").AsMap();
  const Value& roles = Get(Get(row, "summary"), "token_usage_totals");
  RunSummary summary(run, GetText(Get(roles, "summarizer"), "model_alias"));
  for (const Value& each : Get(row, "rows").AsList()) summary.Add(each);
  outcome.Same("summary", ResearchPrinted(Get(row, "summary")), ResearchPrinted(summary.ToValue()));
}

// Whether success or failure is as wanted; a difference is told.
template <class T>
bool SameSuccess(const Value& row, const Result<T>& got, Outcome& outcome) {
  const bool wants = row.Find("ok") != nullptr;
  if (wants == got.has_value()) {
    if (!wants) outcome.Pass();
    return wants;
  }
  outcome.Fail(wants ? "want success, got: " + got.error().message : "want an error, got success");
  return false;
}

void UnitBuildQuery(const Value& row, Outcome& outcome) {
  const Value& input = Get(row, "input");
  std::vector<Document> docs;
  for (const Value& doc : Get(input, "docs").AsList()) {
    docs.push_back(
        {.id = GetText(doc, "id"), .title = GetText(doc, "title"), .url = GetText(doc, "url"), .span = {}});
  }
  std::vector<const Document*> pointers;
  for (const Document& document : docs) pointers.push_back(&document);
  std::optional<std::map<std::string, std::string>> snapshots;
  if (const Value& paths = Get(input, "snapshot_paths"); paths.is_map()) {
    snapshots.emplace();
    for (const Member& member : paths.AsMap()) (*snapshots)[member.key] = member.value.AsString();
  }
  const std::string provider = GetText(input, "provider");
  const Result<BuiltQuery> query = BuildQuery(provider, pointers, snapshots, GetText(input, "base_query"));
  if (!SameSuccess(row, query, outcome)) return;
  Map map;
  map.Append("provider_name", Value(provider));
  map.Append("query_text", Value(query->text));
  map.Append("source_identifiers", List(query->sources.begin(), query->sources.end()));
  outcome.Same("query", ResearchPrinted(Get(row, "ok")), ResearchPrinted(Value(std::move(map))));
}

void UnitAffixes(const Value& row, Outcome& outcome) {
  const Value& input = Get(row, "input");
  const auto optional = [&input](std::string_view key) {
    const Value& value = Get(input, key);
    return value.is_string() ? std::optional<std::string>(value.AsString()) : std::nullopt;
  };
  outcome.Same("query", Get(row, "ok"),
               Value(WithAffixes(optional("prefix"), GetText(input, "query"), optional("suffix"))));
}

void UnitExtension(const Value& row, Outcome& outcome) {
  const Result<std::string> extension = ExtensionFromUrl(GetText(row, "input"));
  if (SameSuccess(row, extension, outcome))
    outcome.Same(GetText(row, "input"), Get(row, "ok"), Value(*extension));
}

void UnitCompact(const Value& row, Outcome& outcome) {
  outcome.Same("text", Get(row, "ok"), Value(CompactText(Get(row, "input"))));
}
void UnitCell(const Value& row, Outcome& outcome) {
  outcome.Same("cell", Get(row, "ok"), Value(EscapedCell(Get(row, "input"))));
}
void UnitArgumentsCell(const Value& row, Outcome& outcome) {
  if (Get(row, "input").kind() == ValueKind::kDouble && GetText(row, "ok").find('.') == std::string::npos &&
      GetText(row, "ok").size() > 18) {
    outcome.Skip(std::string(kBeyond64Bits));
    return;
  }
  outcome.Same("cell", Get(row, "ok"), Value(ToolArgumentsCell(Get(row, "input"))));
}
void UnitParseArguments(const Value& row, Outcome& outcome) {
  outcome.Same("arguments", ResearchPrinted(Get(row, "ok")),
               ResearchPrinted(ParseToolArguments(Get(row, "input"))));
}
void UnitRunIds(const Value& row, Outcome& outcome) {
  std::vector<std::string> words;
  const Value& input = Get(row, "input");
  for (const Value& word : input.is_list() ? input.AsList() : List()) {
    if (word.is_string()) {
      words.push_back(word.AsString());
    } else if (!word.is_nullish() || row.Find("ok") == nullptr) {
      outcome.Skip("a word that no command line can hold");
      return;
    }
  }
  const std::vector<std::string> ids = SplitRunIds(words);
  outcome.Same("ids", Get(row, "ok"), List(ids.begin(), ids.end()));
}

struct Unit {
  std::string_view kind;
  void (*run)(const Value& row, Outcome& outcome);
};
constexpr Unit kResearchUnits[] = {
    {"build_query", UnitBuildQuery},
    {"query_affixes", UnitAffixes},
    {"extension_from_url", UnitExtension},
    {"compact_markdown_text", UnitCompact},
    {"escape_markdown_cell", UnitCell},
    {"format_tool_arguments", UnitArgumentsCell},
    {"parse_tool_arguments", UnitParseArguments},
    {"split_run_ids", UnitRunIds},
};

void RunUnit(const Value& row, Outcome& outcome) {
  const std::string kind = GetText(row, "kind");
  for (const Unit& unit : kResearchUnits) {
    if (unit.kind == kind) return unit.run(row, outcome);
  }
  // The rest belongs to the agent and its documents, which read JSON by JavaScript's rules.
  for (const KindRow& other : RetrievalKinds()) {
    if (other.kind != kind) continue;
    return other.run(ParseJson(WriteJson(row, JsonStyle::kJavaScript)).value_or(Value()), outcome);
  }
  outcome.Skip("no part of assay reads kind \"" + kind + "\" yet");
}

// One folder of report_cases: input/ before, output/ the Markdown files after, case.json what happened.
Outcome RunReport(const std::string& folder) {
  Outcome outcome;
  DiskFileReader disk;
  const auto json = [&disk](const std::string& path) {
    const Result<std::string> text = disk.Read(path);
    return text ? ParsePythonJson(*text).value_or(Value()) : Value();
  };
  const Value the_case = json(folder + "/case.json");
  SourceFiles sources;
  Diagnostics diagnostics;
  const std::string text = disk.Read(folder + "/dataset.yaml").value_or("");
  const auto dataset = ReadDataset(sources.Add("dataset.yaml", text), "/dataset.yaml", text, diagnostics);
  if (!dataset) {
    outcome.Fail("the dataset: " + FirstProblem(diagnostics));
    return outcome;
  }
  const Result<RebuiltFiles> files =
      research::RebuildSession(folder + "/input", GetText(the_case, "results_dir"), dataset->id, disk);
  const bool wants = Get(the_case, "exit_code").AsInt() == 0;
  if (wants != files.has_value()) {
    outcome.Fail(wants ? "want success, got: " + files.error().message : "want an error, got success");
    return outcome;
  }
  if (!wants) {
    outcome.Pass();
    return outcome;
  }
  std::size_t wanted = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder + "/output")) {
    if (!entry.is_regular_file()) continue;
    ++wanted;
    const std::string path = fs::relative(entry.path(), folder + "/output").generic_string();
    const auto found = files->find(path);
    outcome.Same(path, Value(disk.Read(entry.path().string()).value_or("")),
                 found == files->end() ? Value() : Value(found->second));
  }
  if (wanted != files->size()) outcome.Fail(fmt::format("want {} files, got {}", wanted, files->size()));
  return outcome;
}

Outcome RunDatasets(const std::string& path) { return ForEachPythonLine(path, RunDataset); }
Outcome RunMatrices(const std::string& path) { return ForEachPythonLine(path, RunMatrix); }
Outcome RunAssertions(const std::string& path) { return ForEachPythonLine(path, RunAssertion); }
Outcome RunSummaries(const std::string& path) { return ForEachPythonLine(path, RunSummaryRow); }
Outcome RunUnits(const std::string& path) { return ForEachPythonLine(path, RunUnit); }

constexpr GoldenRow kResearchRows[] = {
    {"research/dataset_cases.jsonl", RunDatasets},
    {"research/matrix_cases.jsonl", RunMatrices},
    {"research/assertions.jsonl", RunAssertions},
    {"research/summaries.jsonl", RunSummaries},
    {"research/units.jsonl", RunUnits},
    {"report_cases/r*", RunReport},
};

}  // namespace

std::span<const GoldenRow> ResearchRows() { return kResearchRows; }

}  // namespace assay::conformance
