// Tests of the full-text index against a table of SQLite's FTS5 over the same texts: the same rows, the same
// scores.
#include <doctest/doctest.h>
#include <sqlite3.h>

#include <map>
#include <memory>
#include <string>

#include "corpus/index/lexical_index.h"

namespace assay {
namespace {

class FtsTable {
 public:
  explicit FtsTable(std::span<const std::string> texts) {
    REQUIRE(sqlite3_open(":memory:", &db_) == SQLITE_OK);
    Run("create virtual table rows using fts5(body)", {});
    for (const std::string& text : texts) Run("insert into rows(body) values (?)", text);
  }
  ~FtsTable() { sqlite3_close(db_); }
  FtsTable(const FtsTable&) = delete;
  FtsTable& operator=(const FtsTable&) = delete;

  std::map<RowIndex, double> Match(std::span<const std::string> terms) {
    std::string query;
    for (const std::string& term : terms) query += (query.empty() ? "\"" : " AND \"") + term + "\"";
    return Run("select rowid, bm25(rows) from rows where rows match ?", query);
  }

 private:
  std::map<RowIndex, double> Run(const char* sql, const std::string& argument) {
    sqlite3_stmt* raw = nullptr;
    REQUIRE(sqlite3_prepare_v2(db_, sql, -1, &raw, nullptr) == SQLITE_OK);
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
    sqlite3_bind_text(raw, 1, argument.data(), static_cast<int>(argument.size()), SQLITE_STATIC);
    std::map<RowIndex, double> rows;
    int state = sqlite3_step(raw);
    for (; state == SQLITE_ROW; state = sqlite3_step(raw)) {
      rows[static_cast<RowIndex>(sqlite3_column_int64(raw, 0) - 1)] = -sqlite3_column_double(raw, 1);
    }
    REQUIRE(state == SQLITE_DONE);
    return rows;
  }

  sqlite3* db_ = nullptr;
};

// Rows of up to sixty words out of thirty, some of them with accents, underscores and marks; the seed
// decides.
std::vector<std::string> Texts(std::size_t count) {
  static constexpr const char* kWords[] = {"valve",
                                           "Valve,",
                                           "block",
                                           "BLOCK",
                                           "foo_bar",
                                           "foo",
                                           "bar",
                                           "caf\xc3\xa9",
                                           "cafe",
                                           "\xc3\x9c"
                                           "ber",
                                           "uber",
                                           "3.5",
                                           "days",
                                           "a",
                                           "the",
                                           "e\xcc\x81t\xc3\xa9",
                                           "\xe6\xb0\xb4",
                                           "water-meter",
                                           "water",
                                           "meter",
                                           "x\xe2\x80\x99s",
                                           "_",
                                           "\xce\xa3\xce\x99\xce\x93\xce\x9c\xce\x91",
                                           "litre",
                                           "litres",
                                           "\xe2\x84\xa2",
                                           "2\xc2\xb2",
                                           "rule",
                                           "ru\xcc\x88le",
                                           "on"};
  std::vector<std::string> texts;
  std::uint32_t seed = 7;
  for (std::size_t row = 0; row < count; ++row) {
    std::string text;
    seed = seed * 1664525u + 1013904223u;
    for (std::uint32_t words = (seed >> 16) % 60; words > 0; --words) {
      seed = seed * 1664525u + 1013904223u;
      text += std::string(kWords[(seed >> 16) % std::size(kWords)]) + " ";
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

TEST_CASE("scores are those of an FTS5 table") {
  for (const std::size_t rows : {std::size_t{1}, std::size_t{7}, std::size_t{200}}) {
    const std::vector<std::string> texts = Texts(rows);
    FtsTable table(texts);
    LexicalIndex index;
    for (const std::string& text : texts) index.AddRow(text);
    for (const std::string query :
         {"valve", "block valve", "cafe", "foo_bar", "foo bar", "the rule on days", "ete", "uber water",
          "water meter", "nowhere", "valve nowhere", "litres litre"}) {
      CAPTURE(query);
      const std::vector<std::string> terms = QueryTerms(query);
      const std::map<RowIndex, double> want = table.Match(terms);
      const std::vector<RowScore> got = index.Match(terms, [&texts](RowIndex row) { return texts[row]; });
      REQUIRE(got.size() == want.size());
      for (const RowScore& score : got)
        CHECK(score.score == doctest::Approx(want.at(score.row)).epsilon(1e-14));
    }
  }
}

TEST_CASE("shares by the index are those by reading the text again") {
  const std::vector<std::string> texts = Texts(200);
  LexicalIndex index;
  for (const std::string& text : texts) index.AddRow(text);
  for (const std::string query :
       {"foo foo_bar caf cafe", "valve rule ete xx", "2 3 5", "days litres ber uber"}) {
    const std::vector<std::string> terms = QueryTerms(query);
    const std::vector<std::uint32_t> counts = index.CountTerms(terms, 20, 180);
    REQUIRE(counts.size() == 160);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double share =
          terms.empty() ? 0 : static_cast<double>(counts[i]) / static_cast<double>(terms.size());
      CHECK(share == TermShare(terms, texts[20 + i]));
    }
  }
}

TEST_CASE("an empty index, empty rows and empty queries find nothing") {
  LexicalIndex index;
  const auto none = [](RowIndex) { return std::string(); };
  CHECK(index.Match(QueryTerms("valve"), none).empty());
  index.AddRow("");
  CHECK(index.Match(QueryTerms("valve"), none).empty());
  CHECK(index.Match(QueryTerms("? ! a"), none).empty());
  CHECK(QueryTerms("B a bb BB _ __ b_").size() == 3);
}

}  // namespace
}  // namespace assay
