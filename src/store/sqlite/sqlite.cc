// Wraps SQLite calls and translates its error codes.
#include "store/sqlite/sqlite.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/files/out_folder.h"
#include "base/text/percent.h"

namespace assay {

namespace {

struct CodeRow {
  int code;  // an extended one stands above the one that it refines
  ErrorCode as;
  std::string_view what;
};

constexpr std::string_view kJournalBeside =
    "a -journal lies beside it, which assay never leaves; move that file away, or delete it";

constexpr std::string_view kWalIsStrange =
    "another program has changed it or its -wal file during this run, which stores nothing more; put the "
    "file back, "
    "or move the -wal away, and run the same command again";

constexpr CodeRow kCodes[] = {
    {SQLITE_CONSTRAINT_COMMITHOOK, ErrorCode::kRefused, kWalIsStrange},
    {SQLITE_IOERR_SHORT_READ, ErrorCode::kIo, kWalIsStrange},
    {SQLITE_FULL, ErrorCode::kIo, "the disk is full; free some space and run the same command again"},
    {SQLITE_BUSY, ErrorCode::kRefused,
     "another process holds the store; wait for it or use --store with another file"},
    {SQLITE_LOCKED, ErrorCode::kRefused,
     "another process holds the store; wait for it or use --store with another file"},
    {SQLITE_CORRUPT, ErrorCode::kCorrupt,
     "the store is damaged; move it away and run again (answers will be asked anew)"},
    {SQLITE_NOTADB, ErrorCode::kCorrupt, "the file is not a store of assay; name another one with --store"},
    {SQLITE_CANTOPEN, ErrorCode::kIo, "the file cannot be opened; check the folder and its permissions"},
    {SQLITE_READONLY_ROLLBACK, ErrorCode::kIo, kJournalBeside},
    {SQLITE_READONLY, ErrorCode::kIo, "the file cannot be written; check the folder and its permissions"},
    {SQLITE_PERM, ErrorCode::kIo, "the file cannot be used; check its permissions"},
    {SQLITE_IOERR, ErrorCode::kIo, "the disk reported an error"},
    {SQLITE_INTERRUPT, ErrorCode::kCorrupt,
     "the store is damaged: reading its tables takes too long; move it away and run again"},
    {SQLITE_TOOBIG, ErrorCode::kLimit, "a text is too large to be stored"},
};

// The database as the user named it, as far as SQLite remembers.
std::string NameOf(sqlite3* database) {
  const char* path = sqlite3_db_filename(database, "main");
  return path == nullptr || *path == 0 ? "the store" : path;
}

}  // namespace

Error SqliteError(int code, std::string_view doing, std::string_view detail) {
  for (const CodeRow& row : kCodes) {
    if (row.code == code || row.code == (code & 0xff)) {
      return {row.as, fmt::format("{}: {}", doing, row.what), {}, {fmt::format("SQLite says: {}", detail)}};
    }
  }
  return {ErrorCode::kIo, fmt::format("{}: SQLite says: {}", doing, detail)};
}

SqliteStatement& SqliteStatement::Bind(int parameter, std::int64_t number) {
  sqlite3_bind_int64(statement_.get(), parameter, number);
  return *this;
}
SqliteStatement& SqliteStatement::Bind(int parameter, double number) {
  sqlite3_bind_double(statement_.get(), parameter, number);
  return *this;
}
SqliteStatement& SqliteStatement::Bind(int parameter, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), parameter, text.empty() ? "" : text.data(), text.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}
SqliteStatement& SqliteStatement::BindBlob(int parameter, std::string_view bytes) {
  sqlite3_bind_blob64(statement_.get(), parameter, bytes.empty() ? "" : bytes.data(), bytes.size(),
                      SQLITE_STATIC);
  return *this;
}
SqliteStatement& SqliteStatement::BindNull(int parameter) {
  sqlite3_bind_null(statement_.get(), parameter);
  return *this;
}

Result<bool> SqliteStatement::Step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement_.get());
    return false;
  }
  Error error = SqliteError(code, NameOf(sqlite3_db_handle(statement_.get())),
                            sqlite3_errmsg(sqlite3_db_handle(statement_.get())));
  sqlite3_reset(statement_.get());
  return error;
}

Status SqliteStatement::Run() {
  ASSAY_TRY([[maybe_unused]] const bool row, Step());
  if (row) Reset();
  return Ok();
}

void SqliteStatement::Reset() { sqlite3_reset(statement_.get()); }

std::int64_t SqliteStatement::Int(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double SqliteStatement::Double(int column) const { return sqlite3_column_double(statement_.get(), column); }
bool SqliteStatement::IsNull(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::string_view SqliteStatement::Text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  return {bytes == nullptr ? "" : bytes,
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

namespace {

// Whether a journal names another file, as that of a transaction over several databases does: SQLite would
// read the file and delete it. No store of assay has such a transaction (sqlite.org/fileformat2, 3.2).
bool NamesAnotherFile(const std::string& journal) {
  constexpr std::string_view kMark = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";  // its last bytes, behind the name
  const int file = open(journal.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  struct stat info {};
  char end[kMark.size()] = {};
  const bool is_read = fstat(file, &info) == 0 && info.st_size >= static_cast<off_t>(kMark.size()) &&
                       pread(file, end, kMark.size(), info.st_size - static_cast<off_t>(kMark.size())) ==
                           static_cast<ssize_t>(kMark.size());
  close(file);
  return is_read && std::string_view(end, kMark.size()) == kMark;
}

// Whether a database keeps what it writes in a -wal (sqlite.org/fileformat2, 1.3.3), as every store of assay
// does from its first row on. No such database has a -journal.
bool KeepsWal(const std::string& path) {
  constexpr off_t kVersionsAt = 18;  // of the format, to write and to read
  constexpr std::string_view kWal = "\x02\x02";
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  char versions[kWal.size()] = {};
  const bool is_read = pread(file, versions, kWal.size(), kVersionsAt) == static_cast<ssize_t>(kWal.size());
  close(file);
  return is_read && std::string_view(versions, kWal.size()) == kWal;
}

// A pipe or a device in the place of a database, or of what SQLite keeps beside it, would wait or deliver for
// ever. SQLite writes through links in the place of the latter, those who only read included.
Status CheckFiles(const std::string& path) {
  std::error_code unseen;
  const std::string real = std::filesystem::weakly_canonical(path, unseen).string();
  for (const char* beside : {"", "-wal", "-shm", "-journal"}) {
    const std::string name = (unseen ? path : real) + beside;
    struct stat info {};
    if (*beside != '\0' && lstat(name.c_str(), &info) == 0 && S_ISLNK(info.st_mode)) {
      return Error{ErrorCode::kRefused,
                   fmt::format("{} is a link, and nothing is written through links; remove it", name)};
    }
    if (*beside != '\0' && S_ISREG(info.st_mode) && info.st_nlink > 1) {
      return Error{
          ErrorCode::kRefused,
          fmt::format("{} is a hard link: another name leads to the same file, which would be written; "
                      "put a copy of it in its place, or delete it where no assay uses the store",
                      name)};
    }
    if (std::string_view(beside) == "-journal" && NamesAnotherFile(name)) {
      return Error{ErrorCode::kRefused,
                   fmt::format("{} names another file, which would be deleted; assay never leaves such a "
                               "journal: move it away, or delete it",
                               name)};
    }
    // SQLite would write it over the pages of the store, or cut the store off.
    if (std::string_view(beside) == "-journal" && lstat(name.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
        info.st_size > 0 && KeepsWal(path)) {
      return Error{ErrorCode::kRefused, fmt::format("{}: {}", path, kJournalBeside)};
    }
    if (stat(name.c_str(), &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) continue;
    return Error{
        ErrorCode::kRefused,
        fmt::format("{}: expected a store, found a pipe, socket or device; remove it, or name another "
                    "file with --store",
                    name)};
  }
  return Ok();
}

// Whoever put a link there does not decide where a reader makes files.
bool IsBehindLink(const std::string& path) {
  struct stat info {};
  return !NoLinkBelowHere(path) || (lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode));
}

// As a URI by which SQLite makes no file beside a database that it reads. It then sees nothing of a -wal.
Result<std::string> NameWithoutFiles(const std::string& path) {
  std::error_code unseen;
  const std::string real = std::filesystem::weakly_canonical(path, unseen).string();
  struct stat info {};
  if (stat(((unseen ? path : real) + "-wal").c_str(), &info) == 0 && info.st_size > 0) {
    return Error{
        ErrorCode::kRefused,
        fmt::format("{} is a link, or lies behind one, and reading the -wal there would make files; name "
                    "the file that it leads to with --store",
                    path)};
  }
  return fmt::format("file:{}?immutable=1", PercentEncoded(path));
}

// A new one that nobody else can read, since it will hold answers; SQLite gives what lies beside it the same
// mode. One that is there stays as it is, and where none can be made SQLite says why.
void MakeForOwner(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file >= 0) close(file);
}

// Of one text or blob: what SQL that says what tables there are needs, and what a row of a store may have.
constexpr int kSchemaBytesMax = 1 << 20;
constexpr int kOwnValueBytesMax = 1 << 29;
constexpr int kForeignValueBytesMax = 1 << 26;
constexpr int kSchemaStepsMax = 100'000;  // of SQLite's own machine, in one statement
constexpr int kPatternBytesMax = 64;      // of LIKE and GLOB, which no statement of a store has

int Stop(void*) { return 1; }

void Refuse(sqlite3_context* context, int, sqlite3_value**) { sqlite3_result_error(context, "refused", -1); }

// The functions of SQLite itself, but for the one that an index of version 13 has.
std::vector<std::string> FunctionNames() {
  std::vector<std::string> names;
  sqlite3* handle = nullptr;
  sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr);
  sqlite3_exec(
      handle, "SELECT DISTINCT name FROM pragma_function_list WHERE builtin AND name <> 'substr'",
      [](void* to, int, char** values, char**) {
        static_cast<std::vector<std::string>*>(to)->emplace_back(values[0]);
        return 0;
      },
      &names, nullptr);
  sqlite3_close_v2(handle);
  return names;
}

// SQLite reads what ANALYZE leaves with the tables, before anybody can look at them, and what a stranger's
// computes is computed. So a connection of its own that may call no function reads them first. What is wrong
// besides the next one finds.
// `name`: of a file, or a URI.
Status ComputesNothing(const std::string& name, int flags) {
  sqlite3* handle = nullptr;
  sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> database(handle, sqlite3_close_v2);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // What a killed process left in the -wal moves into the file once somebody notes it (FileWatch).
  sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_busy_timeout(handle, kSqliteBusyMs);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kSchemaBytesMax);
  sqlite3_progress_handler(handle, kSchemaStepsMax, Stop, nullptr);
  for (const std::string& function : FunctionNames()) {
    sqlite3_create_function_v2(handle, function.c_str(), -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nullptr, Refuse,
                               nullptr, nullptr, nullptr);
  }
  const int code = sqlite3_exec(handle, "SELECT 1 FROM sqlite_schema LIMIT 1", nullptr, nullptr, nullptr);
  return code == SQLITE_CORRUPT ? Status(SqliteError(code, NameOf(handle), sqlite3_errmsg(handle))) : Ok();
}

}  // namespace

void SqliteDatabase::TablesAreKnown(bool is_own) {
  sqlite3_limit(database_.get(), SQLITE_LIMIT_LENGTH, is_own ? kOwnValueBytesMax : kForeignValueBytesMax);
  sqlite3_progress_handler(database_.get(), 0, nullptr, nullptr);
}

Status SqliteDatabase::CheckPages() {
  // All pages; then, of what runs are found by, that no index lacks a row.
  for (const char* pragma : {"PRAGMA quick_check(1)", "PRAGMA integrity_check(run)",
                             "PRAGMA integrity_check(sitting)", "PRAGMA integrity_check(cell)"}) {
    ASSAY_TRY(SqliteStatement check, Prepare(pragma));
    ASSAY_TRY(const bool row, check.Step());
    if (row && check.Text(0) != "ok")
      return SqliteError(SQLITE_CORRUPT, NameOf(database_.get()), std::string(check.Text(0)).c_str());
  }
  return Ok();
}

namespace {

// As root, SQLite gives each -wal that it opens to the owner of the store. Where it is his already, that
// would only change the date of the file, by which a killed run's -wal is known.
int GiveToOwner(int file, uid_t owner, gid_t group) {
  struct stat info {};
  if (::fstat(file, &info) == 0 && info.st_uid == owner && info.st_gid == group) return 0;
  return ::fchown(file, owner, group);
}

void ReplaceChown() {
  sqlite3_vfs* files = sqlite3_vfs_find(nullptr);
  constexpr int kWithSystemCalls = 3;
  if (files == nullptr || files->iVersion < kWithSystemCalls) return;
  files->xSetSystemCall(files, "fchown", reinterpret_cast<sqlite3_syscall_ptr>(GiveToOwner));
}

}  // namespace

Result<SqliteDatabase> SqliteDatabase::Open(const std::string& path, int flags) {
  static const bool is_ready = (ReplaceChown(), true);
  static_cast<void>(is_ready);
  ASSAY_CHECK_OK(CheckFiles(path));
  std::string name = path;
  if ((flags & SQLITE_OPEN_READONLY) != 0 && IsBehindLink(path)) {
    ASSAY_TRY(name, NameWithoutFiles(path));
    flags |= SQLITE_OPEN_URI;
  }
  if ((flags & SQLITE_OPEN_CREATE) != 0) MakeForOwner(path);
  // Counting its memory costs SQLite two locks per allocation, and nobody reads the counts. Refused, without
  // harm, once SQLite is in use.
  static_cast<void>(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0));
  if ((flags & SQLITE_OPEN_MEMORY) == 0) ASSAY_CHECK_OK(ComputesNothing(name, flags));
  SqliteDatabase database;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  database.database_.reset(handle);
  if (code != SQLITE_OK) {
    return SqliteError(code, path, handle == nullptr ? "out of memory" : sqlite3_errmsg(handle));
  }
  sqlite3_extended_result_codes(handle, 1);
  // A store may come from somebody else: nothing in it runs, and it cannot be broken by SQL of its own.
  for (const int setting :
       {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA})
    sqlite3_db_config(handle, setting, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kSchemaBytesMax);
  sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, kPatternBytesMax);
  sqlite3_progress_handler(handle, kSchemaStepsMax, Stop, nullptr);
  // How a statement is run does not depend on what is bound: else each binding of a part, which an index of
  // cells names, would prepare it anew.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_QPSG, 1, nullptr);
  return database;
}

WalLeft MoveWal(sqlite3* database, int mode) {
  int frames = 0;
  int moved = 0;
  sqlite3_busy_timeout(database, 0);
  sqlite3_wal_checkpoint_v2(database, "main", mode, &frames, &moved);
  sqlite3_busy_timeout(database, kSqliteBusyMs);
  return {.frames = static_cast<std::uint32_t>(std::max(frames, 0)), .is_moved = frames == moved};
}

Status SqliteDatabase::Execute(const char* sql) {
  const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return SqliteError(code, NameOf(database_.get()), sqlite3_errmsg(database_.get()));
  return Ok();
}

Status SqliteDatabase::InTransaction(const std::function<Status()>& write) {
  ASSAY_CHECK_OK(Execute("BEGIN IMMEDIATE"));
  Status written = write();
  if (written) written = Execute("COMMIT");
  // The transaction may be gone already; what matters is that none of it stays.
  if (!written) static_cast<void>(Execute("ROLLBACK").has_value());
  return written;
}

Result<SqliteStatement> SqliteDatabase::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return SqliteError(code, NameOf(database_.get()), sqlite3_errmsg(database_.get()));
  return SqliteStatement(statement);
}

}  // namespace assay
