// The language row of SQL: SQLite's shell over a database in memory; the first error ends it; ours, InfiBench
// has none. A test asserts with `INSERT INTO expect SELECT condition ...`: a row that is not true is an
// error.
#include "checks/code/code_blocks.h"
#include "checks/languages/rows.h"

namespace assay {
namespace {

constexpr std::string_view kSqlAccepted[] = {"sql"};
constexpr std::string_view kSqlArgv[] = {"sqlite3", "-bail", ":memory:", ".read main.sql"};

std::string SqlAssemble(std::string_view, std::string body) {
  return "CREATE TEMP TABLE expect(holds NOT NULL CHECK (holds));\n" + std::string(StripSpace(body));
}

}  // namespace

constexpr LanguageRow kSqlRow{
    .name = "sql",
    .toolchain = "sqlite",
    .accepted = kSqlAccepted,
    .help = "SQLite",
    .is_ours = true,
    .timeout = std::chrono::seconds(10),
    .file = "main.sql",
    .argv = kSqlArgv,
    .epilogue_file = "main.sql",
    .epilogue = "\n.shell printf %s @NONCE@ >&3\n",
    .assemble = SqlAssemble,
};

}  // namespace assay
