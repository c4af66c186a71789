// Reads and writes the lists of the user's stores and recordings in the state folder, and compares a store
// with them by file identity and digest.
#include "engine/state/known_stores.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/text/shell_words.h"
#include "engine/state/demo_recording.h"
#include "engine/state/live_note.h"
#include "engine/state/seen_file.h"
#include "engine/state/state_folder.h"
#include "engine/state/store_seal.h"
#include "engine/words.h"
#include "spec/exchange/replay.h"
#include "store/location.h"
#include "store/marks.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr char kStoresFile[] = "stores.json";
constexpr char kRecordingsFile[] = "recordings.json";
constexpr int kStateVersion = 1;
constexpr std::size_t kStoresMax = 10'000;      // the longest unused are forgotten
constexpr std::size_t kRecordingsMax = 10'000;  // likewise
constexpr std::size_t kDigestPieceBytes = 1u << 20;
// A refusal waits for the digest of no larger store.
constexpr std::uint64_t kDigestToldBytesMax = std::uint64_t{256} << 20;

struct KnownStore {
  std::string path;
  FileIdentity file = {};
  RowRanges exchanges = {};  // StoreOrigin
  RowRanges runs = {};
  std::int64_t batch = 0;
  std::optional<FileIdentity> wal = {};  // the -wal that was left
  // When both last changed in any way: who copies another file over one, in place, keeps all of the above.
  std::string changed = {};
  std::string wal_changed = {};
  bool is_open =
      false;  // a process writes to it, or did so until it was killed: its note says the rest (live_note.h)
};

std::string RealPath(const std::string& path) {
  std::error_code problem;
  // What does not exist yet stays relative unless it is made absolute first.
  const std::filesystem::path real =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, problem), problem);
  return problem ? path : real.string();
}

Map IdentityMap(const FileIdentity& file) {
  return Object{{"device", file.device}, {"inode", file.inode}, {"born_ns", file.born}};
}

FileIdentity ReadIdentity(const Value& map) {
  return {.device = map.TextAt("device"), .inode = map.TextAt("inode"), .born = map.TextAt("born_ns")};
}

// What cannot be read was made elsewhere altogether.
std::int64_t MemberNumber(const Value& map, std::string_view key) {
  const std::string text = map.TextAt(key);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return is_number ? number : std::numeric_limits<std::int64_t>::max();
}

// Ranges stand in two members: everything up to a number, as ever, and the others. What cannot be read was
// made elsewhere.
RowRanges ReadRanges(const Value& map, const std::string& up_to, const std::string& others) {
  RowRanges ranges = RowRanges::UpTo(MemberNumber(map, up_to));
  for (const Value& each : map.ListAt(others)) {
    const std::int64_t first = MemberNumber(each, "first");
    const std::int64_t last = MemberNumber(each, "last");
    ranges.Add({.first = first > last ? std::numeric_limits<std::int64_t>::min() : first, .last = last});
  }
  return ranges;
}

void AppendRanges(const RowRanges& ranges, const std::string& up_to, const std::string& others, Map& map) {
  std::string until = "0";
  List list;
  for (const RowRange& each : ranges.all()) {
    if (each.first == std::numeric_limits<std::int64_t>::min()) {
      until = std::to_string(each.last);
      continue;
    }
    list.emplace_back(Object{{"first", std::to_string(each.first)}, {"last", std::to_string(each.last)}});
  }
  Extend(map, {{up_to, until}, {others, UnlessEmpty(std::move(list))}});
}

// The list below `key` of a state file; empty where there is none, or another version wrote it.
List ReadList(std::string_view text, std::string_view key) {
  const Result<Value> file = ParseJson(text);
  return file && file->NumberAt("v") == kStateVersion ? file->ListAt(key) : List();
}

std::string ListText(std::string_view key, List list) {
  return WriteJson(Object{{"v", kStateVersion}, {key, std::move(list)}}, JsonStyle::kJavaScript2) + "\n";
}

std::vector<KnownStore> ReadStores(std::string_view text) {
  std::vector<KnownStore> stores;
  for (const Value& each : ReadList(text, "stores")) {
    KnownStore& store = stores.emplace_back();
    store.path = each.TextAt("path");
    store.file = ReadIdentity(each);
    store.exchanges = ReadRanges(each, "foreign_exchange", "foreign_exchanges");
    store.runs = ReadRanges(each, "foreign_run", "foreign_runs");
    if (each.Find("foreign_batch") != nullptr) store.batch = MemberNumber(each, "foreign_batch");
    const Value* wal = each.Find("wal");
    if (wal != nullptr) {
      store.wal = ReadIdentity(*wal);
      store.wal_changed = wal->TextAt("changed_ns");
    }
    store.changed = each.TextAt("changed_ns");
    store.is_open = each.BoolAt("open").value_or(false);
  }
  return stores;
}

std::string StoresText(const std::vector<KnownStore>& stores) {
  List list;
  const std::size_t first = stores.size() > kStoresMax ? stores.size() - kStoresMax : 0;
  for (std::size_t i = first; i < stores.size(); ++i) {
    const KnownStore& store = stores[i];
    Map map = Object{{"path", store.path}};
    for (const Member& member : IdentityMap(store.file)) map.Append(member.key, member.value);
    AppendRanges(store.exchanges, "foreign_exchange", "foreign_exchanges", map);
    AppendRanges(store.runs, "foreign_run", "foreign_runs", map);
    Value wal;
    if (store.wal) {
      Map identity = IdentityMap(*store.wal);
      Extend(identity, {{"changed_ns", UnlessEmpty(store.wal_changed)}});
      wal = std::move(identity);
    }
    Extend(map, {{"foreign_batch", When(store.batch > 0, std::to_string(store.batch))},
                 {"wal", std::move(wal)},
                 {"changed_ns", UnlessEmpty(store.changed)},
                 {"open", store.is_open ? Value(true) : Value()}});
    list.emplace_back(std::move(map));
  }
  return ListText("stores", std::move(list));
}

// Puts a store, by its path, behind all others.
Status RememberStore(const StateFolder& folder, const KnownStore& known) {
  return folder.Update(kStoresFile, [&known](const std::string& text) -> Result<std::string> {
    std::vector<KnownStore> stores = ReadStores(text);
    std::erase_if(stores, [&known](const KnownStore& each) { return each.path == known.path; });
    stores.push_back(known);
    return StoresText(stores);
  });
}

// What is remembered of a file, and why it cannot be relied on.
struct Recalled {
  std::optional<KnownStore> known;
  std::string why;
};

Recalled RecallHere(const std::string& path) {
  const std::optional<SeenFile> file = SeeFile(path);
  const std::optional<SeenFile> journal = SeeFile(path + "-journal");
  std::optional<SeenFile> wal = SeeFile(path + "-wal");
  if (wal && wal->bytes == 0) wal.reset();
  const bool has_journal = journal && journal->bytes > 0;
  if (!file && !wal && !has_journal) return {.known = KnownStore{.path = path}, .why = {}};
  const Result<StateFolder> folder = StateFolder::Open();
  if (!folder) return {.known = {}, .why = folder.error().message};
  const Result<std::string> text = folder->Read(kStoresFile);
  if (!text) return {.known = {}, .why = text.error().message};
  const std::vector<KnownStore> stores = ReadStores(*text);
  const auto known = std::find_if(stores.begin(), stores.end(), [&](const KnownStore& each) {
    return each.path == path && file && each.file == file->identity;
  });
  if (known == stores.end()) return {.known = {}, .why = "it was not made here by this user"};
  if (known->is_open && !has_journal) {
    if (FitsLiveNote(*folder, path)) return {.known = *known, .why = {}};
    return {.known = {}, .why = "its file or its -wal has changed since assay wrote it"};
  }
  const bool has_other_wal =
      wal && (known->wal != wal->identity ||
              (!known->wal_changed.empty() && known->wal_changed != std::to_string(wal->changed_ns)));
  if (has_journal || has_other_wal) {
    return {.known = {},
            .why = fmt::format("a file that assay did not leave lies beside it: {}{}", path,
                               has_journal ? "-journal" : "-wal")};
  }
  if (!known->changed.empty() && known->changed != std::to_string(file->changed_ns))
    return {.known = {}, .why = "it has changed since assay closed it"};
  return {.known = *known, .why = {}};
}

// What the state folder says, else the store's seal.
Recalled Recall(const std::string& path) {
  Recalled recalled = RecallHere(path);
  if (recalled.known) return recalled;
  const Result<std::optional<Secret>> key = StoreKey();
  if (!key || !*key) return recalled;
  SealReading seal = ReadSeal(path, **key);
  if (!seal.marks) return {.known = {}, .why = std::move(seal.why)};
  return {.known = KnownStore{.path = path,
                              .exchanges = std::move(seal.marks->exchanges),
                              .runs = std::move(seal.marks->runs),
                              .batch = seal.marks->batch},
          .why = {}};
}

// Nothing of what is gone was made elsewhere: what comes next takes its numbers.
StoreOrigin OriginWith(const Recalled& recalled, const StoreEnds& ends) {
  if (!recalled.known) {
    return {.exchanges = RowRanges::UpTo(ends.exchange),
            .runs = RowRanges::UpTo(ends.run),
            .batch = ends.batch,
            .why = recalled.why};
  }
  StoreOrigin origin{.exchanges = recalled.known->exchanges,
                     .runs = recalled.known->runs,
                     .batch = std::min(recalled.known->batch, ends.batch)};
  origin.exchanges.CutTo(ends.exchange);
  origin.runs.CutTo(ends.run);
  return origin;
}

// Behind a stranger's highest numbers this user's rows would not fit: they would make the store damaged.
Status LeavesRoom(Store& store, const StoreEnds& ends) {
  constexpr std::int64_t kNumberMax = std::int64_t{1} << 61;
  constexpr std::int64_t kEpochMax = 500'000'000;
  ASSAY_TRY(const std::uint32_t epoch, store.NewestEpoch());
  const std::int64_t row = std::max({ends.exchange, ends.run, ends.batch});
  if (row <= kNumberMax && epoch <= kEpochMax) return Ok();
  return Error{ErrorCode::kCorrupt,
               fmt::format("the store is damaged: a row has the number {}, behind which others would not fit",
                           row > kNumberMax ? row : epoch)};
}

// Of a file in which a stranger wrote, or may have: all rows are looked at.
Result<StoreEnds> EndsAsFar(Store& store, const Recalled& recalled) {
  const bool is_own = recalled.known && recalled.known->exchanges.empty() && recalled.known->runs.empty() &&
                      recalled.known->batch == 0;
  if (is_own) return store.Ends();
  ASSAY_TRY(const StoreEnds ends, store.EndsOfAllRows());
  if (!recalled.known) ASSAY_CHECK_OK(LeavesRoom(store, ends));
  return ends;
}

// Where the store lies now, to be remembered.
Result<KnownStore> Noted(const std::string& path, const StoreOrigin& origin) {
  const std::optional<SeenFile> file = SeeFile(path);
  if (!file) return Error{ErrorCode::kNotFound, fmt::format("{} is gone", path)};
  KnownStore known{.path = path,
                   .file = file->identity,
                   .exchanges = origin.exchanges,
                   .runs = origin.runs,
                   .batch = origin.batch};
  known.changed = std::to_string(file->changed_ns);
  if (const std::optional<SeenFile> wal = SeeFile(path + "-wal")) {
    known.wal = wal->identity;
    known.wal_changed = std::to_string(wal->changed_ns);
  }
  return known;
}

Status RememberFile(const std::string& path, const StoreOrigin& origin, bool is_open) {
  ASSAY_TRY(const StateFolder folder, StateFolder::Open());
  ASSAY_TRY(KnownStore known, Noted(path, origin));
  known.is_open = is_open;
  return RememberStore(folder, known);
}

bool IsNoted(const StoreOrigin& origin, const KnownStore& known) {
  return origin.exchanges == known.exchanges && origin.runs == known.runs && origin.batch == known.batch;
}

// Begins the note of this user's own store: whatever a kill leaves after this fits it. Null: nothing can be
// noted.
FileWatch* BeginNote(const std::string& path, const KnownStore& known, std::unique_ptr<LiveNote>& note) {
  Result<std::unique_ptr<LiveNote>> begun = LiveNote::Begin(path);
  const StoreOrigin origin{.exchanges = known.exchanges, .runs = known.runs, .batch = known.batch};
  if (!begun || !RememberFile(path, origin, true)) return nullptr;
  note = *std::move(begun);
  return note.get();
}

// What somebody copied to a server from stores of others.
Result<StoreOrigin> OriginOnServer(Store& store) {
  ASSAY_TRY(MarkedRows marks, ReadServerMarks(store));
  return StoreOrigin{.exchanges = std::move(marks.exchanges), .runs = std::move(marks.runs)};
}

// In hex; "": there is no such file.
std::string DigestOfFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  Sha256 hash;
  std::vector<char> piece(kDigestPieceBytes);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hash.Update({piece.data(), static_cast<std::size_t>(file.gcount())});
  }
  return Hex(hash.Finish());
}

// Whether the words of a run name the recording that answers it.
bool NamesRecording(const RunRecord& run) {
  const Result<std::vector<std::string>> words = SplitWords(run.source);
  return words && std::find(words->begin(), words->end(), "--replay") != words->end();
}

// What the user adopted, and the example of `assay demo`, which is the program's own.
std::vector<std::string> OwnRecordings() {
  std::vector<std::string> digests = {std::string(kDemoRecordingDigest)};
  const Result<StateFolder> folder = StateFolder::Open();
  const Result<std::string> text = folder ? folder->Read(kRecordingsFile) : folder.error();
  if (!text) return digests;
  for (const Value& each : ReadList(*text, "recordings")) digests.push_back(each.TextAt("sha256"));
  return digests;
}

// Of a run that this user did not make: its cells may link to nothing, or to answers of this user.
Result<std::uint64_t> CountAnswersOf(Store& store, const RunRecord& run) {
  std::uint64_t results = 0;
  ASSAY_CHECK_OK(
      store.VisitOutcomes(run.context.run_id, kEveryCell, [&results](CellIndex, const CellOutcome&) {
        ++results;
        return Ok();
      }));
  // A finished run claims that all of its cells have results.
  return run.state == RunState::kFinished ? std::max<std::uint64_t>(results, run.cells) : results;
}

// The exchanges of the store that the run used and that `counts` accepts, each once.
Result<std::uint64_t> CountUsed(Store& store, const RunRecord& run,
                                const std::function<bool(ExchangeId)>& counts) {
  std::set<ExchangeId> counted;
  for (const RunPartRow& row : kRunParts) {
    ASSAY_TRY(const std::vector<ExchangeId> used, store.ExchangesOf(run.context.run_id, row.part));
    std::copy_if(used.begin(), used.end(), std::inserter(counted, counted.end()), counts);
  }
  return counted.size();
}

}  // namespace

OwnStore::OwnStore(std::string path, std::unique_ptr<Store> store)
    : path_(std::move(path)), store_(std::move(store)) {}

Result<std::unique_ptr<OwnStore>> OwnStore::Open(const StoreOptions& options) {
  const std::string& path = options.path;
  if (IsServer(path)) return OpenServer(options);
  ASSAY_TRY([[maybe_unused]] const std::optional<Secret> key, StoreKey());  // a bad one is told before a call
  const std::string real = RealPath(path);
  const Recalled recalled = Recall(real);
  StoreOptions opening = options;
  opening.is_own = recalled.known.has_value();
  std::unique_ptr<LiveNote> note;
  if (recalled.known && SeeFile(real)) opening.watch = [&] { return BeginNote(real, *recalled.known, note); };
  ASSAY_TRY(std::unique_ptr<Store> store, OpenStore(opening));
  ASSAY_TRY(const StoreEnds ends, EndsAsFar(*store, recalled));
  auto own = std::make_unique<OwnStore>(real, std::move(store));
  own->origin_ = OriginWith(recalled, ends);
  if (!recalled.known) own->unsealed_ends_ = ends;
  own->note_ = std::move(note);
  if (own->note_ != nullptr && IsNoted(own->origin_, *recalled.known)) return own;
  // Where nothing can be remembered, the next run counts what this one makes as made elsewhere, and says why.
  if (const Status noted = own->RememberNow(); !noted && own->origin_.IsForeign())
    own->origin_.why = noted.error().message;
  return own;
}

Result<std::unique_ptr<OwnStore>> OwnStore::Adopt(const StoreOptions& options) {
  const std::string& path = options.path;
  ASSAY_TRY(std::unique_ptr<Store> store, OpenStore(options));
  auto own = std::make_unique<OwnStore>(IsServer(path) ? path : RealPath(path), std::move(store));
  if (IsServer(path)) {
    ASSAY_CHECK_OK(ClearServerMarks(own->store()));
  } else {
    ASSAY_CHECK_OK(own->RememberNow());
  }
  return own;
}

// Who writes to it is for the server to say: whoever trusts its address trusts what is there.
Result<std::unique_ptr<OwnStore>> OwnStore::OpenServer(const StoreOptions& options) {
  ASSAY_TRY(std::unique_ptr<Store> store, OpenStore(options));
  auto own = std::make_unique<OwnStore>(options.path, std::move(store));
  ASSAY_TRY(own->origin_, OriginOnServer(own->store()));
  return own;
}

Status OwnStore::RememberNow() {
  // The rows of others first: a note says that the files are this user's as they are.
  const Status noted = RememberFile(path_, origin_, true);
  if (!noted || note_ != nullptr) return noted;
  ASSAY_TRY(note_, LiveNote::Begin(path_));
  store_->WatchFile(*note_);
  return Ok();
}

Status OwnStore::MarkWhatComes() {
  if (IsServer(path_)) return MarkWhatComesToServer(*store_);
  constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
  ASSAY_TRY(const StoreEnds ends, store_->Ends());
  before_coming_ = {.exchanges = origin_.exchanges, .runs = origin_.runs};
  origin_.exchanges.Add({.first = ends.exchange + 1, .last = kHighest});
  origin_.runs.Add({.first = ends.run + 1, .last = kHighest});
  return RememberFile(path_, origin_, true);
}

Status OwnStore::MarkOnly(const MarkedRows& came) {
  if (IsServer(path_)) return SettleServerMarks(*store_, came);
  origin_.exchanges = before_coming_.exchanges;
  origin_.runs = before_coming_.runs;
  for (const RowRange& each : came.exchanges.all()) origin_.exchanges.Add(each);
  for (const RowRange& each : came.runs.all()) origin_.runs.Add(each);
  return RememberFile(path_, origin_, true);
}

OwnStore::~OwnStore() {
  // A command that was refused for want of a seal, and changed nothing, leaves the next one the same reason.
  bool is_as_it_was = false;
  if (unsealed_ends_) {
    const Result<StoreEnds> ends = store_->EndsOfAllRows();
    is_as_it_was = ends && *ends == *unsealed_ends_;
  }
  if (IsServer(path_)) return;
  // The note stays, which the files do not fit any more: they count as made elsewhere.
  const bool is_ours = note_ == nullptr || note_->AreFilesOurs();
  if (note_ != nullptr && is_ours)
    note_->FileWillChange(FileWatch::Change::kMove);  // by whoever closes it last
  store_.reset();
  if (!is_ours || (note_ != nullptr && !note_->IsSameFile())) return;
  // A reader may have kept the -wal there. What cannot be noted counts as made elsewhere: nothing is lost.
  if (RememberFile(path_, origin_, false)) RemoveLiveNote(path_);
  const Result<std::optional<Secret>> key = StoreKey();
  if (!key || !*key || is_as_it_was) return;
  const MarkedRows marks{.exchanges = origin_.exchanges, .runs = origin_.runs, .batch = origin_.batch};
  static_cast<void>(WriteSeal(path_, marks, **key).has_value());
}

Result<std::unique_ptr<Store>> OpenForReading(StoreOptions options) {
  options.read_only = true;
  options.is_own = !IsServer(options.path) && Recall(RealPath(options.path)).known.has_value();
  return OpenStore(options);
}

Result<StoreOrigin> OriginOf(Store& store, const std::string& path) {
  if (IsServer(path)) return OriginOnServer(store);
  const Recalled recalled = Recall(RealPath(path));
  ASSAY_TRY(const StoreEnds ends, EndsAsFar(store, recalled));
  return OriginWith(recalled, ends);
}

std::string DigestOfStore(const std::string& path) {
  const std::string store = DigestOfFile(path);
  const std::optional<SeenFile> wal = SeeFile(path + "-wal");
  if (store.empty() || !wal || wal->bytes == 0) return store;
  // Of both digests: a digest of both files in one would hold wherever one ends and the other begins.
  return Hex(Sha256Of(fmt::format("{}  -\n{}  -\n", store, DigestOfFile(path + "-wal"))));
}

std::string TrustByDigest(const std::string& path) {
  std::uint64_t bytes = 0;
  std::vector<std::string> files;
  for (const std::string suffix : {"", "-wal"}) {
    const std::optional<SeenFile> file = SeeFile(path + suffix);
    if (!file) continue;
    bytes += file->bytes;
    if (file->bytes > 0 || suffix.empty())
      files.push_back("sha256sum <" + QuoteWord(Printable(path + suffix)));
  }
  if (bytes <= kDigestToldBytesMax) return "--trust=" + DigestOfStore(path);
  const std::string prints =
      files.size() == 2 ? fmt::format("({}; {}) | sha256sum", files[0], files[1]) : files.front();
  return fmt::format("--trust=DIGEST (`{}` prints it)", prints);
}

Status AdoptRecording(const Digest& text) {
  ASSAY_TRY(const StateFolder folder, StateFolder::Open());
  return folder.Update(kRecordingsFile, [&](const std::string& known) -> Result<std::string> {
    List list = ReadList(known, "recordings");
    const std::string digest = Hex(text);
    std::erase_if(list, [&](const Value& each) { return each.TextAt("sha256") == digest; });
    list.emplace_back(Object{{"sha256", digest}});
    if (list.size() > kRecordingsMax) list.erase(list.begin());
    return ListText("recordings", std::move(list));
  });
}

bool IsOwnRecording(const Digest& text) {
  const std::vector<std::string> known = OwnRecordings();
  return std::find(known.begin(), known.end(), Hex(text)) != known.end();
}

Result<std::uint64_t> CountForeign(Store& store, const StoreOrigin& origin, const RunRecord& run,
                                   const RunTotals& totals) {
  if (origin.IsForeignRun(run)) {
    ASSAY_TRY(const std::uint64_t used, CountUsed(store, run, [](ExchangeId) { return true; }));
    ASSAY_TRY(const std::uint64_t answers, CountAnswersOf(store, run));
    return std::max(used, answers);
  }
  std::uint64_t count = 0;
  if (!origin.exchanges.empty()) {
    ASSAY_TRY(count, CountUsed(store, run, [&origin](ExchangeId id) {
                return origin.exchanges.Contains(static_cast<std::int64_t>(id));
              }));
  }
  if (totals.recorded.empty() || NamesRecording(run)) return count;
  const std::vector<std::string> known = OwnRecordings();
  std::uint64_t recorded = 0;
  for (const auto& [name, replies] : totals.recorded) {
    const bool is_own = std::any_of(known.begin(), known.end(), [&name](const std::string& digest) {
      return name == RecordingName(digest);
    });
    if (!is_own) recorded += replies;
  }
  // Those of the store may be recorded as well.
  return std::min(count + recorded, std::max(count, totals.requests));
}

}  // namespace assay
