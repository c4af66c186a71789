// SqliteDatabase and SqliteStatement: owning wrappers around SQLite's C interface; failures are Errors.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "store/records/file_watch.h"

namespace assay {

class SqliteStatement {
 public:
  SqliteStatement() = default;
  explicit SqliteStatement(sqlite3_stmt* statement) : statement_(statement) {}

  // Parameters count from 1. Bound text and blobs are borrowed until the statement is reset.
  SqliteStatement& Bind(int parameter, std::int64_t number);
  SqliteStatement& Bind(int parameter, double number);
  SqliteStatement& Bind(int parameter, std::string_view text);
  SqliteStatement& BindBlob(int parameter, std::string_view bytes);
  SqliteStatement& BindNull(int parameter);

  // True: a row is there; false: done. Resets the statement when done or failed.
  Result<bool> Step();
  // For statements without rows.
  Status Run();
  void Reset();

  std::int64_t Int(int column) const;
  double Double(int column) const;
  bool IsNull(int column) const;
  std::string_view Text(int column) const;  // valid until the next step; blobs too

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

inline constexpr int kSqliteBusyMs = 2'000;  // how long a lock of the file is waited for

// A checkpoint of SQLite's that waits for nobody.
WalLeft MoveWal(sqlite3* database, int mode);

class SqliteDatabase {
 public:
  static constexpr std::string_view kCellsByScore = "cell INDEXED BY cell_by_score";

  // A file may be a stranger's: what its tables compute stays short until they are found to be known.
  static Result<SqliteDatabase> Open(const std::string& path, int flags);
  void TablesAreKnown(bool is_own);
  // kCorrupt: a page is damaged, or part of two tables or rows, so that it would be read again and again.
  Status CheckPages();
  Status Execute(const char* sql);  // several statements, no parameters
  // All of it or, where any of it fails, nothing.
  Status InTransaction(const std::function<Status()>& write);
  Result<SqliteStatement> Prepare(std::string_view sql);
  // Called before each commit, and after it with the number of pages that the -wal now has, in place of
  // SQLite's own hook, which writes them into the file from time to time.
  using CommitHook = int (*)(void* context);
  using WalHook = int (*)(void* context, sqlite3* database, const char* name, int pages);
  void OnCommit(CommitHook before, WalHook after, void* context) {
    sqlite3_commit_hook(database_.get(), before, context);
    sqlite3_wal_hook(database_.get(), after, context);
  }
  // Moves what of the -wal no reader looks at into the file.
  WalLeft MoveWal() { return assay::MoveWal(database_.get(), SQLITE_CHECKPOINT_PASSIVE); }
  // Moves all, and empties the -wal; less, where a reader needs it.
  WalLeft EmptyWal() { return assay::MoveWal(database_.get(), SQLITE_CHECKPOINT_TRUNCATE); }
  // Closing writes nothing from the -wal into the file.
  void LeaveWal() { sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr); }
  bool IsInTransaction() const { return sqlite3_get_autocommit(database_.get()) == 0; }
  std::int64_t LastInsertId() const { return sqlite3_last_insert_rowid(database_.get()); }

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  std::unique_ptr<sqlite3, Close> database_;
};

// SQLite's result code as an Error: full disk, locked, damaged, read-only and so on, each with what to do.
Error SqliteError(int code, std::string_view doing, std::string_view detail);

}  // namespace assay
