// Looks up runs and variants by names and prefixes, and pairs variants by id or by --pair NEW=BASE.
#include "cli/commands/parts/contenders.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/errors/near_id.h"
#include "cli/commands/parts/stored_run.h"
#include "engine/open/loaded.h"
#include "engine/state/known_stores.h"
#include "engine/words.h"
#include "engine/write/reduced_report.h"
#include "plan/answers/retelling.h"
#include "report/decide/factors.h"
#include "report/fold/fold.h"
#include "report/import/imported_run.h"
#include "spec/suite/suite.h"
#include "store/location.h"
#include "store/store.h"

namespace assay {

namespace {

Error NoneOrSeveral(std::string_view part, std::string_view run, bool is_none,
                    const std::vector<std::string>& labels) {
  std::string names;
  for (std::size_t i = 0; i < labels.size(); ++i)
    names += fmt::format("\n  {}  {}", i + 1, Printable(labels[i]));
  return {ErrorCode::kNotFound,
          fmt::format("{} of the variants of {} {} {}; they are:{}", is_none ? "none" : "several", run,
                      is_none ? "has" : "have", Quoted(part), names)};
}

// All variants of the one model that these are of, if they are all of them.
bool AreOneModel(const std::vector<VariantIndex>& found, const Suite& suite) {
  if (found.empty()) return false;
  const auto models = ModelsOf(suite);
  const std::size_t model = models.of[found.front()];
  return std::all_of(found.begin(), found.end(), [&](VariantIndex i) { return models.of[i] == model; }) &&
         found.size() == models.VariantsOf(model).size();
}

// The variants whose id or name has the part.
std::vector<VariantIndex> VariantsWith(std::string_view part, const Suite& suite,
                                       const std::vector<std::string>& labels) {
  std::vector<VariantIndex> found;
  for (VariantIndex i = 0; i < labels.size(); ++i) {
    if (suite.variants[i].id.find(part) != std::string::npos || labels[i].find(part) != std::string::npos)
      found.push_back(i);
  }
  return found;
}

// By the whole id, the name in tables, or the number there.
std::optional<VariantIndex> ExactVariant(std::string_view part, const Suite& suite,
                                         const std::vector<std::string>& labels) {
  for (VariantIndex i = 0; i < labels.size(); ++i)
    if (suite.variants[i].id == part) return i;
  for (VariantIndex i = 0; i < labels.size(); ++i)
    if (labels[i] == part || std::to_string(i + 1) == part) return i;
  return std::nullopt;
}

}  // namespace

Result<std::vector<VariantIndex>> FindVariants(const Suite& suite, std::string_view part,
                                               std::string_view run) {
  const std::vector<std::string> labels = SpokenNames(suite);
  if (const std::optional<VariantIndex> exact = ExactVariant(part, suite, labels))
    return std::vector<VariantIndex>{*exact};
  std::vector<VariantIndex> found = VariantsWith(part, suite, labels);
  if (found.size() == 1 || AreOneModel(found, suite)) return found;
  std::vector<std::string_view> known(labels.begin(), labels.end());
  for (const Variant& variant : suite.variants) known.push_back(variant.id);
  const std::string_view near = NearestId(part, known);
  if (found.empty() && !near.empty()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{} has no variant {}, did you mean {}?", run, Quoted(part), Quoted(near))};
  }
  return NoneOrSeveral(part, run, found.empty(), labels);
}

Result<VariantIndex> FindVariant(const Suite& suite, std::string_view part, std::string_view run) {
  ASSAY_TRY(const std::vector<VariantIndex> found, FindVariants(suite, part, run));
  if (found.size() == 1) return found.front();
  return NoneOrSeveral(part, run, false, SpokenNames(suite));
}

namespace {

// Both sides of NEW=BASE; a variant's id may hold `=` itself, so that every place is tried.
Result<std::pair<VariantIndex, VariantIndex>> ReadPair(std::string_view text, const Suite& fresh,
                                                       const Suite& base) {
  std::optional<Error> problem;
  for (std::size_t at = text.find('='); at != std::string_view::npos; at = text.find('=', at + 1)) {
    const Result<VariantIndex> a = FindVariant(fresh, text.substr(0, at), "the run");
    const Result<VariantIndex> b = FindVariant(base, text.substr(at + 1), "the base");
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

}  // namespace

Result<VariantPairing> PairVariants(const Suite& a, const Suite& b, const std::vector<std::string>& named) {
  VariantPairing pairing;
  std::vector<std::pair<VariantIndex, VariantIndex>> by_name;
  std::vector<bool> has_other(a.variants.size());
  std::vector<bool> is_other(b.variants.size());
  std::map<std::string_view, VariantIndex> by_id;
  for (VariantIndex v = 0; v < b.variants.size(); ++v) by_id.emplace(b.variants[v].id, v);
  for (const std::string& text : named) {
    ASSAY_TRY(const auto pair, ReadPair(text, a, b));
    by_name.push_back(pair);
    has_other[pair.first] = is_other[pair.second] = true;
  }
  for (VariantIndex v = 0; v < has_other.size(); ++v) {
    if (has_other[v]) continue;
    const auto same = by_id.find(a.variants[v].id);
    if (same == by_id.end()) {
      pairing.only_a.push_back(v);
      continue;
    }
    pairing.pairs.emplace_back(v, same->second);
    is_other[pairing.pairs.back().second] = true;
  }
  pairing.pairs.insert(pairing.pairs.end(), by_name.begin(), by_name.end());
  for (VariantIndex v = 0; v < is_other.size(); ++v) {
    if (!is_other[v]) pairing.only_b.push_back(v);
  }
  return pairing;
}

RunName RunNameOf(std::string_view text) {
  RunName name{.text = std::string(text), .run = std::string(text.substr(0, text.find('#'))), .variant = {}};
  if (name.run.size() < text.size()) name.variant = std::string(text.substr(name.run.size() + 1));
  return name;
}

Result<NamedRun> RunOpener::Open(const std::string& text) {
  NamedRun named{.name = RunNameOf(text), .run = nullptr, .variants = {}};
  ASSAY_TRY(named.run, OpenOf(named.name.run));
  // What stands behind a file may be a part of it: the rest of the program sees a file of that name.
  if (named.name.variant && named.run->file != nullptr && !named.run->file->parts.empty()) {
    ASSAY_TRY(const OpenRun* part, OpenFile(named.name.run, *named.name.variant));
    if (part->file->is_part) {
      named.run = part;
      named.name.run = text;
      named.name.variant.reset();
    }
  }
  named.spoken = SpokenNames(*named.run->suite);
  const std::vector<Variant>& variants = named.run->suite->variants;
  if (!named.name.variant) {
    for (VariantIndex i = 0; i < variants.size(); ++i) named.variants.push_back(i);
    return named;
  }
  ASSAY_TRY(named.variants, FindVariants(*named.run->suite, *named.name.variant, "the run"));
  return named;
}

Status RunOpener::Read(RunRecord record, OpenRun& run) const {
  run.record = std::move(record);
  ASSAY_TRY(std::shared_ptr<const Suite> suite, SuiteOf(*store_, run.record));
  suite = WithReducer(std::move(suite), options_.shown.reduce);
  ASSAY_TRY(Report report, Fold(*store_, run.record, suite, RetellingOf(run.record.generators)));
  ASSAY_TRY(const StoreOrigin origin, OriginOf(*store_, options_.granted.store));
  ASSAY_TRY(run.foreign_replies, CountForeign(*store_, origin, run.record, report.totals));
  ASSAY_TRY(run.scores, CaseScoresOf(report));
  run.report = std::make_shared<const Report>(std::move(report));
  run.suite = std::move(suite);
  return Ok();
}

Result<const OpenRun*> RunOpener::OpenFile(const std::string& name, const std::string& part) {
  const std::string text = part.empty() ? name : fmt::format("{}#{}", name, part);
  OpenRun& run = runs_["file:" + text];
  if (run.suite != nullptr) return &run;
  ASSAY_TRY(const std::shared_ptr<const ImportedRun> imported,
            RunOfFile(name, AllowedPaths(options_.granted), part));
  if (imported == nullptr) return nullptr;
  ASSAY_TRY(run.scores, CaseScoresOf(imported->report));
  run.scores.digests = imported->digests;
  run.suite = std::shared_ptr<const Suite>(imported, &imported->suite);
  run.report = std::shared_ptr<const Report>(imported, &imported->report);
  run.record.context.run_id = text;
  run.record.state = RunState::kFinished;
  run.file = imported;
  return &run;
}

Result<const OpenRun*> RunOpener::OpenOf(const std::string& name) {
  if (!MeansRun(store_, name)) {
    ASSAY_TRY(const OpenRun* file, OpenFile(name, {}));
    if (file != nullptr) return file;
  }
  if (store_ == nullptr) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{} is no file, and there is no store at {} that could have "
                             "a run of this name",
                             Quoted(name), Printable(ShownLocation(options_.granted.store)))};
  }
  ASSAY_TRY(RunRecord record, store_->FindRun(name));
  OpenRun& run = runs_[record.context.run_id];
  if (run.suite == nullptr) ASSAY_CHECK_OK(Read(std::move(record), run));
  return &run;
}

}  // namespace assay
