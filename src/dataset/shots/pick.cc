// Orders candidates by rank or place, and takes the first ones that are not the row itself.
#include "dataset/shots/pick.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/text/utf8.h"
#include "dataset/select/ids.h"
#include "dataset/select/select.h"
#include "text/javascript/text.h"

namespace assay::dataset {

namespace {

const std::vector<std::size_t>* PlacesOf(
    const std::unordered_map<std::string, std::vector<std::size_t>>& places, const std::string& key) {
  const auto found = places.find(key);
  return found == places.end() ? nullptr : &found->second;
}

bool IsAmong(std::size_t place, const std::vector<std::size_t>& places) {
  return std::binary_search(places.begin(), places.end(), place);
}

}  // namespace

std::string SqueezedWords(std::string_view text) {
  std::string out;
  bool is_between = false;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(text, at);
    if (IsJsSpace(decoded.code_point)) {
      is_between = !out.empty();
    } else {
      if (std::exchange(is_between, false)) out += ' ';
      out += text.substr(at, decoded.size_bytes);
    }
    at += decoded.size_bytes;
  }
  return out;
}

ShotRow ShotRowOf(const Row& row, const ShotOptions& options, const SourceFiles& sources) {
  ShotRow shot{.id = row.id, .content = CanonicalRow(row.cells)};
  if (options.per) shot.per = CellWords(row.cells, options.per->text, sources);
  if (options.spread) shot.spread = CellWords(row.cells, options.spread->text, sources);
  return shot;
}

ShotPool::ShotPool(std::vector<ShotRow> rows, const ShotOptions& options)
    : rows_(std::move(rows)),
      count_(options.count),
      pick_(options.pick),
      has_per_(options.per.has_value()),
      has_spread_(options.spread.has_value()) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i].is_candidate) continue;
    by_id_[rows_[i].id].push_back(i);
    by_content_[rows_[i].content].push_back(i);
    if (!rows_[i].words.empty()) by_words_[rows_[i].words].push_back(i);
    by_per_[has_per_ ? rows_[i].per : std::string()].push_back(i);
  }
}

std::vector<std::size_t> ShotPool::ItselfIn(const ShotRow& question) const {
  std::vector<std::size_t> places;
  for (const auto* found : {PlacesOf(by_id_, question.id), PlacesOf(by_content_, question.content),
                            question.words.empty() ? nullptr : PlacesOf(by_words_, question.words)}) {
    if (found != nullptr) places.insert(places.end(), found->begin(), found->end());
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

ShotPool::Order ShotPool::OrderOf(const std::vector<std::size_t>& candidates, std::string_view seed,
                                  const std::string* question) const {
  std::vector<std::pair<std::uint64_t, std::size_t>> ranked;
  ranked.reserve(candidates.size());
  for (const std::size_t place : candidates) {
    const std::string& id = rows_[place].id;
    const std::uint64_t rank = pick_ == ShotPick::kFirst ? 0
                               : question != nullptr
                                   ? RankOf("shots", seed, fmt::format("{}/{}", *question, id))
                                   : RankOf("shots", seed, id);
    ranked.emplace_back(rank, place);
  }
  std::sort(ranked.begin(), ranked.end());
  Order order;
  order.places.reserve(ranked.size());
  std::unordered_map<std::string_view, std::size_t> lists;
  for (const auto& [rank, place] : ranked) {
    const std::string_view value = has_spread_ ? std::string_view(rows_[place].spread) : std::string_view();
    const auto [found, is_new] = lists.emplace(value, order.lists.size());
    if (is_new) order.lists.emplace_back();
    order.lists[found->second].push_back(order.places.size());
    order.places.push_back(place);
  }
  return order;
}

// One of each list in turn, the lists in the order of their first candidates.
std::vector<std::size_t> ShotPool::FirstOf(const Order& order,
                                           const std::vector<std::size_t>& without) const {
  struct Left {
    const std::vector<std::size_t>* list;
    std::size_t at = 0;
    std::size_t position() const { return (*list)[at]; }
  };
  // False: no candidate is left of the list.
  const auto skip = [&](Left& left) {
    while (left.at < left.list->size() && IsAmong(order.places[left.position()], without)) ++left.at;
    return left.at < left.list->size();
  };
  // Only lists that lose their first candidate change places, and there are no more of them than rows to
  // leave out.
  const std::size_t considered = std::min(order.lists.size(), count_ + without.size());
  std::vector<Left> lefts;
  for (std::size_t i = 0; i < considered; ++i) {
    Left left{.list = &order.lists[i]};
    if (skip(left)) lefts.push_back(left);
  }
  std::sort(lefts.begin(), lefts.end(),
            [](const Left& a, const Left& b) { return a.position() < b.position(); });
  std::vector<std::size_t> chosen;
  while (chosen.size() < count_ && !lefts.empty()) {
    for (Left& left : lefts) {
      if (chosen.size() == count_) break;
      chosen.push_back(order.places[left.position()]);
      ++left.at;
    }
    std::erase_if(lefts, [&](Left& left) { return !skip(left); });
  }
  return chosen;
}

std::vector<std::size_t> ShotPool::Pick(const ShotRow& question, const std::string& seed) {
  if (count_ == 0) return {};
  const std::string per = has_per_ ? question.per : std::string();
  const auto candidates = by_per_.find(per);
  if (candidates == by_per_.end()) return {};
  const std::vector<std::size_t> itself = ItselfIn(question);
  if (pick_ == ShotPick::kEach) return FirstOf(OrderOf(candidates->second, seed, &question.id), itself);
  const auto [found, is_new] = orders_.try_emplace({seed, per});
  if (is_new) found->second = OrderOf(candidates->second, seed, nullptr);
  return FirstOf(found->second, itself);
}

}  // namespace assay::dataset
