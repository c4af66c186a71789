// The stored form of marks.
//
// JSON: {"m":[[check, from, to, from, to...]...], "b":[[check, rule, from, to...]...],
// "e":[[check, in the corpus, retrieved, read, used, where it was retrieved, where it was read]...],
// "p":[[document, kind, from, to]...]}, of checks that have marks, of those that ran programs, of those that
// look for a text (1, 0 or null), and of an attempt with documents. What a store says of checks that are not
// there, or beyond the longest answer, is left out.
#include "spec/score/marks.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "spec/score/score.h"
#include "text/json/json.h"
#include "text/json/stored.h"

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

void AppendKnown(const std::optional<bool>& known, std::string& out) {
  out += known ? *known ? ",1" : ",0" : ",null";
}

// As the last members of what is there already.
void AppendPaths(const AttemptEvidence& evidence, std::string& out) {
  if (out.empty()) {
    out = "{\"e\":[";
  } else {
    out.pop_back();
    out += ",\"e\":[";
  }
  for (const EvidencePath& path : evidence.paths) {
    if (out.back() != '[') out += ',';
    out += '[';
    out += std::to_string(path.check);
    for (const std::optional<bool>& known : {path.in_corpus, path.retrieved, path.read})
      AppendKnown(known, out);
    AppendKnown(path.used, out);
    for (const std::string* at : {&path.retrieved_at, &path.read_at}) {
      out += ',';
      AppendJsonString(*at, out);
    }
    out += ']';
  }
  out += "],\"p\":[";
  for (const DocumentPassage& passage : evidence.passages) {
    if (out.back() != '[') out += ',';
    out += '[' + std::to_string(passage.document) + ',' + std::to_string(static_cast<int>(passage.kind)) +
           ',' + std::to_string(passage.range.from) + ',' + std::to_string(passage.range.to) + ']';
  }
  out += "]}";
}

EvidencePath PathIn(const List& list) {
  const auto known = [&list](std::size_t i) -> std::optional<bool> {
    if (i >= list.size() || !list[i].is_number()) return std::nullopt;
    return list[i].AsNumber() == 1;
  };
  const auto text = [&list](std::size_t i) {
    return i < list.size() && list[i].is_string() ? list[i].AsString() : std::string();
  };
  return {.check = static_cast<std::uint32_t>(*PlaceAt(list, 0)),
          .in_corpus = known(1),
          .retrieved = known(2),
          .read = known(3),
          .used = known(4).value_or(false),
          .retrieved_at = text(5),
          .read_at = text(6)};
}

Status ReadPassages(const Value& map, std::vector<DocumentPassage>& passages) {
  for (const Value& list : map.ListAt("p")) {
    if (!list.is_list()) return CorruptMarks();
    const std::optional<std::size_t> document = PlaceAt(list.AsList(), 0);
    const std::optional<std::size_t> kind = PlaceAt(list.AsList(), 1);
    const std::vector<TextRange> ranges = RangesIn(list.AsList(), 2);
    if (!document || !kind || *kind >= kPassageKinds || ranges.empty()) continue;
    if (passages.size() >= limits::kMarksOfAttemptMax) return Ok();
    passages.push_back({.document = static_cast<std::uint32_t>(std::min<std::size_t>(*document, 1u << 30)),
                        .kind = static_cast<PassageKind>(*kind),
                        .range = ranges.front()});
  }
  return Ok();
}

// Calls `take` with each list of a member, and its first number, a check.
template <class Take>
Status ForEachCheck(const Value& map, std::string_view name, const Take& take) {
  for (const Value& list : map.ListAt(name)) {
    const std::optional<std::size_t> check = list.is_list() ? PlaceAt(list.AsList(), 0) : std::nullopt;
    if (!check) return CorruptMarks();
    take(*check, list.AsList());
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
  std::string text = std::move(writer).Text();
  if (record.evidence) AppendPaths(*record.evidence, text);
  return text;
}

Status DecodeMarks(std::string_view text, AttemptRecord& record) {
  if (text.empty()) return Ok();
  const Result<Value> map = ParseStoredIn(text.size(), text);
  if (!map || !map->is_map()) return CorruptMarks();
  std::vector<Score>& scores = record.scores;
  ASSAY_CHECK_OK(ForEachCheck(*map, "m", [&scores](std::size_t check, const List& list) {
    if (check < scores.size()) scores[check].marks = RangesIn(list, 1);
  }));
  ASSAY_CHECK_OK(ForEachCheck(*map, "b", [&scores](std::size_t check, const List& list) {
    const std::optional<std::size_t> rule = PlaceAt(list, 1);
    if (check < scores.size() && rule && *rule < kBlockRules)
      scores[check].block = {.rule = static_cast<BlockRule>(*rule), .parts = RangesIn(list, 2)};
  }));
  record.evidence.reset();
  if (map->Find("e") == nullptr) return Ok();
  record.evidence.emplace();
  // An attempt without an answer has no scores.
  ASSAY_CHECK_OK(ForEachCheck(*map, "e", [&record](std::size_t, const List& list) {
    if (record.evidence->paths.size() < limits::kMarksOfAttemptMax)
      record.evidence->paths.push_back(PathIn(list));
  }));
  return ReadPassages(*map, record.evidence->passages);
}

}  // namespace assay
