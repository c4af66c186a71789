// Reads a matrix file and reports every problem at its place.
#include "dialects/research/read/matrix.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/text/byte_order_mark.h"
#include "base/text/utf8.h"
#include "dialects/research/keys.h"
#include "dialects/research/read/fields.h"
#include "spec/turn/tool_names.h"
#include "text/found.h"
#include "text/python/repr.h"
#include "text/python/text.h"
#include "text/toml.h"

namespace assay::research {

namespace {

constexpr std::string_view kAuto = "auto";
constexpr std::string_view kStandInModel = "echo:stand-in";  // of a run that names none, after the error
constexpr std::string_view kProviders[] = {kAuto, kLiveWeb, kLocalSnapshot, kMockWeb};

struct Switch {
  std::string_view key;
  bool Profile::*member;
};
constexpr Switch kSwitches[] = {{"research_mode", &Profile::research_mode},
                                {"lean", &Profile::lean},
                                {"preload_local_sources", &Profile::preload_local_sources},
                                {"preload_shortlist", &Profile::preload_shortlist},
                                {"save_history", &Profile::save_history}};

struct OptionalField {
  std::string_view key;
  std::optional<std::string> Profile::*member;
};
constexpr OptionalField kTexts[] = {{"additional_source_context", &Profile::additional_source_context},
                                    {"query_prefix", &Profile::query_prefix},
                                    {"query_suffix", &Profile::query_suffix}};

struct MatrixPath {
  std::string_view key;
  std::optional<std::string> Matrix::*member;
};
constexpr MatrixPath kPaths[] = {{"dataset", &Matrix::dataset},
                                 {"snapshot_root", &Matrix::snapshot_root},
                                 {"output_root", &Matrix::output_root}};

// The parts between commas, without white space around them and without empty ones.
std::vector<std::string> CommaSeparated(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (const std::string_view part = PythonTrim(text.substr(0, end)); !part.empty())
      parts.emplace_back(part);
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

class MatrixReader {
 public:
  MatrixReader(const PathRoots& roots, Diagnostics& diagnostics, bool reads_on)
      : roots_(roots), diagnostics_(diagnostics), reads_on_(reads_on) {}

  std::optional<Matrix> Read(FileId file, std::string_view path, std::string_view text) {
    const std::size_t errors_before = diagnostics_.ErrorCount();
    if (!CheckText(file, text)) return std::nullopt;
    const Value root = ReadToml(file, text, diagnostics_);
    if (!root.is_map()) return std::nullopt;
    matrix_.path = path;
    const Fields fields(root, "the matrix", diagnostics_);
    WarnOfUnknown(root);
    const List& runs = root.ListAt("runs");
    if (runs.empty()) fields.Expected("runs", "one table or more", "begin each profile with [[runs]]");
    for (const Value& run : runs) ReadRun(run);
    for (const MatrixPath& known : kPaths) {
      if (root.Find(known.key) == nullptr) continue;
      const std::optional<std::string> written = fields.Text(known.key);
      if (!written) continue;
      Result<std::string> resolved = ResolveMatrixPath(*written, roots_);
      if (resolved) {
        matrix_.*known.member = std::move(*resolved);
      } else {
        diagnostics_.Error("research.path", resolved.error().message, PlaceOf(root, known.key));
      }
    }
    matrix_.dataset_span = PlaceOf(root, "dataset");
    matrix_.snapshot_root_span = PlaceOf(root, "snapshot_root");
    matrix_.has_wrong_dataset = root.Find("dataset") != nullptr && !matrix_.dataset;
    if (diagnostics_.ErrorCount() > errors_before && !reads_on_) return std::nullopt;
    return std::move(matrix_);
  }

 private:
  // A slip for `dataset` is left to whoever knows whether an option names one.
  void WarnOfUnknown(const Value& root) {
    constexpr std::string_view kDataset[] = {"dataset"};
    Map others;
    for (const Member& member : root.AsMap()) {
      const bool is_slip = !matrix_.dataset_slip && root.Find(kDataset[0]) == nullptr &&
                           !DidYouMean(member.key, kDataset).empty();
      if (is_slip) {
        matrix_.dataset_slip = member;
      } else {
        others.Append(member.key, member.value, member.key_span);
      }
    }
    const Value rest(std::move(others));
    Fields(rest, "the matrix", diagnostics_).WarnOfUnknown(kMatrix);
  }

  // What our TOML reader takes, and Python's does not.
  bool CheckText(FileId file, std::string_view text) {
    if (text.starts_with(kByteOrderMark)) {
      diagnostics_.Error("toml.syntax", "this is no TOML: it begins with a byte order mark",
                         {.file = file, .offset = 0, .length = 3}, "save the text without it");
      return false;
    }
    const std::size_t invalid = FindInvalidUtf8(text);
    if (invalid == std::string_view::npos) return true;
    diagnostics_.Error("toml.encoding", "expected UTF-8, found another byte",
                       {.file = file, .offset = static_cast<std::uint32_t>(invalid), .length = 1},
                       "save the text as UTF-8");
    return false;
  }

  // One with an error gets an id that no other has, so that nothing more follows from it.
  void ReadId(const Value& item, Fields& fields, RunProfile& run) {
    const std::optional<std::string> id = fields.Text("id");
    if (id) {
      fields.Rename("run " + Quoted(*id));
      const bool is_fine = IsFolderName(*id, "a run", PlaceOf(item, "id"), diagnostics_);
      const bool is_new = ids_.insert(*id).second;
      if (!is_new) {
        diagnostics_.Error("research.duplicate-id", fmt::format("there are two runs {}", Quoted(*id)),
                           PlaceOf(item, "id"), "give each run an id of its own");
      }
      if (is_fine && is_new) run.id = *id;
    }
    if (run.id.empty()) run.id = fmt::format("run-at-byte-{}", item.span.offset);
  }

  void ReadRun(const Value& item) {
    Fields fields(item, "a run", diagnostics_);
    if (!item.is_map()) {
      diagnostics_.Error("research.field", fmt::format("runs: expected a table, found {}", KindName(item)),
                         item.span, "begin each profile with [[runs]]");
      return;
    }
    RunProfile run;
    run.span = item.span;
    ReadId(item, fields, run);
    run.label = fields.OptionalText("label").value_or("");
    for (const OptionalField& text : kTexts) run.profile.*text.member = fields.OptionalText(text.key);
    run.profile.model_alias = fields.Text("model_alias").value_or(std::string(kStandInModel));
    run.alias_span = PlaceOf(item, "model_alias");
    for (const Switch& known : kSwitches) {
      const Value* value = item.Find(known.key);
      if (value == nullptr) continue;
      run.profile.*known.member = PythonTruth(*value);
      WarnOfText(fields, known.key, *value);
    }
    ReadProvider(fields, run);
    ReadDisabledTools(fields, run.profile);
    run.parameters = item.MapAt("parameters");
    if (item.Find("parameters") != nullptr && FindMap(item, "parameters") == nullptr)
      fields.Expected("parameters", "a table", "[runs.parameters]");
    ReadLimits(fields, run);
    if (item.Find("mock_web_fixtures") != nullptr) {
      if (const std::optional<std::string> written = fields.Text("mock_web_fixtures")) {
        Result<std::string> resolved = ResolveMatrixPath(*written, roots_);
        if (resolved) {
          run.mock_web = std::move(*resolved);
        } else {
          diagnostics_.Error("research.path", resolved.error().message, PlaceOf(item, "mock_web_fixtures"));
        }
      }
    }
    run.tools_span = PlaceOf(item, "disabled_tools");
    fields.WarnOfUnknown(kRun);
    matrix_.runs.push_back(std::move(run));
  }

  // "false" is true, as every text that is not empty.
  void WarnOfText(const Fields& fields, std::string_view key, const Value& value) {
    if (!value.is_string()) return;
    const bool is_true = PythonTruth(value);
    diagnostics_.Warning("research.switch",
                         fmt::format("{}: {} is the text {}, which counts as {}", fields.who(), key,
                                     Quoted(value.AsString()), is_true ? "true" : "false"),
                         value.span, fmt::format("write {0} = true or {0} = false, without quotes", key));
  }

  void ReadProvider(const Fields& fields, RunProfile& run) {
    const Value* value = fields.Find("source_provider");
    std::string text = value == nullptr ? std::string(kAuto) : PythonStr(*value);
    run.source_provider = PythonLower(PythonTrim(text));
    run.profile.source_provider = run.source_provider;
    if (run.source_provider == kAuto)
      run.profile.source_provider = run.profile.research_mode ? kLocalSnapshot : kLiveWeb;
    if (std::find(std::begin(kProviders), std::end(kProviders), run.source_provider) != std::end(kProviders))
      return;
    run.profile.source_provider = kLiveWeb;  // which needs nothing of this machine
    const std::string_view near = DidYouMean(run.source_provider, kProviders);
    fields.Expected("source_provider", "auto, live_web, local_snapshot or mock_web",
                    near.empty() ? "" : fmt::format("did you mean {}?", near));
  }

  // Where a turn of the run is stopped: seconds of its requests, tokens, dollars.
  void ReadLimits(const Fields& fields, RunProfile& run) {
    if (fields.Find("limits") == nullptr) return;
    const Map* limits = FindMap(fields, "limits");
    if (limits == nullptr) return fields.Expected("limits", "a table", "[runs.limits]");
    constexpr double kMost = 1e12;
    for (const Member& limit : *limits) {
      const double number = limit.value.is_number() ? limit.value.AsNumber() : -1;
      const KeyRow* key = FindKey(kLimits, limit.key);
      const bool fits = key == nullptr || Fits(key->shape, limit.value);
      if (!(number > 0 && number <= kMost && fits)) {
        diagnostics_.Error("research.limits", fmt::format("limits.{}: expected a number above 0", limit.key),
                           limit.value.span);
      } else if (limit.key == "seconds") {
        run.limits.seconds = number;
      } else if (limit.key == "tokens") {
        run.limits.tokens = static_cast<std::int64_t>(number);
      } else if (limit.key == "usd") {
        run.limits.usd = number;
      } else {
        diagnostics_.Error("research.limits", fmt::format("there is no limit named {}", Quoted(limit.key)),
                           limit.key_span, "expected seconds, tokens or usd");
      }
    }
  }

  void ReadDisabledTools(const Fields& fields, Profile& profile) {
    if (fields.Find("disabled_tools") == nullptr) return;
    const std::string* text = FindText(fields, "disabled_tools");
    const List* list = FindList(fields, "disabled_tools");
    std::vector<std::string> tools;
    bool is_fine = text != nullptr || list != nullptr;
    if (text != nullptr) tools = CommaSeparated(*text);
    if (list != nullptr) {
      for (const Value& item : *list) {
        const std::string_view name = item.is_string() ? PythonTrim(item.AsString()) : std::string_view();
        is_fine = is_fine && !name.empty();
        tools.emplace_back(name);
      }
    }
    if (!is_fine) {
      fields.Expected("disabled_tools", "names between commas, or a list of names");
      return;
    }
    std::sort(tools.begin(), tools.end());
    tools.erase(std::unique(tools.begin(), tools.end()), tools.end());
    profile.disabled_tools = std::move(tools);
  }

  const PathRoots& roots_;
  Diagnostics& diagnostics_;
  bool reads_on_;
  Matrix matrix_;
  std::set<std::string> ids_;
};

}  // namespace

void WarnOfTools(const RunProfile& run, Diagnostics& diagnostics) {
  std::vector<std::string_view> known(std::begin(kAgentToolNames), std::end(kAgentToolNames));
  known.insert(known.end(), std::begin(kOriginalToolNames), std::end(kOriginalToolNames));
  for (const std::string& tool : run.profile.disabled_tools) {
    if (std::find(known.begin(), known.end(), tool) != known.end()) continue;
    std::vector<std::string_view> joined;
    for (const std::string_view name : known) {
      if (tool.find(name) != std::string::npos) joined.push_back(name);
    }
    const std::string_view near = DidYouMean(tool, known);
    std::string hint = "`assay list tools` names them";
    if (!near.empty()) hint = fmt::format("did you mean {}?", near);
    if (joined.size() > 1) hint = "these are several names: write a list, or commas between them";
    diagnostics.Warning(
        "research.tool",
        fmt::format("run {}: disabled_tools: there is no tool {}", Quoted(run.id), Quoted(tool)),
        run.tools_span, std::move(hint));
  }
}

std::optional<Matrix> ReadMatrix(FileId file, std::string_view path, std::string_view text,
                                 const PathRoots& roots, Diagnostics& diagnostics, bool reads_on) {
  return MatrixReader(roots, diagnostics, reads_on).Read(file, path, text);
}

std::vector<std::string> SplitRunIds(const std::vector<std::string>& words) {
  std::vector<std::string> ids;
  for (const std::string& word : words) {
    for (std::string& id : CommaSeparated(word)) {
      if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(std::move(id));
    }
  }
  return ids;
}

}  // namespace assay::research
