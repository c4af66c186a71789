// Library: the stores that are looked at, and the runs of them that somebody looks at now, each folded once
// until something is committed to it. Nothing is ever written.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/errors/result.h"
#include "report/values/pages/cost_page.h"
#include "report/values/pages/page_facts.h"
#include "report/values/pages/run_map.h"
#include "spec/report/report.h"
#include "spec/run/retelling.h"
#include "store/marks.h"
#include "store/store.h"

namespace assay {

// What only the program knows of runs: how old ones are told again, prices, who made what. Each may be null.
struct ViewPowers {
  std::function<Retelling(const RunRecord& run)> retelling = {};
  std::function<Result<std::shared_ptr<const Suite>>(Store& store, const RunRecord& run)> suite = {};
  std::function<PassRule(const RunRecord& run)> pass = {};
  std::function<Result<RunCost>(Store& store, const RunRecord& run)> cost = {};
  // How many replies of a run this user did not make.
  std::function<Result<std::uint64_t>(Store& store, const std::string& path, const RunRecord& run,
                                      const RunTotals& totals)>
      foreign = {};
  // What labels of people say of a run; null: there are none.
  std::function<Result<std::vector<Calibration>>(const Report& report)> calibrate = {};
  // What of a store was made elsewhere.
  std::function<MarkedRows(Store& store, const std::string& path)> made_elsewhere = {};
  // How far the reader's zone is ahead of UTC at a time; null: not at all.
  std::function<std::int32_t(std::int64_t ms)> utc_offset_min = {};
};

struct ViewedStore {
  std::string path;
  std::unique_ptr<Store> store;
};

// A run as it stood at a mark.
struct OpenedRun {
  ViewedStore* home = nullptr;
  RunRecord record;
  std::int64_t mark = 0;  // of Store::ChangesSince
  Report report;          // `statistics` are there
  RunCost cost;
  PassRule pass = {};
  bool is_live = false;
  RunMap map;
  std::optional<EarlierRun> earlier;
  std::optional<UsesOfRun> uses;                                      // once somebody asked
  std::optional<Result<std::vector<Calibration>>> calibrations = {};  // the same

  std::string Tag() const;  // changes whenever something of the run does
  PageFacts Facts() const;  // borrows
};

// A row of the list of runs.
struct ListedRun {
  ViewedStore* home = nullptr;
  RunRecord record;
  bool is_live = false;
  bool is_foreign = false;  // this user did not make it
};

// What the list tells of a run beside its row; remembered.
struct RunNews {
  std::string sentence;
  std::string leader;
  std::optional<double> mean;        // of the leader, or what else it is ranked by
  std::string value;                 // the name of that: "mean", "best of 10"
  std::optional<double> plain_mean;  // of all its attempts, where `mean` is none
  std::optional<double> pass_rate;   // of its attempts
  std::optional<Interval> interval;
  std::uint64_t cases = 0;
  std::uint64_t variants = 0;
  std::uint64_t attempts = 0;
  std::uint64_t done = 0;
  VariantSummary counts;  // of all variants together
};

// One thread.
class Library {
 public:
  Library(std::vector<ViewedStore> stores, ViewPowers powers, const Clock& clock);

  const std::vector<ViewedStore>& stores() const { return stores_; }
  const ViewPowers& powers() const { return powers_; }
  const Clock& clock() const { return clock_; }
  // Of all stores, newest first.
  Result<std::vector<ListedRun>> Runs();
  // By its whole id. The run stays what it is until the next call of a function of this class. kNotFound.
  Result<OpenedRun*> Open(std::string_view id);
  MarkedRows MadeElsewhere(const ViewedStore& home) const;
  // Null: the run is too large to be looked at unasked, or cannot be read.
  const RunNews* NewsOf(const ListedRun& run);

 private:
  struct Place {
    ViewedStore* home = nullptr;
    RunRecord record;
  };
  Result<Place> Find(std::string_view id);
  Result<std::unique_ptr<OpenedRun>> Read(const Place& place, std::int64_t mark);
  std::optional<EarlierRun> EarlierOf(const Place& place) const;

  std::vector<ViewedStore> stores_;
  ViewPowers powers_;
  const Clock& clock_;
  std::vector<std::unique_ptr<OpenedRun>> opened_;  // the last one used first
  struct Remembered {
    std::string tag;
    std::optional<RunNews> news;
  };
  std::map<std::string, Remembered> news_;  // by id
};

// Whether a run that is not finished is one of those that somebody works on.
bool IsWorkedOn(const RunRecord& run, std::span<const std::string> at_work);

// How the list and the leaderboard name the suite of a run.
std::string BoardOf(const RunRecord& run);

}  // namespace assay
