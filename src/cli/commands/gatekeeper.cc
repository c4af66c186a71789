// Pairing a run's variants with those of its base, and the words of what came of it.
#include "cli/commands/gatekeeper.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "cli/words.h"

namespace assay {

namespace {

constexpr std::size_t kLinesShownMax = 8;
constexpr VariantIndex kNoBase = static_cast<VariantIndex>(-1);

// Both sides of NEW=BASE; a variant's id may hold `=` itself, so that every place is tried.
Result<std::pair<VariantIndex, VariantIndex>> ReadPair(std::string_view text, const Suite& fresh,
                                                       const Suite& base) {
  std::optional<Error> problem;
  for (std::size_t at = text.find('='); at != std::string_view::npos; at = text.find('=', at + 1)) {
    const Result<VariantIndex> a = FindVariant(fresh.variants, text.substr(0, at), "the run");
    const Result<VariantIndex> b = FindVariant(base.variants, text.substr(at + 1), "the base");
    if (a && b) return std::pair(*a, *b);
    if (!problem) problem = a ? b.error() : a.error();
  }
  if (!problem) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("--pair: expected NEW=BASE, parts of the ids of two variants, found {}", Quoted(text))};
  }
  return Error{ErrorCode::kInvalidInput, fmt::format("--pair {}: {}", Quoted(text), problem->message)};
}

// Lines about variants, the first few of many.
class Lines {
 public:
  void Add(std::string line) {
    if (count_++ < kLinesShownMax) text_ += std::move(line) + "\n";
  }
  std::string Text() const {
    return count_ <= kLinesShownMax
               ? text_
               : text_ + fmt::format("  and {} more\n", Counted(count_ - kLinesShownMax, "variant"));
  }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

// "(3 cases of the base changed, 1 is missing: not compared)"; "" if all pair.
std::string UnpairedText(const CasePairing& cases) {
  const std::size_t left = cases.changed.size() + cases.only_a.size() + cases.only_b.size();
  if (left == 0) return {};
  return fmt::format(" ({} changed, {} only in the run, {} only in the base: not compared)",
                     Counted(cases.changed.size(), "case"), cases.only_a.size(), cases.only_b.size());
}

void AddGate(const RegressionGate& gate, std::string_view base, Lines& passed, Lines& problems,
             GateOutcome& outcome) {
  std::string line = fmt::format("{} against {}: {}{}", Printable(gate.fresh), Printable(base),
                                 Printable(gate.sentence), UnpairedText(gate.cases));
  switch (gate.estimate.state) {
    case GateState::kNone:
      return passed.Add(std::move(line));
    case GateState::kRegression:
      outcome.code = ExitCode::kRegression;
      return problems.Add(std::move(line));
    case GateState::kNotDefined:
      if (outcome.code != ExitCode::kRegression) outcome.code = ExitCode::kUnfinished;
      return problems.Add(std::move(line));
  }
}

}  // namespace

Result<std::unique_ptr<Gatekeeper>> Gatekeeper::Open(Store& store, const Options& options) {
  const bool has_more = options.delta > 0 || !options.gate_pairs.empty();
  if (options.fail_on_regression.empty()) {
    if (!has_more) return std::unique_ptr<Gatekeeper>();
    return Error{ErrorCode::kInvalidInput,
                 "--delta and --pair need --fail-on-regression, which names the base"};
  }
  if (options.fail_on_regression.find('#') != std::string::npos) {
    return Error{
        ErrorCode::kInvalidInput,
        "--fail-on-regression names a whole run; --pair NEW=BASE says which of its variants is meant"};
  }
  auto keeper = std::make_unique<Gatekeeper>(store, options);
  Result<NamedRun> base = keeper->opener_.Open(options.fail_on_regression);
  if (!base) return Error{base.error().code, fmt::format("--fail-on-regression: {}", base.error().message)};
  keeper->base_ = *std::move(base);
  const RunRecord& record = keeper->base_.run->record;
  if (record.state != RunState::kFinished) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("--fail-on-regression: the run {} is not finished, so it is no base; its command "
                    "goes on with it: assay run {}",
                    record.context.run_id, Printable(record.source))};
  }
  return keeper;
}

// By variant of the run; kNoBase where the base has none of its id.
Result<std::vector<VariantIndex>> Gatekeeper::BaseOfEach(const Suite& fresh) const {
  const Suite& base = *base_.run->suite;
  std::vector<VariantIndex> bases(fresh.variants.size(), kNoBase);
  for (VariantIndex v = 0; v < bases.size(); ++v) {
    const auto same = std::find_if(base.variants.begin(), base.variants.end(),
                                   [&](const Variant& each) { return each.id == fresh.variants[v].id; });
    if (same != base.variants.end()) bases[v] = static_cast<VariantIndex>(same - base.variants.begin());
  }
  for (const std::string& text : options_.gate_pairs) {
    ASSAY_TRY(const auto pair, ReadPair(text, fresh, base));
    bases[pair.first] = pair.second;
  }
  return bases;
}

Result<GateOutcome> Gatekeeper::Test(const Report& fresh) const {
  const std::string& base_id = base_.run->record.context.run_id;
  if (fresh.run.run_id == base_id)
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("--fail-on-regression: the run {} cannot be its own base", base_id)};
  ASSAY_TRY(const std::vector<VariantIndex> bases, BaseOfEach(*fresh.suite));
  ASSAY_TRY(const CaseScores scores, CaseScoresOf(fresh));
  const std::vector<Variant>& variants = fresh.suite->variants;
  std::vector<RegressionPair> pairs;
  Lines passed, problems;
  for (VariantIndex v = 0; v < bases.size(); ++v) {
    if (bases[v] == kNoBase) {
      problems.Add(fmt::format("no gate for {}: {} has no variant of this id; --pair NEW=BASE names one",
                               Printable(variants[v].id), base_id));
      continue;
    }
    const std::string& base_variant = base_.run->suite->variants[bases[v]].id;
    pairs.push_back({.fresh = {.name = variants[v].id, .suite = fresh.suite, .scores = &scores, .variant = v},
                     .base = {.name = base_variant,
                              .suite = base_.run->suite.get(),
                              .scores = &base_.run->scores,
                              .variant = bases[v]}});
  }
  GateOutcome outcome;
  // Some variant is tested, or nothing was.
  if (pairs.empty()) {
    problems.Add(
        fmt::format("cannot tell whether anything got worse: no variant pairs with one of {}", base_id));
    outcome.code = ExitCode::kUnfinished;
  }
  const PairBy by = options_.by_question ? PairBy::kQuestion : PairBy::kWholeCase;
  outcome.gates = TestGates(pairs, options_.delta, by);
  for (const RegressionGate& gate : outcome.gates) {
    const std::string base = gate.base == gate.fresh ? base_id : fmt::format("{}#{}", base_id, gate.base);
    AddGate(gate, base, passed, problems, outcome);
  }
  outcome.passed = passed.Text();
  outcome.problems = problems.Text();
  return outcome;
}

}  // namespace assay
