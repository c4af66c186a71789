// Makes the tables of a version in memory, and compares what SQLite keeps of both.
#include "store/sqlite/known_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <span>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "store/sqlite/schema.h"

namespace assay {

namespace {

// What ANALYZE leaves in a file.
constexpr std::string_view kOfAnalyze[] = {"CREATE TABLE sqlite_stat1(tbl,idx,stat)",
                                           "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"};

bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool IsOfWord(char c) { return IsAsciiAlphanumeric(c) || c == '_' || c == '\''; }

// Versions of SQLite write blanks, and quotes around the name of a table, in their own way when a table is
// altered. A blank between words stays, since `INTEGERPRIMARY KEY` is no key; so do other quotes, since
// `"PRIMARY" "KEY"` is none.
std::string InOneForm(std::string_view sql, std::string_view table) {
  std::string out;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    if (!IsBlank(sql[i])) {
      out += sql[i];
      continue;
    }
    while (i + 1 < sql.size() && IsBlank(sql[i + 1])) ++i;
    const bool is_between =
        !out.empty() && IsOfWord(out.back()) && i + 1 < sql.size() && IsOfWord(sql[i + 1]);
    if (is_between) out += ' ';
  }
  for (const std::string_view before : {"CREATE TABLE", "ON"}) {
    const std::string quoted = fmt::format("{}\"{}\"(", before, table);
    if (const std::size_t at = out.find(quoted); at != std::string::npos)
      out.replace(at, quoted.size(), fmt::format("{} {}(", before, table));
  }
  return out;
}

struct TableEntry {
  std::string type;
  std::string name;
  std::string table;
  std::string sql;  // InOneForm; "" of an index that SQLite makes by itself

  auto operator<=>(const TableEntry&) const = default;
};

Result<std::set<TableEntry>> EntriesOf(SqliteDatabase& database) {
  ASSAY_TRY(SqliteStatement select, database.Prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema"));
  std::set<TableEntry> entries;
  while (true) {
    ASSAY_TRY(const bool row, select.Step());
    if (!row) return entries;
    TableEntry entry{.type = std::string(select.Text(0)),
                     .name = std::string(select.Text(1)),
                     .table = std::string(select.Text(2)),
                     .sql = InOneForm(select.Text(3), select.Text(2))};
    const bool is_of_analyze =
        std::find(std::begin(kOfAnalyze), std::end(kOfAnalyze), entry.sql) != std::end(kOfAnalyze);
    if (!is_of_analyze) entries.insert(std::move(entry));
  }
}

Result<std::set<TableEntry>> EntriesOfVersion(std::int64_t version) {
  ASSAY_TRY(SqliteDatabase made,
            SqliteDatabase::Open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY));
  for (const char* step : SchemaSteps(0, version)) ASSAY_CHECK_OK(made.Execute(step));
  return EntriesOf(made);
}

// The name of one that is in the first alone; "" if there is none.
std::string FirstBeyond(const std::set<TableEntry>& entries, const std::set<TableEntry>& others) {
  for (const TableEntry& entry : entries) {
    if (!others.contains(entry)) return entry.name;
  }
  return {};
}

}  // namespace

Status CheckTablesAreKnown(SqliteDatabase& database, std::int64_t version, const std::string& path) {
  ASSAY_TRY(const std::set<TableEntry> entries, EntriesOf(database));
  ASSAY_TRY(const std::set<TableEntry> known, EntriesOfVersion(version));
  std::string other = FirstBeyond(entries, known);
  if (other.empty()) other = FirstBeyond(known, entries);
  if (other.empty()) return Ok();
  return Error{
      ErrorCode::kCorrupt,
      fmt::format("{}: the store is damaged, or something other than assay has changed its tables: a "
                  "store of version {} has another {}; move it away and run again",
                  path, version, Quoted(other))};
}

}  // namespace assay
