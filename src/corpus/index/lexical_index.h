// Full-text index over rows of text (chunks), scored as SQLite's FTS5 scores by default: bm25 with k1 1.2 and
// b 0.75 over words of unicode61. Filled row by row, then immutable: searches take no lock.
//
// Beside those words it knows in which rows a plain word (corpus/index/words.h) stands, for the share of a
// query's words that a row has. source: spec research 9.3; the formula is FTS5's documented one, and a
// test compares with a real FTS5 table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

using RowIndex = std::uint32_t;

// Different words of a query in lower case, [a-z0-9_]{2,}, sorted; at most limits::kQueryTermsMax.
std::vector<std::string> QueryTerms(std::string_view query);
// The share of `terms` that are among the plain words of `text`; 0 without terms.
double TermShare(std::span<const std::string> terms, std::string_view text);

// Rows first to end - 1.
struct RowSpan {
  RowIndex first = 0;
  RowIndex end = 0;
};

struct RowScore {
  RowIndex row = 0;
  double score = 0;
};

class LexicalIndex {
 public:
  LexicalIndex();

  void AddRow(std::string_view text);  // rows count from 0
  std::size_t rows() const { return row_words_.size(); }
  std::size_t size_bytes() const;  // about what it holds in memory

  // Rows that have every term, ascending, with bm25 (greater is better). A term with underscores is a phrase
  // of its parts; `text_of` shows a row again, and is asked for candidates of phrases only. `within`,
  // ascending: the only rows that are searched and counted, as if no others were there.
  using TextOf = std::function<std::string(RowIndex)>;
  std::vector<RowScore> Match(std::span<const std::string> terms, const TextOf& text_of,
                              std::span<const RowSpan> within) const;
  std::vector<RowScore> Match(std::span<const std::string> terms, const TextOf& text_of) const;

  // For rows first to end - 1: how many of `terms` each has as plain words.
  std::vector<std::uint32_t> CountTerms(std::span<const std::string> terms, RowIndex first,
                                        RowIndex end) const;

 private:
  // Rows as differences and counts, seven bits a byte.
  struct Postings {
    std::string bytes;
    std::uint32_t rows = 0;
    std::uint32_t last_row = 0;
  };
  struct Term {
    std::size_t name_begin = 0;
    std::uint32_t name_size = 0;
    std::uint32_t count = 0;     // in the row being added
    bool is_plain_here = false;  // in the row being added
    Postings words;
    Postings plain;  // rows with words of other kinds only; see `mixed_`
  };
  struct Hit {
    RowIndex row;
    std::uint32_t count;
  };

  std::uint32_t TermFor(std::string_view name);
  const Term* Find(std::string_view name) const;
  std::string_view NameOf(const Term& term) const;
  std::size_t SlotOf(std::string_view name) const;
  void Grow();
  void AddPlainWords(std::string_view text);
  static void Append(Postings& postings, RowIndex row, std::uint32_t count);
  static std::vector<Hit> Read(const Postings& postings);
  std::vector<Hit> Phrase(std::string_view term, const TextOf& text_of,
                          std::span<const RowSpan> within) const;

  std::string names_;
  std::vector<Term> terms_;
  std::vector<std::uint32_t> slots_;      // term + 1 by hash, open addressing; 0 is free
  std::vector<std::uint32_t> touched_;    // terms of the row being added
  std::vector<std::uint32_t> row_words_;  // words of each row
  // Rows whose plain words are not simply their words, since they have underscores or other letters than
  // ASCII's: their plain words are listed apart.
  std::vector<bool> mixed_;
};

}  // namespace assay
