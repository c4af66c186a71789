// Hashes commands, and writes and reads what they printed as JSON:
// {"v":1,"asked":hex,"code":n,"files":{path:[inode,bytes,changed_ns,touched_ns]|null},"written":[path...],
// "said":[[on,text]...]}; numbers of files are texts, since a number of JSON does not hold them exactly.
#include "cli/commands/parts/cached_output.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "cli/built.h"
#include "dialects/habits.h"
#include "engine/plan/earlier_runs.h"
#include "engine/plan/input_hash.h"
#include "engine/words.h"
#include "store/store.h"
#include "text/json/json.h"
#include "text/json/record.h"
#include "text/json/stored.h"

namespace assay {

namespace {

constexpr int kVersion = 1;
constexpr std::size_t kBytesMax = std::size_t{16} * 1024;
// Two changes of a file may have one time where they are as close as that (a tick of the kernel's clock).
constexpr std::int64_t kTickNs = 20'000'000;
constexpr std::int64_t kNsPerMs = 1'000'000;

// Shells count and remember in these; nothing that assay does is a matter of them.
constexpr std::string_view kShellVariables[] = {"_=", "SHLVL=", "OLDPWD=", "LINES=", "COLUMNS="};

std::vector<std::string> EnvironmentSet() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const bool is_of_shell = std::any_of(std::begin(kShellVariables), std::end(kShellVariables),
                                         [&](std::string_view name) { return text.starts_with(name); });
    if (!is_of_shell) variables.emplace_back(text);
  }
  std::sort(variables.begin(), variables.end());
  return variables;
}

Value StateValue(const FileState& state) {
  if (!state.exists) return Value(Null{});
  return List{Value(std::to_string(state.inode)), Value(std::to_string(state.size_bytes)),
              Value(std::to_string(state.changed_ns)), Value(std::to_string(state.touched_ns))};
}

template <class Number>
bool ReadNumber(const Value& value, Number& number) {
  if (!value.is_string()) return false;
  const std::string& text = value.AsString();
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

bool ReadState(const Value& value, FileState& state) {
  if (value.is_null()) return true;
  constexpr std::size_t kNumbers = 4;
  if (!value.is_list() || value.AsList().size() != kNumbers) return false;
  const List& numbers = value.AsList();
  state.exists = true;
  return ReadNumber(numbers[0], state.inode) && ReadNumber(numbers[1], state.size_bytes) &&
         ReadNumber(numbers[2], state.changed_ns) && ReadNumber(numbers[3], state.touched_ns);
}

// Whether all that moves a terminal are colours: others may have written the row.
bool HasOnlyColors(std::string_view text) {
  constexpr std::string_view kBegin = "\x1b[";
  std::string bare;
  while (true) {
    const std::size_t at = std::min(text.find(kBegin), text.size());
    bare += text.substr(0, at);
    if (at == text.size()) return PrintableLines(bare) == bare;
    text.remove_prefix(at + kBegin.size());
    const std::size_t end = text.find_first_not_of("0123456789;");
    if (end == std::string_view::npos || text[end] != 'm') return false;
    text.remove_prefix(end + 1);
  }
}

// Of a run whose report is made, the command that makes it says what the run's own says.
bool IsOfFold(const GivenOption& given) { return given.name == "--fold" || given.name == "--wait"; }

// A folder or a link is none.
bool IsFile(const std::string& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);
}

bool IsUnchanged(const CachedOutput& again) {
  return std::all_of(again.files.begin(), again.files.end(),
                     [](const auto& file) { return StateOfFile(file.first) == file.second; }) &&
         std::all_of(again.written.begin(), again.written.end(), IsFile);
}

// {path: state}
template <class T>
struct FileStates {
  T& value;
  Value Stored() const {
    Map map;
    for (const auto& [path, state] : value) map.Append(path, StateValue(state));
    return map;
  }
  bool Read(const Value& read) const {
    return read.is_map() && std::all_of(read.AsMap().begin(), read.AsMap().end(), [this](const Member& file) {
             return ReadState(file.value, value[file.key]);
           });
  }
};

}  // namespace

namespace record {

template <>
struct PlacesOf<OutputText> {
  template <class Text, class Visitor>
  static void Visit(Text& text, Visitor&& visit) {
    visit.Needed(Whole{text.on, static_cast<double>(OutputText::On::kProblem)}, record::Text{text.text});
  }
};

}  // namespace record

namespace {

template <class Output, class Visitor>
void VisitOutput(Output& output, Visitor&& visit) {
  visit.Needed("asked", record::Text{output.asked});
  visit.Needed("code", record::Whole{output.code, static_cast<double>(ExitCode::kBudget)});
  visit.Needed("files", FileStates{output.files});
  visit.Needed("written", record::Texts{output.written});
  visit.Needed("said", record::Records{output.said});
}

}  // namespace

std::string OutputKey(const Options& options) {
  InputHash hash;
  hash.Add("assay", ASSAY_VERSION);
  hash.Add("commit", kBuiltCommit);
  std::error_code problem;
  hash.Add("folder", std::filesystem::current_path(problem).string());
  hash.Add("argument", options.arguments);
  hash.Add("answers", options.spec.responses);  // `grade` takes them for arguments, too
  for (const GivenOption& given : options.given) {
    if (!IsOfFold(given)) hash.Add(given.name, given.values);
  }
  for (const WrittenSetting& setting : options.granted.settings.written)
    hash.Add(setting.counts ? "setting" : "withheld", std::vector{setting.name, setting.value});
  for (const auto& [path, state] : options.settings_files)
    hash.Add(path, WriteJson(StateValue(state), JsonStyle::kJavaScript));
  const Screen& screen = options.shown.screen;
  hash.Add("screen", fmt::format("{} {}", screen.columns, screen.has_color));
  hash.Add("environment", EnvironmentSet());
  return Hex(hash.Finish());
}

bool IsCacheable(const Options& options) {
  const Outputs& outputs = options.outputs;
  const GateOptions& gates = options.gates;
  const bool writes_more = outputs.payload || outputs.update_summaries || !outputs.record.empty() ||
                           !outputs.exports.empty() || !outputs.result_detail_path.empty() ||
                           !outputs.result_summary_path.empty();
  const bool compares = !gates.fail_on_regression.empty() || !gates.fail_on_flip.empty();
  const ShardOptions& sharing = options.command.sharing;
  const bool is_shard = sharing.shards > 0 || sharing.shard || !sharing.run.empty();
  // JSON says when the run was last looked at.
  const bool is_for_programs = options.shown.json || options.shown.progress == ProgressMode::kJson;
  return !options.granted.calls.fresh && !options.command.watch && !writes_more && !compares && !is_shard &&
         !is_for_programs && !HabitsOf(options.spec.compat).makes_sessions;
}

std::string EncodeCachedOutput(const CachedOutput& again, std::int64_t read_ms) {
  const bool may_change_unseen = std::any_of(again.files.begin(), again.files.end(), [&](const auto& file) {
    const FileState& state = file.second;
    return std::max(state.changed_ns, state.touched_ns) > read_ms * kNsPerMs - kTickNs;
  });
  if (may_change_unseen) return {};
  std::string text = fmt::format("{{\"v\":{}", kVersion);
  VisitOutput(again, record::MemberWriter(text));
  text += '}';
  return text.size() <= kBytesMax ? text : std::string();
}

Result<CachedOutput> DecodeCachedOutput(std::string_view text) {
  const Error damaged{ErrorCode::kCorrupt, "the store does not say what a run's command said"};
  const Result<Value> value = ParseStoredIn(text.size(), text);
  if (!value || value->NumberAt("v") != kVersion) return damaged;
  CachedOutput again;
  record::MemberReader reader(*value);
  VisitOutput(again, reader);
  const bool is_shown_safely = std::all_of(again.said.begin(), again.said.end(),
                                           [](const OutputText& each) { return HasOnlyColors(each.text); });
  if (!reader.good() || !is_shown_safely) return damaged;
  return again;
}

Result<std::optional<CacheHit>> FindCachedOutput(Store& store, const RowRanges& foreign,
                                                 const std::string& asked) {
  ASSAY_TRY(const std::vector<RunRecord> runs, store.Runs());
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    const bool may = !IsMarkedRun(foreign, *run) && run->state == RunState::kFinished && run->inputs;
    if (!may || run->said.find(asked) == std::string::npos) continue;
    Result<CachedOutput> again = DecodeCachedOutput(run->said);
    if (!again || again->asked != asked) continue;
    if (IsOutdated(*run, runs) || !IsUnchanged(*again)) break;
    return std::optional(CacheHit{.record = *run, .again = *std::move(again)});
  }
  return std::optional<CacheHit>();
}

}  // namespace assay
