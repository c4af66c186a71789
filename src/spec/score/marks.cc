// The stored form of marks.
//
// JSON: {"m":[[check, from, to, from, to...]...], "b":[[check, rule, from, to...]...]}, of checks that have marks,
// and of those that ran programs. What a store says of checks that are not there, or beyond the longest answer,
// is left out.
#include "spec/score/marks.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "spec/score/score.h"
#include "text/json/json.h"

namespace assay {

namespace {

Error CorruptMarks() {
  return {ErrorCode::kCorrupt, "the store is damaged: stored marks that no assay writes"};
}

// A whole number that an answer's length or a count may be; nothing for anything else.
std::optional<std::size_t> PlaceAt(const List& list, std::size_t i) {
  constexpr double kMost = 64.0 * limits::kReplyBytesMax;  // an answer may have several turns
  if (i >= list.size() || !list[i].is_number()) return std::nullopt;
  const double number = list[i].AsNumber();
  if (!(number >= 0 && number <= kMost)) return std::nullopt;
  return static_cast<std::size_t>(number);
}

// The pairs of a list from its `first` member on.
std::vector<TextRange> RangesIn(const List& list, std::size_t first) {
  std::vector<TextRange> ranges;
  for (std::size_t i = first; i + 1 < list.size(); i += 2) {
    const std::optional<std::size_t> from = PlaceAt(list, i);
    const std::optional<std::size_t> to = PlaceAt(list, i + 1);
    if (from && to) AddMark({*from, *to}, ranges);
  }
  return ranges;
}

// Writes without a tree: a run writes one for every attempt.
class MarksWriter {
 public:
  // A list of these numbers and the ranges; those of one member follow each other.
  void Add(std::string_view member, std::initializer_list<std::size_t> numbers,
           const std::vector<TextRange>& ranges) {
    if (left_ == 0) return;
    if (member != member_) {
      text_ += text_.empty() ? "{\"" : "],\"";
      text_ += member;
      text_ += "\":[";
      member_ = member;
    } else {
      text_ += ',';
    }
    text_ += '[';
    for (const std::size_t number : numbers) Append(number);
    for (const TextRange& range : ranges) {
      if (left_ == 0) break;
      --left_;
      Append(range.from);
      Append(range.to);
    }
    text_ += ']';
  }
  std::string Text() && {
    if (!text_.empty()) text_ += "]}";
    return std::move(text_);
  }

 private:
  void Append(std::size_t number) {
    if (text_.back() != '[') text_ += ',';
    text_ += std::to_string(number);
  }

  std::string text_;
  std::string_view member_;
  std::size_t left_ = limits::kMarksOfAttemptMax;
};

// Calls `take` with each list of a member whose first number is a check that is there.
template <class Take>
Status ForEachCheck(const Value& map, std::string_view name, AttemptRecord& record, const Take& take) {
  const Value* lists = map.Find(name);
  if (lists == nullptr || !lists->is_list()) return Ok();
  for (const Value& list : lists->AsList()) {
    const std::optional<std::size_t> check = list.is_list() ? PlaceAt(list.AsList(), 0) : std::nullopt;
    if (!check) return CorruptMarks();
    if (*check < record.scores.size()) take(list.AsList(), record.scores[*check]);
  }
  return Ok();
}

}  // namespace

void AddMark(TextRange range, std::vector<TextRange>& marks) {
  if (range.empty() || marks.size() >= limits::kMarksOfCheckMax) return;
  if (std::find(marks.begin(), marks.end(), range) == marks.end()) marks.push_back(range);
}

std::string EncodeMarks(const AttemptRecord& record) {
  MarksWriter writer;
  for (std::size_t i = 0; i < record.scores.size(); ++i) {
    const std::vector<TextRange>& marks = record.scores[i].marks;
    if (!marks.empty()) writer.Add("m", {i}, marks);
  }
  for (std::size_t i = 0; i < record.scores.size(); ++i) {
    const std::optional<GradedBlock>& block = record.scores[i].block;
    if (block) writer.Add("b", {i, static_cast<std::size_t>(block->rule)}, block->parts);
  }
  return std::move(writer).Text();
}

Status DecodeMarks(std::string_view text, AttemptRecord& record) {
  if (text.empty()) return Ok();
  const Result<Value> map = ParseJson(text);
  if (!map || !map->is_map()) return CorruptMarks();
  ASSAY_CHECK_OK(ForEachCheck(*map, "m", record,
                              [](const List& list, Score& score) { score.marks = RangesIn(list, 1); }));
  return ForEachCheck(*map, "b", record, [](const List& list, Score& score) {
    const std::optional<std::size_t> rule = PlaceAt(list, 1);
    if (rule && *rule < kBlockRules)
      score.block = {.rule = static_cast<BlockRule>(*rule), .parts = RangesIn(list, 2)};
  });
}

}  // namespace assay
