// The command `assay check`: tells every problem of every file, for people or as JSON with the file's normal
// form.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/clock.h"
#include "base/files/scoped_files.h"
#include "cli/commands/command.h"
#include "cli/terminal/json_values.h"
#include "dialects/names.h"
#include "dialects/parts.h"
#include "dialects/research/lower/options.h"
#include "engine/open/loaded.h"
#include "engine/open/model_notes.h"
#include "engine/open/other_files.h"
#include "engine/open/problems.h"
#include "engine/open/reachable.h"
#include "engine/open/recordings.h"
#include "engine/plan/planned.h"
#include "engine/research_files.h"
#include "engine/words.h"
#include "report/decide/planning/suite_power.h"
#include "report/values/json.h"
#include "spec/exchange/keyed_headers.h"
#include "spec/suite/suite.h"
#include "statistics/sequential/stop_sentences.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

// Counted from 1; 0 where there is no place.
Value PlaceNumber(std::uint32_t number) { return number == 0 ? Value(Null{}) : CountValue(number); }

Value ProblemValue(const Problems& problems, const SourceFiles& sources, const Diagnostic& problem) {
  const LineColumn place = sources.Locate(problem.where);
  const std::string_view path = sources.Path(problem.where.file);
  return Object{{"file", path.empty() ? std::string_view(problems.path) : path},
                {"line", PlaceNumber(place.line)},
                {"column", PlaceNumber(place.column)},
                {"severity", SeverityName(problem.severity)},
                {"code", problem.code},
                {"message", problem.message},
                {"remedy", TextOrNull(problem.hint)}};
}

// [{file, line, column, severity, code, message, remedy}]; null where there is no place or nothing to do.
Value DiagnosticsValue(const Problems& problems, const SourceFiles& sources) {
  List list;
  if (problems.unreadable) {
    list.push_back(ProblemValue(problems, sources,
                                {.severity = Severity::kError,
                                 .code = "suite.unreadable",
                                 .message = problems.unreadable->message,
                                 .hint = {},
                                 .where = problems.unreadable->where.value_or(Span{})}));
  }
  for (const Diagnostic& problem : problems.found.All())
    list.push_back(ProblemValue(problems, sources, problem));
  if (problems.found.Dropped() > 0) {
    list.push_back(
        ProblemValue(problems, sources,
                     {.severity = Severity::kNote,
                      .code = "diagnostics.more",
                      .message = fmt::format("{} more problems are not listed", problems.found.Dropped()),
                      .hint = "correct these first",
                      .where = {}}));
  }
  return list;
}

std::string CountedLarge(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", Grouped(count), noun, count == 1 ? "" : "s");
}

// " of questions.csv (1,003 rows: 158 by where, 3 blank)"; "" without a table.
std::string TableWords(const Suite& suite) {
  std::string words;
  for (const Value& table : suite.details.ListAt("datasets")) {
    const auto count = [&table](std::string_view key) {
      return static_cast<std::uint64_t>(table.NumberAt(key).value_or(0));
    };
    std::string left_out;
    for (const auto& [key, how] :
         {std::pair("by_where", "by where"), std::pair("unchosen", "by sample or limit"),
          std::pair("dropped", "duplicates"), std::pair("blank", "blank")}) {
      if (count(key) > 0)
        left_out += fmt::format("{}{} {}", left_out.empty() ? ": " : ", ", Grouped(count(key)), how);
    }
    const List& files = table.ListAt("files");
    std::string name = "its own rows";
    if (!files.empty() && files.front().is_string()) name = files.front().AsString();
    if (files.size() > 1) name += fmt::format(" and {}", CountedLarge(files.size() - 1, "more file"));
    words += fmt::format("{}{} ({}{})", words.empty() ? " of " : " and ", name,
                         CountedLarge(count("rows"), "row"), left_out);
  }
  return words;
}

// Of rows of datasets that were counted alone.
std::size_t AlikeCount(const Suite& suite, std::string_view key) {
  return static_cast<std::size_t>(suite.details.MapAt("alike").NumberAt(key).value_or(0));
}

std::string VerdictText(const Planned& planned) {
  const Problems& problems = planned.problems;
  const std::string name = Printable(problems.path);
  const std::size_t errors = problems.found.ErrorCount() + (problems.unreadable ? 1 : 0);
  const std::string warnings = Counted(problems.found.WarningCount(), "warning");
  if (planned.plan == nullptr || errors > 0) {
    return fmt::format("{}: {}, {}\n", name, Counted(errors, "error"), warnings);
  }
  const Suite& suite = planned.plan->suite();
  std::size_t checks = AlikeCount(suite, "checks");
  for (const Case& the_case : suite.cases) checks += the_case.checks.size();
  return fmt::format("{}: {}, {}{}, {}, {}; {}\n", name, suite.dialect,
                     CountedLarge(suite.cases.size() + AlikeCount(suite, "cases"), "case"),
                     Printable(TableWords(suite)), Counted(suite.variants.size(), "variant"),
                     CountedLarge(checks, "check"), warnings);
}

// A file that belongs to an evaluation and is no suite.
struct CheckedPart {
  Problems problems;
  std::string verdict;
};

// For models that nobody knows, where recorded replies answer.
void TellNothing(std::string_view, Span, Diagnostics&) {}

bool IsTold(const Diagnostics& found, std::string_view message) {
  return std::any_of(found.All().begin(), found.All().end(),
                     [message](const Diagnostic& each) { return each.message == message; });
}

// Once for each model, whichever runs name it.
void TellLastDay(std::string_view model, Span where, Diagnostics& diagnostics) {
  const ModelAddress address = ModelAddressOf(model);
  std::string line = RetirementLine(address.provider, address.model, SystemClock().WallMs());
  if (line.empty() || IsTold(diagnostics, line)) return;
  diagnostics.Note("suite.retirement", std::move(line), where, "name another model");
}

// What only a plan of the matrix says: names of --select that no test has, tests without a judge, and the
// last days of judges, whom the matrix does not name.
void TellOfPlan(const std::string& path, const Options& options, FileReader& files, Diagnostics& found) {
  SourceFiles sources;
  const RunSpec spec = options.SpecOf(path);
  const Planned planned =
      MakePlan(Load(spec, options.granted, files, sources), spec, options.granted, Purpose::kCheck);
  for (const Diagnostic& problem : planned.problems.found.All()) {
    if (problem.code == "research.select") found.Error(problem.code, problem.message, {}, problem.hint);
    // The command line of the run may name one.
    if (problem.code == "research.judge") found.Warning(problem.code, problem.message, {}, problem.hint);
  }
  if (planned.plan == nullptr) return;
  for (RetirementNote& note : RetirementNotes(*planned.plan, spec, SystemClock().WallMs())) {
    if (!IsTold(found, note.text))
      found.Note("suite.retirement", std::move(note.text), {}, std::move(note.remedy));
  }
}

// Nothing if it is no such file.
std::optional<CheckedPart> CheckPart(const std::string& path, const Options& options, FileReader& files,
                                     SourceFiles& sources) {
  const Result<std::string> text = files.Read(path);
  const PartRow* row = text ? FindPart(path, *text) : nullptr;
  if (row == nullptr) return std::nullopt;
  Diagnostics other;  // of what Load tells of
  if (TellOtherFile(path, FileId::kNone, *text, other)) return std::nullopt;
  const PathRoots roots = RootsOfProcess();
  std::error_code problem;
  const std::string absolute = std::filesystem::weakly_canonical(path, problem).string();
  std::vector<std::string> readable = AllowedPaths(options.granted);
  readable.insert(readable.end(), {roots.cwd, FolderOfFile(absolute)});
  // What the user names himself may be read wherever it lies.
  const std::string dataset = options.spec.own.Text(research::kDatasetOption);
  if (const Result<std::string> named = ResolveOptionPath(dataset, roots); named && !dataset.empty())
    readable.push_back(FolderOfFile(*named));
  ScopedFileReader scoped(files, readable);
  CheckedPart part;
  part.problems.path = path;
  Diagnostics& found = part.problems.found;
  const FileId file = sources.Add(path, *text);
  const PartInput input{.path = path,
                        .absolute = absolute,
                        .cwd = roots.cwd,
                        .home = roots.home,
                        .dataset = dataset,
                        .mock_web = options.spec.own.Text(research::kMockWebOption),
                        .own = options.spec.own,
                        .files = scoped,
                        .sources = sources,
                        .diagnostics = found,
                        .aliases = options.granted.settings.aliases,
                        .tell_model = IsReplayed(options.spec, path, files) ? TellNothing : TellUnknownModel,
                        .tell_last_day = TellLastDay};
  const std::optional<std::string> holds = row->check(input, file, sources.Text(file));
  if (holds && row->no_suite.empty()) TellOfPlan(path, options, files, found);
  const std::string warnings = Counted(found.WarningCount(), "warning");
  part.verdict =
      holds && !found.HasErrors()
          ? fmt::format("{}: {}, {}; {}\n", Printable(path), row->name, *holds, warnings)
          : fmt::format("{}: {}, {}\n", Printable(path), Counted(found.ErrorCount(), "error"), warnings);
  return part;
}

// Prints what is to be said of one file; whether something is wrong with it.
bool Tell(const Problems& problems, std::string_view verdict, Map as_json, const Options& options,
          const SourceFiles& sources, Ui& ui) {
  if (options.shown.json) {
    as_json.Set("diagnostics", DiagnosticsValue(problems, sources));
    ui.Out(ShownJson(WriteEncoded(Value(std::move(as_json)), JsonStyle::kJavaScript)) + "\n");
  } else {
    if (const std::string text = ProblemsText(problems, sources); !text.empty()) ui.Problem(text);
    if (!options.shown.quiet) ui.Out(verdict);
  }
  return problems.HasErrors() || (options.command.fail_on_warnings && problems.found.WarningCount() > 0);
}

// Of a suite that is checked whole: whether its cases could rank its variants, before anything is paid for.
void NoteTooFewCases(const RunSpec& spec, Planned& planned) {
  const bool is_whole = !spec.limit && spec.filter.empty() && spec.selected.empty();
  if (planned.plan == nullptr || !is_whole) return;
  const Suite& suite = planned.plan->suite();
  if (AlikeCount(suite, "cases") > 0) return;
  if (std::optional<std::string> text = TooFewCasesText(suite))
    planned.problems.found.Note("suite.too-few-cases", *std::move(text), suite.span,
                                "add cases or compare fewer variants");
}

// Who would be asked because the file names nobody.
void NoteAssumedModels(Planned& planned) {
  if (planned.plan == nullptr || planned.plan->suite().assumed_models.empty()) return;
  const Suite& suite = planned.plan->suite();
  planned.problems.found.Note("suite.no-models",
                              fmt::format("the file names no models, so assay would ask {} of {}",
                                          Counted(suite.variants.size(), "variant"), suite.assumed_models),
                              suite.span, "name yours, for example models: [openai:gpt-6-luna]");
}

// A file without any check may be meant so: whoever only collects answers writes none.
void NoteNoChecks(Planned& planned) {
  if (planned.plan == nullptr) return;
  const Suite& suite = planned.plan->suite();
  const auto expects_nothing = [](const Case& the_case) {
    return the_case.checks.empty() && !the_case.ideal;
  };
  if (std::all_of(suite.cases.begin(), suite.cases.end(), expects_nothing))
    planned.problems.found.Note("suite.no-checks", "nothing is checked, so that no answer gets a score",
                                suite.span, "write what answers should say");
}

// Models and judges that end soon, or have ended.
void NoteRetirements(const RunSpec& spec, Planned& planned) {
  if (planned.plan == nullptr) return;
  for (RetirementNote& note : RetirementNotes(*planned.plan, spec, SystemClock().WallMs()))
    planned.problems.found.Note("suite.retirement", std::move(note.text), planned.plan->suite().span,
                                std::move(note.remedy));
}

}  // namespace

ExitCode CheckCommand(const Options& options, Ui& ui) {
  DiskFileReader files;
  files.SetSpoolFolder(SpoolFolderOf(options.granted));
  bool has_problems = false;
  for (const std::string& path : options.arguments) {
    SourceFiles sources;  // one file's texts at a time
    if (const std::optional<CheckedPart> part = CheckPart(path, options, files, sources)) {
      has_problems = Tell(part->problems, part->verdict, {}, options, sources, ui) || has_problems;
      continue;
    }
    Loaded loaded = Load(options.SpecOf(path), options.granted, files, sources,
                         options.shown.json ? NormalForm::kKept : NormalForm::kDropped, RowsRead::kAll);
    Map as_json;
    if (loaded.normal_form.is_map() && !loaded.problems.HasErrors()) {
      std::optional<Value> keyed = KeyedCopyOf(loaded.normal_form);
      as_json = std::move((keyed ? *keyed : loaded.normal_form).AsMap());
    }
    const RunSpec spec = options.SpecOf(path);
    Planned planned = MakePlan(std::move(loaded), spec, options.granted, Purpose::kCheck);
    NoteAssumedModels(planned);
    NoteNoChecks(planned);
    NoteTooFewCases(spec, planned);
    NoteRetirements(spec, planned);
    has_problems = Tell(planned.problems, VerdictText(planned), std::move(as_json), options, sources, ui) ||
                   has_problems;
  }
  return has_problems ? ExitCode::kUsage : ExitCode::kDone;
}

}  // namespace assay
