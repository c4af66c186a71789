// The stored form of marks.
//
// JSON: {"m":[[check, from, to, from, to...]...], "b":[[check, rule, from, to...]...],
// "e":[[check, in the corpus, retrieved, read, used, where it was retrieved, where it was read]...],
// "p":[[document, kind, from, to]...]}, of checks that have marks, of those that ran programs, of those that
// look for a text (1, 0 or null), and of an attempt with documents. What a store says of checks that are not
// there, or beyond the longest answer, is left out.
#include "spec/score/marks.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/limits.h"
#include "spec/score/score.h"
#include "text/json/json.h"
#include "text/json/record.h"
#include "text/json/stored.h"

namespace assay {

namespace {

constexpr double kPlacesMax = 64.0 * limits::kReplyBytesMax;  // an answer may have several turns
constexpr double kChecksMax = 1u << 30;

// A row of "m" and of "b". Rules and kinds are numbers here, since a store may have others.
struct MarksOfCheck {
  std::size_t check = 0;
  std::vector<TextRange> ranges = {};
};
struct BlockOfCheck {
  std::size_t check = 0;
  std::size_t rule = 0;
  std::vector<TextRange> parts = {};
};
struct StoredPassage {
  std::size_t document = 0;
  std::size_t kind = 0;
  TextRange range = {};
};

struct StoredMarks {
  std::vector<MarksOfCheck> marks = {};
  std::vector<BlockOfCheck> blocks = {};
  std::optional<std::vector<EvidencePath>> paths = {};  // absent, as `passages`: of no attempt with documents
  std::vector<StoredPassage> passages = {};
};

}  // namespace

namespace record {

// The pairs of from and to at the end of a list. What no text has is left out.
template <class T>
struct Ranges {
  T& value;
  std::size_t size() const { return 2 * value.size(); }
  void AppendAt(std::size_t i, std::string& out) const {
    const TextRange& range = value[i / 2];
    out += std::to_string(i % 2 == 0 ? range.from : range.to);
  }
  bool ReadFrom(const List& list, std::size_t at) const {
    for (; at + 1 < list.size(); at += 2) {
      TextRange range;
      if (Whole{range.from, kPlacesMax}.Read(list[at]) && Whole{range.to, kPlacesMax}.Read(list[at + 1]))
        AddMark(range, value);
    }
    return true;
  }
};

// 1, 0, or null where nobody knows.
template <class T>
struct Known {
  T& value;
  void Append(std::string& out) const { out += value ? *value ? "1" : "0" : "null"; }
  bool Read(const Value& read) const {
    bool is_so = false;
    if (read.is_null()) return true;
    if (!Whole{is_so, 1}.Read(read)) return false;
    value = is_so;
    return true;
  }
};

template <>
struct PlacesOf<MarksOfCheck> {
  template <class Marks, class Visitor>
  static void Visit(Marks& marks, Visitor&& visit) {
    visit.Needed(Whole{marks.check, kPlacesMax});
    visit.Rest(Ranges{marks.ranges});
  }
};
template <>
struct PlacesOf<BlockOfCheck> {
  template <class Block, class Visitor>
  static void Visit(Block& block, Visitor&& visit) {
    visit.Needed(Whole{block.check, kPlacesMax}, Whole{block.rule, kPlacesMax});
    visit.Rest(Ranges{block.parts});
  }
};
template <>
struct PlacesOf<EvidencePath> {
  template <class Path, class Visitor>
  static void Visit(Path& path, Visitor&& visit) {
    visit.Needed(Whole{path.check, kChecksMax}, Known{path.in_corpus}, Known{path.retrieved},
                 Known{path.read}, Whole{path.used, 1}, Text{path.retrieved_at}, Text{path.read_at});
  }
};
template <>
struct PlacesOf<StoredPassage> {
  template <class Passage, class Visitor>
  static void Visit(Passage& passage, Visitor&& visit) {
    visit.Needed(Whole{passage.document, kPlacesMax}, Whole{passage.kind, kPlacesMax},
                 Whole{passage.range.from, kPlacesMax}, Whole{passage.range.to, kPlacesMax});
  }
};

}  // namespace record

namespace {

template <class Marks, class Visitor>
void VisitMarks(Marks& marks, Visitor&& visit) {
  visit("m", record::Records{marks.marks});
  visit("b", record::Records{marks.blocks});
  if (!marks.paths) return;
  visit.Always("e", record::Records{*marks.paths});
  visit.Always("p", record::Records{marks.passages});
}

// So many of the ranges as are left of an attempt's.
std::vector<TextRange> Some(std::span<const TextRange> ranges, std::size_t& left) {
  const std::span<const TextRange> some = ranges.first(std::min(left, ranges.size()));
  left -= some.size();
  return {some.begin(), some.end()};
}

}  // namespace

void AddMark(TextRange range, std::vector<TextRange>& marks) {
  if (range.empty() || marks.size() >= limits::kMarksOfCheckMax) return;
  if (std::find(marks.begin(), marks.end(), range) == marks.end()) marks.push_back(range);
}

std::string EncodeMarks(const AttemptRecord& record) {
  StoredMarks marks;
  std::size_t left = limits::kMarksOfAttemptMax;
  for (std::size_t i = 0; i < record.scores.size() && left > 0; ++i) {
    const std::vector<TextRange>& ranges = record.scores[i].marks;
    if (!ranges.empty()) marks.marks.push_back({.check = i, .ranges = Some(ranges, left)});
  }
  for (std::size_t i = 0; i < record.scores.size() && left > 0; ++i) {
    const std::optional<GradedBlock>& block = record.scores[i].block;
    if (!block) continue;
    const auto rule = static_cast<std::size_t>(block->rule);
    marks.blocks.push_back({.check = i, .rule = rule, .parts = Some(block->parts, left)});
  }
  if (record.evidence) {
    marks.paths = record.evidence->paths;
    for (const DocumentPassage& each : record.evidence->passages) {
      const auto kind = static_cast<std::size_t>(each.kind);
      marks.passages.push_back({.document = each.document, .kind = kind, .range = each.range});
    }
  }
  std::string text = "{";
  VisitMarks(marks, record::MemberWriter(text));
  return text.size() > 1 ? text + "}" : std::string();
}

Status DecodeMarks(std::string_view text, AttemptRecord& record) {
  if (text.empty()) return Ok();
  const Error corrupt{ErrorCode::kCorrupt, "the store is damaged: stored marks that no assay writes"};
  const Result<Value> map = ParseStoredIn(text.size(), text);
  if (!map || !map->is_map()) return corrupt;
  StoredMarks marks;
  if (map->Find("e") != nullptr) marks.paths.emplace();
  record::MemberReader reader(*map);
  VisitMarks(marks, reader);
  if (!reader.good()) return corrupt;
  for (MarksOfCheck& each : marks.marks)
    if (each.check < record.scores.size()) record.scores[each.check].marks = std::move(each.ranges);
  for (BlockOfCheck& each : marks.blocks) {
    if (each.check < record.scores.size() && each.rule < kBlockRules)
      record.scores[each.check].block = {.rule = static_cast<BlockRule>(each.rule),
                                         .parts = std::move(each.parts)};
  }
  record.evidence.reset();
  if (!marks.paths) return Ok();
  // An attempt without an answer has no scores.
  AttemptEvidence& evidence = record.evidence.emplace();
  evidence.paths = *std::move(marks.paths);
  if (evidence.paths.size() > limits::kMarksOfAttemptMax) evidence.paths.resize(limits::kMarksOfAttemptMax);
  constexpr std::size_t kDocumentsMax = 1u << 30;
  for (const StoredPassage& each : marks.passages) {
    if (each.kind >= kPassageKinds || each.range.empty()) continue;
    if (evidence.passages.size() >= limits::kMarksOfAttemptMax) break;
    evidence.passages.push_back(
        {.document = static_cast<std::uint32_t>(std::min(each.document, kDocumentsMax)),
         .kind = static_cast<PassageKind>(each.kind),
         .range = each.range});
  }
  return Ok();
}

}  // namespace assay
