// The table of gates (--fail-on-regression, --fail-on-flip), and the lines that tell their outcomes.
#include "cli/commands/parts/gatekeeper.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text/shell_words.h"
#include "cli/terminal/remarks.h"
#include "engine/run/gate_rules.h"
#include "engine/run/run_outcome.h"
#include "engine/state/known_stores.h"
#include "engine/words.h"
#include "report/decide/factors.h"
#include "report/decide/until/until_run.h"
#include "report/fold/stored_summary.h"
#include "report/import/imported_run.h"
#include "report/values/words/served.h"
#include "spec/run/pastable_words.h"
#include "spec/run/run_spec.h"
#include "spec/suite/suite.h"
#include "statistics/sequential/stop_sentences.h"

namespace assay {

struct GateRow {
  std::string_view name;           // "regression": in JUnit "regression gate"
  std::string_view option;         // names the base
  std::string GateOptions::*base;  // "": nobody asks
  std::string_view other;          // an option that says more of it
  bool (*has_other)(const GateOptions& gates);
  bool counts_passes = false;                          // and says by which rule
  StopGate::Kind stops = StopGate::Kind::kRegression;  // as what it may end a run early
  std::vector<VariantGate> (*test)(std::span<const GatePair> pairs, const GateAsk& ask);
};

namespace {

constexpr std::size_t kLinesShownMax = 8;

// Lines about variants, the first few of many.
class Lines {
 public:
  // Why a command fails stands first and is never cut.
  void AddReason(std::string line) { reasons_ += std::move(line) + "\n"; }
  void Add(std::string line) {
    if (count_++ < kLinesShownMax) text_ += std::move(line) + "\n";
  }
  std::string Text() const {
    const std::string text = reasons_ + text_;
    return count_ <= kLinesShownMax
               ? text
               : text + fmt::format("  and {} more\n", Counted(count_ - kLinesShownMax, "variant"));
  }

 private:
  std::string reasons_;
  std::string text_;
  std::size_t count_ = 0;
};

// " (3 cases changed, 1 only in the run, 0 only in the base: not compared)"; "" if all pair.
std::string UnpairedText(const CasePairing& cases) {
  const std::size_t left = cases.changed.size() + cases.only_a.size() + cases.only_b.size();
  if (left == 0) return {};
  return fmt::format(" ({} changed, {} only in the run, {} only in the base: not compared)",
                     Counted(cases.changed.size(), "case"), cases.only_a.size(), cases.only_b.size());
}

ExitCode CodeOf(GateState state) {
  if (state == GateState::kNone) return ExitCode::kDone;
  return state == GateState::kRegression ? ExitCode::kRegression : ExitCode::kUnfinished;
}

constexpr GateRow kGates[] = {
    {"regression", "--fail-on-regression", &GateOptions::fail_on_regression, "--delta",
     [](const GateOptions& gates) { return gates.delta > 0; }, false, StopGate::Kind::kRegression,
     TestRegressions},
    {"flip", "--fail-on-flip", &GateOptions::fail_on_flip, "--max-flips",
     [](const GateOptions& gates) { return gates.max_flips > 0; }, true, StopGate::Kind::kFlips, TestFlips},
};

// What a variant is called, and its id where that is something else: --pair wants it.
std::string NameAndId(const std::string& name, const std::string& id) {
  return name == id ? Printable(id) : fmt::format("{}, {}", Printable(name), Printable(id));
}

// Variants without a counterpart.
void AddUnpaired(const VariantPairing& pairing, const Suite& fresh, const Suite& base,
                 std::string_view base_id, Lines& lines) {
  const std::vector<std::string> names = SpokenNames(fresh);
  const std::vector<std::string> base_names = SpokenNames(base);
  std::set<std::string_view> ids;
  for (const Variant& each : fresh.variants) ids.insert(each.id);
  for (const VariantIndex v : pairing.only_a) {
    lines.Add(fmt::format("no gate for {}: {} has no variant of this id; --pair NEW=BASE names one",
                          NameAndId(names[v], fresh.variants[v].id), Printable(base_id)));
  }
  for (const VariantIndex v : pairing.only_b) {
    const std::string& id = base.variants[v].id;
    lines.Add(fmt::format(
        "no gate for {}: {}", NameAndId(base_names[v], id),
        ids.contains(id) ? fmt::format("--pair compares the run's own with another of {}", Printable(base_id))
                         : fmt::format("only {} has it", Printable(base_id))));
  }
}

std::string JoinedWords(std::initializer_list<std::string> texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() || text.empty() ? "" : " ") + text;
  return joined;
}

// No id of a run contains a dot or a slash.
bool LooksLikeFile(std::string_view base) { return base.find_first_of("./") != std::string_view::npos; }

// By which rule a case passes, in a line.
std::string RuleLine(const Suite& suite, const PassRule& pass) {
  return fmt::format("flips: a case passes if {}; an attempt passes with {}\n", ShareWords(pass),
                     MarkWords(pass, suite));
}

// "20261122T185012-3fa9", with the variant where it is another one.
std::string BaseText(const std::string& base_id, const std::string& fresh, const std::string& base) {
  return base == fresh ? base_id : fmt::format("{}#{}", base_id, base);
}

// Why a run that stopped early cannot be tested by a gate.
Error NeedsEveryCase(const std::string& id) {
  return {ErrorCode::kInvalidInput,
          fmt::format("{} was stopped early, and a gate needs every case; ask the rest first: assay run "
                      "--resume {} --until all",
                      id, id)};
}

// The course of this gate in a run that it may have ended; null: there is none.
const QuestionCourse* CourseOf(const UntilRun& run, StopGate::Kind kind, VariantIndex variant,
                               std::string_view base, double limit) {
  for (const QuestionCourse& course : run.course.questions()) {
    const StopGate* gate = course.question->gate.get();
    if (gate != nullptr && gate->kind == kind && gate->variant == variant && gate->base == base &&
        gate->limit == limit)
      return &course;
  }
  return nullptr;
}

// What the run decided of the gate before all was asked. Nothing: all of its cases were.
std::optional<EarlyGate> EarlyOf(const UntilRun& run, const QuestionCourse& course) {
  if (course.is_closed && !course.IsEarly()) return std::nullopt;
  const BoundQuestion& question = *course.question;
  const UnitTable& table = run.rule.TableOf(question);
  if (!course.is_closed) {
    return EarlyGate{.state = GateState::kCannotTell,
                     .sentence = fmt::format("Not decided: {} of {} were looked at.",
                                             CountText(run.CasesOf(course)), Counted(table.cases(), "case"))};
  }
  const bool has_fallen = course.HasFailed();
  return EarlyGate{.state = has_fallen ? GateState::kRegression : GateState::kNone,
                   .sentence = GateStopSentence(table, question.pair, course.pair, BoundsOfGate(run, course),
                                                run.rule.is_chosen)};
}

// By case: whether a decided gate left it unasked.
std::vector<bool> LeftCases(const UntilRun& run, const QuestionCourse& course) {
  std::vector<bool> left(run.rule.asking.size());
  if (!course.is_closed) return left;
  for (CaseIndex index = 0; index < left.size(); ++index)
    left[index] = run.scores.HasSkipped(index, course.question->a);
  return left;
}

// The variant of a base that a gate was formed with; nothing: it is not there.
std::optional<VariantIndex> VariantOfBase(const StopGate& gate, const Suite& suite, const Suite& base) {
  const std::size_t sign = gate.base.find('#');
  const std::string& own = suite.variants[gate.variant].id;
  const std::string id = sign == std::string::npos ? own : gate.base.substr(sign + 1);
  const auto found = std::find_if(base.variants.begin(), base.variants.end(),
                                  [&id](const Variant& each) { return each.id == id; });
  if (found == base.variants.end()) return std::nullopt;
  return static_cast<VariantIndex>(found - base.variants.begin());
}

bool HasChanged(const StopGate& gate, const Suite& suite, const OpenRun& base) {
  if (gate.digest.empty() || !CanBeOf(suite, gate)) return false;
  const std::optional<VariantIndex> variant = VariantOfBase(gate, suite, *base.suite);
  return !variant || gate.digest != DigestOfBase(*base.suite, base.scores.samples[*variant].cases);
}

}  // namespace

// One of two runs whose variants are compared.
struct GateSide {
  const Report& report;
  const CaseScores& scores;
  const PassCounts& passes;
  std::string_view run = {};  // "" for the run itself, or the base's, so that sentences tell both apart
  std::vector<std::string> names = TableNames(*report.suite);

  Contender Of(VariantIndex variant) const {
    const std::string& name = names[variant];
    return {.name = report.suite->variants[variant].id,
            .suite = report.suite,
            .scores = &scores,
            .passes = &passes,
            .variant = variant,
            .spoken = run.empty() ? name : fmt::format("{}#{}", run, name),
            .served = ServedNames(report.totals, variant)};
  }
};

std::vector<GateResult> GateOutcome::results() const {
  std::vector<GateResult> results;
  for (const TestedGate& tested : gates) results.push_back(tested.result);
  return results;
}

Status Gatekeeper::Read(const GateRow& row, const std::string& base) {
  Result<NamedRun> named = opener_.Open(base);
  if (named ? named->name.variant.has_value() : RunNameOf(base).variant.has_value()) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("{} names a whole run; --pair NEW=BASE says which of its variants is meant", row.option)};
  }
  if (!named && named.error().code == ErrorCode::kNotFound && LooksLikeFile(base)) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: there is no run and no file {}; to make it: assay export RUN --to jsonl "
                             "-o {}",
                             row.option, Quoted(base), QuoteWord(Printable(base)))};
  }
  if (!named) return Error{named.error().code, fmt::format("{}: {}", row.option, named.error().message)};
  const RunRecord& record = named->run->record;
  ASSAY_CHECK_OK(
      MayGateBy(record.context.run_id, named->run->foreign_replies, options_.gates, options_.granted));
  if (record.state != RunState::kFinished) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("{}: the run {} is not finished and cannot be a base; to continue it: assay run {}",
                    row.option, record.context.run_id, Printable(PastableWords(record.source)))};
  }
  if (record.ending == RunEnding::kDecided) {
    const std::string& id = record.context.run_id;
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("{}: {} was stopped early; ask the rest first: assay run --resume {} --until all",
                    row.option, id, id)};
  }
  asked_.push_back({.row = &row, .base = *std::move(named)});
  return Ok();
}

Result<std::unique_ptr<Gatekeeper>> Gatekeeper::Open(Store& store, const Options& options) {
  auto keeper = std::make_unique<Gatekeeper>(store, options);
  for (const GateRow& row : kGates) {
    const std::string& base = options.gates.*row.base;
    if (!base.empty()) {
      ASSAY_CHECK_OK(keeper->Read(row, base));
    } else if (row.has_other(options.gates)) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("{} needs {}, which names the base", row.other, row.option)};
    }
  }
  if (!keeper->asked_.empty()) {
    if (options.gates.known_flaky.empty()) return keeper;
    ASSAY_TRY(keeper->known_flaky_, KnownFlakyFile::Read(options.gates.known_flaky));
    return keeper;
  }
  if (!options.gates.known_flaky.empty())
    return Error{ErrorCode::kInvalidInput,
                 "--known-flaky needs --fail-on-flip or --fail-on-regression, which name the base"};
  if (options.gates.pairs.empty()) return std::unique_ptr<Gatekeeper>();
  return Error{ErrorCode::kInvalidInput,
               "--pair needs --fail-on-regression or --fail-on-flip, which name the base"};
}

Status Gatekeeper::CheckPairs(const Suite& fresh) const {
  for (const RequestedGate& asked : asked_) {
    if (const auto pairing = PairVariants(fresh, *asked.base.run->suite, options_.gates.pairs); !pairing)
      return pairing.error();
  }
  return Ok();
}

std::string Gatekeeper::BaseOf(std::string_view option) const {
  for (const RequestedGate& asked : asked_) {
    if (asked.row->option != option) continue;
    const OpenRun& base = *asked.base.run;
    return base.file != nullptr ? options_.gates.*asked.row->base : base.record.context.run_id;
  }
  return {};
}

Status Gatekeeper::AddStopGates(const RequestedGate& asked, const Suite& fresh, const PassRule& pass,
                                std::vector<StopGate>& gates) const {
  const OpenRun& base = *asked.base.run;
  const std::string& base_id = base.record.context.run_id;
  const bool is_flips = asked.row->stops == StopGate::Kind::kFlips;
  ASSAY_TRY(const VariantPairing pairing, PairVariants(fresh, *base.suite, options_.gates.pairs));
  const PairBy by = options_.shown.by_question ? PairBy::kQuestion : PairBy::kWholeCase;
  CasePairing cases = PairCases({.suite = fresh}, {.suite = *base.suite, .digests = base.scores.digests}, by);
  const std::vector<std::string> known_flaky = known_flaky_.CasesOf(fresh.cases);
  std::erase_if(cases.pairs, [&](const CasePair& at) {
    return std::binary_search(known_flaky.begin(), known_flaky.end(), fresh.cases[at.a].id);
  });
  if (pairing.pairs.empty() || cases.pairs.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{}: the run has no {} of {}, so nothing would end it early", asked.row->option,
                             pairing.pairs.empty() ? "variant" : "case", Printable(base_id))};
  }
  ASSAY_TRY(const PassCounts passes, PassCountsOf(*base.report, pass, &fresh));
  for (const auto& [v, b] : pairing.pairs) {
    StopGate gate{.kind = asked.row->stops,
                  .variant = v,
                  .limit = is_flips ? static_cast<double>(options_.gates.max_flips) : options_.gates.delta,
                  .base = BaseText(base_id, fresh.variants[v].id, base.suite->variants[b].id),
                  .gates = static_cast<std::uint32_t>(pairing.pairs.size())};
    gate.text = fmt::format("{}", gate.limit);
    gate.digest = DigestOfBase(*base.suite, base.scores.samples[b].cases);
    if (is_flips) gate.pass = pass;
    for (const CasePair& at : cases.pairs) {
      if (is_flips && !IsPassed(passes[b][at.b], pass)) continue;
      gate.cases.push_back(at.a);
      if (is_flips) continue;
      const CaseValue& value = base.scores.samples[b].cases[at.b];
      gate.values.push_back(value.scored > 0 ? value.value : std::nan(""));
      gate.scored.push_back(value.scored);
    }
    gates.push_back(std::move(gate));
  }
  return Ok();
}

Result<std::vector<StopGate>> Gatekeeper::StopGates(const Suite& fresh, const PassRule& pass,
                                                    bool questions) const {
  std::vector<StopGate> gates;
  for (const RequestedGate& asked : asked_) {
    if (questions || asked.row->stops == StopGate::Kind::kFlips)
      ASSAY_CHECK_OK(AddStopGates(asked, fresh, pass, gates));
  }
  return gates;
}

Result<std::vector<GatePair>> Gatekeeper::PairsOf(const RequestedGate& asked, const VariantPairing& pairing,
                                                  const GateSide& fresh, const GateSide& base) const {
  const bool is_flips = asked.row->stops == StopGate::Kind::kFlips;
  const double limit = is_flips ? static_cast<double>(options_.gates.max_flips) : options_.gates.delta;
  const std::shared_ptr<const UntilRun>& until = fresh.report.until;
  std::vector<GatePair> pairs;
  for (const auto& [v, b] : pairing.pairs) {
    GatePair& pair = pairs.emplace_back(GatePair{.fresh = fresh.Of(v), .base = base.Of(b)});
    if (until == nullptr || !until->is_early()) continue;
    const std::string text = BaseText(std::string(base.run), pair.fresh.name, pair.base.name);
    const QuestionCourse* course = CourseOf(*until, asked.row->stops, v, text, limit);
    if (course == nullptr) return NeedsEveryCase(fresh.report.run.run_id);
    if (is_flips) pair.left = LeftCases(*until, *course);
    if (!is_flips) pair.early = EarlyOf(*until, *course);
  }
  return pairs;
}

// One row: each pair of variants, then what did not pair.
Status Gatekeeper::Test(const RequestedGate& asked, const Report& fresh, const PassRule& pass,
                        GateOutcome& outcome) const {
  const OpenRun& base = *asked.base.run;
  if (base.file != nullptr) {
    for (const ImportRemark& remark : base.file->remarks)
      outcome.told += RemarkLine(asked.base.name.run, remark) + "\n";
  }
  const std::string& base_id = base.record.context.run_id;
  ASSAY_TRY(const VariantPairing pairing, PairVariants(*fresh.suite, *base.suite, options_.gates.pairs));
  ASSAY_TRY(const CaseScores scores, CaseScoresOf(fresh));
  ASSAY_TRY(const PassCounts passes, PassCountsOf(fresh, pass));
  ASSAY_TRY(const PassCounts base_passes, PassCountsOf(*base.report, pass, fresh.suite));
  const std::vector<std::string> known_flaky = known_flaky_.CasesOf(fresh.suite->cases);
  const GateSide side{.report = fresh, .scores = scores, .passes = passes};
  const GateSide base_side{
      .report = *base.report, .scores = base.scores, .passes = base_passes, .run = base_id};
  ASSAY_TRY(const std::vector<GatePair> pairs, PairsOf(asked, pairing, side, base_side));
  const std::vector<VariantGate> gates =
      asked.row->test(pairs, {.margin = options_.gates.delta,
                              .flips_max = options_.gates.max_flips,
                              .by = options_.shown.by_question ? PairBy::kQuestion : PairBy::kWholeCase,
                              .pass = pass,
                              .known_flaky = known_flaky});
  const std::vector<std::string> names = SpokenNames(*fresh.suite);
  Lines lines;
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const VariantGate& gate = gates[i];
    GateResult result{.kind = std::string(asked.row->name),
                      .variant = gate.fresh,
                      .base = BaseText(base_id, gate.fresh, gate.base),
                      .state = gate.state,
                      .line = GateLine(gate) + UnpairedText(gate.cases)};
    const std::string sides = SidesText(gate.models, gate.judges);
    const std::string flaky = KnownFlakyLine(gate);
    std::string told = fmt::format("{} against {}: {}", Printable(names[pairs[i].fresh.variant]),
                                   Printable(result.base), Printable(result.line));
    for (const std::string& line : {flaky, sides}) {
      if (!line.empty()) told += fmt::format("\n  {}", Printable(line));
    }
    if (gate.state == GateState::kNone) {
      lines.Add(std::move(told));
    } else {
      lines.AddReason(std::move(told));
    }
    result.line = JoinedWords({std::move(result.line), flaky, sides});
    outcome.code = Worse(outcome.code, CodeOf(gate.state));
    outcome.gates.push_back({.result = std::move(result), .gate = gate});
  }
  if (gates.empty()) {
    const std::string line =
        fmt::format("cannot tell whether anything got worse: no variant pairs with one of {}", base_id);
    lines.Add(Printable(line));
    outcome.code = Worse(outcome.code, ExitCode::kUnfinished);
    outcome.gates.push_back({.result = {.kind = std::string(asked.row->name),
                                        .variant = {},
                                        .base = base_id,
                                        .state = GateState::kNotDefined,
                                        .line = line}});
  }
  Lines left;
  AddUnpaired(pairing, *fresh.suite, *base.suite, base_id, left);
  outcome.told += lines.Text() + left.Text();
  if (!gates.empty() && asked.row->counts_passes) outcome.told += RuleLine(*fresh.suite, pass);
  return Ok();
}

// A run that only repeats its base has changed nothing. But "latest" moves: a red run would turn green.
Status Gatekeeper::MayBeOwnBase(const RequestedGate& asked, bool is_repeated) const {
  constexpr std::string_view kRemedy =
      "name an earlier run (assay runs) or a file (assay export RUN --to jsonl -o base.jsonl)";
  const std::string& named = options_.gates.*asked.row->base;
  if (named == "latest") {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{}: {} is this run; {}", asked.row->option, Quoted(named), kRemedy)};
  }
  if (is_repeated) return Ok();
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{}: the run {} cannot be its own base; {}", asked.row->option,
                           asked.base.run->record.context.run_id, kRemedy)};
}

Result<GateOutcome> Gatekeeper::Test(const Report& fresh, const PassRule& pass, bool is_repeated) const {
  GateOutcome outcome;
  for (const RequestedGate& asked : asked_) {
    const std::string& base_id = asked.base.run->record.context.run_id;
    if (fresh.run.run_id == base_id) {
      ASSAY_CHECK_OK(MayBeOwnBase(asked, is_repeated));
    }
    ASSAY_CHECK_OK(Test(asked, fresh, pass, outcome));
  }
  outcome.told += known_flaky_.UnknownText(fresh.suite->cases);
  return outcome;
}

std::vector<std::string> ChangedBases(Store& store, const RunRecord& record, const Suite& suite,
                                      const Options& options) {
  std::vector<std::string> changed;
  const std::vector<StopGate> gates = StopGatesOfSummary(record.summary);
  const Result<RunSpec> spec = DecodeRunSpec(record.spec);
  if (gates.empty() || !spec) return changed;
  const Result<StoreOrigin> origin = OriginOf(store, options.granted.store);
  if (!origin || origin->IsForeignRun(record)) return changed;
  RunOpener opener(&store, options);
  for (const auto& [option, kind] : {std::pair{"--fail-on-regression=", StopGate::Kind::kRegression},
                                     {"--fail-on-flip=", StopGate::Kind::kFlips}}) {
    for (const std::string& word : spec->gates) {
      if (!word.starts_with(option)) continue;
      const std::string name = word.substr(std::string_view(option).size());
      const Result<NamedRun> base = opener.Open(name);
      if (!base) continue;
      const bool has_changed =
          std::any_of(gates.begin(), gates.end(), [&, kind = kind](const StopGate& gate) {
            return gate.kind == kind && HasChanged(gate, suite, *base->run);
          });
      if (has_changed) {
        changed.push_back(
            fmt::format("the scores of {} have changed since {} was compared with them; its gate counts the "
                        "old ones",
                        Printable(name), record.context.run_id));
      }
    }
  }
  return changed;
}

}  // namespace assay
