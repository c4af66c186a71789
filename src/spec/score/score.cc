// Scores and their stored form.
//
// Version 1, JSON: {"v":1,"s":[score...],"k":[key point...]?,"d":details?,"u":[usage...]?,
// "c":[[id, name, arguments]...]?,"t":{name:ms}?,"e":[events]?,"ur":{name:counts}?,"a":what its generator
// told else?,"g":why nothing was graded?,"x":why there is no answer?,"xc":its class?}, a score being
// [state, value|null, max, explanation, error, grader, [[source, value, text, 1 if it was repaired,
// [vote...]?, votes that its words speak against?]...],
// answer, [[wanted, found, sentence, share, points, weight, program]...], remark, metric, 1 if the answer has
// no part to grade, 1 or 0 where the check says itself whether it holds], cut after its last member that is
// not the default; a value of null is NaN. `answer` is [value, max] where code of the suite's own gave whole
// numbers of Python for them; older versions kept a map of what a format's file tells there.
#include "spec/score/score.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "spec/exchange/reply_places.h"
#include "spec/limits.h"
#include "text/json/record.h"
#include "text/json/stored.h"

namespace assay {

namespace {

// What a number of a score may be: handlers of a suite's own give more than their maximum, and less than 0.
using record::Range;
constexpr Range kNumberOrNan{.takes_nan = true};
constexpr Range kVote{.low = 0, .high = 1};

Error NoSuchScore() {
  return {ErrorCode::kCorrupt, "the store is damaged: a stored score that no check gives"};
}

}  // namespace

namespace record {

// 1 or 0; null in a list where it is absent.
template <class T>
struct OptionalTruth {
  T& value;
  bool IsUsual() const { return !value; }
  void Append(std::string& out) const { out += !value ? "null" : *value ? "1" : "0"; }
  bool Read(const Value& read) const {
    if (read.is_null()) return true;
    const double number = read.is_number() ? read.AsNumber() : -1;
    if (number == 0 || number == 1) value = number == 1;
    return value.has_value();
  }
};

template <>
struct PlacesOf<Measure> {
  template <class Measure, class Visitor>
  static void Visit(Measure& measure, Visitor&& visit) {
    visit.Needed(Text{measure.name}, Real{measure.value, kNumberOrNan});
  }
};

template <>
struct PlacesOf<ScoreItem> {
  template <class Item, class Visitor>
  static void Visit(Item& item, Visitor&& visit) {
    visit.Needed(Text{item.wanted}, Text{item.found}, Text{item.sentence}, Real{item.share, kNumberOrNan},
                 Real{item.points, kNumberOrNan}, Real{item.weight, kNumberOrNan});
    visit(Text{item.program});
    visit(OptionalText{item.given}, Text{item.against}, Whole{item.is_unwanted, 1}, Records{item.measures});
  }
};

template <>
struct PlacesOf<Evidence> {
  template <class Evidence, class Visitor>
  static void Visit(Evidence& voice, Visitor&& visit) {
    constexpr std::size_t kVotesMost = limits::kJudgeVotesMax;
    visit.Needed(Text{voice.source}, Real{voice.value, kVote}, Text{voice.text});
    visit(Whole{voice.repaired, 1});
    visit(Reals{voice.votes, kVote, kVotesMost}, Whole{voice.against, static_cast<double>(kVotesMost)});
  }
};

// Whoever counts with a member, or looks something up by it, relies on its type and its range: a wrong one
// makes the whole score damage.
template <>
struct PlacesOf<Score> {
  template <class Score, class Visitor>
  static void Visit(Score& score, Visitor&& visit) {
    visit.Needed(Whole{score.state, static_cast<double>(ScoreState::kMissing)},
                 Real{score.value, kNumberOrNan});
    visit(Real{score.max, Range(), 1});
    visit(Text{score.explanation});
    visit(Text{score.error});
    visit(Text{score.grader});
    visit(Records{score.evidence});
    visit(Encoded{score.answer});
    visit(Records{score.items});
    visit(Encoded{score.remark});
    visit(Text{score.metric});
    visit(Whole{score.found_nothing, 1});
    visit(OptionalTruth{score.verdict});
  }
};

template <>
struct PlacesOf<ServedAs> {
  template <class Served, class Visitor>
  static void Visit(Served& served, Visitor&& visit) {
    visit.Needed(Whole{served.role, static_cast<double>(kLastRequestRole)}, Record{served.by});
  }
};

}  // namespace record

namespace {

// {name: ms}; what is no number is left out.
template <class T>
struct Timings {
  static constexpr double kMost = 1e12;
  T& value;
  bool IsUsual() const { return value.empty(); }
  Value Stored() const {
    Map map;
    for (const auto& [name, ms] : value) map.Append(name, ms);
    return map;
  }
  bool Read(const Value& read) const {
    if (!read.is_map()) return true;
    for (const Member& timing : read.AsMap()) {
      if (timing.value.is_number())
        value.emplace_back(timing.key, std::clamp(timing.value.AsNumber(), -kMost, kMost));
    }
    return true;
  }
};

// {role of a generator: counts}.
template <class T>
struct NamedUsages {
  T& value;
  bool IsUsual() const { return value.empty(); }
  void Append(std::string& out) const {
    out += '{';
    record::MemberWriter writer(out);
    for (const auto& [name, usage] : value) writer.Always(name, record::Record{usage});
    out += '}';
  }
  bool Read(const Value& read) const {
    if (!read.is_map()) return true;
    for (const Member& usage : read.AsMap()) {
      if (!usage.value.is_list()) continue;
      Usage& used = value.emplace_back(usage.key, Usage{.known = true}).second;
      static_cast<void>(record::ReadPlaces(usage.value, used));
    }
    return true;
  }
};

// The members of a stored attempt behind its scores. Those of a generator are as it told them: of another
// kind, they are none.
template <class Record, class Visitor>
void VisitMembers(Record& record, Visitor&& visit) {
  auto& said = record.transcript;
  visit("k", record::Texts{record.key_points});
  visit("d", record::Any{record.details});
  visit("u", UsageParts{record.usage});
  visit("m", record::Loose{record::Records{record.served}});
  visit("c", record::Loose{record::Records{said.told.tool_calls}});
  visit("t", Timings{said.told.timings_ms});
  visit("e", record::Loose{record::Items{said.told.events}});
  visit("ur", NamedUsages{said.told.usage_by_role});
  visit("a", record::Any{said.told.details});
  visit("g", record::Loose{record::Text{record.grading_error}});
  visit("x", record::Loose{record::Text{said.error}});
  visit("b", record::Loose{record::Text{said.answered_by}});
  visit("l", record::Loose{record::Flag{said.is_cut}});
  visit("xc", record::Loose{record::Text{said.error_class}});
}

// Reads what nearly all stored attempts are, {"v":1,"s":[[state,value]...],"u":[[role,count...]...],
// "m":[...]} with or without "u" and "m", and without building a tree: reports read each of them several
// times.
class PlainReader {
 public:
  explicit PlainReader(std::string_view text) : text_(text) {}

  // Nothing for any other form.
  std::optional<AttemptRecord> Record() {
    AttemptRecord record;
    if (!Take("{\"v\":1,\"s\":[") || !Scores(record.scores)) return std::nullopt;
    if (Take(",\"u\":[") && !Usages(record.usage)) return std::nullopt;
    if (Take(",\"m\":[") && !Served(record.served)) return std::nullopt;
    if (text_ != "}") return std::nullopt;
    return record;
  }

 private:
  bool Take(std::string_view words) {
    if (!text_.starts_with(words)) return false;
    text_.remove_prefix(words.size());
    return true;
  }

  template <class Number>
  bool Read(Number& number) {
    if (text_.size() > 1 && text_[0] >= '0' && text_[0] <= '9' && (text_[1] == ',' || text_[1] == ']')) {
      number = static_cast<Number>(text_[0] - '0');
      text_.remove_prefix(1);
      return true;
    }
    const auto [after, problem] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
    text_.remove_prefix(static_cast<std::size_t>(after - text_.data()));
    return problem == std::errc();
  }

  // Up to the end of their list, whose beginning was read, as of what follows.
  bool Scores(std::vector<Score>& scores) {
    const std::string_view list = text_.substr(0, text_.find("]]"));
    scores.reserve(static_cast<std::size_t>(std::count(list.begin(), list.end(), '[')));
    if (Take("]")) return true;
    do {
      if (!Take("[")) return false;
      int state = 0;
      Score& score = scores.emplace_back();
      if (!Read(state) || state < 0 || state > static_cast<int>(ScoreState::kMissing)) return false;
      if (!Take(",") || !Read(score.value) || !Take("]")) return false;
      if (!Range().Allows(score.value)) return false;
      score.state = static_cast<ScoreState>(state);
    } while (Take(","));
    return Take("]");
  }

  bool Usages(UsageByRole& usage) {
    if (Take("]")) return true;
    do {
      if (!Take("[")) return false;
      int role = 0;
      if (!Read(role) || role < 0 || role > static_cast<int>(kLastRequestRole)) return false;
      Usage used{.known = true};
      for (std::int64_t* count : {&used.input_tokens, &used.output_tokens, &used.reasoning_tokens,
                                  &used.cached_read_tokens, &used.cached_write_tokens}) {
        if (!Take(",")) break;
        if (!Read(*count) || *count < 0 || static_cast<double>(*count) > kStoredTokensMax) return false;
      }
      if (!Take("]")) return false;
      usage.Add(static_cast<RequestRole>(role), used);
    } while (Take(","));
    return Take("]");
  }

  // Without escapes.
  bool Text(std::string& text) {
    if (!Take("\"")) return false;
    const std::size_t end = text_.find_first_of("\"\\");
    if (end == std::string_view::npos || text_[end] != '"') return false;
    text = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return true;
  }

  bool Served(std::vector<ServedAs>& served) {
    do {
      int role = 0;
      if (!Take("[") || !Read(role) || role < 0 || role > static_cast<int>(kLastRequestRole)) return false;
      ServedAs& each = served.emplace_back();
      each.role = static_cast<RequestRole>(role);
      if (!Take(",[") || !Text(each.by.asked) || !Take(",") || !Text(each.by.model)) return false;
      each.by.is_other = Take(",true");
      if (!each.by.is_other && !Take(",false")) return false;
      if (!Take(",") || !Text(each.by.fingerprint) || !Take(",") || !Text(each.by.via) || !Take("]]"))
        return false;
    } while (Take(","));
    return Take("]");
  }

  std::string_view text_;
};

}  // namespace

Score Score::Of(double value) {
  Score score;
  score.state = ScoreState::kScored;
  score.value = value;
  return score;
}

Score Score::Failure(std::string message) {
  Score score;
  score.state = ScoreState::kError;
  score.error = std::move(message);
  return score;
}

Score Score::Missing(std::string message) {
  Score score;
  score.state = ScoreState::kMissing;
  score.error = std::move(message);
  return score;
}

std::size_t AttemptRecord::MissingPoints() const {
  if (!grading_error.empty()) return 1;
  return static_cast<std::size_t>(std::count_if(
      scores.begin(), scores.end(), [](const Score& score) { return score.state == ScoreState::kMissing; }));
}

std::string Transcript::SubjectText() const {
  if (generated_texts.empty()) return answer;
  std::string subject = generated_texts.front();
  for (std::size_t i = 1; i < generated_texts.size(); ++i) {
    subject += "\n\n";
    subject += generated_texts[i];
  }
  return subject;
}

// Written without building a tree: a run writes one for every attempt.
std::string EncodeScores(const AttemptRecord& record) {
  std::string text = "{\"v\":1,\"s\":";
  record::Records{record.scores}.Append(text);
  VisitMembers(record, record::MemberWriter(text));
  return text + '}';
}

Result<AttemptRecord> DecodeScores(std::string_view text) {
  if (std::optional<AttemptRecord> plain = PlainReader(text).Record()) return std::move(*plain);
  const Result<Value> read = ParseStoredIn(text.size(), text);
  if (!read) return Error{ErrorCode::kCorrupt, "the store is damaged: stored scores are no JSON"};
  const Value* scores = read->Find("s");
  if (read->NumberAt("v") != 1 || scores == nullptr) {
    return Error{ErrorCode::kCorrupt, "the store is damaged: stored scores of an unknown version"};
  }
  AttemptRecord record;
  if (!record::Records{record.scores}.Read(*scores)) return NoSuchScore();
  record::MemberReader reader(*read);
  VisitMembers(record, reader);
  if (!reader.good()) {
    return Error{
        ErrorCode::kCorrupt,
        fmt::format("the store is damaged: no assay writes such a `{}` of scores", reader.problem())};
  }
  return record;
}

}  // namespace assay
