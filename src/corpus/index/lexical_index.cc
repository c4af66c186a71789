// The full-text index: postings are appended row by row as compressed numbers, and read front to back by
// searches.
#include "corpus/index/lexical_index.h"

#include <algorithm>
#include <cmath>

#include "corpus/index/words.h"
#include "corpus/limits.h"

namespace assay {

namespace {

constexpr double kK1 = 1.2;
constexpr double kB = 0.75;
constexpr double kLeastWeight = 1e-6;  // of a word that more than half of the rows have
constexpr std::size_t kFirstSlots = 1024;
constexpr std::size_t kTermBytesMin = 2;  // of a word of a query

std::uint64_t HashOf(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash ^ (hash >> 29);
}

void AppendNumber(std::string& bytes, std::uint32_t number) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>((number & 0x7fu) | 0x80u);
  bytes += static_cast<char>(number);
}

std::uint32_t ReadNumber(std::string_view bytes, std::size_t& at) {
  std::uint32_t number = 0;
  for (unsigned shift = 0; at < bytes.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    number |= static_cast<std::uint32_t>(byte & 0x7fu) << shift;
    if (byte < 0x80) break;
  }
  return number;
}

// Whether a row is in one of the ranges, which are ascending.
bool IsWithin(std::span<const RowSpan> ranges, RowIndex row) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), row,
                                      [](RowIndex at, const RowSpan& range) { return at < range.end; });
  return after != ranges.end() && after->first <= row;
}

bool IsMixed(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return c == '_' || static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace

std::vector<std::string> QueryTerms(std::string_view query) {
  std::vector<std::string> terms;
  PlainWords words(query.substr(0, limits::kQueryBytesMax));
  for (std::string_view word = words.Next(); !word.empty(); word = words.Next()) {
    if (word.size() >= kTermBytesMin) terms.emplace_back(word);
  }
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  if (terms.size() > limits::kQueryTermsMax) terms.resize(limits::kQueryTermsMax);
  return terms;
}

double TermShare(std::span<const std::string> terms, std::string_view text) {
  if (terms.empty()) return 0;
  const std::vector<std::string> sorted(terms.begin(), terms.end());
  std::vector<bool> found(sorted.size());
  PlainWords words(text);
  for (std::string_view word = words.Next(); !word.empty(); word = words.Next()) {
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), word);
    if (place != sorted.end() && *place == word)
      found[static_cast<std::size_t>(place - sorted.begin())] = true;
  }
  const auto count = static_cast<double>(std::count(found.begin(), found.end(), true));
  return count / static_cast<double>(sorted.size());
}

LexicalIndex::LexicalIndex() : slots_(kFirstSlots, 0) {}

std::string_view LexicalIndex::NameOf(const Term& term) const {
  return std::string_view(names_).substr(term.name_begin, term.name_size);
}

std::size_t LexicalIndex::SlotOf(std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = HashOf(name) & mask;
  while (slots_[slot] != 0 && NameOf(terms_[slots_[slot] - 1]) != name) slot = (slot + 1) & mask;
  return slot;
}

void LexicalIndex::Grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    slots_[SlotOf(NameOf(terms_[i]))] = static_cast<std::uint32_t>(i + 1);
  }
}

std::uint32_t LexicalIndex::TermFor(std::string_view name) {
  std::size_t slot = SlotOf(name);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  if ((terms_.size() + 1) * 4 > slots_.size() * 3) {
    Grow();
    slot = SlotOf(name);
  }
  Term term;
  term.name_begin = names_.size();
  term.name_size = static_cast<std::uint32_t>(name.size());
  names_ += name;
  terms_.push_back(std::move(term));
  slots_[slot] = static_cast<std::uint32_t>(terms_.size());
  return slots_[slot] - 1;
}

const LexicalIndex::Term* LexicalIndex::Find(std::string_view name) const {
  const std::uint32_t found = slots_[SlotOf(name)];
  return found == 0 ? nullptr : &terms_[found - 1];
}

void LexicalIndex::Append(Postings& postings, RowIndex row, std::uint32_t count) {
  AppendNumber(postings.bytes, row - postings.last_row);
  AppendNumber(postings.bytes, count);
  postings.last_row = row;
  ++postings.rows;
}

std::vector<LexicalIndex::Hit> LexicalIndex::Read(const Postings& postings) {
  std::vector<Hit> hits;
  hits.reserve(postings.rows);
  RowIndex row = 0;
  for (std::size_t at = 0; at < postings.bytes.size();) {
    row += ReadNumber(postings.bytes, at);
    hits.push_back({row, ReadNumber(postings.bytes, at)});
  }
  return hits;
}

void LexicalIndex::AddPlainWords(std::string_view text) {
  const auto row = static_cast<RowIndex>(row_words_.size());
  PlainWords plain(text);
  std::vector<std::uint32_t> seen;
  for (std::string_view word = plain.Next(); !word.empty(); word = plain.Next()) {
    if (word.size() < kTermBytesMin) continue;
    const std::uint32_t index = TermFor(word);
    if (terms_[index].is_plain_here) continue;
    terms_[index].is_plain_here = true;
    seen.push_back(index);
  }
  for (const std::uint32_t index : seen) {
    terms_[index].is_plain_here = false;
    Append(terms_[index].plain, row, 1);
  }
}

void LexicalIndex::AddRow(std::string_view text) {
  const auto row = static_cast<RowIndex>(row_words_.size());
  std::uint32_t count = 0;
  IndexWords words(text);
  for (std::string_view word = words.Next(); !word.empty(); word = words.Next()) {
    const std::uint32_t index = TermFor(word);
    if (terms_[index].count++ == 0) touched_.push_back(index);
    ++count;
  }
  for (const std::uint32_t index : touched_) {
    Append(terms_[index].words, row, terms_[index].count);
    terms_[index].count = 0;
  }
  touched_.clear();
  const bool is_mixed = IsMixed(text);
  if (is_mixed) AddPlainWords(text);
  mixed_.push_back(is_mixed);
  row_words_.push_back(count);
}

std::size_t LexicalIndex::size_bytes() const {
  std::size_t bytes = names_.capacity() + slots_.capacity() * sizeof(slots_[0]) +
                      terms_.capacity() * sizeof(Term) + row_words_.capacity() * sizeof(row_words_[0]);
  for (const Term& term : terms_) bytes += term.words.bytes.capacity() + term.plain.bytes.capacity();
  return bytes;
}

// Rows in which the parts of a term stand one behind the other, with how often.
std::vector<LexicalIndex::Hit> LexicalIndex::Phrase(std::string_view name, const TextOf& text_of,
                                                    std::span<const RowSpan> within) const {
  std::vector<std::string> parts;
  IndexWords split(name);
  for (std::string_view word = split.Next(); !word.empty(); word = split.Next()) parts.emplace_back(word);
  if (parts.empty()) return {};
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Term* term = Find(parts[i]);
    if (term == nullptr) return {};
    std::vector<Hit> next = Read(term->words);
    if (i == 0) {
      hits = std::move(next);
      continue;
    }
    std::vector<Hit> both;
    std::set_intersection(hits.begin(), hits.end(), next.begin(), next.end(), std::back_inserter(both),
                          [](const Hit& a, const Hit& b) { return a.row < b.row; });
    hits = std::move(both);
  }
  std::erase_if(hits, [within](const Hit& hit) { return !IsWithin(within, hit.row); });
  if (parts.size() == 1) return hits;
  for (Hit& hit : hits) {
    const std::string text = text_of(hit.row);
    IndexWords words(text);
    std::vector<std::string> last;
    hit.count = 0;
    for (std::string_view word = words.Next(); !word.empty(); word = words.Next()) {
      if (last.size() == parts.size()) last.erase(last.begin());
      last.emplace_back(word);
      if (last == parts) ++hit.count;
    }
  }
  std::erase_if(hits, [](const Hit& hit) { return hit.count == 0; });
  return hits;
}

std::vector<RowScore> LexicalIndex::Match(std::span<const std::string> terms, const TextOf& text_of) const {
  const RowSpan all{0, static_cast<RowIndex>(row_words_.size())};
  return Match(terms, text_of, {&all, 1});
}

std::vector<RowScore> LexicalIndex::Match(std::span<const std::string> terms, const TextOf& text_of,
                                          std::span<const RowSpan> within) const {
  std::size_t row_count = 0;
  std::uint64_t word_count = 0;
  for (const RowSpan& range : within) {
    row_count += range.end - range.first;
    for (RowIndex row = range.first; row < range.end; ++row) word_count += row_words_[row];
  }
  if (terms.empty() || row_count == 0) return {};
  const auto rows = static_cast<double>(row_count);
  const double mean_words = static_cast<double>(word_count) / rows;
  std::vector<RowScore> scores;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::vector<Hit> hits = Phrase(terms[i], text_of, within);
    if (hits.empty()) return {};
    const auto found = static_cast<double>(hits.size());
    double weight = std::log((rows - found + 0.5) / (found + 0.5));
    if (weight <= 0) weight = kLeastWeight;
    const auto score_of = [&](const Hit& hit) {
      const auto count = static_cast<double>(hit.count);
      const auto length = static_cast<double>(row_words_[hit.row]);
      return weight * ((count * (kK1 + 1)) / (count + kK1 * (1 - kB + kB * length / mean_words)));
    };
    std::vector<RowScore> both;
    both.reserve(i == 0 ? hits.size() : std::min(hits.size(), scores.size()));
    std::size_t at = 0;
    for (const Hit& hit : hits) {
      if (i == 0) {
        both.push_back({hit.row, score_of(hit)});
        continue;
      }
      while (at < scores.size() && scores[at].row < hit.row) ++at;
      if (at < scores.size() && scores[at].row == hit.row)
        both.push_back({hit.row, scores[at].score + score_of(hit)});
    }
    scores = std::move(both);
  }
  return scores;
}

std::vector<std::uint32_t> LexicalIndex::CountTerms(std::span<const std::string> terms, RowIndex first,
                                                    RowIndex end) const {
  std::vector<std::uint32_t> counts(end - first, 0);
  for (const std::string& name : terms) {
    const Term* term = Find(name);
    if (term == nullptr) continue;
    for (const Hit& hit : Read(term->words)) {
      if (hit.row >= first && hit.row < end && !mixed_[hit.row]) ++counts[hit.row - first];
    }
    for (const Hit& hit : Read(term->plain)) {
      if (hit.row >= first && hit.row < end) ++counts[hit.row - first];
    }
  }
  return counts;
}

}  // namespace assay
