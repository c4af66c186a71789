// assay compare: which is better, by how much, and is it certain: runs of the store, or variants of them.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "cli/commands/command.h"
#include "cli/commands/stored_run.h"
#include "cli/passes/run_record.h"
#include "cli/terminal/comparison_view.h"
#include "cli/words.h"
#include "report/fold.h"
#include "text/json/json.h"

namespace assay {

namespace {

// A run that is compared, read once however often it is named.
struct OpenRun {
  RunRecord record;
  std::shared_ptr<const Suite> suite;
  CaseScores scores;
};

// What one argument names: a run, and of it one variant or all.
struct Named {
  std::string text;
  const OpenRun* run = nullptr;
  std::vector<VariantIndex> variants;
};

class Opener {
 public:
  Opener(Store& store, const Options& options) : store_(store), options_(options) {}

  Result<Named> Open(const std::string& text) {
    const std::size_t hash = text.find('#');
    Named named{.text = text, .run = nullptr, .variants = {}};
    ASSAY_TRY(named.run, OpenRunOf(text.substr(0, hash)));
    const std::vector<Variant>& variants = named.run->suite->variants;
    if (hash == std::string::npos) {
      for (VariantIndex i = 0; i < variants.size(); ++i) named.variants.push_back(i);
      return named;
    }
    ASSAY_TRY(const VariantIndex variant, FindVariant(variants, text.substr(hash + 1)));
    named.variants.push_back(variant);
    return named;
  }

 private:
  Result<const OpenRun*> OpenRunOf(const std::string& name) {
    ASSAY_TRY(RunRecord record, FindRun(store_, name));
    OpenRun& run = runs_[record.context.run_id];
    if (run.suite != nullptr) return &run;
    run.record = std::move(record);
    std::shared_ptr<const Suite> suite;
    if (run.record.suite) {
      ASSAY_TRY(suite, SuiteOf(store_, run.record));
    } else {
      ASSAY_TRY(suite, SuiteOfFiles(run.record, options_));
    }
    ASSAY_TRY(const Report report, Fold(store_, run.record, suite));
    run.suite = std::move(suite);
    ASSAY_TRY(run.scores, CaseScoresOf(report));
    return &run;
  }

  // By its whole id, or a part of it that no other id has.
  static Result<VariantIndex> FindVariant(const std::vector<Variant>& variants, const std::string& part) {
    std::vector<VariantIndex> found;
    std::string ids;
    for (VariantIndex i = 0; i < variants.size(); ++i) {
      if (variants[i].id == part) return i;
      if (variants[i].id.find(part) != std::string::npos) found.push_back(i);
      ids += fmt::format("\n  {}", Printable(variants[i].id));
    }
    if (found.size() == 1) return found.front();
    return Error{ErrorCode::kNotFound, fmt::format("{} of the variants of the run {} {}; they are:{}",
                                                   found.empty() ? "none" : "several",
                                                   found.size() > 1 ? "have" : "has", Quoted(part), ids)};
  }

  Store& store_;
  const Options& options_;
  std::map<std::string, OpenRun> runs_;
};

const std::string& IdOf(const Named& named, VariantIndex variant) {
  return named.run->suite->variants[variant].id;
}

Contender ContenderOf(const Named& named, VariantIndex variant, bool by_run) {
  const std::string& id = IdOf(named, variant);
  const std::string run = named.text.substr(0, named.text.find('#'));
  return {.name = by_run ? fmt::format("{}#{}", run, id) : id,
          .suite = named.run->suite.get(),
          .scores = &named.run->scores,
          .variant = variant};
}

// Two runs of several variants each: every variant against the one of its id.
std::vector<ComparedWith> VariantByVariant(const Named& a, const Named& b) {
  std::vector<ComparedWith> questions;
  for (const VariantIndex i : a.variants) {
    for (const VariantIndex k : b.variants) {
      if (IdOf(a, i) == IdOf(b, k))
        questions.push_back(
            {.first = ContenderOf(a, i, true), .others = {ContenderOf(b, k, true)}, .comparisons = {}});
    }
  }
  return questions;
}

// The first variant that was named against all others.
std::vector<ComparedWith> FirstAgainstRest(const std::vector<Named>& named) {
  const bool by_run = std::any_of(named.begin(), named.end(),
                                  [&named](const Named& each) { return each.run != named.front().run; });
  ComparedWith question;
  bool is_first = true;
  for (const Named& each : named) {
    for (const VariantIndex variant : each.variants) {
      Contender contender = ContenderOf(each, variant, by_run);
      if (is_first) {
        question.first = std::move(contender);
      } else {
        question.others.push_back(std::move(contender));
      }
      is_first = false;
    }
  }
  return {std::move(question)};
}

Result<std::string> Compare(Store& store, const Options& options) {
  Opener opener(store, options);
  std::vector<Named> named;
  for (const std::string& argument : options.arguments) {
    ASSAY_TRY(Named each, opener.Open(argument));
    named.push_back(std::move(each));
  }
  const bool are_wide = named.size() == 2 && named[0].variants.size() > 1 && named[1].variants.size() > 1;
  std::vector<ComparedWith> questions =
      are_wide ? VariantByVariant(named[0], named[1]) : FirstAgainstRest(named);
  if (questions.empty() || questions.front().others.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 are_wide ? "the two runs have no variant of the same id; name two of them: RUN#VARIANT"
                          : "expected at least two variants to compare, found one"};
  }
  const PairBy by = options.by_question ? PairBy::kQuestion : PairBy::kWholeCase;
  for (ComparedWith& question : questions)
    question.comparisons = CompareWith(question.first, question.others, by);
  if (options.json) return WriteJson(ComparisonValue(questions), JsonStyle::kJavaScript2) + "\n";
  return options.markdown ? ComparisonMarkdown(questions) : ComparisonText(questions);
}

}  // namespace

ExitCode CompareCommand(const Options& options, Ui& ui) {
  Result<std::unique_ptr<Store>> store = OpenSqliteStore({.path = options.store, .read_only = true});
  if (!store) {
    ui.Problem(fmt::format("assay: {}", store.error().message));
    return store.error().code == ErrorCode::kNotFound ? ExitCode::kUsage : ExitCode::kUnfinished;
  }
  const Result<std::string> text = Compare(**store, options);
  if (!text) {
    ui.Problem(fmt::format("assay: {}", text.error().message));
    return text.error().code == ErrorCode::kCorrupt ? ExitCode::kUnfinished : ExitCode::kUsage;
  }
  ui.Out(*text);
  return ExitCode::kDone;
}

}  // namespace assay
