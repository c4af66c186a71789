// `assay cache adopt`: a store or a recording that somebody else made counts as this user's from now on.
#include <fmt/core.h>

#include <set>

#include "base/files/file_reader.h"
#include "base/hash.h"
#include "cli/commands/cache/works.h"
#include "engine/ci.h"
#include "engine/state/known_stores.h"
#include "engine/state/store_seal.h"
#include "engine/words.h"
#include "spec/exchange/replay.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

struct Adopted {
  std::uint64_t replies = 0;
  std::uint64_t runs = 0;
};

Result<Adopted> AdoptStore(const Options& options, Ui& ui) {
  ASSAY_TRY(const std::unique_ptr<OwnStore> own, OpenToChange(options, ui, OwnStore::Adopt));
  ASSAY_TRY(const std::vector<RunRecord> runs, own->store().Runs());
  std::set<ExchangeId> replies;
  for (const RunRecord& run : runs) {
    ASSAY_TRY(const std::vector<ExchangeId> used,
              own->store().ExchangesOf(run.context.run_id, RunPart::kRun));
    replies.insert(used.begin(), used.end());
  }
  return Adopted{.replies = replies.size(), .runs = runs.size()};
}

}  // namespace

// The store, or a recording of replies: either counts as made by this user from now on.
Result<std::string> Adopt(const Options& options, Ui& ui) {
  // A job that adopts whatever a cache restores opens its gates to every fork.
  if (IsInCi()) {
    return Error{
        ErrorCode::kRefused,
        fmt::format("`assay cache adopt` is refused in CI, because a store or a recording may come from any "
                    "job. Set the secret {}: it seals the store of a job for the next job (`assay help ci`)",
                    kStoreKeyVariable)};
  }
  const bool is_store = options.arguments.size() == 1;
  const std::string& path = is_store ? options.granted.store : options.arguments[1];
  Adopted adopted;
  if (is_store) {
    ASSAY_TRY(adopted, AdoptStore(options, ui));
  } else {
    ASSAY_TRY(const std::string text, DiskFileReader().Read(path));
    SourceFiles sources;
    Diagnostics problems;
    const FileId file = sources.Add(path, text);
    adopted.replies = ReadReplay(path, file, text, problems).replies;
    if (problems.HasErrors() || adopted.replies == 0) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("{} is no recording that assay can read; `assay cache adopt` takes a "
                               "recording, NAME.replay.jsonl, or by itself the store",
                               Quoted(path))};
    }
    ASSAY_CHECK_OK(AdoptRecording(Sha256Of(text)));
  }
  if (options.shown.json) {
    return WriteJson(Object{{"adopted", path}, {"replies", adopted.replies}, {"runs", adopted.runs}},
                     JsonStyle::kJavaScript2) +
           "\n";
  }
  const std::string runs = is_store ? " and " + Counted(adopted.runs, "run") : std::string();
  return fmt::format("adopted {}: {}{} count as made by this user from now on\n", Printable(path),
                     Counted(adopted.replies, "reply"), runs);
}

}  // namespace assay
