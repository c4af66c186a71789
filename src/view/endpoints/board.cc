// The leaderboard of a suite: of each variant its latest run that can be compared, ranked together.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "report/decide/comparison.h"
#include "report/decide/factors.h"
#include "report/values/json.h"
#include "report/values/pages/trust.h"
#include "report/values/statistics.h"
#include "statistics/decisions/sentences.h"
#include "view/endpoint.h"

namespace assay {

namespace {

constexpr std::size_t kBoardRunsMax = 60;
constexpr std::int64_t kOldMs = 60ll * 24 * 3600 * 1000;  // a service may serve another model by now

// A run of the suite; its scores outlive the run that is opened next.
struct BoardRun {
  std::string id;
  std::int64_t measured_ms = 0;
  Report report;  // its cursors keep the suite
  const CaseScores& scores() const { return report.statistics->standings.scores; }
};

// Why a run does not stand beside the newest one; "" if it does.
std::string WhyApart(const BoardRun& newest, const BoardRun& run, CasePairing& pairing) {
  const Suite& a = *newest.report.suite;
  const Suite& b = *run.report.suite;
  pairing = PairCases({.suite = a}, {.suite = b}, PairBy::kWholeCase);
  if (pairing.pairs.size() < a.cases.size())
    return fmt::format("other cases: {} of {} are the same", pairing.pairs.size(), a.cases.size());
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
  Sample sample;  // in the order of the newest run's cases
  struct Point {
    const BoardRun* run;
    MeanEstimate mean;
  };
  std::vector<Point> history;  // newest first
};

struct BoardBelow {
  std::string variant;
  std::string name;
  std::string run;
  std::string why;
};

class Board {
 public:
  explicit Board(std::vector<std::unique_ptr<BoardRun>> runs) : runs_(std::move(runs)) {
    for (const std::unique_ptr<BoardRun>& run : runs_) Add(*run);
    std::erase_if(below_, [this](const BoardBelow& each) { return places_.count(each.variant) > 0; });
  }

  Value ToValue(const std::string& suite, std::int64_t now_ms) const {
    const BoardRun& newest = *runs_.front();
    std::vector<Sample> samples;
    std::vector<std::string> names;
    std::vector<std::string> ids;
    for (const BoardEntry& entry : entries_) {
      samples.push_back(entry.sample);
      names.push_back(entry.name);
      ids.push_back(entry.variant);
    }
    const Ranking ranking = Rank(samples, newest.scores().design());
    List rows = PlacesValue(ranking, "variant", ids);
    for (std::size_t i = 0; i < rows.size(); ++i)
      Describe(entries_[ranking.places[i].variant], rows[i].AsMap());
    Map map;
    map.Append("suite", suite);
    map.Append("title", newest.report.suite->title);
    map.Append("sentence", RankingSentence(names, ranking));
    map.Append("trust", ConditionsValue(Conditions(now_ms)));
    map.Append("cases", CountValue(newest.report.suite->cases.size()));
    map.Append("runs", CountValue(runs_.size()));
    map.Append("pairs", CountValue(ranking.tests.size()));
    map.Append("fewest", FewestValue(ranking));
    map.Append("ranking", std::move(rows));
    List below;
    for (const BoardBelow& each : below_) {
      Map entry;
      entry.Append("variant", each.variant);
      entry.Append("name", each.name);
      entry.Append("run", each.run);
      entry.Append("why", each.why);
      below.emplace_back(std::move(entry));
    }
    map.Append("below", std::move(below));
    return Value(std::move(map));
  }

 private:
  void Add(const BoardRun& run) {
    const Suite& suite = *run.report.suite;
    CasePairing pairing;
    const std::string why = WhyApart(*runs_.front(), run, pairing);
    const std::vector<std::string> names = SpokenNames(suite);
    const Models models = ModelsOf(suite);
    for (VariantIndex v = 0; v < suite.variants.size(); ++v) {
      const std::string& id = suite.variants[v].id;
      if (!why.empty()) {
        const bool is_known = std::any_of(below_.begin(), below_.end(),
                                          [&id](const BoardBelow& each) { return each.variant == id; });
        if (!is_known) below_.push_back({.variant = id, .name = names[v], .run = run.id, .why = why});
        continue;
      }
      const auto [found, is_new] = places_.emplace(id, entries_.size());
      if (is_new) {
        BoardEntry& entry = entries_.emplace_back();
        entry.variant = id;
        entry.name = names[v];
        entry.model = models.spoken[models.of[v]];
        entry.run = &run;
        entry.sample.cases.resize(runs_.front()->report.suite->cases.size());
        for (const CasePair& pair : pairing.pairs)
          entry.sample.cases[pair.a] = run.scores().samples[v].cases[pair.b];
        entry.sample.left_out = run.scores().samples[v].left_out;
      }
      entries_[found->second].history.push_back(
          {&run, EstimateMean(run.scores().samples[v], run.scores().design())});
    }
  }

  static void Describe(const BoardEntry& entry, Map& map) {
    map.Append("name", entry.name);
    map.Append("model", entry.model);
    map.Append("run", entry.run->id);
    map.Append("measured_ms", static_cast<double>(entry.run->measured_ms));
    List history;
    for (auto point = entry.history.rbegin(); point != entry.history.rend(); ++point) {
      Map one;
      one.Append("run", point->run->id);
      one.Append("measured_ms", static_cast<double>(point->run->measured_ms));
      one.Append("mean", NumberOrNull(point->mean.mean));
      one.Append("interval", IntervalValue(point->mean.interval));
      history.emplace_back(std::move(one));
    }
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
    conditions.push_back({.text = "Of each variant its last run stands here, whatever it scored before"});
    for (const BoardEntry& entry : entries_) {
      if (now_ms - entry.run->measured_ms > kOldMs)
        conditions.push_back(
            {.sign = Sign::kDoubt,
             .text = fmt::format("{} was asked over 60 days ago: a service may serve another model by now",
                                 entry.name)});
    }
    if (!below_.empty())
      conditions.push_back(
          {.sign = Sign::kDoubt,
           .text = fmt::format("{} below the line cannot be compared", CountOf(below_.size(), "result"))});
    return conditions;
  }

  std::vector<std::unique_ptr<BoardRun>> runs_;  // newest first
  std::map<std::string, std::size_t> places_;    // by id of the variant
  std::vector<BoardEntry> entries_;
  std::vector<BoardBelow> below_;
};

}  // namespace

Result<Made> MakeBoard(Library& library, const Asked& asked) {
  ASSAY_TRY(const std::vector<ListedRun> listed, library.Runs());
  std::vector<std::unique_ptr<BoardRun>> runs;
  for (const ListedRun& each : listed) {
    const bool is_of_suite = BoardOf(each.record) == asked.names[0];
    if (!is_of_suite || each.record.state != RunState::kFinished || runs.size() == kBoardRunsMax) continue;
    const Result<OpenedRun*> run = library.Open(each.record.context.run_id);
    // One run that cannot be read leaves the others.
    if (!run) continue;
    runs.push_back(std::make_unique<BoardRun>(BoardRun{.id = each.record.context.run_id,
                                                       .measured_ms = each.record.context.started_ms,
                                                       .report = (*run)->report}));
  }
  if (runs.empty()) return Error{ErrorCode::kNotFound, "no finished run is of this suite"};
  const Board board(std::move(runs));
  return MadeOf(board.ToValue(asked.names[0], library.clock().WallMs()));
}

}  // namespace assay
