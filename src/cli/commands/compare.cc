// The command `assay compare`: which run or variant is better, by how much, and with which certainty.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/commands/command.h"
#include "cli/commands/parts/contenders.h"
#include "cli/commands/parts/failure.h"
#include "cli/commands/parts/gatekeeper.h"
#include "cli/commands/parts/stored_run.h"
#include "cli/terminal/json_values.h"
#include "cli/terminal/remarks.h"
#include "cli/terminal/views/case_view.h"
#include "cli/terminal/views/comparison_view.h"
#include "cli/terminal/views/statistics_view.h"
#include "engine/state/known_stores.h"
#include "report/decide/factors.h"
#include "report/fold/sent_words.h"
#include "report/import/imported_run.h"
#include "report/values/cells.h"
#include "report/values/comparisons.h"
#include "report/values/words/served.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

const std::string& IdOf(const NamedRun& named, VariantIndex variant) {
  return named.run->suite->variants[variant].id;
}

std::string NameInTables(const NamedRun& named, VariantIndex variant) {
  return TableNameOf(named.run->suite->variants[variant], named.spoken[variant]);
}

Contender ContenderOf(const NamedRun& named, VariantIndex variant, bool by_run) {
  const std::string& id = IdOf(named, variant);
  const std::string& run = named.name.run;
  const std::string served = ServedNames(named.run->report->totals, variant);
  const std::string& spoken = named.spoken[variant];
  // A part of a file says which answers are meant, and by which measure.
  if (named.is_part() && named.run->suite->variants.size() == 1)
    return {.name = run,
            .suite = named.run->suite.get(),
            .scores = &named.run->scores,
            .variant = variant,
            .served = served};
  return {.name = by_run ? fmt::format("{}#{}", run, id) : id,
          .suite = named.run->suite.get(),
          .scores = &named.run->scores,
          .variant = variant,
          .spoken = by_run ? fmt::format("{}#{}", run, spoken) : spoken,
          .served = served};
}

bool IsWhole(const NamedRun& named) { return !named.name.variant; }

// Runs that are named whole: each variant of the first against the one of its id in the others, or the one
// that --pair names, and who is left.
struct ByVariant {
  std::vector<ComparedWith> questions;
  std::vector<LeftVariant> left;
};

Result<ByVariant> VariantByVariant(const std::vector<NamedRun>& named, const Options& options) {
  ByVariant result;
  const NamedRun& first = named.front();
  std::vector<ComparedWith> of_each(first.variants.size());
  std::vector<VariantIndex> order;  // equal ids first, then --pair
  for (std::size_t k = 1; k < named.size(); ++k) {
    const NamedRun& other = named[k];
    ASSAY_TRY(const VariantPairing pairing,
              PairVariants(*first.run->suite, *other.run->suite, options.gates.pairs));
    for (const auto& [a, b] : pairing.pairs) {
      if (of_each[a].others.empty()) order.push_back(a);
      of_each[a].first = ContenderOf(first, a, true);
      of_each[a].others.push_back(ContenderOf(other, b, true));
    }
    for (const VariantIndex a : pairing.only_a)
      result.left.push_back({.run = first.name.text,
                             .other = other.name.text,
                             .variant = IdOf(first, a),
                             .name = NameInTables(first, a)});
    for (const VariantIndex b : pairing.only_b)
      result.left.push_back({.run = other.name.text,
                             .other = first.name.text,
                             .variant = IdOf(other, b),
                             .name = NameInTables(other, b)});
  }
  for (const VariantIndex a : order) result.questions.push_back(std::move(of_each[a]));
  return result;
}

// A run that is named whole holds the one that was named before.
bool IsSame(const Contender& a, const Contender& b) { return a.scores == b.scores && a.variant == b.variant; }

// A run that is named twice has its variants once.
bool IsAmong(const Contender& contender, const std::vector<Contender>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&contender](const Contender& each) { return IsSame(contender, each); });
}

bool AreSeveralRuns(const std::vector<NamedRun>& named) {
  return std::any_of(named.begin(), named.end(),
                     [&named](const NamedRun& each) { return each.run != named.front().run; });
}

// The first variant that was named against all others.
std::vector<ComparedWith> FirstAgainstRest(const std::vector<NamedRun>& named) {
  const bool by_run = AreSeveralRuns(named);
  ComparedWith question;
  bool is_first = true;
  for (const NamedRun& each : named) {
    for (const VariantIndex variant : each.variants) {
      Contender contender = ContenderOf(each, variant, by_run);
      if (is_first) {
        question.first = std::move(contender);
      } else if (!IsSame(contender, question.first) && !IsAmong(contender, question.others)) {
        question.others.push_back(std::move(contender));
      }
      is_first = false;
    }
  }
  return {std::move(question)};
}

bool IsOfSeveral(const NamedRun& each) { return !IsWhole(each) && each.variants.size() > 1; }

// Models that are named as such: each variant of the first against those of the others with the same
// parameters.
std::vector<ComparedWith> ModelByModel(const std::vector<NamedRun>& named) {
  std::vector<std::vector<std::string>> parameters;  // by named model, then by variant
  for (const NamedRun& each : named) parameters.push_back(VaryingParameters(*each.run->suite));
  const bool by_run = AreSeveralRuns(named);
  std::vector<ComparedWith> questions;
  for (const VariantIndex a : named.front().variants) {
    ComparedWith question;
    question.first = ContenderOf(named.front(), a, by_run);
    for (std::size_t k = 1; k < named.size(); ++k) {
      for (const VariantIndex b : named[k].variants) {
        Contender other = ContenderOf(named[k], b, by_run);
        if (parameters[k][b] == parameters.front()[a] && !IsSame(other, question.first))
          question.others.push_back(std::move(other));
      }
    }
    if (!question.others.empty()) questions.push_back(std::move(question));
  }
  return questions;
}

// Those that were named with all of their variants, each once.
std::vector<ComparedRun> WholeRuns(const std::vector<NamedRun>& named) {
  std::vector<ComparedRun> runs;
  for (const NamedRun& each : named) {
    const CaseScores* scores = &each.run->scores;
    const bool is_known = std::any_of(runs.begin(), runs.end(),
                                      [scores](const ComparedRun& run) { return run.scores == scores; });
    if (IsWhole(each) && each.variants.size() > 1 && !is_known)
      runs.push_back({.name = each.name.text, .suite = each.run->suite.get(), .scores = scores});
  }
  return runs;
}

bool IsASide(const std::vector<NamedRun>& named, const OpenRun& run, VariantIndex variant) {
  return std::any_of(named.begin(), named.end(), [&](const NamedRun& each) {
    return each.run == &run &&
           std::find(each.variants.begin(), each.variants.end(), variant) != each.variants.end();
  });
}

// The models that answered for others on the sides that are compared, and those of programs.
std::vector<OtherModelNote> OtherModelsOf(const std::vector<NamedRun>& named) {
  const bool by_run = AreSeveralRuns(named);
  std::vector<OtherModelNote> notes;
  for (const NamedRun& each : named) {
    const auto first = std::find_if(named.begin(), named.end(),
                                    [&each](const NamedRun& other) { return other.run == each.run; });
    if (&*first != &each) continue;  // its sides are counted with those of the first
    RunTotals totals = each.run->report->totals;
    std::erase_if(totals.served, [&](const ServedCount& served) {
      return served.role == RequestRole::kCandidate && !IsASide(named, *each.run, served.variant);
    });
    std::vector<std::string> lines = OtherModelLines(totals);
    for (std::string& line : ProgramModelLines(*each.run->suite, totals)) lines.push_back(std::move(line));
    for (std::string& line : lines)
      notes.push_back({.run = by_run ? each.name.run : std::string(), .line = std::move(line)});
  }
  return notes;
}

// The runs that ended as soon as their questions were decided, each once.
std::vector<std::string> StoppedRuns(const std::vector<NamedRun>& named) {
  std::vector<std::string> stopped;
  for (const NamedRun& each : named) {
    const std::string& id = each.run->record.context.run_id;
    const bool is_known = std::find(stopped.begin(), stopped.end(), id) != stopped.end();
    if (each.run->record.ending == RunEnding::kDecided && !is_known) stopped.push_back(id);
  }
  return stopped;
}

// Which attempts of each run pass, by its scores.
using PassesOf = std::map<const CaseScores*, PassCounts>;

// By the rule of the run that is named first: one mark for both sides.
Result<PassRule> PassRuleOfFirst(const std::vector<NamedRun>& named, const Options& options) {
  const OpenRun& first = *named.front().run;
  if (first.file != nullptr) return PassRuleOf(options.spec, {});
  ASSAY_TRY(const RunSpec made_with, DecodeRunSpec(first.record.spec));
  return PassRuleOfRun(options, made_with, first.record.dialect);
}

Result<PassesOf> CountPasses(const std::vector<NamedRun>& named, const Options& options) {
  const OpenRun& first = *named.front().run;
  ASSAY_TRY(const PassRule rule, PassRuleOfFirst(named, options));
  PassesOf passes;
  for (const NamedRun& each : named) {
    const auto [found, is_new] = passes.try_emplace(&each.run->scores);
    if (!is_new) continue;
    ASSAY_TRY(found->second, PassCountsOf(*each.run->report, rule, first.suite.get()));
  }
  return passes;
}

void SetPasses(const PassesOf& passes, ComparedWith& question) {
  question.first.passes = &passes.at(question.first.scores);
  for (Contender& other : question.others) other.passes = &passes.at(other.scores);
}

// Each file once, however often it is named.
void TellOfFiles(const std::vector<NamedRun>& named, Ui& ui) {
  std::set<const ImportedRun*> told;
  for (const NamedRun& each : named) {
    const ImportedRun* file = each.run->file.get();
    if (file != nullptr && told.insert(file).second) TellRemarks(each.name.run, file->remarks, ui);
  }
}

// Each run once, however often it is named.
void TellOfEachForeign(const std::vector<NamedRun>& named, Ui& ui) {
  std::set<const OpenRun*> told;
  for (const NamedRun& each : named) {
    if (each.run->foreign_replies == 0 || !told.insert(each.run).second) continue;
    TellOfForeign(each.name.run, each.run->foreign_replies, ui);
  }
}

void TellOfChangedBases(Store* store, const std::vector<NamedRun>& named, const Options& options, Ui& ui) {
  std::set<const OpenRun*> told;
  for (const NamedRun& each : named) {
    const OpenRun& run = *each.run;
    if (store == nullptr || run.file != nullptr || !told.insert(&run).second) continue;
    for (const std::string& sentence : ChangedBases(*store, run.record, *run.suite, options))
      ui.Note(sentence);
  }
}

// Two columns, or one below the other where there is no room.
std::string BesideEachOther(const std::vector<std::vector<std::string>>& sides, std::size_t columns) {
  std::string text;
  if (columns == 0) {
    for (const std::vector<std::string>& lines : sides) {
      for (const std::string& line : lines) text += line + "\n";
      text += "\n";
    }
    return text;
  }
  for (std::size_t i = 0; i < std::max(sides[0].size(), sides[1].size()); ++i) {
    const std::string left = i < sides[0].size() ? sides[0][i] : std::string();
    const std::size_t width = DisplayWidth(left);
    text += fmt::format("{}{} │ {}\n", left, std::string(columns > width ? columns - width : 0, ' '),
                        i < sides[1].size() ? sides[1][i] : std::string());
  }
  return text;
}

// What was sent for the case, as `show --case` has it; of a file nothing is known.
Result<SentOfCase> SentOf(Store* store, const NamedRun& named, CaseIndex index) {
  if (store == nullptr || named.run->file != nullptr) return SentOfCase();
  return ReadSentWords(*store, named.run->record.context.run_id, *named.run->suite, index);
}

// {case, sides: [{run, attempts}]}, the attempts as `show --case` has them.
Result<std::string> CaseJson(Store* store, const std::vector<NamedRun>& named, const PassRule& pass,
                             const Options& options) {
  List sides;
  for (const NamedRun& each : named) {
    ASSAY_TRY(const CaseIndex index, FindCase(*each.run->report, options.shown.case_id));
    ASSAY_TRY(const SentOfCase sent, SentOf(store, each, index));
    CellChoice choice{.pass = pass, .sent = &sent};
    if (each.variants.size() == 1) choice.variant = each.variants.front();
    ASSAY_TRY(Value attempts, CellsValue(*each.run->report, index, choice));
    sides.emplace_back(Object{{"run", each.name.text}, {"attempts", std::move(attempts)}});
  }
  return ShownJson(WriteJson(Object{{"case", options.shown.case_id}, {"sides", std::move(sides)}},
                             JsonStyle::kJavaScript2)) +
         "\n";
}

// The answers of each side to one case, with calls, passages and points: beside each other where the screen
// is wide enough for two.
Result<std::string> AnswersToCase(Store* store, const std::vector<NamedRun>& named, const Options& options) {
  constexpr std::size_t kWideScreen = 100;
  constexpr std::size_t kBetweenColumns = 3;
  ASSAY_TRY(const PassRule pass, PassRuleOfFirst(named, options));
  if (options.shown.json) return CaseJson(store, named, pass, options);
  const Screen& screen = options.shown.screen;
  const bool is_wide = named.size() == 2 && screen.columns >= kWideScreen;
  Screen half;
  half.columns = is_wide ? (screen.columns - kBetweenColumns) / 2 : screen.columns;
  std::vector<std::vector<std::string>> sides;
  for (const NamedRun& each : named) {
    const Report& report = *each.run->report;
    ASSAY_TRY(const CaseIndex index, FindCase(report, options.shown.case_id));
    ASSAY_TRY(const SentOfCase sent, SentOf(store, each, index));
    ShownCells shown;
    shown.sent = &sent;
    shown.pass = pass;
    shown.all_thoughts = options.shown.verbose;
    shown.screen = half;
    if (each.variants.size() == 1) shown.variant = each.variants.front();
    ASSAY_TRY(const std::string answers, AnswersText(report, index, shown));
    std::vector<std::string>& lines = sides.emplace_back();
    lines.push_back(Printable(each.name.text));
    for (std::string_view rest = answers; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      for (std::string& line : LinesOf(rest.substr(0, end), half.columns, half.columns))
        lines.push_back(std::move(line));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return fmt::format("case {}\n\n{}", Printable(options.shown.case_id),
                     BesideEachOther(sides, is_wide ? half.columns : 0));
}

void CompareEach(const Options& options, const PassesOf& passes, const IntervalRule& interval,
                 std::vector<ComparedWith>& questions) {
  const PairBy by = options.shown.by_question ? PairBy::kQuestion : PairBy::kWholeCase;
  for (ComparedWith& question : questions) {
    SetPasses(passes, question);
    question.comparisons = CompareWith(question.first, question.others, by, interval.bootstrap_seed);
    for (std::size_t i = 0; options.shown.by && i < question.others.size(); ++i) {
      question.groups.push_back(CompareGroups(question.first, question.others[i],
                                              question.comparisons[i].cases.pairs, *options.shown.by));
    }
  }
}

Result<std::string> Compare(Store* store, const Options& options, Ui& ui) {
  RunOpener opener(store, options);
  std::vector<NamedRun> named;
  for (const std::string& argument : options.arguments) {
    ASSAY_TRY(NamedRun each, opener.Open(argument));
    named.push_back(std::move(each));
  }
  TellOfFiles(named, ui);
  TellOfEachForeign(named, ui);
  TellOfChangedBases(store, named, options, ui);
  if (!options.shown.case_id.empty()) {
    for (const NamedRun& each : named) {
      if (!IsOfSeveral(each)) continue;
      ASSAY_CHECK_OK(FindVariant(*each.run->suite, *each.name.variant, "the run"));
    }
    return AnswersToCase(store, named, options);
  }
  const bool are_runs =
      named.size() > 1 && std::all_of(named.begin(), named.end(), IsWhole) && AreSeveralRuns(named);
  if (!are_runs && !options.gates.pairs.empty())
    return Error{ErrorCode::kInvalidInput, "--pair is for two runs that are named whole: RUN RUN"};
  ASSAY_TRY(const PassesOf passes, CountPasses(named, options));
  ByVariant by_variant;
  if (are_runs) {
    ASSAY_TRY(by_variant, VariantByVariant(named, options));
  }
  const bool are_wide = are_runs && std::all_of(named.begin(), named.end(), [](const NamedRun& each) {
                          return each.variants.size() > 1;
                        });
  std::vector<ComparedWith> questions = std::move(by_variant.questions);
  if (std::all_of(named.begin(), named.end(), IsOfSeveral)) questions = ModelByModel(named);
  if (questions.empty()) {
    by_variant.left.clear();
    if (!are_wide) questions = FirstAgainstRest(named);
  }
  if (questions.empty() || questions.front().others.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 are_wide ? "the runs have no variant of the same id; --pair A=B names two that belong "
                            "together, RUN#VARIANT RUN#VARIANT compares two"
                          : "expected at least two variants to compare, found one"};
  }
  const IntervalRule interval = IntervalRuleOf(options.shown);
  CompareEach(options, passes, interval, questions);
  const std::vector<ComparedRun> runs = WholeRuns(named);
  const std::vector<OtherModelNote> others = OtherModelsOf(named);
  const std::vector<std::string> stopped = StoppedRuns(named);
  const ComparisonPage page{.questions = questions,
                            .left = by_variant.left,
                            .runs = runs,
                            .interval = interval,
                            .others = others,
                            .by = options.shown.by,
                            .stopped = stopped};
  if (options.shown.json) return ShownJson(WriteJson(ComparisonValue(page), JsonStyle::kJavaScript2)) + "\n";
  return options.shown.markdown ? ComparisonMarkdown(page) : ComparisonText(page, options.shown.screen);
}

}  // namespace

ExitCode CompareCommand(const Options& options, Ui& ui) {
  Result<std::unique_ptr<Store>> store = OpenForReading({.path = options.granted.store});
  // Files need no store.
  if (!store && store.error().code != ErrorCode::kNotFound) return FailWith(ui, store.error());
  const Result<std::string> text = Compare(store ? store->get() : nullptr, options, ui);
  if (!text) return FailWith(ui, text.error());
  ui.Out(*text);
  return ExitCode::kDone;
}

}  // namespace assay
