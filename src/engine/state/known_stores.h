// Remembers in the user's state folder which stores and recordings this user made, so that a cloned folder
// cannot claim it (docs/trust.md; layout of the file: docs/formats/state.md).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "base/hash.h"
#include "spec/report/report.h"
#include "store/marks.h"
#include "store/store.h"

namespace assay {

class LiveNote;

// What of a store was made elsewhere. Of one on a server, whose address the user trusts, what he copied there
// from stores of others.
struct StoreOrigin {
  RowRanges exchanges = {};
  RowRanges runs = {};     // RunRecord::number
  std::int64_t batch = 0;  // BatchRecord::number: those up to it are read by nobody
  std::string why = {};  // that anything is, for people: "… lies beside it"; "" where it is only remembered

  bool IsForeign() const { return !exchanges.empty() || !runs.empty() || batch > 0; }
  bool IsForeignRun(const RunRecord& run) const { return IsMarkedRun(runs, run); }
};

// A store that is written to, remembered as this user's while it is open and afterwards.
class OwnStore {
 public:
  // For Open and Adopt.
  OwnStore(std::string path, std::unique_ptr<Store> store);
  // As OpenStore. What the state folder cannot remember is told in origin().why.
  static Result<std::unique_ptr<OwnStore>> Open(const StoreOptions& options);
  // The same, and everything in it counts as made here from now on. kIo, kRefused, kNotFound: the state
  // folder cannot remember it.
  static Result<std::unique_ptr<OwnStore>> Adopt(const StoreOptions& options);
  ~OwnStore();
  OwnStore(const OwnStore&) = delete;
  OwnStore& operator=(const OwnStore&) = delete;

  Store& store() { return *store_; }
  const StoreOrigin& origin() const { return origin_; }
  // All that this process adds from now on counts as made elsewhere, also if it is killed half-way.
  Status MarkWhatComes();
  // Of what it has added since then, only these rows do.
  Status MarkOnly(const MarkedRows& came);

 private:
  static Result<std::unique_ptr<OwnStore>> OpenServer(const StoreOptions& options);
  Status RememberNow();

  std::string path_;                // real; or the address of a server
  std::unique_ptr<LiveNote> note_;  // of a file
  std::unique_ptr<Store> store_;
  StoreOrigin origin_;
  MarkedRows before_coming_ = {};                // the marks of a file before MarkWhatComes
  std::optional<StoreEnds> unsealed_ends_ = {};  // at its opening, where no seal counted
};

// Opens a store to read it. The pages of a file that this user's assay did not write are walked first.
Result<std::unique_ptr<Store>> OpenForReading(StoreOptions options);

// Of a store that somebody reads.
Result<StoreOrigin> OriginOf(Store& store, const std::string& path);

// SHA-256 of the store's file as it is now, by which --trust=DIGEST and a seal name what it holds; "" if it
// cannot be read. With a -wal beside it, that of the lines that sha256sum prints of both.
std::string DigestOfStore(const std::string& path);
// "--trust=DIGEST", for a message; of a file that takes long to read also the command that prints the digest.
std::string TrustByDigest(const std::string& path);

// By the digest of a recording's text.
Status AdoptRecording(const Digest& text);
bool IsOwnRecording(const Digest& text);

// How many of the replies that a run used were made elsewhere: those of the store, and those of recordings
// that nobody named. Of a foreign run all count, and each cell counts as one at least. `totals` are the
// run's.
Result<std::uint64_t> CountForeign(Store& store, const StoreOrigin& origin, const RunRecord& run,
                                   const RunTotals& totals);

}  // namespace assay
