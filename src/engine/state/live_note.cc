// Writes a line of fixed length at each commit: into the page cache, where a kill leaves it.
#include "engine/state/live_note.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <time.h>
#include <unistd.h>

#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/files/byte_source.h"
#include "base/hash.h"

namespace assay {

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kTickNs = 20'000'000;  // that the clock of a disk may lie behind
constexpr std::int64_t kCommitNs = kSecondNs;
constexpr std::int64_t kMoveNs = 2 * kSecondNs;
constexpr std::int64_t kRewriteNs = 3'600 * kSecondNs;

constexpr std::size_t kWalHeaderBytes = 32;
constexpr std::size_t kFrameHeaderBytes =
    24;  // with the checksum of all before it (sqlite.org/fileformat2, 4.1)

std::string NoteName(const std::string& store) {
  constexpr std::size_t kDigits = 32;
  return "live-" + Hex(Sha256Of(store)).substr(0, kDigits);
}

std::int64_t NowNs() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);  // the clock that dates files
  return now.tv_sec * kSecondNs + now.tv_nsec;
}

struct FileTimes {
  std::int64_t main_ns = 0;
  std::int64_t wal_ns = 0;  // 0: there is none, or it is empty
  bool operator==(const FileTimes&) const = default;
};

FileTimes TimesOf(const std::string& store) {
  FileTimes times;
  if (const std::optional<SeenFile> main = SeeFile(store)) times.main_ns = main->changed_ns;
  const std::optional<SeenFile> wal = SeeFile(store + "-wal");
  if (wal && wal->bytes > 0) times.wal_ns = wal->changed_ns;
  return times;
}

// So many bytes of a source; "": they are not there.
std::string BytesAt(const ByteSource& source, std::size_t bytes, std::uint64_t from) {
  std::string text(bytes, '\0');
  const Result<std::size_t> count = source.ReadAt(from, text.data(), bytes);
  return count && *count == bytes ? text : std::string();
}

// A -wal that begins with a whole header.
struct Wal {
  std::unique_ptr<const ByteSource> source;
  std::string head;

  std::uint64_t size_bytes() const { return source->size_bytes(); }
  // The size of a frame with its page, which the header gives.
  std::uint64_t FrameBytes() const {
    std::uint64_t page = 0;
    constexpr std::size_t kPageBytesAt = 8;
    for (std::size_t i = 0; i < 4; ++i) page = page << 8 | static_cast<unsigned char>(head[kPageBytesAt + i]);
    return kFrameHeaderBytes + page;
  }
  // The header of a frame, counted from 0; "": the file ends before it does.
  std::string FrameHead(std::uint64_t frame) const {
    return BytesAt(*source, kFrameHeaderBytes, kWalHeaderBytes + frame * FrameBytes());
  }
};

std::optional<Wal> OpenWal(const std::string& store) {
  auto source = OpenFileSource(store + "-wal", std::numeric_limits<std::uint64_t>::max());
  std::string head = source ? BytesAt(**source, kWalHeaderBytes, 0) : std::string();
  if (head.empty()) return std::nullopt;
  return Wal{.source = *std::move(source), .head = std::move(head)};
}

// Size of the -wal, its header and that of its last frame, whose checksum covers all frames before it; "":
// there is no -wal.
std::string MarkOf(const std::optional<Wal>& wal) {
  if (!wal) return {};
  const std::uint64_t frames = (wal->size_bytes() - kWalHeaderBytes) / wal->FrameBytes();
  return fmt::format("{} {}{}", wal->size_bytes(), wal->head, wal->FrameHead(frames == 0 ? 0 : frames - 1));
}

// Header of the last of so many frames, in hex; "": it is not there.
std::string TailOf(const std::optional<Wal>& wal, std::uint32_t frames) {
  if (frames == 0 || !wal) return {};
  const std::string frame = wal->FrameHead(frames - 1);
  std::string hex;
  for (const char each : wal->head + frame) hex += fmt::format("{:02x}", static_cast<unsigned char>(each));
  return frame.empty() ? std::string() : hex;
}

struct Note {
  // 's': still; 'c': a commit is written; 'b': one that may begin the -wal again; 'm': pages are moved into
  // the file.
  char phase = ' ';
  std::int64_t from_ns = 0;
  std::int64_t until_ns = 0;
  FileTimes times;
  std::uint32_t frames = 0;
  std::string tail;
};

std::optional<Note> ReadNote(const std::string& text) {
  std::istringstream words(text);
  Note note;
  words >> note.phase >> note.from_ns >> note.until_ns >> note.times.main_ns >> note.times.wal_ns >>
      note.frames >> note.tail;
  return words ? std::optional(note) : std::nullopt;
}

// Whether SQLite would find no commit in the -wal, which then is as good as empty, whoever wrote it. A frame
// of the header's salts that ends a commit counts as one, though its checksum may be wrong.
bool HoldsNoCommit(const std::optional<Wal>& wal) {
  constexpr std::size_t kSaltBytes = 8;
  constexpr std::size_t kSaltsAt = 16;  // of the header
  constexpr std::size_t kCommitAt = 4;  // of a frame, behind the page's number; the salts follow
  constexpr std::size_t kFrameSaltsAt = 8;
  constexpr std::uint64_t kFramesMax = 100'000;
  const std::string nothing(kCommitAt, '\0');
  if (!wal) return true;
  for (std::uint64_t i = 0; i < kFramesMax; ++i) {
    const std::string frame = wal->FrameHead(i);
    const bool is_one = !frame.empty() && frame.compare(0, kCommitAt, nothing) != 0 &&
                        frame.compare(kFrameSaltsAt, kSaltBytes, wal->head, kSaltsAt, kSaltBytes) == 0;
    if (!is_one) return true;
    if (frame.compare(kCommitAt, kCommitAt, nothing) != 0) return false;
  }
  return false;
}

bool Fits(const Note& note, const FileTimes& times, const std::string& store) {
  if (times == note.times) return true;
  const auto is_of_phase = [&note](std::int64_t ns) {
    return ns >= note.from_ns - kTickNs && ns <= note.until_ns;
  };
  const bool is_main_same = times.main_ns == note.times.main_ns;
  if (note.phase == 'c' || note.phase == 'b') {
    const std::optional<Wal> wal = OpenWal(store);
    const bool begins_as_noted =
        note.frames > 0 && is_of_phase(times.wal_ns) && TailOf(wal, note.frames) == note.tail;
    const bool may_begin_again = note.phase == 'b' || note.frames == 0;
    return is_main_same && (begins_as_noted || (may_begin_again && HoldsNoCommit(wal)));
  }
  const bool is_wal_same =
      times.wal_ns == note.times.wal_ns || times.wal_ns == 0 || is_of_phase(times.wal_ns);
  return note.phase == 'm' && (is_main_same || is_of_phase(times.main_ns)) && is_wal_same;
}

}  // namespace

Result<std::unique_ptr<LiveNote>> LiveNote::Begin(const std::string& store) {
  ASSAY_TRY(const StateFolder folder, StateFolder::Open());
  const std::string path = fmt::format("{}/{}", folder.path(), NoteName(store));
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return Error{ErrorCode::kIo, fmt::format("{} cannot be written", path)};
  auto note = std::make_unique<LiveNote>(store, file);
  note->main_ = SeeFile(store).value_or(SeenFile());
  note->wal_mark_ = MarkOf(OpenWal(store));
  note->Write('s', 0);
  return note;
}

LiveNote::~LiveNote() { ::close(file_); }

// What cannot be written counts as made elsewhere after a kill: nothing is lost.
void LiveNote::Write(char phase, std::int64_t allowed_ns) {
  const std::int64_t now = NowNs();
  if (phase == 's') {
    files_ = fmt::format("{:020} {:020}", main_.changed_ns, TimesOf(store_).wal_ns);
  }
  constexpr std::size_t kTailDigits = 2 * (kWalHeaderBytes + kFrameHeaderBytes);
  const std::string line = fmt::format("{} {:020} {:020} {} {:010} {:->{}}\n", phase, now, now + allowed_ns,
                                       files_, wal_frames_, wal_tail_, kTailDigits);
  static_cast<void>(::pwrite(file_, line.data(), line.size(), 0) == static_cast<ssize_t>(line.size()));
}

// A stale frame behind the last commit's counts too: nobody but the next commit writes over it.
bool LiveNote::AreFilesOurs() const {
  const SeenFile now = SeeFile(store_).value_or(SeenFile());
  const bool is_moving = changes_ > 0;
  const bool is_main_ours =
      is_moving || (now.identity == main_.identity && now.changed_ns == main_.changed_ns);
  return is_main_ours && MarkOf(OpenWal(store_)) == wal_mark_;
}

bool LiveNote::IsSameFile() const { return SeeFile(store_).value_or(SeenFile()).identity == main_.identity; }

void LiveNote::WillCommit() {
  if (changes_ == 0) Write(may_begin_again_ ? 'b' : 'c', kCommitNs);
}

void LiveNote::NoteWal(std::uint32_t frames, bool may_begin_again) {
  const std::optional<Wal> wal = OpenWal(store_);
  wal_tail_ = TailOf(wal, frames);
  wal_frames_ = wal_tail_.empty() ? 0 : frames;
  may_begin_again_ = may_begin_again;
  wal_mark_ = MarkOf(wal);
  if (changes_ == 0) Write('s', 0);
}

void LiveNote::HasCommitted(std::uint32_t wal_frames) { NoteWal(wal_frames, false); }

void LiveNote::FileWillChange(Change change) {
  if (changes_++ == 0) Write('m', change == Change::kMove ? kMoveNs : kRewriteNs);
}

void LiveNote::FileHasChanged(WalLeft left) {
  --changes_;
  const SeenFile now = SeeFile(store_).value_or(SeenFile());
  if (now.identity == main_.identity) main_ = now;
  NoteWal(left.frames, left.is_moved);
}

bool FitsLiveNote(const StateFolder& folder, const std::string& store) {
  // A process that goes on writing changes its note between two looks.
  constexpr int kLooksMax = 50;
  for (int look = 0; look < kLooksMax; ++look) {
    const Result<std::string> before = folder.Read(NoteName(store));
    const std::optional<Note> note = before ? ReadNote(*before) : std::nullopt;
    if (!note) return false;
    if (Fits(*note, TimesOf(store), store)) return true;
    const Result<std::string> after = folder.Read(NoteName(store));
    if (after && *after == *before) return false;
  }
  return true;
}

void RemoveLiveNote(const std::string& store) {
  const Result<StateFolder> folder = StateFolder::Open();
  if (folder) ::unlink(fmt::format("{}/{}", folder->path(), NoteName(store)).c_str());
}

}  // namespace assay
