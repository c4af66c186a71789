// ShotPool: the rows from which a question's examples come, and which of them it gets. The row itself is
// never one of them. A row's examples depend on no other question.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dataset/shots/options.h"
#include "dataset/table.h"

namespace assay::dataset {

// A row as examples see it.
struct ShotRow {
  std::string id;
  std::string content;     // canonical JSON
  std::string words = {};  // what the user says, white space squeezed; "": not known
  std::string per = {};    // the value of that column
  std::string spread = {};
  bool is_candidate = true;  // false: conditions leave it out
};

// Runs of white space become one blank, and those at the ends none.
std::string SqueezedWords(std::string_view text);
// All of a row but its words.
ShotRow ShotRowOf(const Row& row, const ShotOptions& options, const SourceFiles& sources);

class ShotPool {
 public:
  // Rows in file order.
  ShotPool(std::vector<ShotRow> rows, const ShotOptions& options);

  std::size_t size() const { return rows_.size(); }
  // The places of the examples of a row, in order: fewer than `options.count` where there are no more.
  std::vector<std::size_t> Pick(const ShotRow& question, const std::string& seed);

 private:
  // Candidates in one order, and for each value of `spread` where in it they stand. One list for all without.
  struct Order {
    std::vector<std::size_t> places;
    std::vector<std::vector<std::size_t>> lists;  // by their first candidate
  };
  using Places = std::unordered_map<std::string, std::vector<std::size_t>>;

  std::vector<std::size_t> ItselfIn(const ShotRow& question) const;
  // `question`: the row whose own order it is; null: the order of all.
  Order OrderOf(const std::vector<std::size_t>& candidates, std::string_view seed,
                const std::string* question) const;
  std::vector<std::size_t> FirstOf(const Order& order, const std::vector<std::size_t>& without) const;

  std::vector<ShotRow> rows_;
  std::size_t count_;
  ShotPick pick_;
  bool has_per_;
  bool has_spread_;
  Places by_id_, by_content_, by_words_;
  std::map<std::string, std::vector<std::size_t>> by_per_;       // "" for all without `per`
  std::map<std::pair<std::string, std::string>, Order> orders_;  // by seed and value of `per`
};

}  // namespace assay::dataset
