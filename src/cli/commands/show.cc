// The command `assay show`: shows a stored run, one of its cases or its failures again, and says which
// commands repeat what failed.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "base/text/shell_words.h"
#include "cli/commands/command.h"
#include "cli/commands/parts/contenders.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/gatekeeper.h"
#include "cli/commands/parts/stored_run.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/remarks.h"
#include "cli/terminal/text_table.h"
#include "cli/terminal/views/case_view.h"
#include "cli/terminal/views/results_view.h"
#include "dialects/habits.h"
#include "dialects/research/lower/options.h"
#include "engine/open/loaded.h"
#include "engine/run/gate_rules.h"
#include "engine/run/run_outcome.h"
#include "engine/state/known_stores.h"
#include "engine/words.h"
#include "engine/write/closing.h"
#include "engine/write/pass_rule.h"
#include "engine/write/written.h"
#include "report/decide/factors.h"
#include "report/fold/cell_counts.h"
#include "report/fold/fold.h"
#include "report/fold/stored_summary.h"
#include "report/import/imported_run.h"
#include "report/values/cells.h"
#include "report/values/comparisons.h"
#include "report/values/failures.h"
#include "report/values/groups.h"
#include "report/values/runs.h"
#include "report/values/statistics.h"
#include "report/values/until.h"
#include "run/limits/cost/run_cost.h"
#include "spec/report/pair.h"
#include "spec/run/pastable_words.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentence_parts.h"
#include "store/coordinator.h"
#include "store/location.h"
#include "store/store.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::size_t kReasonColumnsMax = 140;
constexpr std::size_t kColumnsOfFailedMax = 100;  // of `show --failed`, on wider screens too

std::string RecordText(const RunRecord& record) {
  return fmt::format("{}\nrun {} · started {} · {} · {}\nmade by: assay run {}\n{}", Printable(record.title),
                     Printable(record.context.run_id), StartText(record.context),
                     record.state == RunState::kFinished ? "finished" : "unfinished",
                     Counted(record.cells, "cell"), Printable(PastableWords(record.source)),
                     LeftOutNote(LeftOutOptions(record.source)));
}

// What show needs beside the report.
struct ShownRun {
  const Report& report;
  const RunRecord& record;
  RunSpec made_with;
  PassRule pass = {};
  std::optional<VariantIndex> variant = {};  // RUN#VARIANT: this one alone
  bool is_own = false;                       // this user ran it here
  bool is_at_work = false;                   // a process goes on with it
  std::string fold = {};  // " --fold=ID", with the store: its shards have left no cells, and made no report

  bool is_finished() const { return record.state == RunState::kFinished; }
};

// The words of the run's command, for a shell: of this user's own run all of them.
std::string WordsOfRun(const ShownRun& run) {
  return run.is_own ? OwnWords(run.record.source) : PastableWords(run.record.source);
}

// The same for some of its cases.
std::string WordsOfCases(const ShownRun& run) {
  const std::string words = WithoutStopping(run.record.source);
  return run.is_own ? OwnWords(words) : PastableWords(words);
}

// The words that continue the run: without --fresh another one would have the answers of older ones.
std::string RestWords(const ShownRun& run) {
  const bool asks_afresh = !run.is_finished() && run.record.first_epoch > 0;
  return Printable(WordsOfRun(run)) + (asks_afresh ? " --fresh" : "");
}

// Names the options that WordsOfRun leaves out of somebody else's run.
std::string UnsaidWords(const ShownRun& run) {
  return run.is_own ? std::string() : LeftOutNote(LeftOutOptions(run.record.source));
}

// As one word where the value itself looks like an option.
std::string OptionWords(std::string_view name, std::string_view value) {
  return fmt::format("{}{}{}", name, value.starts_with('-') ? "=" : " ", QuoteWord(Printable(value)));
}

// "--run ID" of a run of a matrix that was not asked for by its profiles; else "".
std::string ProfileWords(const ShownRun& run, const Variant& variant) {
  const bool names_run = variant.profile && !run.made_with.own.Has(research::kRunOption);
  return names_run ? OptionWords("--run", variant.id) : std::string();
}

// The command that asks for everything of one case again; recorded answers are only graded again. Of a run
// of a matrix, one profile is asked.
std::string AgainCommand(const ShownRun& run, const FailedPair& failed) {
  const Suite& suite = *run.report.suite;
  const std::string profile = ProfileWords(run, suite.variants[failed.variant]);
  return fmt::format("assay run {}{}{} {}{}", Printable(WordsOfCases(run)), profile.empty() ? "" : " ",
                     profile, OptionWords("--filter", suite.cases[failed.case_index].id),
                     run.made_with.responses.empty() ? " --fresh" : "");
}

// The words of a command, indented; a line that is too long goes on behind a backslash.
std::string CommandLines(const std::vector<std::string>& words) {
  constexpr std::string_view kIndent = "  ";
  std::string text;
  std::string line(kIndent);
  for (const std::string& word : words) {
    if (line.size() + word.size() + 3 > kColumnsOfFailedMax && line.size() > 2 * kIndent.size()) {
      text += line + " \\\n";
      line = fmt::format("{0}{0}", kIndent);
    }
    if (line.back() != ' ') line += ' ';
    line += word;
  }
  return text + line + "\n";
}

// One command for all of the cases; of a run of a matrix, one for each profile.
std::vector<std::string> AgainCommands(const ShownRun& run, const std::vector<FailedPair>& failed) {
  const Suite& suite = *run.report.suite;
  std::vector<std::string> profiles;
  std::vector<std::vector<std::string>> commands;
  for (const FailedPair& pair : failed) {
    std::string profile = ProfileWords(run, suite.variants[pair.variant]);
    const auto at = static_cast<std::size_t>(
        std::distance(profiles.begin(), std::find(profiles.begin(), profiles.end(), profile)));
    if (at == profiles.size()) {
      commands.push_back({fmt::format("assay run {}", Printable(WordsOfCases(run)))});
      if (run.made_with.responses.empty()) commands.back().emplace_back("--fresh");
      if (!profile.empty()) commands.back().push_back(profile);
      profiles.push_back(std::move(profile));
    }
    std::string word = OptionWords("--select", suite.cases[pair.case_index].id);
    if (std::find(commands[at].begin(), commands[at].end(), word) == commands[at].end())
      commands[at].push_back(std::move(word));
  }
  std::vector<std::string> lines;
  lines.reserve(commands.size());
  for (const std::vector<std::string>& words : commands) lines.push_back(CommandLines(words));
  return lines;
}

// "holistic-gpt-5(openrouter:openai/gpt-5)" as "gpt-5": labels of judges, not the names that files have.
std::string WithShortJudges(std::string_view reason) {
  constexpr std::string_view kNoName = " :()";
  std::string text;
  while (true) {
    const std::size_t open = reason.find('(');
    const std::size_t close = open == std::string_view::npos ? open : reason.find(')', open);
    if (close == std::string_view::npos) return text + std::string(reason);
    const std::string_view model = reason.substr(open + 1, close - open - 1);
    const std::size_t before = reason.substr(0, open).find_last_of(kNoName);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const bool is_judge = begin < open && model.find(':') != std::string_view::npos &&
                          model.find_first_of(" (") == std::string_view::npos;
    text += reason.substr(0, is_judge ? begin : close + 1);
    if (is_judge) text += model.substr(model.find_last_of(":/") + 1);
    reason.remove_prefix(close + 1);
  }
}

// What stopped the run, as an addition: " (budget)"; "" if nothing did.
std::string StopText(const ShownRun& run) {
  const std::string_view name = StopName(run.record, run.is_at_work);
  return name.empty() ? std::string() : fmt::format(" ({})", name);
}

std::string GivenUpText(const ShownRun& run) {
  std::string text;
  for (const std::string& model : GivenUpModels(run.record))
    text += fmt::format("note: {} failed again and again, and was asked no more\n", Printable(model));
  return text;
}

// What of a run is still to be done, and why; "" if nothing is.
std::string LeftText(const ShownRun& run) {
  const CellCounts counts = CountCells(run.report);
  if (run.is_finished()) {
    const std::string stop = StopText(run);
    std::string text = GivenUpText(run);
    if (counts.skipped > 0) {
      text += fmt::format("{} {} never asked{}\n", Counted(counts.skipped, "cell"),
                          counts.skipped == 1 ? "was" : "were", stop);
      if (!run.report.stopped.empty())
        text += fmt::format("to ask the rest: assay run --resume {} --until all\n",
                            Printable(run.report.run.run_id));
    } else if (!stop.empty()) {
      text += fmt::format("stopped{} before all was asked\n", stop);
    }
    return text;
  }
  const std::string done =
      fmt::format("{} of {} done", CountText(counts.cells - counts.skipped), Counted(counts.cells, "cell"));
  if (run.is_at_work) return fmt::format("in progress: {}; `assay view` follows it\n", done);
  if (!run.fold.empty()) {
    return fmt::format("{}unfinished{}: {}, and no report; to make it: assay run {}{}\n{}", GivenUpText(run),
                       StopText(run), done, RestWords(run), Printable(run.fold), UnsaidWords(run));
  }
  return fmt::format("{}unfinished{}: {}; to continue: assay run {}\n{}", GivenUpText(run), StopText(run),
                     done, RestWords(run), UnsaidWords(run));
}

// Which commands ask again, and what for.
std::string RemediesText(const ShownRun& run, const std::vector<FailedPair>& failed) {
  std::string text;
  const bool may_pass = std::any_of(failed.begin(), failed.end(), [](const FailedPair& pair) {
    return pair.state == CellState::kError || pair.missing > 0;
  });
  if (may_pass && run.made_with.responses.empty()) {
    text += fmt::format("to send the failed requests again:\n  assay run {}\n", Printable(WordsOfRun(run)));
  }
  text += run.made_with.responses.empty() ? "to send all requests of these cases again:\n"
                                          : "the answers are recorded; to grade these cases again:\n";
  for (const std::string& command : AgainCommands(run, failed)) text += command;
  return text + UnsaidWords(run);
}

std::string FailedTable(const Suite& suite, const std::vector<FailedPair>& failed, const PassRule& pass,
                        const Screen& screen) {
  const std::vector<std::string> names = SpokenNames(suite);
  TextTable table({{"case"}, {"variant"}, {"score", Align::kRight}, {"first reason"}});
  for (const FailedPair& pair : failed) {
    std::string score(pair.state == CellState::kError ? "error" : "");
    if (pair.missing > 0) score = PartialText(pair.missing);
    if (pair.score) score += (score.empty() ? "" : " ") + ScorePoints(*pair.score);
    table.Add({CaseCell(suite.cases[pair.case_index]), Printable(names[pair.variant]), score,
               CutToWidth(Printable(WithShortJudges(pair.reason)), kReasonColumnsMax)});
  }
  Screen narrow = screen;
  narrow.columns = screen.columns == 0 ? kColumnsOfFailedMax : std::min(screen.columns, kColumnsOfFailedMax);
  return table.Text(narrow) + PassMarkText(suite, pass);
}

std::string FailedText(const ShownRun& run, const std::vector<FailedPair>& failed, const Screen& screen) {
  const std::string left = LeftText(run);
  const std::string who = WhoAnsweredText(run.report);
  if (failed.empty()) return who + (left.empty() ? "nothing failed\n" : "nothing failed so far\n" + left);
  return fmt::format("{}{}{}{}\n{}", who, who.empty() ? "" : "\n",
                     FailedTable(*run.report.suite, failed, run.pass, screen), left,
                     RemediesText(run, failed));
}

// Of the run, or of the variant that is meant.
Result<std::vector<FailedPair>> FailedOf(const ShownRun& run, std::optional<CaseIndex> only) {
  ASSAY_TRY(std::vector<FailedPair> failed, FailedPairs(run.report, only, run.pass));
  std::erase_if(failed,
                [&run](const FailedPair& pair) { return run.variant && pair.variant != *run.variant; });
  return failed;
}

// As the run itself would end now; --max-errors and --fail-under are not among a run's words.
Result<ExitCode> ExitOf(const ShownRun& run) {
  if (!run.is_finished()) return ExitCode::kUnfinished;
  ASSAY_TRY(const RunOutcome outcome,
            OutcomeOf(run.report, run.made_with, {}, run.pass, {}, RunEnding::kWhole));
  return outcome.code;
}

Result<std::string> JsonText(const ShownRun& run, Store& store, const Options& options,
                             std::optional<CaseIndex> only, const GateOutcome* gate) {
  ASSAY_TRY(const ExitCode exit, ExitOf(run));
  ASSAY_TRY(const RunCost cost, CostOfRun(store, run.record, ModelBook(options.granted.settings.models)));
  Map map = RunMembers(
      run.report,
      {.record = run.record, .cost = cost, .exit = static_cast<int>(exit), .is_at_work = run.is_at_work});
  map.Append("spec", RunSpecValue(run.made_with));
  ASSAY_TRY(Value statistics,
            StatisticsValue(run.report, run.pass, IntervalRuleOf(options.shown), options.spec.pass_at_k));
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> gathered, StatisticsOf(run.report, run.pass));
  if (options.shown.each_attempt) {
    ASSAY_TRY(const std::vector<AttemptMeans> means, AttemptMeansOf(run.report));
    statistics.AsMap().Append("each_attempt", AttemptMeansValue(*run.report.suite, means));
  }
  ASSAY_TRY(Value until, UntilValue(run.report));
  Extend(map, {{"statistics", std::move(statistics)},
               {"groups", GroupsValue(*run.report.suite, *gathered, options.shown.by)},
               {"until", std::move(until)},
               {"gates", gate != nullptr ? GatesValue(gate->gates) : Value()}});
  if (options.shown.failed) {
    ASSAY_TRY(const std::vector<FailedPair> failed, FailedOf(run, only));
    map.Append("failed", FailuresValue(*run.report.suite, failed,
                                       [&run](const FailedPair& pair) { return AgainCommand(run, pair); }));
  }
  if (only) {
    ASSAY_TRY(const SentOfCase sent,
              ReadSentWords(store, run.record.context.run_id, *run.report.suite, *only));
    ASSAY_TRY(
        Value cells,
        CellsValue(
            run.report, *only,
            {.pass = run.pass, .only_failed = options.shown.failed, .variant = run.variant, .sent = &sent}));
    map.Append("attempts", std::move(cells));
  }
  return ShownJson(WriteJson(Value(std::move(map)), JsonStyle::kJavaScript2)) + "\n";
}

// The tables of the run's format, as the run itself printed them below its own; "": it has none.
Result<std::string> FormatTables(const ShownRun& run, const Options& options, Store& store) {
  const DialectRow* dialect = FindDialect(run.record.dialect);
  if (dialect == nullptr || !dialect->tables) return std::string();
  // Means of an unfinished run that --reduce has made are not those of the format.
  if (!run.is_finished() && !options.shown.reduce.empty()) return std::string();
  Report report = run.report;
  ASSAY_CHECK_OK(AddDialectParts(store, run.record, ModelBook(options.granted.settings.models), report));
  ASSAY_TRY(const std::string tables, dialect->tables->text(std::span(&report, 1)));
  if (tables.empty()) return tables;
  const std::string lead = options.shown.reduce.empty() ? "" : "as the suite itself counts:\n";
  return fmt::format("\n{}{}", lead, PrintableLines(tables));
}

// What came of showing a run, beside its text.
struct ShowOutcome {
  GateOutcome gate;                   // if anybody asks for one
  std::string note;                   // of the words that were shown; "": nothing
  std::vector<std::string> changed;   // ChangedBases
  std::string page;                   // how it is looked at in a browser; "": something else was asked for
  std::uint64_t foreign_replies = 0;  // of a view without the run's heading
};

Result<std::string> TextOf(const ShownRun& run, const Options& options, Store& store,
                           const GateOutcome* gate) {
  std::optional<CaseIndex> only;
  if (!options.shown.case_id.empty()) {
    ASSAY_TRY(only, FindCase(run.report, options.shown.case_id));
  }
  if (options.shown.json) return JsonText(run, store, options, only, gate);
  ShownCells shown{.pass = run.pass,
                   .only_failed = options.shown.failed,
                   .variant = run.variant,
                   .all_thoughts = options.shown.verbose,
                   .screen = options.shown.screen};
  if (only) {
    ASSAY_TRY(const SentOfCase sent,
              ReadSentWords(store, run.record.context.run_id, *run.report.suite, *only));
    shown.sent = &sent;
    ASSAY_TRY(const std::string text, CaseText(run.report, *only, shown));
    return text + LeftText(run);
  }
  if (options.shown.failed) {
    ASSAY_TRY(const std::vector<FailedPair> failed, FailedOf(run, only));
    return FailedText(run, failed, options.shown.screen);
  }
  ASSAY_TRY(const std::string tables, RunTables(run.report, {.pass = run.pass,
                                                             .every_case = options.shown.verbose,
                                                             .interval = IntervalRuleOf(options.shown),
                                                             .pass_at_k = options.spec.pass_at_k,
                                                             .by = options.shown.by,
                                                             .screen = options.shown.screen}));
  ASSAY_TRY(const std::string of_format, FormatTables(run, options, store));
  if (!options.shown.each_attempt) return tables + of_format + LeftText(run);
  ASSAY_TRY(const std::vector<AttemptMeans> means, AttemptMeansOf(run.report));
  return tables + of_format + "\n" + AttemptMeansText(means, options.shown.screen) + LeftText(run);
}

// How the run is looked at in a browser: the page that it wrote, if it is where such files go, and the live
// one.
std::string PageNote(const RunRecord& record, const ShownRun& run, Outputs outputs, const Screen& screen) {
  if (outputs.out.empty()) outputs.out = HabitsOf(run.made_with.compat).out;
  const std::string live = fmt::format("assay view {}", Printable(QuoteWord(record.context.run_id)));
  const DialectRow* dialect = FindDialect(record.dialect);
  for (const std::string& name : FilesOfSummary(record.summary)) {
    if (dialect == nullptr || !name.ends_with("report.html")) continue;
    std::error_code failed;
    const std::filesystem::path page =
        std::filesystem::path(OutRoot(*dialect, *run.report.suite, outputs)) / name;
    const std::filesystem::path whole = std::filesystem::absolute(page, failed);
    if (failed || !std::filesystem::is_regular_file(whole, failed)) continue;
    return fmt::format("page: {}, or {}", AsLink(Printable(page.string()), whole.string(), screen), live);
  }
  return "page: " + live;
}

// RUN#VARIANT is for what is shown of single variants.
Status SetVariant(const Options& options, ShownRun& run) {
  const RunName name = RunNameOf(options.arguments.front());
  if (!name.variant) return Ok();
  if (options.shown.case_id.empty() && !options.shown.failed) {
    return Error{ErrorCode::kInvalidInput,
                 "RUN#VARIANT shows the answers of one variant; name a case as well: --case ID, or --failed"};
  }
  ASSAY_TRY(run.variant, FindVariant(*run.report.suite, *name.variant, "the run"));
  return Ok();
}

Result<std::string> Show(const Options& options, Store& store, const RunRecord& record, const Screen& screen,
                         ShowOutcome& outcome) {
  ASSAY_TRY(const std::unique_ptr<StoreReading> reading, store.BeginReading());
  ASSAY_TRY(const std::unique_ptr<Gatekeeper> gatekeeper, Gatekeeper::Open(store, options));
  ASSAY_TRY(const Report report, FoldStored(store, record, options));
  ShownRun run{.report = report, .record = record, .made_with = {}};
  if (!run.is_finished()) {
    const std::vector<std::string> at_work =
        RunsAtWork(store, options.granted.store).value_or(std::vector<std::string>());
    run.is_at_work = std::find(at_work.begin(), at_work.end(), record.context.run_id) != at_work.end();
    ASSAY_TRY(const RunLeft left, LeftOfRun(store, record.context.run_id));
    if (left.shards > 0 && left.cells == 0) {
      run.fold =
          fmt::format("{} --fold={}", StoreOption(options.granted.store), QuoteWord(record.context.run_id));
    }
  }
  ASSAY_CHECK_OK(SetVariant(options, run));
  ASSAY_TRY(const StoreOrigin origin, OriginOf(store, options.granted.store));
  run.is_own = !origin.IsForeignRun(record);
  ASSAY_TRY(run.made_with, DecodeRunSpec(record.spec));
  run.pass = PassRuleOfRun(options, run.made_with, record.dialect);
  if (gatekeeper) {
    ASSAY_CHECK_OK(
        MayGateBy(record.context.run_id, report.totals.foreign_replies, options.gates, options.granted));
    ASSAY_TRY(outcome.gate, gatekeeper->Test(report, run.pass));
  }
  ASSAY_TRY(std::string text, TextOf(run, options, store, gatekeeper ? &outcome.gate : nullptr));
  outcome.note = PartToldNote(report);
  outcome.changed = ChangedBases(store, record, *report.suite, options);
  const bool is_part = options.shown.failed || !options.shown.case_id.empty();
  if (is_part && !options.shown.json) outcome.foreign_replies = report.totals.foreign_replies;
  if (!is_part && !options.shown.json) outcome.page = PageNote(record, run, options.outputs, screen);
  return text;
}

Result<std::string> FileJson(const ImportedRun& file, const Options& options, const PassRule& pass,
                             std::optional<CaseIndex> only) {
  const Report& report = file.report;
  RunRecord record;
  record.context = report.run;
  record.title = report.suite->title;
  record.dialect = report.suite->dialect;
  record.state = RunState::kFinished;
  record.cells = CountCells(report).cells;
  Map map = RunMembers(report, {.record = record});
  // Nobody ran a command for it.
  for (const std::string_view own : {"command", "started_ms", "finished_ms", "mean"}) map.Erase(own);
  map.Append("remarks", ArrayOf(file.remarks, [&](const ImportRemark& remark) { return remark.text; }));
  ASSAY_TRY(Value statistics,
            StatisticsValue(report, pass, IntervalRuleOf(options.shown), options.spec.pass_at_k));
  map.Append("statistics", std::move(statistics));
  ASSAY_TRY(const std::shared_ptr<const RunStatistics> gathered, StatisticsOf(report, pass));
  map.Append("groups", GroupsValue(*report.suite, *gathered, options.shown.by));
  if (only) {
    ASSAY_TRY(Value cells, CellsValue(report, *only, {.pass = pass, .only_failed = options.shown.failed}));
    map.Append("attempts", std::move(cells));
  }
  return ShownJson(WriteJson(Value(std::move(map)), JsonStyle::kJavaScript2)) + "\n";
}

// Results that another tool wrote: what a run would show of them.
Result<std::string> FileText(const ImportedRun& file, const Options& options) {
  const Report& report = file.report;
  const PassRule pass = PassRuleOf(options.spec, {});
  std::optional<CaseIndex> only;
  if (!options.shown.case_id.empty()) {
    ASSAY_TRY(only, FindCase(report, options.shown.case_id));
  }
  if (options.shown.json) return FileJson(file, options, pass, only);
  if (only)
    return CaseText(report, *only,
                    {.pass = pass, .only_failed = options.shown.failed, .screen = options.shown.screen});
  if (!options.shown.failed) {
    return RunTables(report, {.pass = pass,
                              .every_case = options.shown.verbose,
                              .interval = IntervalRuleOf(options.shown),
                              .pass_at_k = options.spec.pass_at_k,
                              .by = options.shown.by,
                              .screen = options.shown.screen});
  }
  ASSAY_TRY(const std::vector<FailedPair> failed, FailedPairs(report, only, pass));
  return failed.empty() ? std::string("nothing failed\n")
                        : FailedTable(*report.suite, failed, pass, options.shown.screen);
}

ExitCode ShowFile(const ImportedRun& file, const Options& options, Ui& ui) {
  const Result<std::string> text = FileText(file, options);
  if (!text) return FailWith(ui, text.error());
  TellRemarks(file.report.run.run_id, file.remarks, ui);
  ui.Out(*text);
  return ExitCode::kDone;
}

ExitCode ShowRun(Store& store, const Options& options, Ui& ui) {
  const Result<RunRecord> record = store.FindRun(RunNameOf(options.arguments.front()).run);
  if (!record) return FailWith(ui, record.error());
  ShowOutcome outcome;
  const Result<std::string> text = Show(options, store, *record, ui.settings().err, outcome);
  if (text) {
    if (!record->suite)
      ui.Note("made by an assay that did not keep the suite: shown with its file as it is now");
    ui.Out(*text);
    TellOfForeign(record->context.run_id, outcome.foreign_replies, ui);
    if (!outcome.note.empty()) ui.Note(outcome.note);
    for (const std::string& sentence : outcome.changed) ui.Note(sentence);
    if (!outcome.page.empty()) ui.Note(outcome.page);
    if (!outcome.gate.told.empty()) ui.Problem(outcome.gate.told);
    return outcome.gate.code;
  }
  // What the store knows without the file is still worth showing.
  if (!options.shown.json) ui.Out(RecordText(*record));
  return FailWith(ui, text.error());
}

}  // namespace

ExitCode ShowCommand(const Options& options, Ui& ui) {
  const std::string& name = options.arguments.front();
  if (!MeansRun(options, name)) {
    const Result<std::shared_ptr<const ImportedRun>> file =
        RunOfFilePart(name, AllowedPaths(options.granted));
    if (!file) return FailWith(ui, file.error());
    if (*file != nullptr) return ShowFile(**file, options, ui);
  }
  return WithStore(options, ui, [&](Store& store) { return ShowRun(store, options, ui); });
}

}  // namespace assay
