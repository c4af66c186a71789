// The leaderboard of a suite: of each variant its latest result that is whole, ranked together.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/decide/comparison.h"
#include "report/decide/factors.h"
#include "report/values/json.h"
#include "report/values/pages/trust.h"
#include "report/values/runs.h"
#include "report/values/statistics.h"
#include "spec/run/run_spec.h"
#include "spec/suite/suite.h"
#include "statistics/decisions/sentences.h"
#include "text/object.h"
#include "view/endpoint.h"

namespace assay {

namespace {

constexpr std::size_t kBoardRunsMax = 60;
constexpr std::size_t kCutRunsMax =
    20;  // however many tries there are, older whole runs are found behind them
constexpr double kMostScored = 0.5;
constexpr double kShareNoise = 1e-9;
constexpr std::int64_t kOldMs = 60ll * 24 * 3600 * 1000;  // a service may serve another model by now

// A run of the suite; its scores outlive the run that is opened next.
struct BoardRun {
  std::string id;
  std::int64_t measured_ms = 0;
  std::string cut = {};     // what kept it from asking everything: "--limit 2"; "": nothing
  bool is_foreign = false;  // this user did not make it
  Report report;            // its cursors keep the suite
  const CaseScores& scores() const { return report.statistics->standings.scores; }
};

// What keeps a run from being whole, as its record tells.
std::string CutOf(const RunRecord& record) {
  const std::string_view stop = StopName(record, false);
  if (!stop.empty()) return fmt::format("stopped: {}", stop);
  if (record.state != RunState::kFinished) return "unfinished";
  const Result<RunSpec> spec = DecodeRunSpec(record.spec);
  return spec ? ChoiceOf(*spec) : std::string();
}

// Of all cells that the run was to have.
double ScoredShare(const Report& report) {
  double scored = 0;
  double cells = 0;
  for (const VariantSummary& each : report.variants) {
    scored += static_cast<double>(each.scored);
    cells += static_cast<double>(each.cells);
  }
  return cells > 0 ? scored / cells : 0;
}

// Cases of which any variant has a score.
std::size_t ScoredCases(const BoardRun& run) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < run.report.suite->cases.size(); ++i) {
    count += std::any_of(run.scores().samples.begin(), run.scores().samples.end(),
                         [i](const Sample& sample) { return sample.cases[i].scored > 0; });
  }
  return count;
}

// The place of the run whose cases the board is of: the newest that is whole and mostly has scores; where
// there is none, the one with the most cases that have a score.
std::size_t ReferenceIn(const std::vector<std::unique_ptr<BoardRun>>& runs) {
  std::size_t most = 0;
  std::size_t found = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i]->cut.empty() && ScoredShare(runs[i]->report) >= kMostScored) return i;
    const std::size_t cases = ScoredCases(*runs[i]);
    if (cases > most) found = i;
    most = std::max(most, cases);
  }
  return found;
}

// " (--limit 2)"
std::string InBrackets(const std::string& words) {
  return words.empty() ? words : fmt::format(" ({})", words);
}

// Why a run does not stand beside the one whose cases the board is of; "" if it does.
std::string WhyApart(const BoardRun& reference, const BoardRun& run, CasePairing& pairing) {
  const Suite& a = *reference.report.suite;
  const Suite& b = *run.report.suite;
  pairing = PairCases({.suite = a}, {.suite = b}, PairBy::kWholeCase);
  if (pairing.pairs.size() < a.cases.size()) {
    const bool is_part = pairing.changed.empty() && pairing.only_b.empty();
    return is_part ? fmt::format("{} of {}{}", pairing.pairs.size(), CountOf(a.cases.size(), "case"),
                                 InBrackets(run.cut))
                   : fmt::format("other cases: {} of {} are the same", pairing.pairs.size(), a.cases.size());
  }
  const bool same_judges = std::equal(a.judges.begin(), a.judges.end(), b.judges.begin(), b.judges.end(),
                                      [](const Judge& x, const Judge& y) { return x.label == y.label; });
  return same_judges ? std::string() : std::string("other judges");
}

// One row of the board.
struct BoardEntry {
  std::string variant;
  std::string name;
  std::string model;
  const BoardRun* run = nullptr;
  VariantNumber number = 0;  // in `run`
  Sample sample;             // in the order of the board's cases
  struct Point {
    const BoardRun* run;
    MeanEstimate mean;
  };
  std::vector<Point> history;  // newest first
};

// What is made of a suite once, since it takes a walk over all of its variants.
struct SuiteWords {
  std::vector<std::string> names;  // SpokenNames
  Models models;
};

struct BoardBelow {
  std::string variant;
  std::string name;
  std::string run;
  std::string why;
  std::size_t age = 0;  // place of its run, newest first
};

// What one run says of a variant, over the board's cases.
struct BoardResult {
  const BoardRun* run = nullptr;
  std::size_t age = 0;
  VariantIndex variant = 0;
  Sample sample;
  std::size_t cases = 0;  // that have a score
  std::uint64_t scored = 0;
  std::uint64_t cells = 0;

  double share() const { return cells > 0 ? static_cast<double>(scored) / static_cast<double>(cells) : 0; }
};

// Whether a result has scores where another lacks them.
bool IsFuller(const BoardResult& result, const BoardResult& other) {
  return result.cases != other.cases ? result.cases > other.cases
                                     : result.share() > other.share() + kShareNoise;
}

std::string WhyLess(const BoardResult& result) {
  const std::size_t all = result.sample.cases.size();
  return result.cases < all
             ? fmt::format("{} of {}{}", result.cases, CountOf(all, "case"),
                           InBrackets(result.run->cut.empty() ? "the others have no score" : result.run->cut))
             : fmt::format("{} of {} answers have a score", result.scored, result.cells);
}

class Board {
 public:
  // `runs`: those of this user, then those of others; newest first.
  explicit Board(std::vector<std::unique_ptr<BoardRun>> runs) : runs_(std::move(runs)) {
    const std::size_t at = ReferenceIn(runs_);
    for (std::size_t age = 0; age < runs_.size(); ++age) Add(*runs_[at], *runs_[age], age);
    for (const std::string& id : order_) Enter(id, runs_[at]->scores().design());
    std::rotate(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(at),
                runs_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    std::erase_if(runs_, [this](const std::unique_ptr<BoardRun>& run) {
      return run != runs_.front() && used_.count(run.get()) == 0;
    });
  }

  Value ToValue(const std::string& suite, std::int64_t now_ms) const {
    const BoardRun& reference = *runs_.front();
    std::vector<Sample> samples;
    std::vector<std::string> names;
    std::vector<std::string> ids;
    for (const BoardEntry& entry : entries_) {
      samples.push_back(entry.sample);
      names.push_back(entry.name);
      ids.push_back(entry.variant);
    }
    const Ranking ranking = Rank(samples, reference.scores().design());
    List rows;
    for (std::size_t i = 0; i < ranking.places.size(); ++i) {
      Map row = PlaceMap(ranking, i, "variant", ids);
      Describe(entries_[ranking.places[i].variant], row);
      rows.emplace_back(std::move(row));
    }
    return Object{
        {"suite", suite},
        {"title", reference.report.suite->title},
        {"sentence", WithValueName(RankingSentence(names, ranking), reference.scores())},
        {"value", reference.scores().title},
        {"trust", ConditionsValue(Conditions(now_ms))},
        {"cases", CountValue(reference.report.suite->cases.size())},
        {"runs", CountValue(runs_.size())},
        {"pairs", CountValue(ranking.tests.size())},
        {"fewest", FewestValue(ranking)},
        {"ranking", std::move(rows)},
        {"below", ArrayOf(below_, [&](const BoardBelow& each) {
           return Object{
               {"variant", each.variant}, {"name", each.name}, {"run", each.run}, {"why", each.why}};
         })}};
  }

 private:
  void Add(const BoardRun& reference, const BoardRun& run, std::size_t age) {
    const Suite& suite = *run.report.suite;
    CasePairing pairing;
    const std::string why = WhyApart(reference, run, pairing);
    for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
      const VariantSummary& counts = run.report.variants[v];
      BoardResult result{.run = &run,
                         .age = age,
                         .variant = v,
                         .sample = {},
                         .scored = counts.scored,
                         .cells = counts.cells};
      if (!why.empty()) {
        AddBelow(result, why);
        continue;
      }
      result.sample.cases.resize(reference.report.suite->cases.size());
      for (const CasePair& pair : pairing.pairs) {
        const CaseValue& value = run.scores().samples[v].cases[pair.b];
        result.sample.cases[pair.a] = value;
        result.cases += value.scored > 0 ? 1 : 0;
      }
      result.sample.left_out = run.scores().samples[v].left_out;
      const bool is_cut = !run.cut.empty() && result.cases < result.sample.cases.size();
      if (is_cut && &run != &reference) {
        AddBelow(result, WhyLess(result));
        continue;
      }
      std::vector<BoardResult>& results = results_[suite.variants[v].id];
      if (results.empty()) order_.push_back(suite.variants[v].id);
      results.push_back(std::move(result));
    }
  }

  // Of each variant the newest one.
  void AddBelow(const BoardResult& result, std::string why) {
    const Suite& suite = *result.run->report.suite;
    const std::string& id = suite.variants[result.variant].id;
    const auto known = std::find_if(below_.begin(), below_.end(),
                                    [&id](const BoardBelow& each) { return each.variant == id; });
    if (known != below_.end() && known->age <= result.age) return;
    BoardBelow& below = known != below_.end() ? *known : below_.emplace_back();
    below = {.variant = id,
             .name = WordsOf(suite).names[result.variant],
             .run = result.run->id,
             .why = std::move(why),
             .age = result.age};
  }

  // The latest result of a variant counts, unless an older one has scores where it has none.
  void Enter(const std::string& id, const Design& design) {
    const std::vector<BoardResult>& results = results_[id];
    const BoardResult* chosen = &results.front();
    for (const BoardResult& each : results) {
      if (each.run->is_foreign == chosen->run->is_foreign && IsFuller(each, *chosen)) chosen = &each;
    }
    if (chosen != &results.front()) AddBelow(results.front(), WhyLess(results.front()));
    std::erase_if(below_,
                  [&](const BoardBelow& each) { return each.variant == id && each.age > chosen->age; });
    const Suite& suite = *chosen->run->report.suite;
    const SuiteWords& words = WordsOf(suite);
    BoardEntry& entry = entries_.emplace_back();
    entry.variant = id;
    entry.name = words.names[chosen->variant];
    entry.model = words.models.spoken[words.models.of[chosen->variant]];
    entry.run = chosen->run;
    entry.number = chosen->variant;
    entry.sample = chosen->sample;
    for (const BoardResult& each : results) {
      used_.insert(each.run);
      if (each.cases < chosen->cases || each.run->is_foreign != chosen->run->is_foreign) continue;
      entry.history.push_back({each.run, EstimateMean(each.sample, design)});
    }
  }

  const SuiteWords& WordsOf(const Suite& suite) {
    const auto [found, is_new] = words_.try_emplace(&suite);
    if (is_new) found->second = {.names = SpokenNames(suite), .models = ModelsOf(suite)};
    return found->second;
  }

  static void Describe(const BoardEntry& entry, Map& map) {
    Extend(map, {{"name", entry.name},
                 {"model", entry.model},
                 {"run", entry.run->id},
                 {"is_foreign", entry.run->is_foreign},
                 {"measured_ms", Number(entry.run->measured_ms)}});
    AppendPassRate(*entry.run->report.statistics, std::span(&entry.number, 1), map);
    if (entry.run->scores().is_reduced())
      map.Append("plain_mean", NumberOrNull(PlainMeanOf(entry.run->scores(), entry.number)));
    List history;
    for (auto point = entry.history.rbegin(); point != entry.history.rend(); ++point)
      history.emplace_back(Object{{"run", point->run->id},
                                  {"measured_ms", Number(point->run->measured_ms)},
                                  {"mean", NumberOrNull(point->mean.mean)},
                                  {"interval", IntervalValue(point->mean.interval)}});
    map.Append("history", std::move(history));
  }

  std::vector<Condition> Conditions(std::int64_t now_ms) const {
    const std::size_t cases = runs_.front()->report.suite->cases.size();
    std::vector<Condition> conditions;
    conditions.push_back(
        {.sign = Sign::kGood,
         .text = fmt::format("All runs above the line asked the same {}", CountOf(cases, "case"))});
    conditions.push_back({.sign = Sign::kGood, .text = "The same judges graded all of them"});
    conditions.push_back(
        {.text = fmt::format("Ranks are corrected for the comparisons of each variant with the "
                             "{} others",
                             entries_.size() - (entries_.empty() ? 0 : 1))});
    conditions.push_back({.text = "Each variant’s latest whole result counts, whatever it scored before"});
    for (const BoardEntry& entry : entries_) {
      if (now_ms - entry.run->measured_ms > kOldMs)
        conditions.push_back(
            {.sign = Sign::kDoubt,
             .text = fmt::format("{} was asked over 60 days ago: the service may serve another model today",
                                 entry.name)});
    }
    const auto foreign = static_cast<std::size_t>(std::count_if(
        entries_.begin(), entries_.end(), [](const BoardEntry& entry) { return entry.run->is_foreign; }));
    if (foreign > 0)
      conditions.push_back(
          {.sign = Sign::kDoubt,
           .text = fmt::format("{} of {} above the line {} from runs that this user did not make", foreign,
                               CountOf(entries_.size(), "result"), foreign == 1 ? "is" : "are")});
    if (!below_.empty())
      conditions.push_back(
          {.sign = Sign::kDoubt,
           .text = fmt::format("{} below the line cannot be compared", CountOf(below_.size(), "result"))});
    return conditions;
  }

  // The one whose cases the board is of comes first, then the newest.
  std::vector<std::unique_ptr<BoardRun>> runs_;
  std::map<std::string, std::vector<BoardResult>> results_;  // by id of the variant, as runs_ were
  std::vector<std::string> order_;                           // of those ids: as runs have them
  std::set<const BoardRun*> used_;                           // that say anything of the ranking
  std::vector<BoardEntry> entries_;
  std::vector<BoardBelow> below_;
  std::map<const Suite*, SuiteWords> words_;
};

}  // namespace

Result<Made> MakeBoard(Library& library, const Asked& asked) {
  ASSAY_TRY(std::vector<ListedRun> listed, library.Runs());
  // A result of somebody else takes the place of none of this user's.
  std::stable_partition(listed.begin(), listed.end(), [](const ListedRun& run) { return !run.is_foreign; });
  std::vector<std::unique_ptr<BoardRun>> runs;
  std::size_t cut = 0;
  for (const ListedRun& each : listed) {
    if (BoardOf(each.record) != asked.names[0] || each.is_live) continue;
    std::string why = CutOf(each.record);
    const bool is_full = why.empty() ? runs.size() - cut >= kBoardRunsMax : cut >= kCutRunsMax;
    if (is_full) continue;
    const Result<OpenedRun*> run = library.Open(each.record.context.run_id);
    // One run that cannot be read leaves the others.
    if (!run) continue;
    cut += why.empty() ? 0 : 1;
    runs.push_back(std::make_unique<BoardRun>(BoardRun{.id = each.record.context.run_id,
                                                       .measured_ms = each.record.context.started_ms,
                                                       .cut = std::move(why),
                                                       .is_foreign = each.is_foreign,
                                                       .report = (*run)->report}));
  }
  if (runs.empty()) return Error{ErrorCode::kNotFound, "no run that has ended is of this suite"};
  const Board board(std::move(runs));
  return MadeOf(board.ToValue(asked.names[0], library.clock().WallMs()));
}

}  // namespace assay
