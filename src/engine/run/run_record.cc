// Compares a command with the stored runs, says what changed since, and begins new runs in the store.
#include "engine/run/run_record.h"

#include <fmt/core.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <filesystem>

#include "base/files/out_folder.h"
#include "base/text/shell_words.h"
#include "dialects/habits.h"
#include "dialects/unlisted_cases.h"
#include "engine/local_time.h"
#include "engine/plan/run_inputs.h"
#include "engine/shards/shared_run.h"
#include "plan/answers/generator.h"
#include "plan/models_of.h"
#include "spec/suite/suite.h"
#include "store/coordinator.h"
#include "store/location.h"

namespace assay {

namespace {

constexpr std::int64_t kMsOfSecond = 1000;

// "20261121T221500-3fa9", UTC; the digits keep runs of one second apart.
std::string NewRunId(std::int64_t now_ms) {
  const std::time_t seconds = static_cast<std::time_t>(now_ms / kMsOfSecond);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::uint16_t salt = 0;
  if (getrandom(&salt, sizeof salt, 0) != sizeof salt) salt = static_cast<std::uint16_t>(now_ms);
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}-{:04x}", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, salt);
}

std::string FolderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(path.substr(0, std::max<std::size_t>(slash, 1)));
}

// Whether it was offline is said of a run, but does not make it another one.
std::string SourceOf(const RunOrder& asked) {
  return fmt::format("{}{}", asked.words, asked.offline ? " --offline" : "");
}

// A fresh run looks at no epoch but its own.
bool IsFresh(const RunRecord& run) { return run.first_epoch > 0; }

// The sandbox stands among the toolchains of a run of several processes: by this name, with its level.
constexpr std::string_view kSandbox = "sandbox";

const Toolchain* FindByLanguage(const std::vector<Toolchain>& toolchains, std::string_view language) {
  const auto found = std::find_if(toolchains.begin(), toolchains.end(),
                                  [language](const Toolchain& each) { return each.language == language; });
  return found == toolchains.end() ? nullptr : &*found;
}

// A toolchain of this machine that is another one than where the run began.
struct ToolchainChange {
  std::string language;
  std::string there;  // the beginnings of their digests
  std::string here;
};

std::vector<ToolchainChange> ToolchainChanges(const RunRecord& run, const std::vector<Toolchain>& here) {
  constexpr std::size_t kDigestShown = 12;
  std::vector<ToolchainChange> changes;
  const Result<std::vector<Toolchain>> there = DecodeToolchains(run.toolchains);
  if (run.toolchains.empty() || !there) return changes;  // an older assay's run, or a damaged one
  const auto shown = [](const Toolchain* toolchain) {
    const bool is_there = toolchain != nullptr && !toolchain->digest.empty();
    return is_there ? toolchain->digest.substr(0, kDigestShown) : std::string("missing");
  };
  for (const Toolchain& now : here) {
    const Toolchain* then = FindByLanguage(*there, now.language);
    if (then != nullptr && then->digest == now.digest) continue;
    changes.push_back({.language = now.language, .there = shown(then), .here = shown(&now)});
  }
  return changes;
}

// Which languages have another toolchain than when the run began. What was run stands; what is left uses what
// is here now.
std::string ChangedToolchains(const RunRecord& run, const std::vector<Toolchain>& here) {
  std::string changed;
  for (const ToolchainChange& change : ToolchainChanges(run, here))
    changed += fmt::format("{}{}", changed.empty() ? "" : ", ", change.language);
  if (changed.empty()) return {};
  return fmt::format(
      "what runs programs has changed since the run began: {}; those that are left use what is "
      "here now",
      changed);
}

std::string MakerVersion(const RunRecord& run) {
  return run.context.assay_version.empty() ? "before 0.4.0" : run.context.assay_version;
}

// Whether assay 0.3 made the run, or the run names no version.
bool IsBefore04(const RunRecord& run) {
  const std::string& version = run.context.assay_version;
  return version.empty() || version.starts_with("0.3.");
}

// Whether the run before asked an agent of the suite in the words of another version of it.
bool AskedAgentOtherwise(const Suite& suite, const RunRecord& before) {
  const Result<GeneratorVersions> versions = DecodeGeneratorVersions(before.generators);
  const bool reads_documents = std::any_of(suite.cases.begin(), suite.cases.end(),
                                           [](const Case& one) { return !one.documents->empty(); });
  const bool has_other =
      std::any_of(suite.variants.begin(), suite.variants.end(), [&](const Variant& variant) {
        const GeneratorRow* row =
            suite.cases.empty() ? nullptr : GeneratorOf(suite.cases.front(), variant, {});
        return row != nullptr && row->has_agent_settings && versions && !IsMadeWith(*row, *versions);
      });
  return reads_documents && has_other;
}

// Why answers or verdicts of the run before are not found again: somebody was asked in other words. "":
// nobody was.
std::string AskedOtherwise(const Planned& planned, const std::vector<RunRecord>& runs) {
  const Plan& plan = *planned.plan;
  const Suite& suite = plan.suite();
  const auto before = std::find_if(runs.rbegin(), runs.rend(),
                                   [&suite](const RunRecord& run) { return run.title == suite.title; });
  if (before == runs.rend()) return {};
  std::string note;
  if (IsBefore04(*before) && AskedAgentOtherwise(suite, *before)) {
    note = fmt::format(
        "assay {} numbered documents over the whole run, and this version numbers them within their "
        "case: answers of the research agent in run {} are requested again",
        MakerVersion(*before), before->context.run_id);
  }
  // As weval does, or somebody recorded what they say.
  const bool asks_as_before =
      suite.judge_reading == JudgeReading::kFirstTags || !planned.recorded.recordings.empty();
  if (IsBefore04(*before) && !asks_as_before && AsksAs(plan, RequestRole::kJudge)) {
    note += fmt::format(
        "{}assay {} asked judges in other words: the verdicts of run {} are requested again, its answers "
        "are not",
        note.empty() ? "" : "; ", MakerVersion(*before), before->context.run_id);
  }
  return note;
}

RunRecord NewRecord(const RunOrder& asked, const Planned& planned, const PackedSuite& packed,
                    std::uint32_t epoch, std::int64_t now_ms) {
  const Plan& plan = *planned.plan;
  RunRecord run;
  run.context = {.run_id = NewRunId(now_ms),
                 .started_ms = now_ms,
                 .utc_offset_min = UtcOffsetMinutes(now_ms),
                 .run_label = plan.suite().run_label,
                 .suite_root = FolderOf(planned.problems.path),
                 .assay_version = ASSAY_VERSION};
  run.title = plan.suite().title;
  run.dialect = plan.suite().dialect;
  run.source = SourceOf(asked);
  run.spec = EncodeRunSpec(asked.spec);
  run.plan_digest = packed.suite_digest;
  run.suite = packed.digest;
  std::vector<Toolchain> toolchains = plan.suite().toolchains;
  if (asked.sandbox) {
    toolchains.push_back({.language = std::string(kSandbox),
                          .digest = std::string(SandboxLevelName(*asked.sandbox)),
                          .missing = {}});
  }
  run.toolchains = EncodeToolchains(toolchains);
  run.generators = EncodeGeneratorVersions(VersionsFor(plan.suite()));
  run.epoch = epoch;
  run.first_epoch = asked.fresh ? run.epoch : 0;
  run.cells = plan.CellCount();
  // Of a run of shards nobody is there while it waits for the first, and for its report: none of it was cut.
  if (!asked.is_shard) run.stop = RunStop::kOpen;
  run.mean_score = std::nan("");
  run.summary = asked.begun;
  return run;
}

// Whether the command is about some of the suite's cases alone.
bool IsPart(const RunSpec& spec, const DialectRow* dialect) {
  const auto options = dialect != nullptr ? dialect->options : DialectRow().options;
  const bool is_narrowed = std::any_of(options.begin(), options.end(), [&spec](const DialectOption& option) {
    return option.narrows && spec.own.Has(option.name);
  });
  return is_narrowed || TakesPart(spec);
}

bool IsPlainName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos;
}

// The folders of a suite's runs, one of which is a new run's own. A run is in the store before its folder is
// made: whoever stops the program in between leaves no folder that nobody goes on with.
class RunFolders {
 public:
  RunFolders(const RunFolder& folder, const Suite& suite, std::int64_t now_ms)
      : folder_(folder), root_(folder.root(suite)), now_ms_(now_ms) {}

  // Where they lie; an error if none can be made there.
  Status MakeRoot() const {
    const Result<int> made = OutFolder(root_).FolderOf("run");
    if (!made) return made.error();
    if (access(root_.c_str(), W_OK | X_OK) != 0) return WriteError(root_, errno);
    return Ok();
  }

  // The next name that nobody has.
  Result<std::string> NextName() {
    for (; count_ < folder_.count_max; ++count_) {
      std::string name = folder_.name(now_ms_, count_);
      struct stat there {};
      if (lstat(PathOf(name).c_str(), &there) != 0) return name;
    }
    return Error{ErrorCode::kIo, fmt::format("every name for a folder in {} is taken", Quoted(root_))};
  }

  // False if the name was taken meanwhile.
  Result<bool> Make(std::string_view name) const {
    const std::string path = PathOf(name);
    if (mkdir(path.c_str(), 0777) == 0) return true;
    if (errno != EEXIST) return WriteError(path, errno);
    return false;
  }

 private:
  std::string PathOf(std::string_view name) const { return fmt::format("{}/{}", root_, name); }

  const RunFolder& folder_;
  const std::string root_;
  const std::int64_t now_ms_;
  unsigned count_ = 0;
};

// What a run that was stopped too early for it lacks, or what somebody took away.
Status MakeFolder(const RunFolder& folder, const Suite& suite, const RunRecord& run) {
  RunFolders folders(folder, suite, run.context.started_ms);
  ASSAY_CHECK_OK(folders.MakeRoot());
  const Result<bool> is_made = folders.Make(run.context.run_label);
  if (!is_made) return is_made.error();
  return Ok();
}

Status BeginInFolder(const RunFolder& folder, const Suite& suite, RunRecord& run, Store& store) {
  RunFolders folders(folder, suite, run.context.started_ms);
  ASSAY_CHECK_OK(folders.MakeRoot());
  ASSAY_TRY(run.context.run_label, folders.NextName());
  ASSAY_CHECK_OK(store.BeginRun(run));
  while (true) {
    ASSAY_TRY(const bool is_made, folders.Make(run.context.run_label));
    if (is_made) return Ok();
    ASSAY_TRY(run.context.run_label, folders.NextName());
    ASSAY_CHECK_OK(store.UpdateRun(run));
  }
}

// What stopped it before stops it no more. Of a shard: unless others are at work, whose word stands.
Status GoOn(bool is_shard, Store& store, RunRecord& run) {
  if (is_shard) {
    ASSAY_TRY(const RunWork others, WorkOnRun(store, run.context.run_id));
    if (!others.living.empty()) return Ok();
  }
  run.stop = is_shard ? std::nullopt : std::optional(RunStop::kOpen);
  run.given_up.clear();
  return Ok();
}

// Another process may have finished it since it was found.
Result<ChosenRun> ContinueAt(std::int64_t now_ms, const RunOrder& asked, const Digest& inputs, Store& store,
                             const RunRecord& run) {
  ChosenRun chosen;
  chosen.inputs = inputs;
  ASSAY_TRY(chosen.record, store.ChangeRun(run.context.run_id, [&](RunRecord& now) -> Status {
    now.finished_ms = now_ms;  // so that it is the latest
    chosen.is_up_to_date = now.state == RunState::kFinished;
    chosen.resumed = !chosen.is_up_to_date;
    if (chosen.is_up_to_date) return Ok();
    chosen.keeps_cells = now.inputs == inputs;
    if (!chosen.keeps_cells) now.inputs.reset();  // its cells are made of two kinds of things
    return GoOn(asked.is_shard, store, now);
  }));
  return chosen;
}

// The newest finished run that was made of the same, and left nothing to be asked again.
auto FindRepeated(const std::vector<RunRecord>& runs, const StoreOrigin& origin, const Digest& inputs) {
  const auto found = std::find_if(runs.rbegin(), runs.rend(), [&](const RunRecord& run) {
    return !origin.IsForeignRun(run) && run.state == RunState::kFinished && run.inputs == inputs;
  });
  return found != runs.rend() && IsOutdated(*found, runs) ? runs.rend() : found;
}

Error CannotJoin(const RunRecord& run, std::string_view what) {
  return {ErrorCode::kRefused, fmt::format("run {} cannot be joined: {}", run.context.run_id, what)};
}

// Whether this process may work on a run beside others: what it makes is what they make.
Status MayJoin(const RunRecord& run, const Digest& inputs, const RunOrder& asked,
               const std::vector<Toolchain>& here) {
  if (run.context.assay_version != ASSAY_VERSION) {
    return CannotJoin(run, fmt::format("it was begun by assay {}, and this is {}", run.context.assay_version,
                                       ASSAY_VERSION));
  }
  ASSAY_CHECK_OK(RunsProgramsAlike(run, asked, here));
  if (run.inputs == inputs) return Ok();
  return CannotJoin(
      run, fmt::format("what it is made of, files or settings, is {} where it began, and {} on {}",
                       run.inputs ? HexPrefix(*run.inputs, 12) : "of several kinds", HexPrefix(inputs, 12),
                       HostName()));
}

// Whether a run that is named is of this suite and command.
Status IsOfThese(const RunRecord& run, const RunOrder& asked, const PackedSuite& packed) {
  const auto is_other = [&](std::string_view what, std::string_view there, std::string_view here) {
    return Error{ErrorCode::kInvalidInput, fmt::format("run {} is of another {}: {} there, {} here",
                                                       run.context.run_id, what, there, here)};
  };
  if (run.plan_digest != packed.suite_digest)
    return is_other("suite", HexPrefix(run.plan_digest, 12), HexPrefix(packed.suite_digest, 12));
  if (!IsSameRun(run, asked)) return is_other("command", run.source, asked.words);
  return Ok();
}

// Nobody begins what others are at: they would ask the same.
Status MayGoOnAlone(Store& store, const RunRecord& run, const Granted& granted) {
  ASSAY_TRY(const RunWork work, WorkOnRun(store, run.context.run_id));
  if (work.living.empty()) return Ok();
  return Error{
      ErrorCode::kRefused,
      fmt::format("run {} is worked on: {}; wait for it, see `assay runs --watch {}{}`", run.context.run_id,
                  SeatsText(work), QuoteWord(run.context.run_id), StoreOption(granted.store))};
}

}  // namespace

Status RunsProgramsAlike(const RunRecord& run, const RunOrder& asked, const std::vector<Toolchain>& here) {
  const std::vector<ToolchainChange> changes = ToolchainChanges(run, here);
  if (!changes.empty()) {
    std::string text;
    for (const ToolchainChange& each : changes) {
      text += fmt::format("{}{}, which is {} where it began and {} on {}", text.empty() ? "" : "; ",
                          each.language, each.there, each.here, HostName());
    }
    return CannotJoin(run, "programs would be run by another toolchain: " + text);
  }
  const Result<std::vector<Toolchain>> toolchains = DecodeToolchains(run.toolchains);
  const Toolchain* began = toolchains ? FindByLanguage(*toolchains, kSandbox) : nullptr;
  const std::optional<SandboxLevel> there = began == nullptr ? std::nullopt : FindSandboxLevel(began->digest);
  if (!there || !asked.sandbox || *asked.sandbox <= *there) return Ok();  // the weaker stand behind
  return CannotJoin(
      run, fmt::format("programs run in the sandbox at level {} where it began, and at {} on {}; begin a run "
                       "with --sandbox {}",
                       SandboxLevelName(*there), SandboxLevelName(*asked.sandbox), HostName(),
                       SandboxLevelName(*asked.sandbox)));
}

PromptClock EarlierPrompts(const RunSpec& spec, bool fresh, const Planned& planned,
                           const std::vector<RunRecord>& runs) {
  const Suite& suite = planned.plan->suite();
  if (!planned.plan->HasAnswerer(&GeneratorRow::tells_time)) return {};
  for (const Recording& recording : planned.recorded.recordings) {
    if (recording.prompts.ms != 0) return recording.prompts;
  }
  // A part that is asked afresh leaves the rest as it is.
  if (fresh && !IsPart(spec, planned.dialect)) return {};
  const auto earlier = std::find_if(runs.rbegin(), runs.rend(), [&suite](const RunRecord& run) {
    return run.title == suite.title && run.context.prompts.ms != 0;
  });
  return earlier == runs.rend() ? PromptClock{} : earlier->context.prompts;
}

bool IsOutdated(const RunRecord& run, const std::vector<RunRecord>& runs) {
  return std::any_of(runs.begin(), runs.end(), [&run](const RunRecord& other) {
    return other.title == run.title && other.epoch > run.epoch;
  });
}

Status MakeLatest(Store& store, RunRecord& run, std::int64_t now_ms) {
  ASSAY_TRY(run, store.ChangeRun(run.context.run_id, [now_ms](RunRecord& now) {
    now.finished_ms = now_ms;
    return Ok();
  }));
  return Ok();
}

bool IsSameRun(const RunRecord& run, const RunOrder& asked) { return run.spec == EncodeRunSpec(asked.spec); }

RunMaterial MaterialOf(const RunSpec& spec, const Granted& granted, const Planned& planned,
                       FileReader& files) {
  RunMaterial material{.packed = PackSuite(planned.plan->suite())};
  material.inputs = InputsOf(spec, granted, planned, material.packed.suite_digest, files);
  return material;
}

Result<ChosenRun> ChooseRun(const RunOrder& asked, const Planned& planned, const RunMaterial& material,
                            const Granted& granted, Store& store, const StoreOrigin& origin,
                            const Clock& clock) {
  ASSAY_TRY(const std::vector<RunRecord> runs, store.Runs());
  const auto& [packed, inputs] = material;
  const bool has_folder = planned.dialect != nullptr && planned.dialect->folder;
  ASSAY_TRY(const std::vector<RunRecord> left,
            store.Unfinished(packed.suite_digest, EncodeRunSpec(asked.spec)));
  const auto unfinished = std::find_if(left.begin(), left.end(), [&](const RunRecord& run) {
    return !origin.IsForeignRun(run) && IsSameRun(run, asked) && IsFresh(run) == asked.fresh;
  });
  if (unfinished != left.end()) {
    ASSAY_CHECK_OK(asked.is_shard ? MayJoin(*unfinished, inputs, asked, planned.plan->suite().toolchains)
                                  : MayGoOnAlone(store, *unfinished, granted));
    if (has_folder) {
      // A store may be somebody else's work: where files go is one plain name below the suite's own root.
      if (!IsPlainName(unfinished->context.run_label)) {
        return Error{ErrorCode::kCorrupt,
                     fmt::format("the store names {} as the folder of run {}, which is no "
                                 "name of a folder; --fresh begins another run",
                                 Quoted(unfinished->context.run_label), unfinished->context.run_id)};
      }
      ASSAY_CHECK_OK(MakeFolder(*planned.dialect->folder, planned.plan->suite(), *unfinished));
    }
    ASSAY_TRY(ChosenRun chosen, ContinueAt(clock.WallMs(), asked, inputs, store, *unfinished));
    chosen.note = ChangedToolchains(chosen.record, planned.plan->suite().toolchains);
    return chosen;
  }
  const auto same = asked.fresh ? runs.rend() : FindRepeated(runs, origin, inputs);
  const bool is_repeated = same != runs.rend();
  if (is_repeated && !HabitsOf(asked.spec.compat).makes_sessions) {
    ChosenRun chosen{.record = *same, .is_up_to_date = true};
    ASSAY_CHECK_OK(MakeLatest(store, chosen.record, clock.WallMs()));
    return chosen;
  }
  ASSAY_TRY(const std::uint32_t epoch, asked.fresh ? store.NewEpoch() : store.NewestEpoch());
  ChosenRun chosen{.record = NewRecord(asked, planned, packed, epoch, clock.WallMs()),
                   .note = AskedOtherwise(planned, runs)};
  chosen.record.inputs = chosen.inputs = inputs;
  if (asked.planned_cost) chosen.record.planned = asked.planned_cost();
  if (is_repeated) {
    chosen.keeps_cells = true;
    chosen.record.cells_of = same->number;
    chosen.record.generators = same->generators;
  }
  PromptClock& prompts = chosen.record.context.prompts;
  prompts = EarlierPrompts(asked.spec, asked.fresh, planned, runs);
  if (prompts.ms == 0 && planned.plan->HasAnswerer(&GeneratorRow::tells_time))
    prompts = {.ms = chosen.record.context.started_ms,
               .utc_offset_min = chosen.record.context.utc_offset_min};
  std::string& id = chosen.record.context.run_id;
  // Of the runs that begin in one second each has an id of its own.
  const auto is_taken = [&id](const RunRecord& run) { return run.context.run_id == id; };
  while (std::any_of(runs.begin(), runs.end(), is_taken)) id = NewRunId(clock.WallMs());
  ASSAY_CHECK_OK(store.SaveSuite(packed));
  if (asked.held != nullptr) ASSAY_CHECK_OK(asked.held->StillHolds());
  if (has_folder) {
    ASSAY_CHECK_OK(BeginInFolder(*planned.dialect->folder, planned.plan->suite(), chosen.record, store));
  } else {
    ASSAY_CHECK_OK(store.BeginRun(chosen.record));
  }
  return chosen;
}

Result<ChosenRun> ChooseNamedRun(const RunOrder& asked, const Planned& planned, const RunMaterial& material,
                                 Store& store, std::string_view name) {
  ASSAY_TRY(RunRecord run, store.FindRun(name));
  const auto& [packed, inputs] = material;
  ASSAY_CHECK_OK(IsOfThese(run, asked, packed));
  if (run.state == RunState::kFinished) return ChosenRun{.record = std::move(run), .is_up_to_date = true};
  ASSAY_CHECK_OK(MayJoin(run, inputs, asked, planned.plan->suite().toolchains));
  if (asked.is_shard && (run.stop || !run.given_up.empty())) {
    ASSAY_TRY(run, store.ChangeRun(run.context.run_id, [&store](RunRecord& now) {
      return now.state == RunState::kFinished ? Ok() : GoOn(true, store, now);
    }));
  }
  return ChosenRun{.record = std::move(run), .resumed = true, .keeps_cells = true, .inputs = inputs};
}

Result<ChosenRun> ChooseResumedRun(const RunOrder& asked, const Planned& planned, const RunMaterial& material,
                                   const Granted& granted, Store& store, const StoreOrigin& origin,
                                   const Clock& clock, std::string_view name, bool asks_rest) {
  ASSAY_TRY(const RunRecord run, store.FindRun(name));
  const auto& [packed, inputs] = material;
  if (origin.IsForeignRun(run)) {
    return Error{ErrorCode::kRefused,
                 fmt::format("run {} is not this user's, and is not continued", run.context.run_id)};
  }
  ASSAY_CHECK_OK(IsOfThese(run, asked, packed));
  const bool has_rest = asks_rest && run.stop == RunStop::kDecided;
  ChosenRun chosen{.record = run, .inputs = inputs};
  if (run.state == RunState::kFinished && !has_rest) {
    chosen.is_up_to_date = true;
    ASSAY_CHECK_OK(MakeLatest(store, chosen.record, clock.WallMs()));
    return chosen;
  }
  ASSAY_CHECK_OK(MayGoOnAlone(store, run, granted));
  chosen.resumed = true;
  chosen.asks_rest = asks_rest;
  ASSAY_TRY(chosen.record, store.ChangeRun(run.context.run_id, [&](RunRecord& now) {
    now.state = RunState::kUnfinished;
    now.finished_ms = clock.WallMs();
    chosen.keeps_cells = now.inputs == inputs;
    if (!chosen.keeps_cells) now.inputs.reset();
    return GoOn(false, store, now);
  }));
  chosen.note = ChangedToolchains(chosen.record, planned.plan->suite().toolchains);
  return chosen;
}

}  // namespace assay
