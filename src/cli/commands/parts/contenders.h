// Resolves what users compare, RUN, RUN#VARIANT or a result file, to runs of the store or imported runs and
// their variants, and pairs the variants of two runs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "cli/settings/options.h"
#include "engine/open/imported.h"
#include "report/decide/comparison.h"
#include "report/import/imported_run.h"
#include "store/store.h"

namespace assay {

// A run that is compared, read once however often it is named.
struct OpenRun {
  RunRecord record;
  std::shared_ptr<const Suite> suite;
  std::shared_ptr<const Report> report;
  CaseScores scores;
  std::uint64_t foreign_replies = 0;             // RunTotals::foreign_replies
  std::shared_ptr<const ImportedRun> file = {};  // null: a run of the store
};

// What a user writes for a run or one of its variants: RUN or RUN#VARIANT.
struct RunName {
  std::string text;                    // all of it
  std::string run;                     // an id, a part of one, "latest", a file or FILE#PART (ImportAsk)
  std::optional<std::string> variant;  // its number, or a part of its id; absent: the whole run is meant
};
RunName RunNameOf(std::string_view text);

// What one argument names: a run, and of it one variant, those of one model, or all.
struct NamedRun {
  RunName name;
  const OpenRun* run = nullptr;
  std::vector<VariantIndex> variants;
  std::vector<std::string> spoken = {};  // SpokenNames of all variants of the run

  bool is_part() const { return run->file != nullptr && run->file->is_part; }
};

// By the whole id, the name or the number in tables, or a part of an id or name. A part that fits all
// variants of one model, and no others, means them all. kNotFound names the variants that there are.
// `run`: whose.
Result<std::vector<VariantIndex>> FindVariants(const Suite& suite, std::string_view part,
                                               std::string_view run);
// The same where one variant is wanted.
Result<VariantIndex> FindVariant(const Suite& suite, std::string_view part, std::string_view run);

// The variants of two runs that belong together: those of equal ids, then those that NEW=BASE names, which
// may also part equal ids; and who is left.
struct VariantPairing {
  std::vector<std::pair<VariantIndex, VariantIndex>> pairs;
  std::vector<VariantIndex> only_a;
  std::vector<VariantIndex> only_b;
};
// `named`: parts of ids, "NEW=BASE". kInvalidInput if one is no such pair.
Result<VariantPairing> PairVariants(const Suite& a, const Suite& b, const std::vector<std::string>& named);

// Owns the runs that it has opened.
class RunOpener {
 public:
  // Both outlive it; without a store only files can be opened.
  RunOpener(Store* store, const Options& options) : store_(store), options_(options) {}
  Result<NamedRun> Open(const std::string& text);

 private:
  Result<const OpenRun*> OpenOf(const std::string& name);
  Result<const OpenRun*> OpenFile(const std::string& name, const std::string& part);  // null: there is none
  Status Read(RunRecord record, OpenRun& run) const;

  Store* store_;
  const Options& options_;
  std::map<std::string, OpenRun> runs_;
};

}  // namespace assay
